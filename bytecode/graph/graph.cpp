// Graphs and modules as containers, and the two questions that passes ask of every node. Effects come from the flags of
// the op table and from tokens: a node of control flow has an effect exactly when a token passes through it.
#include "bytecode/graph/graph.h"

#include <algorithm>
#include <stdexcept>

namespace ember::bytecode {

ValueId Graph::add_param(std::string param_name, Type type) {
  const ValueId id = static_cast<ValueId>(types.size());
  types.push_back(std::move(type));
  params.push_back(id);
  param_names.push_back(std::move(param_name));
  return id;
}

ValueId Graph::add_node(Node node, std::span<const Type> output_types) {
  if (output_types.size() > UINT16_MAX) throw std::length_error("a node of more than 65535 results");
  const ValueId first = static_cast<ValueId>(types.size());
  node.outputs = static_cast<uint16_t>(output_types.size());
  node.first_output = first;
  types.insert(types.end(), output_types.begin(), output_types.end());
  nodes.push_back(std::move(node));
  return first;
}

GraphId Module::add_graph(std::string graph_name) {
  graphs.emplace_back().name = std::move(graph_name);
  return static_cast<GraphId>(graphs.size() - 1);
}

namespace {

uint32_t position(std::vector<std::string>& texts, const std::string& text) {
  const auto it = std::find(texts.begin(), texts.end(), text);
  if (it != texts.end()) return static_cast<uint32_t>(it - texts.begin());
  texts.push_back(text);
  return static_cast<uint32_t>(texts.size() - 1);
}

}  // namespace

uint32_t Module::file(const std::string& path) { return position(files, path); }
uint32_t Module::name(const std::string& called) { return position(names, called); }

bool has_effect(const Graph& graph, const Node& node) {
  switch (node.kind) {
    case NodeKind::Apply:
      return node.op->has_effect();
    case NodeKind::RandomKey:
      return true;
    case NodeKind::If:
    case NodeKind::While:
    case NodeKind::Call:
      return takes_token(graph, node);
    default:
      return false;
  }
}

bool takes_token(const Graph& graph, const Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId v) { return v != kNoId && graph.types[v].kind == ops::Kind::Token; });
}

std::string_view name(NodeKind kind) {
  static constexpr std::string_view names[] = {
#define X(name, ...) #name,
      EMBER_NODE_KINDS(X)
#undef X
  };
  return names[static_cast<size_t>(kind)];
}

}  // namespace ember::bytecode
