// Operands are split and packed by all threads in blocks of k of which a few panels fit L2, as in gemm.cpp; C
// accumulates from block to block. B may be found packed (packed_cache.h). Packing records the range of magnitudes;
// where that is out of range, which may show late, C is computed again as sequential FMA from copies of the operands.
#include "ops/matmul/bf16x3_gemm.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "gc/fork.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/matmul/bf16x3_panels.h"
#include "ops/matmul/gemm.h"
#include "ops/matmul/packed_cache.h"
#include "ops/matmul/rectangles.h"
#include "ops/program/program.h"

namespace ember::ops {
namespace {

constexpr int64_t kLanesAtOnce = 2048;     // rows and columns in a block
constexpr int64_t kTaskPanels = 8;         // of rows in a task
constexpr int64_t kRowsOverCached = 1024;  // of A, at most, for which packed copies of B are cached
constexpr int64_t kParallelWork = 1 << 20;
constexpr int64_t kLeastBf16 = 32;        // of each size, of a product of one term
constexpr int64_t kLeastBf16x3 = 48;      // of a product of three terms
constexpr int64_t kLeastBf16x3K = 128;    // of its depth
constexpr double kLeastBf16x3Reuse = 80;  // how often each number is used, on average

std::atomic<MatmulPrecision> precision{MatmulPrecision::Float32};

// Panels of one operand over one block of k.
template <class T>
class Packed {
 public:
  Packed(const Bf16x3Matrix<T>& matrix, int64_t k, int64_t block, int terms, bool lanes_first,
         const gc::Storage* cacheable)
      : matrix_(matrix),
        k_(k),
        block_(block),
        terms_(terms),
        lanes_first_(lanes_first),
        cached_(cacheable ? copy(*cacheable) : nullptr) {
    if (cached_) {
      const uint32_t* range = words(*cached_) + all_words();
      range_ = {range[0], range[1], range[2]};
    } else {
      most_.resize(static_cast<size_t>(all_panels() * kBf16Panel));
      const int64_t panels = std::min(all_panels(), kLanesAtOnce / kBf16Panel);
      memory_ = Scratch<uint32_t>(panels * bf16_panel_words(std::min(k, block), terms));
    }
  }

  void pack(int64_t first, int64_t end, int64_t k0, int64_t k1) {
    first_ = first;
    end_ = end;
    depth_ = k1 - k0;
    if (cached_) {
      panels_ = words(*cached_) + all_panels() * bf16_panel_words(k0, terms_) + first / kBf16Panel * panel_words();
    } else {
      panels_ = memory_;
      pack_all(k0, memory_);
    }
  }

  int64_t panels() const { return ceil_div(end_ - first_, kBf16Panel); }
  int64_t lanes(int64_t i) const { return std::min(kBf16Panel, end_ - lane(i)); }
  int64_t lane(int64_t i) const { return first_ + i * kBf16Panel; }
  const uint32_t* panel(int64_t i) const { return panels_ + i * panel_words(); }
  int64_t steps() const { return bf16_steps(depth_); }
  // Of all that was packed so far.
  const MagnitudeRange& range() const { return range_; }
  // The same, where that is all: of whole lanes.
  MagnitudeRange range_of_lanes() const {
    MagnitudeRange range = range_;
    merge_lanes(most_.data(), static_cast<int64_t>(most_.size()), &range);
    return range;
  }

 private:
  using Bits = std::conditional_t<std::is_same_v<T, float>, float, uint16_t>;

  static const uint32_t* words(const gc::Storage& s) { return static_cast<const uint32_t*>(s.data()); }
  int64_t all_panels() const { return ceil_div(matrix_.lanes, kBf16Panel); }
  int64_t all_words() const { return all_panels() * bf16_panel_words(k_, terms_); }
  int64_t panel_words() const { return bf16_panel_words(depth_, terms_); }

  // All panels, those of a block of k after those of the one before, and the range of magnitudes; null if none is
  // cached.
  gc::Ref<gc::Storage> copy(const gc::Storage& of) {
    const PackedKey form{PackedKey::Of::Bf16x3,
                         matrix_.lane(0),
                         {matrix_.lanes, k_, matrix_.lane_stride, matrix_.k_stride, block_, terms_, sizeof(T)}};
    const int64_t bytes = (all_words() + 3) * static_cast<int64_t>(sizeof(uint32_t));
    return find_or_pack(&of, form, bytes, [&](void* memory) {
      auto* out = static_cast<uint32_t*>(memory);
      end_ = matrix_.lanes;
      most_.resize(static_cast<size_t>(all_panels() * kBf16Panel));
      for (int64_t k0 = 0; k0 < k_; k0 += block_) {
        depth_ = std::min(block_, k_ - k0);
        pack_all(k0, out + all_panels() * bf16_panel_words(k0, terms_));
      }
      const MagnitudeRange range = range_of_lanes();
      std::ranges::copy(std::array{range.most, range.least, range.lane}, out + all_words());
    });
  }

  void pack_all(int64_t k0, uint32_t* out) {
    const int64_t grain = std::max<int64_t>(1, (1 << 13) / (kBf16Panel * depth_));
    parallel_for(panels(), grain, [&](int64_t begin, int64_t stop) {
      MagnitudeRange range;
      const int64_t together = matrix_.lane_stride == 1 ? kBf16Step : depth_;
      for (int64_t k = 0; k < depth_; k += together) {
        uint32_t* at = out + bf16_panel_words(k, terms_);
        for (int64_t i = begin; i < stop; ++i)
          pack_panel(i, k0 + k, std::min(together, depth_ - k), at + i * panel_words(), &range.least);
      }
      for (int64_t i = lane(begin); i < std::min(lane(stop), end_); ++i)
        range.most = std::max(range.most, most_[static_cast<size_t>(i)]);
      const std::lock_guard lock(mutex_);
      merge_range(range, &range_);
    });
  }

  void pack_panel(int64_t i, int64_t k, int64_t depth, uint32_t* out, uint32_t* least) {
    for (int64_t tile = 0; tile * kBf16Tile < lanes(i); ++tile) {
      Bf16x3Lanes<Bits> from{{}, matrix_.k_stride};
      for (int64_t j = 0; j < std::min(kBf16Tile, lanes(i) - tile * kBf16Tile); ++j) {
        const T* first = matrix_.lane(lane(i) + tile * kBf16Tile + j);
        from.lanes[j] = reinterpret_cast<const Bits*>(first + k * matrix_.k_stride);
      }
      kernels().pack_terms(from, depth, terms_, lanes_first_, out + tile * kBf16TileWords,
                           &most_[static_cast<size_t>(lane(i) + tile * kBf16Tile)], least);
    }
  }

  const Bf16x3Matrix<T>& matrix_;
  const int64_t k_, block_;
  const int terms_;
  const bool lanes_first_;
  int64_t first_ = 0, end_ = 0, depth_ = 0;
  gc::LocalMutex mutex_;
  MagnitudeRange range_;
  std::vector<uint32_t> most_;  // the largest magnitude of each lane, so far
  const gc::Ref<gc::Storage> cached_;
  Scratch<uint32_t> memory_;
  const uint32_t* panels_ = nullptr;
};

// Where a product accumulates: in C itself, or in a float32 staging buffer to be rounded.
template <class T>
class Sums {
 public:
  static constexpr bool kStaged = !std::is_same_v<T, float>;

  explicit Sums(const Bf16x3Product<T>& p) : p_(p) {}

  // Allocates the buffer at first: not thread-safe.
  float* data() {
    if constexpr (kStaged) {
      if (!made_) staging_ = Scratch<float>(p_.a.lanes * p_.b.lanes);
      made_ = true;
      return staging_;
    } else {
      return p_.c;
    }
  }
  // From sums of rows of stride `row`, of elements from row m and column n on.
  void round(const float* from, int64_t row, int64_t m, int64_t n, int64_t rows, int64_t columns) const {
    if constexpr (kStaged) {
      uint16_t* to = reinterpret_cast<uint16_t*>(p_.c + m * p_.b.lanes + n);
      for (int64_t i = 0; i < rows; ++i) kernels().round_to_bf16(from + i * row, columns, to + i * p_.b.lanes);
    }
  }
  void finish(int64_t m, int64_t n, int64_t rows, int64_t columns) const {
    if (p_.epilogue) p_.epilogue->run({p_.first + m * p_.b.lanes + n, rows, columns, p_.b.lanes});
  }
  void finish_all() {
    const int64_t n = p_.b.lanes;
    const float* sums = data();
    parallel_for_throwing(p_.a.lanes, std::max<int64_t>(1, (1 << 15) / n), [&](int64_t begin, int64_t end) {
      round(sums + begin * n, n, begin, 0, end - begin, n);
      finish(begin, 0, end - begin, n);
    });
  }

 private:
  const Bf16x3Product<T>& p_;
  bool made_ = false;
  Scratch<float> staging_;
};

template <class T>
class Bf16x3Gemm {
 public:
  Bf16x3Gemm(const Bf16x3Product<T>& product, Sums<T>* sums)
      : product_(product),
        sums_(sums),
        block_(block_of(product)),
        a_(product.a, product.k, block_, product.terms, true, nullptr),
        b_(product.b, product.k, block_, product.terms, false,
           product.a.lanes <= kRowsOverCached ? product.cacheable : nullptr) {}

  // False if magnitudes are out of range; C is then unfinished. Regions of C are finished as soon as they are final
  // where all magnitudes are known by then.
  bool run() {
    const int64_t m = product_.a.lanes, n = product_.b.lanes, k = product_.k;
    const bool one_block = m <= kLanesAtOnce && n <= kLanesAtOnce;
    for (int64_t n0 = 0; n0 < n; n0 += kLanesAtOnce) {
      for (int64_t k0 = 0; k0 < k; k0 += block_) {
        const int64_t k1 = std::min(k0 + block_, k);
        b_.pack(n0, std::min(n0 + kLanesAtOnce, n), k0, k1);
        for (int64_t m0 = 0; m0 < m; m0 += kLanesAtOnce) {
          a_.pack(m0, std::min(m0 + kLanesAtOnce, m), k0, k1);
          if (!terms_fit(a_.range()) || !terms_fit(b_.range())) return false;
          const bool last = one_block && k1 == k;
          if (last && !fits()) return false;
          multiply(k0 > 0, last);
        }
      }
    }
    if (one_block) return true;
    if (!fits()) return false;
    sums_->finish_all();
    return true;
  }

 private:
  // k in a block, so that a task's panels of rows and one of columns stay in L2.
  static int64_t block_of(const Bf16x3Product<T>& p) {
    const int64_t few = p.terms == 1 || p.a.lanes <= kTaskPanels / 2 * kBf16Panel ? 2 : 1;
    return kBf16Depth * few;
  }

  // Sums of a single block of k are rounded panel by panel.
  void multiply(bool accumulate, bool finish) {
    float* const sums = Sums<T>::kStaged && finish && !accumulate ? nullptr : sums_->data();
    const Rectangles tasks(a_.panels(), b_.panels(), kTaskPanels);
    const int64_t work = tasks.largest() * kBf16Panel * kBf16Panel * a_.steps() * kBf16Step;
    parallel_for_throwing(tasks.count(), ceil_div(kParallelWork, work), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const Range rows = tasks.rows(t), columns = tasks.columns(t);
        multiply(rows, columns, sums, accumulate);
        if (!finish) continue;
        const int64_t m = a_.lane(rows.begin), n = b_.lane(columns.begin), ldc = product_.b.lanes;
        const int64_t tall = std::min(a_.lane(rows.end), product_.a.lanes) - m;
        const int64_t wide = std::min(b_.lane(columns.end), ldc) - n;
        if (sums) sums_->round(sums + m * ldc + n, ldc, m, n, tall, wide);
        sums_->finish(m, n, tall, wide);
      }
    });
  }

  bool fits() const { return products_fit(a_.range_of_lanes(), b_.range_of_lanes(), product_.k); }

  using Range = Rectangles::Range;
  void multiply(Range rows, Range columns, float* sums, bool accumulate) const {
    const Bf16x3Runner runner(product_.terms);
    alignas(64) float panel[kBf16Panel * kBf16Panel];
    const int64_t ldc = sums ? product_.b.lanes : kBf16Panel;
    for (int64_t j = columns.begin; j < columns.end; ++j) {
      for (int64_t i = rows.begin; i < rows.end; ++i) {
        const int64_t m = a_.lane(i), n = b_.lane(j), tall = a_.lanes(i), wide = b_.lanes(j);
        float* c = sums ? sums + m * ldc + n : panel;
        runner.multiply(a_.steps(), a_.panel(i), b_.panel(j), c, ldc, tall, wide, accumulate);
        if (!sums) sums_->round(panel, kBf16Panel, m, n, tall, wide);
      }
    }
  }

  const Bf16x3Product<T>& product_;
  Sums<T>* const sums_;
  const int64_t block_;
  Packed<T> a_, b_;
};

// The lanes as float32, one after the other.
template <class T>
std::unique_ptr<float[]> copied(const Bf16x3Matrix<T>& matrix, int64_t k) {
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
void run(const Bf16x3Product<T>& p) {
  Sums<T> sums(p);
  if (Bf16x3Gemm<T>(p, &sums).run()) return;
  const std::unique_ptr<float[]> a = copied(p.a, p.k), b = copied(p.b, p.k);
  run_gemm({p.a.lanes, p.b.lanes, p.k, a.get(), p.k, 1, b.get(), 1, p.k, sums.data(), p.b.lanes});
  sums.finish_all();
}

// Whether a product of these sizes is faster in so many terms.
bool gains(int terms, int64_t m, int64_t n, int64_t k, double elements) {
  if (terms == 1) return std::min({m, n, k}) >= kLeastBf16;
  const double products = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return std::min(m, n) >= kLeastBf16x3 && k >= kLeastBf16x3K && products >= kLeastBf16x3Reuse * elements;
}

}  // namespace

MatmulPrecision matmul_precision() { return precision.load(std::memory_order_relaxed); }
void set_matmul_precision(MatmulPrecision wanted) { precision.store(wanted, std::memory_order_relaxed); }

bool parse_matmul_precision(std::string_view text, MatmulPrecision* out) {
  const auto it = std::find(kMatmulPrecisions.begin(), kMatmulPrecisions.end(), text);
  if (it == kMatmulPrecisions.end()) return false;
  *out = static_cast<MatmulPrecision>(it - kMatmulPrecisions.begin());
  return true;
}

int bf16_terms(DType dtype, int64_t m, int64_t n, int64_t k) {
  return bf16_terms(dtype, m, n, k, (static_cast<double>(m) + static_cast<double>(n)) * static_cast<double>(k));
}

int bf16_terms(DType dtype, int64_t m, int64_t n, int64_t k, double elements) {
  const MatmulPrecision wanted = matmul_precision();
  if (!is_float(dtype) || dtype == DType::Float64 || wanted == MatmulPrecision::Ieee) return 0;
  if (wanted == MatmulPrecision::Float32 && !emitted_kernels().bf16x3.load(std::memory_order_acquire)) return 0;
  const int terms = wanted == MatmulPrecision::BFloat16 || dtype == DType::BFloat16 ? 1 : kMaxTerms;
  return gains(terms, m, n, k, elements) ? terms : 0;
}

void run_bf16x3(const Bf16x3Product<float>& product) { run(product); }
void run_bf16x3(const Bf16x3Product<BFloat16>& product) { run(product); }

}  // namespace ember::ops
