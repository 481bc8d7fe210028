// Keeps what results, effects and errors need, and renumbers values and graphs without gaps. That a state names a node
// only orders it, so a Load that nobody uses goes, and so does a state that orders nothing. Dead parameters of
// sub-graphs stay.
#include "bytecode/passes.h"
#include "bytecode/passes/rewrite.h"
#include "bytecode/raises.h"

namespace ember::bytecode {

namespace {

std::vector<char> live_nodes(const Graph& graph, const std::vector<uint32_t>& made_by,
                             const std::vector<char>& raising) {
  std::vector<char> live(graph.nodes.size());
  std::vector<uint32_t> work;
  const auto need_node = [&](uint32_t n) {
    if (n == kNoId || live[n]) return;
    live[n] = true;
    work.push_back(n);
  };
  for (ValueId result : graph.results) need_node(made_by[result]);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (raising[n] || has_effect(graph, graph.nodes[n])) need_node(n);
  while (!work.empty()) {
    const Node& node = graph.nodes[work.back()];
    work.pop_back();
    const size_t needed = node.kind == NodeKind::UpdateState ? 1 : node.inputs.size();
    for (size_t i = 0; i < needed; ++i)
      if (node.inputs[i] != kNoId) need_node(made_by[node.inputs[i]]);
  }
  return live;
}

void drop_dead_nodes(Graph& graph, const std::vector<char>& raising) {
  const std::vector<uint32_t> made_by = makers(graph);
  const std::vector<char> live = live_nodes(graph, made_by, raising);
  Replacements replaced(graph);
  std::vector<Node> kept;
  kept.reserve(graph.nodes.size());
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (!live[n]) continue;
    Node& node = graph.nodes[n];
    if (node.kind == NodeKind::UpdateState) {
      std::erase_if(node.inputs, [&](ValueId in) {
        return graph.type(in).kind != ops::Kind::Token && (made_by[in] == kNoId || !live[made_by[in]]);
      });
      if (node.inputs.size() == 1) {
        replaced.replace(node.output(), replaced(node.inputs[0]));
        continue;
      }
    }
    replaced.apply(node.inputs);
    kept.push_back(std::move(node));
  }
  replaced.apply(graph.results);
  graph.nodes = std::move(kept);
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
  std::vector<GraphId> renamed(m.graphs.size(), kNoId);
  std::vector<GraphId> work = {m.entry};
  std::vector<char> reached(m.graphs.size());
  reached[m.entry] = true;
  while (!work.empty()) {
    const GraphId id = work.back();
    work.pop_back();
    for (const Node& node : m.graph(id).nodes)
      for (GraphId callee : node.graphs)
        if (callee != kNoId && !reached[callee]) {
          reached[callee] = true;
          work.push_back(callee);
        }
  }
  std::vector<Graph> kept;
  for (size_t i = 0; i < m.graphs.size(); ++i) {
    if (!reached[i]) continue;
    renamed[i] = static_cast<GraphId>(kept.size());
    kept.push_back(std::move(m.graphs[i]));
  }
  for (Graph& graph : kept)
    for (Node& node : graph.nodes)
      for (GraphId& callee : node.graphs)
        if (callee != kNoId) callee = renamed[callee];
  m.entry = renamed[m.entry];
  m.graphs = std::move(kept);
}

void dce(Module& m) {
  const std::vector<char> raising = raising_graphs(m);
  for (Graph& graph : m.graphs) drop_dead_nodes(graph, raising_nodes(graph, raising));
  drop_unreachable_graphs(m);
  for (Graph& graph : m.graphs) renumber_values(graph);
}

}  // namespace ember::bytecode
