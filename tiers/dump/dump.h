// With EMBERJIT_DUMP=FOLDER a process leaves there what it runs, for vmtool to look at: each module that is made,
// PID-N-FUNCTION.vmb, and beside it each native code of its functions as it ran, PID-N-FUNCTION.vmb.native-K. What
// can't be written is told once, on stderr, and left out.
#pragma once

#include "tiers/emit/function_code.h"

namespace ember::tiers {

void start_dumping(std::string folder);
void dump(const vm::FunctionBinding& function, const NativeFunction& native);  // nothing, before start_dumping

}  // namespace ember::tiers
