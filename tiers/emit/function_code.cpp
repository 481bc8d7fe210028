#include "tiers/emit/function_code.h"

#include <bit>
#include <map>

#include "ops/eager/eager.h"
#include "tiers/emit/vector_body.h"
#include "vm/exec/interpreter.h"
#include "vm/exec/steps.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;
using bytecode::DeoptReason;
using bytecode::Instruction;
using vm::Handler;
using vm::Place;
using vm::Register;
using vm::Step;

constexpr size_t kInlinePasses = 4;  // vector passes of an elementwise step that is emitted inline
constexpr size_t kMaxCodeBytes = 4 << 20;
constexpr auto kNear = Xbyak::CodeGenerator::T_NEAR;

class FunctionCode {
 public:
  FunctionCode(const vm::FunctionBinding& function, const Speculation& speculation)
      : fn_(function), bytecode_(function.function()), speculation_(speculation), a_(ops::isa()) {}

  gc::Ref<NativeFunction> compile(std::string* why_not) {
    plan_bodies();
    find_reachable();
    size_t entry = entry_point();
    for (uint32_t i = 0; i < steps().size(); ++i)
      if (reachable_[i] && steps()[i].kind == Handler::Loop) loop_entries_.push_back({i, entry_point_at(i)});
    for (uint32_t i = 0; i < steps().size() && a_.getSize() < kMaxCodeBytes; ++i) {
      if (!reachable_[i]) continue;
      const Step& s = steps()[i];
      marks_.push_back({s.pc, static_cast<uint32_t>(a_.getSize()), bodies_.contains(i) ? nullptr : vm::loop_of(s)});
      a_.L(labels_[i]);
      emit(i);
    }
    if (a_.getSize() >= kMaxCodeBytes) {
      *why_not = "the function is too large for native code";
      return nullptr;
    }
    emit_exits();
    return finish(entry, why_not);
  }

 private:
  const std::vector<Step>& steps() const { return fn_.steps(); }
  static Xbyak::RegExp slot(Register r) { return rbx + static_cast<size_t>(r) * 8; }
  bool is_tensor(Register r) const { return bytecode_.registers[r].is_tensor(); }

  // Vector bodies of the steps that are emitted inline, made first: they size the stack frame.
  void plan_bodies() {
    stack_ = 0;
    for (uint32_t i = 0; i < steps().size(); ++i) {
      const Step& s = steps()[i];
      if (s.kind != Handler::Program) continue;
      uint64_t uniform = 0;
      if (!fits_inline(*s.operands, &uniform)) continue;
      std::optional<VectorBody> body =
          VectorBody::build(ops::isa(), predicate(expand(s.operands->program->expr())), uniform);
      if (!body) continue;
      auto lanes = static_cast<size_t>(body->lanes());
      size_t count = static_cast<size_t>(fn_.reg(s.operands->regs[s.operands->inputs]).layout->numel);
      if (count > lanes * kInlinePasses) continue;
      stack_ = std::max(stack_, body->stack_bytes());
      bodies_.emplace(i, Inline{std::move(*body), uniform, count});
    }
  }

  // All operands contiguous with as many elements as the result, or of one element.
  bool fits_inline(const vm::PreparedOperands& operands, uint64_t* uniform) const {
    int64_t count = fn_.reg(operands.regs[operands.inputs]).layout->numel;
    if (count == 0 || count > 64) return false;
    for (size_t i = 0; i < operands.regs.size(); ++i) {
      if (operands.regs[i] == vm::kNoRegister) return false;
      const ops::Layout& layout = *fn_.reg(operands.regs[i]).layout;
      if (i < operands.inputs && layout.numel == 1 && (count != 1 || !is_tensor(operands.regs[i]))) {
        if (i >= 64) return false;
        *uniform |= uint64_t{1} << i;
      } else if (!layout.contiguous || layout.numel != count) {
        return false;
      }
    }
    return true;
  }

  int8_t assumed(const Step& s) const {
    return s.branch < speculation_.branches.size() ? speculation_.branches[s.branch] : -1;
  }

  void find_reachable() {
    reachable_.assign(steps().size(), false);
    std::vector<uint32_t> work = {0};
    while (!work.empty()) {
      uint32_t i = work.back();
      work.pop_back();
      if (i >= steps().size() || reachable_[i]) continue;
      reachable_[i] = true;
      const Step& s = steps()[i];
      if (s.kind == Handler::Return) continue;
      if (s.kind == Handler::Jump) {
        work.push_back(s.target);
        continue;
      }
      bool falls = s.kind != Handler::Branch || assumed(s) != 0;
      bool jumps = s.kind == Handler::Branch && assumed(s) != 1;
      if (jumps) work.push_back(s.target);
      if (falls) work.push_back(i + 1);
    }
    labels_.resize(steps().size());
  }

  // uint32_t entry(uint64_t* slots, Frame* frame)
  size_t entry_point_at(uint32_t step) {
    a_.align(16);
    size_t at = a_.getSize();
    prologue();
    a_.jmp(labels_[step], kNear);
    return at;
  }

  size_t entry_point() {
    size_t at = a_.getSize();
    prologue();
    deopt_stress_point(0);
    a_.jmp(labels_[0], kNear);
    return at;
  }

  void prologue() {
    for (const Xbyak::Reg64& r : {rbp, rbx, r12, r13, r14, r15}) a_.push(r);
    a_.mov(rbp, rsp);
    a_.sub(rsp, static_cast<uint32_t>(stack_ + 128));
    a_.and_(rsp, -64);
    a_.mov(rbx, rdi);
    a_.mov(r12, rsi);
    if (a_.avx512()) return;
    // The sliding window of masks: eight lanes on, eight off.
    a_.vpcmpeqd(ymm0, ymm0, ymm0);
    a_.vmovups(a_.ptr[rsp + stack_], ymm0);
    a_.vpxor(ymm0, ymm0, ymm0);
    a_.vmovups(a_.ptr[rsp + stack_ + 32], ymm0);
  }

  void leave() {
    a_.mov(rsp, rbp);
    for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbx, rbp}) a_.pop(r);
    a_.vzeroupper();
    a_.ret();
  }

  const Xbyak::Label& exit(uint32_t pc, DeoptReason reason) {
    auto [it, inserted] = exit_numbers_.try_emplace({pc, reason}, exits_.size());
    if (inserted) {
      exits_.push_back({pc, reason});
      exit_labels_.emplace_back(std::make_unique<Xbyak::Label>());
    }
    return *exit_labels_[it->second];
  }

  void emit_exits() {
    for (size_t i = 0; i < exits_.size(); ++i) {
      a_.L(*exit_labels_[i]);
      exit_offsets_.push_back(static_cast<uint32_t>(a_.getSize()));
      a_.mov(eax, static_cast<uint32_t>(i));
      leave();
    }
  }

  // A place where a test may force an exit.
  void deopt_stress_point(uint32_t pc) {
    if (!speculation_.forced_exits) return;
    a_.dec(a_.dword[r12 + offsetof(vm::Frame, forced_left)]);
    a_.jz(exit(pc, DeoptReason::Forced), kNear);
  }

  void emit(uint32_t index) {
    const Step& s = steps()[index];
    switch (s.kind) {
      case Handler::Return:
        a_.mov(eax, vm::Native::kReturned);
        leave();
        return;
      case Handler::Scalar:
        a_.mov(rax, s.bits);
        a_.mov(a_.ptr[slot(s.a)], rax);
        return;
      case Handler::StackNew:
        a_.mov(a_.qword[slot(s.a)], 0);
        return;
      case Handler::MoveScalar:
        a_.mov(rax, a_.ptr[slot(s.b)]);
        a_.mov(a_.ptr[slot(s.a)], rax);
        return;
      case Handler::NonEmpty:
        a_.xor_(eax, eax);
        a_.cmp(a_.qword[slot(s.b)], 0);
        a_.setne(al);
        a_.mov(a_.ptr[slot(s.a)], rax);
        return;
      case Handler::Verb:
      case Handler::Verb3:
        return emit_verb(s);
      case Handler::ItemBool:
      case Handler::ItemInt:
      case Handler::ItemFloat:
        return emit_item(s);
      case Handler::Jump:
        a_.jmp(labels_[s.target], kNear);
        return;
      case Handler::Branch:
        return emit_branch(s);
      case Handler::Loop:
        deopt_stress_point(s.pc);
        a_.dec(a_.dword[r12 + offsetof(vm::Frame, trips_left)]);
        a_.jz(exit(s.pc, DeoptReason::Interrupted), kNear);
        return;
      default:
        break;
    }
    auto body = bodies_.find(index);
    if (body != bodies_.end())
      emit_inline(s, body->second);
    else
      emit_call(s);
  }

  void emit_branch(const Step& s) {
    deopt_stress_point(s.pc);
    a_.test(a_.byte[slot(s.a)], 1);
    switch (assumed(s)) {
      case 1:
        a_.jz(exit(s.pc, DeoptReason::BranchNotTaken), kNear);
        break;
      case 0:
        a_.jnz(exit(s.pc, DeoptReason::BranchNotTaken), kNear);
        a_.jmp(labels_[s.target], kNear);
        break;
      default:
        a_.jz(labels_[s.target], kNear);
    }
  }

  // The only way into C++. Frames of native code have no unwind tables, so no exception passes them: it is stored, and
  // raised again behind the exit.
  void emit_call(const Step& s) {
    a_.mov(rdi, reinterpret_cast<uint64_t>(&s));
    a_.mov(rsi, r12);
    a_.vzeroupper();
    a_.call_absolute(reinterpret_cast<const void*>(&vm::execute_for_native));
    a_.test(eax, eax);
    a_.jnz(exit(s.pc, DeoptReason::KernelFailed), kNear);
  }

  void emit_verb(const Step& s) {
    auto verb = static_cast<ops::Verb>(bytecode_.words[s.pc].flags());
    ops::Kind kind = bytecode_.registers[s.b].kind;
    if (kind == ops::Kind::Int && int_verb(verb, s)) return;
    if (kind == ops::Kind::Float && float_verb(verb, s)) return;
    emit_call(s);
  }

  bool int_verb(ops::Verb verb, const Step& s) {
    auto compare = [&](auto set) {
      a_.xor_(ecx, ecx);
      a_.mov(rax, a_.ptr[slot(s.b)]);
      a_.cmp(rax, a_.ptr[slot(s.c)]);
      set();
      a_.mov(a_.ptr[slot(s.a)], rcx);
      return true;
    };
    switch (verb) {
      case ops::Verb::Eq:
        return compare([&] { a_.sete(cl); });
      case ops::Verb::Ne:
        return compare([&] { a_.setne(cl); });
      case ops::Verb::Lt:
        return compare([&] { a_.setl(cl); });
      case ops::Verb::Le:
        return compare([&] { a_.setle(cl); });
      case ops::Verb::Add:
      case ops::Verb::Sub:
      case ops::Verb::Mul:
        break;
      default:
        return false;
    }
    a_.mov(rax, a_.ptr[slot(s.b)]);
    if (verb == ops::Verb::Add) a_.add(rax, a_.ptr[slot(s.c)]);
    if (verb == ops::Verb::Sub) a_.sub(rax, a_.ptr[slot(s.c)]);
    if (verb == ops::Verb::Mul) a_.imul(rax, a_.ptr[slot(s.c)]);
    a_.mov(a_.ptr[slot(s.a)], rax);
    return true;
  }

  bool float_verb(ops::Verb verb, const Step& s) {
    auto compare = [&](int predicate) {
      a_.vmovsd(xmm0, a_.ptr[slot(s.b)]);
      a_.vmovsd(xmm1, a_.ptr[slot(s.c)]);
      a_.vcmpsd(xmm0, xmm0, xmm1, static_cast<uint8_t>(predicate));
      a_.vmovq(rax, xmm0);
      a_.and_(eax, 1);
      a_.mov(a_.ptr[slot(s.a)], rax);
      return true;
    };
    switch (verb) {
      case ops::Verb::Eq:
        return compare(0);
      case ops::Verb::Ne:
        return compare(4);
      case ops::Verb::Lt:
        return compare(1);
      case ops::Verb::Le:
        return compare(2);
      case ops::Verb::Add:
      case ops::Verb::Sub:
      case ops::Verb::Mul:
      case ops::Verb::Div:
        break;
      default:
        return false;
    }
    a_.vmovsd(xmm0, a_.ptr[slot(s.b)]);
    if (verb == ops::Verb::Add) a_.vaddsd(xmm0, xmm0, a_.ptr[slot(s.c)]);
    if (verb == ops::Verb::Sub) a_.vsubsd(xmm0, xmm0, a_.ptr[slot(s.c)]);
    if (verb == ops::Verb::Mul) a_.vmulsd(xmm0, xmm0, a_.ptr[slot(s.c)]);
    if (verb == ops::Verb::Div) a_.vdivsd(xmm0, xmm0, a_.ptr[slot(s.c)]);
    a_.vmovsd(a_.ptr[slot(s.a)], xmm0);
    return true;
  }

  void emit_item(const Step& s) {
    Register from = s.operands->regs[0], to = s.operands->regs[1];
    Xbyak::RegExp at = address(from);
    switch (fn_.reg(s.operands->regs[0]).layout->dtype) {
      case ops::DType::Bool:
        a_.movzx(eax, a_.byte[at]);
        break;
      case ops::DType::Int32:
        a_.movsxd(rax, a_.dword[at]);
        break;
      case ops::DType::Int64:
        a_.mov(rax, a_.ptr[at]);
        break;
      case ops::DType::Float64:
        a_.mov(rax, a_.ptr[at]);
        break;
      case ops::DType::Float32:
        a_.vxorps(xmm0, xmm0, xmm0);
        a_.vcvtss2sd(xmm0, xmm0, a_.dword[at]);
        a_.vmovq(rax, xmm0);
        break;
      default:
        return emit_call(s);
    }
    a_.mov(a_.ptr[slot(to)], rax);
  }

  // Of a tensor's first element: within the frame if its place is the arena, else by the slot (through rax).
  Xbyak::RegExp address(Register r) {
    const vm::PlacedRegister& placed = fn_.reg(r);
    const vm::PlacedRegister& root = placed.place == Place::Alias ? fn_.reg(placed.parent) : placed;
    if (root.place == Place::Arena && !placed.dynamic) {
      int64_t offset = static_cast<int64_t>(fn_.arena_offset()) + root.offset;
      if (placed.place == Place::Alias) offset += placed.offset;
      return rbx + static_cast<size_t>(offset);
    }
    a_.mov(rax, a_.ptr[slot(r)]);
    return Xbyak::RegExp(rax);
  }

  struct Inline {
    VectorBody body;
    uint64_t uniform;
    size_t count;
  };

  void emit_inline(const Step& s, Inline& in) {
    const vm::PreparedOperands& operands = *s.operands;
    const ops::Expr& expr = in.body.expr();
    auto lanes = static_cast<size_t>(in.body.lanes());
    size_t done = 0;
    OperandAccess access;
    access.uniform = in.uniform;
    access.input = [&](size_t i) {
      Register r = operands.regs[i];
      if (!is_tensor(r)) return slot(r);
      bool uniform = in.uniform >> i & 1;
      return address(r) + (uniform ? 0 : done * itemsize(expr.input_dtype(i)));
    };
    access.output = [&](size_t o) {
      return address(operands.regs[operands.inputs + o]) + done * itemsize(expr.nodes[expr.outputs[o]].dtype);
    };
    access.tail.bytes = rsp + stack_ + 64;
    in.body.emit_prologue(a_, access);
    for (; done < in.count; done += lanes) {
      size_t left = std::min(lanes, in.count - done);
      access.masked = left < lanes;
      if (access.masked) {
        a_.mov(edx, static_cast<uint32_t>(left));
        access.tail.mask = rsp + stack_ + (8 - std::min<size_t>(left, 8)) * 4;
        if (a_.avx512()) {
          a_.mov(eax, (1u << left) - 1);
          a_.kmovd(k1, eax);
        }
      }
      in.body.emit(a_, access, rsp);
    }
  }

  Symbol symbol() const {
    Symbol symbol{"emberjit: " + bytecode_.name, {}, true};
    for (const NativeFunction::Mark& mark : marks_) {
      const bytecode::Source source = fn_.code().source(fn_.number(), mark.pc);
      if (source.line == 0) continue;
      const std::string* file = &fn_.code().files[source.file];
      const bool same =
          !symbol.lines.empty() && symbol.lines.back().file == file && symbol.lines.back().line == source.line;
      if (!same) symbol.lines.push_back({mark.offset, file, source.line});
    }
    return symbol;
  }

  gc::Ref<NativeFunction> finish(size_t entry, std::string* why_not) {
    const auto instructions_end = static_cast<uint32_t>(a_.getSize());
    std::span<const uint8_t> bytes = a_.finish();
    gc::Ref<CodeBlock> block = CodeCache::instance().add(bytes, symbol());
    if (!block) {
      *why_not = "no memory for code";
      return nullptr;
    }
    auto native = gc::make<NativeFunction>();
    auto at = [&](size_t offset) {
      return reinterpret_cast<vm::Native::Entry>(reinterpret_cast<uintptr_t>(block->address()) + offset);
    };
    native->entries.push_back({0, at(entry)});
    for (auto [step, offset] : loop_entries_) native->entries.push_back({steps()[step].pc, at(offset)});
    native->exits = exits_;
    native->exit_counts = std::make_unique<vm::Counter[]>(exits_.size());
    native->code_bytes = bytes.size();
    native->code = block;
    native->instructions_end = instructions_end;
    native->exit_offsets = std::move(exit_offsets_);
    native->marks = std::move(marks_);
    native->speculation = speculation_;
    return native;
  }

  const vm::FunctionBinding& fn_;
  const bytecode::CodeFunction& bytecode_;
  const Speculation& speculation_;
  Assembler a_;
  size_t stack_ = 0;
  std::map<uint32_t, Inline> bodies_;  // by step
  std::vector<bool> reachable_;
  std::vector<Xbyak::Label> labels_;  // by step
  std::vector<std::pair<uint32_t, size_t>> loop_entries_;
  std::map<std::pair<uint32_t, DeoptReason>, size_t> exit_numbers_;
  std::vector<vm::NativeExit> exits_;
  std::vector<uint32_t> exit_offsets_;
  std::vector<std::unique_ptr<Xbyak::Label>> exit_labels_;
  std::vector<NativeFunction::Mark> marks_;
};

}  // namespace

gc::Ref<NativeFunction> compile_function(const vm::FunctionBinding& function, const Speculation& speculation,
                                         std::string* why_not) {
  if (ops::isa() == ops::Isa::Portable) {
    *why_not = "the CPU has no AVX2";
    return nullptr;
  }
  try {
    return FunctionCode(function, speculation).compile(why_not);
  } catch (const Xbyak::Error& e) {
    *why_not = e.what();
    return nullptr;
  }
}

}  // namespace ember::tiers
