// How elements of processes are reduced: as a binary tree by rank (of ranks 0 to 4 ((0 + 1) + (2 + 3)) + 4), whatever
// arrives first. float16 and bfloat16 are summed in float32 and rounded once.
#pragma once

#include <span>
#include <string_view>

#include "ops/tensor/dtype.h"

namespace ember::ops {

inline constexpr std::string_view kReductions[] = {"sum", "prod", "max", "min", "avg"};

// out[i] = the reduction of parts[rank][i] over ranks, i < count. `out` may be one of the parts.
void combine(std::string_view reduction, DType dtype, std::span<const void* const> parts, int64_t count, void* out);

// Throws TypeError or ValueError if there is no such reduction, or not of this dtype.
void check_reduction(std::string_view op, std::string_view reduction, DType dtype);

}  // namespace ember::ops
