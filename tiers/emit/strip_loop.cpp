#include "tiers/emit/strip_loop.h"

#include "tiers/emit/vector_body.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;

constexpr size_t kPointers = 8;  // operands whose addresses stay in registers
constexpr size_t kWays = 2;
constexpr size_t kInterleavedNodes = 400;  // of a larger expression the passes overlap enough by themselves
constexpr auto kNear = Xbyak::CodeGenerator::T_NEAR;

// f(int64_t n, void* const* places, ...): the frame, and addresses of operands by the count of elements done in rcx.
class Loop {
 public:
  Loop(Assembler& a, VectorBody& body, const ops::PredicatedExpr& predicated, uint64_t uniform)
      : a_(a), body_(body), predicated_(predicated), expr_(predicated.expr), uniform_(uniform) {
    access_.input = [this](size_t i) {
      bool one = i < 64 && (uniform_ >> i & 1);
      return address(i % expr_.inputs, i / expr_.inputs, expr_.input_dtype(i % expr_.inputs), one);
    };
    access_.output = [this](size_t o) {
      size_t n = expr_.outputs.size();
      return address(expr_.inputs + o % n, o / n, expr_.nodes[expr_.outputs[o % n]].dtype, false);
    };
    access_.uniform = uniform;
    access_.tail.mask = mask();
    access_.tail.bytes = mask() + 32;
  }

 protected:
  Xbyak::RegExp mask() const { return rsp + body_.stack_bytes(); }

  void prologue() {
    for (const Xbyak::Reg64& r : {rbp, rbx, r12, r13, r14, r15}) a_.push(r);
    a_.mov(rbp, rsp);
    a_.sub(rsp, static_cast<uint32_t>(body_.stack_bytes() + 128));
    a_.and_(rsp, -64);
    a_.mov(a_.ptr[mask() + 64], rdx);
    size_t operands = expr_.inputs + expr_.outputs.size();
    for (size_t i = 0; i < std::min(operands, kPointers); ++i) a_.mov(pointer(i), a_.ptr[rsi + i * 8]);
    body_.emit_prologue(a_, access_);
    a_.xor_(ecx, ecx);
  }

  void epilogue() {
    a_.mov(rsp, rbp);
    for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbx, rbp}) a_.pop(r);
    a_.vzeroupper();
    a_.ret();
  }

  // While as many elements are left: `ways` passes at once.
  bool emit_passes(size_t ways) {
    std::optional<VectorBody> wide = VectorBody::build(a_.isa(), interleave(predicated_, uniform_, ways), uniform_);
    if (!wide) return false;
    Xbyak::Label loop, end;
    auto step = static_cast<uint32_t>(ways) * static_cast<uint32_t>(body_.lanes());
    a_.mov(edx, step);
    a_.cmp(rdx, rdi);
    a_.ja(end, kNear);
    a_.align(32);
    a_.L(loop);
    wide->emit(a_, access_, rsp);
    a_.mov(rcx, rdx);
    a_.add(rdx, step);
    a_.cmp(rdx, rdi);
    a_.jbe(loop, kNear);
    a_.L(end);
    return true;
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

  Assembler& a_;
  VectorBody& body_;  // of one pass
  const ops::PredicatedExpr& predicated_;
  const ops::Expr& expr_;
  uint64_t uniform_;
  OperandAccess access_;
};

// Passes of kWays vectors, then of one, the last masked.
class StripLoop : Loop {
 public:
  using Loop::Loop;

  bool emit() {
    prologue();
    if (expr_.nodes.size() <= kInterleavedNodes) emit_passes(kWays);
    emit_tail();
    epilogue();
    return true;
  }

 private:
  void emit_tail() {
    Xbyak::Label loop, done;
    auto lanes = static_cast<uint32_t>(body_.lanes());
    a_.L(loop);
    a_.mov(rdx, rdi);
    a_.sub(rdx, rcx);
    a_.jbe(done, kNear);
    a_.mov(eax, lanes);
    a_.cmp(rdx, rax);
    a_.cmova(rdx, rax);
    make_mask();
    access_.masked = true;
    body_.emit(a_, access_, rsp);
    a_.add(rcx, lanes);
    a_.jmp(loop, kNear);
    a_.L(done);
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
    a_.vpmovzxbd(ymm1, a_.ptr[a_.constant(0x0706050403020100, 8)]);
    a_.vpcmpgtd(ymm0, ymm0, ymm1);
    a_.vmovups(a_.ptr[mask()], ymm0);
  }
};

// Passes over 16 elements or more; element j of a reduction goes to lane j % 16, in vectors kept in registers.
class ReduceLoop : Loop {
 public:
  ReduceLoop(Assembler& a, VectorBody& body, const ops::PredicatedExpr& predicated, uint64_t uniform,
             ops::ReduceKind kind)
      : Loop(a, body, predicated, uniform), kind_(kind), dtype_(expr_.nodes[expr_.outputs[0]].dtype) {
    node_.verb = verb();
    node_.dtype = dtype_;
    accumulators_ = std::max(1, static_cast<int>(ops::kReduceLanes) / body.lanes());
    access_.reserved = accumulators_;
    first_ = a.vector_registers() - accumulators_;
    access_.consume = [this](VectorVerbs& verbs, size_t output, int reg) {
      int sum = first_ + static_cast<int>(output) % accumulators_;
      verbs.emit(node_, dtype_, sum, {sum, reg, 0}, nullptr);
    };
  }

  bool emit() {
    if (!VectorVerbs::supports(a_.isa(), node_, dtype_)) return false;
    prologue();
    VectorVerbs verbs(a_, body_.lanes(), 0, 1, {});
    uint64_t identity = 0;
    ops::reduce_kernels(kind_, dtype_).identity(&identity, 1);
    for (int i = 0; i < accumulators_; ++i) {
      if (dtype_ == ops::DType::Bool)
        verbs.broadcast(ops::DType::Int32, first_ + i, a_.ptr[a_.constant(identity ? 0xFFFFFFFF : 0, 4)]);
      else
        verbs.broadcast(dtype_, first_ + i, a_.ptr[a_.constant(identity, itemsize(dtype_))]);
    }
    if (!emit_passes(std::max<size_t>(kWays, static_cast<size_t>(accumulators_)))) return false;
    a_.mov(rax, a_.ptr[mask() + 64]);
    for (int i = 0; i < accumulators_; ++i) {
      size_t at = static_cast<size_t>(i * body_.lanes()) * itemsize(dtype_);
      verbs.store(dtype_, Xbyak::RegExp(rax) + at, first_ + i);
    }
    epilogue();
    return true;
  }

 private:
  ops::Verb verb() const {
    bool logic = dtype_ == ops::DType::Bool;
    switch (kind_) {
      case ops::ReduceKind::Sum:
        return logic ? ops::Verb::Or : ops::Verb::Add;
      case ops::ReduceKind::Prod:
        return logic ? ops::Verb::And : ops::Verb::Mul;
      case ops::ReduceKind::Max:
        return logic ? ops::Verb::Or : ops::Verb::Max;
      case ops::ReduceKind::Min:
        return logic ? ops::Verb::And : ops::Verb::Min;
      case ops::ReduceKind::All:
        return ops::Verb::And;
      case ops::ReduceKind::Any:
        return ops::Verb::Or;
    }
    __builtin_unreachable();
  }

  ops::ReduceKind kind_;
  ops::DType dtype_;
  ops::ExprNode node_;
  int accumulators_, first_;
};

// Whether an element is raised to a power that all have: strips take such powers fast where they are products.
bool has_uniform_exponent(const ops::Expr& expr, uint64_t uniform) {
  std::vector<bool> one(expr.nodes.size(), true);
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    const ops::ExprNode& node = expr.nodes[i];
    if (node.verb == ops::Verb::Input) one[i] = node.bits < 64 && (uniform >> node.bits & 1);
    for (int k = 0; k < info(node.verb).operands; ++k) one[i] = one[i] && one[node.args[static_cast<size_t>(k)]];
    if (node.verb == ops::Verb::Pow && !one[i] && one[node.args[1]]) return true;
  }
  return false;
}

template <class Emitter, class... More>
gc::Ref<CodeBlock> compile(const ops::Expr& expr, uint64_t uniform, std::string* why_not, More... more) {
  *why_not = "powers of one exponent are faster in strips";
  if (has_uniform_exponent(expr, uniform)) return nullptr;
  const ops::PredicatedExpr expanded = predicate(expand(expr));
  std::optional<VectorBody> body = VectorBody::build(ops::isa(), expanded, uniform);
  *why_not = "an elementwise verb has no native form for its dtype";
  if (!body) return nullptr;
  try {
    Assembler a(ops::isa());
    if (!Emitter(a, *body, expanded, uniform, more...).emit()) return nullptr;
    gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish(), {"emberjit: loop " + ops::verbs(expr)});
    if (!block) *why_not = "no memory for code";
    return block;
  } catch (const Xbyak::Error& e) {
    *why_not = e.what();
    return nullptr;
  }
}

}  // namespace

gc::Ref<CodeBlock> compile_strip_loop(const ops::Expr& expr, uint64_t uniform, std::string* why_not) {
  return compile<StripLoop>(expr, uniform, why_not);
}

gc::Ref<CodeBlock> compile_reduce_loop(const ops::Expr& expr, uint64_t uniform, ops::ReduceKind kind,
                                       std::string* why_not) {
  return compile<ReduceLoop>(expr, uniform, why_not, kind);
}

}  // namespace ember::tiers
