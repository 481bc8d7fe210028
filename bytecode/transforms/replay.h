// Copies a graph into another one node by node through a GraphBuilder, so that effects get the new graph's tokens. Both
// transforms use it for whatever they leave as it is.
#pragma once

#include "bytecode/graph/graph_builder.h"

namespace ember::bytecode {

class Replay {
 public:
  // The source is copied, since adding graphs moves those of the module.
  Replay(const Module& module, GraphId source, GraphBuilder& out);

  const Graph& source() const { return source_; }
  ops::Value& operator[](ValueId v) { return values_[v]; }
  ops::Values at(std::span<const ValueId> values) const;  // None for an absent operand
  void set(std::span<const ValueId> ids, std::span<const ops::Value> values);
  void param(ValueId v);
  void node(const Node& node);
  ops::Values operands(const Node& node) const;  // of an Apply, without its token
  ops::Values results() const;                   // of the source graph, without its token

 private:
  void control(const Node& node);
  void raw(const Node& node);

  Graph source_;
  GraphBuilder& out_;
  ops::Values values_;
};

// A copy of the graph with one more parameter, which it ignores, before parameter `position`.
GraphId with_ignored_param(Module& module, GraphId graph, size_t position, const char* name, const Type& type);

}  // namespace ember::bytecode
