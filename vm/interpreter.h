// The interpreter and the driver above it.
#pragma once

#include "vm/binding.h"

namespace ember::vm {

enum class Stop : uint8_t { Returned, AtLoop };  // AtLoop: native code can go on from frame.pc

// Runs steps from frame.pc. With `enter_native`, stops at a loop header that native code has an entry for (not at the
// first step). Throws what kernels throw, with the user's line added.
Stop interpret(Frame& frame, bool enter_native);

// Runs the function from frame.pc to its end in whatever tier serves, going from one to the other as exits and loop
// entries come. This is deopt's resume too: an exit is `frame.pc = exit.pc` and going on.
void resume(Frame& frame, FunctionBinding& function);

// The dispatch loop's label of a handler, for preparing steps.
const void* label(Handler handler);

}  // namespace ember::vm
