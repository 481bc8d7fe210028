// The axes of reductions, for shape rules and gradients.
#pragma once

#include <algorithm>

#include "ops/tensor/attr.h"

namespace ember::ops {

using Axes = InlineVector<size_t, kMaxRank>;

// The axes that an `ints?` attribute names: none or no entries means all. A 0-d operand takes 0 and -1.
Axes reduced_axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name);
Dims reduced_dims(const Dims& dims, const Axes& axes, bool keepdims);
Dim reduced_count(const Dims& dims, const Axes& axes);

inline bool contains(const Axes& axes, size_t d) { return std::find(axes.begin(), axes.end(), d) != axes.end(); }

}  // namespace ember::ops
