#include "ops/kernels/norm.h"

#include "ops/kernels/widen.h"
#include "ops/program/strided.h"

namespace ember::ops {

Value reciprocal_deviation(Builder& b, const Value& variance, double eps) {
  return b.div(1.0, b.call("sqrt", {b.add(variance, eps)}));
}

[[noreturn]] void refuse_norm(std::string_view name, const std::string& what, const Type& x) {
  value_error("For '" + std::string(name) + "', " + what + "; the input is " + to_string(x) + ".");
}

void fill_statistics(const KernelCall& call, double value) {
  for (const View& v : call.out.subspan(1)) copy_into(Tensor::full(v.layout->dtype, v.layout->shape, value), borrow(v));
}

void check_float(std::string_view name, const Type& x, std::span<const Type> others) {
  bool same = is_float(x.dtype);
  for (const Type& t : others) same = same && (!t.is_tensor() || t.dtype == x.dtype);
  if (same) return;
  std::string all = to_string(x);
  for (const Type& t : others) all += t.is_tensor() ? ", " + to_string(t) : "";
  type_error("For '" + std::string(name) + "', operands must have one floating dtype, but are " + all + ".");
}

}  // namespace ember::ops
