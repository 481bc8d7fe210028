// Exponents are set and taken apart as in ops/expr/math.h; polynomials are those of ops/expr/special_tables.h.
#include "ops/expr/single_functions.h"

#include "ops/expr/special_tables.h"

namespace ember::ops::functions::single {
namespace {

constexpr double kRounder = 0x1.8p52;  // added, leaves the nearest integer in the low bits of the sum
constexpr uint64_t kBias = 1023;

Ex word(Ex x, uint64_t bits) { return x.builder().constant_bits(DType::UInt64, bits); }
Ex bits(Ex x) { return x.builder().emit(Verb::Bitcast, DType::UInt64, x); }
Ex number(Ex x) { return x.builder().emit(Verb::Bitcast, DType::Float64, x); }
Ex to_exponent(Ex whole) { return binary(Verb::Shl, whole, whole.constant(52)); }

// x = n / per_one + rest; `sum` is kRounder + n.
struct Whole {
  Ex sum, n;
  Whole(Ex x, double per_one) : sum(ops::fma(x, x.constant(per_one), x.constant(kRounder))), n(sum - kRounder) {}
  Ex power() const { return to_exponent(bits(sum)); }  // 2^n, in the exponent's place
};

}  // namespace

Ex exp2(Ex x) {
  const Whole w(x, 1);
  return number(bits(series(x - w.n, special::kExp2Single)) + w.power());
}

Ex exp(Ex x) {
  const Whole w(x, std::numbers::log2e);
  const Ex rest = fma(w.n, x.constant(-kLn2), x);
  return number(bits(series(rest, special::kExpSingle)) + w.power());
}

Ex expm1(Ex x) {
  const Whole w(x, std::numbers::log2e);
  const Ex rest = fma(w.n, x.constant(-kLn2), x), power = number(w.power() + word(x, kBias << 52));
  const Ex part = fma(rest * rest, series(rest, special::kExpm1Single), rest);
  return fma(part, power, power - 1.0);
}

// x = 2^k (1 + f) with 1 + f within [sqrt(1/2), sqrt(2)): value is the logarithm of 1 + f, k * per_two that of the
// rest.
template <size_t N>
Ex log_by(Ex x, const double (&c)[N], double per_two) {
  constexpr uint64_t kRoot = 0x3FE6A09E667F3BCD, kExponent = uint64_t{0xFFF} << 52;
  const Ex above = bits(x) - word(x, kRoot), shifted = binary(Verb::And, above, word(x, kExponent));
  const Ex biased = binary(Verb::Shr, above + word(x, kBias << 52), above.constant(52));
  const Ex k = number(biased + bits(x.constant(kRounder))) - (kRounder + static_cast<double>(kBias));
  const Ex f = number(bits(x) - shifted) - 1.0, part = series(f, c);
  const Ex value = per_two == 1 ? fma(f, part, k) : fma(k, x.constant(per_two), f * part);
  const Ex finite = select(lt(x, kInfinity), value, x);
  return select(lt(x.constant(0), x), finite, select(eq(x, 0.0), x.constant(-kInfinity), kNaN));
}

Ex log(Ex x) { return log_by(x, special::kLogSingle, kLn2); }
Ex log2(Ex x) { return log_by(x, special::kLog2Single, 1); }
Ex log10(Ex x) { return log_by(x, special::kLog10Single, std::numbers::ln2 / std::numbers::ln10); }

Ex asin(Ex x, bool of_cosine) {
  const Ex a = abs(x), large = lt(x.constant(0.5), a);
  const Ex z = select(large, 0.5 - 0.5 * a, a * a), s = select(large, sqrt(z), a);
  const Ex part = fma(z * s, series(z, special::kAsinSingle), s), twice = part + part;
  if (of_cosine) {
    const Ex far = select(lt(x, 0.0), std::numbers::pi - twice, twice);
    return select(large, far, std::numbers::pi / 2 - with_sign_of(part, x));
  }
  return with_sign_of(select(large, std::numbers::pi / 2 - twice, part), x);
}

Ex erfc(Ex x) {
  const Ex a = least(abs(x), 12), above = a + 4.0, below = fma(a, a.constant(2), a.constant(1));
  const Ex inverse = 1.0 / (above * below), t = ((a - 4.0) * below) * inverse;
  const Ex value = (exp(-(a * a)) * series(t, special::kErfcxSingle)) * (above * inverse);
  const Ex near = 1.0 - x * series(x * x, special::kErfSingle);
  return select(lt(a, 0.5), near, select(lt(x, 0.0), 2.0 - value, value));
}

Ex erfinv_middle(Ex w) { return series(w, special::kErfinvSingle); }

Ex sinc(Ex x) {
  const Whole w(x, 1);
  const Ex rest = x - w.n, sine = rest * series(rest * rest, special::kSineOfPiSingle);
  const Ex turned = number(binary(Verb::Xor, bits(sine), binary(Verb::Shl, bits(w.sum), word(x, 63))));
  return select(eq(x, 0.0), 1.0, turned / (std::numbers::pi * x));
}

}  // namespace ember::ops::functions::single
