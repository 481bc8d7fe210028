// A function bound to shapes: one CodeFunction whose dims are numbers, with layouts, memory plan and prepared steps.
//
// Binding infers every register's layout from the arguments', turns views into aliases, plans the arena by lifetimes
// (in place where an elementwise result may replace its input), and prepares one Step per instruction that has work to
// do. It is immutable but for its profile, its idle frames and its native code, so threads share it.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "bytecode/code/code.h"
#include "ops/program/program.h"
#include "ops/program/reduce.h"
#include "vm/bind/handlers.h"
#include "vm/state/frame.h"
#include "vm/state/native.h"
#include "vm/state/profile.h"

namespace ember::vm {

using bytecode::kNoRegister;
using bytecode::Register;

enum class Place : uint8_t { Scalar, Arena, Param, Result, Constant, Alias };

struct RegisterPlan {
  Place place = Place::Scalar;
  ops::LayoutRef layout;          // of tensors
  Register parent = kNoRegister;  // Alias: of which register (itself no alias)
  int64_t offset = 0;             // Arena: bytes from the arena's start; Alias: bytes from the parent
  uint32_t index = 0;             // Param, Constant: its number; Result: the number of its block
};

struct ResultPlan {
  Register reg = kNoRegister;
  Register root = kNoRegister;  // whose block it lies in; a Param's if the result is (a view of) an argument
  int64_t offset = 0;
};

class FunctionBinding;

// Everything an Apply, Fused, FusedReduce or Call needs, resolved.
struct StepSite {
  const ops::Op* op = nullptr;
  ops::KernelFn kernel = nullptr;
  ops::Attrs attrs;                     // sizes are numbers
  gc::Ref<const ops::Program> program;  // elementwise, and what a FusedReduce reduces
  std::vector<Register> regs;           // inputs, then outputs
  std::vector<ops::View> views;         // layouts in the same order; data is filled per run
  uint32_t inputs = 0;
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
    const StepSite* site;
    void* function;
  };
};

// What of a step goes through elements by a program: the step, a kernel's epilogue, or null.
inline const Step* loop_of(const Step& step) {
  if (step.kind == Handler::Program || step.kind == Handler::Reduce) return &step;
  return step.kind == Handler::Kernel ? step.site->epilogue.get() : nullptr;
}

struct BindOptions {
  bool reuse_memory = true;  // shadow mode keeps every register's last value instead, and every step apart
  bool refs_apart = false;   // no Ref of the entry shares memory with another or with a constant
};

// One code with concrete dims: owns the bindings of its functions, by argument layouts.
class Binding final : public gc::Counted {
 public:
  Binding(bytecode::CodeRef code, std::vector<int64_t> dims, BindOptions options);
  FunctionBinding& function(uint32_t number, std::span<const ops::LayoutRef> params);

  const bytecode::Code& code() const { return *code_; }
  const bytecode::CodeRef& code_ref() const { return code_; }
  int64_t dim(ops::Dim d) const { return d.symbolic() ? dims_[d.expr] : d.value; }
  ops::Shape shape(const ops::Type& type) const;
  ops::Attrs evaluate(const ops::Attrs& attrs) const;
  const BindOptions& options() const { return options_; }
  // Whether a function writes a parameter, itself or in what it calls.
  bool writes(uint32_t function, size_t param);

 private:
  bytecode::CodeRef code_;
  std::vector<int64_t> dims_;
  BindOptions options_;
  std::recursive_mutex mutex_;
  std::vector<std::vector<bool>> writes_;  // by function and parameter, once asked for
  std::map<std::pair<uint32_t, std::vector<uint64_t>>, std::unique_ptr<FunctionBinding>> functions_;
};

class FunctionBinding {
 public:
  FunctionBinding(Binding& owner, uint32_t number);
  ~FunctionBinding();
  void bind(std::span<const ops::LayoutRef> params);  // once, by Binding

  const bytecode::Code& code() const { return owner_.code(); }
  const bytecode::CodeFunction& function() const { return owner_.code().functions[number_]; }
  uint32_t number() const { return number_; }
  Binding& owner() const { return owner_; }
  const RegisterPlan& reg(Register r) const { return registers_[r]; }
  const std::vector<Step>& steps() const { return steps_; }
  uint32_t step_at(uint32_t pc) const { return step_of_pc_[pc]; }
  const std::vector<ResultPlan>& results() const { return results_; }
  const std::vector<size_t>& result_blocks() const { return result_bytes_; }
  const std::vector<Register>& written_refs() const { return written_refs_; }
  size_t arena_bytes() const { return arena_bytes_; }
  size_t arena_offset() const { return arena_offset_; }  // from the first slot
  Profile& profile() const { return *profile_; }

  // Whether a call ends so soon, running nothing from outside, that others may wait for it.
  bool brief() const { return brief_; }

  std::unique_ptr<Frame> acquire_frame();
  void release_frame(std::unique_ptr<Frame> frame);
  // Sets the slots of parameters' aliases, of result blocks and theirs; allocates the blocks; notes the time.
  void enter(Frame& frame) const;

  gc::Ref<Native> native() const;
  Native* native_for(Frame& frame) const;   // the same, kept alive by the frame
  void set_native(gc::Ref<Native> native);  // null takes it away
  bool has_native() const { return current_native_.load(std::memory_order_acquire); }

 private:
  friend class Binder;
  void drop_idle_frames();

  Binding& owner_;
  uint32_t number_;
  std::vector<RegisterPlan> registers_;
  std::vector<Step> steps_;
  std::vector<uint32_t> step_of_pc_;
  std::vector<std::unique_ptr<StepSite>> sites_;
  std::vector<ResultPlan> results_;
  std::vector<size_t> result_bytes_;
  std::vector<Register> result_roots_;
  std::vector<Register> entry_aliases_;  // aliases of parameters and result blocks, in order
  std::vector<Register> written_refs_;
  size_t arena_bytes_ = 0;
  size_t arena_offset_ = 0;
  bool brief_ = false;
  std::unique_ptr<Profile> profile_;

  std::array<std::atomic<Frame*>, 4> idle_{};
  mutable std::mutex native_mutex_;
  gc::Ref<Native> native_;
  std::atomic<Native*> current_native_{nullptr};  // native_, to be compared with

 public:
  // What tiers remembers of this function. It stands last and so dies first: another thread may look through it until
  // then.
  gc::Ref<gc::Counted> tier_state;
};

}  // namespace ember::vm
