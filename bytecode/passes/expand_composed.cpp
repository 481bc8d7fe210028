// An op that is defined by other ops alone becomes those, recorded in its place by a GraphBuilder; parts that are
// composed themselves follow in the next round. Effects of the parts take over the token that the op had.
#include "bytecode/graph/graph_builder.h"
#include "bytecode/graph/node_types.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

using Keep = std::function<bool(const ops::Op&)>;

bool to_expand(const Node& node, const Keep& keep) {
  if (node.kind != NodeKind::Apply) return false;
  return keep ? node.op->compose && !node.op->elementwise() && !keep(*node.op) : node.op->composed();
}

bool any_to_expand(const Graph& graph, const Keep& keep) {
  for (const Node& node : graph.nodes)
    if (to_expand(node, keep)) return true;
  return false;
}

void expand(GraphBuilder& builder, const Node& node, Replacements& replaced) {
  const bool effect = node.op->has_effect();
  ops::Values operands;
  for (ValueId in : node.inputs) operands.push_back(in == kNoId ? ops::Value() : ops::Value(ops::GraphValue{in}));
  if (effect) {
    builder.set_token(node.inputs.back());
    operands.pop_back();
  }
  builder.set_source_of(node);
  const ops::Values results = node.op->compose(builder, operands, node.attrs);
  if (results.size() != node.outputs)
    throw std::logic_error("op '" + std::string(node.op->name) + "' composes another number of results");
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId result = builder.id(results[i]);
    if (!agree(builder.graph().type(node.output(i)), builder.graph().type(result)))
      throw std::logic_error("op '" + std::string(node.op->name) + "' composes a result of another type");
    replaced.replace(node.output(i), result);
  }
  if (effect && builder.token() != node.inputs.back()) replaced.replace(node.inputs.back(), builder.token());
}

void expand_graph(Module& m, GraphId id, const Keep& keep) {
  std::vector<Node> old = std::move(m.graph(id).nodes);
  m.graph(id).nodes.clear();
  Replacements replaced(m.graph(id));
  GraphBuilder builder(m, id);
  for (Node& node : old) {
    replaced.apply(node.inputs);
    if (to_expand(node, keep))
      expand(builder, node, replaced);
    else
      m.graph(id).nodes.push_back(std::move(node));
  }
  replaced.apply(m.graph(id).results);
}

}  // namespace

void expand_composed(Module& m, const Keep& keep) {
  for (GraphId id = 0; id < m.graphs.size(); ++id)
    while (any_to_expand(m.graph(id), keep)) expand_graph(m, id, keep);
}

void expand_composed(Module& m) { expand_composed(m, {}); }

}  // namespace ember::bytecode
