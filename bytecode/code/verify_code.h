// The parts of verify(const Code&), in the order in which they run; each relies on those before it.
#pragma once

#include "bytecode/code/code.h"

namespace ember::bytecode {

inline constexpr size_t kMaxWords = size_t{1} << 24;

// Fields in their ranges; jumps to instruction starts, forwards or to the header of the loop that they close; every
// instruction reached; every register written before it is read, on all paths.
void verify_flow(const Code& code, const CodeFunction& function);

// Every instruction against the rule that gives its result types; writes that share memory with what is read. Rules run
// under the SymbolScope of the caller.
void verify_types(const Code& code, const CodeFunction& function);

// Of code from a file, verified: the entry takes and returns no stacks, for which callers outside have no form.
void verify_entry(const Code& code);

// Adds the guards that verify_types will look for to the code's symbols. Passes may leave an order of operands whose
// comparisons nobody made before; they hold for the hints, as all guards do.
void state_guards(Code& code);

}  // namespace ember::bytecode
