// Emits the kernel of products of bfloat16 parts on AMX (ops/kernels/split_gemm.h): four tiles of C, two of A, two of
// B.
#pragma once

#include "ops/kernels/split_gemm.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// Null if there is no executable memory. Does not ask whether the CPU has AMX.
gc::Ref<CodeBlock> compile_split_kernel(ops::SplitKernel* kernel);

}  // namespace ember::tiers
