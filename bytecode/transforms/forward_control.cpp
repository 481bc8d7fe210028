// If, While and Call in the forward part. Their sub-graphs are differentiated at once, so that the copied node can
// return the residuals.
#include <algorithm>

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

void append(Values& to, const Values& more) { to.insert(to.end(), more.begin(), more.end()); }

void append_zeros(GraphBuilder& b, Values& to, const Types& types) {
  for (const Type& type : types) to.push_back(zero(b, type));
}

void add_params(Graph& graph, const SubGraph& other) {
  for (const Residual& r : other.residuals) graph.add_param("unused", r.type);
}

}  // namespace

bool Forward::control(const Node& node) {
  const Graph& source = replay_.source();
  const Ports p = ports(source, node);
  if (const auto own = custom_gradient_operands(owner_.module, node)) return custom_gradient(node, p, *own);
  Marks varied = marks_of(varied_, p.in);
  for (size_t i = 0; i < p.carried; ++i) varied[i] = varied_[p.out[i]];
  CotangentSignature signature = this->signature(node, p, varied);
  if (signature.empty()) return false;
  out_.set_source(node.source);
  if (node.kind == NodeKind::If)
    branch(node, p, std::move(signature), varied);
  else if (node.kind == NodeKind::While)
    loop(node, p, std::move(signature), varied);
  else
    call(node, p, std::move(signature), varied);
  record_.varied.resize(out_.graph().types.size());
  for (ValueId v : p.out) record_.varied[id(v)] |= varied_[v];
  return true;
}

bool Forward::custom_gradient(const Node& node, const Ports& p, size_t operands) {
  if (std::none_of(p.out.begin(), p.out.end(), [&](ValueId v) { return varied_[v] && useful_[v]; })) return false;
  out_.set_source(node.source);
  const Values in = replay_.at(p.in), out = out_.call(node.graphs[0], in);
  replay_.set(p.out, out);
  ControlEntry entry;
  entry.source = node.source;
  entry.graphs[0] = owner_.module.graph(node.graphs[0]).gradient;
  const auto ids = [&](std::span<const Value> values, std::vector<ValueId>& to) {
    for (const Value& v : values) to.push_back(out_.id(v));
  };
  const std::span<const Value> all = in;
  ids(out, entry.results);
  ids(all.first(operands), entry.operands);
  entry.accumulated.resize(operands);
  ids(all.first(operands), entry.residuals);
  ids(out, entry.residuals);
  ids(all.subspan(operands), entry.residuals);
  record_.entries.push_back(std::move(entry));
  record_.varied.resize(out_.graph().types.size());
  for (ValueId v : p.out) record_.varied[id(v)] |= varied_[v];
  return true;
}

CotangentSignature Forward::signature(const Node& node, const Ports& p, const Marks& varied) {
  const Graph& source = replay_.source();
  const size_t number = &node - source.nodes.data();
  CotangentSignature signature;
  for (size_t i = 0; i < p.out.size(); ++i)
    if (varied_[p.out[i]] && useful_[p.out[i]] && differentiable(source.type(p.out[i]))) signature.results.push_back(i);
  Marks needed(p.in.size());
  for (GraphId sub : node.graphs) {
    if (sub == kNoId || (node.kind == NodeKind::While && sub == node.graphs[0])) continue;
    const Marks more = owner_.useful.params(sub, marks_of(useful_, p.out), marks_of(useful_, p.in));
    for (size_t i = 0; i < p.in.size(); ++i) needed[i] |= more[i];
  }
  for (size_t i = 0; i < p.in.size(); ++i) {
    const Type& type = source.type(p.in[i]);
    const bool active = i < p.carried ? std::count(signature.results.begin(), signature.results.end(), i) != 0
                                      : varied[i] && needed[i] && differentiable(type);
    if (!active) continue;
    auto& list = type.kind == Kind::Ref ? signature.refs : signature.operands;
    list.push_back(i);
    const bool goes_on = last_use_[p.in[i]] > number && type.kind != Kind::Stack;
    if (type.kind != Kind::Ref && i >= p.carried && (goes_on || node.kind == NodeKind::While))
      signature.accumulated.push_back(i);
    if (type.kind == Kind::Ref && std::count(p.in.begin(), p.in.end(), p.in[i]) > 1)
      ops::value_error("one Parameter is passed twice to a differentiated graph");
  }
  return signature;
}

ControlEntry Forward::entry(const Node& node, const Ports& p, const CotangentSignature& signature) {
  ControlEntry entry;
  entry.kind = node.kind;
  entry.source = node.source;
  for (size_t i : signature.results) entry.results.push_back(id(p.out[i]));
  for (size_t i : signature.refs) entry.refs.push_back(id(p.in[i]));
  for (size_t i : signature.operands) {
    entry.operands.push_back(id(p.in[i]));
    entry.accumulated.push_back(std::count(signature.accumulated.begin(), signature.accumulated.end(), i) != 0);
  }
  return entry;
}

void Forward::branch(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied) {
  SubGraph yes = owner_.sub_graph(node.graphs[0], varied, signature, signature.results);
  SubGraph no = owner_.sub_graph(node.graphs[1], varied, signature, signature.results);
  append(yes.results, yes.extra());
  append_zeros(*yes.builder, yes.results, no.extra_types());
  append_zeros(*no.builder, no.results, yes.extra_types());
  append(no.results, no.extra());
  yes.builder->finish(yes.results);
  no.builder->finish(no.results);
  const Value condition = replay_[node.inputs[0]];
  const Values in = replay_.at(p.in);
  const Values out = out_.if_else(condition, in, yes.forward, no.forward);
  replay_.set(p.out, out);

  Module& module = owner_.module;
  Graph& yes_backward = module.graph(yes.backward);
  Graph& no_backward = module.graph(no.backward);
  const size_t own = no_backward.params.size();
  add_params(yes_backward, no);
  add_params(no_backward, yes);
  const size_t first = signature.results.size() + signature.accumulated.size() + signature.refs.size();
  std::rotate(no_backward.params.begin() + first, no_backward.params.begin() + own, no_backward.params.end());
  std::rotate(no_backward.param_names.begin() + first, no_backward.param_names.begin() + own,
              no_backward.param_names.end());

  ControlEntry entry = this->entry(node, p, signature);
  entry.condition = out_.id(condition);
  entry.graphs[0] = yes.backward;
  entry.graphs[1] = no.backward;
  size_t extra = p.out.size();
  for (const SubGraph* sub : {&yes, &no})
    for (const Residual& r : sub->residuals)
      entry.residuals.push_back(out_.id(r.parameter ? in[*r.parameter] : out[extra++]));
  record_.entries.push_back(std::move(entry));
}

void Forward::call(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied) {
  const SubGraph& callee = owner_.callee(node.graphs[0], varied, signature, signature.results);
  const Values in = replay_.at(p.in);
  const Values out = out_.call(callee.forward, in);
  replay_.set(p.out, out);
  ControlEntry entry = this->entry(node, p, signature);
  entry.graphs[0] = callee.backward;
  size_t extra = p.out.size();
  for (const Residual& r : callee.residuals)
    entry.residuals.push_back(out_.id(r.parameter ? in[*r.parameter] : out[extra++]));
  record_.entries.push_back(std::move(entry));
}

void Forward::loop(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied) {
  Module& module = owner_.module;
  SubGraph body = owner_.sub_graph(node.graphs[1], varied, signature, signature.results, p.carried);
  for (Residual& r : body.residuals)
    if (r.parameter && *r.parameter < p.carried) r.parameter.reset();
  body.results.push_back(body.builder->push(body.stack, body.extra()));
  body.builder->finish(body.results);
  const GraphId condition = with_ignored_param(module, node.graphs[0], p.carried, "stack", Type::stack());
  const Values in = replay_.at(p.in);
  Values carried(in.begin(), in.begin() + static_cast<ptrdiff_t>(p.carried));
  carried.push_back(out_.stack());
  const Values out = out_.while_loop(carried, std::span(in).subspan(p.carried), condition, body.forward);
  replay_.set(p.out, out);

  ControlEntry entry = this->entry(node, p, signature);
  entry.stack = out_.id(out[p.carried]);
  for (const Residual& r : body.residuals)
    if (r.parameter) entry.residuals.push_back(out_.id(in[*r.parameter]));
  loop_backward(entry, body);
  record_.entries.push_back(std::move(entry));
}

// The backward While: pops the residuals of a trip, calls the body's backward graph with them.
void Forward::loop_backward(ControlEntry& entry, const SubGraph& body) {
  Module& module = owner_.module;
  entry.graphs[0] = module.add_graph(module.graph(body.backward).name + "_goes_on");
  entry.graphs[1] = module.add_graph(module.graph(body.backward).name + "_trip");
  GraphBuilder condition(module, entry.graphs[0]);
  GraphBuilder b(module, entry.graphs[1]);
  const auto param = [&](const char* name, const Type& type) {
    condition.param(name, type);
    return b.param(name, type);
  };
  const Graph& backward = module.graph(body.backward);
  const Types results = [&] {
    Types types;
    for (ValueId v : backward.results) types.push_back(backward.type(v));
    return types;
  }();
  const Value goes_on = condition.non_empty(condition.param("stack", Type::stack()));
  const Value stack = b.param("stack", Type::stack());
  Values state;
  for (const Type& type : results) state.push_back(param("d", type));
  const Values popped = b.pop(stack, body.extra_types());
  Values in = state;
  size_t extra = 1;
  for (const Residual& r : body.residuals) in.push_back(r.parameter ? param("r", r.type) : popped[extra++]);
  Values next = b.call(body.backward, in);
  next.insert(next.begin(), popped[0]);
  b.finish(next);
  condition.finish(std::array{goes_on});
}

}  // namespace ember::bytecode
