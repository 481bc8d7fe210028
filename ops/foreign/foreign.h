// Functions of shared libraries as ops, through libffi. A signature says how C sees the call:
//
//   "float32[n, 3], float64 -> float32[n]"   void f(const float* a, double b, float* out, int64_t n)
//   "float64, float64 -> float64"            double f(double a, double b)
//
// A dtype with sizes is a pointer to contiguous row-major elements; a bare dtype is passed by value and fits a tensor
// without dimensions. Results with sizes are pointers behind the operands'; one bare result is what the function
// returns. A size is a number or a name, and each name is passed at the end as an int64_t, in order of appearance.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ops/table/op.h"

namespace ember::ops {

inline constexpr const char* kForeignCall = "foreign_call";  // the op

struct ForeignValue {
  DType dtype = DType::Float32;
  bool by_value = true;
  std::vector<std::variant<int64_t, size_t>> sizes;  // a number, or the position of a name
};

struct ForeignSignature {
  std::vector<ForeignValue> operands, results;
  std::vector<std::string> names;
};

ForeignSignature parse_foreign_signature(const std::string& text);  // raises OpError

Types foreign_results(const InferCall& call);  // shape rule and kernel of the op
void call_foreign(const KernelCall& call);

}  // namespace ember::ops
