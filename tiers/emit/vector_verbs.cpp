#include "tiers/emit/vector_verbs.h"

namespace ember::tiers {

using ops::DType;
using ops::ExprNode;
using ops::Verb;
using Xbyak::Xmm;

namespace {

bool wide(DType d) { return itemsize(d) == 8; }
bool real(DType d) { return d == DType::Float32 || d == DType::Float64; }
bool word(DType d) { return d == DType::Int32 || d == DType::UInt32 || d == DType::Int64 || d == DType::UInt64; }

bool supports_convert(ops::Isa isa, DType from, DType to) {
  bool avx512 = isa == ops::Isa::Avx512;
  if (from == to) return true;
  if (is_half_dtype(from)) return to == DType::Float32;
  if (is_half_dtype(to)) return from == DType::Float32;
  if (from == DType::Bool) return to == DType::Float32 || to == DType::Int32 || to == DType::UInt32 || wide(to);
  if (to == DType::Bool) return real(from) || word(from);
  if (from == DType::Float32) return to == DType::Float64 || to == DType::Int32;
  if (from == DType::Float64) return to == DType::Float32 || to == DType::Int32 || (to == DType::Int64 && avx512);
  if (from == DType::Int32) return real(to) || to == DType::Int64 || to == DType::UInt32;
  if (from == DType::UInt32) return to == DType::Int32;
  if (from == DType::Int64) return to == DType::Int32 || to == DType::UInt64 || (to == DType::Float64 && avx512);
  if (from == DType::UInt64) return to == DType::Int64 || to == DType::Int32;
  return false;
}

}  // namespace

size_t VectorVerbs::lane_bytes(DType dtype) {
  return dtype == DType::Bool || dtype == DType::BFloat16 ? 4 : itemsize(dtype);
}

bool VectorVerbs::supports(ops::Isa isa, const ExprNode& node, DType of) {
  DType d = node.dtype;
  if (is_half_dtype(d) || is_half_dtype(of)) {
    return node.verb == Verb::Input || (node.verb == Verb::Convert && supports_convert(isa, of, d));
  }
  bool known = d == DType::Bool || real(d) || word(d);
  bool operand_known = of == DType::Bool || real(of) || word(of);
  if (!known || !operand_known) return false;
  switch (node.verb) {
    case Verb::Input:
    case Verb::Const:
    case Verb::Select:
      return true;
    case Verb::Convert:
      return supports_convert(isa, of, d);
    case Verb::Bitcast:
      return itemsize(of) == itemsize(d) && of != DType::Bool && d != DType::Bool;
    case Verb::Lookup:
      return real(d) && of == DType::Int32;
    case Verb::Eq:
    case Verb::Ne:
    case Verb::Lt:
    case Verb::Le:
      return of != DType::Bool || node.verb == Verb::Eq || node.verb == Verb::Ne;
    case Verb::And:
    case Verb::Or:
    case Verb::Xor:
    case Verb::Not:
      return !real(d);
    case Verb::Add:
    case Verb::Sub:
    case Verb::Neg:
      return d != DType::Bool;
    case Verb::Mul:
      return real(d) || (word(d) && (!wide(d) || isa == ops::Isa::Avx512));
    case Verb::Abs:
      return real(d) || d == DType::Int32;
    case Verb::Min:
    case Verb::Max:
      return real(d) || d == DType::Int32 || d == DType::UInt32;
    case Verb::Shl:
      return word(d);
    case Verb::Shr:
      return word(d) && (d != DType::Int64 || isa == ops::Isa::Avx512);
    case Verb::Div:
    case Verb::Fma:
    case Verb::Sqrt:
    case Verb::Floor:
    case Verb::Ceil:
    case Verb::Trunc:
    case Verb::Rint:
    case Verb::Rem:
      return real(d);
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      return false;
  }
  __builtin_unreachable();
}

bool VectorVerbs::folds(const ExprNode& node, DType of, int k) {
  switch (node.verb) {
    case Verb::Add:
    case Verb::Sub:
      return k == 1;
    case Verb::Mul:
    case Verb::Div:
      return k == 1 && real(node.dtype);
    case Verb::Fma:
      return k > 0;
    case Verb::Select:
      return k == 1 && node.dtype != DType::Bool;
    case Verb::And:
    case Verb::Or:
    case Verb::Xor:
    case Verb::Shl:
    case Verb::Shr:
      return k == 1 && of != DType::Bool;
    case Verb::Eq:
    case Verb::Ne:
    case Verb::Lt:
    case Verb::Le:
      return real(of) && k < 2;
    case Verb::Neg:
    case Verb::Abs:
    case Verb::Min:
    case Verb::Max:
    case Verb::Sqrt:
    case Verb::Floor:
    case Verb::Ceil:
    case Verb::Trunc:
    case Verb::Rint:
    case Verb::Rem:
    case Verb::Not:
    case Verb::Convert:
    case Verb::Bitcast:
    case Verb::Lookup:
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      return false;
  }
  __builtin_unreachable();
}

const Xbyak::Operand& VectorVerbs::last(int index, DType dtype) {
  if (index == kFolded) return constant_.emplace(a_.spread(folded_->bits, itemsize(folded_->dtype)));
  return last_ = reg(index, dtype);
}

void VectorVerbs::emit(const ExprNode& node, DType of, int to, std::array<int, 3> args, const ExprNode* folded) {
  auto [x, y, z] = args;
  folded_ = folded;
  switch (node.verb) {
    case Verb::Eq:
    case Verb::Ne:
    case Verb::Lt:
    case Verb::Le:
      if (!real(of)) return compare(node.verb, of, to, x, y);
      compare_real(node.verb, of, to, x, y);
      if (avx512()) a_.vpmovm2d(reg(to, DType::Bool), a_.k2);
      return;
    case Verb::Select:
      return select(node.dtype, to, x, y, z);
    case Verb::Convert:
      return convert(of, node.dtype, to, x);
    case Verb::Bitcast:
      if (to != x) a_.vmovaps(reg(to, node.dtype), reg(x, node.dtype));
      return;
    case Verb::Lookup:
      return lookup(node, to, x);
      EMBER_ARITHMETIC_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      return real(node.dtype) ? arithmetic(node, to, x, y, z) : integer(node, to, x, y);
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  throw std::logic_error("a verb that is no step");
}

void VectorVerbs::round(DType d, const Xmm& to, const Xmm& from, uint8_t mode) {
  if (avx512())
    wide(d) ? a_.vrndscalepd(to, from, mode) : a_.vrndscaleps(to, from, mode);
  else
    wide(d) ? a_.vroundpd(to, from, mode) : a_.vroundps(to, from, mode);
}

void VectorVerbs::arithmetic(const ExprNode& node, int to, int x, int y, int z) {
  DType d = node.dtype;
  bool pd = wide(d);
  Xmm t = reg(to, d), a = reg(x, d);
  uint64_t sign = pd ? uint64_t{1} << 63 : 0x80000000u;
  size_t bytes = pd ? 8 : 4;
  switch (node.verb) {
    case Verb::Add:
      pd ? a_.vaddpd(t, a, last(y, d)) : a_.vaddps(t, a, last(y, d));
      break;
    case Verb::Sub:
      pd ? a_.vsubpd(t, a, last(y, d)) : a_.vsubps(t, a, last(y, d));
      break;
    case Verb::Mul:
      pd ? a_.vmulpd(t, a, last(y, d)) : a_.vmulps(t, a, last(y, d));
      break;
    case Verb::Div:
      pd ? a_.vdivpd(t, a, last(y, d)) : a_.vdivps(t, a, last(y, d));
      break;
    case Verb::Sqrt:
      pd ? a_.vsqrtpd(t, a) : a_.vsqrtps(t, a);
      break;
    case Verb::Floor:
      return round(d, t, a, 9);
    case Verb::Ceil:
      return round(d, t, a, 10);
    case Verb::Trunc:
      return round(d, t, a, 11);
    case Verb::Rint:
      return round(d, t, a, 8);
    case Verb::Min:
    case Verb::Max:
      return min_max(node.verb == Verb::Max, d, to, x, y);
    case Verb::Neg:
      bit_xor(d, t, a, a_.spread(sign, bytes));
      break;
    case Verb::Abs:
      bit_and(d, t, a, a_.spread(sign - 1, bytes));
      break;
    case Verb::Rem:
      return remainder(d, to, x, y);
    case Verb::Fma:
      return fma(d, to, x, y, z);
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      throw std::logic_error("not arithmetic of floats");
  }
}

// The form follows from the operand whose register the result takes, and from the one that is in memory.
void VectorVerbs::fma(DType d, int to, int x, int y, int z) {
  bool pd = wide(d);
  Xmm t = reg(to, d);
  if (to == z && z != kFolded) {
    pd ? a_.vfmadd231pd(t, reg(x, d), last(y, d)) : a_.vfmadd231ps(t, reg(x, d), last(y, d));
    return;
  }
  if (to == y && y != kFolded) std::swap(x, y);
  if (to != x) a_.vmovaps(t, reg(x, d));
  if (y == kFolded)
    pd ? a_.vfmadd132pd(t, reg(z, d), last(y, d)) : a_.vfmadd132ps(t, reg(z, d), last(y, d));
  else
    pd ? a_.vfmadd213pd(t, reg(y, d), last(z, d)) : a_.vfmadd213ps(t, reg(y, d), last(z, d));
}

void VectorVerbs::scale(DType dtype, int to, int x, int y) {
  const Xbyak::Xmm t = reg(to, dtype), a = reg(x, dtype), b = reg(y, dtype);
  itemsize(dtype) == 8 ? a_.vscalefpd(t, a, b) : a_.vscalefps(t, a, b);
}

void VectorVerbs::native_min_max(bool max, DType d, int to, int x, int y, const ExprNode* folded) {
  folded_ = folded;
  Xmm t = reg(to, d), a = reg(x, d);
  const Xbyak::Operand& b = last(y, d);
  if (max)
    wide(d) ? a_.vmaxpd(t, a, b) : a_.vmaxps(t, a, b);
  else
    wide(d) ? a_.vminpd(t, a, b) : a_.vminps(t, a, b);
}

// larger or smaller by comparison; equal ones by their bits, so that -0 lies below +0; a NaN if either is.
void VectorVerbs::min_max(bool max, DType d, int to, int x, int y) {
  bool pd = wide(d);
  Xmm t = reg(to, d), a = reg(x, d), b = reg(y, d), s = reg(s0_, d), u = reg(s1_, d);
  if (avx512()) {
    pd ? a_.vrangepd(s, a, b, max ? 5 : 4) : a_.vrangeps(s, a, b, max ? 5 : 4);
    // vrange returns the number if one operand is NaN; the sum of the operands is NaN then.
    pd ? a_.vaddpd(u, a, b) : a_.vaddps(u, a, b);
    pd ? a_.vcmppd(a_.k2, a, b, 3) : a_.vcmpps(a_.k2, a, b, 3);
    pd ? a_.vblendmpd(t | a_.k2, s, u) : a_.vblendmps(t | a_.k2, s, u);
    return;
  }
  if (max)
    pd ? a_.vmaxpd(s, a, b) : a_.vmaxps(s, a, b);
  else
    pd ? a_.vminpd(s, a, b) : a_.vminps(s, a, b);
  pd ? a_.vcmppd(u, a, b, 0) : a_.vcmpps(u, a, b, 0);
  if (max) {
    a_.vandnps(u, a, u);
    a_.vandnps(s, u, s);
  } else {
    a_.vandps(u, u, a);
    a_.vorps(s, s, u);
  }
  pd ? a_.vcmppd(u, a, a, 3) : a_.vcmpps(u, a, a, 3);
  pd ? a_.vblendvpd(t, s, a, u) : a_.vblendvps(t, s, a, u);
}

void VectorVerbs::integer(const ExprNode& node, int to, int x, int y) {
  DType d = node.dtype;
  bool q = wide(d);
  Xmm t = reg(to, d), a = reg(x, d), b = reg(std::max(y, 0), d), s = reg(s0_, d);
  switch (node.verb) {
    case Verb::Add:
      q ? a_.vpaddq(t, a, last(y, d)) : a_.vpaddd(t, a, last(y, d));
      break;
    case Verb::Sub:
      q ? a_.vpsubq(t, a, last(y, d)) : a_.vpsubd(t, a, last(y, d));
      break;
    case Verb::Mul:
      q ? a_.vpmullq(t, a, b) : a_.vpmulld(t, a, b);
      break;
    case Verb::Neg:
      zero(s);
      q ? a_.vpsubq(t, s, a) : a_.vpsubd(t, s, a);
      break;
    case Verb::Abs:
      a_.vpabsd(t, a);
      break;
    case Verb::Min:
      d == DType::UInt32 ? a_.vpminud(t, a, b) : a_.vpminsd(t, a, b);
      break;
    case Verb::Max:
      d == DType::UInt32 ? a_.vpmaxud(t, a, b) : a_.vpmaxsd(t, a, b);
      break;
    case Verb::And:
      return bit_and(d, t, a, last(y, d));
    case Verb::Or:
      return bit_or(d, t, a, last(y, d));
    case Verb::Xor:
      return bit_xor(d, t, a, last(y, d));
    case Verb::Not:
      ones(s);
      return bit_xor(d, t, a, s);
    case Verb::Shl:
    case Verb::Shr:
      return shift(node.verb, d, to, x, y);
    case Verb::Div:
    case Verb::Fma:
    case Verb::Sqrt:
    case Verb::Floor:
    case Verb::Ceil:
    case Verb::Trunc:
    case Verb::Rint:
    case Verb::Rem:
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      throw std::logic_error("not arithmetic of integers");
  }
}

void VectorVerbs::shift(Verb verb, DType d, int to, int x, int y) {
  bool q = wide(d), arithmetic = d == DType::Int32 || d == DType::Int64;
  Xmm t = reg(to, d), a = reg(x, d);
  if (y == kFolded) {
    auto count = static_cast<uint8_t>(std::min<uint64_t>(folded_->bits, 255));
    if (verb == Verb::Shl)
      q ? a_.vpsllq(t, a, count) : a_.vpslld(t, a, count);
    else if (arithmetic)
      q ? a_.vpsraq(t, a, count) : a_.vpsrad(t, a, count);
    else
      q ? a_.vpsrlq(t, a, count) : a_.vpsrld(t, a, count);
    return;
  }
  Xmm b = reg(y, d);
  if (verb == Verb::Shl)
    q ? a_.vpsllvq(t, a, b) : a_.vpsllvd(t, a, b);
  else if (arithmetic)
    q ? a_.vpsravq(t, a, b) : a_.vpsravd(t, a, b);
  else
    q ? a_.vpsrlvq(t, a, b) : a_.vpsrlvd(t, a, b);
}

// Eq, Ne, Lt, Le, false if unordered but Ne; the mirrored predicates if the constant stands first.
// With AVX-512 into k2.
void VectorVerbs::compare_into(int to, Verb verb, DType of, int x, int y) {
  static const uint8_t kPredicates[] = {0, 4, 1, 2}, kMirrored[] = {0, 4, 14, 13};
  auto which = static_cast<size_t>(verb) - static_cast<size_t>(Verb::Eq);
  uint8_t predicate = x == kFolded ? kMirrored[which] : kPredicates[which];
  if (x == kFolded) std::swap(x, y);
  Xmm a = reg(x, of);
  bool q = wide(of);
  if (avx512())
    q ? a_.vcmppd(a_.k2, a, last(y, of), predicate) : a_.vcmpps(a_.k2, a, last(y, of), predicate);
  else
    q ? a_.vcmppd(reg(to, of), a, last(y, of), predicate) : a_.vcmpps(reg(to, of), a, last(y, of), predicate);
}

void VectorVerbs::compare_real(Verb verb, DType of, int to, int x, int y) {
  const bool narrows = !avx512() && wide(of);
  compare_into(narrows ? s0_ : to, verb, of, x, y);
  if (narrows) narrow_mask(to, s0_);
}

void VectorVerbs::compare_select(Verb verb, DType dtype, int to, std::array<int, 4> args, const ExprNode* folded) {
  const auto [x, y, yes, no] = args;
  folded_ = folded;
  if (avx512()) {
    compare_real(verb, dtype, to, x, y);
    return blend(dtype, to, yes, no);
  }
  compare_into(s0_, verb, dtype, x, y);
  const Xmm t = reg(to, dtype), n = reg(no, dtype), mask = reg(s0_, dtype);
  wide(dtype) ? a_.vblendvpd(t, n, last(yes, dtype), mask) : a_.vblendvps(t, n, last(yes, dtype), mask);
}

void VectorVerbs::compare_512(Verb verb, DType of, int to, int x, int y) {
  static const uint8_t kPredicates[] = {0, 4, 1, 2};
  uint8_t predicate = kPredicates[static_cast<size_t>(verb) - static_cast<size_t>(Verb::Eq)];
  Xmm a = reg(x, of), b = reg(y, of);
  Xbyak::Opmask k = a_.k2;
  switch (of) {
    case DType::Int64:
      a_.vpcmpq(k, a, b, predicate);
      break;
    case DType::UInt64:
      a_.vpcmpuq(k, a, b, predicate);
      break;
    case DType::UInt32:
      a_.vpcmpud(k, a, b, predicate);
      break;
    default:
      a_.vpcmpd(k, a, b, predicate);
      break;
  }
  a_.vpmovm2d(reg(to, DType::Bool), k);
}

// Of integers and bools.
void VectorVerbs::compare(Verb verb, DType of, int to, int x, int y) {
  if (avx512()) return compare_512(verb, of, to, x, y);
  Xmm t = reg(s0_, of), a = reg(x, of), b = reg(y, of), u = reg(s1_, of);
  bool q = wide(of);
  if (verb == Verb::Eq || verb == Verb::Ne) {
    q ? a_.vpcmpeqq(t, a, b) : a_.vpcmpeqd(t, a, b);
  } else {
    Xmm l = b, r = a;  // b > a; for Le: not (a > b)
    if (verb == Verb::Le) std::swap(l, r);
    if (of == DType::UInt32 || of == DType::UInt64) {
      Xbyak::Address bit = a_.spread(q ? uint64_t{1} << 63 : 0x80000000u, q ? 8 : 4);
      a_.vpxor(t, l, bit);
      a_.vpxor(u, r, bit);
      q ? a_.vpcmpgtq(t, t, u) : a_.vpcmpgtd(t, t, u);
    } else {
      q ? a_.vpcmpgtq(t, l, r) : a_.vpcmpgtd(t, l, r);
    }
  }
  if (verb == Verb::Ne || verb == Verb::Le) {
    ones(u);
    a_.vpxor(t, t, u);
  }
  if (q)
    narrow_mask(to, s0_);
  else
    a_.vmovaps(reg(to, DType::Bool), t);
}

// With AVX-512, by k2.
void VectorVerbs::blend(DType d, int to, int yes, int no) {
  Xmm t = reg(to, d), n = reg(no, d);
  wide(d) ? a_.vpblendmq(t | a_.k2, n, last(yes, d)) : a_.vpblendmd(t | a_.k2, n, last(yes, d));
}

void VectorVerbs::select(DType d, int to, int condition, int yes, int no) {
  Xmm t = reg(to, d), n = reg(no, d);
  if (avx512()) {
    a_.vpmovd2m(a_.k2, reg(condition, DType::Bool));
    return blend(d, to, yes, no);
  }
  if (wide(d)) {
    widen_mask(s0_, condition);
    a_.vblendvpd(t, n, last(yes, d), reg(s0_, d));
  } else {
    a_.vblendvps(t, n, last(yes, d), reg(condition, d));
  }
}

void VectorVerbs::convert(DType from, DType to_dtype, int to, int x) {
  Xmm t = reg(to, to_dtype), a = reg(x, from), s = reg(s0_, to_dtype);
  auto is = [&](DType f, DType d) { return from == f && to_dtype == d; };
  if (itemsize(from) == itemsize(to_dtype) && !real(from) && !real(to_dtype) && from != DType::Bool &&
      to_dtype != DType::Bool) {
    a_.vmovaps(t, a);
  } else if (to_dtype == DType::Bool) {
    zero(reg(s1_, from));
    if (!real(from)) return compare(Verb::Ne, from, to, x, s1_);
    compare_real(Verb::Ne, from, to, x, s1_);
    if (avx512()) a_.vpmovm2d(t, a_.k2);
  } else if (from == DType::Bool) {
    uint64_t one = to_dtype == DType::Float32 ? 0x3F800000u : to_dtype == DType::Float64 ? 0x3FF0000000000000u : 1u;
    size_t width = itemsize(to_dtype);
    if (width == 8) {
      if (avx512())
        a_.vpmovsxdq(t, reg(x, DType::Bool));
      else
        widen_mask(to, x);
      a_.vpbroadcastq(s, a_.ptr[a_.constant(one, 8)]);
    } else {
      a_.vmovaps(t, reg(x, DType::Bool));
      a_.vpbroadcastd(s, a_.ptr[a_.constant(one, 4)]);
    }
    avx512() ? a_.vpandd(t, t, s) : a_.vpand(t, t, s);
  } else if (is(DType::Float16, DType::Float32)) {
    a_.vcvtph2ps(t, a);
  } else if (is(DType::Float32, DType::Float16)) {
    a_.vcvtps2ph(t, a, 0);
  } else if (is(DType::BFloat16, DType::Float32)) {
    if (to != x) a_.vmovaps(t, a);
  } else if (is(DType::Float32, DType::BFloat16)) {
    round_to_bfloat(to, x);
  } else if (is(DType::Float32, DType::Float64)) {
    a_.vcvtps2pd(t, a);
  } else if (is(DType::Float64, DType::Float32)) {
    a_.vcvtpd2ps(t, a);
  } else if (is(DType::Float32, DType::Int32)) {
    a_.vcvttps2dq(t, a);
  } else if (is(DType::Float64, DType::Int32)) {
    a_.vcvttpd2dq(t, a);
  } else if (is(DType::Float64, DType::Int64)) {
    a_.vcvttpd2qq(t, a);
  } else if (is(DType::Int32, DType::Float32)) {
    a_.vcvtdq2ps(t, a);
  } else if (is(DType::Int32, DType::Float64)) {
    a_.vcvtdq2pd(t, a);
  } else if (is(DType::Int32, DType::Int64)) {
    a_.vpmovsxdq(t, a);
  } else if (is(DType::Int64, DType::Float64)) {
    a_.vcvtqq2pd(t, a);
  } else if (is(DType::Int64, DType::Int32) || is(DType::UInt64, DType::Int32)) {
    if (avx512())
      a_.vpmovqd(t, a);
    else
      narrow_mask(to, x);
  }
}

// To nearest, ties to even; NaNs become quiet.
void VectorVerbs::round_to_bfloat(int to, int x) {
  const DType d = DType::Float32;
  Xmm t = reg(to, d), a = reg(x, d), s = reg(s0_, d), u = reg(s1_, d);
  a_.vpsrld(s, a, 16);
  bit_and(d, s, s, a_.spread(1, 4));
  a_.vpaddd(s, s, a_.spread(0x7FFF, 4));
  a_.vpaddd(s, s, a);
  bit_or(d, u, a, a_.spread(0x400000, 4));
  if (avx512()) {
    a_.vcmpps(a_.k2, a, a, 3);
    a_.vblendmps(s | a_.k2, s, u);
  } else {
    a_.vcmpps(t, a, a, 3);
    a_.vblendvps(s, s, u, t);
  }
  bit_and(d, t, s, a_.spread(0xFFFF0000, 4));
}

void VectorVerbs::lookup(const ExprNode& node, int to, int index) {
  a_.mov(a_.rax, reinterpret_cast<uint64_t>(ops::lookup_table(node.bits).data));
  Xmm s = reg(s0_, node.dtype), i = reg(index, DType::Int32);
  if (avx512()) {
    a_.kxnorw(a_.k2, a_.k2, a_.k2);
    wide(node.dtype) ? a_.vgatherdpd(s | a_.k2, a_.ptr[a_.rax + i * 8])
                     : a_.vgatherdps(s | a_.k2, a_.ptr[a_.rax + i * 4]);
  } else {
    Xmm mask = reg(s1_, node.dtype);
    a_.vpcmpeqd(mask, mask, mask);
    wide(node.dtype) ? a_.vgatherdpd(s, a_.ptr[a_.rax + i * 8], mask) : a_.vgatherdps(s, a_.ptr[a_.rax + i * 4], mask);
  }
  a_.vmovaps(reg(to, node.dtype), s);
}

}  // namespace ember::tiers
