// One case per node kind. Tokens, their updates and Depends are left out: the builder makes its own, in the same order.
#include "bytecode/transforms/replay.h"

#include <algorithm>

#include "bytecode/transforms/flow.h"

namespace ember::bytecode {

using ops::Value;
using ops::Values;

Replay::Replay(const Module& module, GraphId source, GraphBuilder& out)
    : source_(module.graph(source)), out_(out), values_(source_.types.size()) {}

Values Replay::at(std::span<const ValueId> ids) const {
  Values values;
  for (ValueId v : ids) values.push_back(v == kNoId ? Value() : values_[v]);
  return values;
}

void Replay::set(std::span<const ValueId> ids, std::span<const Value> values) {
  for (size_t i = 0; i < ids.size(); ++i) values_[ids[i]] = values[i];
}

void Replay::param(ValueId v) {
  const size_t at = std::find(source_.params.begin(), source_.params.end(), v) - source_.params.begin();
  values_[v] = out_.param(source_.param_names[at], source_.type(v));
}

Values Replay::operands(const Node& node) const { return at(without_tokens(source_, node.inputs)); }

Values Replay::results() const { return at(without_tokens(source_, source_.results)); }

void Replay::raw(const Node& node) {
  Node copy = node;
  for (ValueId& v : copy.inputs)
    if (v != kNoId) v = out_.id(values_[v]);
  const std::span<const Type> types(source_.types.data() + node.first_output, node.outputs);
  const ValueId first = out_.graph().add_node(std::move(copy), types);
  for (size_t i = 0; i < node.outputs; ++i) values_[node.output(i)] = ops::GraphValue{first + static_cast<ValueId>(i)};
}

void Replay::control(const Node& node) {
  const Ports p = ports(source_, node);
  const Values in = at(p.in);
  Values out;
  if (node.kind == NodeKind::If)
    out = out_.if_else(values_[node.inputs[0]], in, node.graphs[0], node.graphs[1]);
  else if (node.kind == NodeKind::While)
    out = out_.while_loop(std::span(in).first(p.carried), std::span(in).subspan(p.carried), node.graphs[0],
                          node.graphs[1]);
  else
    out = out_.call(node.graphs[0], in);
  set(p.out, out);
}

void Replay::node(const Node& node) {
  out_.set_source(node.source);
  const auto in = [&](size_t i) { return values_[node.inputs[i]]; };
  switch (node.kind) {
    case NodeKind::State:
    case NodeKind::UpdateState:
      return;
    case NodeKind::Apply: {
      const Values out = out_.apply(*node.op, operands(node), node.attrs);
      for (size_t i = 0; i < out.size(); ++i) values_[node.output(i)] = out[i];
      return;
    }
    case NodeKind::Depend:
      values_[node.output()] = in(0);
      return;
    case NodeKind::Load:
      values_[node.output()] = out_.load(in(0));
      return;
    case NodeKind::RandomKey:
      values_[node.output()] = out_.next_random();
      return;
    case NodeKind::If:
    case NodeKind::While:
    case NodeKind::Call:
      return control(node);
    default:
      return raw(node);
  }
}

GraphId with_ignored_param(Module& module, GraphId graph, size_t position, const char* name, const Type& type) {
  Graph copy = module.graph(graph);
  copy.add_param(name, type);
  std::rotate(copy.params.begin() + position, copy.params.end() - 1, copy.params.end());
  std::rotate(copy.param_names.begin() + position, copy.param_names.end() - 1, copy.param_names.end());
  module.graphs.push_back(std::move(copy));
  return static_cast<GraphId>(module.graphs.size() - 1);
}

}  // namespace ember::bytecode
