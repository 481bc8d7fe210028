// The dispatch loop. Every handler reads its registers from the frame's slots and goes on to the next step; only
// Return, errors and native code at a loop header leave it. Kernels see views that are filled here, on the C++ stack.
#include "vm/exec/interpreter.h"

#include <algorithm>
#include <utility>

#include "ops/base/interrupt.h"
#include "ops/table/raised_error.h"
#include "vm/exec/function.h"
#include "vm/exec/scalar_steps.h"
#include "vm/exec/steps.h"
#include "vm/state/hooks.h"

namespace ember::vm {
namespace {

thread_local bool interpreter_only = false;

// Looks for an interrupt and for hot code about every 2 ms, however long a trip takes.
void poll(Frame& frame, FunctionBinding& function) {
  uint64_t now = ticks();
  uint64_t spent = now - frame.polled_at;
  double wanted = ticks_per_second() * 0.002;
  double trips = spent == 0 ? 65536 : frame.poll_trips * wanted / static_cast<double>(spent);
  frame.poll_trips = static_cast<uint32_t>(std::clamp(trips, 1.0, 65536.0));
  frame.trips_left = frame.poll_trips;
  frame.polled_at = now;
  if (ops::embedding().wants_to_stop && ops::embedding().wants_to_stop()) throw ops::Interrupted();
  Profile& profile = function.profile();
  if (function.has_native()) return;
  profile.interpreted_ticks.add(spent);
  if (hooks().on_hot && profile.interpreted_ticks.get() >= profile.hot_after.get()) hooks().on_hot(function);
}

[[noreturn]] void rethrow_with_source(const Frame& frame) {
  const FunctionBinding& function = *frame.function;
  const bytecode::Code& code = function.code();
  const bytecode::Source source = code.source(function.number(), frame.pc);
  const std::string place =
      source.line == 0 ? "" : "\n  at " + code.files[source.file] + ":" + std::to_string(source.line);
  const auto placed = [](const std::string& message) { return message.find("\n  at ") != std::string::npos; };
  try {
    throw;
  } catch (const ops::RaisedError& e) {
    if (placed(e.what())) throw;
    throw ops::RaisedError(e.what() + place, e.number, e.operands);
  } catch (const ops::OpError& e) {
    if (placed(e.what())) throw;
    const std::string message = source.name == 0 ? e.what() : ops::in_name_of(code.names[source.name], e.what());
    throw ops::OpError(e.kind, message + place, source.path);
  }
}

[[noreturn]] void raise_stored(Frame& frame) {
  bytecode::deopt_counts()[static_cast<size_t>(bytecode::DeoptReason::KernelFailed)].fetch_add(1);
  frame.function->profile().deopts[static_cast<size_t>(bytecode::DeoptReason::KernelFailed)].add();
  try {
    std::rethrow_exception(std::exchange(frame.error, nullptr));
  } catch (const ops::OpError&) {
    rethrow_with_source(frame);
  }
}

// With a null frame, returns the labels.
Stop run(Frame* frame, const void* const** labels) {
  static const void* const table[] = {
#define X(name) &&do_##name,
      EMBER_HANDLERS(X)
#undef X
  };
  if (!frame) {
    *labels = table;
    return Stop::Returned;
  }
  FunctionBinding& function = *frame->function;
  Profile& profile = function.profile();
  const Step* const steps = function.steps().data();
  const Step* step = steps + function.step_at(frame->pc);
  const Step* const first = step;
  uint64_t* const slots = frame->slots;

#define DISPATCH() goto * step->handler
#define NEXT()  \
  do {          \
    ++step;     \
    DISPATCH(); \
  } while (false)

  DISPATCH();
#define X(name)                                        \
  do_##name : run_scalar<Handler::name>(*step, slots); \
  NEXT();
  EMBER_SCALAR_HANDLERS(X)
#undef X
#define X(name)                                         \
  do_##name : frame->pc = step->pc;                     \
  run_operands<Handler::name>(*step->operands, *frame); \
  NEXT();
  EMBER_OPERAND_HANDLERS(X)
#undef X
do_Jump:
  step = steps + step->target;
  DISPATCH();
do_Branch:
  if (slots[step->a] & 1) {
    profile.taken[step->branch].add();
    NEXT();
  }
  profile.not_taken[step->branch].add();
  step = steps + step->target;
  DISPATCH();
do_Loop:
  frame->pc = step->pc;
  profile.trips[step->branch].add();
  if (--frame->trips_left == 0) poll(*frame, function);
  if (step != first && function.has_native() && !interpreter_only) return Stop::AtLoop;
  NEXT();
do_Return:
  return Stop::Returned;
#undef DISPATCH
#undef NEXT
}

[[maybe_unused]] const Stop labelled = run(nullptr, &labels);

}  // namespace

InterpreterOnly::InterpreterOnly() : before_(std::exchange(interpreter_only, true)) {}
InterpreterOnly::~InterpreterOnly() { interpreter_only = before_; }

Stop interpret(Frame& frame) {
  try {
    return run(&frame, nullptr);
  } catch (const ops::OpError&) {
    rethrow_with_source(frame);
  }
}

void resume(Frame& frame, FunctionBinding& function) {
  for (;;) {
    Native* native = interpreter_only ? nullptr : function.native_for(frame);
    Native::Entry entry = native ? native->entry_at(frame.pc) : nullptr;
    if (entry) {
      frame.forced_left = hooks().deopt_every;
      uint32_t exit = entry(frame.slots, &frame);
      if (exit == Native::kReturned) return;
      if (frame.error) raise_stored(frame);
      const NativeExit& taken = native->exits[exit];
      frame.pc = taken.pc;
      native->exit_counts[exit].add();
      function.profile().deopts[static_cast<size_t>(taken.reason)].add();
      bytecode::deopt_counts()[static_cast<size_t>(taken.reason)].fetch_add(1, std::memory_order_relaxed);
      if (taken.reason == bytecode::DeoptReason::Interrupted) poll(frame, function);
      if (hooks().on_exit) hooks().on_exit(function, *native, exit);
    }
    if (interpret(frame) == Stop::Returned) return;
  }
}

}  // namespace ember::vm
