// What passes share: def-use information, and replacing values by others in one sweep.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// Values that replace others. A pass visits the nodes in order, resolves the inputs of each and may replace its
// results.
class Replacements {
 public:
  explicit Replacements(const Graph& graph) : to_(graph.types.size(), kNoId) {}
  void replace(ValueId from, ValueId by) {
    if (from >= to_.size()) to_.resize(from + 1, kNoId);
    to_[from] = by;
  }
  ValueId operator()(ValueId id) const {
    while (id < to_.size() && to_[id] != kNoId) id = to_[id];
    return id;
  }
  void apply(std::vector<ValueId>& ids) const {
    for (ValueId& id : ids)
      if (id != kNoId) id = (*this)(id);
  }

 private:
  std::vector<ValueId> to_;
};

// By value: the index of its defining node; kNoId for parameters.
inline std::vector<uint32_t> defining_nodes(const Graph& graph) {
  std::vector<uint32_t> def(graph.types.size(), kNoId);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    for (size_t i = 0; i < graph.nodes[n].outputs; ++i) def[graph.nodes[n].output(i)] = n;
  return def;
}

// How often each value is an input or a result.
inline std::vector<uint32_t> use_counts(const Graph& graph) {
  std::vector<uint32_t> uses(graph.types.size());
  for (const Node& node : graph.nodes)
    for (ValueId in : node.inputs)
      if (in != kNoId) ++uses[in];
  for (ValueId result : graph.results) ++uses[result];
  return uses;
}

}  // namespace ember::bytecode
