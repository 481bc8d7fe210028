// Steps: what a bound function does when it runs, one for each instruction that has work to do, with all that can be
// looked up beforehand.
#pragma once

#include <memory>
#include <vector>

#include "ops/program/program.h"
#include "ops/program/reduce.h"
#include "vm/bind/bound.h"
#include "vm/bind/handlers.h"

namespace ember::vm {

class FunctionBinding;

// Everything an Apply, Fused, FusedReduce or Call needs, resolved.
struct PreparedOperands {
  const ops::Op* op = nullptr;
  ops::KernelFn kernel = nullptr;
  ops::Attrs attrs;                     // sizes are numbers
  const ops::Attrs* dynamic = nullptr;  // those to compute in each call instead
  gc::Ref<const ops::Program> program;  // elementwise, and what a FusedReduce reduces
  std::vector<Register> regs;           // inputs, then outputs
  std::vector<ops::View> views;         // layouts in the same order; data is filled per run
  uint32_t inputs = 0;
  bool in_place = false;  // writes memory that its function was given
  FunctionBinding* callee = nullptr;
  ops::Reduction reduction{};                   // FusedReduce
  ops::Shape space;                             // FusedReduce: what the operands are broadcast to
  std::unique_ptr<const struct Step> epilogue;  // a Program that the kernel runs on its result
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
  std::vector<std::unique_ptr<PreparedOperands>> operands;
};

PreparedSteps prepare(const BoundFunction& bound);

}  // namespace ember::vm
