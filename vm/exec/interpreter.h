// The interpreter and the driver above it.
#pragma once

#include "vm/bind/binding.h"

namespace ember::vm {

enum class Stop : uint8_t { Returned, AtLoop };  // AtLoop: native code can go on from frame.pc

// Runs steps from frame.pc, and stops at a loop header if there is native code (but not at the first step). Throws what
// kernels throw, with the user's line added.
Stop interpret(Frame& frame);

// Runs the function from frame.pc to its end in whatever tier serves, going from one to the other as exits and loop
// entries come. This is deopt's resume too: an exit is `frame.pc = exit.pc` and going on.
void resume(Frame& frame, FunctionBinding& function);

// While one lives on this thread, resume() leaves native code aside.
class InterpreterOnly {
 public:
  InterpreterOnly();
  ~InterpreterOnly();
  InterpreterOnly(const InterpreterOnly&) = delete;
  InterpreterOnly& operator=(const InterpreterOnly&) = delete;

 private:
  const bool before_;
};

}  // namespace ember::vm
