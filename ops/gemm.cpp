// Float32 matrix multiplication: blocks of k so that a panel of B stays in L1 and one of A in L2, panels packed by all
// threads, C split among them by panels of both sides. Within a block of k the micro-kernel goes on from C, so that
// every element stays one chain. Few rows over a B whose rows are contiguous skip the packing.
#include "ops/gemm.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "gc/storage.h"
#include "ops/kernels.h"
#include "ops/parallel.h"

namespace ember::ops {
namespace {

constexpr int64_t kDepth = 384;     // k in a block
constexpr int64_t kRows = 2016;     // rows of A in a block; a multiple of 14, 6 and 4
constexpr int64_t kColumns = 2048;  // columns of B in a block
constexpr int64_t kTaskRows = 168;  // rows of a task
constexpr int64_t kDirectRows = 8;  // fewer rows than this don't pay for packing B
constexpr int64_t kDirectWork = 1 << 13;
constexpr int64_t kParallelWork = 1 << 18;

std::atomic<const GemmKernel*> installed{nullptr};

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

void pack_strided_b(const void* context, int64_t k0, int64_t k1, int64_t n0, int64_t n1, int nr, float* out) {
  const StridedB& b = *static_cast<const StridedB*>(context);
  EMBER_KERNEL(gemm_pack(k1 - k0, n1 - n0, nr, b.data + k0 * b.row + n0 * b.col, b.row, b.col, out));
}

// A panel of A: for each k the column's mr elements, zeros below the matrix.
void pack_a(const Gemm& g, int64_t k0, int64_t k1, int64_t m0, int64_t rows, int mr, float* out) {
  EMBER_KERNEL(gemm_pack(k1 - k0, rows, mr, g.a + m0 * g.a_row + k0 * g.a_col, g.a_col, g.a_row, out));
}

// One block of rows times one block of columns over one block of k.
struct Block {
  const Gemm& gemm;
  const GemmKernel& kernel;
  int64_t m0, m1, n0, n1, k0, k1;
  float* a;  // panels of A, then panels of B
  float* b;

  int64_t depth() const { return k1 - k0; }
  int64_t row_panels() const { return ceil_div(m1 - m0, kernel.mr); }
  int64_t column_panels() const { return ceil_div(n1 - n0, kernel.nr); }
  float* row_panel(int64_t i) const { return a + i * kernel.mr * depth(); }
  float* column_panel(int64_t j) const { return b + j * kernel.nr * depth(); }

  void pack_rows() const {
    parallel_for(row_panels(), ceil_div(1 << 15, kernel.mr * depth()), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = m0 + i * kernel.mr;
        pack_a(gemm, k0, k1, row, std::min<int64_t>(kernel.mr, m1 - row), kernel.mr, row_panel(i));
      }
    });
  }
  void pack_columns() const {
    parallel_for(column_panels(), ceil_div(1 << 15, kernel.nr * depth()), [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        const int64_t column = n0 + j * kernel.nr;
        gemm.b.pack(gemm.b.context, k0, k1, column, std::min<int64_t>(column + kernel.nr, n1), kernel.nr,
                    column_panel(j));
      }
    });
  }
  void multiply(int64_t i0, int64_t i1, int64_t j0, int64_t j1) const {
    for (int64_t j = j0; j < j1; ++j) {
      const int64_t column = n0 + j * kernel.nr;
      for (int64_t i = i0; i < i1; ++i) {
        const int64_t row = m0 + i * kernel.mr;
        kernel.run_panels(depth(), row_panel(i), column_panel(j), gemm.c + row * gemm.ldc + column, gemm.ldc,
                          std::min<int64_t>(kernel.mr, m1 - row), std::min<int64_t>(kernel.nr, n1 - column), k0 > 0);
      }
    }
  }
  // Tasks are rectangles of panels: as tall as L2 holds, as wide as leaves each thread a few.
  void multiply_all() const {
    const int64_t rows = row_panels(), columns = column_panels();
    const int64_t tall = std::min(rows, std::max<int64_t>(1, kTaskRows / kernel.mr));
    const int64_t down = ceil_div(rows, tall);
    const int64_t wanted = std::max<int64_t>(1, ceil_div(4 * threads(), down));
    const int64_t wide = std::max<int64_t>(1, columns / wanted);
    const int64_t across = ceil_div(columns, wide);
    const int64_t work = tall * kernel.mr * wide * kernel.nr * depth();
    parallel_for(down * across, std::max<int64_t>(1, kParallelWork / std::max<int64_t>(1, work)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t t = begin; t < end; ++t) {
                     const int64_t i = t / across * tall, j = t % across * wide;
                     multiply(i, std::min(i + tall, rows), j, std::min(j + wide, columns));
                   }
                 });
  }
};

void run_blocked(const Gemm& g) {
  const GemmKernel& kernel = gemm_kernel();
  const int64_t depth = std::min(kDepth, g.k);
  const int64_t rows = std::min(kRows / kernel.mr * kernel.mr, ceil_div(g.m, kernel.mr) * kernel.mr);
  const int64_t columns = std::min(ceil_div(kColumns, kernel.nr), ceil_div(g.n, kernel.nr)) * kernel.nr;
  const auto a = gc::allocate(static_cast<size_t>(rows * depth) * sizeof(float));
  const auto b = gc::allocate(static_cast<size_t>(columns * depth) * sizeof(float));
  for (int64_t n0 = 0; n0 < g.n; n0 += columns) {
    for (int64_t k0 = 0; k0 < g.k; k0 += kDepth) {
      for (int64_t m0 = 0; m0 < g.m; m0 += rows) {
        const Block block{g,
                          kernel,
                          m0,
                          std::min(m0 + rows, g.m),
                          n0,
                          std::min(n0 + columns, g.n),
                          k0,
                          std::min(k0 + kDepth, g.k),
                          static_cast<float*>(a->data()),
                          static_cast<float*>(b->data())};
        if (m0 == 0) block.pack_columns();
        block.pack_rows();
        block.multiply_all();
      }
    }
  }
}

// Columns in parallel, or rows where there is but one column.
void run_direct(const Gemm& g, const StridedB& b) {
  constexpr int64_t kUnit = 64;
  const int64_t work = std::max<int64_t>(1, g.k * (g.n == 1 ? 1 : g.m));
  const int64_t grain = std::max<int64_t>(1, kParallelWork / kUnit / work);
  if (g.n == 1) {
    parallel_for(ceil_div(g.m, kUnit), grain, [&](int64_t begin, int64_t end) {
      const int64_t m0 = begin * kUnit, m1 = std::min(end * kUnit, g.m);
      EMBER_KERNEL(
          gemm_direct(m1 - m0, 1, g.k, g.a + m0 * g.a_row, g.a_row, g.a_col, b.data, b.row, g.c + m0 * g.ldc, g.ldc));
    });
    return;
  }
  parallel_for(ceil_div(g.n, kUnit), grain, [&](int64_t begin, int64_t end) {
    const int64_t n0 = begin * kUnit, n1 = std::min(end * kUnit, g.n);
    EMBER_KERNEL(gemm_direct(g.m, n1 - n0, g.k, g.a, g.a_row, g.a_col, b.data + n0, b.row, g.c + n0, g.ldc));
  });
}

// Whether the product is done without packing: few rows, a vector on either side, or hardly any work.
bool try_direct(const Gemm& g) {
  if (g.b.pack != &pack_strided_b) return false;
  const StridedB& b = *static_cast<const StridedB*>(g.b.context);
  if (g.m == 1 && b.col != 1) {
    const StridedB turned{g.a, g.a_col, 1};
    run_direct({g.n, 1, g.k, b.data, b.col, b.row, {}, g.c, 1}, turned);
    return true;
  }
  const bool small = g.m < kDirectRows || g.m * g.n * g.k <= kDirectWork;
  if (g.n != 1 && (b.col != 1 || !small)) return false;
  run_direct(g, b);
  return true;
}

}  // namespace

const GemmKernel& gemm_kernel() {
  const GemmKernel* kernel = installed.load(std::memory_order_acquire);
  return kernel && !WithoutEmitted::active() ? *kernel : EMBER_KERNEL(gemm_kernel);
}

void install_gemm_kernel(const GemmKernel& kernel) {
  static std::mutex mutex;
  static std::deque<GemmKernel> kept;  // never freed: another thread may be in one
  const std::lock_guard lock(mutex);
  installed.store(kernel.run ? &kept.emplace_back(kernel) : nullptr, std::memory_order_release);
}

PackB pack_strided(const StridedB* b) { return {b, &pack_strided_b}; }

void run_gemm(const Gemm& g) {
  if (g.m == 0 || g.n == 0) return;
  if (g.k == 0) {
    for (int64_t i = 0; i < g.m; ++i) std::fill_n(g.c + i * g.ldc, g.n, 0.0f);
    return;
  }
  if (!try_direct(g)) run_blocked(g);
}

}  // namespace ember::ops
