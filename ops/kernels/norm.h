// What the normalisations share: y = (x - mean) * rstd, then fma with weight and bias, where rstd = 1 / sqrt(var + eps)
// and var is two-pass.
#pragma once

#include "ops/table/builder.h"

namespace ember::ops {

Value reciprocal_deviation(Builder& b, const Value& variance, double eps);
[[noreturn]] void refuse_norm(std::string_view name, const std::string& what, const Type& x);
void fill_statistics(const KernelCall& call, double value);  // all results but the first
void check_float(std::string_view name, const Type& x, std::span<const Type> others);

}  // namespace ember::ops
