// Rules that the ops of matrix products share. Operands are as np.matmul's: batches broadcast, and a 1-d operand is a
// row or column that vanishes again.
#pragma once

#include "ops/table/builder.h"
#include "ops/table/op.h"

namespace ember::ops {

[[noreturn]] void refuse_operands(std::string_view name, const std::string& why, const Type& a, const Type& b);

Dims leading(const Dims& dims);  // those before the matrices

// The sizes that are summed over must agree, each operand's as it is transposed, and the others before the matrices
// broadcast. Returns these.
Dims check_product(const Type& a, const Type& b, bool transpose_a, bool transpose_b, std::string_view name);

Dims product_dims(const Type& a, const Type& b, std::string_view name);

// The batching rule. The batch axis must stand left of every other: shorter operands get sizes of 1 between it and
// their matrix.
Values batched_product(Batch& batch);

}  // namespace ember::ops
