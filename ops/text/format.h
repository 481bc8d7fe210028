// Tensors as text: repr as MindSpore prints it, str as NumPy does with its default options.
#pragma once

#include <string>

#include "ops/tensor/tensor.h"

namespace ember::ops {

std::string format(const Tensor& t, bool repr);

}  // namespace ember::ops
