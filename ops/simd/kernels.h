// The table of kernels that each instruction set has, and the choice of one. Another instruction set is a line of
// EMBER_ISAS (base/isa.h), a kernels_*.cpp and a strips_*.cpp with its flags (ops.cmake), and its vectors in simd.inc.
#pragma once

#include <type_traits>

#include "ops/base/isa.h"
#include "ops/simd/emitted.h"
#include "ops/simd/int8.h"
#include "ops/simd/reduction.h"
#include "ops/simd/weights.h"

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
// row i % 16 of lanes (simd/reduction.h), 16 rows of n.
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
  void (*sum)(const T* x, int64_t rows, T* out);                      // of each column, as a chunk of simd/reduction.h
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
// Magnitudes of lanes, rows of A or columns of B, as bits: the largest, the smallest nonzero one less 1, and the
// smallest nonzero one of those that are the largest of a lane.
struct MagnitudeRange {
  uint32_t most = 0, least = INT32_MAX, lane = INT32_MAX;
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

template <class T>
struct FftKernels;  // simd/fft.h

// A contiguous copy: to[to + i] = from[from + i * stride] for i in [0, count).
struct CopyRun {
  int64_t from, to, count;
};

inline constexpr int kTransposedColumns = 8;  // of B at most, for which gemm_direct transposes A

// Kernels by elements of T. Strides in elements.
template <class T>
struct FloatKernels {
  TileKernel<T> tile;
  // An elementwise Tile: A has a vector of nr lanes where a product has one element.
  void (*depthwise_tile)(const Tile<T>& tile);
  void (*convolve_rows)(const ConvolutionRows<T>& rows);  // may read less than two vectors past B's last column
  void (*copy_runs)(const CopyRun* all, int64_t count, int64_t stride, const T* from, T* to);
  // A panel [depth][width], lanes past `lanes` zero.
  void (*gemm_pack)(int64_t depth, int64_t lanes, int64_t width, const T* from, int64_t step, int64_t lane_stride,
                    T* out);
  // C = A B without packing, with contiguous rows of B.
  void (*gemm_direct)(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_col, const T* b,
                      int64_t b_row, T* c, int64_t ldc);
  // to[c][r] = from[r][c]
  void (*transpose)(int64_t rows, int64_t columns, const T* from, int64_t from_row, T* to, int64_t to_row);
  const RowKernels<T>* rows;
  const ColumnKernels<T>* columns;
  const PanelKernels<T>* panels;
  const FftKernels<T>* fft;
};

// All that is compiled once per instruction set but strips: kernels.inc fills one table for each.
struct Kernels {
  FloatKernels<float> of_float;
  FloatKernels<double> of_double;
  // Several panels as gemm_pack makes them, of contiguous lanes.
  void (*gemm_pack_rows)(int64_t depth, int64_t columns, const float* from, int64_t row, float* out);
  Bf16x3Kernel bf16x3;
  // One of the two tiles of a panel of A (lanes_first) or B, split into terms. Raises each lane's largest magnitude,
  // and lowers the smallest one less 1, both as bits.
  void (*pack_float_terms)(const Bf16x3Lanes<float>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out,
                           uint32_t* most, uint32_t* least);
  void (*pack_bf16_terms)(const Bf16x3Lanes<uint16_t>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out,
                          uint32_t* most, uint32_t* least);
  // The same of lanes of `k` elements, of which one of the two strides is 1.
  void (*lane_magnitudes)(const float* x, int64_t lanes, int64_t lane_stride, int64_t k, int64_t k_stride,
                          uint32_t* most, uint32_t* least);
  // [term][element]; each array has room for a vector more.
  void (*split_bf16_terms)(const float* x, int64_t count, int terms, uint16_t* out, int64_t term_stride);
  // One or two tiles of a panel of B from such arrays, row k from offsets[k]. Raises the largest magnitude of each
  // lane's first terms.
  void (*gather_bf16_terms)(const uint16_t* from, int64_t tiles, int64_t term_stride, const int64_t* offsets,
                            int64_t depth, int terms, uint32_t* out, uint32_t* most);
  void (*round_to_bf16)(const float* from, int64_t count, uint16_t* to);
  const ReduceKernels* (*reduce)(ReduceKind kind, DType compute);  // null: there is none
  void (*random_words)(int64_t key, int64_t first, int64_t n, uint32_t* high, uint32_t* low);
  const Int8Kernels* int8;
  const Int8FewRows* int8_few_rows;
  const WeightKernels* weights;

  template <class T>
  const FloatKernels<T>& of() const {
    if constexpr (std::is_same_v<T, float>) {
      return of_float;
    } else {
      return of_double;
    }
  }
  void pack_terms(const Bf16x3Lanes<float>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out,
                  uint32_t* most, uint32_t* least) const {
    pack_float_terms(from, depth, terms, lanes_first, out, most, least);
  }
  void pack_terms(const Bf16x3Lanes<uint16_t>& from, int64_t depth, int terms, bool lanes_first, uint32_t* out,
                  uint32_t* most, uint32_t* least) const {
    pack_bf16_terms(from, depth, terms, lanes_first, out, most, least);
  }
};

#define X(name, set)             \
  namespace set {                \
  extern const Kernels kKernels; \
  }
EMBER_ISAS(X)
#undef X

inline constexpr const Kernels* kKernelTables[] = {
#define X(name, set) &set::kKernels,
    EMBER_ISAS(X)
#undef X
};

// Those of the current instruction set.
inline const Kernels& kernels() { return *kKernelTables[static_cast<size_t>(isa())]; }

template <class T>
const TileKernel<T>& tile_kernel() {
  if constexpr (std::is_same_v<T, float>) {
    return gemm_kernel();
  } else {
    return kernels().of_double.tile;
  }
}

}  // namespace ember::ops
