// The schemes of the composite verbs, each written once over primitive verbs.
//
// A scheme is a template over a machine M that says what a number is. Lanes (ops/simd/strips.inc) make it a plain float
// or double, and the compiler turns the loop around it into vector code; the recorder (ops/expr/expand.cpp) makes it a
// node of an expression, which the native emitter compiles. Both execute the same operations in the same order, so they
// give the same bits. Hence the rules here: no branches, no operators but + - * / and unary minus (the rest are members
// of M), fma only where written, constants by m.num(). A machine has F and U (a float and the unsigned integer of its
// size), Wide (the machine of float64), kDouble; num, word, fma, abs, rint, trunc, bits, from_bits, shl, shr, both,
// either, flip (and, or, exclusive or), lt, le, eq, select, widen, narrow, lookup; and scale, if it has an instruction
// for value * 2^n that rounds once. Errors, in ulps, and the special cases are asserted in tests/ops/math_test.cpp.
#pragma once

#include "ops/expr/lookup.h"
#include "ops/expr/math_tables.h"

#define EMBER_INLINE [[gnu::always_inline]] inline

namespace ember::ops::math {

template <size_t I = 0, class M, size_t N>
EMBER_INLINE typename M::F poly(const M& m, typename M::F x, const double (&c)[N]) {
  if constexpr (I + 1 == N) {
    return m.num(c[I]);
  } else {
    return m.fma(poly<I + 1>(m, x, c), x, m.num(c[I]));
  }
}

template <class M>
inline constexpr int kMantissa = M::kDouble ? 52 : 23;
template <class M>
inline constexpr uint64_t kBias = M::kDouble ? 1023 : 127;
inline constexpr double kInfinity = __builtin_inf();
inline constexpr double kNaN = __builtin_nan("");

// Adding and taking away 1.5 * 2^mantissa rounds to an integer, whose low bits are then those of the sum.
template <class M>
inline constexpr double kRounder = M::kDouble ? 0x1.8p52 : 0x1.8p23;
template <class M>
inline constexpr uint64_t kRounderBits = M::kDouble ? 0x4338000000000000 : 0x4B400000;

template <class M>
EMBER_INLINE typename M::U sign_of(const M& m, typename M::F x) {
  return m.both(m.bits(x), m.word(M::kDouble ? uint64_t{1} << 63 : uint64_t{1} << 31));
}

template <class M>
EMBER_INLINE typename M::F with_sign(const M& m, typename M::F magnitude, typename M::U sign) {
  return m.from_bits(m.either(m.bits(magnitude), sign));
}

// x = n * ln 2 + r, |r| <= ln 2 / 2 (and a little); `sum` is kRounder + n.
template <class M>
struct ExpParts {
  typename M::F sum, r;
};

template <class M>
EMBER_INLINE ExpParts<M> split_exp(const M& m, typename M::F x) {
  using F = typename M::F;
  const F rounder = m.num(kRounder<M>);
  const F sum = m.fma(x, m.num(kLog2E), rounder);
  const F n = sum - rounder;
  const F r = m.fma(n, m.num(M::kDouble ? -kLn2High64 : -kLn2High32), x);
  return {sum, m.fma(n, m.num(M::kDouble ? -kLn2Low64 : -kLn2Low32), r)};
}

// value * 2^n in two steps, so that a result below the normal range is rounded once; `sum` is kRounder + n.
template <class M>
EMBER_INLINE typename M::F scale(const M& m, typename M::F value, typename M::F sum) {
  if constexpr (requires { m.scale(value, sum); }) {
    return m.scale(value, sum - m.num(kRounder<M>));
  } else {
    using U = typename M::U;
    const U both = m.bits(sum) - m.bits(m.num(kRounder<M>)) + m.word(2 * kBias<M>);
    const U first = m.shr(both, 1);
    const U second = both - first;
    return value * m.from_bits(m.shl(first, kMantissa<M>)) * m.from_bits(m.shl(second, kMantissa<M>));
  }
}

template <class M>
EMBER_INLINE typename M::F clamp(const M& m, typename M::F x, double low, double high) {
  x = m.select(m.lt(m.num(high), x), m.num(high), x);
  return m.select(m.lt(x, m.num(low)), m.num(low), x);
}

template <class M>
EMBER_INLINE typename M::F exp_poly(const M& m, typename M::F r) {
  if constexpr (M::kDouble) {
    return m.fma(r * r, poly(m, r, kExp64), r);
  } else {
    return m.fma(r * r, poly(m, r, kExp32), r);
  }
}

// What vanishes does so before it is scaled: a result below the normal range takes the processor a hundred cycles.
template <class M>
EMBER_INLINE typename M::F exp(const M& m, typename M::F x) {
  constexpr double kLeast = M::kDouble ? -746 : -104;
  const auto p = split_exp(m, clamp(m, x, kLeast, M::kDouble ? 710 : 89));
  return scale(m, m.select(m.lt(x, m.num(kLeast)), m.num(0), m.num(1) + exp_poly(m, p.r)), p.sum);
}

// exp(x), which must be a normal number; or NaN.
template <class M>
EMBER_INLINE typename M::F exp_within(const M& m, typename M::F x) {
  const auto p = split_exp(m, x);
  const auto exponent = m.bits(p.sum) - m.word(kRounderBits<M> - kBias<M>);
  return (m.num(1) + exp_poly(m, p.r)) * m.from_bits(m.shl(exponent, kMantissa<M>));
}

// exp(high + low) for |low| far below |high|.
template <class M>
EMBER_INLINE typename M::F exp2sum(const M& m, typename M::F high, typename M::F low) {
  const auto bounded = clamp(m, high, -746, 710);
  const auto p = split_exp(m, bounded);
  const auto r = p.r + m.select(m.eq(bounded, high), low, m.num(0));
  return scale(m, m.num(1) + exp_poly(m, r), p.sum);
}

template <class M>
EMBER_INLINE typename M::F expm1(const M& m, typename M::F x) {
  using F = typename M::F;
  using U = typename M::U;
  const auto p = split_exp(m, M::kDouble ? clamp(m, x, -40, 710) : clamp(m, x, -20, 89));
  F value;
  if constexpr (M::kDouble) {
    value = m.fma(p.r * p.r, poly(m, p.r, kExpm164), p.r);
  } else {
    value = m.fma(p.r * p.r, poly(m, p.r, kExpm132), p.r);
  }
  const U exponent = m.bits(p.sum) - m.bits(m.num(kRounder<M>)) + m.word(kBias<M> - 1);
  const F half = m.from_bits(m.shl(exponent, kMantissa<M>));
  const F result = m.fma(value, half, half - m.num(0.5)) * m.num(2);
  return m.select(m.lt(m.abs(x), m.num(M::kDouble ? 0x1p-54 : 0x1p-25)), x, result);
}

// x = 2^k * (1 + f) with 1 + f within [sqrt(1/2), sqrt(2)), for a positive normal x.
template <class M>
struct LogParts {
  typename M::F k, f;
  typename M::U shifted;  // k in the exponent's place
};

template <class M>
EMBER_INLINE LogParts<M> split_log(const M& m, typename M::F x) {
  using F = typename M::F;
  using U = typename M::U;
  const U root = m.word(M::kDouble ? 0x3FE6A09E667F3BCD : 0x3F3504F3);
  const U bias = m.shl(m.word(kBias<M>), kMantissa<M>);
  const U biased = m.shr(m.bits(x) - root + bias, kMantissa<M>);
  const U shifted = m.shl(biased, kMantissa<M>) - bias;
  const F k = m.from_bits(biased + m.bits(m.num(kRounder<M>))) - m.num(kRounder<M> + kBias<M>);
  return {k, m.from_bits(m.bits(x) - shifted) - m.num(1), shifted};
}

// log(1 + f) + correction + k * ln 2
template <class M>
EMBER_INLINE typename M::F join_log(const M& m, typename M::F k, typename M::F f, typename M::F correction) {
  using F = typename M::F;
  const F half_square = m.num(0.5) * f * f;
  if constexpr (M::kDouble) {
    const F s = f / (m.num(2) + f);
    const F z = s * s;
    const F r = z * poly(m, z, kLog64);
    const F low = m.fma(s, half_square + r, m.fma(k, m.num(kLn2Low64), correction));
    return m.fma(k, m.num(kLn2High64), f - (half_square - low));
  } else {
    const F tail = m.fma(f * f * f, poly(m, f, kLog32), m.fma(k, m.num(kLn2Low32), correction));
    return m.fma(k, m.num(kLn2High32), f + (tail - half_square));
  }
}

// Results of log for x = 0, below 0, infinite and NaN, else `value`.
template <class M>
EMBER_INLINE typename M::F log_specials(const M& m, typename M::F x, typename M::F value) {
  const auto zero = m.num(0), infinity = m.num(kInfinity);
  value = m.select(m.lt(x, infinity), value, x);
  value = m.select(m.lt(x, zero), m.num(kNaN), value);
  return m.select(m.eq(x, zero), m.num(-kInfinity), value);
}

// Scales subnormal numbers up by 2^(mantissa + 1).
template <class M>
struct Normal {
  typename M::F x, k;
};

template <class M>
EMBER_INLINE Normal<M> make_normal(const M& m, typename M::F x) {
  const auto small = m.lt(x, m.num(M::kDouble ? 0x1p-1022 : 0x1p-126));
  const auto scaled = x * m.num(M::kDouble ? 0x1p53 : 0x1p24);
  return {m.select(small, scaled, x), m.select(small, m.num(-1 - kMantissa<M>), m.num(0))};
}

template <class M>
EMBER_INLINE typename M::F log(const M& m, typename M::F x) {
  const auto normal = make_normal(m, x);
  const auto p = split_log(m, normal.x);
  return log_specials(m, x, join_log(m, p.k + normal.k, p.f, m.num(0)));
}

template <class M>
EMBER_INLINE typename M::F log1p(const M& m, typename M::F x) {
  using F = typename M::F;
  const F one = m.num(1);
  const F sum = one + x;
  const auto p = split_log(m, sum);
  const F lost = m.select(m.lt(one, x), one - (sum - x), x - (sum - one));
  const auto whole = m.eq(p.k, m.num(0));
  const F f = m.select(whole, x, p.f);
  const F correction = m.select(whole, m.num(0), lost / sum);
  const F value = log_specials(m, sum, join_log(m, p.k, f, correction));
  return m.select(m.lt(m.abs(x), m.num(M::kDouble ? 0x1p-54 : 0x1p-25)), x, value);
}

template <class M>
EMBER_INLINE typename M::F tanh(const M& m, typename M::F x) {
  using F = typename M::F;
  const F a = m.abs(x);
  const F z = x * x;
  const auto small = m.lt(a, m.num(0.625));
  const F bound = m.num(M::kDouble ? 700 : 88), twice = a + a;
  const F e = exp_within(m, m.select(m.lt(bound, twice), bound, twice)) + m.num(1);
  F near, far;
  if constexpr (M::kDouble) {
    const F q = m.select(small, z * poly(m, z, kTanhOver64), m.num(-2)) / m.select(small, poly(m, z, kTanhUnder64), e);
    near = m.fma(a, q, a);
    far = m.num(1) + q;
  } else {
    near = m.fma(a * z, poly(m, z, kTanh32), a);
    far = m.num(1) - m.num(2) / e;
  }
  return with_sign(m, m.select(small, near, far), sign_of(m, x));
}

template <class M>
EMBER_INLINE typename M::F sigmoid(const M& m, typename M::F x) {
  using F = typename M::F;
  const F e = exp(m, -m.abs(x));
  return m.select(m.lt(x, m.num(0)), e, m.num(1)) / (m.num(1) + e);
}

// Near zero x + x P(x^2), else 1 - exp(Q(|x|)), with Q the logarithm of the complement.
template <class M>
EMBER_INLINE typename M::F erf(const M& m, typename M::F x) {
  using F = typename M::F;
  const F a = m.abs(x);
  const F z = x * x;
  F near, q;
  if constexpr (M::kDouble) {
    near = m.fma(poly(m, z, kErfNear64), x, x);
    const F t = m.select(m.lt(m.num(6), a), m.num(6), a);
    q = poly(m, t, kErfFar64);
  } else {
    near = m.fma(poly(m, z, kErfNear32), x, x);
    const F t = m.select(m.lt(m.num(4), a), m.num(4), a);
    q = poly(m, t, kErfFar32);
  }
  const F far = with_sign(m, m.num(1) - exp_within(m, q), sign_of(m, x));
  return m.select(m.lt(a, m.num(M::kDouble ? 1 : 0.921875)), near, far);
}

// An angle as whole quarter turns and a remainder of at most half a quarter turn, in quarter turns for float32
// arguments and in radians (high + low) for float64. `sum` is kRounder + turns.
template <class W>
struct Angle {
  typename W::F sum, high, low;
};

// a * b exactly.
template <class M>
struct Sum {
  typename M::F high, low;
};

template <class M>
EMBER_INLINE Sum<M> product(const M& m, typename M::F a, typename M::F b) {
  const auto high = a * b;
  return {high, m.fma(a, b, -high)};
}

template <class M>
EMBER_INLINE Sum<M> two_sum(const M&, typename M::F a, typename M::F b) {
  const auto high = a + b;
  const auto of_b = high - a;
  return {high, (a - (high - of_b)) + (b - of_b)};
}

template <class M>
EMBER_INLINE Sum<M> fast_sum(const M&, typename M::F a, typename M::F b) {  // |a| >= |b| or a == 0
  const auto high = a + b;
  return {high, b - (high - a)};
}

// The entry of the tables for a float64 number, given the first and the last.
template <class W>
EMBER_INLINE typename W::U turns_entry(const W& w, typename W::F x, int first, int last) {
  const auto lowest = w.word(1023 + first), highest = w.word(1023 + last);
  auto e = w.both(w.shr(w.bits(x), 52), w.word(0x7FF));
  e = w.select(w.lt(e, lowest), lowest, e);
  e = w.select(w.lt(highest, e), highest, e);
  return e - lowest;
}

// For a float64 number that is a float32 number.
template <class W>
EMBER_INLINE Angle<W> reduce_float(const W& w, typename W::F x) {
  const auto entry = turns_entry(w, x, kFirstFloat, 127);
  const auto m = x * w.from_bits(w.shl(w.word(1023 - kFirstFloat) - entry, 52));
  const auto high = m * w.lookup(kTurnsHigh, entry);
  const auto low = w.lookup(kTurnsLow, entry);
  const auto rounder = w.num(kRounder<W>);
  const auto sum = w.fma(m, low, high) + rounder;
  return {sum, w.fma(m, low, high - (sum - rounder)), w.num(0)};
}

template <class W>
EMBER_INLINE Angle<W> reduce_double(const W& w, typename W::F x) {
  const auto entry = turns_entry(w, x, kFirstDouble, 1023);
  const auto mantissa = w.both(w.bits(x), w.word(~(uint64_t{0x7FF} << 52)));
  const auto large = w.from_bits(w.either(mantissa, w.bits(w.num(1))));
  const auto m = w.select(w.lt(w.abs(x), w.num(0x1p54)), x * w.num(0x1p-54), large);
  const auto p0 = product(w, m, w.lookup(kTurns0, entry));
  const auto p1 = product(w, m, w.lookup(kTurns1, entry));
  const auto p2 = product(w, m, w.lookup(kTurns2, entry));
  const auto p3 = m * w.lookup(kTurns3, entry);
  const auto whole = two_sum(w, p0.high - w.num(4) * w.rint(p0.high * w.num(0.25)), p0.low);
  const auto top = two_sum(w, whole.high, p1.high);
  const auto rounder = w.num(kRounder<W>);
  const auto sum = top.high + rounder;
  const auto a = two_sum(w, top.high - (sum - rounder), top.low);
  const auto b = two_sum(w, p1.low, p2.high);
  const auto c = two_sum(w, whole.low, b.high);
  const auto d = two_sum(w, a.high, c.high);
  const auto turn = fast_sum(w, d.high, d.low + (a.low + (c.low + (b.low + (p2.low + p3)))));
  const auto radians = product(w, turn.high, w.num(kHalfPiHigh));
  const auto low = w.fma(turn.high, w.num(kHalfPiLow), w.fma(turn.low, w.num(kHalfPiHigh), radians.low));
  return {sum, radians.high, low};
}

// Arguments below it need no tables.
inline constexpr double kNearArgument = 0x1p25;

template <class W>
EMBER_INLINE Angle<W> reduce_near_float(const W& w, typename W::F x) {
  const auto rounder = w.num(kRounder<W>), high = w.num(kTwoOverPiHigh);
  const auto sum = w.fma(x, high, rounder);
  return {sum, w.fma(x, w.num(kTwoOverPiLow), w.fma(x, high, rounder - sum)), w.num(0)};
}

template <class W>
EMBER_INLINE Angle<W> reduce_near_double(const W& w, typename W::F x) {
  const auto rounder = w.num(kRounder<W>);
  const auto sum = w.fma(x, w.num(kTwoOverPiHigh), rounder);
  const auto n = rounder - sum;
  const auto first = product(w, n, w.num(kHalfPiHigh)), second = product(w, n, w.num(kHalfPiLow));
  const auto a = two_sum(w, x + first.high, first.low);
  const auto b = two_sum(w, a.high, second.high);
  const auto all = fast_sum(w, b.high, (a.low + b.low) + w.fma(n, w.num(kHalfPiThird), second.low));
  return {sum, all.high, all.low};
}

// Near: of an argument below kNearArgument.
template <bool Near, class M, class W = typename M::Wide>
EMBER_INLINE Angle<W> reduce(const M& m, typename M::F x) {
  const W w = m.wide();
  const auto close = m.lt(m.abs(x), m.num(kNearArgument));
  if constexpr (M::kDouble) {
    const auto near = reduce_near_double(w, x);
    if constexpr (Near) return near;
    const auto far = reduce_double(w, x);
    const auto high = m.select(m.lt(m.abs(x), m.num(kInfinity)), far.high, m.num(kNaN));
    return {w.select(close, near.sum, far.sum), w.select(close, near.high, high), w.select(close, near.low, far.low)};
  } else {
    const auto near = reduce_near_float(w, m.widen(x));
    if constexpr (Near) return near;
    const auto far = reduce_float(w, m.widen(x));
    return {w.select(close, near.sum, far.sum), w.select(close, near.high, far.high), near.low};
  }
}

template <class W>
EMBER_INLINE typename W::F sine_of(const W& w, typename W::F x, typename W::F low) {
  const auto z = x * x;
  const auto v = z * x;
  const auto r = poly(w, z, kSin64);
  return x - ((z * (w.num(0.5) * low - v * r) - low) - v * w.num(kSin64First));
}

template <class W>
EMBER_INLINE typename W::F cosine_of(const W& w, typename W::F x, typename W::F low) {
  const auto z = x * x;
  const auto half = w.num(0.5) * z;
  const auto rest = w.num(1) - half;
  return rest + (((w.num(1) - rest) - half) + (z * (z * poly(w, z, kCos64)) - x * low));
}

// sin(x + quarter turns * pi / 2), for turns 0 and 1.
template <bool Near, class M, class W = typename M::Wide>
EMBER_INLINE typename M::F turned_sine(const M& m, typename M::F x, uint64_t turns) {
  const W w = m.wide();
  const Angle<W> angle = reduce<Near>(m, x);
  typename W::F sine, cosine;
  if constexpr (M::kDouble) {
    sine = sine_of(w, angle.high, angle.low);
    cosine = cosine_of(w, angle.high, angle.low);
  } else {
    const auto z = angle.high * angle.high;
    sine = angle.high * poly(w, z, kSin32);
    cosine = poly(w, z, kCos32);
  }
  const auto quadrant = w.bits(angle.sum) + w.word(turns);
  const auto even = w.eq(w.both(quadrant, w.word(1)), w.word(0));
  const auto sign = w.shl(w.both(quadrant, w.word(2)), 62);
  return m.narrow(w.from_bits(w.flip(w.bits(w.select(even, sine, cosine)), sign)));
}

template <bool Near = false, class M>
EMBER_INLINE typename M::F sin(const M& m, typename M::F x) {
  const auto value = turned_sine<Near>(m, x, 0);
  return m.select(m.lt(m.abs(x), m.num(M::kDouble ? 0x1p-27 : 0x1p-13)), x, value);
}

template <bool Near = false, class M>
EMBER_INLINE typename M::F cos(const M& m, typename M::F x) {
  return turned_sine<Near>(m, x, 1);
}

// The angle of (x, y), by octants: atan(u) and a multiple of a quarter of pi, |u| <= tan(pi / 8).
template <bool Double, class W>
EMBER_INLINE typename W::F angle_of(const W& w, typename W::F y, typename W::F x) {
  const auto zero = w.num(0), one = w.num(1), two = w.num(2), four = w.num(4);
  const auto ax = w.abs(x), ay = w.abs(y);
  const auto steep = w.lt(ax, ay);
  const auto large = w.select(steep, ay, ax), small = w.select(steep, ax, ay);
  const auto scale = w.select(w.lt(w.num(0x1p1000), large), w.num(0.25), one);
  const auto long_side = large * scale, short_side = small * scale;
  const auto middle = w.both(w.lt(long_side * w.num(0x1.a827999fcef32p-2), short_side), w.lt(zero, large));
  const auto over = w.select(middle, short_side - long_side, short_side);
  const auto under = w.select(middle, short_side + long_side, long_side);
  const auto equal = w.eq(small, large);
  const auto endless_or_none = w.both(equal, w.either(w.eq(large, zero), w.eq(large, w.num(kInfinity))));
  const auto divisor = w.select(endless_or_none, one, under);
  const auto u = w.select(endless_or_none, zero, over / divisor);
  const auto z = u * u;
  typename W::F arc;
  if constexpr (Double) {
    const auto lost = w.select(middle, short_side - (under - long_side), zero);
    const auto over_lost = w.select(middle, short_side - (over + long_side), zero);
    const auto rest = w.fma(-u, lost, w.fma(-u, divisor, over) + over_lost) / divisor;
    arc = u + w.select(w.lt(w.abs(u), w.num(0x1p-900)), zero, w.fma(u * z, poly(w, z, kAtan64), rest));
  } else {
    arc = w.fma(u * z, poly(w, z, kAtan32), u);
  }
  auto octant = w.select(w.either(middle, w.both(endless_or_none, w.lt(zero, large))), one, zero);
  arc = w.select(steep, -arc, arc);
  octant = w.select(steep, two - octant, octant);
  const auto left = w.ne(w.both(w.bits(x), w.bits(w.num(-0.0))), w.word(0));
  arc = w.select(left, -arc, arc);
  octant = w.select(left, four - octant, octant);
  const auto whole = w.fma(octant, w.num(kQuarterPiHigh), w.fma(octant, w.num(kQuarterPiLow), arc));
  const auto magnitude = w.select(w.eq(octant, zero), arc, whole);
  const auto signed_angle = w.from_bits(w.flip(w.bits(magnitude), w.both(w.bits(y), w.bits(w.num(-0.0)))));
  return w.select(w.both(w.eq(x, x), w.eq(y, y)), signed_angle, w.num(kNaN));
}

template <class M>
EMBER_INLINE typename M::F atan2(const M& m, typename M::F y, typename M::F x) {
  if constexpr (M::kDouble) {
    return angle_of<true>(m, y, x);
  } else {
    return m.narrow(angle_of<false>(m.wide(), m.widen(y), m.widen(x)));
  }
}

// log(x) for a positive x as a sum, to about 2^-68.
template <class W>
EMBER_INLINE Sum<W> exact_log(const W& w, typename W::F x) {
  const auto normal = make_normal(w, x);
  const auto p = split_log(w, normal.x);
  const auto k = p.k + normal.k;
  const auto sum = two_sum(w, w.num(2), p.f);
  const auto s = p.f / sum.high;
  const auto rest = w.fma(-s, sum.high, p.f);
  const auto s_low = w.fma(-s, sum.low, rest) / sum.high;
  const auto z = product(w, s, s);
  const auto z_low = w.fma(s + s, s_low, z.low);
  const auto cube = product(w, z.high, s);
  const auto cube_low = w.fma(z.high, s_low, w.fma(z_low, s, cube.low));
  const auto third = product(w, cube.high, w.num(kTwoThirdsHigh));
  const auto third_low = w.fma(cube.high, w.num(kTwoThirdsLow), w.fma(cube_low, w.num(kTwoThirdsHigh), third.low));
  const auto tail = cube.high * (z.high * poly(w, z.high, kAtanhTail));
  const auto shift = product(w, k, w.num(kLn2High64));
  const auto shift_low = w.fma(k, w.num(kLn2Low64), shift.low);
  const auto series = fast_sum(w, s + s, third.high);
  const auto series_low = series.low + (third_low + (s_low + s_low)) + tail;
  const auto all = two_sum(w, shift.high, series.high);
  return fast_sum(w, all.high, all.low + (shift_low + series_low));
}

// x to the y for a positive finite x.
template <class W>
EMBER_INLINE typename W::F pow_exact(const W& w, typename W::F x, typename W::F y) {
  const auto l = exact_log(w, x);
  const auto bounded = clamp(w, y, -0x1p80, 0x1p80);
  const auto p = product(w, bounded, l.high);
  return exp2sum(w, p.high, w.fma(bounded, l.low, p.low));
}

// Exponents whose powers are products and quotients: rounded less, and fast where the exponent is known.
inline constexpr int kPlainPowers[] = {1, 2, 3, -1};
template <class F>
EMBER_INLINE F plain_power(F x, F one, int y) {
  return y == 1 ? x : y == 2 ? x * x : y == 3 ? x * x * x : one / x;
}

template <class M>
EMBER_INLINE typename M::F pow(const M& m, typename M::F x, typename M::F y) {
  using F = typename M::F;
  const F zero = m.num(0), one = m.num(1), infinity = m.num(kInfinity), nan = m.num(kNaN);
  const F a = m.abs(x);
  F value;
  if constexpr (M::kDouble) {
    const auto rises = m.flip(m.lt(a, one), m.le(zero, y));
    const auto extreme = m.either(m.eq(a, zero), m.eq(a, infinity));
    value = m.select(extreme, m.select(rises, infinity, zero), pow_exact(m, a, y));
    value = m.select(m.both(m.eq(a, a), m.eq(y, y)), value, nan);
  } else {
    const auto w = m.wide();
    value = m.narrow(exp(w, m.widen(y) * log(w, m.widen(a))));
    value = m.select(m.eq(a, one), m.select(m.eq(y, y), one, nan), value);
  }
  const auto whole = m.eq(m.trunc(y), y);
  const F half = y * m.num(0.5);
  const auto odd = m.both(whole, m.ne(m.trunc(half), half));
  value = m.select(odd, with_sign(m, value, sign_of(m, x)), value);
  const auto negative = m.both(m.lt(x, zero), m.lt(m.num(-kInfinity), x));
  value = m.select(m.both(negative, m.ne(m.trunc(y), y)), nan, value);
  for (int p : kPlainPowers) value = m.select(m.eq(y, m.num(p)), plain_power(x, one, p), value);
  return m.select(m.either(m.eq(x, one), m.eq(y, zero)), one, value);
}

// result * power^(y without its lowest `Bit` bits)
template <int Bit, class M>
EMBER_INLINE typename M::F int_power(const M& m, typename M::F result, typename M::F power, typename M::F y) {
  const auto clear = m.eq(m.both(m.shr(y, Bit), m.num(1)), m.num(0));
  result = m.select(clear, result, result * power);
  if constexpr (Bit + 1 == M::kBits) {
    return result;
  } else {
    return int_power<Bit + 1>(m, result, power * power, y);
  }
}

// Integers: wraps; a negative exponent gives 0 but for bases 1 and -1.
template <class M>
EMBER_INLINE typename M::F int_pow(const M& m, typename M::F x, typename M::F y) {
  const auto zero = m.num(0), one = m.num(1);
  const auto result = int_power<0>(m, one, x, y);
  if constexpr (!M::kSigned) {
    return result;
  } else {
    const auto minus_one = m.num(-1);
    const auto odd = m.ne(m.both(y, one), zero);
    const auto inverse = m.select(m.eq(x, minus_one), m.select(odd, minus_one, one), zero);
    return m.select(m.lt(y, zero), m.select(m.eq(x, one), one, inverse), result);
  }
}

}  // namespace ember::ops::math
