// How reductions combine elements; simd/reduction.h defines in which order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ember::ops {

enum class ReduceKind : uint8_t { Sum, Prod, Max, Min, All, Any };
inline constexpr size_t kReduceKinds = 6;

}  // namespace ember::ops
