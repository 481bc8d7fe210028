// Declares what kernels.inc defines for each instruction set, and chooses among them.
#pragma once

#include <type_traits>

#include "ops/base/isa.h"
#include "ops/simd/bf16x3_tile.h"
#include "ops/simd/reduction.h"
#include "ops/simd/tile.h"

namespace ember::ops {

// As wide as T.
template <class T>
using IndexOf = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

// Elementwise steps over contiguous rows of n elements. All operands but the columns' weight and bias have one number
// for each row. `ahead`: distance in bytes of a software prefetch.
template <class T>
struct RowKernels {
  T (*max)(const T* x, int64_t n);  // of one row; where it holds NaN, any number
  // y = exp(x - max) of one row of n <= 1,024, and its sum.
  T (*exp)(const T* x, T max, T* y, int64_t n, uintptr_t ahead);
  void (*short_exp)(const T* x, const T* max, T* y, int64_t rows, int64_t n);  // y = exp(x - max)
  void (*log)(T* x, int64_t count);                                            // in place
  void (*scale)(T* y, const T* factor, int64_t rows, int64_t n);               // y = y * factor
  // y = (x - first) - second
  void (*shift)(const T* x, const T* first, const T* second, T* y, int64_t rows, int64_t n);
  void (*squares)(const T* x, const T* mean, T* y, int64_t rows, int64_t n);  // y = (x - mean)^2
  // Of one row of n <= 1,024, the sum of (x - mean)^2.
  T (*square_sum)(const T* x, T mean, int64_t n, uintptr_t ahead);
  void (*normalize)(const T* x, const T* mean, const T* rstd, const T* weight, const T* bias, T* y, int64_t rows,
                    int64_t n);
  // The same with a weight and a bias for each row.
  void (*normalize_rows)(const T* x, const T* mean, const T* rstd, const T* weight, const T* bias, T* y, int64_t rows,
                         int64_t n);
  // h = (x - mean) * rstd and product = ct * h
  void (*slopes)(const T* x, const T* mean, const T* rstd, const T* ct, T* h, T* product, int64_t rows, int64_t n);
  // dx = scale * ((ct - total) - h * slope)
  void (*unnormalize)(const T* ct, const T* h, const T* total, const T* slope, const T* scale, T* dx, int64_t rows,
                      int64_t n);
  void (*multiply_add)(const T* x, T factor, T* y, int64_t n);  // y = fma(factor, x, y)
  // best = x, at = tap where at < 0, or x is greater than best, or the first NaN. x has stride `step`.
  void (*maximum)(const T* x, int64_t step, IndexOf<T> tap, T* best, IndexOf<T>* at, int64_t n);
};

// Steps over rows of n elements with numbers for each column. Those that sum have row stride `row`, and add row i to
// row i % 16 of lanes (reduce.h), 16 rows of n.
template <class T>
struct ColumnKernels {
  // (x - mean)^2
  void (*square_sums)(const T* x, int64_t row, int64_t rows, int64_t n, const T* mean, T* lanes);
  // ct * ((x - mean) * rstd), and ct
  void (*slope_sums)(const T* ct, const T* x, int64_t row, int64_t rows, int64_t n, const T* mean, const T* rstd,
                     T* slopes, T* totals);
  // y = fma((x - mean) * rstd, weight, bias)
  void (*normalize)(const T* x, int64_t rows, int64_t n, const T* mean, const T* rstd, const T* weight, const T* bias,
                    T* y);
  // dx = scale * ((ct - total) - ((x - mean) * rstd) * slope)
  void (*unnormalize)(const T* ct, const T* x, int64_t rows, int64_t n, const T* mean, const T* rstd, const T* total,
                      const T* slope, const T* scale, T* dx);
};

// Steps over a panel: rows of `columns` = nr elements, the transpose of some rows of a matrix.
template <class T>
struct PanelKernels {
  int columns;
  void (*divide)(T* x, T divisor, int64_t count);                     // of all elements
  void (*replace)(T* x, const T* where, T value, int64_t count);      // x = where ? value : x
  void (*multiply)(const T* a, const T* b, T* y, int64_t count);      // y = a * b
  void (*max)(const T* x, int64_t rows, T* out);                      // of each column; where one holds NaN, any number
  void (*sum)(const T* x, int64_t rows, T* out);                      // of each column, as a chunk of reduce.h
  void (*exp)(const T* x, const T* max, T* y, int64_t rows, T* sum);  // y = exp(x - max[c]), and its sum, of a chunk
  void (*subtract)(T* x, const T* column, int64_t rows);              // x = x - column[c]
  void (*scale)(T* x, const T* column, int64_t rows);                 // x = x * column[c]
};

// The lanes of a tile (bf16x3_gemm.h) of float32 or the bits of bfloat16; those that are null are zeros.
template <class T>
struct Bf16x3Lanes {
  const T* lanes[kBf16Tile];
  int64_t k_stride;
};
// The bits of the largest magnitude, and of the smallest nonzero one less 1.
struct MagnitudeRange {
  uint32_t most = 0, least = INT32_MAX;
};

// One output channel of a convolution, several rows of outputs at once: a Tile of one row for each l < lines,
//   C[l * c_line + j] = sum over items i, steps s of A[i.a + s * a_step] * B[i.b + s * b_step + l * b_line + j]
// for any number of columns j.
template <class T>
struct ConvolutionRows {
  int64_t batch, depth;
  const TileItem* items;
  const T* a;
  int64_t a_step;
  const T* b;
  int64_t b_line, b_step;
  T* c;
  int64_t c_line;
  int64_t lines, columns;
};

// A contiguous copy: to[to + i] = from[from + i * stride] for i in [0, count).
struct CopyRun {
  int64_t from, to, count;
};

inline constexpr int kTransposedColumns = 8;  // of B at most, for which gemm_direct transposes A

// Strides in elements.
//   depthwise_tile       an elementwise Tile: A has a vector of nr lanes where a product has one element
//   convolve_rows        may read less than two vectors past B's last column
//   gemm_pack            a panel [depth][width], lanes past `lanes` zero; gemm_pack_rows: several, of contiguous lanes
//   transpose            to[c][r] = from[r][c]
//   gemm_direct          C = A B without packing, with contiguous rows of B
//   pack_bf16_terms      one of the two tiles of a panel of A (lanes_first) or B, split into terms
//   split_bf16_terms     [term][element]; each array has room for a vector more
//   gather_bf16_terms    one or two tiles of a panel of B from such arrays, row k from offsets[k]
#define EMBER_DECLARE_KERNELS(set)                                                                                   \
  namespace set {                                                                                                    \
  extern const GemmKernel gemm_kernel;                                                                               \
  extern const TileKernel<double> gemm_kernel_double;                                                                \
  void depthwise_tile(const Tile<float>& tile);                                                                      \
  void depthwise_tile(const Tile<double>& tile);                                                                     \
  void convolve_rows(const ConvolutionRows<float>& lines);                                                           \
  void convolve_rows(const ConvolutionRows<double>& lines);                                                          \
  void copy_runs(const CopyRun* all, int64_t count, int64_t stride, const float* from, float* to);                   \
  void copy_runs(const CopyRun* all, int64_t count, int64_t stride, const double* from, double* to);                 \
  void gemm_pack_rows(int64_t depth, int64_t columns, const float* from, int64_t row, float* out);                   \
  void gemm_pack(int64_t depth, int64_t lanes, int64_t width, const float* from, int64_t step, int64_t lane_stride,  \
                 float* out);                                                                                        \
  void gemm_pack(int64_t depth, int64_t lanes, int64_t width, const double* from, int64_t step, int64_t lane_stride, \
                 double* out);                                                                                       \
  void transpose(int64_t rows, int64_t columns, const float* from, int64_t from_row, float* to, int64_t to_row);     \
  void transpose(int64_t rows, int64_t columns, const double* from, int64_t from_row, double* to, int64_t to_row);   \
  void gemm_direct(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_row, int64_t a_col, const float* b,    \
                   int64_t b_row, float* c, int64_t ldc);                                                            \
  void gemm_direct(int64_t m, int64_t n, int64_t k, const double* a, int64_t a_row, int64_t a_col, const double* b,  \
                   int64_t b_row, double* c, int64_t ldc);                                                           \
  extern const Bf16x3Kernel bf16x3_kernel;                                                                           \
  void pack_bf16_terms(const Bf16x3Lanes<float>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out,    \
                       MagnitudeRange* extent);                                                                      \
  void pack_bf16_terms(const Bf16x3Lanes<uint16_t>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out, \
                       MagnitudeRange* extent);                                                                      \
  void magnitude_range(const float* x, int64_t count, MagnitudeRange* extent);                                       \
  void split_bf16_terms(const float* x, int64_t count, int terms, uint16_t* out, int64_t term_stride);               \
  void gather_bf16_terms(const uint16_t* from, int64_t tiles, int64_t term_stride, const int64_t* offsets,           \
                         int64_t depth, int terms, uint32_t* out);                                                   \
  void round_to_bf16(const float* from, int64_t count, uint16_t* to);                                                \
  extern const RowKernels<float> row_kernels_float;                                                                  \
  extern const RowKernels<double> row_kernels_double;                                                                \
  extern const ColumnKernels<float> column_kernels_float;                                                            \
  extern const ColumnKernels<double> column_kernels_double;                                                          \
  extern const PanelKernels<float> panel_kernels_float;                                                              \
  extern const PanelKernels<double> panel_kernels_double;                                                            \
  const ReduceKernels* reduce_kernels(ReduceKind kind, DType compute);                                               \
  void random_words(int64_t key, int64_t first, int64_t n, uint32_t* high, uint32_t* low);                           \
  }
EMBER_DECLARE_KERNELS(portable)
EMBER_DECLARE_KERNELS(avx2)
EMBER_DECLARE_KERNELS(avx512)
#undef EMBER_DECLARE_KERNELS

// The expression for the current instruction set, its names looked up in that set's namespace.
#define EMBER_KERNEL(expression)                                         \
  (::ember::ops::isa() == ::ember::ops::Isa::Avx512 ? avx512::expression \
   : ::ember::ops::isa() == ::ember::ops::Isa::Avx2 ? avx2::expression   \
                                                    : portable::expression)

// The one for elements of T.
template <class T, class Float, class Double>
const auto& by_type(const Float& of_float, const Double& of_double) {
  if constexpr (std::is_same_v<T, float>) {
    return of_float;
  } else {
    return of_double;
  }
}

template <class T>
const TileKernel<T>& tile_kernel() {
  return by_type<T>(gemm_kernel(), EMBER_KERNEL(gemm_kernel_double));
}

}  // namespace ember::ops
