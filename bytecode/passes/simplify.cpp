// Algebra that keeps every bit, NaN and the sign of zero included: x * 1, x - 0 and x + -0 are x, but x + 0 is not. A
// rule answers the value that a node's result equals, or changes the node, perhaps with one before it, always to an
// equal type. What a function gives back stays memory of its own: there arithmetic does not become its own argument.
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

using ops::Kind;

class Simplifier;
using Rule = ValueId (Simplifier::*)(Node&);

class Simplifier {
 public:
  Simplifier(Graph& graph, bool entry)
      : graph_(graph), entry_(entry), replaced_(graph), def_(defining_nodes(graph)), returned_(graph.types.size()) {
    for (ValueId result : graph.results) returned_[result] = true;
    for (const Node& node : graph.nodes) effects_ = effects_ || has_effect(graph, node);
  }

  void run() {
    for (at_ = 0; at_ < graph_.nodes.size(); ++at_) {
      Node& node = graph_.nodes[at_];
      replaced_.apply(node.inputs);
      if (node.kind == NodeKind::Pop) {
        pop(node);
        continue;
      }
      const ValueId same = node.kind == NodeKind::Apply ? apply_rule(node) : kind_rule(node);
      if (same != kNoId) replaced_.replace(node.output(), same);
    }
    replaced_.apply(graph_.results);
    if (!before_.empty()) insert();
  }

 private:
  void insert() {
    std::vector<Node> all;
    all.reserve(graph_.nodes.size() + before_.size());
    size_t next = 0;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (; next < before_.size() && before_[next].first == i; ++next) all.push_back(std::move(before_[next].second));
      all.push_back(std::move(graph_.nodes[i]));
    }
    graph_.nodes = std::move(all);
  }

  ValueId apply_rule(Node& node) {
    static const std::unordered_map<const ops::Op*, Rule> rules = [] {
      std::unordered_map<const ops::Op*, Rule> table;
      const std::pair<const char*, Rule> named[] = {
          {"Mul", &Simplifier::mul},         {"Div", &Simplifier::div},
          {"Sub", &Simplifier::sub},         {"Add", &Simplifier::add},
          {"Neg", &Simplifier::twice},       {"LogicalNot", &Simplifier::twice},
          {"Cast", &Simplifier::same_type},  {"BroadcastTo", &Simplifier::same_type},
          {"Reshape", &Simplifier::reshape}, {"Transpose", &Simplifier::transpose},
          {"Pow", &Simplifier::pow}};
      for (const auto& [name, rule] : named)
        if (const ops::Op* op = ops::find_op(name)) table.emplace(op, rule);
      return table;
    }();
    const auto rule = rules.find(node.op);
    return rule == rules.end() ? kNoId : (this->*rule->second)(node);
  }

  ValueId kind_rule(Node& node) {
    switch (node.kind) {
      case NodeKind::Depend:
        return depend(node);
      case NodeKind::Item:
        return item(node);
      case NodeKind::ToTensor:
        return to_tensor(node);
      case NodeKind::NonEmpty:
        return non_empty(node);
      default:
        return kNoId;
    }
  }

  const Node* defining_node(ValueId id) const {
    return id == kNoId || def_[id] == kNoId ? nullptr : &graph_.nodes[def_[id]];
  }
  bool same_types(ValueId a, ValueId b) const { return identical(graph_.type(a), graph_.type(b)); }
  ValueId if_same(const Node& node, ValueId id) const { return same_types(node.output(), id) ? id : kNoId; }
  // Of arithmetic, which makes memory of its own.
  ValueId if_equal(const Node& node, ValueId id) const {
    const Node* from = defining_node(id);
    const bool anothers = !from || (from->op && from->op->view);
    return entry_ && anothers && returned_[node.output()] ? kNoId : if_same(node, id);
  }

  // Whether all elements of a constant are this number; zeros are told apart by their sign.
  bool is_number(ValueId id, double number) const {
    const Node* node = defining_node(id);
    if (!node) return false;
    const auto equal = [&](double value) { return std::memcmp(&value, &number, sizeof value) == 0; };
    const bool negative_zero = number == 0 && std::signbit(number);
    if (const auto* i = std::get_if<int64_t>(&node->payload)) return !negative_zero && equal(static_cast<double>(*i));
    if (const auto* d = std::get_if<double>(&node->payload)) return equal(*d);
    const auto* t = std::get_if<ops::Tensor>(&node->payload);
    if (!t || t->numel() != 1) return false;
    return ops::dispatch(t->dtype(), [&]<class T>() {
      const T element = *static_cast<const T*>(t->data());
      if constexpr (std::is_arithmetic_v<T>)
        return equal(static_cast<double>(element));
      else
        return equal(static_cast<double>(static_cast<float>(element)));
    });
  }
  bool integral(ValueId id) const { return !is_float(graph_.type(id).dtype); }

  ValueId mul(Node& node) {
    if (is_number(node.inputs[1], 1)) return if_equal(node, node.inputs[0]);
    if (is_number(node.inputs[0], 1)) return if_equal(node, node.inputs[1]);
    return kNoId;
  }
  ValueId div(Node& node) { return is_number(node.inputs[1], 1) ? if_equal(node, node.inputs[0]) : kNoId; }
  ValueId sub(Node& node) { return is_number(node.inputs[1], 0.0) ? if_equal(node, node.inputs[0]) : kNoId; }
  ValueId add(Node& node) {
    for (size_t i = 0; i < 2; ++i)
      if (is_number(node.inputs[i], -0.0) || (integral(node.output()) && is_number(node.inputs[i], 0.0)))
        return if_equal(node, node.inputs[1 - i]);
    return kNoId;
  }
  ValueId twice(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    return inner && inner->op == node.op ? if_equal(node, inner->inputs[0]) : kNoId;
  }
  ValueId same_type(Node& node) { return if_same(node, node.inputs[0]); }

  // Exponents with a definition of their own (ops/expr/math.h).
  ValueId pow(Node& node) {
    const ValueId base = node.inputs[0], exponent = node.inputs[1];
    if (!same_types(node.output(), base)) return kNoId;
    if (is_number(exponent, 1)) return if_equal(node, base);
    if (is_number(exponent, 2)) become(node, "Mul", {base, base});
    if (is_number(exponent, 3) && (integral(base) || itemsize(graph_.type(base).dtype) > 2))
      become(node, "Mul", {squared(node), base});
    if (is_number(exponent, -1) && !integral(base)) become(node, "Reciprocal", {base});
    return kNoId;
  }
  static void become(Node& node, const char* op, std::vector<ValueId> inputs) {
    node.op = &ops::op(op);
    node.inputs = std::move(inputs);
    node.attrs = {};
  }
  // The square of its base, by a node before it.
  ValueId squared(const Node& node) {
    Node square = node;
    become(square, "Mul", {node.inputs[0], node.inputs[0]});
    square.first_output = static_cast<ValueId>(graph_.types.size());
    graph_.types.push_back(Type(graph_.type(node.output())));
    def_.push_back(kNoId);
    before_.emplace_back(at_, std::move(square));
    return before_.back().second.output();
  }

  ValueId reshape(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    if (inner && inner->op == node.op) {
      node.inputs[0] = inner->inputs[0];
      ops::infer(*node.op, {&graph_.type(node.inputs[0]), 1}, node.attrs);  // states the guards of what it compares now
    }
    return if_same(node, node.inputs[0]);
  }

  ValueId transpose(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    const size_t rank = graph_.type(node.output()).dims.size();
    if (!node.attrs.has(1)) return kNoId;
    std::vector<int64_t> order = permutation(node, rank);
    if (inner && inner->op == node.op && inner->attrs.has(1)) {
      const std::vector<int64_t> first = permutation(*inner, rank);
      for (int64_t& axis : order) axis = first[static_cast<size_t>(axis)];
      node.inputs[0] = inner->inputs[0];
      ops::Ints both(order.begin(), order.end());
      node.attrs.set(1, both);
    }
    for (size_t i = 0; i < rank; ++i)
      if (order[i] != static_cast<int64_t>(i)) return kNoId;
    return if_same(node, node.inputs[0]);
  }

  static std::vector<int64_t> permutation(const Node& node, size_t rank) {
    std::vector<int64_t> order;
    for (ops::Dim d : node.attrs.ints(1)) order.push_back(d.value < 0 ? d.value + static_cast<int64_t>(rank) : d.value);
    return order;
  }

  // What comes before matters only if it can be seen.
  ValueId depend(Node& node) {
    std::vector<ValueId> needed = {node.inputs[0]};
    for (ValueId in : std::span(node.inputs).subspan(1)) {
      const Node* before = defining_node(in);
      const bool token = graph_.type(in).kind == Kind::Token;
      if (token ? effects_ : before && has_effect(graph_, *before)) needed.push_back(in);
    }
    if (needed.size() == 1) return needed[0];
    node.inputs = std::move(needed);
    return kNoId;
  }

  ValueId item(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    if (!inner || inner->kind != NodeKind::ToTensor) return kNoId;
    const Type& scalar = graph_.type(inner->inputs[0]);
    return scalar.dtype == graph_.type(node.inputs[0]).dtype ? if_same(node, inner->inputs[0]) : kNoId;
  }

  ValueId to_tensor(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    return inner && inner->kind == NodeKind::Item ? if_same(node, inner->inputs[0]) : kNoId;
  }

  ValueId non_empty(Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    if (!inner || (inner->kind != NodeKind::Push && inner->kind != NodeKind::Stack)) return kNoId;
    node.payload = inner->kind == NodeKind::Push;
    node.kind = NodeKind::Scalar;
    node.inputs.clear();
    return kNoId;
  }

  void pop(const Node& node) {
    const Node* inner = defining_node(node.inputs[0]);
    if (!inner || inner->kind != NodeKind::Push || inner->inputs.size() != node.outputs) return;
    for (size_t i = 0; i < node.outputs; ++i)
      if (!same_types(node.output(i), inner->inputs[i])) return;
    for (size_t i = 0; i < node.outputs; ++i) replaced_.replace(node.output(i), inner->inputs[i]);
  }

  Graph& graph_;
  const bool entry_;
  Replacements replaced_;
  std::vector<uint32_t> def_;
  std::vector<bool> returned_;
  std::vector<std::pair<size_t, Node>> before_;  // nodes to come, and the numbers of those that they come before
  size_t at_ = 0;
  bool effects_ = false;
};

}  // namespace

void simplify(Module& m) {
  for (GraphId id = 0; id < m.graphs.size(); ++id) Simplifier(m.graph(id), id == m.entry).run();
}

}  // namespace ember::bytecode
