// The builder's everyday phrases, and what rules share: which saved values a gradient may ask for, how a cotangent
// comes back to an operand's type, how a value without a batch axis gets one.
#include "ops/table/builder.h"

#include <bit>

namespace ember::ops {

Values Builder::call_all(std::string_view name, std::span<const Value> operands, const Named& attrs) {
  const Op& callee = op(name);
  return apply(callee, operands, make_attrs(callee, attrs));
}

Value Builder::call(std::string_view name, std::initializer_list<Value> operands, const Named& attrs) {
  return call_all(name, {operands.begin(), operands.size()}, attrs).at(0);
}

Value Builder::number(SymbolicFloat x) {
  return x.symbolic() ? size({std::bit_cast<int64_t>(x.hint()), x.expr}) : Value(x.hint());
}

Type size_type(Dim dim) {
  return Type::scalar(dim.symbolic() ? kind_of(SymbolScope::current()->exprs()[dim.expr].kind) : Kind::Int);
}

Value Builder::sum(const Value& a, const Ints& axis, bool keepdims) {
  return call("reduce_sum", {a}, {{"axis", axis}, {"keep_dims", keepdims}});
}
Value Builder::reshape(const Value& a, const Dims& shape) {
  return call("reshape", {a}, {{"shape", Ints(shape.begin(), shape.end())}});
}
Value Builder::broadcast_to(const Value& a, const Dims& shape) {
  return call("broadcast_to", {a}, {{"shape", Ints(shape.begin(), shape.end())}});
}
Value Builder::transpose(const Value& a, const Ints& permutation) {
  return call("transpose", {a}, {{"dims", permutation}});
}
Value Builder::cast(const Value& a, DType dtype) { return call("cast", {a}, {{"dtype", dtype}}); }
Value Builder::zeros(DType dtype, const Dims& shape) {
  return call("zeros", {}, {{"size", Ints(shape.begin(), shape.end())}, {"dtype", dtype}});
}
Value Builder::expand_dims(const Value& a, int64_t axis) { return call("expand_dims", {a}, {{"axis", axis}}); }

namespace {

void require_saved(const Op& op, uint32_t mask, size_t i, const char* what) {
  if (mask >> std::min<size_t>(i, 31) & 1) return;
  throw std::logic_error("the gradient of '" + std::string(op.name) + "' asks for " + what + " " + std::to_string(i) +
                         ", which its saves do not name");
}

}  // namespace

Value Grad::conj(const Value& v) const { return is_complex(b.type(v).dtype) ? b.call("conj", {v}) : v; }

const Value& Grad::conjugate(const Value& v, const Type& type, size_t at) const {
  if (!type.is_tensor() || !is_complex(type.dtype) || none(v)) return v;
  if (conjugates_.empty()) conjugates_ = Values(in_.size() + out_.size());
  if (none(conjugates_[at])) conjugates_[at] = b.call("conj", {v});
  return conjugates_[at];
}

const Value& Grad::in(size_t i) const {
  require_saved(op, op.saved_in, i, "operand");
  return conjugate(in_[i], in_types_[i], i);
}

const Value& Grad::out(size_t i) const {
  require_saved(op, op.saved_out, i, "result");
  return conjugate(out_[i], out_types_[i], in_.size() + i);
}

bool Grad::flows(size_t i) const { return !none(ct_[i]); }

const Value& Grad::ct(size_t i) const {
  if (flows(i)) return ct_[i];
  if (zeros_.empty()) zeros_ = Values(ct_.size());
  const Type& type = out_types_[i];
  if (none(zeros_[i])) zeros_[i] = type.is_tensor() ? b.zeros(type.dtype, type.dims) : Value(0.0);
  return zeros_[i];
}

Value Grad::unbroadcast(const Value& ct, size_t i) const {
  const Type& wanted = in_types_[i];
  if (none(ct) || !needs(i) || !wanted.is_tensor() || wanted.dtype == DType::Bool) return {};
  Dims have = b.dims(ct);
  size_t lead = have.size() - wanted.dims.size();
  Ints summed;
  for (size_t d = 0; d < have.size(); ++d) {
    bool stretched =
        d >= lead && !identical(wanted.dims[d - lead], have[d]) && wanted.dims[d - lead] == Dim(1) && have[d] != Dim(1);
    if (d < lead || stretched) summed.push_back(static_cast<int64_t>(d));
  }
  Value out = ct;
  if (!summed.empty()) out = b.sum(out, summed, true);
  if (lead != 0) out = b.reshape(out, wanted.dims);
  return b.type(out).dtype == wanted.dtype ? out : b.cast(out, wanted.dtype);
}

Value Batch::in_batched(size_t i) const {
  if (batched_[i] || none(in_[i])) return in_[i];
  Type t = b.type(in_[i]);
  if (!t.is_tensor()) return b.add(b.zeros(default_dtype(scalar_kind(t.kind)), {size}), in_[i]);
  Dims wanted = t.dims;
  wanted.insert(0, size);
  return b.broadcast_to(b.expand_dims(in_[i], 0), wanted);
}

}  // namespace ember::ops
