#include "ops/table/viewed.h"

#include "ops/table/builder.h"

namespace ember::ops {
namespace {

bool composed(const Op& op) { return op.compose && !op.kernel && !op.apply && !op.view; }

// Values are numbers of types; each knows the operand of which it is a view.
class ViewsBuilder final : public Builder {
 public:
  Value add(Type type, int viewed) {
    types_.push_back(std::move(type));
    viewed_.push_back(viewed);
    return GraphValue{static_cast<uint32_t>(types_.size() - 1)};
  }
  int viewed(const Value& v) const {
    const auto* known = std::get_if<GraphValue>(&v);
    return known ? viewed_[known->id] : -1;
  }
  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    if (composed(op)) return op.compose(*this, operands, attrs);
    Types in;
    for (const Value& v : operands) in.push_back(type(v));
    Values out;
    for (const Type& t : infer(op, in, attrs)) out.push_back(add(t, op.view ? viewed(operands[0]) : -1));
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
  Value size(Dim) override { return add(Type::scalar(Kind::Int), -1); }
  Value next_random() override { return add(Type::scalar(Kind::Int), -1); }
  Value constant(const Tensor& t) override { return t; }

 private:
  std::vector<Type> types_;
  std::vector<int> viewed_;
};

}  // namespace

std::vector<int> viewed_operands(const Op& op, std::span<const Type> in, const Attrs& attrs) {
  if (!op.view && !composed(op)) return {};
  ViewsBuilder builder;
  Values operands;
  for (size_t i = 0; i < in.size(); ++i)
    operands.push_back(in[i].kind == Kind::Token ? Value() : builder.add(in[i], static_cast<int>(i)));
  std::vector<int> viewed;
  for (const Value& v : builder.apply(op, operands, attrs)) viewed.push_back(builder.viewed(v));
  return viewed;
}

}  // namespace ember::ops
