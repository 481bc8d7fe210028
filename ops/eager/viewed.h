// Which results of an op are views of its operands, as eager calls make them: of a composed op this follows from its
// steps, which are run on types alone. x[1].reshape(2, 3) is x by the steps strided_slice, reshape, reshape.
#pragma once

#include <span>
#include <vector>

#include "ops/table/op.h"

namespace ember::ops {

struct ViewStep {
  const Op* op;
  Attrs attrs;
  Type from, to;  // what it views, and the view
};

// How a result is a view: of an operand, or of none (-1).
struct Viewed {
  int operand = -1;
  std::vector<ViewStep> steps;
};

std::vector<Viewed> views_of(const Op& op, std::span<const Type> in, const Attrs& attrs);  // one for each result

bool always_views(const ViewStep& step);  // whatever the strides are of what it views

Value apply_steps(Builder& b, std::span<const ViewStep> steps, Value viewed);
// What is viewed, with a view that has other elements. All steps have `written`.
Value written_through(Builder& b, std::span<const ViewStep> steps, const Value& viewed, const Value& view);

}  // namespace ember::ops
