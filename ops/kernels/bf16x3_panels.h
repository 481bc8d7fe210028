// Packed panels (bf16x3_gemm.h) as those who pack and multiply them see them: their size, whether their numbers may be
// terms, and a product of two of them.
#pragma once

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

constexpr int64_t kBf16Depth = 512;  // k in a block, so that a few panels of three terms stay in L2

constexpr int64_t bf16_steps(int64_t depth) { return ceil_div(depth, kBf16Step); }
constexpr int64_t bf16_step_words(int terms) { return terms * 2 * kBf16TileWords; }
constexpr int64_t bf16_panel_words(int64_t depth, int terms) { return bf16_steps(depth) * bf16_step_words(terms); }

// Whether terms hold all numbers of an operand exactly, or round them without overflow.
bool terms_fit(const MagnitudeRange& extent);
// Whether sums of products of numbers of two operands stay clear of subnormal ones.
bool products_fit(const MagnitudeRange& a, const MagnitudeRange& b);

void merge_range(const MagnitudeRange& part, MagnitudeRange* all);

// Numbers as planes of their terms, with so many elements behind them that may be read.
class Bf16Terms {
 public:
  Bf16Terms(int64_t count, int terms, int64_t slack) : terms_(terms), plane_(count + slack), bits_(terms * plane_) {}

  void fill(const float* x, int64_t count) const;
  const uint16_t* bits() const { return bits_; }
  int64_t plane() const { return plane_; }  // elements from part to part

 private:
  const int terms_;
  const int64_t plane_;
  const Scratch<uint16_t> bits_;
};

// Lanes, and steps of k, that are so far apart as a panel of B, or of A. At most kBf16Panel.
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
