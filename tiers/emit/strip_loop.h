// Native strip loops: one loop over n elements of an expression, with operands contiguous or uniform. The interpreter
// and native code both reach it through ops::Program, whose plan it replaces.
#pragma once

#include <string>

#include "gc/ref.h"
#include "ops/program.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// The code, or null and a reason: a verb without native form, or no memory for code.
gc::Ref<CodeBlock> compile_strip_loop(const ops::Expr& expr, uint64_t uniform, std::string* why_not);

}  // namespace ember::tiers
