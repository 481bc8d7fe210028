// What the definitions of elementwise ops share: members that most of them have alike, checks, and samples.
#pragma once

#include <limits>

#include "ops/table/builder.h"

namespace ember::ops {

using Exs = std::span<const Ex>;

inline Ex apply_verb(Verb verb, Ex a) { return unary(verb, a); }
inline Ex least(Ex a, Ex b) { return a.dtype() == DType::Bool ? binary(Verb::And, a, b) : binary(Verb::Min, a, b); }
inline Ex greatest(Ex a, Ex b) { return a.dtype() == DType::Bool ? binary(Verb::Or, a, b) : binary(Verb::Max, a, b); }

// Arithmetic that bools do not have.
inline void refuse_bool(Ex x, std::string_view op_name) {
  if (x.dtype() == DType::Bool) {
    type_error("For '" + std::string(op_name) + "', operands must not all be bool; cast one of them.");
  }
}

inline SampleOperand sample_of(const Shape& shape, double low = -2, double high = 2, DType dtype = DType::Float32) {
  return {.shape = shape, .dtype = dtype, .low = low, .high = high};
}
inline SampleOperand sample_number(double number, DType dtype = DType::Float64) {
  return {.shape = {}, .dtype = dtype, .scalar = true, .number = number};
}

inline Sample with(Sample sample, const char* attr, Attr value) {
  sample.attrs.emplace_back(attr, std::move(value));
  return sample;
}

inline std::vector<Sample> unary_samples(double low, double high, std::initializer_list<DType> more = {}) {
  std::vector<Sample> out = {{{sample_of({2, 3, 5}, low, high)}, {}, {}},
                             {{sample_of({}, low, high)}, {}, {}},
                             {{sample_of({0, 3}, low, high)}, {}, {}},
                             {{sample_of({70}, low, high, DType::Float64)}, {}, {}}};
  for (DType d : more) out.push_back({{sample_of({3, 4}, low, high, d)}, {}, {}});
  return out;
}

inline std::vector<Sample> binary_samples(double low, double high, std::initializer_list<DType> more = {}) {
  std::vector<Sample> out = {{{sample_of({2, 3, 5}, low, high), sample_of({2, 3, 5}, low, high)}, {}, {}},
                             {{sample_of({4, 1}, low, high), sample_of({3}, low, high)}, {}, {}},
                             {{sample_of({2, 3}, low, high), sample_of({}, low, high)}, {}, {}},
                             {{sample_of({0, 3}, low, high), sample_of({3}, low, high)}, {}, {}},
                             {{sample_of({6}, low, high), sample_number(low + 0.75 * (high - low))}, {}, {}},
                             {{sample_number(low + 0.75 * (high - low)), sample_of({6}, low, high)}, {}, {}}};
  for (DType d : more) out.push_back({{sample_of({3, 4}, low, high, d), sample_of({3, 4}, low, high, d)}, {}, {}});
  return out;
}

// Integers of each dtype, its limits among them.
inline std::vector<Sample> with_limits(std::vector<Sample> samples, size_t operands) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  for (size_t d = 0; d < kDTypes; ++d) {
    const DType dtype = static_cast<DType>(d);
    if (!is_int(dtype)) continue;
    samples.push_back({std::vector<SampleOperand>(operands, sample_of({60}, -kAny, kAny, dtype)), {}, {}});
  }
  return samples;
}

struct UnaryOp {
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
};
struct FloatUnaryOp : UnaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
// A step function: its slope is zero wherever it has one.
struct StepOp : UnaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static std::vector<Sample> samples() { return unary_samples(-4, 4, {DType::BFloat16, DType::Int32}); }
};
struct BinaryOp {
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static std::vector<Sample> samples() { return with_limits(binary_samples(-2, 2, {DType::Float16}), 2); }
};
struct CompareOp : BinaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::Compare | Flag::NoGradient;
  static std::vector<Sample> samples() {
    return with_limits(binary_samples(-3, 3, {DType::Int8, DType::UInt8, DType::Bool}), 2);
  }
};
struct LogicalOp : BinaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::Logical | Flag::NoGradient;
  static std::vector<Sample> samples() { return with_limits(binary_samples(-1, 1, {DType::Bool, DType::Int32}), 2); }
};

}  // namespace ember::ops
