// Promotion, back-off and eviction; the hooks that vm calls.
#pragma once

#include "bytecode/code/deopt.h"
#include "ops/program/program.h"
#include "vm/bind/binding.h"

namespace ember::tiers {

void on_hot(vm::FunctionBinding& function);
void on_hot_schedule(const ops::Program& program, const ops::StripSchedule& schedule);  // where strips run it
void on_exit(vm::FunctionBinding& function, const vm::Native& native, uint32_t exit);
bool evict_one();
void drop_native(vm::FunctionBinding& function, bytecode::DeoptReason reason);
void drop_all(bytecode::DeoptReason reason);
void install_loops(const vm::FunctionBinding& function);
void watch_forks();  // called once, at the start

}  // namespace ember::tiers
