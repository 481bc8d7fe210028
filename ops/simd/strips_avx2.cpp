// Strip kernels for AVX2 with FMA and F16C; the flags are in ops/ops.cmake.
#define EMBER_STRIPS strips_avx2
#include "ops/simd/strips.inc"
