// Eager gradients by reverse mode. Each thread has one tape: the list of what was computed since its outermost scope
// opened, one node an op or a jitted call. A node saves what its gradient rule needs, the layouts of its other
// operands, and the variables of operands and results. A variable is the identity of a value on the tape; whoever holds
// the value (a Python Tensor) has its number beside it. 0 is the variable of values that are constants to the tape, and
// only what depends on others is recorded.
//
//   TapeScope scope;
//   VariableId x = scope.watch(x_outside);   // a new variable, of the same value
//   ... eager calls, each with tape.record() or by tape.apply() ...
//   auto gradients = scope.backward({y}, {{ones}}, {x});
//
// Scopes nest, on the same list: backward() walks back to its own scope's opening only, and while an outer scope is
// open what it computes is recorded as well, so gradients of gradients follow. A scope that is closed records nothing
// more but can still run backward(). A scope that opens in a pause has a list of its own. Everything is released with
// the last scope. Saved tensors share the storage of what they were saved from: while saves_tensors(), a Parameter is
// written by giving it new storage.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ops/eager/eager.h"

namespace ember::vm {

using VariableId = uint64_t;

// A value and its variable.
struct Tracked {
  ops::Value value;
  VariableId variable = 0;
};
using TrackedValues = std::vector<Tracked>;

// The vjp of a call that is one node: from cotangents of its results to those of its operands, None where there is
// none. `sums` are the operands' cotangents accumulated so far, whatever their types: one that it takes, leaving None,
// is part of its answer. While tape().recording(), it must record what it computes.
using BackwardFn = std::function<TrackedValues(std::span<const Tracked> cotangents, std::span<Tracked> sums)>;

// Replaces the finished cotangent of a variable. While tape().recording(), it must record what it computes.
using Hook = std::function<Tracked(const Tracked& cotangent)>;

class Tape {
 public:
  bool recording() const { return scopes_ != 0 && !paused_; }
  size_t depth() const { return depth_; }  // of the scopes that record on the present list
  // Whether an open scope, or one whose backward() runs, may ask for the gradient of a variable.
  bool tracks(VariableId v) const { return v != 0 && v >= std::min(oldest_, oldest_in_pass_); }
  bool saves_tensors() const { return scopes_ != 0 || closed_scopes_.load(std::memory_order_relaxed) != 0; }

  // Records a call of an op that has been run. Answers the variable of its first result (others follow by one), 0 if no
  // gradient can flow. `results` of an op that writes a Tensor is the contents afterwards. Not for ops with
  // expands(): those go through apply().
  VariableId record(const ops::Op& op, std::span<const ops::Value> operands, std::span<const VariableId> variables,
                    std::span<const ops::Value> results, const ops::Attrs& attrs);
  VariableId record(BackwardFn backward, std::span<const VariableId> variables, std::span<const ops::Value> results);
  void hook(VariableId variable, Hook hook);

  // Runs an op and records it if recording; composed ops without a gradient rule are run, and recorded, part by part.
  TrackedValues apply(const ops::Op& op, std::span<const Tracked> operands, const ops::Attrs& attrs);
  static bool expands(const ops::Op& op) { return op.compose && !op.grad && !op.flags.has(ops::Flag::NoGradient); }

 private:
  friend class TapeScope;
  friend class TapePause;

  struct Slot {  // of an operand or result
    VariableId variable = 0;
    ops::Value value;       // if saved, or a number
    ops::LayoutRef layout;  // of a tensor that is not saved
  };
  struct Node {
    const ops::Op* op = nullptr;              // neither op nor backward: the result is the operand
    std::unique_ptr<const ops::Attrs> attrs;  // null: all empty
    std::unique_ptr<const BackwardFn> backward;
    size_t first_slot = 0;  // operands, then results
    VariableId first_result = 0;
    uint32_t operands = 0, results = 0;
  };
  struct Trace {
    std::vector<Node> nodes;
    std::vector<Slot> slots;
    std::map<VariableId, Hook> hooks;
  };
  class Recorder;
  struct BackwardPass;
  struct PassGuard;

  VariableId add(Node node, std::span<const VariableId> variables, std::span<const ops::Value> results);
  void save(VariableId variable, const ops::Value& value, bool saved);
  static ops::Type type(const Slot& slot);
  void propagate(BackwardPass& pass, size_t number);
  TrackedValues call_vjp(const BackwardPass& pass, size_t number, std::span<const Tracked> cotangents,
                         std::span<Tracked> sums);
  TrackedValues apply_rule(const BackwardPass& pass, size_t number, std::span<const Tracked> cotangents);
  Tracked sum(const Tracked& a, const Tracked& b);
  Tracked fit(const Tracked& cotangent, const ops::Type& type);
  Tracked finished(BackwardPass& pass, VariableId v);

  std::shared_ptr<Trace> trace_ = std::make_shared<Trace>();
  VariableId next_ = 1;
  VariableId oldest_ = 0;              // of the outermost scope
  VariableId oldest_in_pass_ = ~0ull;  // of the scopes whose backward() runs
  uint32_t scopes_ = 0, depth_ = 0;
  bool paused_ = false;
  inline static std::atomic<uint32_t> closed_scopes_{0};  // of all threads
};

Tape& tape();  // of this thread

class TapeScope {
 public:
  TapeScope();
  ~TapeScope();
  TapeScope(const TapeScope&) = delete;
  TapeScope& operator=(const TapeScope&) = delete;

  VariableId watch(VariableId outside = 0);
  void close();
  // Variables from before this scope that what it recorded depends on.
  std::vector<VariableId> outside() const;
  // Gradients of the sum of outputs times their cotangents (each output's variable with its cotangent) with respect to
  // variables that were watched in this scope or are from outside(). None where there is no dependence.
  TrackedValues backward(std::span<const VariableId> outputs, std::span<const Tracked> cotangents,
                         std::span<const VariableId> inputs);

 private:
  void leave();
  size_t last_node() const { return open_ ? trace_->nodes.size() : last_node_; }
  VariableId last_variable() const { return open_ ? tape().next_ : last_variable_; }

  bool open_ = true;
  const bool in_pause_;
  const uint32_t outer_depth_;
  std::shared_ptr<Tape::Trace> before_, trace_;
  size_t first_node_, last_node_ = 0;
  VariableId first_variable_, last_variable_ = 0;
};

// While it lives, nothing is recorded on this thread.
class TapePause {
 public:
  TapePause();
  ~TapePause();
  TapePause(const TapePause&) = delete;
  TapePause& operator=(const TapePause&) = delete;

 private:
  bool before_;
};

}  // namespace ember::vm
