// NumPy's bools, and those of files, may be of any bytes; a Tensor's are 0 or 1. Of Tensors in one memory order.
#pragma once

#include "ops/tensor/tensor.h"

namespace ember::ops {

bool only_bools(const Tensor& t);
void make_bools(const Tensor& t);

}  // namespace ember::ops
