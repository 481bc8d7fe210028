// Guards and the reasons for leaving code that assumed something. Every exit names one reason; each has a message for
// explain() and trace lines, and a counter.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace ember::bytecode {

// name, trace name, message
#define EMBER_DEOPT_REASONS(X)                                                                         \
  X(ShapeChanged, "shape", "an argument came with another shape, dtype or stride")                     \
  X(BranchNotTaken, "branch", "the other side of a speculated branch was taken")                       \
  X(ConfigChanged, "config", "threads, precision or instruction set changed")                          \
  X(Interrupted, "interrupt", "a signal asks the loop to stop")                                        \
  X(KernelFailed, "kernel", "a kernel raised an error; the interpreter raises it again with its line") \
  X(Evicted, "evicted", "the code was evicted from the cache")                                         \
  X(Forced, "forced", "a test or --deopt-every asked for it")

enum class DeoptReason : uint8_t {
#define X(name, ...) name,
  EMBER_DEOPT_REASONS(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kDeoptReasons = 0 EMBER_DEOPT_REASONS(X);
#undef X

struct DeoptReasonInfo {
  std::string_view name;
  std::string_view trace;
  std::string_view message;
};
const DeoptReasonInfo& info(DeoptReason reason);

// Process-wide counts, for stats.
std::array<std::atomic<uint64_t>, kDeoptReasons>& deopt_counts();

}  // namespace ember::bytecode
