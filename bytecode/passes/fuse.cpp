// Each fusion group becomes one node: the expressions of its members concatenated, with one result for each live-out
// value. Every member keeps its rounding, so no bit changes. A group stands where its first node stood, after the
// groups that it depends on in its segment between two writes; tokens stay in order, and so do effects and errors.
#include "bytecode/passes/fuse.h"

#include <algorithm>
#include <unordered_map>

#include "bytecode/passes/may_raise.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

class Fuser {
 public:
  Fuser(Graph& graph, const EqualDims& equal, const std::vector<char>& may_raise, bool entry)
      : graph_(graph),
        order_(graph, may_raise),
        group_of_(find_groups(graph, order_, equal)),
        def_(defining_nodes(graph)) {
    plan_ = rematerialise(graph, order_, equal, may_raise, groups(), entry, group_of_);
  }

  void run() {
    for (uint32_t u : groups()) {
      const std::vector<uint32_t>& members = plan_.members[u];
      if (members.size() > 1)
        nodes_.push_back(fused(members, u));
      else if (!members.empty())
        nodes_.push_back(graph_.nodes[members[0]]);
    }
    graph_.nodes = std::move(nodes_);
    replaced_.apply(graph_);
  }

 private:
  struct Renamed {
    std::unordered_map<ValueId, ValueId> to;
    void apply(Graph& graph) const {
      const auto rename = [&](ValueId& id) {
        if (const auto it = to.find(id); it != to.end()) id = it->second;
      };
      for (Node& node : graph.nodes)
        for (ValueId& in : node.inputs) rename(in);
      for (ValueId& result : graph.results) rename(result);
    }
  };

  // In topological order, by the first node where that leaves a choice.
  std::vector<uint32_t> groups() const {
    std::vector<std::vector<uint32_t>> members(graph_.nodes.size());
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) members[group_of_[n]].push_back(n);
    std::vector<char> placed(graph_.nodes.size());
    std::vector<uint32_t> order;
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      std::vector<uint32_t> stack = {group_of_[n]};
      while (!stack.empty()) {
        const uint32_t u = stack.back();
        const size_t height = stack.size();
        if (!placed[u]) push_needs(members[u], placed, stack);
        if (stack.size() > height) continue;
        stack.pop_back();
        if (!placed[u]) order.push_back(u);
        placed[u] = true;
      }
    }
    return order;
  }

  // Pushes the groups of this segment that this one depends on.
  void push_needs(const std::vector<uint32_t>& members, const std::vector<char>& placed,
                  std::vector<uint32_t>& stack) const {
    const size_t height = stack.size();
    for (uint32_t n : members) {
      const auto need = [&](uint32_t producer) {
        if (producer == kNoId || order_.segment[producer] != order_.segment[n]) return;
        if (group_of_[producer] != group_of_[n] && !placed[group_of_[producer]]) stack.push_back(group_of_[producer]);
      };
      for (uint32_t before : order_.before[n]) need(before);
      for (ValueId in : graph_.nodes[n].inputs)
        if (in != kNoId) need(def_[in]);
    }
    std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(height), stack.end());
  }

  Node fused(const std::vector<uint32_t>& members, uint32_t group) {
    ops::ExprBuilder builder;
    std::unordered_map<ValueId, ops::Ex> known;
    Node fused_node;
    fused_node.kind = NodeKind::Fused;
    fused_node.source = graph_.nodes[members.back()].source;
    std::vector<ValueId> results;
    std::vector<ops::Ex> outputs;
    const Node* reduction = nullptr;
    for (uint32_t n : members) {
      const Node& node = graph_.nodes[n];
      if (plan_.reduction[n]) {
        reduction = &node;
        continue;
      }
      std::vector<ops::Ex> operands;
      for (ValueId in : node.inputs) operands.push_back(operand(builder, fused_node, known, in));
      const ops::Ex out = builder.append(fused_program(graph_, node)->expr(), operands);
      known.emplace(node.output(), out);
      if (group_of_[n] != group || !plan_.live_out[node.output()]) continue;
      results.push_back(node.output());
      outputs.push_back(out);
    }
    if (reduction) {
      outputs = {known.at(reduction->inputs[0])};
      results = {reduction->output()};
      fused_node.kind = NodeKind::FusedReduce;
      fused_node.op = reduction->op;
      fused_node.attrs = reduction->attrs;
      fused_node.source = reduction->source;
    }
    fused_node.expr = std::make_shared<const ops::Expr>(builder.finish(outputs));
    number_results(fused_node, results);
    return fused_node;
  }

  ops::Ex operand(ops::ExprBuilder& builder, Node& fused_node, std::unordered_map<ValueId, ops::Ex>& known,
                  ValueId id) {
    if (id == kNoId) return builder.constant_bits(ops::DType::Bool, 0);
    const auto it = known.find(id);
    if (it != known.end()) return it->second;
    const ops::Ex input = builder.input(static_cast<uint16_t>(fused_node.inputs.size()), graph_.type(id).dtype);
    fused_node.inputs.push_back(id);
    known.emplace(id, input);
    return input;
  }

  // Results of a node are numbered in a row.
  void number_results(Node& fused_node, const std::vector<ValueId>& results) {
    fused_node.outputs = static_cast<uint16_t>(results.size());
    fused_node.first_output = static_cast<ValueId>(graph_.types.size());
    for (ValueId result : results) {
      replaced_.to.emplace(result, static_cast<ValueId>(graph_.types.size()));
      graph_.types.push_back(Type(graph_.types[result]));
    }
  }

  Graph& graph_;
  const FuseOrder order_;
  std::vector<uint32_t> group_of_;
  const std::vector<uint32_t> def_;
  FusionGroups plan_;
  std::vector<Node> nodes_;
  Renamed replaced_;
};

}  // namespace

void fuse(Module& m) {
  const std::vector<char> may_raise = graphs_that_may_raise(m);
  const EqualDims equal(m.symbols);
  for (GraphId id = 0; id < m.graphs.size(); ++id)
    Fuser(m.graph(id), equal, nodes_that_may_raise(m.graph(id), may_raise), id == m.entry).run();
}

}  // namespace ember::bytecode
