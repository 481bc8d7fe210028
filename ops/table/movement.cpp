#include "ops/table/movement.h"

#include <algorithm>

namespace ember::ops {

std::string text(const Ints& ints) {
  std::string out = "(";
  for (size_t i = 0; i < ints.size(); ++i) out += (i ? ", " : "") + std::to_string(ints[i].hint());
  return out + (ints.size() == 1 ? ",)" : ")");
}

namespace {

[[noreturn]] void cannot_reshape(const Dims& have, const Ints& shape) {
  value_error(about("reshape") + "a tensor of shape " + to_string(hints(have)) + " cannot be given the shape " +
              text(shape) + ".");
}

// A product whose constant part is kept apart, so that it cancels.
struct Factors {
  Dim number = 1;
  Dim symbols = 1;
  void take(Dim d) { (d.symbolic() ? symbols : number) = (d.symbolic() ? symbols : number) * d; }
  Dim product() const { return symbols * number; }
};

}  // namespace

std::string about(std::string_view op_name) { return "For '" + std::string(op_name) + "', "; }

void refuse_index(std::string_view op_name, int64_t index, size_t axis, const Shape& shape) {
  const std::string size = std::to_string(shape[axis]);
  index_error(about(op_name) + "index " + std::to_string(index) + " is out of range for axis " + std::to_string(axis) +
              " of shape " + to_string(shape) +
              (shape[axis] == 0 ? ", which has no elements." : ": it must be in [-" + size + ", " + size + ")."));
}

Ints ints_of(const Dims& dims) { return {dims.begin(), dims.end()}; }

Dims dims_of(const Ints& ints, std::string_view op_name) {
  if (ints.size() > kMaxRank) {
    value_error(about(op_name) + "a tensor has at most 8 dimensions, but got " + std::to_string(ints.size()) + ".");
  }
  Dims dims;
  for (Dim size : ints) {
    if (size < 0)
      value_error(about(op_name) + "a size must not be negative, but got " + std::to_string(size.hint()) + ".");
    dims.push_back(size);
  }
  return dims;
}

Ints inverse_permutation(const Ints& order) {
  Ints out(order.size(), 0);
  for (size_t d = 0; d < order.size(); ++d) out[static_cast<size_t>(pinned(order[d]))] = static_cast<int64_t>(d);
  return out;
}

Dim product(const Dims& dims, size_t begin, size_t end) {
  Dim out = 1;
  for (size_t i = begin; i < end; ++i) out = out * dims[i];
  return out;
}

Attrs with(const Attrs& attrs, size_t index, Attr value) {
  Attrs out = attrs;
  out.set(index, std::move(value));
  return out;
}

size_t line_axis(int64_t value, size_t rank, std::string_view op_name) {
  return axis(value, std::max<size_t>(rank, 1), op_name);
}

Dims as_line(const Dims& dims) { return dims.empty() ? Dims{1} : dims; }

LayoutRef as_line(const Layout& layout) {
  return layout.rank() == 0 ? ops::layout(layout.dtype, Shape{1}) : LayoutRef(&layout);
}

Value batched_line(Batch& batch, size_t operand) {
  const Value x = batch.in_batched(operand);
  const Dims& dims = batch.b.dims(x);
  return dims.size() > 1 ? x : batch.b.reshape(x, Dims{dims[0], Dim(1)});
}

Values batch_lines(Batch& batch, size_t axis_index, size_t like) {
  Values lines;
  for (size_t i = 0; i < batch.operands(); ++i) lines.push_back(batched_line(batch, i));
  const size_t rank = batch.b.dims(lines[0]).size() - 1;
  const auto at = static_cast<int64_t>(axis(batch.attrs.integer(axis_index), rank, batch.op.name));
  Values out = batch.b.apply(batch.op, lines, with(batch.attrs, axis_index, at + 1));
  const Dims dims = batch.b.dims(batch.in_batched(like));
  for (Value& result : out)
    if (dims.size() == 1) result = batch.b.reshape(result, dims);
  return out;
}

Dims resolve_reshape(const Dims& have, const Ints& shape) {
  if (shape.size() > kMaxRank) dims_of(shape, "reshape");
  std::vector<Dim> from(have.begin(), have.end());
  Factors rest, left;
  int64_t open = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].symbolic() && shape[i].hint() == -1) {
      if (open >= 0) value_error(about("reshape") + "only one size can be -1, but got " + text(shape) + ".");
      open = static_cast<int64_t>(i);
      continue;
    }
    auto same = std::find_if(from.begin(), from.end(), [&](Dim d) { return identical(d, shape[i]) && d.hint() != 0; });
    if (same != from.end()) {
      from.erase(same);
    } else if (shape[i] < 0) {
      cannot_reshape(have, shape);
    } else {
      rest.take(shape[i]);
    }
  }
  for (Dim d : from) left.take(d);
  Dims out;
  for (Dim d : shape) out.push_back(d);
  if (open < 0) {
    if (left.product() != rest.product()) cannot_reshape(have, shape);
    return out;
  }
  if (rest.product() == 0) cannot_reshape(have, shape);
  Dim& wanted = out[static_cast<size_t>(open)];
  if (identical(rest.symbols, Dim(1)) && left.number.hint() % rest.number.hint() == 0) {
    wanted = left.symbols * (left.number / rest.number);
  } else {
    if (left.product() % rest.product() != 0) cannot_reshape(have, shape);
    wanted = left.product() / rest.product();
  }
  return out;
}

}  // namespace ember::ops
