// Primitive verbs on vectors of `lanes` elements. A value of dtype d fills lanes * itemsize(d) bytes of a register; a
// bool is a mask of 32-bit lanes, all ones or zero, on every instruction set, and a bfloat16 the float32 that it is.
// Each sequence gives the bits of ops/simd/lanes.inc.
#pragma once

#include <array>
#include <optional>

#include "ops/expr/expr.h"
#include "tiers/assembler.h"

namespace ember::tiers {

// How a pass over the first `count` lanes masks its loads and stores: by k1 on AVX-512; on AVX2 by a vector of 32-bit
// lanes in memory, and a loop for bools and half types.
struct Tail {
  Xbyak::RegExp mask;
  Xbyak::RegExp bytes;  // 16 bytes of scratch
  Xbyak::Reg64 count = Xbyak::util::rdx;
  Xbyak::Reg64 temporary = Xbyak::util::r15;
};

class VectorVerbs {
 public:
  VectorVerbs(Assembler& a, int lanes, int scratch0, int scratch1, const Tail& tail)
      : a_(a), lanes_(lanes), s0_(scratch0), s1_(scratch1), tail_(tail) {}

  // Whether emit() knows the node; `of` is the dtype of its last operand.
  static bool supports(ops::Isa isa, const ops::ExprNode& node, ops::DType of);
  static size_t lane_bytes(ops::DType dtype);  // in registers

  // Operands are registers, or kFolded for the one that is the constant `folded`. They may coincide with `to` only
  // where they die here.
  static constexpr int kFolded = -1;
  void emit(const ops::ExprNode& node, ops::DType of, int to, std::array<int, 3> args, const ops::ExprNode* folded);
  // Whether operand k may be a folded constant.
  static bool folds(const ops::ExprNode& node, ops::DType of, int k);
  // larger or smaller as the instruction has it: the second operand if they are unordered or equal.
  void native_min_max(bool max, ops::DType dtype, int to, int x, int y, const ops::ExprNode* folded);

  // Of real numbers the third or the fourth, as the comparison of the first two says.
  void compare_select(ops::Verb verb, ops::DType dtype, int to, std::array<int, 4> args, const ops::ExprNode* folded);
  // Clears the zero flag if a lane of some of these bools is `when`; uses rax.
  void any(const std::vector<int>& bools, bool when);
  // x * 2^y, with AVX-512.
  void scale(ops::DType dtype, int to, int x, int y);

  void load(ops::DType dtype, int to, const Xbyak::RegExp& from);
  void broadcast(ops::DType dtype, int to, const Xbyak::Address& from);  // of 4 or 8 bytes; a Bool's byte is 0 or 1
  void store(ops::DType dtype, const Xbyak::RegExp& to, int from);
  // The first elements only.
  void load_masked(ops::DType dtype, int to, const Xbyak::RegExp& from);
  void store_masked(ops::DType dtype, const Xbyak::RegExp& to, int from);

  Xbyak::Xmm reg(int index, ops::DType dtype) const { return Assembler::vec(index, bytes(dtype)); }
  size_t bytes(ops::DType dtype) const { return static_cast<size_t>(lanes_) * lane_bytes(dtype); }

 private:
  const Xbyak::Operand& last(int index, ops::DType dtype);  // a register or the folded constant
  void round(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& from, uint8_t mode);
  void remainder(ops::DType d, int to, int x, int y);
  void reduce_large_quotients(ops::DType d, int y, const std::array<int, 4>& saved);
  void remainder_of_small(ops::DType d, int to, int x, int y);
  void divide(ops::DType d, int to, int x, int y);
  void any_large(ops::DType d);
  void equal(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& x, const Xbyak::Operand& y);
  void blend_by_sign(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& yes, const Xbyak::Xmm& no,
                     const Xbyak::Xmm& condition);
  Xbyak::Xmm full(int index) const { return Assembler::vec(index, avx512() ? 64 : 32); }
  void arithmetic(const ops::ExprNode& node, int to, int x, int y, int z);
  void fma(ops::DType dtype, int to, int x, int y, int z);
  void shift(ops::Verb verb, ops::DType dtype, int to, int x, int y);
  void min_max(bool max, ops::DType dtype, int to, int x, int y);
  void integer(const ops::ExprNode& node, int to, int x, int y);
  void compare(ops::Verb verb, ops::DType of, int to, int x, int y);
  void compare_into(int to, ops::Verb verb, ops::DType of, int x, int y);
  void compare_real(ops::Verb verb, ops::DType of, int to, int x, int y);
  void compare_512(ops::Verb verb, ops::DType of, int to, int x, int y);
  void select(ops::DType dtype, int to, int condition, int yes, int no);
  void blend(ops::DType dtype, int to, int yes, int no);
  void convert(ops::DType from, ops::DType to_dtype, int to, int x);
  void round_to_bfloat(int to, int x);
  void lookup(const ops::ExprNode& node, int to, int index);
  void load_mask(ops::DType dtype);
  void copy_elements(size_t size, const Xbyak::RegExp& to, const Xbyak::RegExp& from);
  void bit_and(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& x, const Xbyak::Operand& y) {
    avx512() ? (itemsize(d) == 8 ? a_.vpandq(to, x, y) : a_.vpandd(to, x, y)) : a_.vpand(to, x, y);
  }
  void bit_or(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& x, const Xbyak::Operand& y) {
    avx512() ? (itemsize(d) == 8 ? a_.vporq(to, x, y) : a_.vpord(to, x, y)) : a_.vpor(to, x, y);
  }
  void bit_xor(ops::DType d, const Xbyak::Xmm& to, const Xbyak::Xmm& x, const Xbyak::Operand& y) {
    avx512() ? (itemsize(d) == 8 ? a_.vpxorq(to, x, y) : a_.vpxord(to, x, y)) : a_.vpxor(to, x, y);
  }
  void ones(const Xbyak::Xmm& r) { avx512() ? a_.vpternlogd(r, r, r, 0xFF) : a_.vpcmpeqd(r, r, r); }
  void zero(const Xbyak::Xmm& r) { avx512() ? a_.vpxord(r, r, r) : a_.vpxor(r, r, r); }
  void widen_mask(int to, int from);   // 32-bit lanes to 64-bit lanes
  void narrow_mask(int to, int from);  // and back
  bool avx512() const { return a_.avx512(); }

  Assembler& a_;
  int lanes_;
  int s0_, s1_;
  const ops::ExprNode* folded_ = nullptr;  // of the node being emitted
  Xbyak::Xmm last_;
  std::optional<Xbyak::Address> constant_;
  Tail tail_;
};

}  // namespace ember::tiers
