// If, While and Call under batching.
#include <algorithm>

#include "bytecode/transforms/batching.h"
#include "bytecode/transforms/differentiate.h"

namespace ember::bytecode {

using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

Marks marks_of(const Marks& marks, std::span<const ValueId> values) {
  Marks subset;
  for (ValueId v : values) subset.push_back(marks[v]);
  return subset;
}

bool makes_empty_stack(const Module& module, GraphId id, size_t result) {
  const Graph& graph = module.graph(id);
  const ValueId v = without_tokens(graph, graph.results)[result];
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return node.kind == NodeKind::Stack && node.output() == v; });
}

// Element by element of the batch; the condition has the batch axis alone.
Value select(GraphBuilder& b, const Value& condition, const Value& yes, const Value& no) {
  const ops::Dims dims = b.dims(yes);
  if (dims.size() == 1) return b.select(condition, yes, no);
  ops::Dims column(dims.size(), 1);
  column[0] = dims[0];
  return b.select(b.reshape(condition, column), yes, no);
}

}  // namespace

void BatchedGraph::call(const Node& node) {
  const Ports p = ports(replay_.source(), node);
  if (const auto own = custom_gradient_operands(owner_.module, node)) return call_with_gradient(node, p, *own);
  Values in = replay_.at(p.in);
  const bool masked = !ops::none(mask_);
  if (masked) in.push_back(mask_);
  replay_.set(p.out,
              out_.call(owner_.graph(node.graphs[0], marks_of(marks_, p.in), marks_of(marks_, p.out), masked), in));
}

// All operands get the batch axis, so that the batched gradient returns with it.
void BatchedGraph::call_with_gradient(const Node& node, const Ports& p, size_t own) {
  if (std::none_of(p.in.begin(), p.in.end(), [&](ValueId v) { return marks_[v] != 0; })) return replay_.node(node);
  Values in;
  Marks params;
  for (ValueId v : p.in) {
    params.push_back(type(v).kind != Kind::Ref);
    in.push_back(params.back() ? with_axis(v) : replay_[v]);
  }
  const Marks results = marks_of(marks_, p.out);
  Marks taken = results;
  taken.insert(taken.end(), params.begin(), params.begin() + static_cast<ptrdiff_t>(own));
  taken.insert(taken.end(), results.begin(), results.end());
  taken.insert(taken.end(), params.begin() + static_cast<ptrdiff_t>(own), params.end());
  const GraphId callee = owner_.graph(node.graphs[0], params, results, false);
  const GraphId gradient = owner_.graph(owner_.module.graph(node.graphs[0]).gradient, taken, Marks(own, 1), false);
  owner_.module.graph(callee).gradient = gradient;
  replay_.set(p.out, out_.call(callee, in));
}

void BatchedGraph::branch(const Node& node) {
  const Ports p = ports(replay_.source(), node);
  const Marks params = marks_of(marks_, p.in), results = marks_of(marks_, p.out);
  if (marks_[node.inputs[0]]) return select_branches(node, p, params, results);
  Values in = replay_.at(p.in);
  const bool masked = !ops::none(mask_);
  if (masked) in.push_back(mask_);
  const GraphId yes = owner_.graph(node.graphs[0], params, results, masked);
  const GraphId no = owner_.graph(node.graphs[1], params, results, masked);
  replay_.set(p.out, out_.if_else(replay_[node.inputs[0]], in, yes, no));
}

Values BatchedGraph::run_branch(GraphId branch, const Ports& p, const Value& taken, const Marks& params,
                                const Marks& results) {
  Values in = replay_.at(p.in);
  in.push_back(ops::none(mask_) ? taken : out_.call("logical_and", {mask_, taken}));
  const GraphId batched = owner_.graph(branch, params, results, true);
  if (!owner_.cycles.leading[branch]) return out_.call(batched, in);
  Module& module = owner_.module;
  const GraphId not_taken = module.add_graph(module.graph(branch).name + "_not_taken");
  GraphBuilder b(module, not_taken);
  for (const Value& v : in) b.param("unused", out_.type(v));
  const Graph graph = module.graph(batched);
  Values zeros;
  for (ValueId v : without_tokens(graph, graph.results)) zeros.push_back(zero(b, graph.type(v)));
  b.finish(zeros);
  return out_.if_else(out_.item(out_.call("any", {in.back()})), in, batched, not_taken);
}

void BatchedGraph::select_branches(const Node& node, const Ports& p, const Marks& params, const Marks& results) {
  const Value condition = replay_[node.inputs[0]];
  const Values yes = run_branch(node.graphs[0], p, condition, params, results);
  const Values no = run_branch(node.graphs[1], p, out_.call("logical_not", {condition}), params, results);
  for (size_t i = 0; i < p.out.size(); ++i) replay_[p.out[i]] = merge(node, i, yes[i], no[i]);
}

Value BatchedGraph::merge(const Node& node, size_t result, const Value& yes, const Value& no) {
  if (out_.type(yes).kind != Kind::Stack) return select(out_, replay_[node.inputs[0]], yes, no);
  if (makes_empty_stack(owner_.module, node.graphs[1], result)) return yes;
  if (makes_empty_stack(owner_.module, node.graphs[0], result)) return no;
  ops::value_error("vmap: both branches of an if on a batched condition return stacks");
}

// What any element of the batch raises is raised, with the operands of the first that does.
void BatchedGraph::raise(const Node& node, const Values& in) {
  Module& module = owner_.module;
  const GraphId yes = module.add_graph("raise"), no = module.add_graph("pass");
  GraphBuilder b(module, yes), nothing(module, no);
  b.set_source(node.source);
  const auto param = [&](const Type& type) {
    nothing.param("v", type);
    return b.param("v", type);
  };
  const Value raises = every_element();
  const Value first = b.call("argmax", {b.cast(param(out_.type(raises)), ops::DType::Int32)});
  Values operands;
  for (size_t i = 0; i < in.size(); ++i) {
    const Value operand = param(out_.type(in[i]));
    operands.push_back(marks_[node.inputs[i]] ? b.call("gather", {operand, first}, {{"axis", int64_t{0}}}) : operand);
  }
  b.apply(*node.op, operands, node.attrs);
  b.finish({});
  nothing.finish({});
  Values all = {raises};
  all.insert(all.end(), in.begin(), in.end());
  out_.if_else(out_.call("any", {raises}), all, yes, no);
}

void BatchedGraph::loop(const Node& node) {
  const Ports p = ports(replay_.source(), node);
  std::vector<ValueId> loop_values = p.in;
  std::copy_n(p.out.begin(), p.carried, loop_values.begin());
  const Marks params = marks_of(marks_, loop_values), carried = marks_of(marks_, p.out);
  if (owner_.flow.results(node.graphs[0], params)[0]) return masked_loop(node, p, params);
  Values in = entering(p, params);
  const bool masked = !ops::none(mask_);
  if (masked) in.push_back(mask_);
  const GraphId condition = owner_.graph(node.graphs[0], params, {0}, masked);
  const GraphId body = owner_.graph(node.graphs[1], params, carried, masked);
  const std::span<const Value> all = in;
  replay_.set(p.out, out_.while_loop(all.first(p.carried), all.subspan(p.carried), condition, body));
}

Values BatchedGraph::entering(const Ports& p, const Marks& params) {
  Values in;
  for (size_t i = 0; i < p.in.size(); ++i) in.push_back(params[i] ? with_axis(p.in[i]) : replay_[p.in[i]]);
  return in;
}

// Carries besides the loop's own values which elements go on; the last invariant are those there are at all.
void BatchedGraph::masked_loop(const Node& node, const Ports& p, const Marks& params) {
  Module& module = owner_.module;
  const GraphId test = owner_.graph(node.graphs[0], params, {1}, true);
  const GraphId body = owner_.graph(node.graphs[1], params, Marks(p.carried, 1), true);
  const auto go_on = [&](GraphBuilder& b, Values values, const Value& present) {
    values.push_back(present);
    return b.call("logical_and", {b.call(test, values)[0], present});
  };
  const Values in = entering(p, params);
  const Value present = every_element();
  Values carried(in.begin(), in.begin() + static_cast<ptrdiff_t>(p.carried));
  carried.push_back(go_on(out_, in, present));
  Values invariant(in.begin() + static_cast<ptrdiff_t>(p.carried), in.end());
  invariant.push_back(present);

  const std::string name = module.graph(node.graphs[1]).name;
  const GraphId condition = module.add_graph(name + "_goes_on"), trip = module.add_graph(name + "_trip");
  GraphBuilder c(module, condition), b(module, trip);
  Values seen, state;
  for (const Values* values : {&carried, &invariant})
    for (const Value& v : *values) {
      seen.push_back(c.param("v", out_.type(v)));
      state.push_back(b.param("v", out_.type(v)));
    }
  c.finish(std::array{c.item(c.call("any", {seen[p.carried]}))});

  const Value active = state[p.carried], still_present = state.back();
  state.pop_back();
  state.erase(state.begin() + static_cast<ptrdiff_t>(p.carried));
  Values arguments = state;
  arguments.push_back(active);
  Values next = b.call(body, arguments);
  for (size_t i = 0; i < p.carried; ++i)
    if (b.type(next[i]).kind != Kind::Stack) next[i] = select(b, active, next[i], state[i]);
  std::copy_n(next.begin(), p.carried, state.begin());
  next.push_back(go_on(b, state, still_present));
  b.finish(next);
  replay_.set(p.out, out_.while_loop(carried, invariant, condition, trip));
}

}  // namespace ember::bytecode
