// Optimistic fixpoints over marks that only grow: the transfer of a graph runs again while one of its Refs gains a
// mark, of a While while one of its carried values does, of a graph that calls itself while anything does. Results are
// kept by graph and marks, so nested loops stay cheap.
#include "bytecode/transforms/flow.h"

#include <algorithm>

namespace ember::bytecode {

using ops::Flag;
using ops::Kind;

namespace {

bool any(const Marks& marks, std::span<const ValueId> values) {
  return std::any_of(values.begin(), values.end(), [&](ValueId v) { return v != kNoId && marks[v]; });
}

Marks marks_of(const Marks& marks, std::span<const ValueId> values) {
  Marks subset;
  for (ValueId v : values) subset.push_back(marks[v]);
  return subset;
}

bool draws(const ops::Op& op) {
  const auto& params = op.signature.params;
  return std::any_of(params.begin(), params.end(),
                     [](const ops::Param& p) { return p.kind == ops::ParamKind::Random; });
}

bool is_ref(const Graph& graph, ValueId v) { return v != kNoId && graph.type(v).kind == Kind::Ref; }

bool is_control(const Node& node) {
  return node.kind == NodeKind::If || node.kind == NodeKind::While || node.kind == NodeKind::Call;
}

void mark_apply(FlowRule rule, const Graph& graph, const Node& node, Marks& marks) {
  const bool varied = rule == FlowRule::Varied;
  if (varied && node.op->flags.has(Flag::NoGradient)) return;
  if (varied && node.op->flags.has(Flag::Memory)) {
    for (size_t i = 0; i < node.outputs; ++i) marks[node.output(i)] = marks[written_ref(graph, node)];
    return;
  }
  if (!any(marks, node.inputs) && (varied || !draws(*node.op))) return;
  for (size_t i = 0; i < node.outputs; ++i)
    if (!varied || differentiable(graph.type(node.output(i)))) marks[node.output(i)] = 1;
  if (node.op->flags.has(Flag::Memory)) marks[written_ref(graph, node)] = 1;
}

}  // namespace

std::vector<ValueId> without_tokens(const Graph& graph, std::span<const ValueId> values) {
  std::vector<ValueId> rest;
  for (ValueId v : values)
    if (v == kNoId || graph.type(v).kind != Kind::Token) rest.push_back(v);
  return rest;
}

Types types_without_tokens(const Graph& graph, std::span<const ValueId> values) {
  Types types;
  for (ValueId v : without_tokens(graph, values)) types.push_back(graph.type(v));
  return types;
}

bool returns_token(const Graph& graph) {
  return !graph.results.empty() && graph.type(graph.results.back()).kind == Kind::Token;
}

Ports ports(const Graph& graph, const Node& node) {
  Ports p;
  std::span<const ValueId> in = node.inputs;
  p.carried = without_tokens(graph, in.first(node.carried)).size();
  p.in = without_tokens(graph, node.kind == NodeKind::If ? in.subspan(1) : in);
  std::vector<ValueId> out;
  for (size_t i = 0; i < node.outputs; ++i) out.push_back(node.output(i));
  p.out = without_tokens(graph, out);
  return p;
}

bool differentiable(const Type& type) {
  return type.kind == Kind::Float || type.kind == Kind::Stack || (type.is_tensor() && type.dtype != ops::DType::Bool);
}

ValueId written_ref(const Graph& graph, const Node& node) {
  return *std::ranges::find_if(node.inputs, [&](ValueId v) { return is_ref(graph, v); });
}

std::optional<size_t> custom_gradient_operands(const Module& module, const Node& node) {
  if (node.kind != NodeKind::Call || module.graph(node.graphs[0]).gradient == kNoId) return {};
  const Graph& gradient = module.graph(module.graph(node.graphs[0]).gradient);
  return without_tokens(gradient, gradient.results).size();
}

void mark_node(FlowRule rule, const Graph& graph, const Node& node, Marks& marks) {
  if (node.kind == NodeKind::Apply) return mark_apply(rule, graph, node, marks);
  if (node.kind == NodeKind::UpdateState || node.kind == NodeKind::RandomKey) return;
  const bool varied = rule == FlowRule::Varied;
  if (node.kind == NodeKind::Load && !varied) return;
  if (node.kind == NodeKind::NonEmpty && rule != FlowRule::MaskedStacks) return;
  if (node.kind == NodeKind::Stack && (rule == FlowRule::BatchedStacks || rule == FlowRule::MaskedStacks))
    marks[node.output()] = 1;
  const size_t read = node.kind == NodeKind::Depend || node.kind == NodeKind::Load ? 1 : node.inputs.size();
  if (!any(marks, std::span(node.inputs).first(read))) return;
  for (size_t i = 0; i < node.outputs; ++i)
    if (!varied || differentiable(graph.type(node.output(i)))) marks[node.output(i)] = 1;
}

void Flow::restart(FlowRule rule) {
  rule_ = rule;
  known_.clear();
  pushes_marked_ = loops_marked_ = false;
}

const Marks& MarkedGraphs::get(const Key& key, const std::function<Marks()>& start,
                               const std::function<bool(Marks&)>& transfer) {
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (const auto asked = open_.find(key); asked != open_.end()) {
    asked->second.asked = true;
    return asked->second.marks;
  }
  const auto at = open_.emplace(key, Open{start()}).first;
  Open& open = at->second;
  const size_t before = order_.size();
  for (bool again = true; again;) {
    Marks marks = open.marks;
    again = transfer(marks);
    if (open.asked && marks != open.marks) {
      again = true;
      for (; order_.size() > before; order_.pop_back()) known_.erase(order_.back());
    }
    open.marks = std::move(marks);
  }
  order_.push_back(key);
  Marks& marks = known_[key] = std::move(open.marks);
  open_.erase(at);
  return marks;
}

Marks Flow::forward(GraphId id, const Marks& params) {
  const Graph& graph = module_.graph(id);
  const auto start = [&] {
    const std::vector<ValueId> inputs = without_tokens(graph, graph.params);
    Marks marks(graph.types.size());
    for (size_t i = 0; i < inputs.size(); ++i) marks[inputs[i]] = params[i];
    return marks;
  };
  return known_.get({id, params}, start, [&](Marks& marks) {
    const Marks before = marks_of(marks, graph.params);
    for (const Node& node : graph.nodes) visit(graph, node, marks);
    return marks_of(marks, graph.params) != before;
  });
}

Marks Flow::results(GraphId id, const Marks& params) {
  const Graph& graph = module_.graph(id);
  return marks_of(forward(id, params), without_tokens(graph, graph.results));
}

Marks Flow::run(GraphId id, std::span<const ValueId> in, Marks& marks) {
  const Graph& graph = module_.graph(id);
  const Marks inside = forward(id, marks_of(marks, in));
  const std::vector<ValueId> params = without_tokens(graph, graph.params);
  for (size_t i = 0; i < in.size(); ++i)
    if (is_ref(graph, params[i])) marks[in[i]] |= inside[params[i]];
  return marks_of(inside, without_tokens(graph, graph.results));
}

void Flow::visit(const Graph& graph, const Node& node, Marks& marks) {
  switch (node.kind) {
    case NodeKind::If:
      return visit_if(graph, node, marks);
    case NodeKind::While:
      return visit_while(graph, node, marks);
    case NodeKind::Call:
      return visit_call(graph, node, marks);
    default:
      mark_node(rule_, graph, node, marks);
      pushes_marked_ |= node.kind == NodeKind::Push && marks[node.output()];
  }
}

void Flow::visit_if(const Graph& graph, const Node& node, Marks& marks) {
  const Ports p = ports(graph, node);
  const Marks yes = run(node.graphs[0], p.in, marks);
  const Marks no = run(node.graphs[1], p.in, marks);
  const bool all = rule_ != FlowRule::Varied && marks[node.inputs[0]];
  for (size_t i = 0; i < p.out.size(); ++i) marks[p.out[i]] |= all || yes[i] || no[i];
}

void Flow::visit_while(const Graph& graph, const Node& node, Marks& marks) {
  const Ports p = ports(graph, node);
  for (size_t i = 0; i < p.carried; ++i) marks[p.out[i]] |= marks[p.in[i]];
  std::vector<ValueId> in = p.in;
  std::copy_n(p.out.begin(), p.carried, in.begin());
  Marks before;
  do {
    before = marks_of(marks, in);
    const Marks next = run(node.graphs[1], in, marks);
    const bool all = run(node.graphs[0], in, marks)[0] && rule_ != FlowRule::Varied;
    loops_marked_ |= all;
    for (size_t i = 0; i < p.carried; ++i) marks[p.out[i]] |= all || next[i];
  } while (marks_of(marks, in) != before);
}

void Flow::visit_call(const Graph& graph, const Node& node, Marks& marks) {
  const Ports p = ports(graph, node);
  if (const auto own = custom_gradient_operands(module_, node); own && rule_ == FlowRule::Varied) {
    const bool varied = any(marks, std::span(p.in).first(*own));
    for (ValueId v : p.out) marks[v] |= varied && differentiable(graph.type(v));
    return;
  }
  const Marks results = run(node.graphs[0], p.in, marks);
  for (size_t i = 0; i < p.out.size(); ++i) marks[p.out[i]] |= results[i];
}

Marks UsefulFlow::backward(GraphId id, const Marks& results, const Marks& refs) {
  Marks seed = results;
  seed.insert(seed.end(), refs.begin(), refs.end());
  const Graph& graph = module_.graph(id);
  const auto start = [&] {
    const std::vector<ValueId> inputs = without_tokens(graph, graph.params);
    const std::vector<ValueId> outputs = without_tokens(graph, graph.results);
    Marks marks(graph.types.size());
    for (size_t i = 0; i < outputs.size(); ++i) marks[outputs[i]] |= results[i];
    for (size_t i = 0; i < inputs.size(); ++i)
      if (is_ref(graph, inputs[i])) marks[inputs[i]] = refs[i];
    return marks;
  };
  return known_.get({id, std::move(seed)}, start, [&](Marks& marks) {
    const Marks before = marks_of(marks, graph.params);
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) visit(graph, *node, marks);
    return marks_of(marks, graph.params) != before;
  });
}

Marks UsefulFlow::params(GraphId id, const Marks& results, const Marks& refs) {
  const Graph& graph = module_.graph(id);
  return marks_of(backward(id, results, refs), without_tokens(graph, graph.params));
}

void UsefulFlow::visit(const Graph& graph, const Node& node, Marks& marks) {
  if (is_control(node)) return visit_control(graph, node, marks);
  if (node.kind == NodeKind::Apply && node.op->flags.has(Flag::NoGradient)) return;
  bool useful = false;
  for (size_t i = 0; i < node.outputs; ++i) useful |= marks[node.output(i)] != 0;
  if (!useful) return;
  if (node.kind == NodeKind::Apply && node.op->flags.has(Flag::Memory)) {
    marks[written_ref(graph, node)] = 1;
    return;
  }
  for (ValueId v : node.inputs)
    if (v != kNoId && differentiable(graph.type(v))) marks[v] = 1;
}

void UsefulFlow::visit_control(const Graph& graph, const Node& node, Marks& marks) {
  const Ports p = ports(graph, node);
  if (const auto own = custom_gradient_operands(module_, node)) {
    const bool useful = any(marks, p.out);
    for (ValueId v : std::span(p.in).first(*own)) marks[v] |= useful && differentiable(graph.type(v));
    return;
  }
  Marks before;
  do {
    before = marks_of(marks, p.out);
    for (GraphId sub : node.graphs) {
      if (sub == kNoId || (node.kind == NodeKind::While && sub == node.graphs[0])) continue;
      const Marks needed = params(sub, marks_of(marks, p.out), marks_of(marks, p.in));
      for (size_t i = 0; i < p.in.size(); ++i) marks[p.in[i]] |= needed[i];
      for (size_t i = 0; i < p.carried; ++i) marks[p.out[i]] |= needed[i];
    }
  } while (node.kind == NodeKind::While && marks_of(marks, p.out) != before);
  for (size_t i = 0; i < p.carried; ++i) marks[p.in[i]] |= marks[p.out[i]];  // a loop may make no trip
}

}  // namespace ember::bytecode
