// Which registers of a function hold images channels-last (ops/kernels/images.h). Ops that name `images` gain where
// their operands and results lie so; values that elementwise instructions combine, or ops of Flag::ImagesAlike, are
// best alike; what comes from outside, goes there, or is a view's parent lies plane by plane. So values are grouped by
// the elementwise instructions that join them, and a group lies channels-last if more of its bytes pass through such
// ops than meet what lies by planes, or ops that would rather have it so. Layouts never show in a result's bits.
#pragma once

#include <span>
#include <vector>

#include "bytecode/code/code.h"
#include "vm/bind/binding.h"

namespace ember::vm {

// By register. `writers`: how many instructions write each.
std::vector<bool> channels_last_registers(const FunctionBinding& binding, std::span<const bytecode::Decoded> decoded,
                                          std::span<const uint16_t> writers);

}  // namespace ember::vm
