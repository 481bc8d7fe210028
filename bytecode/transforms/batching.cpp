// Ops, numbers and stacks; control flow is in batching_control.cpp.
#include "bytecode/transforms/batching.h"

#include <algorithm>
#include <memory>

namespace ember::bytecode {

using ops::Flag;
using ops::Kind;
using ops::Value;
using ops::Values;

Type batched_type(const Type& type, ops::Dim size) {
  if (type.kind == Kind::Stack) return type;
  ops::Dims dims = type.is_tensor() ? type.dims : ops::Dims();
  dims.insert(0, size);
  return Type::tensor(type.dtype, dims);
}

Batcher::Batcher(Module& module, GraphId entry, const Marks& params, ops::Dim size)
    : module(module), size(size), cycles(module, entry), flow(module, FlowRule::Batched) {
  flow.forward(entry, params);
  if (!flow.pushes_marked()) return;
  flow.restart(FlowRule::BatchedStacks);
  flow.forward(entry, params);
  if (flow.loops_marked()) flow.restart(FlowRule::MaskedStacks);
}

GraphId Batcher::graph(GraphId source, const Marks& params, const Marks& results, bool masked) {
  const auto key = std::tuple(source, params, results, masked);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  const Graph copy = module.graph(source);
  const GraphId id = module.add_graph(copy.name + "_batched");
  module.graph(id).shared = copy.shared;
  known_[key] = id;
  GraphBuilder b(module, id);
  BatchedGraph batched(*this, source, b, params);
  for (size_t i = 0; i < copy.params.size(); ++i) {
    const ValueId v = copy.params[i];
    if (copy.type(v).kind == Kind::Token) continue;
    batched.replay()[v] =
        b.param(copy.param_names[i], batched.batched(v) ? batched_type(copy.type(v), size) : copy.type(v));
  }
  if (masked) batched.set_mask(b.param("mask", Type::tensor(ops::DType::Bool, {size})));
  if (cycles.on[source]) {
    Types types = types_without_tokens(copy, copy.results);
    for (size_t i = 0; i < types.size(); ++i)
      if (results[i]) types[i] = batched_type(types[i], size);
    b.declare(types, returns_token(copy));
  }
  batched.run();
  b.finish(batched.results(results));
  return id;
}

BatchedGraph::BatchedGraph(Batcher& owner, GraphId source, GraphBuilder& out, const Marks& params)
    : owner_(owner), out_(out), replay_(owner.module, source, out), marks_(owner.flow.forward(source, params)) {}

void BatchedGraph::run() {
  for (const Node& n : replay_.source().nodes) {
    out_.set_source(n.source);
    node(n);
  }
}

Values BatchedGraph::results(const Marks& wanted) {
  const std::vector<ValueId> ids = without_tokens(replay_.source(), replay_.source().results);
  Values values;
  for (size_t i = 0; i < ids.size(); ++i) values.push_back(wanted[i] ? with_axis(ids[i]) : replay_[ids[i]]);
  return values;
}

Value BatchedGraph::with_axis(ValueId v) {
  const Value value = replay_[v];
  const Type& single = type(v);
  if (marks_[v] || single.kind == Kind::Stack) return value;
  const Value tensor = ops::is_scalar(single.kind) ? out_.to_tensor(value, single.dtype) : value;
  return out_.broadcast_to(out_.expand_dims(tensor, 0), batched_type(single, owner_.size).dims);
}

void BatchedGraph::node(const Node& node) {
  switch (node.kind) {
    case NodeKind::Apply:
      return apply(node);
    case NodeKind::If:
      return branch(node);
    case NodeKind::While:
      return loop(node);
    case NodeKind::Call:
      return call(node);
    default:
      break;
  }
  const bool batched = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId v) { return marks_[v] != 0; });
  if (!batched) return replay_.node(node);
  switch (node.kind) {
    case NodeKind::Item:
      return item(node);
    case NodeKind::ToTensor:
      replay_[node.output()] = out_.cast(replay_[node.inputs[0]], type(node.output()).dtype);
      return;
    case NodeKind::TensorMove:
      replay_[node.output()] = replay_[node.inputs[0]];
      return;
    case NodeKind::Push:
      return push(node);
    case NodeKind::Pop:
      return pop(node);
    case NodeKind::NonEmpty:
      return non_empty(node);
    default:
      return replay_.node(node);
  }
}

// Numbers promote weakly, but as tensors they would not: a batched one gets the dtype in which the op computes.
Value BatchedGraph::operand(const Node& node, size_t i) {
  const ValueId v = node.inputs[i];
  if (v == kNoId) return {};
  if (!marks_[v] || !ops::is_scalar(type(v).kind) || !node.op->elementwise()) return replay_[v];
  const size_t first = node.op->flags.has(Flag::KeepFirst) ? 1 : 0;
  if (i < first) return replay_[v];
  const auto inputs = std::span(node.inputs).subspan(first);
  bool any = false;
  ops::DType dtype = type(v).dtype;
  for (ValueId in : inputs)
    if (in != kNoId && type(in).is_tensor()) {
      dtype = any ? ops::promote(dtype, type(in).dtype) : type(in).dtype;
      any = true;
    }
  if (!any) return replay_[v];
  for (ValueId in : inputs)
    if (in != kNoId && ops::is_scalar(type(in).kind)) dtype = ops::promote(dtype, scalar_kind(type(in).kind));
  return out_.cast(replay_[v], dtype);
}

void BatchedGraph::apply(const Node& node) {
  const size_t operands = node.inputs.size() - (node.op->has_effect() ? 1 : 0);
  Values in;
  const auto batched = std::make_unique<bool[]>(operands);
  bool any = false;
  for (size_t i = 0; i < operands; ++i) {
    batched[i] = node.inputs[i] != kNoId && marks_[node.inputs[i]];
    any |= batched[i];
    in.push_back(operand(node, i));
  }
  if (node.op->flags.has(Flag::Memory) && (any || !ops::none(mask_)))
    ops::value_error("For '" + std::string(node.op->name) +
                     "', a Parameter can't be written inside vmap with what differs between the elements of a batch.");
  if (node.op->flags.has(Flag::Raises) && (any || !ops::none(mask_))) return raise(node, in);
  for (size_t i = 0; i < node.outputs; ++i) any |= marks_[node.output(i)] != 0;
  if (!any || (node.op->has_effect() && !node.op->batch)) {
    const Values out = out_.apply(*node.op, in, node.attrs);
    for (size_t i = 0; i < out.size(); ++i) replay_[node.output(i)] = out[i];
    return;
  }
  ops::Batch rule(out_, *node.op, in, {batched.get(), operands}, owner_.size, node.attrs);
  const Values out = ops::batch(rule);
  for (size_t i = 0; i < out.size(); ++i) {
    const Type& single = type(node.output(i));
    const bool fits = !ops::is_scalar(single.kind) || out_.type(out[i]).dtype == single.dtype;
    replay_[node.output(i)] = fits ? out[i] : out_.cast(out[i], single.dtype);
  }
}

void BatchedGraph::item(const Node& node) {
  const Type& single = type(node.output());
  Value value = replay_[node.inputs[0]];
  if (!type(node.inputs[0]).dims.empty()) value = out_.reshape(value, batched_type(single, owner_.size).dims);
  replay_[node.output()] = out_.cast(value, single.dtype);
}

void BatchedGraph::push(const Node& node) {
  Values elements;
  for (ValueId v : std::span(node.inputs).subspan(1)) elements.push_back(with_axis(v));
  Value stack = out_.push(replay_[node.inputs[0]], elements);
  if (owner_.flow.rule() == FlowRule::MaskedStacks) stack = out_.push(stack, std::array{every_element()});
  replay_[node.output()] = stack;
}

void BatchedGraph::pop(const Node& node) {
  Value stack = replay_[node.inputs[0]];
  if (owner_.flow.rule() == FlowRule::MaskedStacks)
    stack = out_.pop(stack, std::array{Type::tensor(ops::DType::Bool, {owner_.size})})[0];
  Types types;
  for (size_t i = 1; i < node.outputs; ++i) types.push_back(batched_type(type(node.output(i)), owner_.size));
  const Values out = out_.pop(stack, types);
  for (size_t i = 0; i < out.size(); ++i) replay_[node.output(i)] = out[i];
}

void BatchedGraph::non_empty(const Node& node) {
  const Value stack = replay_[node.inputs[0]];
  const bool masks = owner_.flow.rule() == FlowRule::MaskedStacks;
  replay_[node.output()] =
      masks ? out_.pop(stack, std::array{Type::tensor(ops::DType::Bool, {owner_.size})})[1] : out_.non_empty(stack);
}

Value BatchedGraph::every_element() {
  if (!ops::none(mask_)) return mask_;
  return out_.broadcast_to(out_.constant(ops::Tensor::scalar(true)), {owner_.size});
}

}  // namespace ember::bytecode
