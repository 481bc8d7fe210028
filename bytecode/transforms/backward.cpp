// The backward part: the record in reverse, each node turning the cotangents of its results into those of its operands.
#include <algorithm>

#include "bytecode/transforms/differentiate.h"

namespace ember::bytecode {

using ops::Flag;
using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

bool saved(uint32_t mask, size_t i) { return mask >> std::min<size_t>(i, 31) & 1; }

std::vector<ValueId> outputs(const Node& node) {
  std::vector<ValueId> ids;
  for (size_t i = 0; i < node.outputs; ++i) ids.push_back(node.output(i));
  return ids;
}

}  // namespace

Backward::Backward(const Record& record, const GraphBuilder& forward, GraphBuilder& out, Fetch fetch)
    : record_(record),
      out_(out),
      module_(out.module()),
      forward_(forward.graph_id()),
      types_(module_.graph(forward_).types),
      fetch_(std::move(fetch)),
      cotangents_(types_.size()) {
  find_loads();
}

void Backward::find_loads() {
  const Graph& graph = module_.graph(forward_);
  for (const RecordEntry& entry : record_.entries) {
    const auto* number = std::get_if<uint32_t>(&entry);
    if (!number) continue;
    const Node& node = graph.nodes[*number];
    if (node.kind == NodeKind::Load)
      loads_[node.output()] = node.inputs[0];
    else if (node.kind == NodeKind::Apply && node.op->flags.has(Flag::Memory))
      for (ValueId v : outputs(node)) loads_[v] = written_ref(graph, node);
  }
}

ValueId Backward::place(ValueId v) const {
  const auto load = loads_.find(v);
  return load == loads_.end() ? v : load->second;
}

void Backward::add(ValueId v, const Value& cotangent) {
  if (v == kNoId || ops::none(cotangent) || !record_.varied[v]) return;
  const Type target = cotangent_type(type(v));
  const bool fits = !target.is_tensor() || out_.type(cotangent).dtype == target.dtype;
  const Value fitted = fits ? cotangent : out_.cast(cotangent, target.dtype);
  Value& sum = cotangents_[place(v)];
  if (ops::none(sum)) {
    sum = fitted;
    return;
  }
  if (type(v).kind == Kind::Stack) ops::value_error("a stack that is used twice can't be differentiated");
  sum = out_.add(sum, fitted);
}

Value Backward::cotangent(ValueId v) {
  const Value& sum = cotangents_[place(v)];
  return ops::none(sum) ? zero(out_, cotangent_type(type(v))) : sum;
}

bool Backward::any(std::span<const ValueId> values) const {
  return std::any_of(values.begin(), values.end(), [&](ValueId v) { return !ops::none(cotangents_[v]); });
}

Values Backward::gather(std::span<const ValueId> values) {
  Values cotangents;
  for (ValueId v : values) cotangents.push_back(cotangent(v));
  return cotangents;
}

// The operands' cotangents so far, to which from here on the backward graph adds.
Values Backward::take_accumulators(const ControlEntry& entry) {
  Values sums;
  for (size_t i = 0; i < entry.operands.size(); ++i) {
    if (!entry.accumulated[i]) continue;
    sums.push_back(cotangent(entry.operands[i]));
    cotangents_[place(entry.operands[i])] = {};
  }
  return sums;
}

void Backward::run() {
  for (auto entry = record_.entries.rbegin(); entry != record_.entries.rend(); ++entry) {
    if (const auto* number = std::get_if<uint32_t>(&*entry))
      plain(Node(module_.graph(forward_).nodes[*number]));
    else
      control(std::get<ControlEntry>(*entry));
  }
}

void Backward::plain(const Node& node) {
  out_.set_source(node.source);
  if (node.kind == NodeKind::Apply) return apply(node);
  if (node.kind == NodeKind::Pop) return pop(node);
  if (node.outputs == 0 || !any(outputs(node))) return;
  const Value ct = cotangents_[node.output()];
  const ValueId in = node.inputs.empty() ? kNoId : node.inputs[0];
  switch (node.kind) {
    case NodeKind::Depend:
    case NodeKind::TensorMove:
      return add(in, ct);
    case NodeKind::Item:
      return add(in, out_.reshape(out_.cast(ct, type(in).dtype), type(in).dims));
    case NodeKind::ToTensor:
      return add(in, out_.cast(ct, ops::DType::Float64));
    case NodeKind::Push:
      return push(node);
    default:
      return;
  }
}

void Backward::apply(const Node& node) {
  const std::vector<ValueId> results = outputs(node);
  if (!any(results)) return;
  Values result_cotangents;
  for (ValueId v : results) result_cotangents.push_back(cotangents_[v]);
  const Values cotangents = rule(node, result_cotangents);
  for (size_t i = 0; i < cotangents.size(); ++i) add(node.inputs[i], cotangents[i]);
}

Values Backward::rule(const Node& node, std::span<const Value> cotangents) {
  const ops::Op& op = *node.op;
  const size_t operands = node.inputs.size() - (op.has_effect() ? 1 : 0);
  Values in(operands), out(node.outputs);
  Types in_types, out_types;
  uint32_t needed = 0;
  for (size_t i = 0; i < operands; ++i) {
    const ValueId v = node.inputs[i];
    in_types.push_back(v == kNoId ? Type::token() : type(v));
    if (v == kNoId) continue;
    if (record_.varied[v]) needed |= 1u << std::min<size_t>(i, 31);
    if (saved(op.saved_in, i)) in[i] = fetch_(v);
  }
  for (size_t i = 0; i < node.outputs; ++i) {
    out_types.push_back(type(node.output(i)));
    if (saved(op.saved_out, i)) out[i] = fetch_(node.output(i));
  }
  ops::Grad grad(out_, op, in, out, cotangents, in_types, out_types, node.attrs, needed);
  Values operand_cotangents = op.grad(grad);
  if (operand_cotangents.size() > operands)
    throw std::logic_error("the gradient of '" + std::string(op.name) + "' returns too much");
  return operand_cotangents;
}

// The cotangent of a stack is the stack of its elements' cotangents, of those that have one by their type.
void Backward::push(const Node& node) {
  Types types;
  std::vector<ValueId> elements;
  for (ValueId v : std::span(node.inputs).subspan(1)) {
    if (!differentiable(type(v))) continue;
    elements.push_back(v);
    types.push_back(cotangent_type(type(v)));
  }
  const Values popped = out_.pop(cotangents_[node.output()], types);
  add(node.inputs[0], popped[0]);
  for (size_t i = 0; i < elements.size(); ++i) add(elements[i], popped[i + 1]);
}

void Backward::pop(const Node& node) {
  if (!any(outputs(node))) return;
  std::vector<ValueId> elements;
  for (size_t i = 1; i < node.outputs; ++i)
    if (differentiable(type(node.output(i)))) elements.push_back(node.output(i));
  add(node.inputs[0], out_.push(cotangent(node.output()), gather(elements)));
}

void Backward::control(const ControlEntry& entry) {
  if (!any(entry.results) && !any(entry.refs)) return;
  out_.set_source(entry.source);
  Values cotangents = gather(entry.results);
  const Values sums = take_accumulators(entry), refs = gather(entry.refs);
  cotangents.insert(cotangents.end(), sums.begin(), sums.end());
  cotangents.insert(cotangents.end(), refs.begin(), refs.end());
  Values residuals;
  for (ValueId v : entry.residuals) residuals.push_back(fetch_(v));
  if (entry.kind == NodeKind::While) {
    cotangents.insert(cotangents.begin(), fetch_(entry.stack));
    const Values out = out_.while_loop(cotangents, residuals, entry.graphs[0], entry.graphs[1]);
    return scatter(entry, std::span(out).subspan(1));
  }
  cotangents.insert(cotangents.end(), residuals.begin(), residuals.end());
  scatter(entry, entry.kind == NodeKind::Call
                     ? out_.call(entry.graphs[0], cotangents)
                     : out_.if_else(fetch_(entry.condition), cotangents, entry.graphs[0], entry.graphs[1]));
}

void Backward::scatter(const ControlEntry& entry, std::span<const Value> cotangents) {
  for (size_t i = 0; i < entry.refs.size(); ++i) cotangents_[entry.refs[i]] = cotangents[entry.operands.size() + i];
  for (size_t i = 0; i < entry.operands.size(); ++i) add(entry.operands[i], cotangents[i]);
}

}  // namespace ember::bytecode
