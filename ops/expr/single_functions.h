// What functions of float32 numbers are made of, in float64 but to some 2^-29 only, which float32 does not see: shorter
// polynomials than those of the composite verbs, and no second parts.
#pragma once

#include "ops/expr/double_functions.h"

namespace ember::ops::functions::single {

Ex exp(Ex x);    // for |x| up to 700
Ex exp2(Ex x);   // for |x| up to 1000
Ex expm1(Ex x);  // likewise, within [0, 700]
Ex log(Ex x);    // of special numbers too
Ex log2(Ex x);
Ex log10(Ex x);
Ex asin(Ex x, bool of_cosine);  // or acos
Ex erfc(Ex x);
Ex erfinv_middle(Ex w);  // erfinv(x) / x by w = -log(1 - x^2) up to 5
Ex sinc(Ex x);           // sin(pi x) / (pi x)

}  // namespace ember::ops::functions::single
