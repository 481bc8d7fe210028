#include "ops/table/rules.h"

namespace ember::ops {

Value limited(Builder& b, std::string_view name, std::string_view larger, const Value& x, const Value& initial,
              const Value& where) {
  if (none(initial)) {
    if (none(where)) return x;
    value_error("For '" + std::string(name) + "', 'where' needs 'initial': give what counts where no element does.");
  }
  const Value limit = in_dtype(b, initial, b.type(x).dtype);
  return b.call(larger, {none(where) ? x : b.select(where, x, limit), limit});
}

Value mean_of(Builder& b, const Value& x, const Axes& axes, bool keepdims) {
  const Type type = b.type(x);
  const Value count = b.size(reduced_count(type.dims, axes));
  if (is_inexact(type.dtype)) {
    return in_float32(b, x, [&](const Value& wide) { return b.div(reduce_sum(b, wide, axes, keepdims), count); });
  }
  const Value sum = reduce_sum(b, x, axes, keepdims);
  return b.cast(b.div(b.cast(sum, DType::Float64), count), type.dtype);
}

Value variance_of(Builder& b, const Value& x, const Value& mean, const Axes& axes, int64_t ddof, bool keepdims) {
  const Value difference = b.sub(x, mean);
  const auto square = [&](const Value& v) { return b.mul(v, v); };
  const bool complex = is_complex(b.type(x).dtype);
  const Value squared =
      complex ? b.add(square(b.call("real", {difference})), square(b.call("imag", {difference}))) : square(difference);
  const Value squares = reduce_sum(b, squared, axes, keepdims);
  const Dim count = reduced_count(b.dims(x), axes);
  return b.div(squares, b.size(ddof > 0 && count < Dim(ddof) ? Dim(0) : count - Dim(ddof)));
}

}  // namespace ember::ops
