// The float32 micro-kernel of matmul, convolution and attention: a tile of C (6x16 on AVX2, 14x32 on AVX-512) stays in
// registers over a batch of items of A and B (ops/simd/tile.h). Every element is a sequential FMA in the order of the
// batch and of the steps. There is a body for each number of rows; columns beyond the edge
// are masked when C is read and written, never in the loop.
#pragma once

#include "gc/ref.h"
#include "ops/matmul/gemm.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// For the instruction set in use; null where it has none or code memory is denied.
gc::Ref<CodeBlock> compile_gemm_kernel(ops::GemmKernel* kernel);

}  // namespace ember::tiers
