// Functions of shared libraries as ops, through libffi, by their signature (signature.h). A function's gradient is
// another one of the same library, the attribute `backward`: its operands are the function's operands, its results and
// their cotangents; its results the gradients of the floating operands, as pointers but for that of a single operand
// that is passed by value.
//
//   "float32[n], float32 -> float32[n]"
//   backward: "float32[n], float32, float32[n], float32[n] -> float32[n], float32[]"
#pragma once

#include "ops/foreign/signature.h"
#include "ops/table/op.h"

namespace ember::ops {

Types foreign_results(const InferCall& call);  // shape rule, kernel and rules of the op
void call_foreign(const KernelCall& call);
Values foreign_gradient(Grad& grad);
Values foreign_batch(Batch& batch);
ForeignSignature backward_of(const ForeignSignature& signature);

}  // namespace ember::ops
