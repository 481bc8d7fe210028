#include "vm/state/profile.h"

#include <chrono>
#include <thread>

namespace ember::vm {

double ticks_per_second() {
  static const double rate = [] {
    using Clock = std::chrono::steady_clock;
    auto start = Clock::now();
    uint64_t first = ticks();
    while (Clock::now() - start < std::chrono::microseconds(200)) {
    }
    uint64_t last = ticks();
    return static_cast<double>(last - first) / std::chrono::duration<double>(Clock::now() - start).count();
  }();
  return rate;
}

}  // namespace ember::vm
