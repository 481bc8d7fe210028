// Blocked as float products are (gemm.cpp), over groups of k (simd/int8.h): rows of A become what the kernel reads, B's
// columns panels of groups, of which one stays in L1. A few rows over a B whose rows or columns are contiguous read it
// where it is. Up to kCachedRows rows may find B packed.
#include "ops/matmul/int8_gemm.h"

#include <algorithm>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/matmul/packed_cache.h"
#include "ops/matmul/rectangles.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kDepth = 512;       // at most, k in a block
constexpr int64_t kRows = 2048;       // rows of A in a block
constexpr int64_t kColumns = 2048;    // columns of B in a block
constexpr int64_t kTaskRows = 168;    // rows of a task
constexpr int64_t kCachedRows = 168;  // of more rows packing is a small part
constexpr int64_t kTogether = 16;     // panels of B that are packed at once, at most
constexpr int64_t kParallelWork = 1 << 19;
constexpr int64_t kParallelBytes = 1 << 15;
constexpr int64_t kLine = 64;

// Rows of A as a kernel reads them, with a line more in each, so that they do not share the sets of L1.
class Rows {
 public:
  Rows(const Int8Rows& form, int64_t rows, int64_t depth)
      : form_(form), stride_(ceil_div(depth * form.element, kLine) * kLine + kLine), data_(rows * stride_) {}

  void fill(const Int8Matrix& a, bool b_signed, int64_t row, int64_t rows, int64_t k0, int64_t k1) const {
    const int64_t depth = k1 - k0;
    parallel_for(rows, ceil_div(kParallelBytes, depth), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        form_.fill(a.is_signed, b_signed, a.data + (row + i) * a.row + k0 * a.col, a.col, depth, data_ + i * stride_);
    });
  }
  const char* at(int64_t row) const { return data_ + row * stride_; }
  int64_t stride() const { return stride_; }

 private:
  const Int8Rows& form_;
  const int64_t stride_;
  const Scratch<char> data_;
};

class Blocked {
 public:
  Blocked(const Int8Gemm& gemm, const Int8Kernels& kernel)
      : g_(gemm),
        kernel_(kernel),
        depth_(kernel_.padded(ceil_div(g_.k, ceil_div(g_.k, kDepth)))),
        row_panels_(ceil_div(g_.m, kernel_.rows)),
        column_panels_(ceil_div(g_.n, kernel_.columns)) {}

  void run() {
    const gc::Ref<gc::Storage> cached = cached_columns();
    const int64_t mr = kernel_.rows;
    const int64_t columns = std::min(kColumns / kernel_.columns, column_panels_),
                  rows = std::min(kRows / mr, row_panels_);
    const Scratch<uint8_t> room(cached ? 0 : columns * kernel_.panel_bytes(depth_));
    const Rows a(kernel_.a, rows * mr, depth_);
    for (int64_t j = 0; j < column_panels_; j += columns) {
      const int64_t columns_end = std::min(j + columns, column_panels_);
      for (int64_t k0 = 0; k0 < g_.k; k0 += depth_) {
        const int64_t k1 = std::min(k0 + depth_, g_.k);
        const uint8_t* b = cached ? static_cast<const uint8_t*>(cached->data()) + place(j, k0, k1) : room;
        if (!cached) pack(j, columns_end, k0, k1, room);
        for (int64_t i = 0; i < row_panels_; i += rows) {
          const int64_t rows_end = std::min(i + rows, row_panels_);
          a.fill(g_.a, g_.b.is_signed, i * mr, std::min(rows_end * mr, g_.m) - i * mr, k0, k1);
          multiply_all(i, rows_end, a, j, columns_end, b, k0, k1);
        }
      }
    }
  }

 private:
  // Where panel j of a block of k begins among all panels of B, those of a block after those of the one before.
  int64_t place(int64_t j, int64_t k0, int64_t k1) const {
    return k0 / depth_ * column_panels_ * kernel_.panel_bytes(depth_) + j * kernel_.panel_bytes(k1 - k0);
  }

  // Null if they are not cached.
  gc::Ref<gc::Storage> cached_columns() const {
    if (g_.m > kCachedRows) return nullptr;
    const PackedKey form{PackedKey::Of::Int8Columns,
                         g_.b.data,
                         {kernel_.columns, kernel_.step, g_.b.is_signed, g_.n, g_.k, g_.b.row, g_.b.col}};
    const int64_t count = place(column_panels_, (g_.k - 1) / depth_ * depth_, g_.k);
    return find_or_pack(g_.cacheable, form, count, [&](void* out) {
      for (int64_t k0 = 0; k0 < g_.k; k0 += depth_) {
        const int64_t k1 = std::min(k0 + depth_, g_.k);
        pack(0, column_panels_, k0, k1, static_cast<uint8_t*>(out) + place(0, k0, k1));
      }
    });
  }

  void pack(int64_t j0, int64_t j1, int64_t k0, int64_t k1, uint8_t* out) const {
    const int64_t together = std::clamp<int64_t>((j1 - j0) / (2 * threads()), 1, kTogether);
    const int64_t panel = kernel_.panel_bytes(k1 - k0);
    parallel_for_throwing(ceil_div(j1 - j0, together), ceil_div(kParallelBytes, together * panel),
                          [&](int64_t begin, int64_t end) {
                            const int64_t j = j0 + begin * together;
                            pack_some(j, std::min(j0 + end * together, j1), k0, k1, out + (j - j0) * panel);
                          });
  }

  void pack_some(int64_t j0, int64_t j1, int64_t k0, int64_t k1, uint8_t* out) const {
    const int64_t nr = kernel_.columns, depth = k1 - k0, n1 = std::min(j1 * nr, g_.n);
    const uint8_t* from = g_.b.data + k0 * g_.b.row;
    if (g_.b.col == 1) return kernel_.pack(g_.b.is_signed, from + j0 * nr, g_.b.row, depth, n1 - j0 * nr, out);
    for (int64_t n = j0 * nr; n < n1; n += nr, out += kernel_.panel_bytes(depth)) {
      kernel_.pack_columns(g_.b.is_signed, from + n * g_.b.col, g_.b.row, g_.b.col, depth, std::min(nr, n1 - n), out);
    }
  }

  void multiply_all(int64_t i0, int64_t i1, const Rows& a, int64_t j0, int64_t j1, const uint8_t* b, int64_t k0,
                    int64_t k1) const {
    const int64_t mr = kernel_.rows, nr = kernel_.columns;
    const int64_t depth = kernel_.padded(k1 - k0), panel = kernel_.panel_bytes(k1 - k0);
    const Rectangles tasks(i1 - i0, j1 - j0, kTaskRows / mr);
    const int64_t work = tasks.largest() * mr * nr * depth;
    parallel_for_throwing(tasks.count(), std::max<int64_t>(1, kParallelWork / work), [&](int64_t begin, int64_t end) {
      kernel_.begin();
      for (int64_t t = begin; t < end; ++t) {
        const auto [row, row_end] = tasks.rows(t);
        const auto [column, column_end] = tasks.columns(t);
        for (int64_t j = column; j < column_end; ++j) {
          const int64_t n = (j0 + j) * nr;
          for (int64_t i = row; i < row_end; ++i) {
            const int64_t m = (i0 + i) * mr;
            kernel_.tile({depth, a.at(i * mr), a.stride(), g_.a.is_signed, b + j * panel, g_.b.is_signed,
                          g_.c + m * g_.n + n, g_.n, std::min(mr, g_.m - m), std::min(nr, g_.n - n), k0 > 0});
          }
        }
      }
      kernel_.end();
    });
  }

  const Int8Gemm& g_;
  const Int8Kernels& kernel_;
  const int64_t depth_, row_panels_, column_panels_;
};

// Columns in parallel.
void run_direct(const Int8Gemm& g) {
  constexpr int64_t kUnit = 64;
  const Int8FewRows& kernel = *kernels().int8_few_rows;
  const Rows a(kernel.a, g.m, g.k);
  a.fill(g.a, g.b.is_signed, 0, g.m, 0, g.k);
  const bool by_rows = g.b.col == 1;
  const auto run = by_rows ? kernel.by_rows : kernel.by_columns;
  const int64_t units = ceil_div(g.n, kUnit);
  const int64_t grain = std::max(ceil_div(kParallelBytes, kUnit * g.k), by_rows ? units / threads() : 1);
  parallel_for_throwing(units, grain, [&](int64_t begin, int64_t end) {
    const int64_t n0 = begin * kUnit, n1 = std::min(end * kUnit, g.n);
    run(g.b.is_signed, g.m, n1 - n0, g.k, a.at(0), a.stride(), g.b.data + n0 * g.b.col, by_rows ? g.b.row : g.b.col,
        g.c + n0, g.n);
  });
}

}  // namespace

void run_int8_gemm(const Int8Gemm& g) {
  if (g.m == 0 || g.n == 0) return;
  if (g.k == 0) {
    std::fill_n(g.c, g.m * g.n, 0);
    return;
  }
  if (g.n == 1 && g.m > 1) {
    return run_int8_gemm(
        {1, g.m, g.k, {g.b.data, g.b.is_signed, 0, g.b.row}, {g.a.data, g.a.is_signed, g.a.col, g.a.row}, g.c});
  }
  if (g.m <= kInt8FewRows && (g.b.col == 1 || g.b.row == 1)) return run_direct(g);
  Blocked(g, int8_kernels()).run();
}

}  // namespace ember::ops
