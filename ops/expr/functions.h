// Functions of one number, and a few of two, as expressions of verbs: what the composite verbs do not have. float32 is
// computed in float64 and rounded once. Errors are asserted in tests/python/test_special.py.
#pragma once

#include "ops/expr/expr.h"

namespace ember::ops::functions {

// Of real and complex numbers. Branch cuts are those of C99.
Ex tan(Ex x);
Ex sinh(Ex x);
Ex cosh(Ex x);
Ex asin(Ex x);
Ex acos(Ex x);
Ex atan(Ex x);
Ex asinh(Ex x);
Ex acosh(Ex x);
Ex atanh(Ex x);
Ex exp2(Ex x);
Ex log2(Ex x);
Ex log10(Ex x);

// Of real numbers; complex ones are an error.
Ex cbrt(Ex x);
Ex sinc(Ex x);  // sin(pi x) / (pi x)
Ex erfc(Ex x);
Ex erfinv(Ex x);
Ex lgamma(Ex x);
Ex digamma(Ex x);
Ex trigamma(Ex x);
Ex bessel_i0(Ex x);
Ex bessel_i0e(Ex x);
Ex bessel_i1(Ex x);
Ex bessel_i1e(Ex x);
Ex bessel_j0(Ex x);
Ex bessel_j1(Ex x);
Ex bessel_k0(Ex x);
Ex bessel_k0e(Ex x);
Ex bessel_k1(Ex x);
Ex bessel_k1e(Ex x);
Ex bessel_y0(Ex x);
Ex bessel_y1(Ex x);

Ex sign_bit(Ex x);                       // as an unsigned integer of its size
Ex with_sign_of(Ex magnitude, Ex x);     // |magnitude| with the sign of x
Ex next_after(Ex x, Ex y);               // the number next to x on the way to y
Ex remainder(Ex x, Ex y);                // x - y * trunc(x / y), exact
Ex log_of_sum(Ex a, Ex b, bool binary);  // log(e^a + e^b), or by powers of 2

}  // namespace ember::ops::functions
