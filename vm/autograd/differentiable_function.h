// A captured graph that may be differentiated: the code that runs it, and the graphs of its gradients, each made when
// it is first needed. A call that a tape notes is one node of it. Its forward graph returns the results and, after
// them, what the gradient needs of inner values; its backward graph makes cotangents of the operands from those of the
// results and what was kept. That is a Routine too, so gradients of gradients follow: where n scopes nest, the forward
// graph is the n-th of a row in which each is the forward graph of the one before, and all that but the last of them
// returns are results of the node, which have cotangents.
//
// Graphs are made by one thread at a time (Python's lock sees to that).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "bytecode/passes/passes.h"
#include "vm/autograd/tape.h"
#include "vm/exec/function.h"

namespace ember::vm {

// What is passed to a routine, or comes from it, with its variable on the tape.
struct TrackedResult {
  Result value;
  VariableId variable = 0;
};
using TrackedResults = std::vector<TrackedResult>;

class DifferentiableFunction final : public std::enable_shared_from_this<DifferentiableFunction> {
 public:
  // The contents of a Ref operand at the time when a gradient looks at it.
  using Contents = std::function<TrackedResult(size_t operand)>;
  enum class Outcome : uint8_t {
    Ran,
    Refused,  // the graph does not admit the operands
    OpByOp,   // the graph has not all gradients that open scopes may ask for: ops that are noted one by one have
  };

  DifferentiableFunction(std::shared_ptr<const bytecode::Module> module, bytecode::GraphId entry, bool instrumented,
                         bytecode::PassHook hook);
  ~DifferentiableFunction();

  // Runs the graph, and notes that if the tape records and tracks an operand.
  Outcome call(std::span<const TrackedResult> operands, const Contents& contents, TrackedResults* results);
  void visit(const std::function<void(const Function&)>& f) const;  // all code made so far
  bytecode::Module runnable() const;

 private:
  struct Vjp;
  struct VjpBackward;
  struct SavedCall;
  using Positions = std::vector<uint32_t>;

  gc::Ref<Function> function();
  const bytecode::Graph& graph() const { return module_->graph(entry_); }
  size_t results() const { return graph().results.size(); }
  std::shared_ptr<Vjp> vjp(const Positions& operands);  // null if the graph cannot be differentiated
  std::shared_ptr<SavedCall> linearise(const Positions& tracked);
  const VjpBackward& backward(Vjp& vjp, const Positions& results, const Positions& accumulated);
  std::shared_ptr<bytecode::Module> gradient_module() const;  // a copy, before its gradient is made
  Positions sized_operands() const;
  void add_sizes(bytecode::Module& module, bytecode::GraphId backward) const;

  const std::shared_ptr<const bytecode::Module> module_;
  const bytecode::GraphId entry_;
  const bool instrumented_;
  const bytecode::PassHook hook_;
  gc::Ref<Function> function_;
  std::map<Positions, std::shared_ptr<Vjp>> vjps_;  // by the operands differentiated by
};

}  // namespace ember::vm
