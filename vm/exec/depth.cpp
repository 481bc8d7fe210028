// The stack's bounds are asked for once a thread. A stack pointer outside them (a coroutine's) leaves only the limit.
// Calls are also where code without loops looks for interrupts, and gets hot: about every 2 ms.
#include "vm/exec/depth.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "ops/base/interrupt.h"
#include "vm/bind/binding.h"
#include "vm/exec/function.h"
#include "vm/state/hooks.h"

namespace ember::vm {
namespace {

constexpr double kPollSeconds = 0.002;

std::atomic<int> limit{1000};

struct Bounds {
  uintptr_t end = 0;   // the stack grows down to here
  uintptr_t room = 0;  // and calls no further than to here
};

Bounds stack_bounds() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* address = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &address, &size);
  pthread_attr_destroy(&attributes);
  const auto end = reinterpret_cast<uintptr_t>(address);
  return {end, end + kStackRoom};
}

struct Nesting {
  int depth = 0;
  uint64_t polled_at = 0;  // ticks
  Bounds stack = stack_bounds();
};
thread_local Nesting nesting;

[[noreturn]] void too_deep(const Frame& caller, const std::string& which, const std::string& remedy) {
  const FunctionBinding& function = *caller.function;
  const bytecode::Source source = function.code().source(function.number(), caller.pc);
  std::string message = "Exceed function call depth limit " + which +
                        ", (function call depth: " + std::to_string(nesting.depth + 1) +
                        ").\nIt's always happened with complex construction of code or infinite recursion or loop.\n"
                        "Please check the code if it's has the infinite recursion or " +
                        remedy;
  if (source.line != 0) message += "\n  at " + function.code().files[source.file] + ":" + std::to_string(source.line);
  throw TooDeep(message);
}

void poll(FunctionBinding& function) {
  const uint64_t now = ticks();
  const auto slice = static_cast<uint64_t>(kPollSeconds * ticks_per_second());
  if (now - nesting.polled_at < slice) return;
  nesting.polled_at = now;
  if (ops::embedding().wants_to_stop && ops::embedding().wants_to_stop()) throw ops::Interrupted();
  Profile& profile = function.profile();
  if (function.has_native()) return;
  profile.interpreted_ticks.add(slice);
  if (hooks().on_hot && profile.interpreted_ticks.get() >= profile.hot_after.get()) hooks().on_hot(function);
}

}  // namespace

void set_call_limit(int most) { limit.store(most, std::memory_order_relaxed); }

bool stack_is_short() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here >= nesting.stack.end && here < nesting.stack.room;
}

NestedCall::NestedCall(const Frame& caller) {
  const int most = limit.load(std::memory_order_relaxed);
  if (nesting.depth >= most)
    too_deep(caller, std::to_string(most),
             "call 'mindspore.set_recursion_limit(recursion_limit=value)' to adjust this value.");
  if (stack_is_short()) too_deep(caller, "of the thread's stack", "run it in a thread with a larger stack.");
  poll(*caller.function);
  ++nesting.depth;
}

NestedCall::~NestedCall() { --nesting.depth; }

}  // namespace ember::vm
