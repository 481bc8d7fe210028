// The kernels that are compiled once per instruction set, for AVX2 (kernels.inc).
#define EMBER_KERNELS avx2
#include "ops/simd/kernels.inc"
