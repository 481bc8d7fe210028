// Which Refs graphs may write (mod/ref analysis), by a fixed point over calls.
#pragma once

#include <span>
#include <vector>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// By graph and parameter: whether a Ref may be written. By graph: whether a caller passes one Ref twice, so that all
// its Refs may alias.
struct ModRef {
  std::vector<std::vector<char>> written;
  std::vector<char> aliased;
};

ModRef find_mod_ref(const Module& module);

// What a node passes to its graphs.
inline std::span<const ValueId> passed(const Node& node) {
  return std::span(node.inputs).subspan(node.kind == NodeKind::If ? 1 : 0);
}

// Calls f(input value) for every Ref that the node may write.
template <class F>
void each_write(const Graph& graph, const Node& node, const ModRef& mod_ref, F&& f) {
  if (node.kind == NodeKind::Apply && node.op->flags.has(ops::Flag::Memory)) {
    for (ValueId in : node.inputs)
      if (in != kNoId && graph.type(in).kind == ops::Kind::Ref) f(in);
  }
  for (GraphId callee : node.graphs) {
    if (callee == kNoId) continue;
    const auto args = passed(node);
    for (size_t i = 0; i < args.size(); ++i)
      if (mod_ref.written[callee][i]) f(args[i]);
  }
}

}  // namespace ember::bytecode
