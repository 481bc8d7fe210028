// One pass of an expression over `lanes` elements: loads, verbs, stores, with registers assigned as it goes.
//
// Inputs and constants are loaded where they are first needed and may be dropped and loaded again; values that do not
// fit in registers are spilled to the stack, the one whose next use is farthest first. A jump passes over predicated
// nodes where no element needs them: what lives on is in memory by then, and what is in registers the same on both
// ways. Results are stored after everything has been read, so an output may alias an input.
#pragma once

#include <functional>
#include <optional>

#include "ops/expr/predication.h"
#include "tiers/emit/vector_verbs.h"

namespace ember::tiers {

// Where operands are. Addresses are asked for right before use and may use rax.
struct OperandAccess {
  std::function<Xbyak::RegExp(size_t input)> input;  // of element 0 of this pass
  std::function<Xbyak::RegExp(size_t output)> output;
  uint64_t uniform = 0;  // inputs that have one value
  bool masked = false;   // only the first lanes, as `tail` says
  Tail tail;
  int reserved = 0;                                                   // the highest vector registers are the caller's
  std::function<void(VectorVerbs&, size_t output, int reg)> consume;  // takes results instead of storing them
};

// The expression for `ways` passes at once, node by node, so that their latencies overlap. What depends on constants
// and uniform inputs alone is shared; input i of pass w is input w * expr.inputs + i, and likewise outputs.
ops::PredicatedExpr interleave(const ops::PredicatedExpr& predicated, uint64_t uniform, size_t ways);

class VectorBody {
 public:
  // Of an expanded expression. Lanes follow from the widest dtype that varies; null if a node has no native form here.
  static std::optional<VectorBody> build(ops::Isa isa, const ops::PredicatedExpr& predicated, uint64_t uniform);

  int lanes() const { return lanes_; }
  size_t stack_bytes() const { return (slots_ + uniform_slots_) * 64; }

  // Once before the loop: uniform operands whose dtype is not the loop's are converted and kept on the stack.
  void emit_prologue(Assembler& a, const OperandAccess& access) const;
  // Clobbers vector registers, rax and k2. `stack` addresses stack_bytes() of scratch.
  void emit(Assembler& a, const OperandAccess& access, Xbyak::RegExp stack);
  const ops::Expr& expr() const { return expr_; }

 private:
  friend class BodyEmitter;
  explicit VectorBody(const ops::PredicatedExpr& predicated) : expr_(predicated.expr), regions_(predicated.regions) {}

  ops::Expr expr_;
  std::vector<ops::PredicatedRegion> regions_;
  int lanes_ = 0;
  size_t slots_ = 0;  // spill slots, one a node at most
  size_t uniform_slots_ = 0;
  std::vector<int32_t> uniform_slot_;  // by node: slot of a uniform value converted before the loop, or -1
};

}  // namespace ember::tiers
