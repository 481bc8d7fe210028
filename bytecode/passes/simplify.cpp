// Algebra that keeps every bit, NaN and the sign of zero included: x * 1, x - 0 and x + -0 are x, but x + 0 is not.
// What algebra knows of an op is in the op table (ops/table/simplify.h); here are the rules of the graph's own nodes. A
// rule returns the value that a node's result equals, or changes the node, perhaps with one before it, always to an
// equal type. What a function gives back stays memory of its own: there arithmetic does not become its own argument.
#include <cmath>
#include <cstring>

#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"
#include "ops/table/simplify.h"
#include "ops/tensor/convert.h"

namespace ember::bytecode {

namespace {

using ops::Kind;

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
  // A node as its op's simplification sees it.
  class Call final : public ops::Simplify {
   public:
    Call(Simplifier& pass, Node& node) : pass_(pass), node_(node), operands_(node.inputs) {}
    ValueId result() const { return result_; }

    const ops::Attrs& attrs() const override { return node_.attrs; }
    const Type& in_type(size_t operand) const override { return pass_.graph_.type(operands_[operand]); }
    const Type& out_type() const override { return pass_.graph_.type(node_.output()); }
    // 1 and 0 are not neutral to the zeros and infinities among complex numbers.
    bool is_number(size_t operand, double number) const override {
      return !is_complex(out_type().dtype) && pass_.is_number(operands_[operand], number);
    }
    const ops::Attrs* same_op(size_t operand) const override {
      const Node* inner = defining(operand);
      return inner && inner->op == node_.op ? &inner->attrs : nullptr;
    }
    void is(size_t operand) override { result_ = pass_.if_same(node_, operands_[operand]); }
    void equals(size_t operand) override { result_ = pass_.if_equal(node_, operands_[operand]); }
    void undoes(size_t operand) override { result_ = pass_.if_equal(node_, defining(operand)->inputs[0]); }
    void become(std::string_view op, std::initializer_list<size_t> operands) override { become(node_, op, operands); }
    size_t before(std::string_view op, std::initializer_list<size_t> operands) override {
      Node node = node_;
      become(node, op, operands);
      operands_.push_back(pass_.insert_before(std::move(node)));
      return operands_.size() - 1;
    }
    void read_through(size_t operand, ops::Attrs attrs) override {
      operands_[operand] = node_.inputs[operand] = defining(operand)->inputs[0];
      node_.attrs = std::move(attrs);
      ops::infer(*node_.op, {&in_type(operand), 1}, node_.attrs);  // states the guards of what it compares now
    }

   private:
    const Node* defining(size_t operand) const { return pass_.defining_node(operands_[operand]); }
    void become(Node& node, std::string_view op, std::initializer_list<size_t> operands) const {
      std::vector<ValueId> inputs;
      for (size_t operand : operands) inputs.push_back(operands_[operand]);
      node.op = &ops::op(op);
      node.inputs = std::move(inputs);
      node.attrs = {};
    }

    Simplifier& pass_;
    Node& node_;
    std::vector<ValueId> operands_;
    ValueId result_ = kNoId;
  };

  // Gives the node a new result, of the type of the one that it has.
  ValueId insert_before(Node node) {
    const Type type = graph_.type(node.output());
    node.first_output = static_cast<ValueId>(graph_.types.size());
    graph_.types.push_back(type);
    def_.push_back(kNoId);
    before_.emplace_back(at_, std::move(node));
    return before_.back().second.output();
  }

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
    if (!node.op->simplify) return kNoId;
    Call call(*this, node);
    node.op->simplify(call);
    return call.result();
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
    return ops::dispatch(
        t->dtype(), [&]<class T>() { return equal(ops::convert_value<double>(*static_cast<const T*>(t->data()))); });
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
