// Matrix products of which each operand is the sum of bfloat16 terms, as AMX multiplies them (numerics.md). A float32
// x = h + m + l, exactly; per 32 consecutive k the products of terms mm, hm, hl, hh, mh, lh, in this order, are added
// to one float32 sum that starts at +0. A product of terms is TDPBF16PS's: the 16 products of even k are one fma chain
// that starts at +0, those of odd k another, their sum is added to C; subnormal numbers count as zeros throughout. A
// bfloat16 is one part, so hh is all. Beyond the matrices' ends there are zeros.
//
// This layer splits, packs and blocks; the kernel in the middle is a table entry: vector code that gives the same bits
// as AMX, slower, until tiers installs one made of tile instructions. That one is installed is also what lets float32
// products be split by default: without it six products are no gain, and the chain of gemm.h is the definition.
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

// How float16, float32 and bfloat16 matrices are multiplied, and images convolved. Small products, and batch items with
// numbers that terms cannot hold, are the chain of gemm.h whatever this says.
//   Ieee      the chain
//   Float32   where the machine has AMX in terms, float32 in three of them; else the chain
//   BFloat16  each operand rounded to one part, on every machine
enum class MatmulPrecision { Ieee, Float32, BFloat16 };
MatmulPrecision matmul_precision();
void set_matmul_precision(MatmulPrecision precision);
inline constexpr std::array<std::string_view, 3> kMatmulPrecisions = {"ieee", "float32", "bfloat16"};
bool parse_matmul_precision(std::string_view text, MatmulPrecision* out);

// Of how many terms the operands of a product of these sizes are made; 0: of none, it is the chain. float16 counts as
// the float32 that it widens to. Larger sizes never turn terms into the chain.
int bf16_terms(DType dtype, int64_t m, int64_t n, int64_t k);
// The same where the operands' numbers take part more than once: together they have `elements`.
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

// C = A B, row-major and contiguous; then the epilogue, part by part, which sees C's first element as number `first`.
// Uses the pool.
template <class T>
struct Bf16x3Product {
  Bf16x3Matrix<T> a, b;
  int64_t k;
  int terms;
  T* c;
  const Epilogue* epilogue = nullptr;
  int64_t first = 0;
  const gc::Storage* cacheable = nullptr;  // B's, if packed copies of it may be cacheable (packed_cache.h)
};
void run_bf16x3(const Bf16x3Product<float>& product);
void run_bf16x3(const Bf16x3Product<BFloat16>& product);

}  // namespace ember::ops
