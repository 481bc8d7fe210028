// Emits the bf16x3 micro-kernel on AMX (ops/matmul/bf16x3_gemm.h): four tiles of C, two of A, two of
// B.
#pragma once

#include "ops/matmul/bf16x3_gemm.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// Null if there is no executable memory. Does not ask whether the CPU has AMX.
gc::Ref<CodeBlock> compile_bf16x3_kernel(ops::Bf16x3Kernel* kernel);

}  // namespace ember::tiers
