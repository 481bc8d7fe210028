// What the functions of an op are given: operands and results as views, or their types, with the attributes. Kernels
// see this much of the op table and no more.
#pragma once

#include <span>

#include "gc/storage.h"
#include "ops/tensor/attr.h"
#include "ops/tensor/type.h"
#include "ops/tensor/view.h"

namespace ember::ops {

class Epilogue;  // program/program.h

// Outputs are allocated and contiguous, or channels-last where `images` names them; those of a program are dense in any
// order. A scalar operand is a 0-d view of its 8-byte slot. An absent optional operand is a View without layout. An
// epilogue is only given to kernels of Flag::SupportsEpilogue.
struct KernelCall {
  std::span<const View> in;
  std::span<const View> out;
  const Attrs& attrs;
  const Epilogue* epilogue = nullptr;
  // in[1]'s, if nothing writes it during the call: packed copies may be cached (matmul/packed_cache.h).
  const gc::Storage* cacheable = nullptr;
};

struct InferCall {
  std::span<const Type> in;  // absent optional operands have kind Token
  const Attrs& attrs;
};

using InferFn = Types (*)(const InferCall&);
using KernelFn = void (*)(const KernelCall&);

}  // namespace ember::ops
