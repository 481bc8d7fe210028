// Lives of registers from their accesses: from the first to the last, and to the end of every loop that is entered with
// the register written and uses it. Lowering makes lives with this, and the verifier compares with it.
#pragma once

#include "bytecode/code/code.h"

namespace ember::bytecode {

class LiveRangeScan {
 public:
  explicit LiveRangeScan(size_t registers) : live_ranges_(registers, LiveRange{~0u, 0}) {}
  void touch(size_t reg, uint32_t at) {
    live_ranges_[reg].begin = std::min(live_ranges_[reg].begin, at);
    live_ranges_[reg].end = std::max(live_ranges_[reg].end, at);
  }
  // Loops nest; they are added in the order of their ends.
  void loop(uint32_t header, uint32_t latch) { loops_.push_back({header, latch, kNoId}); }
  std::vector<LiveRange> finish();  // a register without access lives nowhere: begin ~0u

 private:
  struct Loop {
    uint32_t header, latch, parent;
  };
  void nest();
  uint32_t innermost(uint32_t at) const;

  std::vector<LiveRange> live_ranges_;
  std::vector<Loop> loops_;
};

std::vector<LiveRange> live_ranges_of(const CodeFunction& function);

}  // namespace ember::bytecode
