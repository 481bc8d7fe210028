// Steps: what a bound function does when it runs, one for each instruction that has work to do, with all that can be
// looked up beforehand.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "ops/program/program.h"
#include "ops/program/reduce.h"
#include "vm/bind/bound.h"
#include "vm/bind/handlers.h"

namespace ember::vm {

class FunctionBinding;

struct PreparedReduction {
  ops::Reduction by;
  ops::Shape space;  // what the operands are broadcast to
};

// What an Apply, Fused, FusedReduce, Call or a number of the call needs, resolved, as far as that is the same for any
// sizes.
struct SharedOperands {
  const ops::Op* op = nullptr;
  ops::KernelFn kernel = nullptr;
  const ops::Attrs* attrs = nullptr;    // those of the code, if no symbols are in them
  gc::Ref<const ops::Program> program;  // elementwise, and what a FusedReduce reduces
  std::span<const Register> regs;       // inputs, then outputs
  uint32_t inputs = 0;
  ops::ExprId number = 0;
  bool in_place = false;  // writes memory that its function was given
};

// All of it.
struct PreparedOperands : SharedOperands {
  PreparedOperands() = default;
  explicit PreparedOperands(const SharedOperands& shared) : SharedOperands(shared) {}

  const ops::Attrs* dynamic = nullptr;  // attributes to compute in each call instead
  FunctionBinding* callee = nullptr;
  std::unique_ptr<const PreparedReduction> reduction;  // FusedReduce
  std::unique_ptr<const struct Step> epilogue;         // a Program that the kernel runs on its result
  std::unique_ptr<ops::Attrs> evaluated;               // `attrs` with numbers for symbols
};

struct Step {
  const void* handler = nullptr;
  Handler kind = Handler::Return;
  uint32_t pc = 0;
  uint32_t target = 0;  // of jumps: a step's index
  uint32_t branch = 0;  // number of a branch or loop
  Register a = 0, b = 0, c = 0, d = 0;
  union {
    uint64_t bits;
    const PreparedOperands* operands;
    void* function;
  };
};

// What of a step goes through elements by a program: the step, a kernel's epilogue, or null.
inline const Step* loop_of(const Step& step) {
  if (step.kind == Handler::Program || step.kind == Handler::Reduce) return &step;
  return step.kind == Handler::Kernel ? step.operands->epilogue.get() : nullptr;
}

struct PreparedSteps {
  std::vector<Step> steps;
  std::vector<uint32_t> step_of_pc;
  std::deque<PreparedOperands> operands;  // of this binding alone; steps point to them, or to DecodedFunction's
};

PreparedSteps prepare(const BoundFunction& bound);

}  // namespace ember::vm
