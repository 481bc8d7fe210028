// Recording appends to two vectors that keep their capacity, so an op costs a few reference counts. The backward pass
// visits the nodes since the scope's opening in reverse, but for those that depend on no wanted variable.
#include "vm/autograd/tape.h"

#include <algorithm>

namespace ember::vm {

using ops::Value;
using ops::Values;

namespace {

bool saved(uint32_t mask, size_t i) { return mask >> std::min<size_t>(i, 31) & 1; }

bool all_empty(const ops::Attrs& attrs) {
  return std::all_of(attrs.values().begin(), attrs.values().end(),
                     [](const ops::Attr& a) { return std::holds_alternative<std::monostate>(a); });
}

bool any(std::span<const VariableId> variables) {
  return std::any_of(variables.begin(), variables.end(), [](VariableId v) { return v != 0; });
}

}  // namespace

// A builder whose values carry their variables: a gradient rule that runs on it is recorded on the tape.
class Tape::Recorder final : public ops::Builder {
 public:
  explicit Recorder(Tape& tape) : tape_(tape) {}
  Value wrap(Tracked tracked) {
    if (ops::none(tracked.value)) return {};
    values_.push_back(std::move(tracked));
    return ops::GraphValue{static_cast<uint32_t>(values_.size() - 1)};
  }
  Tracked unwrap(const Value& v) const {
    const auto* known = std::get_if<ops::GraphValue>(&v);
    return known ? values_[known->id] : Tracked{v, 0};
  }
  Values apply(const ops::Op& op, std::span<const Value> operands, const ops::Attrs& attrs) override {
    TrackedValues in;
    for (const Value& v : operands) in.push_back(unwrap(v));
    Values out;
    for (Tracked& t : tape_.apply(op, in, attrs)) out.push_back(wrap(std::move(t)));
    return out;
  }
  ops::Type type(const Value& v) const override { return ops::type_of(unwrap(v).value); }
  Value size(ops::Dim dim) override { return dim.hint(); }
  Value next_random() override { return ops::next_random_key(); }
  Value constant(const ops::Tensor& t) override { return t; }

 private:
  Tape& tape_;
  TrackedValues values_;
};

// One call of backward(): a dense index of the variables, which of them are needed, and their cotangents so far.
struct Tape::BackwardPass {
  const Trace& trace;
  VariableId base, count;           // the variables of the scope
  std::vector<VariableId> outside;  // those from before it that are asked for, sorted
  std::vector<char> needed;         // by index
  TrackedValues cotangents;

  static constexpr size_t kNoIndex = ~size_t{0};
  size_t index(VariableId v) const {
    if (v >= base) return v - base < count ? v - base : kNoIndex;
    const auto at = std::lower_bound(outside.begin(), outside.end(), v);
    return at != outside.end() && *at == v ? count + static_cast<size_t>(at - outside.begin()) : kNoIndex;
  }
  bool needs(VariableId v) const {
    const size_t i = index(v);
    return i != kNoIndex && needed[i];
  }
  Tracked& cotangent(VariableId v) { return cotangents[index(v)]; }
  void find_needed(size_t first, size_t end);
};

Tape& tape() {
  thread_local Tape tape;
  return tape;
}

void Tape::save(VariableId variable, const Value& value, bool saved) {
  Slot& slot = trace_->slots.emplace_back();
  slot.variable = variable;
  const auto* tensor = std::get_if<ops::Tensor>(&value);
  if (tensor && !saved)
    slot.layout = tensor->layout_ref();
  else
    slot.value = value;
}

VariableId Tape::add(Node node, std::span<const VariableId> variables, std::span<const Value> results) {
  node.operands = static_cast<uint32_t>(variables.size());
  node.results = static_cast<uint32_t>(results.size());
  node.first_result = next_;
  const uint32_t mask = node.op ? node.op->saved_out : 0;
  for (size_t i = 0; i < results.size(); ++i) save(next_ + i, results[i], saved(mask, i));
  next_ += results.size();
  trace_->nodes.push_back(std::move(node));
  return next_ - results.size();
}

VariableId Tape::record(const ops::Op& op, std::span<const Value> operands, std::span<const VariableId> variables,
                        std::span<const Value> results, const ops::Attrs& attrs) {
  if (!recording() || op.flags.has(ops::Flag::NoGradient) || !any(variables)) return 0;
  Node node;
  node.op = &op;
  node.first_slot = trace_->slots.size();
  if (!all_empty(attrs)) node.attrs = std::make_unique<const ops::Attrs>(attrs);
  for (size_t i = 0; i < operands.size(); ++i) save(variables[i], operands[i], saved(op.saved_in, i));
  return add(std::move(node), variables, results);
}

VariableId Tape::record(BackwardFn backward, std::span<const VariableId> variables, std::span<const Value> results) {
  if (!recording() || !any(variables)) return 0;
  Node node;
  node.backward = std::make_unique<const BackwardFn>(std::move(backward));
  node.first_slot = trace_->slots.size();
  for (VariableId v : variables) save(v, {}, false);
  return add(std::move(node), variables, results);
}

void Tape::hook(VariableId variable, Hook hook) { trace_->hooks[variable] = std::move(hook); }

TrackedValues Tape::apply(const ops::Op& op, std::span<const Tracked> operands, const ops::Attrs& attrs) {
  Values values;
  std::vector<VariableId> variables;
  for (const Tracked& t : operands) {
    values.push_back(t.value);
    variables.push_back(t.variable);
  }
  TrackedValues out;
  if (recording() && expands(op) && any(variables)) {
    Recorder recorder(*this);
    Values wrapped;
    for (const Tracked& t : operands) wrapped.push_back(recorder.wrap(t));
    try {
      for (const Value& v : op.compose(recorder, wrapped, attrs)) out.push_back(recorder.unwrap(v));
    } catch (const ops::OpError& e) {
      throw ops::OpError(e.kind, ops::in_name_of(op.name, e.what()));
    }
    return out;
  }
  const Values results = ops::run(op, values, attrs);
  const VariableId first = record(op, values, variables, results, attrs);
  for (size_t i = 0; i < results.size(); ++i) out.push_back({results[i], first == 0 ? 0 : first + i});
  return out;
}

ops::Type Tape::type(const Slot& slot) {
  if (slot.layout) return ops::Type::tensor(slot.layout->dtype, ops::dims(slot.layout->shape));
  return ops::none(slot.value) ? ops::Type::token() : ops::type_of(slot.value);
}

Tracked Tape::sum(const Tracked& a, const Tracked& b) {
  static const ops::Op& add = ops::op("add");
  static const ops::Attrs attrs = ops::make_attrs(add, {});
  return apply(add, std::array{a, b}, attrs).at(0);
}

// An integer operand of an op with a floating-point result gets a cotangent of its own dtype.
Tracked Tape::fit(const Tracked& cotangent, const ops::Type& type) {
  const auto* tensor = std::get_if<ops::Tensor>(&cotangent.value);
  if (!tensor || !type.is_tensor() || tensor->dtype() == type.dtype) return cotangent;
  static const ops::Op& cast = ops::op("cast");
  return apply(cast, std::array{cotangent}, ops::make_attrs(cast, {{"dtype", type.dtype}})).at(0);
}

void Tape::BackwardPass::find_needed(size_t first, size_t end) {
  for (size_t n = first; n < end; ++n) {
    const Node& node = trace.nodes[n];
    const auto slot = trace.slots.begin() + static_cast<ptrdiff_t>(node.first_slot);
    if (!std::any_of(slot, slot + node.operands, [&](const Slot& s) { return needs(s.variable); })) continue;
    for (size_t i = 0; i < node.results; ++i) needed[node.first_result + i - base] = 1;
  }
}

void Tape::propagate(BackwardPass& pass, size_t number) {
  const Trace& trace = pass.trace;
  const VariableId first_result = trace.nodes[number].first_result;
  const size_t first_slot = trace.nodes[number].first_slot, operands = trace.nodes[number].operands;
  TrackedValues cotangents(trace.nodes[number].results);
  const auto slots = std::span(trace.slots).subspan(first_slot, operands);
  if (std::none_of(slots.begin(), slots.end(), [&](const Slot& s) { return pass.needs(s.variable); })) return;
  bool reached = false;
  for (size_t i = 0; i < cotangents.size(); ++i) {
    if (pass.needs(first_result + i)) cotangents[i] = finished(pass, first_result + i);
    reached |= !ops::none(cotangents[i].value);
  }
  if (!reached) return;
  TrackedValues sums(trace.nodes[number].backward ? operands : 0);
  const auto variable = [&](size_t i) { return trace.slots[first_slot + i].variable; };
  for (size_t i = 0; i < sums.size(); ++i)
    if (pass.needs(variable(i))) sums[i] = std::exchange(pass.cotangent(variable(i)), {});
  const TrackedValues flows = call_vjp(pass, number, cotangents, sums);
  const auto add = [&](size_t i, const Tracked& more) {
    if (!pass.needs(variable(i)) || ops::none(more.value)) return;
    const Tracked before = pass.cotangent(variable(i));
    pass.cotangent(variable(i)) = ops::none(before.value) ? more : sum(before, more);
  };
  for (size_t i = 0; i < sums.size(); ++i) add(i, sums[i]);
  for (size_t i = 0; i < std::min(operands, flows.size()); ++i)
    add(i, fit(flows[i], type(trace.slots[first_slot + i])));
}

// The cotangent of a variable to which nothing is added any more, taken out of the pass.
Tracked Tape::finished(BackwardPass& pass, VariableId v) {
  const Tracked cotangent = std::exchange(pass.cotangent(v), {});
  const auto hook = pass.trace.hooks.find(v);
  if (ops::none(cotangent.value) || hook == pass.trace.hooks.end()) return cotangent;
  const Hook run = hook->second;
  return run(cotangent);
}

TrackedValues Tape::call_vjp(const BackwardPass& pass, size_t number, std::span<const Tracked> cotangents,
                             std::span<Tracked> sums) {
  const Node& node = pass.trace.nodes[number];
  if (node.op) return apply_rule(pass, number, cotangents);
  if (!node.backward) return {cotangents.begin(), cotangents.end()};
  const BackwardFn& backward = *node.backward;
  return backward(cotangents, sums);
}

TrackedValues Tape::apply_rule(const BackwardPass& pass, size_t number, std::span<const Tracked> cotangents) {
  static const ops::Attrs no_attrs;
  const Node& node = pass.trace.nodes[number];
  const ops::Op& op = *node.op;
  const ops::Attrs& attrs = node.attrs ? *node.attrs : no_attrs;
  const size_t operands = node.operands, count = operands + node.results;
  Recorder recorder(*this);
  ops::EagerBuilder eager;
  const bool records = recording();
  const auto value = [&](const Tracked& t) { return records ? recorder.wrap(t) : t.value; };
  Values saved_values, ct_values;
  ops::Types types;
  uint32_t needed = 0;
  for (size_t i = 0; i < count; ++i) {
    const Slot& slot = pass.trace.slots[node.first_slot + i];
    saved_values.push_back(value({slot.value, slot.variable}));
    types.push_back(type(slot));
    if (i < operands && pass.needs(slot.variable)) needed |= 1u << std::min<size_t>(i, 31);
  }
  for (const Tracked& t : cotangents) ct_values.push_back(value(t));
  const std::span<const Value> all = saved_values;
  const std::span<const ops::Type> all_types = types;
  ops::Builder& b = records ? static_cast<ops::Builder&>(recorder) : eager;
  ops::Grad rule(b, op, all.first(operands), all.subspan(operands), ct_values, all_types.first(operands),
                 all_types.subspan(operands), attrs, needed);
  TrackedValues out;
  for (const Value& v : op.grad(rule)) out.push_back(records ? recorder.unwrap(v) : Tracked{v, 0});
  return out;
}

TapeScope::TapeScope()
    : in_pause_(tape().paused_),
      outer_depth_(tape().depth_),
      before_(tape().trace_),
      trace_(in_pause_ ? std::make_shared<Tape::Trace>() : before_),
      first_node_(trace_->nodes.size()),
      first_variable_(tape().next_) {
  Tape& t = tape();
  if (++t.scopes_ == 1) t.oldest_ = t.next_;
  t.depth_ = in_pause_ ? 1 : outer_depth_ + 1;
  t.paused_ = false;
  t.trace_ = trace_;
}

TapeScope::~TapeScope() {
  if (!open_) {
    --Tape::closed_scopes_;
    return;
  }
  trace_.reset();
  leave();
}

void TapeScope::close() {
  last_node_ = trace_->nodes.size();
  last_variable_ = tape().next_;
  ++Tape::closed_scopes_;
  leave();
}

void TapeScope::leave() {
  Tape& t = tape();
  open_ = false;
  t.paused_ = in_pause_;
  t.depth_ = outer_depth_;
  t.trace_ = std::move(before_);
  if (--t.scopes_ != 0) return;
  if (t.trace_.use_count() != 1) t.trace_ = std::make_shared<Tape::Trace>();
  t.trace_->nodes.clear();
  t.trace_->slots.clear();
  t.trace_->hooks.clear();
}

VariableId TapeScope::watch(VariableId outside) {
  Tape& t = tape();
  if (outside == 0) return t.next_++;
  Tape::Node node;
  node.first_slot = t.trace_->slots.size();
  t.save(outside, {}, false);
  return t.add(std::move(node), std::array{outside}, std::array{Value()});
}

std::vector<VariableId> TapeScope::outside() const {
  std::vector<VariableId> variables;
  for (size_t n = first_node_; n < last_node(); ++n) {
    const Tape::Node& node = trace_->nodes[n];
    for (size_t i = 0; i < node.operands; ++i) {
      const VariableId v = trace_->slots[node.first_slot + i].variable;
      if (v != 0 && v < first_variable_) variables.push_back(v);
    }
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

struct Tape::PassGuard {
  explicit PassGuard(VariableId first) : before(tape().oldest_in_pass_) {
    tape().oldest_in_pass_ = std::min(before, first);
  }
  ~PassGuard() { tape().oldest_in_pass_ = before; }
  const VariableId before;
};

TrackedValues TapeScope::backward(std::span<const VariableId> outputs, std::span<const Tracked> cotangents,
                                  std::span<const VariableId> inputs) {
  Tape& t = tape();
  const std::shared_ptr<Tape::Trace> trace = trace_;
  Tape::BackwardPass pass{*trace, first_variable_, last_variable() - first_variable_, {}, {}, {}};
  for (VariableId v : inputs)
    if (v != 0 && v < first_variable_) pass.outside.push_back(v);
  std::sort(pass.outside.begin(), pass.outside.end());
  pass.needed.resize(pass.count + pass.outside.size());
  pass.cotangents.resize(pass.needed.size());
  for (VariableId v : inputs)
    if (pass.index(v) != Tape::BackwardPass::kNoIndex) pass.needed[pass.index(v)] = 1;
  const size_t last = last_node();
  const Tape::PassGuard guard(first_variable_);
  pass.find_needed(first_node_, last);
  const bool recorded_outside = open_ ? t.scopes_ != 1 && !in_pause_ : t.recording();
  const std::unique_ptr<TapePause> pause = recorded_outside ? nullptr : std::make_unique<TapePause>();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!pass.needs(outputs[i]) || ops::none(cotangents[i].value)) continue;
    Tracked& sum = pass.cotangent(outputs[i]);
    sum = ops::none(sum.value) ? cotangents[i] : t.sum(sum, cotangents[i]);
  }
  for (size_t n = last; n-- > first_node_;) t.propagate(pass, n);
  std::map<VariableId, Tracked> by_variable;
  for (VariableId v : inputs)
    if (pass.index(v) != Tape::BackwardPass::kNoIndex && !by_variable.count(v)) by_variable[v] = t.finished(pass, v);
  TrackedValues gradients;
  for (VariableId v : inputs) gradients.push_back(by_variable[v]);
  return gradients;
}

TapePause::TapePause() : before_(tape().paused_) { tape().paused_ = true; }
TapePause::~TapePause() { tape().paused_ = before_; }

}  // namespace ember::vm
