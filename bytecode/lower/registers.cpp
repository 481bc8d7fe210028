// Register allocation by linear scan, and assembly into words. Virtual registers get a real one each as long as there
// are enough, since every reuse ties two live ranges to one memory; beyond that a free register of the same type is
// taken, the one that expired last first. A live range ends with that of its whole alias set, so no view outlives its
// memory. Registers that alias memory are never reused.
#include <algorithm>
#include <map>
#include <queue>
#include <stdexcept>

#include "bytecode/code/live_ranges.h"
#include "bytecode/lower/lower.h"

namespace ember::bytecode::lowering {
namespace {

constexpr size_t kMaxRegisters = kNoRegister;

std::vector<LiveRange> virtual_live_ranges(const VirtualCode& virtual_code) {
  LiveRangeScan scan(virtual_code.types.size());
  const uint32_t last = static_cast<uint32_t>(virtual_code.instructions.size() - 1);
  for (Virtual v : virtual_code.params) {
    scan.touch(v, 0);
    scan.touch(v, last);
  }
  for (Virtual v : virtual_code.results) scan.touch(v, last);
  for (uint32_t at = 0; at <= last; ++at) {
    const VirtualInstruction& instruction = virtual_code.instructions[at];
    for (Virtual v : instruction.inputs)
      if (v != kAbsent) scan.touch(v, at);
    for (Virtual v : instruction.outputs) scan.touch(v, at);
    if (instruction.op == Instruction::Jump && instruction.wide <= at) scan.loop(instruction.wide, at);
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
      key.push_back(dim.symbolic() ? 0 : dim.hint());
    }
    return numbers_.try_emplace(std::move(key), static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<std::vector<int64_t>, uint32_t> numbers_;
};

class Allocator {
 public:
  Allocator(VirtualCode& virtual_code, const std::vector<CallSite>& calls, size_t reuse_after)
      : code_(virtual_code),
        calls_(calls),
        live_ranges_(virtual_live_ranges(virtual_code)),
        registers_(virtual_code.types.size(), kNoRegister) {
    const auto used = [](const LiveRange& range) { return range.begin != ~0u; };
    reuse_ = static_cast<size_t>(std::count_if(live_ranges_.begin(), live_ranges_.end(), used)) > reuse_after;
    extend_to_alias_sets();
  }

  std::vector<Register> run(std::vector<Type>* types) {
    types_ = types;
    for (Virtual v : code_.params) assign(v, false);
    for (uint32_t at = 0; at < code_.instructions.size(); ++at) {
      for (; !active_.empty() && active_.top().first < at; active_.pop()) expire(active_.top().second);
      const VirtualInstruction& instruction = code_.instructions[at];
      const ops::Op* applied = instruction.op == Instruction::Apply ? calls_[instruction.wide].op : nullptr;
      for (Virtual v : instruction.outputs)
        if (registers_[v] == kNoRegister) assign(v, reuse_ && !aliases_memory(instruction.op, applied));
    }
    return std::move(registers_);
  }

 private:
  using Expiry = std::pair<uint32_t, Virtual>;

  void extend_to_alias_sets() {
    std::vector<uint32_t> ends(live_ranges_.size());
    for (Virtual v = 0; v < live_ranges_.size(); ++v) {
      uint32_t& end = ends[code_.alias_sets.find(v)];
      if (live_ranges_[v].begin != ~0u) end = std::max(end, live_ranges_[v].end);
    }
    for (Virtual v = 0; v < live_ranges_.size(); ++v) live_ranges_[v].end = ends[code_.alias_sets.find(v)];
  }
  void assign(Virtual v, bool shared) {
    if (shared) {
      active_.push({live_ranges_[v].end, v});
      std::vector<Register>& pool = free_[numbers_.number(code_.types[v])];
      if (!pool.empty()) {
        registers_[v] = pool.back();
        pool.pop_back();
        return;
      }
    }
    if (types_->size() == kMaxRegisters)
      throw std::length_error("function " + code_.name + " needs more than 65535 values at once");
    registers_[v] = static_cast<Register>(types_->size());
    types_->push_back(code_.types[v]);
  }
  void expire(Virtual v) { free_[numbers_.number(code_.types[v])].push_back(registers_[v]); }

  VirtualCode& code_;
  const std::vector<CallSite>& calls_;
  std::vector<LiveRange> live_ranges_;
  bool reuse_ = false;
  std::vector<Register> registers_;
  std::vector<Type>* types_ = nullptr;
  TypeNumbers numbers_;
  std::unordered_map<uint32_t, std::vector<Register>> free_;
  std::priority_queue<Expiry, std::vector<Expiry>, std::greater<>> active_;
};

class Assembler {
 public:
  Assembler(const VirtualCode& virtual_code, std::vector<Register> registers)
      : code_(virtual_code), registers_(std::move(registers)) {
    uint32_t pc = 0;
    for (const VirtualInstruction& instruction : virtual_code.instructions) {
      pcs_.push_back(pc);
      pc += size(instruction);
    }
  }

  void run(CodeFunction& function) {
    function_ = &function;
    for (size_t at = 0; at < code_.instructions.size(); ++at) {
      const VirtualInstruction& instruction = code_.instructions[at];
      mark(instruction.source, pcs_[at]);
      emit(instruction);
    }
    for (Virtual v : code_.params) function.params.push_back(registers_[v]);
    for (Virtual v : code_.results) function.results.push_back(registers_[v]);
  }

 private:
  static uint32_t size(const VirtualInstruction& instruction) {
    const size_t items = 1 + instruction.inputs.size() + instruction.outputs.size();
    if (info(instruction.op).format == Format::List) return 1 + static_cast<uint32_t>((items + 3) / 4);
    return instruction.op == Instruction::Verb && instruction.inputs.size() == 3 ? 2 : 1;
  }
  Register at(Virtual v) const { return v == kAbsent ? kNoRegister : registers_[v]; }
  void mark(const Source& source, uint32_t pc) {
    std::vector<SourceMark>& marks = function_->sources;
    const Source last = marks.empty() ? Source{} : marks.back().source;
    if (!(source == last)) marks.push_back({pc, source});
  }
  void emit(const VirtualInstruction& instruction);
  void emit_list(const VirtualInstruction& instruction);

  const VirtualCode& code_;
  const std::vector<Register> registers_;
  std::vector<uint32_t> pcs_;
  CodeFunction* function_ = nullptr;
};

void Assembler::emit_list(const VirtualInstruction& instruction) {
  std::vector<uint16_t> items = {static_cast<uint16_t>(instruction.inputs.size())};
  for (Virtual v : instruction.inputs) items.push_back(at(v));
  for (Virtual v : instruction.outputs) items.push_back(at(v));
  if (instruction.inputs.size() >= kNoRegister || instruction.outputs.size() >= kNoRegister)
    throw std::length_error("function " + code_.name + ": a node of more than 65534 values");
  while (items.size() % 4 != 0) items.push_back(kNoRegister);
  for (size_t i = 0; i < items.size(); i += 4) {
    Word word;
    for (size_t j = 0; j < 4; ++j) word.bits |= uint64_t{items[i + j]} << 16 * j;
    function_->words.push_back(word);
  }
}

void Assembler::emit(const VirtualInstruction& instruction) {
  const auto in = [&](size_t i) { return i < instruction.inputs.size() ? at(instruction.inputs[i]) : Register{0}; };
  const Register out = instruction.outputs.empty() ? Register{0} : at(instruction.outputs[0]);
  std::vector<Word>& words = function_->words;
  switch (info(instruction.op).format) {
    case Format::None:
      words.push_back(make_word(instruction.op, 0, 0, 0, 0));
      break;
    case Format::To:
      words.push_back(make_word(instruction.op, 0, out, 0, 0));
      break;
    case Format::ToFrom:
      words.push_back(make_word(instruction.op, 0, out, in(0), 0));
      break;
    case Format::Wide:
    case Format::ToWide:
    case Format::FromWide: {
      const bool jumps = instruction.op == Instruction::Jump || instruction.op == Instruction::Branch;
      const uint16_t a = instruction.outputs.empty() ? in(0) : out;
      words.push_back(
          make_wide(instruction.op, instruction.flags, a, jumps ? pcs_[instruction.wide] : instruction.wide));
      break;
    }
    case Format::Verb:
      words.push_back(make_word(instruction.op, instruction.flags, out, in(0), in(1)));
      if (instruction.inputs.size() == 3) words.push_back({uint64_t{in(2)}});
      break;
    case Format::List:
      words.push_back(
          make_wide(instruction.op, 0, static_cast<uint16_t>(instruction.outputs.size()), instruction.wide));
      emit_list(instruction);
      break;
  }
}

}  // namespace

CodeFunction assemble(VirtualCode& virtual_code, const std::vector<CallSite>& calls, size_t reuse_after) {
  CodeFunction function;
  function.name = virtual_code.name;
  function.param_names = virtual_code.param_names;
  function.loops = virtual_code.loops;
  function.branches = virtual_code.branches;
  std::vector<Register> registers = Allocator(virtual_code, calls, reuse_after).run(&function.registers);
  Assembler(virtual_code, std::move(registers)).run(function);
  function.live_ranges = live_ranges_of(function);
  return function;
}

}  // namespace ember::bytecode::lowering
