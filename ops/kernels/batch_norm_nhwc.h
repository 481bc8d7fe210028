// Batch normalisation (ops/defs/batch_norm.cpp) of NHWC images (ops/kernels/images.h).
#pragma once

#include "ops/table/call.h"

namespace ember::ops {

template <class T>
void normalize_nhwc(const KernelCall& call);
template <class T>
void gradients_nhwc(const KernelCall& call);

}  // namespace ember::ops
