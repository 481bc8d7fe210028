// A thread takes columns, reads each byte of them once, and keeps their partial sums in L1. A weight that is transposed
// is laid out first as rows of bytes, a block that stays in L1 as well.
#include "ops/matmul/quantised_weight.h"

#include <algorithm>
#include <cmath>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kUnit = 64;       // columns; even, as a byte may hold two
constexpr int64_t kColumns = 1024;  // at once, at least; more of fewer rows, so that memory is read on and on
constexpr int64_t kPartials = 4096;
constexpr int64_t kBlockColumns = 256;  // the same where they are laid out first
constexpr int64_t kBlockDepth = 64;
constexpr int64_t kParallelWork = 1 << 16;

class Columns {
 public:
  Columns(int64_t m, const float* x, const QuantisedWeight<float>& weight, float* out)
      : m_(m),
        x_(x),
        w_(weight),
        out_(out),
        in_place_(!w_.transposed),
        width_(in_place_ ? wide(m) : kBlockColumns),
        depth_(in_place_ ? w_.group : std::min(w_.group, kBlockDepth)),
        partial_(m * width_),
        rows_(in_place_ ? 0 : width_ * depth_),
        columns_(!in_place_ && w_.bits == 4 ? width_ * depth_ : 0) {}

  static int64_t wide(int64_t m) { return std::max(kColumns, kPartials / m / kUnit * kUnit); }

  void run(int64_t begin, int64_t end) const {
    for (int64_t n = begin; n < end; n += width_) multiply(n, std::min(width_, end - n));
  }

 private:
  void multiply(int64_t n, int64_t columns) const {
    for (int64_t i = 0; i < m_; ++i) std::fill_n(out_ + i * w_.n + n, columns, 0.0f);
    for (int64_t group = 0; group * w_.group < w_.k; ++group) {
      const int64_t of_group = group * w_.n + n, end = (group + 1) * w_.group;
      std::fill_n(static_cast<float*>(partial_), m_ * width_, 0.0f);
      for (int64_t s = group * w_.group; s < end; s += depth_) {
        const int64_t depth = std::min(depth_, end - s);
        const int8_t* rows = in_place_ ? w_.data + (s * w_.n + n) * w_.bits / 8 : rows_;
        if (!in_place_) lay_out(n, columns, s, depth);
        for (int64_t i = 0; i < m_; i += kWeightRows) {
          kernels().weights->multiply(in_place_ ? w_.bits : 8, std::min(kWeightRows, m_ - i), depth, columns,
                                      x_ + i * w_.k + s, w_.k, rows, in_place_ ? w_.n * w_.bits / 8 : width_,
                                      w_.offset ? w_.offset + of_group : nullptr, partial_ + i * width_, width_);
        }
      }
      for (int64_t i = 0; i < m_; ++i)
        kernels().weights->add_scaled(columns, partial_ + i * width_, w_.scale + of_group, out_ + i * w_.n + n);
    }
  }

  // Rows of bytes.
  void lay_out(int64_t n, int64_t columns, int64_t s, int64_t depth) const {
    const WeightKernels& kernel = *kernels().weights;
    if (w_.bits == 8) return kernel.transpose(columns, depth, w_.data + n * w_.k + s, w_.k, rows_, width_);
    for (int64_t j = 0; j < columns; ++j)
      kernel.unpack(depth / 2, w_.data + ((n + j) * w_.k + s) / 2, columns_ + j * depth_);
    kernel.transpose(columns, depth, columns_, depth_, rows_, width_);
  }

  const int64_t m_;
  const float* const x_;
  const QuantisedWeight<float>& w_;
  float* const out_;
  const bool in_place_;
  const int64_t width_, depth_;
  const Scratch<float> partial_;
  const Scratch<int8_t> rows_, columns_;
};

// A number of row s and column j.
template <class T>
T quantised_at(const QuantisedWeight<T>& w, int64_t s, int64_t j) {
  const int64_t at = w.transposed ? j * w.k + s : s * w.n + j;
  if (w.bits == 8) return w.data[at];
  int8_t pair[2];
  kernels().weights->unpack(1, w.data + at / 2, pair);
  return pair[at % 2];
}

}  // namespace

void multiply_quantised(int64_t m, const float* x, const QuantisedWeight<float>& weight, float* out) {
  const int64_t units = ceil_div(weight.n, kUnit);
  const int64_t work = std::max<int64_t>(1, kUnit * weight.k * m);
  const int64_t whole = std::min(units / threads(), Columns::wide(m) / kUnit);
  const int64_t grain = std::max({int64_t{1}, kParallelWork / work, whole});
  parallel_for_throwing(units, grain, [&](int64_t begin, int64_t end) {
    Columns(m, x, weight, out).run(begin * kUnit, std::min(end * kUnit, weight.n));
  });
}

void multiply_quantised(int64_t m, const double* x, const QuantisedWeight<double>& w, double* out) {
  parallel_for(m * w.n, ceil_div(kParallelWork, std::max<int64_t>(1, w.k)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t j = i % w.n;
      const double* row = x + i / w.n * w.k;
      double total = 0;
      for (int64_t group = 0; group * w.group < w.k; ++group) {
        const int64_t at = group * w.n + j;
        double partial = 0;
        for (int64_t s = group * w.group; s < (group + 1) * w.group; ++s)
          partial = std::fma(row[s], quantised_at(w, s, j) + (w.offset ? w.offset[at] : 0), partial);
        total = std::fma(partial, w.scale[at], total);
      }
      out[i] = total;
    }
  });
}

template <class T>
void dequantise(const QuantisedWeight<T>& w, T* out) {
  parallel_for(w.k, ceil_div(kParallelWork, std::max<int64_t>(1, w.n)), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      for (int64_t j = 0; j < w.n; ++j) {
        const int64_t at = s / w.group * w.n + j;
        const T q = quantised_at(w, s, j);
        out[s * w.n + j] = (w.offset ? q + w.offset[at] : q) * w.scale[at];
      }
    }
  });
}
template void dequantise(const QuantisedWeight<float>& weight, float* out);
template void dequantise(const QuantisedWeight<double>& weight, double* out);

}  // namespace ember::ops
