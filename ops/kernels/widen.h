// How kernels serve float16 and bfloat16: operands of these types widen to float32, the kernel runs in float32, and
// each result is rounded once. A call's epilogue runs then.
#pragma once

#include "ops/table/op.h"

namespace ember::ops {

Tensor borrow(const View& v);      // the same memory, for as long as the view lasts
Tensor to_float32(const View& v);  // of a half type; contiguous
void run_in_float32(const KernelCall& call, KernelFn kernel);

}  // namespace ember::ops
