// Runs one op at once. This is the eager path of Python and the EagerBuilder of rules: shape rule, output allocation,
// kernel. The first call with a given op, attributes and layouts fills an inline cache; later ones only compare.
#pragma once

#include "ops/eager/random_stream.h"
#include "ops/table/builder.h"

namespace ember::ops {

// Operands as tensors and scalars in signature order. Raises OpError before anything is written.
Values run(const Op& op, std::span<const Value> operands, const Attrs& attrs);

// Runs an elementwise op into a tensor that the result broadcasts to, which operands may share memory with. False, with
// nothing done, where that cannot be at once: the result has another dtype, or an operand would be overwritten before
// it is read.
bool run_into(const Op& op, std::span<const Value> operands, const Attrs& attrs, const Tensor& target);

// Runs a kernel or view op into outputs that are already there: the step of the interpreter and of native code. A view
// op copies. Of elementwise ops run the program() instead (a View can't tell a number from a 0-d tensor), of
// composed ones without a kernel the steps. cacheable: as in KernelCall.
void run_kernel(const Op& op, std::span<const View> in, std::span<const View> out, const Attrs& attrs,
                const gc::Storage* cacheable);

class EagerBuilder final : public Builder {
 public:
  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    return run(op, operands, attrs);
  }
  Type type(const Value& v) const override;
  Value size(Dim dim) override { return dim.hint(); }
  Value next_random() override;
  Value constant(const Tensor& t) override { return t; }
};

Type type_of(const Value& v);  // of a tensor or scalar

}  // namespace ember::ops
