// The vm's pointers to what lies above it, set at start. Unset ones are null and skipped.
#pragma once

#include <cstdint>
#include <string_view>

#include "bytecode/code/code.h"
#include "bytecode/code/deopt.h"
#include "vm/state/native.h"

namespace ember::vm {

class FunctionBinding;

struct Hooks {
  void (*on_hot)(FunctionBinding& function) = nullptr;                                        // tiers: maybe compile
  void (*on_exit)(FunctionBinding& function, const Native& native, uint32_t exit) = nullptr;  // tiers: adapt
  void (*on_function)(const bytecode::Code& code) = nullptr;  // tiers: another code is there to be called
  bool shadow = false;                                        // the interpreter checks every call of native code
  uint32_t deopt_every = 0;                        // forces native code out at every n-th deopt stress point; 0: never
  void (*trace)(std::string_view line) = nullptr;  // EMBERJIT_TRACE: one grep-able line an event
};
Hooks& hooks();

}  // namespace ember::vm
