// Single steps, as the interpreter and native code run them.
#pragma once

#include "vm/bind/binding.h"

namespace ember::vm {

void run_kernel_step(const StepSite& site, Frame& frame);
void run_program_step(const StepSite& site, Frame& frame);
void execute(const Step& step, Frame& frame);  // any step with a site

// For native code: 0, or 1 with the exception kept in the frame.
uint32_t execute_for_native(const Step* step, Frame* frame) noexcept;

}  // namespace ember::vm
