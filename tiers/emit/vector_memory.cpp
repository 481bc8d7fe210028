// Vectors to and from memory, whole and masked, and masks; a bool in memory is a byte, a bfloat16 the upper half of its
// float32.
#include "tiers/emit/vector_verbs.h"

namespace ember::tiers {

using ops::DType;
using ops::Verb;
using Xbyak::Xmm;

namespace {

bool wide(DType d) { return itemsize(d) == 8; }

}  // namespace

void VectorVerbs::load(DType dtype, int to, const Xbyak::RegExp& from) {
  if (dtype == DType::BFloat16) {
    a_.vpmovzxwd(reg(to, dtype), a_.ptr[from]);
    a_.vpslld(reg(to, dtype), reg(to, dtype), 16);
    return;
  }
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
  const bool narrow = dtype == DType::BFloat16;
  if (dtype != DType::Bool && !narrow) {
    a_.vmovups(a_.ptr[to], reg(from, dtype));
    return;
  }
  Xmm s = reg(s0_, dtype);
  a_.vpsrld(s, reg(from, dtype), narrow ? 16 : 31);
  if (avx512()) {
    narrow ? a_.vpmovdw(a_.ptr[to], s) : a_.vpmovdb(a_.ptr[to], s);
    return;
  }
  Xmm low(s0_), high(s1_);
  if (lanes_ == 8) {
    a_.vextracti128(high, Xbyak::Ymm(s0_), 1);
    a_.vpackusdw(low, low, high);
    if (narrow) return a_.vmovups(a_.ptr[to], low);
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

// As many elements of one or two bytes as the tail has.
void VectorVerbs::copy_elements(size_t size, const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
  Xbyak::Label next;
  const Xbyak::Reg64 &i = tail_.count, &base = tail_.temporary;
  a_.lea(base, a_.ptr[from]);
  a_.lea(a_.rax, a_.ptr[to]);
  a_.push(i);
  a_.push(a_.rbx);
  a_.L(next);
  if (size == 1) {
    a_.movzx(a_.ebx, a_.byte[base + i - 1]);
    a_.mov(a_.byte[a_.rax + i - 1], a_.bl);
  } else {
    a_.movzx(a_.ebx, a_.word[base + i * 2 - 2]);
    a_.mov(a_.word[a_.rax + i * 2 - 2], a_.bx);
  }
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
      copy_elements(1, tail_.bytes, from);
      a_.vpmovzxbd(t, a_.ptr[tail_.bytes]);
    }
    zero(reg(s0_, dtype));
    compare(Verb::Ne, DType::Int32, to, to, s0_);
  } else if (is_half_dtype(dtype)) {
    if (!avx512()) {
      for (size_t i : {0, 8}) a_.mov(a_.qword[tail_.bytes + i], 0);
      copy_elements(2, tail_.bytes, from);
      return load(dtype, to, tail_.bytes);
    }
    const Xmm masked = t | a_.k1 | Xbyak::util::T_z;
    if (dtype == DType::Float16) return a_.vmovdqu16(masked, a_.ptr[from]);
    a_.vpmovzxwd(masked, a_.ptr[from]);
    a_.vpslld(t, t, 16);
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
      copy_elements(1, to, tail_.bytes);
    }
  } else if (is_half_dtype(dtype)) {
    if (!avx512()) {
      store(dtype, tail_.bytes, from);
      return copy_elements(2, to, tail_.bytes);
    }
    if (dtype == DType::Float16) return a_.vmovdqu16(a_.ptr[to] | a_.k1, f);
    a_.vpsrld(reg(s0_, dtype), f, 16);
    a_.vpmovdw(a_.ptr[to] | a_.k1, reg(s0_, dtype));
  } else if (avx512()) {
    wide(dtype) ? a_.vmovupd(a_.ptr[to] | a_.k1, f) : a_.vmovups(a_.ptr[to] | a_.k1, f);
  } else {
    load_mask(dtype);
    wide(dtype) ? a_.vmaskmovpd(a_.ptr[to], reg(s0_, dtype), f) : a_.vmaskmovps(a_.ptr[to], reg(s0_, dtype), f);
  }
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

void VectorVerbs::any(const std::vector<int>& bools, bool when) {
  const Xmm all = reg(s0_, DType::Bool);
  a_.vmovaps(all, reg(bools[0], DType::Bool));
  for (size_t i = 1; i < bools.size(); ++i) {
    const Xmm next = reg(bools[i], DType::Bool);
    when ? bit_or(DType::Int32, all, all, next) : bit_and(DType::Int32, all, all, next);
  }
  if (avx512()) {
    a_.vpmovd2m(a_.k2, all);
    a_.kmovw(a_.eax, a_.k2);
  } else {
    a_.vmovmskps(a_.eax, all);
  }
  if (!when) a_.xor_(a_.eax, (1 << lanes_) - 1);
  a_.test(a_.eax, a_.eax);
}

}  // namespace ember::tiers
