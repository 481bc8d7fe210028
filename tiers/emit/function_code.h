// Native code of one bound function: its steps in order, with registers in the frame as the interpreter has them. Small
// elementwise steps become straight vector code; scalar verbs, branches and loops are inline; everything else calls the
// step's own code in vm. See vm/state/native.h for what an exit promises.
#pragma once

#include <string>

#include "tiers/code_cache.h"
#include "tiers/speculation.h"
#include "vm/bind/binding.h"

namespace ember::tiers {

// vm::Native that keeps its code alive and has the offsets of its parts, for the disassembler.
class NativeFunction final : public vm::Native {
 public:
  struct Mark {
    uint32_t pc;
    uint32_t offset;       // from the start of the code
    const vm::Step* loop;  // the step, if it calls a loop over elements outside of this code
  };
  gc::Ref<CodeBlock> code;
  uint32_t instructions_end = 0;  // where its constants begin
  std::vector<uint32_t> exit_offsets;
  std::vector<Mark> marks;
  Speculation speculation;
};

gc::Ref<NativeFunction> compile_function(const vm::FunctionBinding& function, const Speculation& speculation,
                                         std::string* why_not);

}  // namespace ember::tiers
