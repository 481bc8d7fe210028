#include "vm/bind/bound.h"

#include <algorithm>

#include "vm/bind/binding.h"

namespace ember::vm {

using bytecode::Instruction;

BoundFunction::BoundFunction(Binding& binding, uint32_t number, std::span<const ops::LayoutRef> params)
    : binding(&binding),
      code(&binding.code()),
      function(&code->functions[number]),
      decoded(&binding.decoded().function(number)),
      number(number),
      instructions(decoded->instructions),
      registers(function->registers.size()) {
  for (size_t r = 0; r < registers.size(); ++r) {
    registers[r].live = function->live_ranges[r];
    registers[r].writers = decoded->writers[r];
  }
  for (uint32_t i = 0; i < function->params.size(); ++i) {
    const Register r = function->params[i];
    if (!tensor(r)) continue;
    registers[r].place = Place::Param;
    registers[r].layout = params[i];
    registers[r].index = i;
  }
}

bool BoundFunction::assigns(const BoundInstruction& d) const {
  return d.op == Instruction::Apply && op(d).flags.has(ops::Flag::Assigns);
}

bool BoundFunction::dynamic(const BoundInstruction& d) const {
  if (d.op != Instruction::Apply) return false;
  const bytecode::CallSite& call = code->calls[d.word.wide()];
  return !all_dims(call.attrs, [&](ops::Dim dim) { return !binding->dynamic(dim); });
}

bool BoundFunction::updates(const BoundInstruction& d) const {
  return d.op == Instruction::Apply && op(d).flags.has(ops::Flag::Updates);
}

bool BoundFunction::steps_in_others_memory(const BoundInstruction& d) const {
  return d.runs == Runs::Step && !d.outputs.empty() && registers[d.outputs[0]].place == Place::Alias;
}

std::vector<Register> BoundFunction::written_params() const {
  std::vector<Register> written;
  if (number == code->entry) {
    for (const auto& [param, result] : binding->options().overwrites)
      if (root(function->results[result]) == function->params[param]) written.push_back(function->params[param]);
  }
  for (const BoundInstruction& d : instructions) {
    const bool call = d.op == Instruction::Call;
    if (!call && (d.op != Instruction::Apply || !op(d).flags.has(ops::Flag::Memory))) continue;
    for (size_t i = 0; i < d.inputs.size(); ++i) {
      const Register r = d.inputs[i];
      if (r == kNoRegister || function->registers[r].kind != ops::Kind::Ref) continue;
      if (!call || binding->decoded().writes(d.word.wide(), i)) written.push_back(root(r));
    }
  }
  return written;
}

bool BoundFunction::returns_parameter(Register param) const {
  return std::any_of(function->results.begin(), function->results.end(),
                     [&](Register r) { return tensor(r) && root(r) == param; });
}

bool BoundFunction::ends_after(const BoundInstruction& writer, Register param) const {
  if (decoded->jump_targets.upper_bound(writer.pc) != decoded->jump_targets.end()) return false;
  const auto reads = [&](Register r) { return r != kNoRegister && root(r) == param; };
  return std::all_of(instructions.begin(), instructions.end(), [&](const BoundInstruction& d) {
    if (d.pc <= writer.pc || d.op == Instruction::Return || is_number(d) || d.runs == Runs::Constant) return true;
    if (d.op != Instruction::Fused && d.runs != Runs::Alias) return false;
    return std::none_of(d.inputs.begin(), d.inputs.end(), reads);
  });
}

void BoundFunction::make_alias(Register r, Register of, ops::LayoutRef layout, int64_t offset) {
  BoundRegister& alias = registers[r];
  const BoundRegister& source = registers[of];
  alias.place = Place::Alias;
  alias.layout = std::move(layout);
  alias.parent = root(of);
  alias.offset = offset + (source.place == Place::Alias ? source.offset : 0);
  bytecode::LiveRange& live = registers[alias.parent].live;
  live.end = std::max(live.end, alias.live.end);
}

bool has_symbols(const ops::Attrs& attrs) {
  return !all_dims(attrs, [](ops::Dim d) { return !d.symbolic(); });
}

bool is_number(const BoundInstruction& d) {
  return d.op == Instruction::Scalar || d.op == Instruction::Size || d.op == Instruction::Verb;
}

}  // namespace ember::vm
