// What the files of ops/expr/functions.h share.
#pragma once

#include <limits>
#include <numbers>

#include "ops/expr/complex.h"
#include "ops/expr/functions.h"

namespace ember::ops::functions {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kLn2 = std::numbers::ln2;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline Ex abs(Ex x) { return unary(Verb::Abs, x); }
inline Ex sqrt(Ex x) { return unary(Verb::Sqrt, x); }
inline Ex log(Ex x) { return unary(Verb::Log, x); }
inline Ex exp(Ex x) { return unary(Verb::Exp, x); }
inline Ex either(Ex a, Ex b) { return binary(Verb::Or, a, b); }
inline Ex both(Ex a, Ex b) { return binary(Verb::And, a, b); }
inline Ex least(Ex a, double b) { return binary(Verb::Min, a, a.constant(b)); }
inline Ex most(Ex a, double b) { return binary(Verb::Max, a, a.constant(b)); }
inline Ex lt(Ex a, double b) { return ops::lt(a, a.constant(b)); }
inline Ex le(Ex a, double b) { return ops::le(a, a.constant(b)); }
inline Ex eq(Ex a, double b) { return ops::eq(a, a.constant(b)); }
inline Ex select(Ex c, Ex yes, double no) { return ops::select(c, yes, yes.constant(no)); }
inline Ex select(Ex c, double yes, Ex no) { return ops::select(c, no.constant(yes), no); }
using ops::eq;
using ops::le;
using ops::lt;
using ops::select;

// f in float64, for float32 rounded once.
template <class F>
Ex in_double(Ex x, F f) {
  if (is_complex(x.dtype())) throw NotOfComplex();
  return x.dtype() == DType::Float64 ? f(x) : convert(f(convert(x, DType::Float64)), x.dtype());
}

// One function of float64 numbers, and another of float32 numbers (ops/expr/single_functions.h), in float64 too.
template <class F, class G>
Ex by_precision(Ex x, F of_double, G of_single) {
  return x.dtype() == DType::Float64 ? in_double(x, of_double) : in_double(x, of_single);
}

// Coefficients [begin, end) by ascending powers of x from 0 on.
template <size_t N>
Ex horner(Ex x, const double (&c)[N], size_t begin, size_t end) {
  Ex sum = x.constant(c[end - 1]);
  for (size_t i = end - 1; i-- > begin;) sum = fma(sum, x, x.constant(c[i]));
  return sum;
}

inline Ex whole_power(Ex x, size_t n) {
  if (n == 1) return x;
  const Ex half = whole_power(x, n / 2), square = half * half;
  return n % 2 ? square * x : square;
}

// A polynomial by ascending powers of x; a long one in halves, which need not wait for each other.
template <size_t N>
Ex series(Ex x, const double (&c)[N]) {
  if constexpr (N < 10) return horner(x, c, 0, N);
  constexpr size_t kHalf = N / 2;
  return fma(horner(x, c, kHalf, N), whole_power(x, kHalf), horner(x, c, 0, kHalf));
}

// By powers of (x - middle) / half, in order: the sums of some are far smaller than their terms.
template <size_t N>
Ex polynomial(Ex x, double low, double high, const double (&c)[N]) {
  const double half = (high - low) / 2;
  return horner((x - (low + half)) * (1 / half), c, 0, N);
}

// sin(pi x) and cos(pi x) by the distance to the nearest integer; sine is 0 at integers.
struct OfHalfTurns {
  Ex distance, sine, cosine;
  explicit OfHalfTurns(Ex x) {
    const Ex whole = unary(Verb::Rint, x), half = 0.5 * whole;
    distance = x - whole;
    const Ex odd = ne(unary(Verb::Floor, half), half);
    const Ex angle = std::numbers::pi * distance, s = unary(Verb::Sin, angle), c = unary(Verb::Cos, angle);
    sine = select(odd, -s, s);
    cosine = select(odd, -c, c);
  }
};

}  // namespace ember::ops::functions
