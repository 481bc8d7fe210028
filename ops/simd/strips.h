// Strip kernels: one per verb and dtype, compiled from ops/simd/strips.inc once per instruction set. A kernel computes
// n results from n values of each operand; the result may be one of the operands if their sizes are equal.
#pragma once

#include "ops/base/isa.h"
#include "ops/expr/expr.h"

namespace ember::ops {

// Of a Lookup, a is the indices and b the table.
using StripFn = void (*)(int64_t n, void* out, const void* a, const void* b, const void* c);

struct StripTable {
  StripFn verbs[kVerbs][kDTypes] = {};  // by the dtype of the last operand; of Lookup and Bitcast, of the result
  StripFn converts[kDTypes][kDTypes] = {};
};

#define X(name, set) const StripTable& strips_##set();
EMBER_ISAS(X)
#undef X
const StripTable& strips(Isa isa);  // the CPU must have it

StripFn strip(const StripTable& table, const Expr& expr, NodeId node);
void convert_elements(DType from, DType to, const void* in, int64_t n, void* out);  // contiguous
StripFn copy_strip(const StripTable& table, DType dtype);

}  // namespace ember::ops
