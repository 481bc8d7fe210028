// Definitions: products (ac - bd) + (ad + bc)i in this order and without fma, quotients by Smith's method (Algorithm
// 116, 1962), magnitudes without overflow, square roots after Kahan (Branch Cuts for Complex Elementary Functions,
// 1987), the other functions from those of real numbers. Branch cuts are C99's, signs of zero included. float32 is
// computed in float64 where that makes a result that cancels exact.
#include "ops/expr/complex.h"

#include <limits>

#include "ops/expr/functions.h"

namespace ember::ops {
namespace {

using functions::with_sign_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Parts {
  Ex re, im;
  explicit Parts(Ex z) : re(real(z)), im(imag(z)) {}
};

Ex abs(Ex x) { return unary(Verb::Abs, x); }
Ex is_infinite(Ex x) { return eq(abs(x), x.constant(kInfinity)); }
Ex times_i(Ex z) { return complex(-imag(z), real(z)); }
Ex over_i(Ex z) { return complex(imag(z), -real(z)); }
Ex one(Ex z) { return z.constant(1); }

Ex product(Ex a, Ex b) {
  const Parts x(a), y(b);
  return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

Ex quotient(Ex a, Ex b) {
  const Parts x(a), y(b);
  const Ex first = le(abs(y.im), abs(y.re));
  const Ex large = select(first, y.re, y.im), small = select(first, y.im, y.re);
  const Ex both_zero = binary(Verb::And, eq(large, large.constant(0)), eq(small, small.constant(0)));
  const Ex ratio = select(both_zero, large.constant(0), small / large);
  const Ex under = large + small * ratio;
  const Ex re = select(first, x.re + x.im * ratio, x.re * ratio + x.im);
  const Ex im = select(first, x.im - x.re * ratio, x.im * ratio - x.re);
  return complex(re / under, im / under);
}

// log|z|: near 1 from |z|^2 - 1, which is made without cancellation.
Ex log_magnitude(const Parts& z) {
  if (z.re.dtype() == DType::Float32) {
    const Ex a = convert(z.re, DType::Float64), c = convert(z.im, DType::Float64);
    const Ex value = convert(0.5 * unary(Verb::Log, a * a + c * c), DType::Float32);
    return select(binary(Verb::Or, is_infinite(z.re), is_infinite(z.im)), z.re.constant(kInfinity), value);
  }
  const Ex a = abs(z.re), c = abs(z.im), large = binary(Verb::Max, a, c), small = binary(Verb::Min, a, c);
  const Ex near = 0.5 * unary(Verb::Log1p, fma(large - 1.0, large + 1.0, small * small));
  const Ex magnitude = hypot(a, c);
  const Ex is_near = binary(Verb::And, lt(magnitude.constant(0.5), magnitude), lt(magnitude, magnitude.constant(2)));
  return select(is_near, near, unary(Verb::Log, magnitude));
}

Ex log(Ex z) { return complex(log_magnitude(Parts(z)), angle(z)); }

Ex log1p(Ex z) {
  const Parts p(z);
  const Ex whole = log(complex(p.re + 1.0, p.im));
  const Ex small = binary(Verb::Max, abs(p.re), abs(p.im));
  const Ex near = 0.5 * unary(Verb::Log1p, fma(p.re, p.re + 2.0, p.im * p.im));
  return complex(select(lt(small, small.constant(0.5)), near, real(whole)), imag(whole));
}

Ex exp(Ex z) {
  const Parts p(z);
  const Ex zero = p.re.constant(0), e = unary(Verb::Exp, p.re);
  const Ex gone = eq(e, zero), on_axis = eq(p.im, zero);
  const Ex c = select(gone, p.re.constant(1), unary(Verb::Cos, p.im));
  const Ex s = select(binary(Verb::Or, gone, on_axis), p.im, unary(Verb::Sin, p.im));
  const Ex endless = binary(Verb::And, eq(e, zero.constant(kInfinity)), ne(c, c));  // in no known direction
  return complex(select(binary(Verb::Or, on_axis, endless), e, e * c),
                 select(on_axis, p.im, select(gone, with_sign_of(zero, s), e * s)));
}

// e^z - 1 = expm1(a) cos b - 2 sin^2(b / 2) + e^a sin(b) i
Ex expm1(Ex z) {
  const Parts p(z);
  const Ex half = unary(Verb::Sin, 0.5 * p.im);
  const Ex re = unary(Verb::Expm1, p.re) * unary(Verb::Cos, p.im) - 2.0 * (half * half);
  return complex(re, imag(exp(z)));
}

Ex sqrt(Ex z) {
  const Parts p(z);
  const Ex zero = p.re.constant(0), infinity = p.re.constant(kInfinity);
  const Ex tiny = p.re.constant(p.re.dtype() == DType::Float64 ? 0x1p-1000 : 0x1p-100);
  const Ex small = lt(binary(Verb::Max, abs(p.re), abs(p.im)), tiny);
  const double up = p.re.dtype() == DType::Float64 ? 0x1p104 : 0x1p48, down = up == 0x1p48 ? 0x1p-24 : 0x1p-52;
  const Ex scale = select(small, p.re.constant(up), p.re.constant(0.25)),
           back = select(small, p.re.constant(down), p.re.constant(2));
  const Ex a = p.re * scale, b = p.im * scale;
  const Ex large = unary(Verb::Sqrt, 0.5 * (abs(a) + hypot(a, b)));
  const Ex other = select(eq(large, zero), zero, abs(b) / (2.0 * large));
  const Ex right = le(zero, p.re);
  const Ex re = back * select(right, large, other), im = back * select(right, other, large);
  const Ex endless = is_infinite(p.im), far = eq(p.re, infinity), far_left = eq(p.re, -infinity);
  const Ex number = eq(p.im, p.im);
  const Ex flat = select(number, zero, p.im);
  return complex(select(endless, infinity, select(far, infinity, select(far_left, flat, re))),
                 select(endless, p.im, with_sign_of(select(far, flat, select(far_left, infinity, im)), p.im)));
}

// By e^|a| / 2, whose square root does not overflow before it does.
struct Hyperbolic {
  Ex sinh, cosh;
  explicit Hyperbolic(Ex a) {
    const Ex m = abs(a), root = unary(Verb::Exp, 0.5 * m), half = (0.5 * root) * root, rest = 0.25 / half;
    const Ex grown = unary(Verb::Expm1, m);
    const Ex exact = 0.5 * (grown + grown / (grown + 1.0));
    const Ex near = lt(m, a.constant(20));
    sinh = with_sign_of(select(near, exact, half), a);
    cosh = half + rest;
  }
};

Ex sinh(Ex z) {
  const Parts p(z);
  const Hyperbolic h(p.re);
  const Ex zero = p.im.constant(0), on_axis = eq(p.im, zero);
  return complex(select(on_axis, h.sinh, h.sinh * unary(Verb::Cos, p.im)),
                 select(on_axis, p.im, h.cosh * unary(Verb::Sin, p.im)));
}

Ex cosh(Ex z) {
  const Parts p(z);
  const Hyperbolic h(p.re);
  const Ex zero = p.im.constant(0), flat = binary(Verb::Or, eq(p.im, zero), eq(p.re, zero));
  return complex(
      select(eq(p.im, zero), h.cosh, h.cosh * unary(Verb::Cos, p.im)),
      select(flat, with_sign_of(zero, p.re) * with_sign_of(p.re.constant(1), p.im), h.sinh * unary(Verb::Sin, p.im)));
}

// (sinh a cosh a + sin b cos b i) / (sinh^2 a + cos^2 b); beyond 20 its limit.
Ex tanh(Ex z) {
  const Parts p(z);
  const Ex a = p.re, c = unary(Verb::Cos, p.im), s = unary(Verb::Sin, p.im);
  const Ex far = le(a.constant(20), abs(a)), within = select(far, a.constant(0), a);
  const Hyperbolic h(within);
  const Ex under = h.sinh * h.sinh + c * c;
  const Ex vanishing = 4.0 * (s * c) * unary(Verb::Exp, -2.0 * abs(a));
  const Ex im = select(far, vanishing, (s * c) / under);
  return complex(select(far, with_sign_of(a.constant(1), a), (h.sinh * h.cosh) / under),
                 select(eq(p.im, p.im.constant(0)), p.im, im));
}

// 0 to the w is 0 where the real part of w is positive, and else NaN, but for the whole w below.
Ex power(Ex z, Ex w) {
  const Parts base(z), exponent(w);
  const Ex zero = base.re.constant(0), nan = base.re.constant(std::numeric_limits<double>::quiet_NaN());
  const Ex real_exponent = eq(exponent.im, zero);
  const Ex is_zero = eq(z, z.constant(0));
  const Ex of_zero = select(lt(zero, exponent.re), zero, nan);
  Ex value = select(is_zero, complex(of_zero, of_zero), exp(product(w, log(z))));
  const auto plain = [&](double n, Ex result) {
    value = select(binary(Verb::And, real_exponent, eq(exponent.re, zero.constant(n))), result, value);
  };
  plain(0, one(z));
  plain(1, z);
  plain(2, product(z, z));
  plain(3, product(product(z, z), z));
  plain(-1, quotient(one(z), z));
  return value;
}

}  // namespace

Ex real(Ex z) { return is_complex(z.dtype()) ? z.builder().emit(Verb::RealPart, part_dtype(z.dtype()), z) : z; }
Ex imag(Ex z) {
  return is_complex(z.dtype()) ? z.builder().emit(Verb::ImagPart, part_dtype(z.dtype()), z) : z.constant(0);
}
Ex complex(Ex re, Ex im) { return re.builder().emit(Verb::Complex, complex_dtype(re.dtype()), re, im); }
Ex conj(Ex z) { return is_complex(z.dtype()) ? complex(real(z), -imag(z)) : z; }
Ex angle(Ex z) { return binary(Verb::Atan2, imag(z), real(z)); }

Ex hypot(Ex a, Ex b) {
  const Ex endless = binary(Verb::Or, is_infinite(a), is_infinite(b)), infinity = a.constant(kInfinity);
  if (a.dtype() == DType::Float32) {
    const Ex x = convert(a, DType::Float64), y = convert(b, DType::Float64);
    return select(endless, infinity, convert(unary(Verb::Sqrt, x * x + y * y), DType::Float32));
  }
  const Ex large = binary(Verb::Max, abs(a), abs(b)), small = binary(Verb::Min, abs(a), abs(b));
  const auto choose = [&](double high, double low) {
    return select(lt(large.constant(0x1p500), large), large.constant(high),
                  select(lt(large, large.constant(0x1p-450)), large.constant(low), large.constant(1)));
  };
  const Ex scale = choose(0x1p-600, 0x1p600), back = choose(0x1p600, 0x1p-600);
  const Ex x = large * scale, y = small * scale;
  return select(endless, infinity, back * unary(Verb::Sqrt, fma(x, x, y * y)));
}

Ex direction(Ex z) {
  const Ex magnitude = unary(Verb::Abs, z), zero = magnitude.constant(0);
  const Ex none = eq(magnitude, zero);
  const auto along = [&](Ex part) { return select(none, zero, part / magnitude); };
  return complex(along(real(z)), along(imag(z)));
}

Ex complex_unary(Verb verb, Ex z) {
  const Parts p(z);
  switch (verb) {
    case Verb::Neg:
      return complex(-p.re, -p.im);
    case Verb::Abs:
      return hypot(p.re, p.im);
    case Verb::Sqrt:
      return sqrt(z);
    case Verb::Exp:
      return exp(z);
    case Verb::Expm1:
      return expm1(z);
    case Verb::Log:
      return log(z);
    case Verb::Log1p:
      return log1p(z);
    case Verb::Sin:
      return over_i(sinh(times_i(z)));
    case Verb::Cos:
      return cosh(times_i(z));
    case Verb::Tanh:
      return tanh(z);
    case Verb::Sigmoid:
      return quotient(one(z), complex_binary(Verb::Add, one(z), exp(complex_unary(Verb::Neg, z))));
    default:
      throw NotOfComplex();
  }
}

Ex complex_binary(Verb verb, Ex a, Ex b) {
  const Parts x(a), y(b);
  switch (verb) {
    case Verb::Add:
      return complex(x.re + y.re, x.im + y.im);
    case Verb::Sub:
      return complex(x.re - y.re, x.im - y.im);
    case Verb::Mul:
      return product(a, b);
    case Verb::Div:
      return quotient(a, b);
    case Verb::Pow:
      return power(a, b);
    case Verb::Eq:
      return binary(Verb::And, eq(x.re, y.re), eq(x.im, y.im));
    case Verb::Ne:
      return binary(Verb::Or, ne(x.re, y.re), ne(x.im, y.im));
    default:
      throw NotOfComplex();
  }
}

Ex complex_select(Ex condition, Ex yes, Ex no) {
  return complex(select(condition, real(yes), real(no)), select(condition, imag(yes), imag(no)));
}

Ex complex_convert(Ex a, DType dtype) {
  const DType part = part_dtype(dtype);
  if (is_complex(dtype)) {
    const Ex re = convert(real(a), part);
    return complex(re, is_complex(a.dtype()) ? convert(imag(a), part) : re.constant(0));
  }
  if (dtype != DType::Bool) return convert(real(a), dtype);
  return binary(Verb::Or, convert(real(a), DType::Bool), convert(imag(a), DType::Bool));
}

}  // namespace ember::ops
