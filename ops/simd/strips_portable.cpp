// Strip kernels for any x86-64 CPU; the flags are in ops/ops.cmake.
#define EMBER_STRIPS strips_portable
#include "ops/simd/strips.inc"
