// bf16x3 GEMM: each float32 operand is the exact sum of three bfloat16 terms, x = h + m + l, and per 32 consecutive k
//   three terms   C += Am Bm, C += Ah Bm, C += Ah Bl, C += Ah Bh, C += Am Bh, C += Al Bh
//   one term      C += Ah Bh, of bfloat16 operands or of rounded ones
// in this order, one float32 sum from +0. x = 1 + 2^-9 + 2^-17 is h = 1, m = 2^-9, l = 2^-17. A product of terms is
// AMX's TDPBF16PS: two sequential FMAs from +0 over even and over odd k, whose sum is added to C; subnormal numbers
// count as zeros. Operands are padded with zeros.
//
// This layer splits, packs and blocks. The micro-kernel is a table entry: vector code with the bits of AMX, slower,
// until tiers installs one of tile instructions. Without that float32 products are sequential FMA (gemm.h) unless asked
// for.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "ops/simd/bf16x3_tile.h"
#include "ops/tensor/dtype.h"

namespace ember::gc {
class Storage;
}

namespace ember::ops {

class Epilogue;

// How float16, float32 and bfloat16 matrices are multiplied, and images convolved. Small products, and batch items
// whose magnitudes are out of range (terms_fit, products_fit), are sequential FMA (gemm.h) whatever this says.
//   Ieee      sequential FMA
//   Float32   with AMX bf16x3 (bfloat16 operands: one term), else sequential FMA
//   BFloat16  each operand rounded to one term, on every machine
enum class MatmulPrecision { Ieee, Float32, BFloat16 };
MatmulPrecision matmul_precision();
void set_matmul_precision(MatmulPrecision precision);
inline constexpr std::array<std::string_view, 3> kMatmulPrecisions = {"ieee", "float32", "bfloat16"};
bool parse_matmul_precision(std::string_view text, MatmulPrecision* out);

// Terms per operand of a product of these sizes; 0: sequential FMA. float16 counts as the float32 that it widens to.
// Monotonic: larger sizes never give 0 where smaller ones do not.
int bf16_terms(DType dtype, int64_t m, int64_t n, int64_t k);
// The same where operands have `elements` in all, each used more than once.
int bf16_terms(DType dtype, int64_t m, int64_t n, int64_t k, double elements);

// A matrix of float32 or bfloat16 as lanes of k elements: rows of A, columns of B. Strides are in elements; groups of
// `group` lanes start where `starts` says.
template <class T>
struct Bf16x3Matrix {
  const T* data;
  int64_t lanes, lane_stride, k_stride, group;
  std::span<const int64_t> starts;

  const T* lane(int64_t i) const { return data + starts[static_cast<size_t>(i / group)] + i % group * lane_stride; }
};

// C = A B, row-major and contiguous; then the epilogue, region by region, which numbers C's elements from
// `first`.
// Uses the pool.
template <class T>
struct Bf16x3Product {
  Bf16x3Matrix<T> a, b;
  int64_t k;
  int terms;
  T* c;
  const Epilogue* epilogue = nullptr;
  int64_t first = 0;
  const gc::Storage* cacheable = nullptr;  // B's, if packed copies may be cached (packed_cache.h)
};
void run_bf16x3(const Bf16x3Product<float>& product);
void run_bf16x3(const Bf16x3Product<BFloat16>& product);

}  // namespace ember::ops
