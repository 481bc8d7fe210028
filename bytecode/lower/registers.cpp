// From steps to words. A linear scan gives virtual registers real ones: each its own as long as there are plenty, since
// every reuse ties two memories together; beyond that a dead register of the same type is taken, the one that died last
// first. A register is dead when nothing of its group is live, so no view outlives its memory. Registers that borrow
// memory are never shared.
#include <algorithm>
#include <map>
#include <queue>
#include <stdexcept>

#include "bytecode/code/lives.h"
#include "bytecode/lower/lower.h"

namespace ember::bytecode::lowering {
namespace {

constexpr size_t kMostRegisters = kNoRegister;

std::vector<Life> virtual_lives(const Draft& draft) {
  LifeScan scan(draft.types.size());
  const uint32_t last = static_cast<uint32_t>(draft.steps.size() - 1);
  for (Virtual v : draft.params) {
    scan.touch(v, 0);
    scan.touch(v, last);
  }
  for (Virtual v : draft.results) scan.touch(v, last);
  for (uint32_t at = 0; at <= last; ++at) {
    const Step& step = draft.steps[at];
    for (Virtual v : step.inputs)
      if (v != kAbsent) scan.touch(v, at);
    for (Virtual v : step.outputs) scan.touch(v, at);
    if (step.op == Instruction::Jump && step.wide <= at) scan.loop(step.wide, at);
  }
  return scan.finish();
}

// Types by number, equal for identical types.
class TypeNumbers {
 public:
  uint32_t number(const Type& type) {
    std::vector<int64_t> key = {static_cast<int64_t>(type.kind), static_cast<int64_t>(type.dtype)};
    for (ops::Dim dim : type.dims) {
      key.push_back(dim.expr);
      key.push_back(dim.symbolic() ? 0 : dim.value);
    }
    return numbers_.try_emplace(std::move(key), static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<std::vector<int64_t>, uint32_t> numbers_;
};

class Allocator {
 public:
  Allocator(Draft& draft, const std::vector<CallSite>& calls, size_t plenty)
      : draft_(draft), calls_(calls), lives_(virtual_lives(draft)), registers_(draft.types.size(), kNoRegister) {
    const auto used = [](const Life& life) { return life.begin != ~0u; };
    reuse_ = static_cast<size_t>(std::count_if(lives_.begin(), lives_.end(), used)) > plenty;
    hold_groups();
  }

  std::vector<Register> run(std::vector<Type>* types) {
    types_ = types;
    for (Virtual v : draft_.params) assign(v, false);
    for (uint32_t at = 0; at < draft_.steps.size(); ++at) {
      for (; !dying_.empty() && dying_.top().first < at; dying_.pop()) release(dying_.top().second);
      const Step& step = draft_.steps[at];
      const ops::Op* applied = step.op == Instruction::Apply ? calls_[step.wide].op : nullptr;
      for (Virtual v : step.outputs)
        if (registers_[v] == kNoRegister) assign(v, reuse_ && !borrows(step.op, applied));
    }
    return std::move(registers_);
  }

 private:
  using Death = std::pair<uint32_t, Virtual>;

  void hold_groups() {
    std::vector<uint32_t> ends(lives_.size());
    for (Virtual v = 0; v < lives_.size(); ++v) {
      uint32_t& end = ends[draft_.groups.find(v)];
      if (lives_[v].begin != ~0u) end = std::max(end, lives_[v].end);
    }
    for (Virtual v = 0; v < lives_.size(); ++v) lives_[v].end = ends[draft_.groups.find(v)];
  }
  void assign(Virtual v, bool shared) {
    if (shared) {
      dying_.push({lives_[v].end, v});
      std::vector<Register>& dead = dead_[numbers_.number(draft_.types[v])];
      if (!dead.empty()) {
        registers_[v] = dead.back();
        dead.pop_back();
        return;
      }
    }
    if (types_->size() == kMostRegisters)
      throw std::length_error("function " + draft_.name + " needs more than 65535 values at once");
    registers_[v] = static_cast<Register>(types_->size());
    types_->push_back(draft_.types[v]);
  }
  void release(Virtual v) { dead_[numbers_.number(draft_.types[v])].push_back(registers_[v]); }

  Draft& draft_;
  const std::vector<CallSite>& calls_;
  std::vector<Life> lives_;
  bool reuse_ = false;
  std::vector<Register> registers_;
  std::vector<Type>* types_ = nullptr;
  TypeNumbers numbers_;
  std::unordered_map<uint32_t, std::vector<Register>> dead_;
  std::priority_queue<Death, std::vector<Death>, std::greater<>> dying_;
};

class Assembler {
 public:
  Assembler(const Draft& draft, std::vector<Register> registers) : draft_(draft), registers_(std::move(registers)) {
    uint32_t pc = 0;
    for (const Step& step : draft.steps) {
      pcs_.push_back(pc);
      pc += size(step);
    }
  }

  void run(CodeFunction& function) {
    function_ = &function;
    for (size_t at = 0; at < draft_.steps.size(); ++at) {
      const Step& step = draft_.steps[at];
      mark(step.source, pcs_[at]);
      emit(step);
    }
    for (Virtual v : draft_.params) function.params.push_back(registers_[v]);
    for (Virtual v : draft_.results) function.results.push_back(registers_[v]);
  }

 private:
  static uint32_t size(const Step& step) {
    const size_t items = 1 + step.inputs.size() + step.outputs.size();
    if (info(step.op).format == Format::List) return 1 + static_cast<uint32_t>((items + 3) / 4);
    return step.op == Instruction::Verb && step.inputs.size() == 3 ? 2 : 1;
  }
  Register at(Virtual v) const { return v == kAbsent ? kNoRegister : registers_[v]; }
  void mark(const Source& source, uint32_t pc) {
    std::vector<SourceMark>& marks = function_->sources;
    const Source last = marks.empty() ? Source{} : marks.back().source;
    if (!(source == last)) marks.push_back({pc, source});
  }
  void emit(const Step& step);
  void emit_list(const Step& step);

  const Draft& draft_;
  const std::vector<Register> registers_;
  std::vector<uint32_t> pcs_;
  CodeFunction* function_ = nullptr;
};

void Assembler::emit_list(const Step& step) {
  std::vector<uint16_t> items = {static_cast<uint16_t>(step.inputs.size())};
  for (Virtual v : step.inputs) items.push_back(at(v));
  for (Virtual v : step.outputs) items.push_back(at(v));
  if (step.inputs.size() >= kNoRegister || step.outputs.size() >= kNoRegister)
    throw std::length_error("function " + draft_.name + ": a node of more than 65534 values");
  while (items.size() % 4 != 0) items.push_back(kNoRegister);
  for (size_t i = 0; i < items.size(); i += 4) {
    Word word;
    for (size_t j = 0; j < 4; ++j) word.bits |= uint64_t{items[i + j]} << 16 * j;
    function_->words.push_back(word);
  }
}

void Assembler::emit(const Step& step) {
  const auto in = [&](size_t i) { return i < step.inputs.size() ? at(step.inputs[i]) : Register{0}; };
  const Register out = step.outputs.empty() ? Register{0} : at(step.outputs[0]);
  std::vector<Word>& words = function_->words;
  switch (info(step.op).format) {
    case Format::None:
      words.push_back(make_word(step.op, 0, 0, 0, 0));
      break;
    case Format::To:
      words.push_back(make_word(step.op, 0, out, 0, 0));
      break;
    case Format::ToFrom:
      words.push_back(make_word(step.op, 0, out, in(0), 0));
      break;
    case Format::Wide:
    case Format::ToWide:
    case Format::FromWide: {
      const bool jumps = step.op == Instruction::Jump || step.op == Instruction::Branch;
      const uint16_t a = step.outputs.empty() ? in(0) : out;
      words.push_back(make_wide(step.op, step.flags, a, jumps ? pcs_[step.wide] : step.wide));
      break;
    }
    case Format::Verb:
      words.push_back(make_word(step.op, step.flags, out, in(0), in(1)));
      if (step.inputs.size() == 3) words.push_back({uint64_t{in(2)}});
      break;
    case Format::List:
      words.push_back(make_wide(step.op, 0, static_cast<uint16_t>(step.outputs.size()), step.wide));
      emit_list(step);
      break;
  }
}

}  // namespace

CodeFunction assemble(Draft& draft, const std::vector<CallSite>& calls, size_t plenty) {
  CodeFunction function;
  function.name = draft.name;
  function.param_names = draft.param_names;
  function.loops = draft.loops;
  function.branches = draft.branches;
  std::vector<Register> registers = Allocator(draft, calls, plenty).run(&function.registers);
  Assembler(draft, std::move(registers)).run(function);
  function.lives = lives_of(function);
  return function;
}

}  // namespace ember::bytecode::lowering
