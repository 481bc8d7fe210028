// Batching of ops without a rule of their own. Elementwise: operands with a batch axis get axes of size one behind it,
// so that all have the batch axis at the same place from the right. Composed: the steps run against a builder that
// knows which values carry the axis and applies each step's rule; its values are numbers of (value, batched) pairs.
#include <algorithm>
#include <memory>

#include "ops/table/builder.h"

namespace ember::ops {
namespace {

Values batch_elementwise(Batch& batch) {
  size_t rank = 0;
  for (size_t i = 0; i < batch.operands(); ++i) {
    if (none(batch.in(i))) continue;
    size_t own = batch.b.dims(batch.in(i)).size();
    rank = std::max(rank, batch.batched(i) ? own : own + 1);
  }
  Values operands;
  for (size_t i = 0; i < batch.operands(); ++i) {
    Value v = batch.in(i);
    if (batch.batched(i)) {
      Dims dims = batch.b.dims(v);
      bool aligned = dims.size() == rank;
      while (dims.size() < rank) dims.insert(1, 1);
      if (!aligned) v = batch.b.reshape(v, dims);
    }
    operands.push_back(v);
  }
  return batch.b.apply(batch.op, operands, batch.attrs);
}

// Random numbers differ between the elements, whether or not an operand does.
bool draws(const Op& op) {
  const auto& params = op.signature.params;
  return std::any_of(params.begin(), params.end(), [](const Param& p) { return p.kind == ParamKind::Random; });
}

class BatchBuilder final : public Builder {
 public:
  BatchBuilder(Builder& inner, Dim size) : inner_(inner), size_(size) {}

  Value add(const Value& v, bool batched) {
    if (none(v)) return v;
    values_.push_back({v, batched});
    return GraphValue{static_cast<uint32_t>(values_.size() - 1)};
  }

  Values apply(const Op& op, std::span<const Value> operands, const Attrs& attrs) override {
    Values in;
    auto flags = std::make_unique<bool[]>(operands.size());
    bool any = draws(op);
    for (size_t i = 0; i < operands.size(); ++i) {
      auto [value, batched] = find(operands[i]);
      in.push_back(value);
      flags[i] = batched;
      any |= batched;
    }
    Batch step(inner_, op, in, {flags.get(), operands.size()}, size_, attrs);
    Values out;
    for (const Value& v : any ? batch(step) : inner_.apply(op, in, attrs)) out.push_back(add(v, any));
    return out;
  }

  Type type(const Value& v) const override {
    auto [value, batched] = find(v);
    Type t = inner_.type(value);
    if (batched) t.dims.erase(0);
    return t;
  }

  Value size(Dim dim) override { return add(inner_.size(dim), false); }
  Value next_random() override { return add(inner_.next_random(), false); }
  Value constant(const Tensor& t) override { return add(inner_.constant(t), false); }

  Value finish(const Value& v) {
    auto [value, batched] = find(v);
    if (batched || none(value)) return value;
    Dims dims = inner_.dims(value);
    dims.insert(0, size_);
    return inner_.broadcast_to(inner_.expand_dims(value, 0), dims);
  }

 private:
  std::pair<Value, bool> find(const Value& v) const {
    const GraphValue* known = std::get_if<GraphValue>(&v);
    return known ? values_.at(known->id) : std::pair<Value, bool>(v, false);
  }

  Builder& inner_;
  Dim size_;
  std::vector<std::pair<Value, bool>> values_;
};

Values batch_composed(Batch& batch) {
  BatchBuilder b(batch.b, batch.size);
  Values operands;
  for (size_t i = 0; i < batch.operands(); ++i) operands.push_back(b.add(batch.in(i), batch.batched(i)));
  Values out;
  for (const Value& v : batch.op.compose(b, operands, batch.attrs)) out.push_back(b.finish(v));
  return out;
}

}  // namespace

Values batch(Batch& batch) {
  if (batch.op.batch) return batch.op.batch(batch);
  if (batch.op.elementwise()) return batch_elementwise(batch);
  if (batch.op.compose) return batch_composed(batch);
  value_error("For '" + std::string(batch.op.name) + "', there is no batching rule; call it outside vmap.");
}

}  // namespace ember::ops
