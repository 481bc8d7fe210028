// Matrix multiplication for matmul and convolution in every tier, as BLIS does it: blocks, packed panels, and a
// batch-reduce micro-kernel, a table entry that is portable C++ until tiers installs one made for the machine. Whatever
// the kernel, each element of C is a sequential FMA over k ascending from +0, so all give the same bits;
// over several blocks of k it goes on from C.
#pragma once

#include <cstdint>

#include "gc/storage.h"
#include "ops/simd/tile.h"

namespace ember::ops {

class Epilogue;

// C = A B, uses the pool. Strides in elements; C is row-major. The epilogue numbers elements as in the result
// that C is, or is a part of: its row stride is ldc, and `first` is the number of C's first.
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
  const gc::Storage* cacheable = nullptr;  // B's, if packed copies may be cached (packed_cache.h)
};
void run_gemm(const Gemm& gemm);

}  // namespace ember::ops
