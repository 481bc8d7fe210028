// Products of matrices of int8 or uint8, each of either, into int32. They are exact but that sums wrap, so the bits are
// the same for any blocking, instruction set and number of threads.
#pragma once

#include <cstdint>

#include "gc/storage.h"

namespace ember::ops {

// Bytes are int8 where is_signed, else uint8. Strides in elements.
struct Int8Matrix {
  const uint8_t* data;
  bool is_signed;
  int64_t row, col;
};

// C = A B, uses the pool. C is row-major, and contiguous.
struct Int8Gemm {
  int64_t m, n, k;
  Int8Matrix a, b;
  int32_t* c;
  const gc::Storage* cacheable = nullptr;  // B's, if packed copies may be cached (packed_cache.h)
};
void run_int8_gemm(const Int8Gemm& gemm);

}  // namespace ember::ops
