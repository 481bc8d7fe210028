#include "tiers/emit/strip_loop.h"

#include "tiers/emit/vector_body.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;

constexpr size_t kPointers = 8;  // operands whose addresses stay in registers

// void loop(int64_t n, void* const* places): inputs, then outputs.
class StripLoop {
 public:
  StripLoop(Assembler& a, VectorBody& body, uint64_t uniform) : a_(a), body_(body), uniform_(uniform) {}

  void emit() {
    prologue();
    OperandAccess access;
    access.input = [this](size_t i) { return address(i, body_.expr().input_dtype(i), uniform_at(i)); };
    access.output = [this](size_t o) {
      return address(body_.expr().inputs + o, body_.expr().nodes[body_.expr().outputs[o]].dtype, false);
    };
    access.uniform = uniform_;
    access.tail.mask = rsp + body_.stack_bytes();
    access.tail.bytes = rsp + body_.stack_bytes() + 32;
    body_.emit_prologue(a_, access);
    Xbyak::Label loop, tail, done;
    a_.xor_(ecx, ecx);
    a_.mov(rdx, body_.lanes());
    a_.cmp(rdx, rdi);
    a_.ja(tail, Xbyak::CodeGenerator::T_NEAR);
    a_.align(32);
    a_.L(loop);
    body_.emit(a_, access, rsp);
    a_.mov(rcx, rdx);
    a_.add(rdx, body_.lanes());
    a_.cmp(rdx, rdi);
    a_.jbe(loop, Xbyak::CodeGenerator::T_NEAR);
    a_.L(tail);
    a_.mov(rdx, rdi);
    a_.sub(rdx, rcx);
    a_.jz(done, Xbyak::CodeGenerator::T_NEAR);
    make_mask();
    access.masked = true;
    body_.emit(a_, access, rsp);
    a_.L(done);
    epilogue();
  }

 private:
  bool uniform_at(size_t i) const { return i < 64 && (uniform_ >> i & 1); }

  void prologue() {
    for (const Xbyak::Reg64& r : {rbp, rbx, r12, r13, r14, r15}) a_.push(r);
    a_.mov(rbp, rsp);
    a_.sub(rsp, static_cast<uint32_t>(body_.stack_bytes() + 64));
    a_.and_(rsp, -64);
    size_t operands = body_.expr().inputs + body_.expr().outputs.size();
    for (size_t i = 0; i < std::min(operands, kPointers); ++i) a_.mov(pointer(i), a_.ptr[rsi + i * 8]);
  }

  void epilogue() {
    a_.mov(rsp, rbp);
    for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbx, rbp}) a_.pop(r);
    a_.vzeroupper();
    a_.ret();
  }

  static const Xbyak::Reg64& pointer(size_t i) {
    static const Xbyak::Reg64 registers[kPointers] = {rbx, r8, r9, r10, r11, r12, r13, r14};
    return registers[i];
  }

  Xbyak::RegExp address(size_t operand, ops::DType dtype, bool uniform) {
    Xbyak::Reg64 base = rax;
    if (operand < kPointers)
      base = pointer(operand);
    else
      a_.mov(rax, a_.ptr[rsi + operand * 8]);
    return uniform ? Xbyak::RegExp(base) : base + rcx * static_cast<int>(itemsize(dtype));
  }

  // For the first rdx lanes.
  void make_mask() {
    if (a_.avx512()) {
      a_.mov(eax, -1);
      a_.bzhi(eax, eax, edx);
      a_.kmovd(k1, eax);
      return;
    }
    a_.vmovd(xmm0, edx);
    a_.vpbroadcastd(ymm0, xmm0);
    for (int half = 0; half < 4; ++half) {
      a_.mov(rax, static_cast<uint64_t>(2 * half) | static_cast<uint64_t>(2 * half + 1) << 32);
      a_.mov(a_.ptr[rsp + body_.stack_bytes() + static_cast<size_t>(half) * 8], rax);
    }
    a_.vpcmpgtd(ymm0, ymm0, a_.ptr[rsp + body_.stack_bytes()]);
    a_.vmovups(a_.ptr[rsp + body_.stack_bytes()], ymm0);
  }

  Assembler& a_;
  VectorBody& body_;
  uint64_t uniform_;
};

}  // namespace

gc::Ref<CodeBlock> compile_strip_loop(const ops::Expr& expr, uint64_t uniform, std::string* why_not) {
  std::optional<VectorBody> body = VectorBody::plan(ops::isa(), expand(expr), uniform);
  if (!body) {
    *why_not = "an elementwise verb has no native form for its dtype";
    return nullptr;
  }
  try {
    Assembler a(ops::isa());
    StripLoop(a, *body, uniform).emit();
    gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish());
    if (!block) *why_not = "no memory for code";
    return block;
  } catch (const Xbyak::Error& e) {
    *why_not = e.what();
    return nullptr;
  }
}

}  // namespace ember::tiers
