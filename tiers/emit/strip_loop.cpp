#include "tiers/emit/strip_loop.h"

#include "tiers/emit/vector_body.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;

constexpr size_t kPointers = 8;  // operands whose addresses stay in registers

constexpr size_t kWays = 2;
constexpr size_t kInterleavedNodes = 400;  // of a larger expression the passes overlap enough by themselves

// void loop(int64_t n, void* const* places): inputs, then outputs. Passes of kWays vectors, then of one, the last
// masked.
class StripLoop {
 public:
  StripLoop(Assembler& a, VectorBody& body, const ops::Expr& expr, uint64_t uniform)
      : a_(a), body_(body), expr_(expr), uniform_(uniform) {}

  void emit() {
    prologue();
    access_.input = [this](size_t i) {
      bool uniform = i < 64 && (uniform_ >> i & 1);
      return address(i % expr_.inputs, i / expr_.inputs, expr_.input_dtype(i % expr_.inputs), uniform);
    };
    access_.output = [this](size_t o) {
      size_t n = expr_.outputs.size();
      return address(expr_.inputs + o % n, o / n, expr_.nodes[expr_.outputs[o % n]].dtype, false);
    };
    access_.uniform = uniform_;
    access_.tail.mask = mask();
    access_.tail.bytes = mask() + 32;
    body_.emit_prologue(a_, access_);
    a_.xor_(ecx, ecx);
    if (expr_.nodes.size() <= kInterleavedNodes) emit_ways();
    emit_rest();
    epilogue();
  }

 private:
  Xbyak::RegExp mask() const { return rsp + body_.stack_bytes(); }

  void emit_ways() {
    std::optional<VectorBody> wide = VectorBody::plan(a_.isa(), interleave(expr_, uniform_, kWays), uniform_);
    if (!wide) return;
    Xbyak::Label loop, end;
    a_.mov(rdx, kWays * static_cast<size_t>(body_.lanes()));
    a_.cmp(rdx, rdi);
    a_.ja(end, Xbyak::CodeGenerator::T_NEAR);
    a_.align(32);
    a_.L(loop);
    wide->emit(a_, access_, rsp);
    a_.mov(rcx, rdx);
    a_.add(rdx, static_cast<uint32_t>(kWays) * static_cast<uint32_t>(body_.lanes()));
    a_.cmp(rdx, rdi);
    a_.jbe(loop, Xbyak::CodeGenerator::T_NEAR);
    a_.L(end);
  }

  void emit_rest() {
    Xbyak::Label loop, done;
    auto lanes = static_cast<uint32_t>(body_.lanes());
    a_.L(loop);
    a_.mov(rdx, rdi);
    a_.sub(rdx, rcx);
    a_.jbe(done, Xbyak::CodeGenerator::T_NEAR);
    a_.mov(eax, lanes);
    a_.cmp(rdx, rax);
    a_.cmova(rdx, rax);
    make_mask();
    access_.masked = true;
    body_.emit(a_, access_, rsp);
    a_.add(rcx, lanes);
    a_.jmp(loop, Xbyak::CodeGenerator::T_NEAR);
    a_.L(done);
  }

  void prologue() {
    for (const Xbyak::Reg64& r : {rbp, rbx, r12, r13, r14, r15}) a_.push(r);
    a_.mov(rbp, rsp);
    a_.sub(rsp, static_cast<uint32_t>(body_.stack_bytes() + 64));
    a_.and_(rsp, -64);
    size_t operands = expr_.inputs + expr_.outputs.size();
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

  Xbyak::RegExp address(size_t operand, size_t way, ops::DType dtype, bool uniform) {
    Xbyak::Reg64 base = rax;
    if (operand < kPointers)
      base = pointer(operand);
    else
      a_.mov(rax, a_.ptr[rsi + operand * 8]);
    auto size = static_cast<int>(itemsize(dtype));
    if (uniform) return base;
    return base + rcx * size + way * static_cast<size_t>(body_.lanes() * size);
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
      a_.mov(a_.ptr[mask() + static_cast<size_t>(half) * 8], rax);
    }
    a_.vpcmpgtd(ymm0, ymm0, a_.ptr[mask()]);
    a_.vmovups(a_.ptr[mask()], ymm0);
  }

  Assembler& a_;
  VectorBody& body_;  // of one pass
  const ops::Expr& expr_;
  uint64_t uniform_;
  OperandAccess access_;
};

}  // namespace

gc::Ref<CodeBlock> compile_strip_loop(const ops::Expr& expr, uint64_t uniform, std::string* why_not) {
  ops::Expr expanded = expand(expr);
  std::optional<VectorBody> body = VectorBody::plan(ops::isa(), expanded, uniform);
  if (!body) {
    *why_not = "an elementwise verb has no native form for its dtype";
    return nullptr;
  }
  try {
    Assembler a(ops::isa());
    StripLoop(a, *body, expanded, uniform).emit();
    gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish());
    if (!block) *why_not = "no memory for code";
    return block;
  } catch (const Xbyak::Error& e) {
    *why_not = e.what();
    return nullptr;
  }
}

}  // namespace ember::tiers
