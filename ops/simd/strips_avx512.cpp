// Strip kernels for AVX-512 F, BW, DQ and VL; the flags are in ops/ops.cmake.
#define EMBER_STRIPS strips_avx512
#include "ops/simd/strips.inc"
