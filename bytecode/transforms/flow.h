// Dataflow over graphs, by marks on values: which depend on marked parameters (varied: differentiably; batched: at
// all), and which the marked results depend on differentiably (useful). A cotangent is needed for values that are
// varied and useful. Both follow control flow, loops and recursion to a fixpoint. A Ref is batched if its contents may
// be at any time; it is varied if it is differentiated by, whatever is written to it. Marks of parameters and results
// are by position, of values by ValueId; positions are those without tokens.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

using Marks = std::vector<char>;

// The values that pass through a node of control flow, tokens and an If's condition left out.
struct Ports {
  std::vector<ValueId> in, out;
  size_t carried = 0;  // of `in`, for a While
};
Ports ports(const Graph& graph, const Node& node);
std::vector<ValueId> without_tokens(const Graph& graph, std::span<const ValueId> values);
Types types_without_tokens(const Graph& graph, std::span<const ValueId> values);
bool returns_token(const Graph& graph);

// Whether values of this type have cotangents: tensors of numbers and their Refs, Floats, stacks.
bool differentiable(const Type& type);

// The Ref operand of an op with Flag::Memory.
ValueId written_ref(const Graph& graph, const Node& node);

// Of a call whose graph has a custom gradient: how many operands that gives cotangents of.
std::optional<size_t> custom_gradient_operands(const Module& module, const Node& node);

// Batched alone leaves stacks to their entries; with BatchedStacks all stacks are batched, with MaskedStacks also the
// tell whether one has a top.
enum class FlowRule : uint8_t { Varied, Batched, BatchedStacks, MaskedStacks };

// Marks the outputs of a node without sub-graphs, and, but for Varied, the Ref that it writes.
void mark_node(FlowRule rule, const Graph& graph, const Node& node, Marks& marks);

// A memo of the marks of graphs, by those of parameters, or of results and Refs. A graph that comes to ask for itself
// gets its marks so far, and the transfer runs again, with all that relied on them, until a fixpoint.
class MarkedGraphs {
 public:
  using Key = std::pair<GraphId, Marks>;
  // `transfer` adds marks to those of `start`, and returns whether it has to run again.
  const Marks& get(const Key& key, const std::function<Marks()>& start, const std::function<bool(Marks&)>& transfer);
  void clear() { known_.clear(); }

 private:
  struct Open {
    Marks marks;
    bool asked = false;
  };
  std::map<Key, Marks> known_;
  std::vector<Key> order_;  // of known_
  std::map<Key, Open> open_;
};

class Flow {
 public:
  Flow(const Module& module, FlowRule rule) : module_(module), rule_(rule) {}
  Marks forward(GraphId graph, const Marks& params);
  // Marks at result positions; `params` has those of Refs.
  Marks results(GraphId graph, const Marks& params);
  FlowRule rule() const { return rule_; }
  void restart(FlowRule rule);
  // What was met since the start: a Push of something marked, a loop with a marked condition.
  bool pushes_marked() const { return pushes_marked_; }
  bool loops_marked() const { return loops_marked_; }

 private:
  void visit(const Graph& graph, const Node& node, Marks& marks);
  void visit_if(const Graph& graph, const Node& node, Marks& marks);
  void visit_while(const Graph& graph, const Node& node, Marks& marks);
  void visit_call(const Graph& graph, const Node& node, Marks& marks);
  // Runs a sub-graph: marks Refs among `in` that it marks, and returns the marks of its results.
  Marks run(GraphId graph, std::span<const ValueId> in, Marks& marks);

  const Module& module_;
  FlowRule rule_;
  MarkedGraphs known_;
  bool pushes_marked_ = false;
  bool loops_marked_ = false;
};

// The other direction: what marked results, and marked Refs, need.
class UsefulFlow {
 public:
  explicit UsefulFlow(const Module& module) : module_(module) {}
  Marks backward(GraphId graph, const Marks& results, const Marks& refs);
  Marks params(GraphId graph, const Marks& results, const Marks& refs);

 private:
  void visit(const Graph& graph, const Node& node, Marks& marks);
  void visit_control(const Graph& graph, const Node& node, Marks& marks);

  const Module& module_;
  MarkedGraphs known_;
};

}  // namespace ember::bytecode
