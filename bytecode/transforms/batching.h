// Batching (vmap) of one graph at a time: values that depend on batched parameters get a batch axis at 0, by the ops'
// batching rules; others stay as they are. A batched number is a tensor of its slot's dtype with the batch axis alone.
//
// Control flow on a batched condition is predicated. With m the mask of active elements (all at the entry):
//
//   y = c ? f(x) : g(x)        y = select(c, f(x) under m & c, g(x) under m & !c)
//   while (c(x)) x = f(x)      while (any(a = m & c(x))) x = select(a, f(x) under a, x)
//
// So a loop in a branch does not wait for elements that did not take it, and a branch that leads to recursion runs only
// if an element is active.
//
// Stacks are batched as wholes, all of a function or none. An entry then holds batched values only and, where loops run
// under masks, the mask under which it was pushed, in an entry of its own above. To an element that was not active the
// stack is empty as long as such an entry is on top. So a backward loop pops each entry under the mask of its trip.
#pragma once

#include <map>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/transforms/flow.h"
#include "bytecode/transforms/replay.h"

namespace ember::bytecode {

class Batcher {
 public:
  Batcher(Module& module, GraphId entry, const Marks& params, ops::Dim size);
  // The batched graph, made once for the same marks. With `masked`, its last parameter is the mask.
  GraphId graph(GraphId source, const Marks& params, const Marks& results, bool masked);

  Module& module;
  const ops::Dim size;
  const CallCycles cycles;
  Flow flow;

 private:
  std::map<std::tuple<GraphId, Marks, Marks, bool>, GraphId> known_;
};

class BatchedGraph {
 public:
  BatchedGraph(Batcher& owner, GraphId source, GraphBuilder& out, const Marks& params);
  Replay& replay() { return replay_; }
  void run();  // once the parameters are there
  void set_mask(ops::Value mask) { mask_ = std::move(mask); }
  ops::Values results(const Marks& wanted);
  bool batched(ValueId source_value) const { return marks_[source_value]; }
  ops::Value with_axis(ValueId source_value);  // the value, broadcast along the batch axis if it has none

 private:
  void node(const Node& node);
  void apply(const Node& node);
  ops::Value operand(const Node& node, size_t i);
  void raise(const Node& node, const ops::Values& in);
  void item(const Node& node);
  void push(const Node& node);
  void pop(const Node& node);
  void non_empty(const Node& node);
  void branch(const Node& node);
  ops::Values run_branch(GraphId branch, const Ports& p, const ops::Value& taken, const Marks& params,
                         const Marks& results);
  void select_branches(const Node& node, const Ports& p, const Marks& params, const Marks& results);
  void loop(const Node& node);
  void masked_loop(const Node& node, const Ports& p, const Marks& params);
  void call(const Node& node);
  void call_with_gradient(const Node& node, const Ports& p, size_t own);
  // The value of either branch; of stacks the one that is not made empty there, since the other branch used none.
  ops::Value merge(const Node& node, size_t result, const ops::Value& yes, const ops::Value& no);
  ops::Values entering(const Ports& p, const Marks& params);  // a loop's inputs, with axes as it carries them
  ops::Value every_element();                                 // the mask, or all true
  const Type& type(ValueId v) const { return replay_.source().type(v); }

  Batcher& owner_;
  GraphBuilder& out_;
  Replay replay_;
  Marks marks_;
  ops::Value mask_;
};

Type batched_type(const Type& type, ops::Dim size);

}  // namespace ember::bytecode
