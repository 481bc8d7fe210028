#include "bytecode/passes/may_raise.h"

#include <algorithm>

#include "bytecode/passes/rewrite.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/tensor/convert.h"

namespace ember::bytecode {

namespace {

constexpr size_t kSource = 0, kPositions = 1;

// The size of the axis that is indexed; negative if there is no such axis or its size is not known.
int64_t indexed_size(const Graph& graph, const Node& node) {
  const auto& params = node.op->signature.params;
  const auto axis = std::find_if(params.begin(), params.end(),
                                 [](const ops::Param& p) { return p.name == "axis" || p.name == "dim"; });
  if (axis == params.end()) return -1;
  const ops::Dims dims = ops::as_line(graph.type(node.inputs[kSource]).dims);
  const ops::Dim dim = dims[ops::axis(node.attrs.integer(axis - params.begin()), dims.size(), node.op->name)];
  return dim.symbolic() ? -1 : dim.hint();
}

bool all_within(const ops::Tensor& positions, int64_t size) {
  if (!is_int(positions.dtype())) return false;
  const ops::Tensor flat = to_contiguous(positions);
  return ops::dispatch(flat.dtype(), [&]<class T>() {
    const T* first = flat.data_as<T>();
    return std::all_of(first, first + flat.numel(), [&](T position) {
      const auto at = ops::convert_value<int64_t>(position);
      return at >= 0 && at < size;
    });
  });
}

// Whether the node's results are indices within an axis of this size.
bool makes_within(const Node& node, int64_t size) {
  if (const auto* constant = std::get_if<ops::Tensor>(&node.payload)) return all_within(*constant, size);
  if (node.kind != NodeKind::Apply || !node.op->flags.has(ops::Flag::FlatIndices)) return false;
  int64_t merged = 1;
  for (const ops::Dim& axis : node.attrs.ints(2)) {
    if (axis.hint() < 0) return false;
    const ops::Dim dim = node.attrs.ints(1)[static_cast<size_t>(axis.hint())];
    if (dim.symbolic()) return false;
    merged *= dim.hint();
  }
  return merged <= size;
}

bool op_may_raise(const Graph& graph, const Node& node, const std::vector<uint32_t>& def) {
  if (!node.op->flags.has(ops::Flag::RaisesOnValue)) return false;
  const int64_t size = indexed_size(graph, node);
  const uint32_t defining_node = size < 0 ? kNoId : def[node.inputs[kPositions]];
  return defining_node == kNoId || !makes_within(graph.nodes[defining_node], size);
}

bool calls_any(const Node& node, const std::vector<char>& graphs) {
  return std::any_of(std::begin(node.graphs), std::end(node.graphs),
                     [&](GraphId callee) { return callee != kNoId && graphs[callee]; });
}

}  // namespace

std::vector<char> nodes_that_may_raise(const Graph& graph, const std::vector<char>& graphs_that_may_raise) {
  const std::vector<uint32_t> def = defining_nodes(graph);
  std::vector<char> may_raise;
  may_raise.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes)
    may_raise.push_back(node.kind == NodeKind::Apply ? op_may_raise(graph, node, def)
                                                     : calls_any(node, graphs_that_may_raise));
  return may_raise;
}

std::vector<char> graphs_that_may_raise(const Module& module) {
  std::vector<char> may_raise;
  const std::vector<char> none(module.graphs.size());
  for (const Graph& graph : module.graphs) {
    const std::vector<char> nodes = nodes_that_may_raise(graph, none);
    may_raise.push_back(std::find(nodes.begin(), nodes.end(), true) != nodes.end());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (GraphId id = 0; id < module.graphs.size(); ++id) {
      const auto& nodes = module.graph(id).nodes;
      if (may_raise[id] ||
          std::none_of(nodes.begin(), nodes.end(), [&](const Node& n) { return calls_any(n, may_raise); }))
        continue;
      may_raise[id] = changed = true;
    }
  }
  return may_raise;
}

}  // namespace ember::bytecode
