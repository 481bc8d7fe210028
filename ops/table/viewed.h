// Which results of an op may be views of its operands, as eager calls make them: of a composed op this follows from its
// steps, which are run on types alone.
#pragma once

#include <vector>

#include "ops/table/op.h"

namespace ember::ops {

// For each result the operand whose memory it may have, -1 where it has memory of its own.
std::vector<int> viewed_operands(const Op& op, std::span<const Type> in, const Attrs& attrs);

}  // namespace ember::ops
