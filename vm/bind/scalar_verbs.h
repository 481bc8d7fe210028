// Verbs on scalars in slots: Bool, Int (int64) and Float (float64), by the same definitions as on tensors.
#pragma once

#include <cstdint>

#include "ops/expr/verbs.h"
#include "ops/tensor/type.h"

namespace ember::vm {

using ScalarVerb = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c);

// The function for a verb whose operands (for Select: the last two) are of kind `operands`. Throws ops::OpError for a
// combination that the bytecode verifier would have refused.
ScalarVerb scalar_verb(ops::Verb verb, ops::Kind operands, ops::Kind result);

}  // namespace ember::vm
