// The fork-join pool. One pool for the process, sized by set_threads(), else OMP_NUM_THREADS, else affinity and the
// cgroup's CPU limit. The caller takes part; workers spin a little and then sleep. Nested calls run serially. After
// fork the child starts its own workers when it needs them. Work is split by index only, so results never depend on
// threads. Work that is worth splitting gives way (interrupt.h): it runs unlocked, and throws Interrupted if it is to
// stop; what is left of it is not done then.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <type_traits>

namespace ember::ops {

using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
void parallel_ranges(int64_t count, int64_t grain, RangeFn fn, void* context);

// Calls f(begin, end) over [0, count) in pieces of at least `grain`; serial if count <= grain. f must not throw.
template <class F>
void parallel_for(int64_t count, int64_t grain, F&& f) {
  using Fn = std::remove_reference_t<F>;
  parallel_ranges(
      count, grain, [](void* c, int64_t b, int64_t e) { (*static_cast<Fn*>(c))(b, e); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

// The same for an f that may throw: the first exception is raised again once all pieces are done.
template <class F>
void parallel_for_throwing(int64_t count, int64_t grain, F&& f) {
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    try {
      f(begin, end);
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
}

int threads();
void set_threads(int count);  // throws std::invalid_argument below 1

}  // namespace ember::ops
