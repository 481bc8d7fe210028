// The Builder that records: it appends nodes to a graph, inferring their types with the ops' rules. Capture, gradient
// and batching transforms and composed ops all write through it. Effects are threaded here: a node with an effect takes
// the current token and leaves a new one, so callers never handle tokens.
#pragma once

#include <unordered_map>

#include "bytecode/graph/graph.h"
#include "ops/table/builder.h"

namespace ember::bytecode {

class GraphBuilder final : public ops::Builder {
 public:
  GraphBuilder(Module& module, GraphId graph);
  ~GraphBuilder() override;

  // A result of kind Ref is the operand itself.
  ops::Values apply(const ops::Op& op, std::span<const ops::Value> operands, const ops::Attrs& attrs) override;
  Type type(const ops::Value& v) const override;
  ops::Value size(ops::Dim dim) override;
  ops::Value next_random() override;
  ops::Value constant(const ops::Tensor& t) override;

  ops::Value param(std::string name, Type type);
  ops::Value load(const ops::Value& ref);
  ops::Value item(const ops::Value& tensor);  // Bool, Int or Float by dtype
  ops::Value to_tensor(const ops::Value& scalar, ops::DType dtype);
  ops::Value stack();  // an empty one
  ops::Value push(const ops::Value& stack, std::span<const ops::Value> values);
  ops::Values pop(const ops::Value& stack, std::span<const Type> types);  // the stack below, then the values
  ops::Value non_empty(const ops::Value& stack);
  // The graphs are finished; inputs are mapped to their parameters in order. Effects inside are discovered: the token
  // then passes through the node, and the graph gets a token parameter and result in place of its State. A graph
  // without effects that has to pass a token on belongs to this node alone, unless it is marked shared.
  ops::Values if_else(const ops::Value& condition, std::span<const ops::Value> inputs, GraphId then_graph,
                      GraphId else_graph);
  ops::Values while_loop(std::span<const ops::Value> carried, std::span<const ops::Value> invariant, GraphId condition,
                         GraphId body);
  using ops::Builder::call;
  ops::Values call(GraphId callee, std::span<const ops::Value> inputs);
  // States what the graph is going to return, so that it can be called before it is finished, by itself for instance.
  // Its parameters are there; with `effect` it takes a token after them, and returns the last one.
  void declare(std::span<const Type> results, bool effect);
  // Moves the nodes of an unfinished graph to here, with these values in place of its parameters. Returns where each of
  // its values is now.
  std::vector<ValueId> splice(GraphId graph, std::span<const ValueId> arguments);
  void finish(std::span<const ops::Value> results);  // adds the Depend on the last token, if it returns none

  void set_source(Source source) { source_ = source; }
  const Source& source() const { return source_; }
  void set_source_of(const Node& node);  // for what takes its place: the steps of a composed op go by its name
  ValueId id(const ops::Value& v);       // records scalars and tensors as Scalar and Constant nodes
  ValueId token();                       // the current state; makes the State node if there is none yet
  void set_token(ValueId token) { token_ = token; }
  Module& module() { return module_; }
  Graph& graph() { return module_.graphs[graph_]; }
  GraphId graph_id() const { return graph_; }

 private:
  using Ids = std::vector<ValueId>;

  ValueId append(Node node, std::span<const Type> types);
  ValueId append(NodeKind kind, Ids inputs, Type type);
  void update_state(ValueId before);
  ops::Values apply_symbolic(const ops::Op& op, std::span<const ops::Value> operands, const ops::Attrs& attrs);
  ValueId fit_operand(const ops::Op& op, const ops::Param* param, const ops::Value& operand);
  ops::Values control(Node node);

  Module& module_;
  GraphId graph_;
  ops::SymbolScope scope_;
  ValueId token_ = kNoId;
  bool returns_token_ = false;
  Source source_;
  std::unordered_map<const void*, ValueId> constants_;
};

// Whether any node of the graph takes a token; one that calls a graph with effects does.
bool graph_has_effect(const Module& module, GraphId graph);

// The signature's parameter that operand i of n belongs to (a `tensors` parameter has several operands).
const ops::Param* operand_param(const ops::Op& op, size_t i, size_t n);

}  // namespace ember::bytecode
