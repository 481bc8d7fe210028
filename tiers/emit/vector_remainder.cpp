// The remainder of real numbers, exact, as ops/simd/lanes.inc has it: quotients that are whole numbers of the dtype's
// precision need one step, which is all that the straight path has; a loop beside it takes from larger ones as many
// bits a step.
#include "tiers/emit/vector_verbs.h"

namespace ember::tiers {

using ops::DType;
using Xbyak::Xmm;

namespace {

bool wide(DType d) { return itemsize(d) == 8; }
size_t size(DType d) { return itemsize(d); }
uint64_t power(DType d, int exponent) {
  return wide(d) ? static_cast<uint64_t>(1023 + exponent) << 52 : static_cast<uint64_t>(127 + exponent) << 23;
}
uint64_t sign_bit(DType d) { return uint64_t{1} << (size(d) * 8 - 1); }
uint64_t infinity(DType d) { return power(d, wide(d) ? 1024 : 128); }
int scale_exponent(DType d) { return wide(d) ? 600 : 80; }

constexpr uint8_t kEqual = 0, kNotBelow = 29;  // unordered is false

}  // namespace

void VectorVerbs::divide(DType d, int to, int x, int y) {
  wide(d) ? a_.vdivpd(reg(to, d), reg(x, d), reg(y, d)) : a_.vdivps(reg(to, d), reg(x, d), reg(y, d));
}

// All ones where equal, else 0.
void VectorVerbs::equal(DType d, const Xmm& to, const Xmm& x, const Xbyak::Operand& y) {
  if (avx512()) {
    wide(d) ? a_.vcmppd(a_.k2, x, y, kEqual) : a_.vcmpps(a_.k2, x, y, kEqual);
    wide(d) ? a_.vpmovm2q(to, a_.k2) : a_.vpmovm2d(to, a_.k2);
  } else {
    wide(d) ? a_.vcmppd(to, x, y, kEqual) : a_.vcmpps(to, x, y, kEqual);
  }
}

// yes where the sign bit of condition is set, else no.
void VectorVerbs::blend_by_sign(DType d, const Xmm& to, const Xmm& yes, const Xmm& no, const Xmm& condition) {
  if (avx512()) {
    wide(d) ? a_.vpmovq2m(a_.k2, condition) : a_.vpmovd2m(a_.k2, condition);
    wide(d) ? a_.vpblendmq(to | a_.k2, no, yes) : a_.vpblendmd(to | a_.k2, no, yes);
  } else {
    wide(d) ? a_.vblendvpd(to, no, yes, condition) : a_.vblendvps(to, no, yes, condition);
  }
}

// Which quotients in s0 are large: in k2 or, with AVX2, in s1; eax is not 0 if any is. Clobbers s1.
void VectorVerbs::any_large(DType d) {
  const Xmm q = reg(s0_, d), s = reg(s1_, d);
  bit_and(d, s, q, a_.spread(sign_bit(d) - 1, size(d)));
  const Xbyak::Address whole = a_.spread(power(d, wide(d) ? 53 : 24), size(d));
  if (avx512()) {
    wide(d) ? a_.vcmppd(a_.k2, s, whole, kNotBelow) : a_.vcmpps(a_.k2, s, whole, kNotBelow);
    a_.kmovw(a_.eax, a_.k2);
  } else {
    wide(d) ? a_.vcmppd(s, s, whole, kNotBelow) : a_.vcmpps(s, s, whole, kNotBelow);
    wide(d) ? a_.vmovmskpd(a_.eax, s) : a_.vmovmskps(a_.eax, s);
  }
  a_.test(a_.eax, a_.eax);
}

// With the quotient in s0.
void VectorVerbs::remainder_of_small(DType d, int to, int x, int y) {
  const bool pd = wide(d);
  const Xmm t = reg(to, d), a = reg(x, d), b = reg(y, d), n = reg(s0_, d), r = reg(s1_, d);
  const Xbyak::Address zero = a_.spread(0, size(d));
  round(d, n, n, 8);
  a_.vmovaps(r, a);
  pd ? a_.vfnmadd231pd(r, n, b) : a_.vfnmadd231ps(r, n, b);
  equal(d, n, n, zero);
  blend_by_sign(d, r, a, r, n);
  pd ? a_.vaddpd(r, r, zero) : a_.vaddps(r, r, zero);  // a zero is positive now, then takes the sign of b
  equal(d, n, r, zero);
  bit_and(d, n, n, b);
  bit_and(d, n, n, a_.spread(sign_bit(d), size(d)));
  bit_or(d, r, r, n);
  bit_xor(d, n, r, b);
  pd ? a_.vaddpd(t, r, b) : a_.vaddps(t, r, b);
  blend_by_sign(d, t, t, r, n);
}

// Reduces the dividends in saved[0] until no quotient is large; the quotients are in s0, before and after.
void VectorVerbs::reduce_large_quotients(DType d, int y, const std::array<int, 4>& saved) {
  const bool pd = wide(d);
  const Xmm b = reg(y, d), q = reg(s0_, d), s = reg(s1_, d);
  const Xmm a = reg(saved[0], d), scale = reg(saved[1], d), scaled = reg(saved[2], d), large = reg(saved[3], d);
  const uint64_t one = power(d, 0), up = power(d, scale_exponent(d)) - one;
  const auto scale_where_infinite = [&](const Xmm& to, uint64_t change) {
    bit_and(d, to, s, a_.spread(change, size(d)));
    pd ? a_.vpaddq(to, to, a_.spread(one, 8)) : a_.vpaddd(to, to, a_.spread(one, 4));
  };
  Xbyak::Label again;
  a_.L(again);
  avx512() ? (pd ? a_.vpmovm2q(large, a_.k2) : a_.vpmovm2d(large, a_.k2)) : a_.vmovaps(large, s);
  bit_and(d, s, q, a_.spread(sign_bit(d) - 1, size(d)));
  equal(d, s, s, a_.spread(infinity(d), size(d)));
  scale_where_infinite(scale, up);
  scale_where_infinite(scaled, (0 - up) & (sign_bit(d) | (sign_bit(d) - 1)));
  pd ? a_.vmulpd(q, a, scaled) : a_.vmulps(q, a, scaled);
  pd ? a_.vmulpd(scaled, b, scale) : a_.vmulps(scaled, b, scale);
  pd ? a_.vdivpd(s, q, scaled) : a_.vdivps(s, q, scaled);
  pd ? a_.vfnmadd231pd(q, s, scaled) : a_.vfnmadd231ps(q, s, scaled);
  pd ? a_.vmulpd(q, q, scale) : a_.vmulps(q, q, scale);
  blend_by_sign(d, a, q, a, large);
  divide(d, s0_, saved[0], y);
  any_large(d);
  a_.jnz(again, Xbyak::CodeGenerator::T_NEAR);
}

void VectorVerbs::remainder(DType d, int to, int x, int y) {
  std::array<int, 4> saved{};
  for (int at = 0, r = 0; at < 4; ++r) {
    if (r != to && r != x && r != y && r != s0_ && r != s1_) saved[static_cast<size_t>(at++)] = r;
  }
  constexpr int kRoom = 64;
  Xbyak::Label small, done;
  divide(d, s0_, x, y);
  any_large(d);
  a_.jz(small, Xbyak::CodeGenerator::T_NEAR);
  a_.sub(a_.rsp, 4 * kRoom);
  for (int i = 0; i < 4; ++i) a_.vmovups(a_.ptr[a_.rsp + i * kRoom], full(saved[static_cast<size_t>(i)]));
  a_.vmovaps(reg(saved[0], d), reg(x, d));
  reduce_large_quotients(d, y, saved);
  remainder_of_small(d, to, saved[0], y);
  for (int i = 0; i < 4; ++i) a_.vmovups(full(saved[static_cast<size_t>(i)]), a_.ptr[a_.rsp + i * kRoom]);
  a_.add(a_.rsp, 4 * kRoom);
  a_.jmp(done, Xbyak::CodeGenerator::T_NEAR);
  a_.L(small);
  remainder_of_small(d, to, x, y);
  a_.L(done);
}

}  // namespace ember::tiers
