// The float32 GEMM micro-kernel: a tile of C (6x16 on AVX2, 14x32 on AVX-512) stays in registers while k runs over one
// packed panel of A and one of B. Every element is one fma chain over k ascending (ops/gemm.h). There is a body for
// each number of rows; columns beyond the edge are masked when C is read and written, never in the loop.
#pragma once

#include "gc/ref.h"
#include "ops/gemm.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// For the instruction set in use; null where it has none or code memory is denied.
gc::Ref<CodeBlock> compile_gemm_kernel(ops::GemmKernel* kernel);

}  // namespace ember::tiers
