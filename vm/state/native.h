// Native code of one bound function, as vm sees it: entries by pc and a table of exits. tiers makes it. It runs on the
// function's own frame and hands the frame back at an exit's pc, with every register in its slot, before any effect of
// that instruction. It never throws.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bytecode/code/deopt.h"
#include "gc/ref.h"
#include "vm/state/profile.h"

namespace ember::vm {

struct Frame;

struct NativeExit {
  uint32_t pc = 0;
  bytecode::DeoptReason reason = bytecode::DeoptReason::Forced;
};

class Native : public gc::Counted {
 public:
  static constexpr uint32_t kReturned = ~0u;
  using Entry = uint32_t (*)(uint64_t* slots, Frame* frame);  // kReturned, or the number of the exit taken

  struct EntryPoint {
    uint32_t pc = 0;  // 0 or a Loop's
    Entry run = nullptr;
  };

  Entry entry_at(uint32_t pc) const {
    for (const EntryPoint& e : entries)
      if (e.pc == pc) return e.run;
    return nullptr;
  }

  std::vector<EntryPoint> entries;
  std::vector<NativeExit> exits;
  std::unique_ptr<Counter[]> exit_counts;  // by exit
  size_t code_bytes = 0;
};

}  // namespace ember::vm
