// Elementary functions (ops/expr/functions.h): inverse trigonometric ones by the angle of a point, hyperbolic ones and
// their inverses by expm1 and log1p, logarithms by taking the exponent apart as fdlibm does. Those of complex numbers
// are Kahan's (Branch Cuts for Complex Elementary Functions, 1987), computed in complex128; at infinities and NaN they
// are what Annex G of C99 says.
#include "ops/expr/single_functions.h"

namespace ember::ops::functions {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 2;
constexpr double kLarge = 0x1p28;  // beyond it x^2 + 1 is x^2
constexpr double kTiny = 0x1p-18;  // below it functions that x begins are x in float32, or nearly

Ex times_i(Ex z) { return complex(-imag(z), real(z)); }
Ex over_i(Ex z) { return complex(imag(z), -real(z)); }
// Part by part: the product of complex numbers would make NaN of infinite parts.
Ex scaled(Ex z, double factor) { return complex(real(z) * factor, imag(z) * factor); }

template <class Real, class Single, class OfComplex>
Ex by_kind(Ex x, Real of_double, Single of_single, OfComplex of_complex) {
  if (!is_complex(x.dtype())) return by_precision(x, of_double, of_single);
  return convert(of_complex(convert(x, DType::Complex128)), x.dtype());
}

// 2^n for an integer n within (-1023, 1024)
Ex power_of_two(Ex n) {
  const Ex biased = convert(n + 1023.0, DType::Int64);
  return n.builder().emit(Verb::Bitcast, DType::Float64, binary(Verb::Shl, biased, biased.constant(52)));
}

// x = 2^k m, for a positive finite x; m within [1, 2) for k >= 0, else within [1/2, 1).
struct Exponent {
  Ex k, m;
  explicit Exponent(Ex x) {
    ExprBuilder& b = x.builder();
    const Ex tiny = lt(x, 0x1p-1022);
    const Ex bits = b.emit(Verb::Bitcast, DType::Int64, select(tiny, x * 0x1p54, x));
    const Ex raw = convert(binary(Verb::Shr, bits, bits.constant(52)), DType::Float64);
    const Ex e = raw - select(tiny, x.constant(1023 + 54), 1023);
    const Ex below = lt(e, 0.0);
    k = select(below, e + 1.0, e);
    const Ex fraction = both(bits, b.constant_bits(DType::Int64, (uint64_t{1} << 52) - 1));
    const Ex one = b.constant_bits(DType::Int64, uint64_t{1023} << 52);
    const Ex half = b.constant_bits(DType::Int64, uint64_t{1022} << 52);
    m = b.emit(Verb::Bitcast, DType::Float64, either(fraction, select(below, half, one)));
  }
};

// The logarithm of a float64 number to a base: `per_log` is 1 / log(base), high + low are log 2 to the base.
Ex log_to_base(Ex x, double per_log, double high, double low) {
  const Ex plain = log(x);
  const Exponent e(x);
  const Ex value = fma(e.k, x.constant(low), log(e.m) * per_log) + e.k * high;
  return select(both(lt(x.constant(0), x), lt(x, kInfinity)), value, plain);
}

// sqrt(1 - z) and sqrt(1 + z), which keep the sign of a zero imaginary part
Ex root_below(Ex z) { return unary(Verb::Sqrt, complex(1.0 - real(z), -imag(z))); }
Ex root_above(Ex z) { return unary(Verb::Sqrt, complex(1.0 + real(z), imag(z))); }

// The parts of z, and which are infinite; along and across are the parts of its direction where one of them is.
struct Parts {
  Ex x, y, x_infinite, y_infinite, infinite, along, across;
  explicit Parts(Ex z)
      : x(real(z)),
        y(imag(z)),
        x_infinite(eq(abs(x), kInfinity)),
        y_infinite(eq(abs(y), kInfinity)),
        infinite(either(x_infinite, y_infinite)),
        along(with_sign_of(select(x_infinite, 1, 0.0 * x), x)),
        across(select(y_infinite, 1, 0.0 * abs(y))) {}
  Ex unbounded(Ex otherwise, Ex sign) const {
    return select(infinite, with_sign_of(x.constant(kInfinity), sign), otherwise);
  }
};

Ex complex_asin(Ex z) {
  const Ex p = root_below(z), q = root_above(z);
  const Parts of(z);
  const Ex far = with_sign_of(binary(Verb::Atan2, abs(of.along), of.across), of.x);
  const Ex re = select(of.infinite, far, binary(Verb::Atan2, of.x, real(p * q)));
  return complex(select(eq(of.x, 0), of.x, re), of.unbounded(asinh(imag(conj(p) * q)), of.y));
}
Ex angle_of_acos(const Parts& of, Ex near) {
  return select(eq(of.x, 0), kQuarterTurn, select(of.infinite, binary(Verb::Atan2, of.across, of.along), near));
}
Ex complex_acos(Ex z) {
  const Ex p = root_below(z), q = root_above(z);
  const Parts of(z);
  const Ex re = angle_of_acos(of, 2.0 * binary(Verb::Atan2, real(p), real(q)));
  return complex(re, of.unbounded(asinh(imag(conj(q) * p)), -of.y));
}
Ex complex_acosh(Ex z) {
  const Ex p = unary(Verb::Sqrt, complex(real(z) - 1.0, imag(z))), q = root_above(z);
  const Parts of(z);
  const Ex im = angle_of_acos(of, 2.0 * binary(Verb::Atan2, imag(p), real(q)));
  return complex(of.unbounded(asinh(real(conj(p) * q)), of.x.constant(1)), with_sign_of(im, of.y));
}
Ex complex_atanh(Ex z) {
  const Parts of(z);
  const Ex x = of.x, y = of.y, a = abs(x), from_one = 1.0 - a;
  const Ex re = 0.25 * unary(Verb::Log1p, (4.0 * a) / fma(from_one, from_one, y * y));
  const Ex im = 0.5 * binary(Verb::Atan2, 2.0 * y, fma(from_one, 1.0 + a, -(y * y)));
  const Ex far = with_sign_of(select(of.y_infinite, kQuarterTurn, 0.0 * y + kQuarterTurn), y);
  const Ex nothing = either(of.infinite, eq(x, 0));
  return complex(with_sign_of(select(nothing, 0, re), x), select(of.infinite, far, im));
}

}  // namespace

Ex sign_bit(Ex x) {
  const bool wide = x.dtype() == DType::Float64;
  const DType word = wide ? DType::UInt64 : DType::UInt32;
  const Ex mask = x.builder().constant_bits(word, wide ? uint64_t{1} << 63 : uint64_t{1} << 31);
  return both(x.builder().emit(Verb::Bitcast, word, x), mask);
}

Ex with_sign_of(Ex magnitude, Ex x) {
  ExprBuilder& b = x.builder();
  const Ex sign = sign_bit(x);
  const Ex bits = b.emit(Verb::Bitcast, sign.dtype(), abs(magnitude));
  return b.emit(Verb::Bitcast, x.dtype(), either(bits, sign));
}

Ex tan(Ex x) {
  if (is_complex(x.dtype())) return over_i(unary(Verb::Tanh, times_i(x)));
  return unary(Verb::Sin, x) / unary(Verb::Cos, x);
}

Ex sinh(Ex x) {
  if (is_complex(x.dtype())) return over_i(unary(Verb::Sin, times_i(x)));
  const auto of_double = [](Ex a) {
    const Ex m = abs(a), grown = unary(Verb::Expm1, least(m, 709)), rest = exp(most(m - 709.0, 0));
    return with_sign_of((0.5 * (grown + grown / (grown + 1.0))) * rest, a);
  };
  return by_precision(x, of_double, [](Ex a) {
    const Ex grown = single::expm1(least(abs(a), 200));
    return with_sign_of(0.5 * (grown + grown / (grown + 1.0)), a);
  });
}

Ex cosh(Ex x) {
  if (is_complex(x.dtype())) return unary(Verb::Cos, times_i(x));
  const auto of_double = [](Ex a) {
    const Ex m = abs(a), grown = exp(least(m, 709)), rest = exp(most(m - 709.0, 0));
    return (0.5 * (grown + 1.0 / grown)) * rest;
  };
  return by_precision(x, of_double, [](Ex a) {
    const Ex grown = single::exp(least(abs(a), 200));
    return 0.5 * (grown + 1.0 / grown);
  });
}

Ex asin(Ex x) {
  return by_kind(
      x, [](Ex a) { return binary(Verb::Atan2, a, sqrt((1.0 - a) * (1.0 + a))); },
      [](Ex a) { return single::asin(a, false); }, complex_asin);
}

Ex acos(Ex x) {
  return by_kind(
      x, [](Ex a) { return binary(Verb::Atan2, sqrt((1.0 - a) * (1.0 + a)), a); },
      [](Ex a) { return single::asin(a, true); }, complex_acos);
}

Ex atan(Ex x) {
  if (!is_complex(x.dtype())) return binary(Verb::Atan2, x, x.constant(1));
  return convert(over_i(complex_atanh(times_i(convert(x, DType::Complex128)))), x.dtype());
}

Ex asinh(Ex x) {
  if (is_complex(x.dtype())) return over_i(asin(times_i(x)));
  const auto of_double = [](Ex a) {
    const Ex m = abs(a), square = m * m;
    const Ex near = unary(Verb::Log1p, m + square / (1.0 + sqrt(1.0 + square)));
    return with_sign_of(select(lt(m, kLarge), near, log(m) + kLn2), a);
  };
  return by_precision(x, of_double, [](Ex a) {
    const Ex m = abs(a), value = single::log(m + sqrt(fma(m, m, m.constant(1))));
    return with_sign_of(select(lt(m, kTiny), m, value), a);
  });
}

Ex acosh(Ex x) {
  return by_kind(
      x,
      [](Ex a) {
        const Ex t = a - 1.0, near = unary(Verb::Log1p, t + sqrt(t * (a + 1.0)));
        return select(lt(a, 1.0), kNaN, select(lt(a, kLarge), near, log(a) + kLn2));
      },
      [](Ex a) { return select(lt(a, 1.0), kNaN, single::log(a + sqrt(fma(a, a, a.constant(-1))))); }, complex_acosh);
}

Ex atanh(Ex x) {
  return by_kind(
      x,
      [](Ex a) {
        const Ex m = abs(a);
        const Ex value = 0.5 * unary(Verb::Log1p, (2.0 * m) / (1.0 - m));
        return select(lt(a.constant(1), m), kNaN, with_sign_of(value, a));
      },
      [](Ex a) {
        const Ex m = abs(a), value = 0.5 * single::log((1.0 + m) / (1.0 - m));
        return with_sign_of(select(lt(m, kTiny), m, value), a);
      },
      complex_atanh);
}

Ex exp2(Ex x) {
  if (is_complex(x.dtype())) return exp(scaled(x, kLn2));
  if (x.dtype() == DType::Float32) return in_double(x, [](Ex a) { return single::exp2(most(least(a, 200), -200)); });
  const Ex bounded = most(least(x, 1100), -1100), n = unary(Verb::Rint, bounded);
  const Ex first = unary(Verb::Trunc, 0.5 * n);
  return exp((bounded - n) * kLn2) * power_of_two(first) * power_of_two(n - first);
}

Ex log2(Ex x) {
  if (is_complex(x.dtype())) return scaled(log(x), std::numbers::log2e);
  if (x.dtype() == DType::Float32) return in_double(x, single::log2);
  return log_to_base(x, std::numbers::log2e, 1, 0);
}

Ex log10(Ex x) {
  if (is_complex(x.dtype())) return scaled(log(x), std::numbers::log10e);
  if (x.dtype() == DType::Float32) return in_double(x, single::log10);
  return log_to_base(x, std::numbers::log10e, 0x1.34413509f6000p-2, 0x1.9fef311f12b36p-42);
}

// e^(log(x) / 3), and Newton's step with an exact residual.
Ex cbrt(Ex x) {
  return in_double(x, [](Ex a) {
    const Ex m = abs(a), guess = exp(log(m) / 3.0), square = guess * guess;
    const Ex rest = fma(fma(guess, guess, -square), guess, fma(square, guess, -m));
    const Ex root = guess - rest / (3.0 * square);
    return with_sign_of(select(either(eq(m, 0.0), eq(m, kInfinity)), m, root), a);
  });
}

Ex sinc(Ex x) {
  const auto of_double = [](Ex a) { return select(eq(a, 0.0), 1.0, OfHalfTurns(a).sine / (std::numbers::pi * a)); };
  return by_precision(x, of_double, single::sinc);
}

Ex remainder(Ex x, Ex y) {
  const Ex zero = x.constant(0);
  if (is_inexact(x.dtype())) return with_sign_of(binary(Verb::Rem, abs(x), abs(y)), x);
  const Ex floored = binary(Verb::Rem, x, y);
  if (is_unsigned_int(x.dtype())) return floored;
  const Ex differ = both(ne(floored, zero), ne(lt(x, zero), lt(floored, zero)));
  return select(differ, floored - y, floored);
}

// By the order of the bits: of positive numbers that of the integers.
Ex next_after(Ex x, Ex y) {
  ExprBuilder& b = x.builder();
  const DType word = x.dtype() == DType::Float64 ? DType::Int64 : DType::Int32;
  const Ex bits = b.emit(Verb::Bitcast, word, x), one = bits.constant(1);
  const Ex away = ops::eq(lt(x, 0.0), lt(y, x));
  const Ex moved = b.emit(Verb::Bitcast, x.dtype(), ops::select(away, bits + one, bits - one));
  const Ex least = with_sign_of(b.emit(Verb::Bitcast, x.dtype(), one), y);
  const Ex value = ops::select(ops::eq(x, y), y, ops::select(eq(x, 0.0), least, moved));
  return ops::select(both(ops::eq(x, x), ops::eq(y, y)), value, x + y);
}

Ex log_of_sum(Ex a, Ex b, bool binary_base) {
  if (is_complex(a.dtype())) throw NotOfComplex();
  const DType dtype = a.dtype();
  const Ex x = convert(a, DType::Float64), y = convert(b, DType::Float64);
  const Ex large = binary(Verb::Max, x, y);
  const Ex gap = ops::select(ops::eq(x, y), x.constant(0), -abs(x - y));
  if (dtype == DType::Float32) {
    const Ex bounded = most(gap, -700);
    const Ex grown = binary_base ? single::log2(1.0 + single::exp2(bounded)) : single::log(1.0 + single::exp(bounded));
    return convert(large + grown, dtype);
  }
  const Ex grown = unary(Verb::Log1p, exp(binary_base ? gap * kLn2 : gap));
  return convert(large + (binary_base ? grown * std::numbers::log2e : grown), dtype);
}

}  // namespace ember::ops::functions
