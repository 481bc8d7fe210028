// Recurrent layers and their gradients, step by step, without a graph of the steps: a step is one matrix product, whose
// packed weights serve all steps, and one program of strips. Operands and results are those of the ops
// (defs/recurrent.cpp).
#pragma once

#include "ops/kernels/recurrent_cells.h"
#include "ops/table/call.h"

namespace ember::ops::recurrent {

template <class Cell>
void forward(const KernelCall& call);
template <class Cell>
void backward(const KernelCall& call);

}  // namespace ember::ops::recurrent
