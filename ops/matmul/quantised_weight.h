// Products of a few rows with a weight of int8, or of two signed four-bit numbers to a byte, in groups of consecutive
// k. Each group of a column has a scale, and may have an offset: the weight is (q + offset) * scale.
#pragma once

#include <cstdint>

namespace ember::ops {

// The weight is (k, n), or (n, k) where transposed, its last axis half as long where `bits` is 4: the number in the low
// half of a byte comes first. scale and offset, which may be null, are (k / group, n). All are contiguous.
template <class T>
struct QuantisedWeight {
  const int8_t* data;
  const T *scale, *offset;
  int64_t n, k, group;
  bool transposed;
  int bits;
};

// out[m, n] = x[m, k] @ weight, both contiguous; uses the pool. For each element, and group after group of k ascending,
// partial is a chain fma(x, q + offset, partial) over k ascending from +0, and the result a chain
// fma(partial, scale, result) from +0.
void multiply_quantised(int64_t m, const float* x, const QuantisedWeight<float>& weight, float* out);
// The same in float64, slowly.
void multiply_quantised(int64_t m, const double* x, const QuantisedWeight<double>& weight, double* out);

// out[k, n] = (q + offset) * scale
template <class T>
void dequantise(const QuantisedWeight<T>& weight, T* out);

}  // namespace ember::ops
