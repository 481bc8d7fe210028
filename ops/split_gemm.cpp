// The operands are split and packed by all threads in blocks of k that leave a few panels in L2, as in gemm.cpp; within
// a block of k the kernel goes on from C. Packing notes the extent of the numbers; where that forbids parts, which may
// show late, C is made again as the chain from copies of the operands.
#include "ops/split_gemm.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "gc/storage.h"
#include "ops/gemm.h"
#include "ops/parallel.h"
#include "ops/split_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kLanesAtOnce = 2048;  // rows and columns in a block
constexpr int64_t kTaskPanels = 8;      // of rows in a task
constexpr int64_t kStepsAtOnce = 1;     // of lanes side by side, so that these are read along
constexpr int64_t kParallelWork = 1 << 20;
constexpr int64_t kLeastWhole = 32;      // of each size, of a product of one part
constexpr int64_t kLeastSplit = 48;      // of a product of three parts
constexpr int64_t kLeastSplitK = 128;    // of its depth
constexpr double kLeastSplitReuse = 96;  // how often each number is used, on average

std::atomic<MatmulPrecision> precision{MatmulPrecision::Float32};
std::atomic<const SplitKernel*> installed{nullptr};

// Panels of one operand over one block of k.
template <class T>
class Packed {
 public:
  Packed(const SplitMatrix<T>& matrix, int64_t k, int parts, bool lanes_first)
      : matrix_(matrix),
        parts_(parts),
        lanes_first_(lanes_first),
        memory_(
            gc::allocate(static_cast<size_t>(std::min(ceil_div(matrix.lanes, kSplitPanel), kLanesAtOnce / kSplitPanel) *
                                             split_panel_words(std::min(k, kSplitDepth), parts)) *
                         sizeof(uint32_t))) {}

  void pack(int64_t first, int64_t end, int64_t k0, int64_t k1) {
    first_ = first;
    end_ = end;
    depth_ = k1 - k0;
    const int64_t grain = std::max<int64_t>(1, (1 << 15) / (kSplitPanel * depth_));
    parallel_for(panels(), grain, [&](int64_t begin, int64_t stop) {
      SplitExtent extent;
      const int64_t together = matrix_.lane_stride == 1 ? kStepsAtOnce * kSplitStep : depth_;
      for (int64_t k = 0; k < depth_; k += together) {
        for (int64_t i = begin; i < stop; ++i) pack_panel(i, k0, k, std::min(together, depth_ - k), &extent);
      }
      const std::lock_guard lock(mutex_);
      add_extent(extent, &extent_);
    });
  }

  int64_t panels() const { return ceil_div(end_ - first_, kSplitPanel); }
  int64_t lanes(int64_t i) const { return std::min(kSplitPanel, end_ - lane(i)); }
  int64_t lane(int64_t i) const { return first_ + i * kSplitPanel; }
  const uint32_t* panel(int64_t i) const { return words() + i * split_panel_words(depth_, parts_); }
  int64_t steps() const { return split_steps(depth_); }
  const SplitExtent& extent() const { return extent_; }

 private:
  using Bits = std::conditional_t<std::is_same_v<T, float>, float, uint16_t>;

  uint32_t* words() const { return static_cast<uint32_t*>(memory_->data()); }

  void pack_panel(int64_t i, int64_t k0, int64_t k, int64_t depth, SplitExtent* extent) const {
    uint32_t* to = words() + i * split_panel_words(depth_, parts_) + k / kSplitStep * split_step_words(parts_);
    for (int64_t tile = 0; tile * kSplitTile < lanes(i); ++tile) {
      SplitLanes<Bits> from{{}, matrix_.k_stride};
      for (int64_t j = 0; j < kSplitTile; ++j) {
        const int64_t lane = tile * kSplitTile + j;
        if (lane >= lanes(i)) break;
        from.lanes[j] =
            reinterpret_cast<const Bits*>(matrix_.lane(first_ + i * kSplitPanel + lane) + (k0 + k) * matrix_.k_stride);
      }
      EMBER_KERNEL(split_pack(from, depth, parts_, lanes_first_, to + tile * kSplitWords, extent));
    }
  }

  const SplitMatrix<T>& matrix_;
  const int parts_;
  const bool lanes_first_;
  const gc::Ref<gc::Storage> memory_;
  int64_t first_ = 0, end_ = 0, depth_ = 0;
  std::mutex mutex_;
  SplitExtent extent_;  // of all that was packed so far
};

template <class T>
class SplitRun {
 public:
  SplitRun(const SplitProduct<T>& product, float* c)
      : product_(product),
        c_(c),
        a_(product.a, product.k, product.parts, true),
        b_(product.b, product.k, product.parts, false) {}

  // False if the numbers forbid parts; C is then unfinished.
  bool run() {
    const int64_t m = product_.a.lanes, n = product_.b.lanes, k = product_.k;
    for (int64_t n0 = 0; n0 < n; n0 += kLanesAtOnce) {
      for (int64_t k0 = 0; k0 < k; k0 += kSplitDepth) {
        const int64_t k1 = std::min(k0 + kSplitDepth, k);
        b_.pack(n0, std::min(n0 + kLanesAtOnce, n), k0, k1);
        for (int64_t m0 = 0; m0 < m; m0 += kLanesAtOnce) {
          a_.pack(m0, std::min(m0 + kLanesAtOnce, m), k0, k1);
          if (!parts_fit(a_.extent()) || !parts_fit(b_.extent())) return false;
          multiply(k0 > 0);
        }
      }
    }
    return products_fit(a_.extent(), b_.extent());
  }

 private:
  // Tasks are rectangles of panels, as in gemm.cpp.
  void multiply(bool accumulate) const {
    const int64_t rows = a_.panels(), columns = b_.panels(), tall = std::min(rows, kTaskPanels);
    const int64_t down = ceil_div(rows, tall), wanted = std::max<int64_t>(1, ceil_div(4 * threads(), down));
    const int64_t wide = std::max<int64_t>(1, columns / wanted), across = ceil_div(columns, wide);
    const int64_t work = tall * wide * kSplitPanel * kSplitPanel * a_.steps() * kSplitStep;
    parallel_for(down * across, ceil_div(kParallelWork, work), [&](int64_t begin, int64_t end) {
      const SplitRunner runner(product_.parts);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t i = t / across * tall, j = t % across * wide;
        multiply(runner, {i, std::min(i + tall, rows)}, {j, std::min(j + wide, columns)}, accumulate);
      }
    });
  }

  struct Range {
    int64_t begin, end;
  };
  void multiply(const SplitRunner& runner, Range rows, Range columns, bool accumulate) const {
    const int64_t ldc = product_.b.lanes;
    for (int64_t j = columns.begin; j < columns.end; ++j) {
      for (int64_t i = rows.begin; i < rows.end; ++i) {
        runner.multiply(a_.steps(), a_.panel(i), b_.panel(j), c_ + a_.lane(i) * ldc + b_.lane(j), ldc, a_.lanes(i),
                        b_.lanes(j), accumulate);
      }
    }
  }

  const SplitProduct<T>& product_;
  float* const c_;
  Packed<T> a_, b_;
};

// The lanes as float32, one after the other.
template <class T>
std::unique_ptr<float[]> copied(const SplitMatrix<T>& matrix, int64_t k) {
  std::unique_ptr<float[]> out(new float[static_cast<size_t>(matrix.lanes * k)]);
  parallel_for(matrix.lanes, std::max<int64_t>(1, (1 << 15) / k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* lane = matrix.lane(i);
      for (int64_t p = 0; p < k; ++p)
        out[static_cast<size_t>(i * k + p)] = static_cast<float>(lane[p * matrix.k_stride]);
    }
  });
  return out;
}

template <class T>
void run_float(const SplitProduct<T>& product, float* c) {
  if (SplitRun<T>(product, c).run()) return;
  const std::unique_ptr<float[]> a = copied(product.a, product.k), b = copied(product.b, product.k);
  run_gemm(
      {product.a.lanes, product.b.lanes, product.k, a.get(), product.k, 1, b.get(), 1, product.k, c, product.b.lanes});
}

// Whether sizes are such that a product of this many parts gains by them.
bool gains(int parts, int64_t m, int64_t n, int64_t k, double elements) {
  if (parts == 1) return std::min({m, n, k}) >= kLeastWhole;
  const double products = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return std::min(m, n) >= kLeastSplit && k >= kLeastSplitK && products >= kLeastSplitReuse * elements;
}

}  // namespace

MatmulPrecision matmul_precision() { return precision.load(std::memory_order_relaxed); }
void set_matmul_precision(MatmulPrecision wanted) { precision.store(wanted, std::memory_order_relaxed); }

bool parse_matmul_precision(std::string_view text, MatmulPrecision* out) {
  const auto found = std::find(kMatmulPrecisions.begin(), kMatmulPrecisions.end(), text);
  if (found == kMatmulPrecisions.end()) return false;
  *out = static_cast<MatmulPrecision>(found - kMatmulPrecisions.begin());
  return true;
}

const SplitKernel& split_kernel() {
  const SplitKernel* kernel = installed.load(std::memory_order_acquire);
  return kernel && !WithoutEmitted::active() ? *kernel : EMBER_KERNEL(split_kernel);
}

void install_split_kernel(const SplitKernel* kernel) { installed.store(kernel, std::memory_order_release); }

int split_parts(DType dtype, int64_t m, int64_t n, int64_t k) {
  return split_parts(dtype, m, n, k, (static_cast<double>(m) + static_cast<double>(n)) * static_cast<double>(k));
}

int split_parts(DType dtype, int64_t m, int64_t n, int64_t k, double elements) {
  const MatmulPrecision wanted = matmul_precision();
  if (!is_float(dtype) || dtype == DType::Float64 || wanted == MatmulPrecision::Ieee) return 0;
  if (wanted == MatmulPrecision::Float32 && !installed.load(std::memory_order_acquire)) return 0;
  const int parts = wanted == MatmulPrecision::BFloat16 || dtype == DType::BFloat16 ? 1 : kMostParts;
  return gains(parts, m, n, k, elements) ? parts : 0;
}

void run_split(const SplitProduct<float>& product) { run_float(product, product.c); }

void run_split(const SplitProduct<BFloat16>& product) {
  const int64_t count = product.a.lanes * product.b.lanes;
  const auto c = gc::allocate(static_cast<size_t>(count) * sizeof(float));
  const float* from = static_cast<const float*>(c->data());
  run_float(product, static_cast<float*>(c->data()));
  parallel_for(count, 1 << 15, [&](int64_t begin, int64_t end) {
    EMBER_KERNEL(split_round(from + begin, end - begin, reinterpret_cast<uint16_t*>(product.c + begin)));
  });
}

}  // namespace ember::ops
