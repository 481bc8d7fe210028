// Packed panels (split_gemm.h) as those who pack and multiply them see them: their size, whether their numbers may be
// parts, and a product of two of them.
#pragma once

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

constexpr int64_t kSplitDepth = 512;  // k in a block, so that a few panels of three parts stay in L2

constexpr int64_t split_steps(int64_t depth) { return ceil_div(depth, kSplitStep); }
constexpr int64_t split_step_words(int parts) { return parts * 2 * kSplitWords; }
constexpr int64_t split_panel_words(int64_t depth, int parts) { return split_steps(depth) * split_step_words(parts); }

// Whether parts hold all numbers of an operand exactly, or round them without overflow.
bool parts_fit(const SplitExtent& extent);
// Whether sums of products of numbers of two operands stay clear of subnormal ones.
bool products_fit(const SplitExtent& a, const SplitExtent& b);

void add_extent(const SplitExtent& part, SplitExtent* all);

// Numbers as planes of their parts, with so many elements behind them that may be read.
class SplitPlanes {
 public:
  SplitPlanes(int64_t count, int parts, int64_t slack) : parts_(parts), plane_(count + slack), bits_(parts * plane_) {}

  void fill(const float* x, int64_t count) const;
  const uint16_t* bits() const { return bits_; }
  int64_t plane() const { return plane_; }  // elements from part to part

 private:
  const int parts_;
  const int64_t plane_;
  const Scratch<uint16_t> bits_;
};

// Lanes, and steps of k, that are so far apart as a panel of B, or of A. At most kSplitPanel.
void split_pack_panel(const float* lanes, int64_t count, int64_t lane, int64_t step, int64_t depth, int parts,
                      bool lanes_first, uint32_t* out);

// The kernel, prepared for runs in this thread for as long as this lives.
class SplitRunner {
 public:
  explicit SplitRunner(int parts, int64_t height = kSplitTile)
      : kernel_(split_kernel()), parts_(parts), height_(height) {
    kernel_.begin(height);
  }
  ~SplitRunner() { kernel_.end(); }
  SplitRunner(const SplitRunner&) = delete;
  SplitRunner& operator=(const SplitRunner&) = delete;

  // C[rows, columns] of two panels; of C no more is touched.
  void multiply(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t rows,
                int64_t columns, bool accumulate) const;
  // Whole tiles.
  void multiply(const SplitRows& rows) const { kernel_.run_rows(parts_)(rows, height_); }

 private:
  const SplitKernel& kernel_;
  const int parts_;
  const int64_t height_;
};

}  // namespace ember::ops
