// The kernels that are compiled once per instruction set, for the portable one (kernels.inc).
#define EMBER_KERNELS portable
#include "ops/simd/kernels.inc"
