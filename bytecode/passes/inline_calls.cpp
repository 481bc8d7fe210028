// Calls become the nodes of what they call, callees first, so each body is copied in its final form. Graphs marked
// shared and graphs on a cycle of calls stay. An If with a constant condition becomes the graph taken, a While whose
// condition is constantly false its initial values. Graphs that lose their last use stay for dce to drop.
#include "bytecode/graph/call_cycles.h"
#include "bytecode/passes/may_raise.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

constexpr size_t kMaxNodes = 1 << 19;

class Inliner {
 public:
  Inliner(Module& m, GraphId id, const std::vector<char>& recursive, const std::vector<char>& may_raise)
      : module_(m), id_(id), recursive_(recursive), may_raise_(may_raise), replaced_(m.graph(id)) {}

  void run() {
    if (!needed()) return;
    std::vector<Node> old = std::move(graph().nodes);
    graph().nodes.clear();
    constants_.assign(graph().types.size(), kUnknown);
    for (Node& node : old) {
      replaced_.apply(node.inputs);
      take(std::move(node));
    }
    replaced_.apply(graph().results);
  }

 private:
  static constexpr char kUnknown = 2;
  Graph& graph() { return module_.graph(id_); }

  bool needed() {
    for (const Node& node : graph().nodes)
      if (node.kind == NodeKind::If || node.kind == NodeKind::While || may_inline(node)) return true;
    return false;
  }

  bool may_inline(const Node& node) const {
    return node.kind == NodeKind::Call && !module_.graph(node.graphs[0]).shared && may_copy(node.graphs[0]);
  }
  bool may_copy(GraphId callee) const {
    return !recursive_[callee] && module_.graph(id_).nodes.size() + module_.graph(callee).nodes.size() <= kMaxNodes;
  }

  void take(Node node) {
    if (may_inline(node)) return splice(node, node.graphs[0], node.inputs);
    if (node.kind == NodeKind::If && constant(node.inputs[0]) != kUnknown) {
      const GraphId branch = node.graphs[constant(node.inputs[0]) ? 0 : 1];
      if (may_copy(branch)) return splice(node, branch, std::span(node.inputs).subspan(1));
    }
    if (node.kind == NodeKind::While && never_runs(node.graphs[0])) {
      for (size_t i = 0; i < node.outputs; ++i) replaced_.replace(node.output(i), node.inputs[i]);
      return;
    }
    if (const auto* value = std::get_if<bool>(&node.payload)) note(node.output(), *value);
    graph().nodes.push_back(std::move(node));
  }

  char constant(ValueId id) const { return id < constants_.size() ? constants_[id] : kUnknown; }
  void note(ValueId id, bool value) {
    if (id >= constants_.size()) constants_.resize(id + 1, kUnknown);
    constants_[id] = value;
  }

  bool never_runs(GraphId id) const {
    if (may_raise_[id]) return false;
    const Graph& condition = module_.graph(id);
    for (const Node& node : condition.nodes) {
      if (has_effect(condition, node)) return false;
      const auto* value = std::get_if<bool>(&node.payload);
      if (value && node.output() == condition.results[0]) return !*value;
    }
    return false;
  }

  void splice(const Node& site, GraphId callee, std::span<const ValueId> arguments) {
    const Graph& body = module_.graph(callee);
    std::vector<ValueId> renamed(body.types.size(), kNoId);
    for (size_t i = 0; i < body.params.size(); ++i) renamed[body.params[i]] = arguments[i];
    for (Node node : body.nodes) {
      for (ValueId& in : node.inputs)
        if (in != kNoId) in = replaced_(renamed[in]);
      const ValueId first = node.first_output;
      const ValueId fresh = static_cast<ValueId>(graph().types.size());
      for (size_t i = 0; i < node.outputs; ++i) {
        renamed[first + i] = fresh + static_cast<ValueId>(i);
        graph().types.push_back(body.type(first + static_cast<ValueId>(i)));
      }
      node.first_output = fresh;
      take(std::move(node));
    }
    for (size_t i = 0; i < site.outputs; ++i) replaced_.replace(site.output(i), replaced_(renamed[body.results[i]]));
  }

  Module& module_;
  const GraphId id_;
  const std::vector<char>&recursive_, &may_raise_;  // by GraphId
  Replacements replaced_;
  std::vector<char> constants_;  // by value: 0, 1, or unknown
};

}  // namespace

void inline_calls(Module& m) {
  const CallCycles cycles(m);
  const std::vector<char> may_raise = graphs_that_may_raise(m);
  for (GraphId id : cycles.callees_first) Inliner(m, id, cycles.on, may_raise).run();
}

}  // namespace ember::bytecode
