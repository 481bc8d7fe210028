// float16 and bfloat16 operands widened to float32 for kernels that compute in it; each result is rounded once, and the
// epilogue runs after that.
#pragma once

#include "ops/table/call.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {

Tensor borrow(const View& v);      // the same memory, for as long as the view lasts
Tensor to_float32(const View& v);  // of a half type; contiguous
void run_in_float32(const KernelCall& call, KernelFn kernel);

}  // namespace ember::ops
