// Tiles of products of bytes by AVX512-VNNI (int8_vnni.inc).
#define EMBER_KERNELS avx512vnni
#include "ops/simd/int8_vnni.inc"
