// The dispatch loop. Every handler reads its registers from the frame's slots and goes on to the next step; only Return,
// errors and native code at a loop header leave it. Kernels see views that are filled here, on the C++ stack.
#include "vm/interpreter.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ops/eager.h"
#include "vm/function.h"
#include "vm/hooks.h"
#include "vm/reduce_step.h"
#include "vm/scalar_verbs.h"

namespace ember::vm {
namespace {

constexpr size_t kViews = 24;
constexpr int kMaxDepth = 1000;
thread_local int depth = 0;

struct Depth {
  Depth() {
    if (++depth > kMaxDepth) {
      --depth;
      ops::value_error("calls are nested deeper than 1000: recursion must end on a condition that changes");
    }
  }
  ~Depth() { --depth; }
};

// Calls f(inputs, outputs) with the site's views over the frame.
template <class F>
void with_views(const StepSite& site, const Frame& frame, const bytecode::CodeFunction& fn, F&& f) {
  size_t n = site.regs.size();
  ops::View small[kViews];
  std::vector<ops::View> large(n > kViews ? n : 0);
  ops::View* views = n > kViews ? large.data() : small;
  for (size_t i = 0; i < n; ++i) {
    Register r = site.regs[i];
    views[i].layout = site.views[i].layout;
    if (r == kNoRegister) continue;
    bool in_memory = fn.registers[r].is_tensor();
    views[i].data = in_memory ? frame.pointer<void>(r) : const_cast<uint64_t*>(&frame.slots[r]);
  }
  f(std::span<const ops::View>(views, site.inputs),
    std::span<const ops::View>(views + site.inputs, n - site.inputs));
}

template <class To>
void item(const StepSite& site, Frame& frame) {
  const ops::Layout& layout = *site.views[0].layout;
  const void* data = frame.pointer<void>(site.regs[0]);
  To value = ops::dispatch(layout.dtype, [&]<class T>() {
    T element;
    std::memcpy(&element, data, sizeof element);
    if constexpr (std::is_same_v<T, ops::Half> || std::is_same_v<T, ops::BFloat16>)
      return static_cast<To>(static_cast<float>(element));
    else
      return static_cast<To>(element);
  });
  frame.slots[site.regs[1]] = 0;
  std::memcpy(&frame.slots[site.regs[1]], &value, sizeof value);
}

void copy_view(const ops::View& from, const ops::View& to) {
  static const ops::Op& cast = ops::op("cast");
  if (from.layout->dtype == to.layout->dtype && from.layout->contiguous) {
    std::memmove(to.data, from.data, to.layout->bytes());
    return;
  }
  ops::Attrs attrs;
  attrs.set(1, to.layout->dtype);
  ops::run_kernel(cast, {&from, 1}, {&to, 1}, attrs);
}

void call_function(const StepSite& site, Frame& caller, const bytecode::CodeFunction& fn) {
  Depth guard;
  FunctionBinding& callee = *site.callee;
  const bytecode::CodeFunction& to = callee.function();
  std::unique_ptr<Frame> frame = callee.acquire_frame();
  for (uint32_t i = 0; i < site.inputs; ++i) frame->slots[to.params[i]] = caller.slots[site.regs[i]];
  callee.enter(*frame);
  resume(*frame, callee);
  for (size_t i = 0; i < to.results.size(); ++i) {
    Register out = site.regs[site.inputs + i];
    Register result = to.results[i];
    if (!fn.registers[out].is_tensor()) {
      caller.slots[out] = frame->slots[result];
      continue;
    }
    copy_view({frame->pointer<void>(result), callee.reg(result).layout.get()},
              {caller.pointer<void>(out), site.views[site.inputs + i].layout});
  }
  caller.stacks.insert(caller.stacks.end(), frame->stacks.begin(), frame->stacks.end());
  callee.release_frame(std::move(frame));
}

const ops::StackEntry* entry(const Frame& frame, Register stack) { return frame.pointer<const ops::StackEntry>(stack); }

void push(const StepSite& site, Frame& frame, const bytecode::CodeFunction& fn) {
  std::vector<ops::StackItem> items;
  for (uint32_t i = 1; i < site.inputs; ++i) {
    Register r = site.regs[i];
    uint64_t bits = frame.slots[r];
    switch (fn.registers[r].kind) {
      case ops::Kind::Bool: items.emplace_back((bits & 1) != 0); break;
      case ops::Kind::Int: items.emplace_back(static_cast<int64_t>(bits)); break;
      case ops::Kind::Float: items.emplace_back(std::bit_cast<double>(bits)); break;
      case ops::Kind::Stack: items.emplace_back(ops::Stack(entry(frame, r))); break;
      default: {
        const ops::Layout& layout = *site.views[i].layout;
        ops::Tensor copy = ops::Tensor::empty(layout.dtype, layout.shape);
        copy_view({frame.pointer<void>(r), &layout}, {copy.data(), &copy.layout()});
        items.emplace_back(std::move(copy));
      }
    }
  }
  frame.stacks.push_back(ops::push(ops::Stack(entry(frame, site.regs[0])), std::move(items)));
  frame.slots[site.regs[site.inputs]] = reinterpret_cast<uint64_t>(frame.stacks.back().get());
}

void pop(const StepSite& site, Frame& frame, const bytecode::CodeFunction& fn) {
  const ops::StackEntry* top = entry(frame, site.regs[0]);
  Register below = site.regs[site.inputs];
  for (size_t i = site.inputs + 1; i < site.regs.size(); ++i) {
    Register r = site.regs[i];
    const ops::StackItem* item = top ? &top->items()[i - site.inputs - 1] : nullptr;
    if (fn.registers[r].is_tensor()) {
      if (item) {
        const auto& tensor = std::get<ops::Tensor>(*item);
        copy_view({tensor.data(), &tensor.layout()}, {frame.pointer<void>(r), site.views[i].layout});
      } else {
        std::memset(frame.pointer<void>(r), 0, site.views[i].layout->bytes());
      }
      continue;
    }
    uint64_t bits = 0;
    if (item && std::holds_alternative<bool>(*item)) bits = std::get<bool>(*item);
    if (item && std::holds_alternative<int64_t>(*item)) bits = static_cast<uint64_t>(std::get<int64_t>(*item));
    if (item && std::holds_alternative<double>(*item)) bits = std::bit_cast<uint64_t>(std::get<double>(*item));
    if (item && std::holds_alternative<ops::Stack>(*item))
      bits = reinterpret_cast<uint64_t>(std::get<ops::Stack>(*item).get());
    frame.slots[r] = bits;
  }
  frame.slots[below] = reinterpret_cast<uint64_t>(top ? top->below().get() : nullptr);
}

// Looks for an interrupt and for hot code about every 2 ms, however long a trip takes.
void poll(Frame& frame, FunctionBinding& function) {
  uint64_t now = ticks();
  uint64_t spent = now - frame.polled_at;
  double wanted = ticks_per_second() * 0.002;
  double trips = spent == 0 ? 65536 : frame.poll_trips * wanted / static_cast<double>(spent);
  frame.poll_trips = static_cast<uint32_t>(std::clamp(trips, 1.0, 65536.0));
  frame.trips_left = frame.poll_trips;
  frame.polled_at = now;
  if (hooks().interrupted && hooks().interrupted()) throw Interrupted();
  Profile& profile = function.profile();
  if (function.has_native()) return;
  profile.interpreted_ticks.add(spent);
  if (hooks().on_hot && profile.interpreted_ticks.get() >= profile.hot_after.get()) hooks().on_hot(function);
}

[[noreturn]] void rethrow_with_source(const Frame& frame) {
  const FunctionBinding& function = *frame.function;
  bytecode::Source source = function.code().source(function.number(), frame.pc);
  try {
    throw;
  } catch (const ops::OpError& e) {
    std::string message = e.what();
    if (source.line == 0 || message.find("\n  at ") != std::string::npos) throw;
    const std::string& file = function.code().files[source.file];
    throw ops::OpError(e.kind, message + "\n  at " + file + ":" + std::to_string(source.line));
  }
}

// With a null frame, answers the labels.
Stop run(Frame* frame, bool enter_native, const void* const** labels) {
  static const void* const table[] = {
      &&do_return,  &&do_scalar,     &&do_kernel, &&do_program,     &&do_reduce,      &&do_verb, &&do_verb3,
      &&do_item_b,  &&do_item_i,     &&do_item_f, &&do_to_tensor,   &&do_move_tensor, &&do_move_scalar,
      &&do_random,  &&do_jump,       &&do_branch, &&do_loop,        &&do_call,        &&do_stack_new,
      &&do_push,    &&do_pop,        &&do_non_empty,
  };
  if (!frame) {
    *labels = table;
    return Stop::Returned;
  }
  FunctionBinding& function = *frame->function;
  const bytecode::CodeFunction& fn = function.function();
  Profile& profile = function.profile();
  const Step* const steps = function.steps().data();
  const Step* step = steps + function.step_at(frame->pc);
  const Step* const first = step;
  uint64_t* const slots = frame->slots;

#define DISPATCH() goto* step->handler
#define NEXT() \
  do {         \
    ++step;    \
    DISPATCH(); \
  } while (false)

  DISPATCH();
do_scalar:
  slots[step->a] = step->bits;
  NEXT();
do_kernel:
  frame->pc = step->pc;
  with_views(*step->site, *frame, fn, [&](auto in, auto out) {
    const StepSite& site = *step->site;
    if (site.kernel)
      site.kernel({in, out, site.attrs});
    else
      ops::run_kernel(*site.op, in, out, site.attrs);
  });
  NEXT();
do_program:
  frame->pc = step->pc;
  with_views(*step->site, *frame, fn, [&](auto in, auto out) { step->site->program->run(in, out); });
  NEXT();
do_reduce:
  frame->pc = step->pc;
  with_views(*step->site, *frame, fn, [&](auto in, auto out) { run_reduce_step(*step->site, in, out[0]); });
  NEXT();
do_verb:
  slots[step->a] = reinterpret_cast<ScalarVerb>(step->function)(slots[step->b], slots[step->c], 0);
  NEXT();
do_verb3:
  slots[step->a] = reinterpret_cast<ScalarVerb>(step->function)(slots[step->b], slots[step->c], slots[step->d]);
  NEXT();
do_item_b:
  item<bool>(*step->site, *frame);
  NEXT();
do_item_i:
  item<int64_t>(*step->site, *frame);
  NEXT();
do_item_f:
  item<double>(*step->site, *frame);
  NEXT();
do_to_tensor:
do_move_tensor:
  with_views(*step->site, *frame, fn, [&](auto in, auto out) { copy_view(in[0], out[0]); });
  NEXT();
do_move_scalar:
  slots[step->a] = slots[step->b];
  NEXT();
do_random:
  slots[step->a] = static_cast<uint64_t>(ops::next_random_key());
  NEXT();
do_jump:
  step = steps + step->target;
  DISPATCH();
do_branch:
  if (slots[step->a] & 1) {
    profile.taken[step->branch].add();
    NEXT();
  }
  profile.not_taken[step->branch].add();
  step = steps + step->target;
  DISPATCH();
do_loop:
  frame->pc = step->pc;
  profile.trips[step->branch].add();
  if (--frame->trips_left == 0) poll(*frame, function);
  if (enter_native && step != first && function.has_native()) return Stop::AtLoop;
  NEXT();
do_call:
  frame->pc = step->pc;
  call_function(*step->site, *frame, fn);
  NEXT();
do_stack_new:
  slots[step->a] = 0;
  NEXT();
do_push:
  push(*step->site, *frame, fn);
  NEXT();
do_pop:
  frame->pc = step->pc;
  pop(*step->site, *frame, fn);
  NEXT();
do_non_empty:
  slots[step->a] = slots[step->b] != 0;
  NEXT();
do_return:
  return Stop::Returned;
#undef DISPATCH
#undef NEXT
}

}  // namespace

const void* label(Handler handler) {
  static const void* const* labels = [] {
    const void* const* table = nullptr;
    run(nullptr, false, &table);
    return table;
  }();
  return labels[static_cast<size_t>(handler)];
}

Stop interpret(Frame& frame, bool enter_native) {
  try {
    return run(&frame, enter_native, nullptr);
  } catch (const ops::OpError&) {
    rethrow_with_source(frame);
  }
}

void resume(Frame& frame, FunctionBinding& function) {
  frame.polled_at = ticks();
  for (;;) {
    gc::Ref<Native> native = function.native();
    Native::Entry entry = native ? native->entry_at(frame.pc) : nullptr;
    if (entry) {
      uint32_t exit = entry(frame.slots, &frame);
      if (exit == Native::kReturned) return;
      const NativeExit& taken = native->exits[exit];
      frame.pc = taken.pc;
      native->exit_counts[exit].add();
      function.profile().deopts[static_cast<size_t>(taken.reason)].add();
      bytecode::deopt_counts()[static_cast<size_t>(taken.reason)].fetch_add(1, std::memory_order_relaxed);
      if (taken.reason == bytecode::DeoptReason::Interrupted) poll(frame, function);
      if (hooks().on_exit) hooks().on_exit(function, *native, exit);
    }
    if (interpret(frame, true) == Stop::Returned) return;
  }
}

}  // namespace ember::vm
