// Helpers that the rules of reductions, and of what is composed from them, share.
#pragma once

#include "ops/table/axes.h"
#include "ops/table/builder.h"

namespace ember::ops {

inline Ints to_ints(const Axes& axes, int64_t shift = 0) {
  Ints out;
  for (size_t axis : axes) out.push_back(static_cast<int64_t>(axis) + shift);
  return out;
}

inline Ints to_ints(const Dims& dims) { return Ints(dims.begin(), dims.end()); }

inline SampleOperand absent_operand() {
  SampleOperand operand;
  operand.absent = true;
  return operand;
}

// A number, or a 0-d tensor, as a 0-d tensor.
inline Value in_dtype(Builder& b, const Value& number, DType dtype) {
  if (b.type(number).is_tensor()) return b.cast(number, dtype);
  return b.call("full", {number}, {{"size", Ints{}}, {"dtype", dtype}});
}

inline Value reduce_with(Builder& b, std::string_view op, const Value& x, const Axes& axes, bool keepdims) {
  if (axes.empty()) return x;
  return b.call(op, {x}, {{"axis", to_ints(axes)}, {"keep_dims", keepdims}});
}
inline Value reduce_sum(Builder& b, const Value& x, const Axes& axes, bool keepdims) {
  return reduce_with(b, "reduce_sum", x, axes, keepdims);
}

// The half types in float32, in which counts and sums are; what else there is as it is.
inline Value widened(Builder& b, const Value& x) {
  return !none(x) && b.type(x).is_tensor() && is_half_dtype(b.type(x).dtype) ? b.cast(x, DType::Float32) : x;
}
inline Value narrowed(Builder& b, const Value& x, DType dtype) {
  return !none(x) && is_half_dtype(dtype) ? b.cast(x, dtype) : x;
}
// Runs a composition in float32 for the half types.
template <class F>
Value in_float32(Builder& b, const Value& x, F f) {
  return narrowed(b, f(widened(b, x)), b.type(x).dtype);
}

// A reduction's result or cotangent with the reduced axes back as sizes of 1.
inline Value with_axes(Builder& b, const Value& reduced, const Dims& dims, const Axes& axes) {
  return b.reshape(reduced, reduced_dims(dims, axes, true));
}

// What takes part in an extreme: elements where `where` says so, and `initial`, in x's dtype; either may be
// absent. `larger` is the op that chooses between two.
Value limited(Builder& b, std::string_view name, std::string_view larger, const Value& x, const Value& initial,
              const Value& where);

// sum / n, computed in float32 for the half types.
Value mean_of(Builder& b, const Value& x, const Axes& axes, bool keepdims);
// The sum of squared differences from `mean` (which has kept axes), of complex numbers of their magnitudes, over n -
// ddof.
Value variance_of(Builder& b, const Value& x, const Value& mean, const Axes& axes, int64_t ddof, bool keepdims);

}  // namespace ember::ops
