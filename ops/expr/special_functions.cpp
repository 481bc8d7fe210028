// Special functions (ops/expr/functions.h), by polynomials of ops/expr/special_tables.h: erfc after Shepherd and
// Laframboise (1981), erfinv after Giles (2010), log Gamma and psi by recurrence and Stirling's series, Bessel
// functions by intervals and Hankel's expansions.
#include "ops/expr/single_functions.h"
#include "ops/expr/special_tables.h"

namespace ember::ops::functions {
namespace {

using namespace special;

constexpr double kPi = std::numbers::pi;
constexpr int kRecurrence = 8;  // from there on asymptotic series

// log Gamma(x) for x >= 0, and the logarithm that it took: for x < 1/2 of x (x + 1).
struct LogGamma {
  Ex value, log;
  explicit LogGamma(Ex x) {
    const Ex one = x.constant(1), shift = unary(Verb::Floor, x - 1.5);
    Ex product = one;
    for (int k = 1; k < kRecurrence - 1; ++k) product = product * select(le(shift, k - 1.0), 1.0, x - double(k));
    const Ex small = lt(x, 1.5), tiny = lt(x, 0.5), far = le(x.constant(kRecurrence), x);
    const Ex argument = select(tiny, x * (x + 1.0), select(small, x, product));
    log = unary(Verb::Log, select(far, x, argument));
    const Ex d = select(tiny, x, select(small, x - 1.0, (x - shift) - 2.0));
    const Ex near = fma(d, polynomial(d, -0.5, 0.5, kLogGamma), select(small, -log, log));
    const Ex inverse = 1.0 / x;
    const Ex tail = polynomial(inverse * inverse, 0, 0x1p-6, kStirling) * inverse;
    const double rest = 0.5 * std::numbers::ln2 + 0.57236494292470008707 - 0.5;  // log(2 pi) / 2 - 1 / 2
    value = select(far, fma(x - 0.5, log - 1.0, tail + rest), near);
  }
};

// psi(x) for x >= 0
Ex digamma_above(Ex x) {
  const Ex zero = x.constant(0), shift = most(unary(Verb::Floor, x) - 1.0, 0);
  Ex sum = zero;
  for (int k = kRecurrence - 2; k > 0; --k) sum = sum + select(lt(shift, k), 0.0, 1.0 / (x - double(k)));
  const Ex small = lt(x, 1.0);
  const Ex base = select(small, x + 1.0, x - shift);
  const Ex start = ((base - kPsiRootHigh) - kPsiRootLow) * polynomial(base, 1, 2, kPsi);
  const Ex near = start + select(small, -1.0 / x, sum);
  const Ex inverse = 1.0 / x, z = inverse * inverse;
  const Ex far = unary(Verb::Log, x) - fma(polynomial(z, 0, 0x1p-6, kPsiTail), z, 0.5 * inverse);
  return select(lt(x, kRecurrence), near, far);
}

// psi'(x) for x > 0, and infinite at 0.
Ex trigamma_above(Ex x) {
  const Ex near = lt(x, kRecurrence), y = select(near, x + double(kRecurrence), x);
  const auto square = [&](int k) { return (x + double(k)) * (x + double(k)); };
  Ex sum = x.constant(0);
  for (int k = 0; k < kRecurrence; k += 2) sum = sum + (square(k) + square(k + 1)) / (square(k) * square(k + 1));
  const Ex inverse = 1.0 / y, z = inverse * inverse;
  const Ex far = fma(z, fma(polynomial(z, 0, 0x1p-6, kTrigammaTail), inverse, x.constant(0.5)), inverse);
  return select(near, sum + far, far);
}

// e^-x I(x) for x >= 0, of order 1 over its sign.
template <size_t N, size_t F>
Ex scaled_i(Ex x, int order, const double (&close)[N], const double (&away)[F]) {
  const Ex near = polynomial(x, 0, 8, close), far = polynomial(8.0 / x, 0, 1, away) / sqrt(x);
  return select(le(x, 8.0), order == 0 ? near : near * x, far);
}

// value * e^x without overflow before the product does
Ex times_exp(Ex value, Ex x) {
  const Ex grown = (value * exp(least(x, 700))) * exp(most(x - 700.0, 0));
  return select(eq(x, kInfinity), kInfinity, grown);
}

Ex scaled_i0(Ex x) { return scaled_i(x, 0, kI0Near, kI0Far); }
Ex scaled_i1(Ex x) { return scaled_i(x, 1, kI1Near, kI1Far); }

Ex bessel_k(Ex x, int order, bool scaled) {
  const Ex z = x * x, log_half = log(x) - std::numbers::ln2, u = 1.0 / x;
  const Ex zeroth = polynomial(z, 0, 1, kK0Near) - log_half * polynomial(z, 0, 1, kI0Even);
  const Ex first = x * fma(log_half, polynomial(z, 0, 1, kI1Even), polynomial(z, 0, 1, kK1Near)) + u;
  const Ex near = order == 0 ? zeroth : first;
  const Ex tail = (order == 0 ? polynomial(u, 0, 1, kK0Far) : polynomial(u, 0, 1, kK1Far)) / sqrt(x);
  const Ex value = scaled ? select(le(x, 1.0), near * exp(x), tail) : select(le(x, 1.0), near, tail * exp(-x));
  return select(eq(x, 0.0), kInfinity, value);
}

// P (cos + sin) or P (cos - sin) and so on: J and Y beyond 8, by Hankel's expansion.
struct Oscillation {
  Ex first, second;
  Oscillation(Ex x, int order) {
    const Ex u = 8.0 / x, z = u * u;
    const Ex p = order == 0 ? polynomial(z, 0, 1, kHankelP0) : polynomial(z, 0, 1, kHankelP1);
    const Ex q = u * (order == 0 ? polynomial(z, 0, 1, kHankelQ0) : polynomial(z, 0, 1, kHankelQ1));
    const Ex s = unary(Verb::Sin, x), c = unary(Verb::Cos, x);
    const Ex cosine = order == 0 ? c + s : s - c, sine = order == 0 ? s - c : -(s + c);
    const Ex under = sqrt(kPi * x);
    first = (p * cosine - q * sine) / under;
    second = (p * sine + q * cosine) / under;
  }
};

Ex near_j(Ex x, int order) {
  const Ex z = x * x;
  return order == 0 ? fma(z, polynomial(z, 0, 64, kJ0Near), x.constant(1)) : x * polynomial(z, 0, 64, kJ1Near);
}

Ex bessel_j(Ex x, int order) {
  const Ex a = abs(x);
  const Ex value = select(le(a, 8.0), near_j(a, order), Oscillation(a, order).first);
  const Ex settled = select(eq(a, kInfinity), 0.0, value);
  return order == 0 ? settled : select(lt(x, 0.0), -settled, settled);
}

Ex bessel_y(Ex x, int order) {
  const Ex z = x * x, product = log(x) * near_j(x, order);
  const Ex near = order == 0 ? fma(product, x.constant(2 / kPi), polynomial(z, 0, 64, kY0Near))
                             : fma(product - 1.0 / x, x.constant(2 / kPi), x * polynomial(z, 0, 64, kY1Near));
  const Ex value = select(le(x, 8.0), near, Oscillation(x, order).second);
  return select(eq(x, 0.0), -kInfinity, select(eq(x, kInfinity), 0.0, value));
}

}  // namespace

Ex erfc(Ex x) {
  const auto of_double = [](Ex v) {
    const Ex a = least(abs(v), 30), t = (a - 4.0) / (a + 4.0), square = a * a;
    const Ex bell = exp(-square) * (1.0 - fma(a, a, -square));
    const Ex value = bell * (polynomial(t, -1, 0.75, kErfcx) / fma(a, a.constant(2), a.constant(1)));
    return select(lt(a, 0.5), 1.0 - unary(Verb::Erf, v), select(lt(v, 0.0), 2.0 - value, value));
  };
  return by_precision(x, of_double, single::erfc);
}

Ex erfinv(Ex x) {
  const auto from = [](Ex v, Ex w, Ex middle) {
    const Ex s = sqrt(w);
    const Ex far = select(lt(s, 4.0), polynomial(s, 2.2, 4, kErfinvFar), polynomial(s, 4, 6.2, kErfinvTail));
    return select(eq(abs(v), 1.0), v * kInfinity, v * select(lt(w, 5.0), middle, far));
  };
  const auto of_double = [&](Ex v) {
    const Ex w = -log((1.0 - v) * (1.0 + v));
    return from(v, w, polynomial(w, 0, 5, kErfinvMiddle));
  };
  return by_precision(x, of_double, [&](Ex v) {
    const Ex w = -single::log((1.0 - v) * (1.0 + v));
    return from(v, w, single::erfinv_middle(w));
  });
}

Ex lgamma(Ex x) {
  return in_double(x, [](Ex v) {
    const Ex a = abs(v);
    const LogGamma above(a);
    const Ex mirrored = log(kPi / (a * abs(OfHalfTurns(a).sine))) - above.value;
    const Ex below = select(lt(a, 0x1p-60), -above.log, mirrored);
    return select(eq(a, kInfinity), kInfinity, select(lt(v, 0.0), below, above.value));
  });
}

Ex digamma(Ex x) {
  return in_double(x, [](Ex v) {
    const Ex below = lt(v, 0.0), above = digamma_above(select(below, 1.0 - v, v));
    const OfHalfTurns turns(v);
    const Ex mirrored = above - kPi * (turns.cosine / turns.sine);
    return select(below, select(eq(turns.distance, 0.0), kNaN, mirrored), above);
  });
}

Ex trigamma(Ex x) {
  return in_double(x, [](Ex v) {
    const Ex below = lt(v, 0.0), above = trigamma_above(select(below, 1.0 - v, v));
    const Ex sine = OfHalfTurns(v).sine;
    return select(below, (kPi * kPi) / (sine * sine) - above, above);
  });
}

Ex bessel_i0e(Ex x) {
  return in_double(x, [](Ex v) { return scaled_i0(abs(v)); });
}
Ex bessel_i0(Ex x) {
  return in_double(x, [](Ex v) { return times_exp(scaled_i0(abs(v)), abs(v)); });
}
Ex bessel_i1e(Ex x) {
  return in_double(x, [](Ex v) { return with_sign_of(scaled_i1(abs(v)), v); });
}
Ex bessel_i1(Ex x) {
  return in_double(x, [](Ex v) { return with_sign_of(times_exp(scaled_i1(abs(v)), abs(v)), v); });
}
Ex bessel_k0(Ex x) {
  return in_double(x, [](Ex v) { return bessel_k(v, 0, false); });
}
Ex bessel_k0e(Ex x) {
  return in_double(x, [](Ex v) { return bessel_k(v, 0, true); });
}
Ex bessel_k1(Ex x) {
  return in_double(x, [](Ex v) { return bessel_k(v, 1, false); });
}
Ex bessel_k1e(Ex x) {
  return in_double(x, [](Ex v) { return bessel_k(v, 1, true); });
}
Ex bessel_j0(Ex x) {
  return in_double(x, [](Ex v) { return bessel_j(v, 0); });
}
Ex bessel_j1(Ex x) {
  return in_double(x, [](Ex v) { return bessel_j(v, 1); });
}
Ex bessel_y0(Ex x) {
  return in_double(x, [](Ex v) { return bessel_y(v, 0); });
}
Ex bessel_y1(Ex x) {
  return in_double(x, [](Ex v) { return bessel_y(v, 1); });
}

}  // namespace ember::ops::functions
