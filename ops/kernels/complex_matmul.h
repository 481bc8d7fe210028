// Products of complex matrices as products of real ones of twice the size: with the parts of each number side by side,
// C (m, 2n) = A (m, 2k) B' (2k, 2n), where B' holds for each b = x + yi the block [[x, y], [-y, x]]. So sums over k
// have the order, and the kernels, of real products: re and im of each element in turn.
#pragma once

#include "ops/table/call.h"

namespace ember::ops {

void multiply_as_real(const KernelCall& call, KernelFn multiply);

}  // namespace ember::ops
