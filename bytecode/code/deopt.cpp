// The table of reasons, and the process-wide counts.
#include "bytecode/code/deopt.h"

namespace ember::bytecode {

const DeoptReasonInfo& info(DeoptReason reason) {
  static constexpr DeoptReasonInfo table[] = {
#define X(name, trace, message) {#name, trace, message},
      EMBER_DEOPT_REASONS(X)
#undef X
  };
  return table[static_cast<size_t>(reason)];
}

std::array<std::atomic<uint64_t>, kDeoptReasons>& deopt_counts() {
  static std::array<std::atomic<uint64_t>, kDeoptReasons> counts{};
  return counts;
}

}  // namespace ember::bytecode
