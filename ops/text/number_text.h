// Numbers as NumPy 1.26 writes them (the one that MindSpore goes with): the fewest digits that read back as the same
// float, unless a precision asks for fewer, rounded then from the exact value.
#pragma once

#include <string>
#include <vector>

#include "ops/tensor/dtype.h"

namespace ember::ops {

// A finite number of dtype Float16, Float32 or Float64.
struct Digits {
  bool negative;
  std::string digits;  // without leading or trailing zeros; "0" for zero
  int exponent;        // of the first digit
};
Digits shortest_digits(double value, DType dtype);

// `precision` bounds the digits after the point; -1: no bound. Both keep the point: "2.", "0.5", "1.5e+20".
std::string positional(double value, DType dtype, int precision);
std::string scientific(double value, DType dtype, int precision);

// What str() of a NumPy scalar gives: "2.0", "1e+20", "nan", "True".
std::string scalar_text(double value, DType dtype);

// Formats the elements of one array alike: chooses notation and widths from all of them. Whole parts are exact. With an
// exponent all show the same number of digits, those beyond the fewest from the exact value.
class FloatFormat {
 public:
  FloatFormat(const std::vector<double>& values, DType dtype);
  std::string text(double value) const;

 private:
  bool wants_exponent(const std::vector<double>& finite) const;

  DType dtype_;
  bool exponent_ = false;
  size_t left_ = 0, right_ = 0, exponent_digits_ = 0, fraction_ = 0;
};

}  // namespace ember::ops
