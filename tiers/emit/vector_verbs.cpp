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
  if (from == DType::Bool) return to == DType::Float32 || to == DType::Int32 || to == DType::UInt32 || wide(to);
  if (to == DType::Bool) return real(from) || word(from);
  if (from == DType::Float32) return to == DType::Float64 || to == DType::Int32;
  if (from == DType::Float64) return to == DType::Float32 || to == DType::Int32 || (to == DType::Int64 && avx512);
  if (from == DType::Int32) return real(to) || to == DType::Int64 || to == DType::UInt32;
  if (from == DType::UInt32) return to == DType::Int32;
  if (from == DType::Int64) return to == DType::Int32 || to == DType::UInt64 || (to == DType::Float64 && avx512);
  if (from == DType::UInt64) return to == DType::Int64;
  return false;
}

}  // namespace

size_t VectorVerbs::lane_bytes(DType dtype) { return dtype == DType::Bool ? 4 : itemsize(dtype); }

bool VectorVerbs::supports(ops::Isa isa, const ExprNode& node, DType of) {
  DType d = node.dtype;
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
    default:
      return real(d) && !is_composite(node.verb);
  }
}

void VectorVerbs::emit(const ExprNode& node, DType of, int to, int x, int y, int z) {
  switch (node.verb) {
    case Verb::Eq:
    case Verb::Ne:
    case Verb::Lt:
    case Verb::Le:
      return compare(node.verb, of, to, x, y);
    case Verb::Select:
      return select(node.dtype, to, x, y, z);
    case Verb::Convert:
      return convert(of, node.dtype, to, x);
    case Verb::Bitcast:
      if (to != x) a_.vmovaps(reg(to, node.dtype), reg(x, node.dtype));
      return;
    case Verb::Lookup:
      return lookup(node, to, x);
    default:
      break;
  }
  if (real(node.dtype))
    arithmetic(node, to, x, y, z);
  else
    integer(node, to, x, y);
}

void VectorVerbs::arithmetic(const ExprNode& node, int to, int x, int y, int z) {
  DType d = node.dtype;
  bool pd = wide(d);
  Xmm t = reg(to, d), a = reg(x, d), b = reg(y, d), s = reg(s0_, d);
  auto round = [&](int mode) {
    if (avx512())
      pd ? a_.vrndscalepd(t, a, mode) : a_.vrndscaleps(t, a, mode);
    else
      pd ? a_.vroundpd(t, a, mode) : a_.vroundps(t, a, mode);
  };
  uint64_t sign = pd ? uint64_t{1} << 63 : 0x80000000u;
  auto with_sign_mask = [&](auto&& f) {
    pd ? a_.vpbroadcastq(s, a_.ptr[a_.constant(sign, 8)]) : a_.vbroadcastss(s, a_.ptr[a_.constant(sign, 4)]);
    f();
  };
  switch (node.verb) {
    case Verb::Add:
      pd ? a_.vaddpd(t, a, b) : a_.vaddps(t, a, b);
      break;
    case Verb::Sub:
      pd ? a_.vsubpd(t, a, b) : a_.vsubps(t, a, b);
      break;
    case Verb::Mul:
      pd ? a_.vmulpd(t, a, b) : a_.vmulps(t, a, b);
      break;
    case Verb::Div:
      pd ? a_.vdivpd(t, a, b) : a_.vdivps(t, a, b);
      break;
    case Verb::Sqrt:
      pd ? a_.vsqrtpd(t, a) : a_.vsqrtps(t, a);
      break;
    case Verb::Floor:
      round(9);
      break;
    case Verb::Ceil:
      round(10);
      break;
    case Verb::Trunc:
      round(11);
      break;
    case Verb::Rint:
      round(8);
      break;
    case Verb::Min:
    case Verb::Max:
      min_max(node.verb == Verb::Max, d, to, x, y);
      break;
    case Verb::Neg:
      with_sign_mask([&] { avx512() ? a_.vpxord(t, a, s) : a_.vxorps(t, a, s); });
      break;
    case Verb::Abs:
      with_sign_mask([&] { avx512() ? a_.vpandnd(t, s, a) : a_.vandnps(t, s, a); });
      break;
    case Verb::Rem:
      pd ? a_.vdivpd(s, a, b) : a_.vdivps(s, a, b);
      if (avx512())
        pd ? a_.vrndscalepd(s, s, 9) : a_.vrndscaleps(s, s, 9);
      else
        pd ? a_.vroundpd(s, s, 9) : a_.vroundps(s, s, 9);
      pd ? a_.vmulpd(s, b, s) : a_.vmulps(s, b, s);
      pd ? a_.vsubpd(t, a, s) : a_.vsubps(t, a, s);
      break;
    case Verb::Fma: {
      Xmm c = reg(z, d);
      a_.vmovaps(s, a);
      pd ? a_.vfmadd213pd(s, b, c) : a_.vfmadd213ps(s, b, c);
      a_.vmovaps(t, s);
      break;
    }
    default:
      break;
  }
}

// larger or smaller by comparison; equal ones by their bits, so that -0 lies below +0; a NaN if either is.
void VectorVerbs::min_max(bool max, DType d, int to, int x, int y) {
  bool pd = wide(d);
  Xmm t = reg(to, d), a = reg(x, d), b = reg(y, d), s = reg(s0_, d), u = reg(s1_, d);
  if (avx512()) {
    pd ? a_.vrangepd(s, a, b, max ? 5 : 4) : a_.vrangeps(s, a, b, max ? 5 : 4);
    // vrange answers the number if one operand is NaN; the sum of the operands is NaN then.
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
  Xmm t = reg(to, d), a = reg(x, d), b = reg(y, d), s = reg(s0_, d);
  bool z = avx512();
  switch (node.verb) {
    case Verb::Add:
      q ? a_.vpaddq(t, a, b) : a_.vpaddd(t, a, b);
      break;
    case Verb::Sub:
      q ? a_.vpsubq(t, a, b) : a_.vpsubd(t, a, b);
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
      z ? a_.vpandd(t, a, b) : a_.vpand(t, a, b);
      break;
    case Verb::Or:
      z ? a_.vpord(t, a, b) : a_.vpor(t, a, b);
      break;
    case Verb::Xor:
      z ? a_.vpxord(t, a, b) : a_.vpxor(t, a, b);
      break;
    case Verb::Not:
      ones(s);
      z ? a_.vpxord(t, a, s) : a_.vpxor(t, a, s);
      break;
    case Verb::Shl:
      q ? a_.vpsllvq(t, a, b) : a_.vpsllvd(t, a, b);
      break;
    case Verb::Shr:
      if (d == DType::Int32)
        a_.vpsravd(t, a, b);
      else if (d == DType::Int64)
        a_.vpsravq(t, a, b);
      else
        q ? a_.vpsrlvq(t, a, b) : a_.vpsrlvd(t, a, b);
      break;
    default:
      break;
  }
}

void VectorVerbs::compare_512(Verb verb, DType of, int to, int x, int y) {
  static const int kReal[] = {0, 4, 1, 2};  // Eq, Ne (unordered), Lt, Le
  int which = static_cast<int>(verb) - static_cast<int>(Verb::Eq);
  Xmm a = reg(x, of), b = reg(y, of);
  Xbyak::Opmask k = a_.k2;
  static const int kWord[] = {0, 4, 1, 2};
  switch (of) {
    case DType::Float32:
      a_.vcmpps(k, a, b, kReal[which]);
      break;
    case DType::Float64:
      a_.vcmppd(k, a, b, kReal[which]);
      break;
    case DType::Int64:
      a_.vpcmpq(k, a, b, kWord[which]);
      break;
    case DType::UInt64:
      a_.vpcmpuq(k, a, b, kWord[which]);
      break;
    case DType::UInt32:
      a_.vpcmpud(k, a, b, kWord[which]);
      break;
    default:
      a_.vpcmpd(k, a, b, kWord[which]);
      break;
  }
  a_.vpmovm2d(reg(to, DType::Bool), k);
}

void VectorVerbs::compare(Verb verb, DType of, int to, int x, int y) {
  if (avx512()) return compare_512(verb, of, to, x, y);
  static const int kReal[] = {0, 4, 1, 2};
  int which = static_cast<int>(verb) - static_cast<int>(Verb::Eq);
  Xmm t = reg(s0_, of), a = reg(x, of), b = reg(y, of), u = reg(s1_, of);
  bool q = wide(of);
  if (real(of)) {
    q ? a_.vcmppd(t, a, b, kReal[which]) : a_.vcmpps(t, a, b, kReal[which]);
  } else if (verb == Verb::Eq || verb == Verb::Ne) {
    q ? a_.vpcmpeqq(t, a, b) : a_.vpcmpeqd(t, a, b);
  } else {
    Xmm l = b, r = a;  // b > a; for Le: not (a > b)
    if (verb == Verb::Le) std::swap(l, r);
    if (of == DType::UInt32 || of == DType::UInt64) {
      uint64_t bit = q ? uint64_t{1} << 63 : 0x80000000u;
      q ? a_.vpbroadcastq(u, a_.ptr[a_.constant(bit, 8)]) : a_.vpbroadcastd(u, a_.ptr[a_.constant(bit, 4)]);
      a_.vpxor(t, l, u);
      a_.vpxor(u, r, u);
      q ? a_.vpcmpgtq(t, t, u) : a_.vpcmpgtd(t, t, u);
    } else {
      q ? a_.vpcmpgtq(t, l, r) : a_.vpcmpgtd(t, l, r);
    }
  }
  if (!real(of) && (verb == Verb::Ne || verb == Verb::Le)) {
    ones(u);
    a_.vpxor(t, t, u);
  }
  if (q)
    narrow_mask(to, s0_);
  else
    a_.vmovaps(reg(to, DType::Bool), t);
}

void VectorVerbs::narrow_mask(int to, int from) {
  if (lanes_ == 4) {
    a_.vextracti128(Xmm(s1_), Xbyak::Ymm(from), 1);
    a_.vshufps(Xmm(to), Xmm(from), Xmm(s1_), 0x88);
  } else {
    a_.vshufps(Xmm(to), Xmm(from), Xmm(from), 0x88);
  }
}

void VectorVerbs::widen_mask(int to, int from) {
  a_.vpmovsxdq(Assembler::vec(to, static_cast<size_t>(lanes_) * 8), Xmm(from));
}

void VectorVerbs::select(DType d, int to, int condition, int yes, int no) {
  Xmm t = reg(to, d), y = reg(yes, d), n = reg(no, d);
  if (avx512()) {
    a_.vpmovd2m(a_.k2, reg(condition, DType::Bool));
    wide(d) ? a_.vpblendmq(t | a_.k2, n, y) : a_.vpblendmd(t | a_.k2, n, y);
    return;
  }
  if (wide(d)) {
    widen_mask(s0_, condition);
    a_.vblendvpd(t, n, y, reg(s0_, d));
  } else {
    a_.vblendvps(t, n, y, reg(condition, d));
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
    return compare(Verb::Ne, from, to, x, s1_);
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
  } else if (is(DType::Int64, DType::Int32)) {
    if (avx512())
      a_.vpmovqd(t, a);
    else
      narrow_mask(to, x);
  }
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

void VectorVerbs::load(DType dtype, int to, const Xbyak::RegExp& from) {
  if (dtype != DType::Bool) {
    a_.vmovups(reg(to, dtype), a_.ptr[from]);
    return;
  }
  a_.vpmovzxbd(reg(to, dtype), a_.ptr[from]);
  zero(reg(s0_, dtype));
  compare(Verb::Ne, DType::Int32, to, to, s0_);
}

void VectorVerbs::broadcast(DType dtype, int to, const Xbyak::Address& from) {
  if (dtype == DType::Bool) {
    a_.movzx(a_.eax, from);
    a_.neg(a_.eax);
    a_.vmovd(Xmm(to), a_.eax);
    a_.vpbroadcastd(reg(to, dtype), Xmm(to));
  } else if (wide(dtype)) {
    Xmm t = reg(to, dtype);
    a_.vpbroadcastq(t, from);
  } else {
    a_.vpbroadcastd(reg(to, dtype), from);
  }
}

void VectorVerbs::store(DType dtype, const Xbyak::RegExp& to, int from) {
  if (dtype != DType::Bool) {
    a_.vmovups(a_.ptr[to], reg(from, dtype));
    return;
  }
  Xmm s = reg(s0_, dtype);
  a_.vpsrld(s, reg(from, dtype), 31);
  if (avx512()) {
    a_.vpmovdb(a_.ptr[to], s);
    return;
  }
  Xmm low(s0_), high(s1_);
  if (lanes_ == 8) {
    a_.vextracti128(high, Xbyak::Ymm(s0_), 1);
    a_.vpackusdw(low, low, high);
    a_.vpackuswb(low, low, low);
    a_.vmovq(a_.ptr[to], low);
  } else {
    a_.vpackusdw(low, low, low);
    a_.vpackuswb(low, low, low);
    a_.vmovd(a_.ptr[to], low);
  }
}

// AVX2: the tail's mask in the first scratch register, for lanes of the dtype's width.
void VectorVerbs::load_mask(DType dtype) {
  if (wide(dtype))
    a_.vpmovsxdq(reg(s0_, dtype), a_.ptr[tail_.mask]);
  else
    a_.vmovups(reg(s0_, dtype), a_.ptr[tail_.mask]);
}

void VectorVerbs::copy_bytes(const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
  Xbyak::Label next;
  const Xbyak::Reg64 &i = tail_.count, &base = tail_.temporary;
  a_.lea(base, a_.ptr[from]);
  a_.lea(a_.rax, a_.ptr[to]);
  a_.push(i);
  a_.push(a_.rbx);
  a_.L(next);
  a_.movzx(a_.ebx, a_.byte[base + i - 1]);
  a_.mov(a_.byte[a_.rax + i - 1], a_.bl);
  a_.dec(i);
  a_.jnz(next);
  a_.pop(a_.rbx);
  a_.pop(i);
}

void VectorVerbs::load_masked(DType dtype, int to, const Xbyak::RegExp& from) {
  Xmm t = reg(to, dtype);
  if (dtype == DType::Bool) {
    if (avx512()) {
      a_.vpmovzxbd(t | a_.k1 | Xbyak::util::T_z, a_.ptr[from]);
    } else {
      a_.mov(a_.qword[tail_.bytes], 0);
      copy_bytes(tail_.bytes, from);
      a_.vpmovzxbd(t, a_.ptr[tail_.bytes]);
    }
    zero(reg(s0_, dtype));
    compare(Verb::Ne, DType::Int32, to, to, s0_);
  } else if (avx512()) {
    wide(dtype) ? a_.vmovupd(t | a_.k1 | Xbyak::util::T_z, a_.ptr[from])
                : a_.vmovups(t | a_.k1 | Xbyak::util::T_z, a_.ptr[from]);
  } else {
    load_mask(dtype);
    wide(dtype) ? a_.vmaskmovpd(t, reg(s0_, dtype), a_.ptr[from]) : a_.vmaskmovps(t, reg(s0_, dtype), a_.ptr[from]);
  }
}

void VectorVerbs::store_masked(DType dtype, const Xbyak::RegExp& to, int from) {
  Xmm f = reg(from, dtype);
  if (dtype == DType::Bool) {
    if (avx512()) {
      a_.vpsrld(reg(s0_, dtype), f, 31);
      a_.vpmovdb(a_.ptr[to] | a_.k1, reg(s0_, dtype));
    } else {
      store(dtype, tail_.bytes, from);
      copy_bytes(to, tail_.bytes);
    }
  } else if (avx512()) {
    wide(dtype) ? a_.vmovupd(a_.ptr[to] | a_.k1, f) : a_.vmovups(a_.ptr[to] | a_.k1, f);
  } else {
    load_mask(dtype);
    wide(dtype) ? a_.vmaskmovpd(a_.ptr[to], reg(s0_, dtype), f) : a_.vmaskmovps(a_.ptr[to], reg(s0_, dtype), f);
  }
}

}  // namespace ember::tiers
