// The abstract builder that gradient rules, batching rules and composed ops are written against. GraphBuilder
// (bytecode/) records, EagerBuilder (ops/eager/eager.h) executes; a rule can't tell which.
#pragma once

#include "ops/table/op.h"

namespace ember::ops {

class Builder {
 public:
  virtual ~Builder() = default;

  // Applies an op to its operands in signature order; a `tensors` parameter takes several, whose number is the number
  // of operands left over. Attributes are complete (make_attrs).
  virtual Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) = 0;
  virtual Type type(const Value& v) const = 0;
  virtual Value size(Dim dim) = 0;  // as a scalar; of the kind that its expression has
  virtual Value next_random() = 0;  // a fresh random key
  virtual Value constant(const Tensor& t) = 0;

  using Named = std::vector<std::pair<std::string_view, Attr>>;
  Value call(std::string_view op, std::initializer_list<Value> operands, const Named& attrs = {});
  Values call_all(std::string_view op, std::span<const Value> operands, const Named& attrs = {});
  Dims dims(const Value& v) const { return type(v).dims; }
  Value number(SymbolicFloat x);  // as a scalar

  Value add(const Value& a, const Value& b) { return call("add", {a, b}); }
  Value sub(const Value& a, const Value& b) { return call("sub", {a, b}); }
  Value mul(const Value& a, const Value& b) { return call("mul", {a, b}); }
  Value div(const Value& a, const Value& b) { return call("div", {a, b}); }
  Value neg(const Value& a) { return call("neg", {a}); }
  Value exp(const Value& a) { return call("exp", {a}); }
  Value select(const Value& c, const Value& a, const Value& b) { return call("select", {c, a, b}); }
  Value sum(const Value& a, const Ints& axis, bool keepdims);
  Value reshape(const Value& a, const Dims& shape);
  Value broadcast_to(const Value& a, const Dims& shape);
  Value transpose(const Value& a, const Ints& permutation);
  Value cast(const Value& a, DType dtype);
  Value zeros(DType dtype, const Dims& shape);
  Value expand_dims(const Value& a, int64_t axis);
};

Type size_type(Dim dim);  // of Builder::size

// Applies the batching rule of any op: its own, or the one that follows from its expression or its steps. At least one
// operand is batched, or the op draws random numbers; all results are batched.
Values batch(Batch& batch);

}  // namespace ember::ops
