// One code bound to concrete dims, and its functions bound to their arguments' layouts, ready to run: what is decided
// of each (bound.h), its steps (prepared.h), its profile, idle frames and native code. All but these three is
// immutable, so threads share it.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "vm/bind/bound.h"
#include "vm/bind/decoded.h"
#include "vm/bind/prepared.h"
#include "vm/state/frame.h"
#include "vm/state/native.h"
#include "vm/state/profile.h"

namespace ember::vm {

// The caller gives an argument of the entry the elements of a result right after each call.
struct Overwrite {
  size_t param, result;
};

struct BindOptions {
  bool reuse_memory = true;  // shadow mode keeps every register's last value instead, and every step apart
  // No parameter of the entry that may be written shares memory with another such, or with a constant.
  bool written_unaliased = false;
  std::vector<Overwrite> overwrites;
  std::vector<bool> dynamic;  // by expression: whether it differs from call to call of the binding
};

// One code with concrete dims: owns the bindings of its functions, by argument layouts.
class Binding final : public gc::Counted {
 public:
  Binding(gc::Ref<DecodedCode> decoded, std::vector<int64_t> dims, BindOptions options);
  FunctionBinding& function(uint32_t number, std::span<const ops::LayoutRef> params);

  const bytecode::Code& code() const { return decoded_->code(); }
  DecodedCode& decoded() const { return *decoded_; }
  int64_t dim(ops::Dim d) const { return d.symbolic() ? dims_[d.expr] : d.hint(); }
  bool dynamic(ops::Dim d) const {
    return d.symbolic() && d.expr < options_.dynamic.size() && options_.dynamic[d.expr];
  }
  ops::Shape shape(const ops::Type& type) const;
  // With numbers for symbols: the same ones if they have none, else `storage`.
  const ops::Attrs& evaluate(const ops::Attrs& attrs, ops::Attrs* storage) const;
  const BindOptions& options() const { return options_; }
  void take_idle_arenas(std::vector<gc::Ref<gc::Storage>>* memory);  // of all its functions

 private:
  gc::Ref<DecodedCode> decoded_;
  std::vector<int64_t> dims_;
  BindOptions options_;
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
  BoundFunction bound() const;                                           // what was decided, found again
  const PlacedRegister& reg(Register r) const { return registers_[r]; }  // of numbers, with the layout of slots
  const std::vector<BoundResult>& results() const { return results_; }
  const std::vector<Step>& steps() const { return prepared_.steps; }
  uint32_t step_at(uint32_t pc) const { return prepared_.step_of_pc[pc]; }
  const std::vector<Register>& written_params() const { return written_params_; }
  size_t arena_bytes() const { return arena_bytes_; }
  size_t arena_offset() const { return arena_offset_; }  // from the first slot
  Profile& profile() const { return *profile_; }

  // Whether a call ends so soon, running nothing from outside, that it does not let go of Python's lock.
  bool runs_under_gil() const { return runs_under_gil_; }

  std::unique_ptr<Frame> acquire_frame();
  void release_frame(std::unique_ptr<Frame> frame);
  // Of the operands of a step, without data.
  std::vector<ops::View> layouts(const PreparedOperands& operands) const;
  // Sets the slots of parameters' aliases, of result blocks and theirs; allocates the blocks; notes the time.
  void enter(Frame& frame) const;

  gc::Ref<Native> native() const;
  Native* native_for(Frame& frame) const;   // the same, kept alive by the frame
  void set_native(gc::Ref<Native> native);  // null takes it away
  bool has_native() const { return current_native_.load(std::memory_order_acquire); }

 private:
  friend void free_idle_arenas();
  friend class Binding;
  void place(Frame& frame) const;
  void drop_idle_frames();
  void take_idle_arenas(std::vector<gc::Ref<gc::Storage>>* memory);

  Binding& owner_;
  uint32_t number_;
  std::vector<PlacedRegister> registers_;
  std::vector<BoundResult> results_;
  std::vector<Register> result_blocks_;
  PreparedSteps prepared_;
  std::vector<Register> entry_aliases_;  // aliases of parameters and result blocks, in order
  std::vector<Register> written_params_;
  size_t arena_bytes_ = 0, arena_offset_ = 0;
  bool runs_under_gil_ = false;
  std::unique_ptr<Profile> profile_;

  std::array<std::atomic<Frame*>, 4> idle_{};
  gc::Ref<Native> native_;
  std::atomic<Native*> current_native_{nullptr};  // native_, to be compared with

 public:
  // What tiers remembers of this function. It stands last and so dies first: another thread may look through it until
  // then.
  gc::Ref<gc::Counted> tier_state;
};

// Idle frames of all functions give their memory back, and get it anew when they are used.
void free_idle_arenas();

// A function and all that it calls, each once for the layouts that it is called with.
std::vector<const FunctionBinding*> with_callees(const FunctionBinding& entry);

}  // namespace ember::vm
