// Live ranges of registers: from the first access to the last, and on to the latch of every loop that the register
// enters live and is used in. Lowering computes them here, and the verifier compares with them.
//
//   pc 2   r1 = ...
//   pc 3   Loop            header
//   pc 6   ... = r1        the last use; the next trip reads it again
//   pc 8   Jump 3          latch, so r1's range is [2, 8]
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
  // Loops nest; they are added in the order of their latches.
  void loop(uint32_t header, uint32_t latch) { loops_.push_back({header, latch, kNoId}); }
  std::vector<LiveRange> finish();  // a register without access has an empty range: begin ~0u

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
