// Kernels of products with quantised weights: bytes become float32 in registers. Strides in elements.
#pragma once

#include <cstdint>

namespace ember::ops {

inline constexpr int64_t kWeightRows = 4;  // of x at once, at most

struct WeightKernels {
  // partial[i][j] = fma(x[i][s], w[s][j] + offset[j], partial[i][j]) for s ascending; without offset where it is null.
  // w has bytes, or two signed numbers in each, the one in its low half first; its rows have a stride in bytes.
  void (*multiply)(int bits, int64_t rows, int64_t depth, int64_t columns, const float* x, int64_t x_row,
                   const int8_t* w, int64_t w_row, const float* offset, float* partial, int64_t partial_row);
  // total[j] = fma(partial[j], scale[j], total[j])
  void (*add_scaled)(int64_t columns, const float* partial, const float* scale, float* total);
  // The two numbers in each byte.
  void (*unpack)(int64_t bytes, const int8_t* from, int8_t* to);
  // to[c][r] = from[r][c]
  void (*transpose)(int64_t rows, int64_t columns, const int8_t* from, int64_t from_row, int8_t* to, int64_t to_row);
};

}  // namespace ember::ops
