#include "vm/bind/decoded.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ember::vm {

using bytecode::Instruction;

namespace {

// Equal for equal types.
std::vector<uint64_t> key_of(const ops::Type& type) {
  std::vector<uint64_t> key = {static_cast<uint64_t>(type.kind), static_cast<uint64_t>(type.dtype)};
  for (ops::Dim d : type.dims) {
    key.push_back(d.symbolic());
    key.push_back(d.symbolic() ? d.expr : static_cast<uint64_t>(d.hint()));
  }
  return key;
}

}  // namespace

DecodedFunction::DecodedFunction(const bytecode::Code& code, uint32_t number) {
  const bytecode::CodeFunction& fn = code.functions[number];
  writers.resize(fn.registers.size());
  for (Register r : fn.params) ++writers[r];
  std::vector<bytecode::Decoded> all;
  size_t count = 0;
  for (uint32_t pc = 0; pc < fn.words.size(); pc = all.back().next) {
    all.push_back(decode(fn, pc));
    count += all.back().inputs.size() + all.back().outputs.size();
  }
  operands.reserve(count);
  instructions.reserve(all.size());
  for (const bytecode::Decoded& d : all) {
    const Register* at = operands.data() + operands.size();
    operands.insert(operands.end(), d.inputs.begin(), d.inputs.end());
    operands.insert(operands.end(), d.outputs.begin(), d.outputs.end());
    for (Register r : d.outputs) ++writers[r];
    instructions.push_back(
        {d.op, d.word, d.pc, d.next, {at, d.inputs.size()}, {at + d.inputs.size(), d.outputs.size()}});
    if (d.op == Instruction::Jump || d.op == Instruction::Branch) jump_targets.insert(d.word.wide());
    takes_images |= d.op == Instruction::Apply && !code.calls[d.word.wide()].op->images.empty();
  }
  prepared.resize(instructions.size());
  std::map<std::vector<uint64_t>, uint32_t> numbers;
  for (const ops::Type& type : fn.registers)
    type_numbers.push_back(numbers.emplace(key_of(type), static_cast<uint32_t>(numbers.size())).first->second);
  types = static_cast<uint32_t>(numbers.size());
}

DecodedCode::DecodedCode(bytecode::CodeRef code) : code_(std::move(code)) {
  functions_.reserve(code_->functions.size());
  for (uint32_t i = 0; i < code_->functions.size(); ++i) {
    for (const BoundInstruction& d : functions_.emplace_back(*code_, i).instructions)
      calls_entry_ |= d.op == Instruction::Call && d.word.wide() == code_->entry;
  }
  find_writes();
}

// What calls pass on is followed until nothing is added.
void DecodedCode::find_writes() {
  struct RefArgument {
    uint32_t function, callee;
    size_t param, as;
  };
  std::vector<RefArgument> ref_arguments;
  for (const bytecode::CodeFunction& fn : code_->functions) {
    const auto number = static_cast<uint32_t>(writes_.size());
    std::vector<bool>& written = writes_.emplace_back(fn.params.size());
    std::map<Register, size_t> refs;
    for (size_t i = 0; i < fn.params.size(); ++i)
      if (fn.registers[fn.params[i]].kind == ops::Kind::Ref) refs.emplace(fn.params[i], i);
    if (refs.empty()) continue;
    for (const BoundInstruction& d : functions_[number].instructions) {
      const bool call = d.op == Instruction::Call;
      if (!call && (d.op != Instruction::Apply || !code_->calls[d.word.wide()].op->flags.has(ops::Flag::Memory)))
        continue;
      for (size_t i = 0; i < d.inputs.size(); ++i) {
        const auto ref = refs.find(d.inputs[i]);
        if (ref == refs.end()) continue;
        if (call) ref_arguments.push_back({number, d.word.wide(), ref->second, i});
        if (!call) written[ref->second] = true;
      }
    }
  }
  for (bool more = true; std::exchange(more, false);) {
    for (const RefArgument& p : ref_arguments) {
      if (!writes_[p.callee][p.as] || writes_[p.function][p.param]) continue;
      writes_[p.function][p.param] = more = true;
    }
  }
}

}  // namespace ember::vm
