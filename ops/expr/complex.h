// Complex numbers in expressions. Only inputs and results are of a complex dtype: everything else is done with their
// parts, by the verbs of real numbers, so what this file defines is what a complex operation is on every tier.
#pragma once

#include <stdexcept>

#include "ops/expr/expr.h"

namespace ember::ops {

Ex real(Ex z);  // of a real number itself
Ex imag(Ex z);  // of a real number 0
Ex complex(Ex re, Ex im);
Ex conj(Ex z);
Ex angle(Ex z);        // atan2(im, re)
Ex hypot(Ex a, Ex b);  // sqrt(a^2 + b^2), without overflow
Ex direction(Ex z);    // z / |z|, 0 at 0

// What operators of expr.h do where an operand is complex.
Ex complex_unary(Verb verb, Ex z);
Ex complex_binary(Verb verb, Ex a, Ex b);
Ex complex_select(Ex condition, Ex yes, Ex no);
Ex complex_convert(Ex a, DType dtype);  // one of the two is complex

// Thrown for what complex numbers do not have, an order above all.
struct NotOfComplex : std::invalid_argument {
  static constexpr const char* kWhy = "complex numbers are not supported; take real(), imag() or abs() of them";
  NotOfComplex() : std::invalid_argument(kWhy) {}
};

}  // namespace ember::ops
