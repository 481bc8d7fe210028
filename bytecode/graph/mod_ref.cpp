#include "bytecode/graph/mod_ref.h"

#include <algorithm>

namespace ember::bytecode {
namespace {

std::vector<uint32_t> param_positions(const Graph& graph) {
  std::vector<uint32_t> position(graph.types.size(), kNoId);
  for (uint32_t i = 0; i < graph.params.size(); ++i) position[graph.params[i]] = i;
  return position;
}

bool update_mod_ref(const Module& m, GraphId id, ModRef& mod_ref) {
  const Graph& graph = m.graph(id);
  const std::vector<uint32_t> position = param_positions(graph);
  bool changed = false;
  for (const Node& node : graph.nodes) {
    each_write(graph, node, mod_ref, [&](ValueId ref) {
      char& written = mod_ref.written[id][position[ref]];
      changed |= !written;
      written = true;
    });
    for (GraphId callee : node.graphs) {
      if (callee == kNoId || mod_ref.aliased[callee]) continue;
      std::vector<ValueId> refs;
      for (ValueId arg : passed(node))
        if (graph.type(arg).kind == ops::Kind::Ref) refs.push_back(arg);
      std::sort(refs.begin(), refs.end());
      const bool twice = std::adjacent_find(refs.begin(), refs.end()) != refs.end();
      if (!twice && !(mod_ref.aliased[id] && refs.size() > 1)) continue;
      mod_ref.aliased[callee] = true;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

ModRef find_mod_ref(const Module& m) {
  ModRef mod_ref;
  mod_ref.aliased.resize(m.graphs.size());
  for (const Graph& graph : m.graphs) mod_ref.written.emplace_back(graph.params.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t id = m.graphs.size(); id-- > 0;) changed |= update_mod_ref(m, static_cast<GraphId>(id), mod_ref);
  }
  return mod_ref;
}

}  // namespace ember::bytecode
