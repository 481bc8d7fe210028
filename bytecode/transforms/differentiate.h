// Reverse mode for one graph at a time. Forward copies the graph and records the nodes that cotangents pass (a Wengert
// list); Backward visits the record in reverse and writes the gradient, into the same graph (grad.cpp) or into one of
// its own (for the graphs of If, While and Call). What the gradient needs of the forward part comes through a Fetch.
//
// A sub-graph becomes two: forward(params) -> (results, residuals) and backward(cotangents, residuals) -> cotangents.
// Residuals that are parameters of the sub-graph are taken from the node's inputs instead. Those of a While's body are
// pushed on a stack, one entry a trip, and the backward While pops until the stack is empty:
//
//   while (c(x)) x = f(x)      forward:   while (c(x)) { (x, r) = f_forward(x); push(s, r); }
//                              backward:  while (non_empty(s)) { r = pop(s); ct = f_backward(ct, r); }
//
// Those of a graph that calls itself are one stack, on which those of its calls of itself are stacks in turn.
//
// An operand that later nodes use as well has its cotangent accumulated: the backward graph takes the sum so far and
// adds to it, so that terms are added in the order of the nodes. (Of an operand that is passed twice the first takes
// it.) A Ref is one variable, to which no write is a way: its cotangent is the sum of those of all that is loaded of
// it, before a write or after, and nothing flows to what has been written. The backward graph takes the sum so far, and
// returns it with its own terms. The tape has the same rule for Parameters (python/src/tensor/shared_memory.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/transforms/flow.h"
#include "bytecode/transforms/replay.h"

namespace ember::bytecode {

// A node of control flow with cotangents. Ids are of the forward graph; the order is that of the backward graphs, which
// take cotangents of results, accumulators of operands, cotangents of Refs and residuals, and return those of operands
// and of Refs. The backward graphs of a While take the stack before, and carry all but the residuals.
struct ControlEntry {
  NodeKind kind = NodeKind::Call;
  ValueId condition = kNoId;
  std::vector<ValueId> results, refs, operands, residuals;
  Marks accumulated;  // by operand
  ValueId stack = kNoId;
  GraphId graphs[2] = {kNoId, kNoId};
  Source source;
};
using RecordEntry = std::variant<uint32_t, ControlEntry>;  // a node's number, or control flow

struct Record {
  std::vector<RecordEntry> entries;
  Marks varied;  // by value of the forward graph
};

// Which cotangents a sub-graph's backward graph takes and returns, by position among its parameters and results;
// `accumulated` are operands.
struct CotangentSignature {
  std::vector<size_t> results, refs, operands, accumulated;
  bool empty() const { return operands.empty() && refs.empty(); }
  auto key() const { return std::tie(results, refs, operands, accumulated); }
  friend bool operator<(const CotangentSignature& a, const CotangentSignature& b) { return a.key() < b.key(); }
};

struct Residual {
  ValueId value = kNoId;  // in the forward graph
  Type type;
  std::optional<size_t> parameter;  // it is that one of the graph
};

struct SubGraph {
  std::unique_ptr<GraphBuilder> builder;  // of the forward graph, not yet finished
  ops::Values results;
  ops::Value stack;
  GraphId forward = kNoId, backward = kNoId;
  std::vector<Residual> residuals;

  ops::Values extra() const;  // results that are not parameters
  Types extra_types() const;
};

class Differentiator {
 public:
  Differentiator(Module& module, GraphId source)
      : module(module), varied(module, FlowRule::Varied), useful(module), cycles_(module, source) {}
  // With `stack_at`, the forward graph has a stack as parameter there; with `declared` it is that graph, and returns a
  // stack as its only residual.
  // The backward graph takes the cotangents of `seeds`, of signature.results.
  SubGraph sub_graph(GraphId source, const Marks& varied_params, const CotangentSignature& signature,
                     std::span<const size_t> seeds, std::optional<size_t> stack_at = {},
                     std::optional<GraphId> declared = {});
  const SubGraph& callee(GraphId source, const Marks& varied_params, const CotangentSignature& signature,
                         std::span<const size_t> seeds);

  Module& module;
  Flow varied;
  UsefulFlow useful;

 private:
  void recursive(SubGraph& callee, GraphId source, const Marks& varied_params, const CotangentSignature& signature,
                 std::span<const size_t> seeds);

  CallCycles cycles_;
  std::map<std::tuple<GraphId, Marks, CotangentSignature, std::vector<size_t>>, SubGraph> callees_;
};

class Forward {
 public:
  Forward(Differentiator& owner, GraphId source, GraphBuilder& out, const Marks& varied_params,
          const Marks& useful_results, const Marks& useful_refs, const Marks& accumulated_params);
  Replay& replay() { return replay_; }
  Record run();  // once the parameters are there

 private:
  bool control(const Node& node);  // false: no cotangents pass
  bool custom_gradient(const Node& node, const Ports& p, size_t operands);
  void branch(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied);
  void loop(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied);
  void call(const Node& node, const Ports& p, CotangentSignature signature, const Marks& varied);
  void loop_backward(ControlEntry& entry, const SubGraph& body);
  CotangentSignature signature(const Node& node, const Ports& p, const Marks& varied);
  ControlEntry entry(const Node& node, const Ports& p, const CotangentSignature& signature);
  void plain(const Node& node);
  void share_last_uses_of_loads();
  ops::Value without_float_scalars(const Node& node);
  void record_nodes(size_t first_node);
  void find_last_uses(const Marks& useful_results, const Marks& useful_refs, const Marks& accumulated_params);
  ValueId id(ValueId source_value) { return out_.id(replay_[source_value]); }

  Differentiator& owner_;
  GraphBuilder& out_;
  Replay replay_;
  Marks varied_, useful_;         // by value of the source
  std::vector<size_t> last_use_;  // by value of the source: the number of the last node that may give a cotangent
  Record record_;
};

using Fetch = std::function<ops::Value(ValueId)>;

class Backward {
 public:
  Backward(const Record& record, const GraphBuilder& forward, GraphBuilder& out, Fetch fetch);
  void add(ValueId v, const ops::Value& cotangent);
  void run();
  ops::Value cotangent(ValueId v);  // zeros if there is none

 private:
  void plain(const Node& node);
  void apply(const Node& node);
  void push(const Node& node);
  void pop(const Node& node);
  void control(const ControlEntry& entry);
  ops::Values rule(const Node& node, std::span<const ops::Value> cotangents);
  ops::Values gather(std::span<const ValueId> values);
  ops::Values take_accumulators(const ControlEntry& entry);
  void scatter(const ControlEntry& entry, std::span<const ops::Value> cotangents);
  bool any(std::span<const ValueId> values) const;
  void find_loads();
  ValueId place(ValueId v) const;  // whose cotangent has that of v
  const Type& type(ValueId v) const { return types_[v]; }

  const Record& record_;
  GraphBuilder& out_;
  Module& module_;
  GraphId forward_;
  Types types_;  // of the forward graph's values when recorded
  Fetch fetch_;
  ops::Values cotangents_;
  std::unordered_map<ValueId, ValueId> loads_;  // the Ref of what has been loaded
};

Type cotangent_type(const Type& type);
ops::Value zero(GraphBuilder& b, const Type& type);

}  // namespace ember::bytecode
