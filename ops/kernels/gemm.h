// Matrix multiplication for matmul and convolution in every tier. This layer packs, blocks and splits among threads;
// the batch-reduce micro-kernel in the middle is a table entry, portable C++ until tiers installs one made for the
// machine. Whatever the kernel, each element of C is one fma chain over k ascending, started at +0 (numerics.md), so
// all give the same bits: when k is split into blocks, C carries the chain from block to block.
#pragma once

#include <cstdint>

#include "gc/storage.h"
#include "ops/simd/tile.h"

namespace ember::ops {

class Epilogue;

// C = A B, uses the pool. Strides in elements; C is row-major. The epilogue sees C's elements at their numbers in the
// result that C is, or is a part of: rows of that are ldc apart, and `first` is C's first.
struct Gemm {
  int64_t m, n, k;
  const float* a;
  int64_t a_row, a_col;
  const float* b;
  int64_t b_row, b_col;
  float* c;
  int64_t ldc;
  const Epilogue* epilogue = nullptr;
  int64_t first = 0;
  const gc::Storage* cacheable = nullptr;  // B's, if packed copies of it may be kept (packed_cache.h)
};
void run_gemm(const Gemm& gemm);

}  // namespace ember::ops
