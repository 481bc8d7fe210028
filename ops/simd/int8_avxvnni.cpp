// Tiles of products of bytes by AVX-VNNI (int8_vnni.inc).
#define EMBER_KERNELS avxvnni
#include "ops/simd/int8_vnni.inc"
