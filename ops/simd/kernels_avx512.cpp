// The kernels that are compiled once per instruction set, for AVX-512 (kernels.inc).
#define EMBER_KERNELS avx512
#include "ops/simd/kernels.inc"
