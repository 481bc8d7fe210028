// Dead code elimination over the module: keeps what results, effects and errors need, and renumbers values and graphs
// without gaps. An UpdateState names nodes only to order them, so a Load without uses is dead, and so is a state that
// orders nothing. Operands and results of an If, While or Call are live or dead one by one, through its graphs: a
// result without uses is dead, and so is an operand that no graph uses, or that a loop carries for itself only. All
// nodes of a graph agree on its parameters and results; tokens stay, and so does a node's first result if only its
// errors are needed.
#include <algorithm>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/passes/may_raise.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

bool has_graphs(const Node& node) { return node.graphs[0] != kNoId; }

// The index among a node's inputs of the first parameter of its graphs.
size_t first_operand(const Node& node) { return node.kind == NodeKind::If ? 1 : 0; }

class Liveness {
 public:
  struct GraphLiveness {
    std::vector<uint32_t> def;
    std::vector<char> may_raise, live_nodes, live, live_results;
    std::vector<uint32_t> param_at;                   // by ValueId
    std::vector<std::pair<GraphId, uint32_t>> nodes;  // that have it as a graph
    bool entered = false;
  };

  explicit Liveness(const Module& m) : m_(m), known_(m.graphs.size()) {
    const std::vector<char> may_raise = graphs_that_may_raise(m);
    for (GraphId g = 0; g < m.graphs.size(); ++g) {
      const Graph& graph = m.graph(g);
      GraphLiveness& known = known_[g];
      known.def = defining_nodes(graph);
      known.may_raise = nodes_that_may_raise(graph, may_raise);
      known.live_nodes.resize(graph.nodes.size());
      known.live.resize(graph.types.size());
      known.live_results.resize(graph.results.size());
      known.param_at.resize(graph.types.size(), kNoId);
      for (uint32_t i = 0; i < graph.params.size(); ++i) known.param_at[graph.params[i]] = i;
      for (uint32_t n = 0; n < graph.nodes.size(); ++n)
        for (GraphId callee : graph.nodes[n].graphs)
          if (callee != kNoId) known_[callee].nodes.emplace_back(g, n);
    }
    enter(m.entry);
    for (ValueId param : m.graph(m.entry).params) need(m.entry, param);
    for (uint32_t i = 0; i < m.graph(m.entry).results.size(); ++i) need_result(m.entry, i);
    while (!work_.empty()) {
      const auto [g, value] = work_.back();
      work_.pop_back();
      const GraphLiveness& known = known_[g];
      if (known.def[value] != kNoId)
        need_output(g, known.def[value], value);
      else
        need_param(g, known.param_at[value]);
    }
  }

  const GraphLiveness& of(GraphId g) const { return known_[g]; }

 private:
  void need(GraphId g, ValueId value) {
    if (value == kNoId || known_[g].live[value]) return;
    known_[g].live[value] = true;
    work_.emplace_back(g, value);
  }

  // A graph that may run: its effects and errors are needed.
  void enter(GraphId g) {
    if (known_[g].entered) return;
    known_[g].entered = true;
    const Graph& graph = m_.graph(g);
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      const bool raises = known_[g].may_raise[n];
      if (raises && has_graphs(graph.nodes[n]) && graph.nodes[n].outputs > 0) need(g, graph.nodes[n].output());
      if (raises || has_effect(graph, graph.nodes[n])) need_node(g, n);
    }
    for (uint32_t i = 0; i < graph.results.size(); ++i)
      if (graph.type(graph.results[i]).kind == ops::Kind::Token) need_result(g, i);
  }

  void need_node(GraphId g, uint32_t n) {
    if (known_[g].live_nodes[n]) return;
    known_[g].live_nodes[n] = true;
    const Node& node = m_.graph(g).nodes[n];
    const size_t needed = has_graphs(node)                     ? first_operand(node)
                          : node.kind == NodeKind::UpdateState ? 1
                                                               : node.inputs.size();
    for (size_t i = 0; i < needed; ++i) need(g, node.inputs[i]);
    for (GraphId callee : node.graphs) {
      if (callee == kNoId) continue;
      enter(callee);
      const Graph& graph = m_.graph(callee);
      for (uint32_t i = 0; i < graph.params.size(); ++i)
        if (known_[callee].live[graph.params[i]]) need_operand(g, n, i);
      for (uint32_t i = 0; i < graph.results.size(); ++i)
        if (known_[callee].live_results[i]) need_given(g, n, callee, i);
    }
    if (node.kind == NodeKind::While) need_result(node.graphs[0], 0);
  }

  void need_output(GraphId g, uint32_t n, ValueId value) {
    need_node(g, n);
    const Node& node = m_.graph(g).nodes[n];
    if (!has_graphs(node)) return;
    const uint32_t i = value - node.first_output;
    if (node.kind == NodeKind::While) return need_operand(g, n, i);
    for (GraphId callee : node.graphs)
      if (callee != kNoId) need_result(callee, i);
  }

  void need_result(GraphId g, uint32_t i) {
    if (known_[g].live_results[i]) return;
    known_[g].live_results[i] = true;
    need(g, m_.graph(g).results[i]);
    for (const auto& [h, n] : known_[g].nodes)
      if (known_[h].live_nodes[n]) need_given(h, n, g, i);
  }

  // A graph of a live node returns its result i, so the node has it.
  void need_given(GraphId g, uint32_t n, GraphId callee, uint32_t i) {
    const Node& node = m_.graph(g).nodes[n];
    if (node.kind != NodeKind::While) return need(g, node.output(i));
    if (callee == node.graphs[1]) need_operand(g, n, i);
  }

  void need_param(GraphId g, uint32_t i) {
    for (const auto& [h, n] : known_[g].nodes)
      if (known_[h].live_nodes[n]) need_operand(h, n, i);
  }

  // A graph of a live node has parameter i, so the node has that operand, and all its graphs the parameter; what a loop
  // carries it also returns.
  void need_operand(GraphId g, uint32_t n, uint32_t i) {
    const Node& node = m_.graph(g).nodes[n];
    need(g, node.inputs[first_operand(node) + i]);
    for (GraphId callee : node.graphs)
      if (callee != kNoId) need(callee, m_.graph(callee).params[i]);
    if (i >= node.carried) return;
    need(g, node.output(i));
    need_result(node.graphs[1], i);
  }

  const Module& m_;
  std::vector<GraphLiveness> known_;
  std::vector<std::pair<GraphId, ValueId>> work_;
};

template <class T, class Keep>
void keep_if(std::vector<T>& items, const Keep& keep) {
  size_t at = 0;
  std::erase_if(items, [&](const T&) { return !keep(at++); });
}

// Leaves a node the operands and results that its graphs have.
void drop_dead_operands(const Module& m, const Liveness& liveness, Graph& graph, const std::vector<char>& live,
                        Node& node, Replacements& replaced) {
  const auto taken = [&](size_t i) { return liveness.of(node.graphs[0]).live[m.graph(node.graphs[0]).params[i]] != 0; };
  const size_t first = first_operand(node);
  keep_if(node.inputs, [&](size_t i) { return i < first || taken(i - first); });
  std::vector<ValueId> results;
  for (size_t i = 0; i < node.outputs; ++i)
    if (live[node.output(i)]) results.push_back(node.output(i));
  if (results.size() == node.outputs) return;
  const ValueId first_output = static_cast<ValueId>(graph.types.size());
  for (size_t i = 0; i < node.outputs; ++i)
    if (!live[node.output(i)]) replaced.replace(node.output(i), first_output);
  for (size_t i = 0; i < results.size(); ++i) {
    graph.types.push_back(graph.types[results[i]]);
    replaced.replace(results[i], first_output + static_cast<ValueId>(i));
  }
  node.first_output = first_output;
  node.outputs = static_cast<uint16_t>(results.size());
  if (node.kind == NodeKind::While) node.carried = node.outputs;
}

// Whether a state has to order the defining node of a value: a live one that no token orders.
bool orders(const Graph& graph, const Liveness::GraphLiveness& known, ValueId value) {
  const uint32_t defining_node = known.def[value];
  if (defining_node == kNoId || !known.live_nodes[defining_node]) return false;
  const Node& node = graph.nodes[defining_node];
  return !has_graphs(node) || known.live[value] || !takes_token(graph, node);
}

void drop_dead_nodes(const Module& m, const Liveness& liveness, Graph& graph, const Liveness::GraphLiveness& known) {
  for (Node& node : graph.nodes)
    if (node.kind == NodeKind::UpdateState)
      std::erase_if(node.inputs,
                    [&](ValueId in) { return graph.type(in).kind != ops::Kind::Token && !orders(graph, known, in); });
  Replacements replaced(graph);
  std::vector<Node> nodes;
  nodes.reserve(graph.nodes.size());
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (!known.live_nodes[n]) continue;
    Node& node = graph.nodes[n];
    if (node.kind == NodeKind::UpdateState && node.inputs.size() == 1) {
      replaced.replace(node.output(), replaced(node.inputs[0]));
      continue;
    }
    if (has_graphs(node)) drop_dead_operands(m, liveness, graph, known.live, node, replaced);
    replaced.apply(node.inputs);
    nodes.push_back(std::move(node));
  }
  replaced.apply(graph.results);
  graph.nodes = std::move(nodes);
}

void drop_dead_params(Graph& graph, const Liveness::GraphLiveness& known) {
  const std::vector<ValueId> params = graph.params;
  const auto taken = [&](size_t i) { return known.live[params[i]] != 0; };
  keep_if(graph.params, taken);
  keep_if(graph.param_names, taken);
  keep_if(graph.results, [&](size_t i) { return known.live_results[i] != 0; });
}

void renumber_values(Graph& graph) {
  std::vector<ValueId> renamed(graph.types.size(), kNoId);
  Types types;
  types.reserve(graph.types.size());
  const auto rename = [&](ValueId id) {
    renamed[id] = static_cast<ValueId>(types.size());
    types.push_back(std::move(graph.types[id]));
  };
  for (ValueId& param : graph.params) {
    rename(param);
    param = renamed[param];
  }
  for (Node& node : graph.nodes) {
    for (ValueId& in : node.inputs)
      if (in != kNoId) in = renamed[in];
    for (size_t i = 0; i < node.outputs; ++i) rename(node.output(i));
    node.first_output = static_cast<ValueId>(types.size() - node.outputs);
  }
  for (ValueId& result : graph.results) result = renamed[result];
  graph.types = std::move(types);
}

}  // namespace

void drop_unreachable_graphs(Module& m) {
  std::vector<GraphId> reached = reachable_graphs(m, m.entry), renamed(m.graphs.size(), kNoId);
  std::sort(reached.begin(), reached.end());
  std::vector<Graph> graphs;
  for (GraphId id : reached) {
    renamed[id] = static_cast<GraphId>(graphs.size());
    graphs.push_back(std::move(m.graph(id)));
  }
  for (Graph& graph : graphs)
    for (Node& node : graph.nodes)
      for (GraphId& callee : node.graphs)
        if (callee != kNoId) callee = renamed[callee];
  m.entry = renamed[m.entry];
  m.graphs = std::move(graphs);
}

void dce(Module& m) {
  {
    const Liveness liveness(m);
    for (GraphId g = 0; g < m.graphs.size(); ++g) drop_dead_nodes(m, liveness, m.graph(g), liveness.of(g));
    for (GraphId g = 0; g < m.graphs.size(); ++g) drop_dead_params(m.graph(g), liveness.of(g));
  }
  drop_unreachable_graphs(m);
  for (Graph& graph : m.graphs) renumber_values(graph);
}

}  // namespace ember::bytecode
