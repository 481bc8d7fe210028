// FusedReduce: evaluates an expression and reduces it, without the whole of it ever standing in memory.
#pragma once

#include "vm/binding.h"

namespace ember::vm {

void run_reduce_step(const StepSite& site, std::span<const ops::View> in, const ops::View& out);

}  // namespace ember::vm
