// How C sees a call of a function of a shared library:
//
//   "float32[n, 3], float64 -> float32[n]"   void f(const float* a, double b, float* out, int64_t n)
//   "float64, float64 -> float64"            double f(double a, double b)
//   "float64{b}, float64 -> float64"         the same, called for each of b numbers
//   "float32[], int32[2] -> float32[]"       void f(const float* a, const int32_t* b, float* out)
//
// A dtype with sizes is a pointer to contiguous row-major elements; a bare dtype is passed by value and fits a tensor
// without dimensions. Results with sizes are pointers behind the operands'; one bare result is what the function
// returns. A size is a number or a name, and each name is passed at the end as an int64_t, in order of appearance.
// Names in braces are loops: axes before those of the function's own, for each of which it is called. Results have all
// loops, in order of appearance. "aot " before it: the function is one of MindSpore's Custom, all values are pointers,
//
//   int f(int count, void** data, int* ranks, int64_t** shapes, const char** dtypes, void* stream, void* extra)
//
// of operands, then results; the last two are null, and any result but 0 is an error.
#pragma once

#include <ffi.h>

#include <string>
#include <variant>
#include <vector>

#include "ops/tensor/dtype.h"

namespace ember::ops {

inline constexpr const char* kForeignCall = "foreign_call";  // the op

struct ForeignValue {
  DType dtype = DType::Float32;
  bool by_value = true;
  std::vector<size_t> loops;                         // positions of names
  std::vector<std::variant<int64_t, size_t>> sizes;  // a number, or the position of a name
};

struct ForeignSignature {
  std::vector<ForeignValue> operands, results;
  std::vector<std::string> names, loops;
  bool aot = false;
};

ForeignSignature parse_foreign_signature(const std::string& text);  // raises OpError
std::string to_string(const ForeignSignature& signature);
ffi_type* ffi_type_of(DType dtype);  // null if it cannot be passed by value

}  // namespace ember::ops
