// What tiers offers to the layers above: start it, choose an instruction set, set its options, ask what it did.
#pragma once

#include <cstdint>
#include <string>

#include "ops/base/isa.h"
#include "vm/bind/binding.h"

namespace ember::tiers {

struct Options {
  bool enabled = true;     // EMBERJIT_JIT=0 leaves everything to the interpreter
  double eagerness = 1.0;  // scales the estimated compile cost; 0 compiles at the first chance
  bool background = true;  // large functions in a thread of their own
  bool speculate = true;   // assume sides of branches
};
Options& options();

// Installs the vm's hooks and the GEMM kernels, and reads EMBERJIT_JIT, EMBERJIT_TRACE, EMBERJIT_SHADOW,
// EMBERJIT_SYMBOLS, EMBERJIT_DUMP. Called once.
void start();

// Changes the instruction set of kernels and code, and drops native code; false if the CPU lacks it.
bool set_isa(ops::Isa isa);

// Whether matmul uses AMX's tiles; false if the machine has none.
bool set_amx(bool wanted);

// Compiles now, with what it calls, whatever the profile says; null and a reason if it cannot be.
gc::Ref<vm::Native> compile(vm::FunctionBinding& function, std::string* why_not);

void wait_for_compiler();  // until the background thread is idle

}  // namespace ember::tiers
