// What the interpreter observes of one bound function. Counters are plain relaxed atomics: two threads may lose a
// count, never more. Times are ticks of the time-stamp counter.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "bytecode/code/deopt.h"

namespace ember::vm {

inline uint64_t ticks() { return __builtin_ia32_rdtsc(); }
double ticks_per_second();

class Counter {
 public:
  void add(uint64_t n = 1) { value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
  void set(uint64_t n) { value_.store(n, std::memory_order_relaxed); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

struct Profile {
  Profile(uint32_t loops, uint32_t branches)
      : trips(std::make_unique<Counter[]>(loops)),
        taken(std::make_unique<Counter[]>(branches)),
        not_taken(std::make_unique<Counter[]>(branches)) {}

  Counter calls;
  Counter interpreted_ticks;
  Counter native_calls;
  Counter native_ticks;
  Counter last_used;                     // ticks
  Counter hot_after{};                   // ticks after which on_hot is called; policy raises it to back off
  std::unique_ptr<Counter[]> trips;      // by loop
  std::unique_ptr<Counter[]> taken;      // by branch: condition true
  std::unique_ptr<Counter[]> not_taken;  // by branch: condition false, jumped
  Counter deopts[bytecode::kDeoptReasons];
};

}  // namespace ember::vm
