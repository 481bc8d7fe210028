#include "ops/eager/viewed.h"

#include <algorithm>

#include "ops/table/builder.h"

namespace ember::ops {
namespace {

// Values are numbers of types; each knows how it views an operand.
class ViewsBuilder final : public Builder {
 public:
  Value add(Type type, Viewed viewed) {
    types_.push_back(std::move(type));
    viewed_.push_back(std::move(viewed));
    return GraphValue{static_cast<uint32_t>(types_.size() - 1)};
  }
  Viewed viewed(const Value& v) const {
    const auto* known = std::get_if<GraphValue>(&v);
    return known ? viewed_[known->id] : Viewed();
  }
  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    if (op.composed()) return op.compose(*this, operands, attrs);
    Types in;
    for (const Value& v : operands) in.push_back(type(v));
    Values out;
    for (const Type& t : infer(op, in, attrs)) {
      Viewed view = op.view ? viewed(operands[0]) : Viewed();
      if (view.operand >= 0) view.steps.push_back({&op, attrs, in[0], t});
      out.push_back(add(t, std::move(view)));
    }
    return out;
  }
  Type type(const Value& v) const override {
    if (const auto* known = std::get_if<GraphValue>(&v)) return types_[known->id];
    if (const auto* tensor = std::get_if<Tensor>(&v)) return Type::tensor(tensor->dtype(), ops::dims(tensor->shape()));
    if (none(v)) return Type::token();
    return Type::scalar(std::holds_alternative<bool>(v)      ? Kind::Bool
                        : std::holds_alternative<int64_t>(v) ? Kind::Int
                                                             : Kind::Float);
  }
  Value size(Dim dim) override { return add(size_type(dim), {}); }
  Value next_random() override { return add(Type::scalar(Kind::Int), {}); }
  Value constant(const Tensor& t) override { return t; }

 private:
  std::vector<Type> types_;
  std::vector<Viewed> viewed_;
};

bool identical_dims(const Dims& a, const Dims& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Dim& x, const Dim& y) { return identical(x, y); });
}

Dims without_ones(const Dims& dims) {
  Dims out;
  for (const Dim& d : dims)
    if (!identical(d, Dim(1))) out.push_back(d);
  return out;
}

}  // namespace

std::vector<Viewed> views_of(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  if (!op.view && !op.composed()) return {};
  ViewsBuilder builder;
  Values operands;
  for (size_t i = 0; i < in.size(); ++i)
    operands.push_back(in[i].kind == Kind::Token ? Value() : builder.add(in[i], {static_cast<int>(i), {}}));
  std::vector<Viewed> viewed;
  for (const Value& v : builder.apply(op, operands, attrs)) viewed.push_back(builder.viewed(v));
  return viewed;
}

bool always_views(const ViewStep& step) {
  return !step.op->kernel || identical_dims(without_ones(step.from.dims), without_ones(step.to.dims));
}

Value apply_steps(Builder& b, std::span<const ViewStep> steps, Value viewed) {
  for (const ViewStep& step : steps) viewed = b.apply(*step.op, {{viewed}}, step.attrs)[0];
  return viewed;
}

Value written_through(Builder& b, std::span<const ViewStep> steps, const Value& viewed, const Value& view) {
  Values between = {viewed};
  for (const ViewStep& step : steps) between.push_back(apply_steps(b, {{step}}, between.back()));
  Value written = view;
  for (size_t i = steps.size(); i-- > 0;) written = steps[i].op->written(b, between[i], written, steps[i].attrs);
  return written;
}

}  // namespace ember::ops
