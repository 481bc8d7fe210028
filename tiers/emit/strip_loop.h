// Native strip loops: one loop over n elements of an expression, with operands contiguous or uniform. It stores the
// results, or combines the one result in the lanes of a reduction. The interpreter and native code both reach them
// through ops::Program, whose schedule they replace.
#pragma once

#include <string>

#include "gc/ref.h"
#include "ops/program/program.h"
#include "tiers/code_cache.h"

namespace ember::tiers {

// The code (an ops::StripLoop or ReduceLoop), or null and a reason: a verb without native form, or no memory for code.
gc::Ref<CodeBlock> compile_strip_loop(const ops::Expr& expr, uint64_t uniform, std::string* why_not);
gc::Ref<CodeBlock> compile_reduce_loop(const ops::Expr& expr, uint64_t uniform, ops::ReduceKind kind,
                                       std::string* why_not);

}  // namespace ember::tiers
