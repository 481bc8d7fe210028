// Making the two graphs of a sub-graph. Residuals are found while the backward graph is written: each becomes a
// parameter of it when first asked for, and those that nothing used in the end are dropped again.
#include "bytecode/transforms/differentiate.h"

#include <algorithm>
#include <set>

namespace ember::bytecode {

using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

Marks at_positions(size_t count, std::span<const size_t> positions) {
  Marks marks(count);
  for (size_t i : positions) marks[i] = 1;
  return marks;
}

const Node* defining_node(const Graph& graph, ValueId v) {
  const auto after = std::upper_bound(graph.nodes.begin(), graph.nodes.end(), v,
                                      [](ValueId id, const Node& node) { return id < node.first_output; });
  if (after == graph.nodes.begin()) return nullptr;
  const Node& node = *std::prev(after);
  return v - node.first_output < node.outputs ? &node : nullptr;
}

// A number or constant is defined again instead of being a residual; None if it is neither.
Value constant(const Graph& graph, ValueId v, GraphBuilder& b) {
  const Node* node = defining_node(graph, v);
  if (!node) return {};
  if (const auto* tensor = std::get_if<ops::Tensor>(&node->payload)) return b.constant(*tensor);
  if (const auto* dim = std::get_if<ops::Dim>(&node->payload)) return b.size(*dim);
  if (const auto* number = std::get_if<bool>(&node->payload)) return *number;
  if (const auto* number = std::get_if<int64_t>(&node->payload)) return *number;
  if (const auto* number = std::get_if<double>(&node->payload)) return *number;
  return {};
}

// Whether a gradient that the user wrote has an effect; others have none.
bool custom_gradient_has_effect(const Module& module) {
  return std::any_of(module.graphs.begin(), module.graphs.end(), [&](const Graph& graph) {
    return graph.gradient != kNoId && graph_has_effect(module, graph.gradient);
  });
}

void drop_unused(Graph& graph, size_t first, std::vector<Residual>& residuals) {
  Marks used(graph.types.size());
  for (const Node& node : graph.nodes)
    for (ValueId v : node.inputs)
      if (v != kNoId) used[v] = 1;
  for (ValueId v : graph.results) used[v] = 1;
  size_t kept = 0;
  for (size_t i = 0; i < residuals.size(); ++i) {
    if (!used[graph.params[first + i]]) continue;
    graph.params[first + kept] = graph.params[first + i];
    graph.param_names[first + kept] = graph.param_names[first + i];
    residuals[kept++] = residuals[i];
  }
  residuals.resize(kept);
  graph.params.resize(first + kept);
  graph.param_names.resize(first + kept);
}

// Values of the forward graph in the backward one: residuals, and what is recomputed from them.
class Residuals {
 public:
  Residuals(SubGraph& sub, const std::vector<ValueId>& params, GraphBuilder& b)
      : sub_(sub), params_(params), b_(b), module_(b.module()) {}

  Value fetch(ValueId v) {
    Value& value = known_[v];
    if (!ops::none(value)) return value;
    value = constant(forward(), v, b_);
    if (!ops::none(value)) return value;
    Residual r{v, forward().type(v), {}};
    if (const auto at = std::find(params_.begin(), params_.end(), v); at != params_.end())
      r.parameter = at - params_.begin();
    value = b_.param("r" + std::to_string(sub_.residuals.size()), r.type);
    sub_.residuals.push_back(std::move(r));
    return value;
  }

  // Recomputes the value with the pure ops that lead to it.
  Value recompute(ValueId v) {
    std::set<ValueId> needed;
    for (std::vector<ValueId> todo = {v}; !todo.empty();) {
      const ValueId next = todo.back();
      todo.pop_back();
      if (next == kNoId || known_.count(next) || !needed.insert(next).second) continue;
      const Node* node = repeatable(next);
      if (node) todo.insert(todo.end(), node->inputs.begin(), node->inputs.end());
    }
    for (ValueId next : needed) {
      const Node* repeated = repeatable(next);
      if (!repeated || known_.count(next)) {
        fetch(next);
        continue;
      }
      const Node node = *repeated;
      Values in;
      for (ValueId i : node.inputs) in.push_back(i == kNoId ? Value() : known_.at(i));
      const Values out = b_.apply(*node.op, in, node.attrs);
      for (size_t i = 0; i < out.size(); ++i) known_[node.output(i)] = out[i];
    }
    return known_.at(v);
  }

 private:
  const Graph& forward() const { return module_.graph(sub_.forward); }
  const Node* repeatable(ValueId v) const {
    const Node* node = defining_node(forward(), v);
    return node && node->kind == NodeKind::Apply && !node->op->has_effect() ? node : nullptr;
  }

  SubGraph& sub_;
  const std::vector<ValueId>& params_;
  GraphBuilder& b_;
  Module& module_;
  std::map<ValueId, Value> known_;
};

}  // namespace

Type cotangent_type(const Type& type) {
  if (type.kind == Kind::Float) return Type::tensor(ops::DType::Float64, {});
  if (type.kind == Kind::Ref) return Type::tensor(type.dtype, type.dims);
  return type;
}

Value zero(GraphBuilder& b, const Type& type) {
  switch (type.kind) {
    case Kind::Stack:
      return b.stack();
    case Kind::Bool:
      return false;
    case Kind::Int:
      return int64_t{0};
    case Kind::Float:
      return 0.0;
    default:
      return b.zeros(type.dtype, type.dims);
  }
}

Values SubGraph::extra() const {
  Values values;
  for (const Residual& r : residuals)
    if (!r.parameter) values.push_back(ops::GraphValue{r.value});
  return values;
}

Types SubGraph::extra_types() const {
  Types types;
  for (const Residual& r : residuals)
    if (!r.parameter) types.push_back(r.type);
  return types;
}

SubGraph Differentiator::sub_graph(GraphId source, const Marks& varied_params, const CotangentSignature& signature,
                                   std::span<const size_t> seeds, std::optional<size_t> stack_at,
                                   std::optional<GraphId> declared) {
  SubGraph sub;
  const std::string name = module.graph(source).name;
  sub.forward = declared ? *declared : module.add_graph(name + "_forward");
  sub.backward = module.add_graph(name + "_backward");
  sub.builder = std::make_unique<GraphBuilder>(module, sub.forward);
  const Graph& graph = module.graph(source);
  const std::vector<ValueId> params = without_tokens(graph, graph.params);
  const size_t results = without_tokens(graph, graph.results).size();
  Forward forward(*this, source, *sub.builder, varied_params, at_positions(results, signature.results),
                  at_positions(params.size(), signature.refs), at_positions(params.size(), signature.accumulated));
  std::vector<ValueId> ids;
  for (size_t i = 0; i <= params.size(); ++i) {
    if (stack_at == i) sub.stack = sub.builder->param("stack", Type::stack());
    if (i == params.size()) break;
    forward.replay().param(params[i]);
    ids.push_back(sub.builder->id(forward.replay()[params[i]]));
  }
  if (declared) {
    Types types = types_without_tokens(forward.replay().source(), forward.replay().source().results);
    types.push_back(Type::stack());
    sub.builder->declare(types, returns_token(module.graph(source)));
  }
  const Record record = forward.run();
  sub.results = forward.replay().results();

  GraphBuilder b(module, sub.backward);
  Residuals residuals(sub, ids, b);
  const bool recompute = module.graph(source).recompute;
  Backward backward(record, *sub.builder, b,
                    [&](ValueId v) { return recompute ? residuals.recompute(v) : residuals.fetch(v); });
  const auto take = [&](ValueId v) {
    const Type type = cotangent_type(module.graph(sub.forward).type(v));
    backward.add(v, b.param("d" + std::to_string(b.graph().params.size()), type));
  };
  for (size_t i : seeds) take(sub.builder->id(sub.results[i]));
  for (size_t i : signature.accumulated) take(ids[i]);
  for (size_t i : signature.refs) take(ids[i]);
  const size_t cotangents = b.graph().params.size();
  backward.run();
  Values out;
  for (size_t i : signature.operands) out.push_back(backward.cotangent(ids[i]));
  for (size_t i : signature.refs) out.push_back(backward.cotangent(ids[i]));
  b.finish(out);
  drop_unused(b.graph(), cotangents, sub.residuals);
  return sub;
}

const SubGraph& Differentiator::callee(GraphId source, const Marks& varied_params, const CotangentSignature& signature,
                                       std::span<const size_t> seeds) {
  const auto key = std::tuple(source, varied_params, signature, std::vector(seeds.begin(), seeds.end()));
  if (const auto known = callees_.find(key); known != callees_.end()) return known->second;
  SubGraph callee;
  if (!cycles_.on[source]) {
    callee = sub_graph(source, varied_params, signature, seeds);
    Values results = callee.results;
    const Values extra = callee.extra();
    results.insert(results.end(), extra.begin(), extra.end());
    callee.builder->finish(results);
    callee.builder.reset();
  } else {
    callee.forward = module.add_graph(module.graph(source).name + "_forward");
    callee.backward = module.add_graph(module.graph(source).name + "_backward");
    callee.residuals.push_back({kNoId, Type::stack(), {}});
  }
  const bool shared = module.graph(source).shared, recompute = module.graph(source).recompute;
  module.graph(callee.forward).shared = shared;
  module.graph(callee.backward).shared = shared || recompute;  // inlined, it would meet the values of the forward graph
  for (GraphId id : {callee.forward, callee.backward}) module.graph(id).recompute = recompute;
  SubGraph& memo = callees_.emplace(key, std::move(callee)).first->second;
  if (cycles_.on[source]) recursive(memo, source, varied_params, signature, seeds);
  return memo;
}

// Both graphs are declared before they are written, since they come to call themselves.
void Differentiator::recursive(SubGraph& callee, GraphId source, const Marks& varied_params,
                               const CotangentSignature& signature, std::span<const size_t> seeds) {
  const Graph copy = module.graph(source);
  GraphBuilder b(module, callee.backward);
  const auto cotangents = [&](std::span<const ValueId> values, std::span<const size_t> positions) {
    const std::vector<ValueId> all = without_tokens(copy, values);
    Types types;
    for (size_t i : positions) types.push_back(cotangent_type(copy.type(all[i])));
    return types;
  };
  const Types refs = cotangents(copy.params, signature.refs);
  Types types = cotangents(copy.results, seeds);
  const Types sums = cotangents(copy.params, signature.accumulated);
  types.insert(types.end(), sums.begin(), sums.end());
  types.insert(types.end(), refs.begin(), refs.end());
  Values in;
  for (const Type& type : types) in.push_back(b.param("d" + std::to_string(in.size()), type));
  const Value stack = b.param("stack", Type::stack());
  types = cotangents(copy.params, signature.operands);
  types.insert(types.end(), refs.begin(), refs.end());
  b.declare(types, custom_gradient_has_effect(module));

  SubGraph body = sub_graph(source, varied_params, signature, seeds, {}, callee.forward);
  for (Residual& r : body.residuals) {
    if (r.type.kind == Kind::Ref)
      ops::value_error("the gradient of '" + copy.name + "', which calls itself, needs the Parameter itself");
    r.parameter.reset();
  }
  callee.residuals[0].value = body.builder->id(body.builder->push(body.builder->stack(), body.extra()));
  body.results.push_back(ops::GraphValue{callee.residuals[0].value});
  body.builder->finish(body.results);

  const Values popped = b.pop(stack, body.extra_types());
  in.insert(in.end(), popped.begin() + 1, popped.end());
  Replay replay(module, body.backward, b);
  replay.set(without_tokens(replay.source(), replay.source().params), in);
  for (const Node& node : replay.source().nodes) replay.node(node);
  b.finish(replay.results());
}

}  // namespace ember::bytecode
