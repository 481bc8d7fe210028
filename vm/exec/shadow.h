// Shadow mode: every call of native code is made by the interpreter too, on copies of what it may write and with the
// same random keys, and the registers of both are compared. The interpreter runs with the kernels of ops alone.
// Functions are bound without reuse of memory, so registers keep their last values.
//
// If a register differs, the call is repeated on copies to find out where: native code is left at its n-th deopt
// stress point (its entry, loop headers, branches) and compared with the interpreter at the same place. Between two
// such places, the first equal and the second not, one instruction after the other is written once, so the first whose
// result differs is wrong. A call among them is looked into. Nothing is repeated that the outside can see: a function
// with such ops (prints, foreign functions) is run natively and not compared.
#pragma once

#include <stdexcept>

#include "vm/bind/binding.h"

namespace ember::vm {

// Names the function, the instruction with its pc, op and source line, the register and the first element that differs.
struct ShadowMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// resume() of a frame at its entry, checked. Throws ShadowMismatch, having printed it on stderr.
void resume_in_shadow(Frame& frame, FunctionBinding& function);

}  // namespace ember::vm
