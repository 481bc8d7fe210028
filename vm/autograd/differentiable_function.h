// A captured graph that may be differentiated: the code that runs it, and its vjps, each made when first needed. For
// f: x -> y and the operands x_i that the tape tracks, bytecode::linearise makes
//
//   forward(x) = (y, r)                    r: residuals, the inner values saved for backward
//   backward(ct_y, r) = ct_y * dy/dx_i     the vjp: cotangents of the results to those of the operands
//
// A call is one node of the tape: it runs `forward` and saves r, and the node's backward runs `backward`. Both are
// differentiable functions again, so gradients of gradients follow. Where n scopes nest the call runs forward_n, with
// forward_0 = f and forward_k the forward of forward_(k-1); all results of forward_(n-1), residuals of the scopes
// inside among them, are results of the node and have cotangents. For f(x) = x * sin(x):
//
//   forward_1(x) = (x * s, s), s = sin(x)              r = (x, s); x is an operand, so no result returns it
//   backward_1(ct, x, s) = ct * s + ct * x * cos(x)
//   backward_2(ct, ct_s, x, s) = ct * s + ct * x * cos(x) + ct_s * cos(x)
//
// In two nested scopes the outer one records the run of backward_1, which reads s and so gives it a cotangent ct_s.
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

// An operand or result of a differentiable function, with its variable on the tape.
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
    OpByOp,   // the graph lacks a vjp of the order that open scopes ask for; its ops, recorded one by one, have it
  };

  DifferentiableFunction(std::shared_ptr<const bytecode::Module> module, bytecode::GraphId entry, bool instrumented,
                         bytecode::PassHook hook);
  ~DifferentiableFunction();

  // Runs the graph, and records the call if the tape records and tracks an operand.
  Outcome call(std::span<TrackedResult> operands, const Contents& contents, TrackedResults* results);
  void visit(const std::function<void(const Function&)>& f) const;  // all code made so far
  bytecode::Module runnable() const;
  const bytecode::Module& module() const { return *module_; }

 private:
  struct Vjp;
  struct VjpBackward;
  struct SavedCall;
  using Positions = std::vector<uint32_t>;

  gc::Ref<Function> function();
  const bytecode::Graph& graph() const { return module_->graph(entry_); }
  size_t results() const { return graph().results.size(); }
  std::shared_ptr<Vjp> vjp(const Positions& operands);  // null if the graph has none
  std::shared_ptr<SavedCall> linearise(const Positions& tracked);
  // Null if it needs residuals that the vjp has not saved: accumulators may flow through conditions that gradients need
  // not.
  const VjpBackward* backward(Vjp& vjp, const Positions& results, const Positions& accumulated);
  std::shared_ptr<bytecode::Module> gradient_module() const;  // a copy, before its gradient is made
  Positions symbol_operands() const;
  void add_symbols(bytecode::Module& module, bytecode::GraphId backward) const;

  const std::shared_ptr<const bytecode::Module> module_;
  const bytecode::GraphId entry_;
  const bool instrumented_;
  const bytecode::PassHook hook_;
  gc::Ref<Function> function_;
  std::map<Positions, std::shared_ptr<Vjp>> vjps_;  // by the operands differentiated by
};

}  // namespace ember::vm
