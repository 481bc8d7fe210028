// Lives of registers from their accesses: from the first to the last, and to the end of every loop that is entered with
// the register written and uses it. Lowering makes lives with this, and the verifier compares with it.
#pragma once

#include "bytecode/code/code.h"

namespace ember::bytecode {

class LifeScan {
 public:
  explicit LifeScan(size_t registers) : lives_(registers, Life{~0u, 0}) {}
  void touch(size_t reg, uint32_t at) {
    lives_[reg].begin = std::min(lives_[reg].begin, at);
    lives_[reg].end = std::max(lives_[reg].end, at);
  }
  // Loops nest; they are added in the order of their ends.
  void loop(uint32_t header, uint32_t back) { loops_.push_back({header, back, kNoId}); }
  std::vector<Life> finish();  // a register without access lives nowhere: begin ~0u

 private:
  struct Loop {
    uint32_t header, back, parent;
  };
  void nest();
  uint32_t innermost(uint32_t at) const;

  std::vector<Life> lives_;
  std::vector<Loop> loops_;
};

std::vector<Life> lives_of(const CodeFunction& function);

}  // namespace ember::bytecode
