// The forward part: nodes are copied, composed ops without a gradient rule expanded, and those that varied values pass
// through recorded.
#include <algorithm>

#include "bytecode/transforms/differentiate.h"
#include "ops/eager/eager.h"

namespace ember::bytecode {

using ops::Flag;
using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

bool needs_expanding(const ops::Op& op) { return op.compose && !op.grad && !op.flags.has(Flag::NoGradient); }

// Writes the parts of composed ops that have no gradient rule in place of them.
class Expander final : public ops::Builder {
 public:
  explicit Expander(GraphBuilder& b) : b_(b) {}
  Values apply(const ops::Op& op, std::span<const Value> operands, const ops::Attrs& attrs) override {
    return needs_expanding(op) ? op.compose(*this, operands, attrs) : b_.apply(op, operands, attrs);
  }
  Type type(const Value& v) const override { return b_.type(v); }
  Value size(ops::Dim dim) override { return b_.size(dim); }
  Value next_random() override { return b_.next_random(); }
  Value constant(const ops::Tensor& t) override { return b_.constant(t); }

 private:
  GraphBuilder& b_;
};

}  // namespace

Forward::Forward(Differentiator& owner, GraphId source, GraphBuilder& out, const Marks& varied_params,
                 const Marks& useful_results, const Marks& useful_refs, const Marks& accumulated_params)
    : owner_(owner),
      out_(out),
      replay_(owner.module, source, out),
      varied_(owner.varied.forward(source, varied_params)),
      useful_(owner.useful.backward(source, useful_results, useful_refs)) {
  find_last_uses(useful_results, useful_refs, accumulated_params);
}

void Forward::find_last_uses(const Marks& useful_results, const Marks& useful_refs, const Marks& accumulated_params) {
  const Graph& source = replay_.source();
  last_use_.resize(source.types.size());
  for (size_t n = 0; n < source.nodes.size(); ++n) {
    const Node& node = source.nodes[n];
    const bool writes = node.kind == NodeKind::Apply && node.op->flags.has(Flag::Memory);
    bool carries = !writes && std::any_of(node.inputs.begin(), node.inputs.end(),
                                          [&](ValueId v) { return v != kNoId && source.type(v).kind == Kind::Ref; });
    for (size_t o = 0; o < node.outputs; ++o) carries |= varied_[node.output(o)] && useful_[node.output(o)];
    for (ValueId v : node.inputs)
      if (carries && v != kNoId) last_use_[v] = n;
  }
  const auto at_the_end = [&](std::span<const ValueId> all, const Marks& marks) {
    const std::vector<ValueId> values = without_tokens(source, all);
    for (size_t i = 0; i < values.size(); ++i)
      if (marks[i]) last_use_[values[i]] = source.nodes.size();
  };
  at_the_end(source.results, useful_results);
  at_the_end(source.params, accumulated_params);
  at_the_end(source.params, useful_refs);
  share_last_uses_of_loads();
}

// All that is loaded of a Ref has one cotangent.
void Forward::share_last_uses_of_loads() {
  const Graph& source = replay_.source();
  for (const bool collected : {false, true})
    for (const Node& node : source.nodes) {
      if (node.kind != NodeKind::Load) continue;
      size_t &of_load = last_use_[node.output()], &of_ref = last_use_[node.inputs[0]];
      (collected ? of_load : of_ref) = std::max(of_load, of_ref);
    }
}

Record Forward::run() {
  record_.varied.resize(out_.graph().types.size());
  for (ValueId v : without_tokens(replay_.source(), replay_.source().params)) record_.varied[id(v)] = varied_[v];
  for (const Node& node : replay_.source().nodes) {
    const bool is_control = node.kind == NodeKind::If || node.kind == NodeKind::While || node.kind == NodeKind::Call;
    if (is_control && control(node)) continue;
    if (is_control)
      replay_.node(node);
    else
      plain(node);
    record_.varied.resize(out_.graph().types.size());
  }
  return std::move(record_);
}

void Forward::plain(const Node& node) {
  const size_t first = out_.graph().nodes.size();
  out_.set_source_of(node);
  const bool varies =
      std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId v) { return v != kNoId && varied_[v]; });
  if (varies && node.kind == NodeKind::Apply && needs_expanding(*node.op)) {
    Expander expander(out_);
    const Values out = expander.apply(*node.op, replay_.operands(node), node.attrs);
    for (size_t i = 0; i < out.size(); ++i) replay_[node.output(i)] = out[i];
  } else if (const Value value = without_float_scalars(node); !ops::none(value)) {
    replay_[node.output()] = value;
  } else {
    replay_.node(node);
  }
  record_nodes(first);
}

// Rules know no cotangents of numbers, so an elementwise op on a varied Float is done on 0-d tensors. None if the node
// is not of this kind.
Value Forward::without_float_scalars(const Node& node) {
  const Graph& source = replay_.source();
  const auto is_float_scalar = [&](ValueId v) {
    return v != kNoId && source.type(v).kind == Kind::Float && varied_[v];
  };
  if (node.kind != NodeKind::Apply || !node.op->elementwise() || node.outputs != 1 ||
      node.op->flags.has(Flag::NoGradient) || std::none_of(node.inputs.begin(), node.inputs.end(), is_float_scalar))
    return {};
  const Type& result = source.type(node.output());
  const bool scalar = ops::is_scalar(result.kind);
  Values operands = replay_.operands(node);
  for (size_t i = 0; i < operands.size(); ++i)
    if (is_float_scalar(node.inputs[i]))
      operands[i] = out_.to_tensor(operands[i], scalar ? ops::DType::Float64 : result.dtype);
  const Value out = out_.apply(*node.op, operands, node.attrs).at(0);
  return scalar ? out_.item(out) : out;
}

void Forward::record_nodes(size_t first_node) {
  const Graph& graph = out_.graph();
  record_.varied.resize(graph.types.size());
  for (size_t i = first_node; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    mark_node(FlowRule::Varied, graph, node, record_.varied);
    bool carries = false;
    for (size_t o = 0; o < node.outputs; ++o) carries |= record_.varied[node.output(o)] != 0;
    if (carries) record_.entries.push_back(static_cast<uint32_t>(i));
  }
}

}  // namespace ember::bytecode
