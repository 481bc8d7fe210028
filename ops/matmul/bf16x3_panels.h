// Packed panels of bf16x3 products (bf16x3_gemm.h): sizes, the range of magnitudes that they hold, and the
// micro-kernel's call on two of them.
#pragma once

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

constexpr int64_t kBf16Depth = 512;  // k in a block, so that a few panels of three terms stay in L2

constexpr int64_t bf16_steps(int64_t depth) { return ceil_div(depth, kBf16Step); }
constexpr int64_t bf16_step_words(int terms) { return terms * 2 * kBf16TileWords; }
constexpr int64_t bf16_panel_words(int64_t depth, int terms) { return bf16_steps(depth) * bf16_step_words(terms); }

// Whether terms represent all numbers of an operand exactly, or round them without overflow.
bool terms_fit(const MagnitudeRange& extent);
// Whether products of two operands, sums of k of them included, stay clear of subnormal numbers and infinity. A row and
// a column may be smaller than the others by far, so it is the smallest largest ones that count; zeros do not.
bool products_fit(const MagnitudeRange& a, const MagnitudeRange& b, int64_t k);

void merge_range(const MagnitudeRange& part, MagnitudeRange* all);
// Lanes of which these are the largest magnitudes.
void merge_lanes(const uint32_t* most, int64_t lanes, MagnitudeRange* all);

// Numbers split into arrays of terms, [term][element], each with `slack` elements more that may be read.
class Bf16Terms {
 public:
  Bf16Terms(int64_t count, int terms, int64_t slack)
      : terms_(terms), term_stride_(count + slack), bits_(terms * term_stride_) {}

  void fill(const float* x, int64_t count) const;
  const uint16_t* bits() const { return bits_; }
  int64_t term_stride() const { return term_stride_; }

 private:
  const int terms_;
  const int64_t term_stride_;
  const Scratch<uint16_t> bits_;
};

// At most kBf16Panel lanes as a panel of A (lanes_first) or B; lane and step are strides.
void pack_bf16_panel(const float* lanes, int64_t count, int64_t lane, int64_t step, int64_t depth, int terms,
                     bool lanes_first, uint32_t* out);

// The kernel, prepared for runs in this thread for as long as this lives.
class Bf16x3Runner {
 public:
  explicit Bf16x3Runner(int terms, int64_t height = kBf16Tile)
      : kernel_(bf16x3_kernel()), terms_(terms), height_(height) {
    kernel_.begin(height);
  }
  ~Bf16x3Runner() { kernel_.end(); }
  Bf16x3Runner(const Bf16x3Runner&) = delete;
  Bf16x3Runner& operator=(const Bf16x3Runner&) = delete;

  // C[rows, columns] of two panels; of C no more is touched.
  void multiply(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t rows,
                int64_t columns, bool accumulate) const;
  // Whole tiles.
  void multiply(const Bf16x3Rows& rows) const { kernel_.run_rows(terms_)(rows, height_); }

 private:
  const Bf16x3Kernel& kernel_;
  const int terms_;
  const int64_t height_;
};

}  // namespace ember::ops
