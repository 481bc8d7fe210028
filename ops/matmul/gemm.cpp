// Blocking as in BLIS: a panel of B stays in L1 and one of A in L2; all threads pack, and share C by panels of both
// sides. Within a block of k the micro-kernel accumulates into C. Few rows, or few columns, over a B whose rows are
// contiguous skip the packing. Up to kTaskRows rows may find B packed (packed_cache.h). That saves of the time, B being
// 512x512: with 8 rows 45%, with 32 20%, with 128 7%; with 2 rows over a B whose columns are contiguous 70%. Of more
// rows nothing was measurable.
#include "ops/matmul/gemm.h"

#include <algorithm>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/matmul/packed_cache.h"
#include "ops/matmul/rectangles.h"
#include "ops/program/program.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kDepth = 448;     // at most, k in a block
constexpr int64_t kRows = 2016;     // rows of A in a block
constexpr int64_t kColumns = 2048;  // columns of B in a block
constexpr int64_t kTaskRows = 168;  // rows of a task
constexpr int64_t kShallow = 128;   // depths for which writing C counts
constexpr int64_t kDirectRows = 8;  // fewer rows than this don't pay for packing B
constexpr int64_t kDirectWork = 1 << 13;
constexpr int64_t kParallelWork = 1 << 18;
constexpr int64_t kParallelVector = 1 << 16;  // the same where operands are used but few times
constexpr int64_t kPage = 1024;               // elements: rows whose stride is a multiple of it share the sets of L1
constexpr int64_t kManyColumns = 512;         // of C, for which it pays to pack such rows
constexpr int64_t kPackWork = 1 << 15;
constexpr int64_t kTogether = 16;  // panels of B that are packed at once, at most

// The rows of A: in place, or packed in panels of mr rows.
struct Rows {
  const float* data;
  int64_t row, step;  // strides
};

// Of elements from row m and column n on.
void finish(const Gemm& g, int64_t m, int64_t n, int64_t rows, int64_t columns) {
  if (g.epilogue) g.epilogue->run({g.first + m * g.ldc + n, rows, columns, g.ldc});
}

class Blocked {
 public:
  explicit Blocked(const Gemm& gemm)
      : g_(gemm),
        kernel_(gemm_kernel()),
        depth_(ceil_div(g_.k, ceil_div(g_.k, kDepth))),
        row_panels_(ceil_div(g_.m, kernel_.mr)),
        mr_(g_.a_row == 1 ? kernel_.mr : ceil_div(g_.m, row_panels_)),
        column_panels_(ceil_div(g_.n, kernel_.nr)),
        rows_in_place_(g_.a_col == 1 && (g_.a_row % kPage != 0 || g_.n < kManyColumns)) {}

  void run() {
    if (g_.m <= kTaskRows) return run_low();
    const int64_t columns = std::min(kColumns / kernel_.nr, column_panels_), rows = std::min(kRows / mr_, row_panels_);
    const Scratch<float> a(rows_in_place_ ? 0 : rows * mr_ * depth_), b(columns * kernel_.nr * depth_);
    for (int64_t j = 0; j < column_panels_; j += columns) {
      const int64_t columns_end = std::min(j + columns, column_panels_);
      for (int64_t k0 = 0; k0 < g_.k; k0 += depth_) {
        const int64_t k1 = std::min(k0 + depth_, g_.k);
        pack_columns(j, columns_end, k0, k1, b);
        for (int64_t i = 0; i < row_panels_; i += rows) {
          const int64_t rows_end = std::min(i + rows, row_panels_);
          if (!rows_in_place_) pack_rows(i, rows_end, k0, k1, a);
          multiply_all(i, rows_end, a, j, columns_end, b, k0, k1);
        }
      }
    }
  }

 private:
  // Few rows: a task takes all of them, and packs its columns itself unless they are cached.
  void run_low() {
    const Scratch<float> a(rows_in_place_ ? 0 : row_panels_ * mr_ * g_.k);
    for (int64_t k0 = 0; !rows_in_place_ && k0 < g_.k; k0 += depth_) {
      pack_rows(0, row_panels_, k0, std::min(k0 + depth_, g_.k), a + k0 * row_panels_ * mr_);
    }
    const gc::Ref<gc::Storage> cached = cached_columns();
    const int64_t of_thread = std::max<int64_t>(2, ceil_div(column_panels_, kTogether * threads()));
    const EvenParts parts{column_panels_, std::min(column_panels_, of_thread * threads())};
    const int64_t wide = parts.largest(), work = g_.m * wide * kernel_.nr * g_.k;
    parallel_for_throwing(parts.count, std::max<int64_t>(1, kParallelWork / work), [&](int64_t begin, int64_t end) {
      const Scratch<float> room(cached ? 0 : wide * kernel_.nr * depth_);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t j = parts.begin(t), columns_end = parts.end(t);
        for (int64_t k0 = 0; k0 < g_.k; k0 += depth_) {
          const int64_t k1 = std::min(k0 + depth_, g_.k);
          const float* b = cached ? cached_panel(*cached, j, k0, k1) : room;
          if (!cached) pack_some(j, columns_end, k0, k1, room);
          multiply(0, row_panels_, a + k0 * row_panels_ * mr_, j, columns_end, b, k0, k1);
        }
        finish_panels(0, row_panels_, j, columns_end);
      }
    });
  }

  // All panels of B, those of a block of k after those of the one before; null if they are not cached.
  gc::Ref<gc::Storage> cached_columns() const {
    const PackedKey form{PackedKey::Of::Columns, g_.b, {kernel_.nr, g_.n, g_.k, g_.b_row, g_.b_col}};
    const int64_t columns = column_panels_ * kernel_.nr;
    return find_or_pack(g_.cacheable, form, columns * g_.k * static_cast<int64_t>(sizeof(float)), [&](void* out) {
      for (int64_t k0 = 0; k0 < g_.k; k0 += depth_) {
        pack_columns(0, column_panels_, k0, std::min(k0 + depth_, g_.k), static_cast<float*>(out) + k0 * columns);
      }
    });
  }

  const float* cached_panel(const gc::Storage& cached, int64_t j, int64_t k0, int64_t k1) const {
    return static_cast<const float*>(cached.data()) + (k0 * column_panels_ + j * (k1 - k0)) * kernel_.nr;
  }

  void pack_rows(int64_t i0, int64_t i1, int64_t k0, int64_t k1, float* out) const {
    const int64_t depth = k1 - k0, mr = mr_;
    parallel_for(i1 - i0, ceil_div(kPackWork, mr * depth), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = (i0 + i) * mr;
        const float* from = g_.a + row * g_.a_row + k0 * g_.a_col;
        kernels().of<float>().gemm_pack(depth, std::min(mr, g_.m - row), mr, from, g_.a_col, g_.a_row,
                                        out + i * mr * depth);
      }
    });
  }

  void pack_columns(int64_t j0, int64_t j1, int64_t k0, int64_t k1, float* out) const {
    const int64_t together = std::clamp<int64_t>((j1 - j0) / (2 * threads()), 1, kTogether), nr = kernel_.nr;
    parallel_for(ceil_div(j1 - j0, together), ceil_div(kPackWork, together * nr * (k1 - k0)),
                 [&](int64_t begin, int64_t end) {
                   const int64_t j = begin * together;
                   pack_some(j0 + j, std::min(j0 + end * together, j1), k0, k1, out + j * nr * (k1 - k0));
                 });
  }

  // Contiguous rows of B are packed row by row, into all panels.
  void pack_some(int64_t j0, int64_t j1, int64_t k0, int64_t k1, float* out) const {
    const int64_t nr = kernel_.nr, depth = k1 - k0, n1 = std::min(j1 * nr, g_.n);
    const float* from = g_.b + k0 * g_.b_row;
    if (g_.b_col == 1) {
      kernels().gemm_pack_rows(depth, n1 - j0 * nr, from + j0 * nr, g_.b_row, out);
      return;
    }
    for (int64_t n = j0 * nr; n < n1; n += nr, out += nr * depth) {
      kernels().of<float>().gemm_pack(depth, std::min(nr, n1 - n), nr, from + n * g_.b_col, g_.b_row, g_.b_col, out);
    }
  }

  // Panels of rows from i0 on, packed ones in `a`, with panels of columns from j0 on, which begin at b: down C, so that
  // a panel of columns stays in L1; along it where the depth is small and writing C is the most part.
  void multiply(int64_t i0, int64_t i1, const float* a, int64_t j0, int64_t j1, const float* b, int64_t k0,
                int64_t k1) const {
    const int64_t mr = mr_, nr = kernel_.nr, depth = k1 - k0;
    const int64_t m1 = std::min(i1 * mr, g_.m), n1 = std::min(j1 * nr, g_.n);
    const auto tile = [&](int64_t m, int64_t n, const float* next) {
      static constexpr TileItem kWhole{0, 0};
      const Rows rows =
          rows_in_place_ ? Rows{g_.a + m * g_.a_row + k0, g_.a_row, 1} : Rows{a + (m - i0 * mr) * depth, 1, mr};
      kernel_.run({1, depth, &kWhole, rows.data, rows.row, rows.step, b + (n - j0 * nr) * depth, nr, at(m, n), g_.ldc,
                   std::min(mr, g_.m - m), std::min(nr, g_.n - n), k0 > 0, next});
    };
    if (depth <= kShallow) {
      for (int64_t m = i0 * mr; m < m1; m += mr) {
        for (int64_t n = j0 * nr; n < n1; n += nr) tile(m, n, n + nr < n1 ? at(m, n + nr) : at(m + mr, j0 * nr));
      }
      return;
    }
    for (int64_t n = j0 * nr; n < n1; n += nr) {
      for (int64_t m = i0 * mr; m < m1; m += mr) tile(m, n, m + mr < m1 ? at(m + mr, n) : at(i0 * mr, n + nr));
    }
  }
  // Null beyond the end.
  float* at(int64_t m, int64_t n) const { return m < g_.m && n < g_.n ? g_.c + m * g_.ldc + n : nullptr; }

  void finish_panels(int64_t i0, int64_t i1, int64_t j0, int64_t j1) const {
    const int64_t m = i0 * mr_, n = j0 * kernel_.nr;
    finish(g_, m, n, std::min(i1 * mr_, g_.m) - m, std::min(j1 * kernel_.nr, g_.n) - n);
  }

  void multiply_all(int64_t i0, int64_t i1, const float* a, int64_t j0, int64_t j1, const float* b, int64_t k0,
                    int64_t k1) const {
    const int64_t mr = mr_, nr = kernel_.nr, depth = k1 - k0;
    const Rectangles tasks(i1 - i0, j1 - j0, std::max<int64_t>(1, kTaskRows / mr));
    const int64_t work = tasks.largest() * mr * nr * depth;
    parallel_for_throwing(tasks.count(), std::max<int64_t>(1, kParallelWork / work), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const auto [row, row_end] = tasks.rows(t);
        const auto [column, column_end] = tasks.columns(t);
        const int64_t i = i0 + row, rows_end = i0 + row_end, j = j0 + column, columns_end = j0 + column_end;
        multiply(i, rows_end, a + row * mr * depth, j, columns_end, b + column * nr * depth, k0, k1);
        if (k1 == g_.k) finish_panels(i, rows_end, j, columns_end);
      }
    });
  }

  const Gemm& g_;
  const GemmKernel& kernel_;
  const int64_t depth_, row_panels_;
  const int64_t mr_;  // rows of a panel: evenly many, but mr where whole vectors of them are packed
  const int64_t column_panels_;
  const bool rows_in_place_;
};

// Columns in parallel, or rows where there are few columns.
void run_direct(const Gemm& g) {
  constexpr int64_t kUnit = 64;
  const bool by_rows = g.n <= kTransposedColumns;
  const int64_t work = std::max<int64_t>(1, g.k * (by_rows ? g.n : g.m));
  const int64_t grain = std::max<int64_t>(1, kParallelVector / kUnit / work);
  if (by_rows) {
    parallel_for_throwing(ceil_div(g.m, kUnit), grain, [&](int64_t begin, int64_t end) {
      const int64_t m0 = begin * kUnit, m1 = std::min(end * kUnit, g.m);
      kernels().of<float>().gemm_direct(m1 - m0, g.n, g.k, g.a + m0 * g.a_row, g.a_row, g.a_col, g.b, g.b_row,
                                        g.c + m0 * g.ldc, g.ldc);
      finish(g, m0, 0, m1 - m0, g.n);
    });
    return;
  }
  const int64_t units = ceil_div(g.n, kUnit), wide = std::max(grain, units / threads());
  parallel_for_throwing(units, wide, [&](int64_t begin, int64_t end) {
    const int64_t n0 = begin * kUnit, n1 = std::min(end * kUnit, g.n);
    kernels().of<float>().gemm_direct(g.m, n1 - n0, g.k, g.a, g.a_row, g.a_col, g.b + n0, g.b_row, g.c + n0, g.ldc);
    finish(g, 0, n0, g.m, n1 - n0);
  });
}

// Whether the product is done without packing: few rows or columns, or hardly any work.
bool try_direct(const Gemm& g) {
  if (g.m == 1 && g.b_col != 1) {
    run_direct({g.n, 1, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, 1, g.c, 1, g.epilogue, g.first});
    return true;
  }
  const bool few_columns = g.n <= kTransposedColumns && g.a_col == 1;
  const bool small = g.m < kDirectRows || few_columns || g.m * g.n * g.k <= kDirectWork;
  if (g.n != 1 && (g.b_col != 1 || !small)) return false;
  run_direct(g);
  return true;
}

}  // namespace

void run_gemm(const Gemm& g) {
  if (g.m == 0 || g.n == 0) return;
  if (g.k == 0) {
    for (int64_t i = 0; i < g.m; ++i) std::fill_n(g.c + i * g.ldc, g.n, 0.0f);
    return finish(g, 0, 0, g.m, g.n);
  }
  if (!try_direct(g)) Blocked(g).run();
}

}  // namespace ember::ops
