// What rules pass around while they build: a tensor or scalar at hand (eager), or a value of a graph under
// construction.
#pragma once

#include <variant>

#include "ops/tensor/tensor.h"

namespace ember::ops {

// A value of the graph that the current GraphBuilder builds.
struct GraphValue {
  uint32_t id = 0;
  friend bool operator==(const GraphValue&, const GraphValue&) = default;
};

// None is the value that a rule returns where no gradient flows.
using Value = std::variant<std::monostate, Tensor, bool, int64_t, double, GraphValue>;
using Values = std::vector<Value>;

inline bool none(const Value& v) { return std::holds_alternative<std::monostate>(v); }

}  // namespace ember::ops
