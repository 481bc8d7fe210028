// Which results of elementwise instructions are written to the Parameters that they are assigned to, so that a step of
// an optimizer is one pass, or to the arguments that the caller gives them to after the call. Nobody but the assignment
// or the caller reads such a result. Between it and an assignment there are only numbers, views and other assignments;
// after it until the end what cannot fail and does not read the argument. What is written in an entry function shares
// no memory with other such, constants (BindOptions::written_unaliased) and plain arguments; functions that code calls
// do not know that of theirs.
//
// A Parameter of which parts are replaced (Flag::Updates) is updated where they are computed, if until it is assigned
// nobody reads what it was and nothing fails. Others read the new value there: then the function assigns it only once.
//
//     %1 = Load(%w)          r2 = parameter 0 (alias)            %1 = Add(%a, %b)    r2 = parameter 0 (alias)
//     %2 = Sub(%1, %g)       r3 = parameter 0 (alias)            Return(%1)          overwrites: {parameter 0, result
//     0} Assign(%w, %2)         updated: nothing is left to do
#include <algorithm>

#include "vm/bind/binding.h"
#include "vm/bind/passes.h"

namespace ember::vm {

using bytecode::Instruction;

namespace {

// Whether a result is an operand as it is, which then may be read after another result was stored.
bool passes_through(const ops::Expr& expr) {
  return std::any_of(expr.outputs.begin(), expr.outputs.end(),
                     [&](ops::NodeId id) { return expr.nodes[id].verb == ops::Verb::Input; });
}

// How often each register, or what lies in it, is read.
std::vector<uint32_t> count_reads(const BoundFunction& bound) {
  std::vector<uint32_t> reads(bound.registers.size());
  for (const BoundInstruction& d : bound.instructions)
    for (Register r : d.inputs)
      if (r != kNoRegister) ++reads[bound.root(r)];
  for (Register r : bound.function->results) ++reads[bound.root(r)];
  return reads;
}

// Whether a result of `d` that nobody but its assignment reads may lie in the Ref.
bool may_lie_in(const BoundFunction& bound, const BoundInstruction& d, Register result, Register ref) {
  const BoundRegister& from = bound.registers[result];
  const BoundRegister& to = bound.registers[ref];
  if (from.place != Place::Arena || to.place != Place::Param || from.layout != to.layout) return false;
  return from.writers == 1 && std::all_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
           if (r == kNoRegister || !bound.tensor(r) || bound.root(r) != ref) return true;
           return bound.registers[r].layout == to.layout && bound.whole(r);
         });
}

bool is_result_of(const BoundInstruction& d, Register r) {
  return std::find(d.outputs.begin(), d.outputs.end(), r) != d.outputs.end();
}

void update_parameters(BoundFunction& bound) {
  std::vector<BoundInstruction>& all = bound.instructions;
  const std::vector<uint32_t> reads = count_reads(bound);
  const std::set<uint32_t>& targets = bound.decoded->jump_targets;
  for (size_t i = 0; i < all.size(); ++i) {
    const BoundInstruction& d = all[i];
    if (d.op != Instruction::Fused || passes_through(*bound.code->fused[d.word.wide()].expr)) continue;
    std::set<Register> taken;
    for (size_t j = i + 1; j < all.size() && !targets.contains(all[j].pc); ++j) {
      BoundInstruction& next = all[j];
      if (is_number(next) || next.runs == Runs::Alias) continue;
      if (!bound.assigns(next) || !next.outputs.empty()) break;
      const Register ref = next.inputs[0], value = next.inputs[1];
      if (!is_result_of(d, value) || taken.contains(ref) || reads[value] != 1 || !may_lie_in(bound, d, value, ref))
        break;
      bound.make_alias(value, ref, bound.registers[ref].layout, 0);
      next.runs = Runs::Updated;
      taken.insert(ref);
    }
  }
}

// The updates, last first, whose result an instruction assigns to a Ref; the first of them is of what the Ref was.
std::vector<size_t> updates_of(const BoundFunction& bound, const BoundInstruction& assign) {
  const Register ref = assign.inputs[0];
  const BoundRegister& to = bound.registers[ref];
  std::vector<size_t> chain;
  Register value = assign.inputs[1];
  while (true) {
    const BoundRegister& reg = bound.registers[value];
    if (reg.layout != to.layout || to.place != Place::Param) return {};
    if (bound.root(value) == ref) return bound.whole(value) ? chain : std::vector<size_t>();
    if (reg.place != Place::Arena || reg.writers != 1) return {};
    const auto writer =
        std::ranges::find_if(bound.instructions, [&](const BoundInstruction& d) { return is_result_of(d, value); });
    if (writer == bound.instructions.end() || !bound.updates(*writer)) return {};
    chain.push_back(static_cast<size_t>(writer - bound.instructions.begin()));
    value = writer->inputs[0];
  }
}

// Whether what comes after an instruction always follows.
bool goes_on(const BoundFunction& bound, const BoundInstruction& d) {
  switch (d.op) {
    case Instruction::Apply: {
      const ops::Flags flags = bound.op(d).flags;
      return !flags.has(ops::Flag::RaisesOnValue) && !flags.has(ops::Flag::Raises) && !flags.has(ops::Flag::Io);
    }
    case Instruction::Fused:
    case Instruction::FusedReduce:
    case Instruction::Const:
    case Instruction::Load:
    case Instruction::Item:
    case Instruction::ToTensor:
    case Instruction::Move:
      return true;
    default:
      return is_number(d);
  }
}

bool writes(const BoundFunction& bound, const BoundInstruction& d, Register ref) {
  const bool memory = d.op == Instruction::Apply && bound.op(d).flags.has(ops::Flag::Memory);
  return (memory || d.op == Instruction::Call) && std::ranges::find(d.inputs, ref) != d.inputs.end();
}

// Whether the updates may be made in the Ref itself. `reads`: of registers, with what lies in them.
bool may_update(const BoundFunction& bound, const std::vector<size_t>& chain, size_t assign,
                const std::vector<uint32_t>& reads) {
  const std::vector<BoundInstruction>& all = bound.instructions;
  const Register ref = all[assign].inputs[0], value = all[assign].inputs[1];
  const std::set<uint32_t>& targets = bound.decoded->jump_targets;
  const auto reads_ref = [&](Register r) { return r != kNoRegister && bound.tensor(r) && bound.root(r) == ref; };
  for (size_t i = 0; i < all.size(); ++i)
    if (i != assign && reads[value] != 1 && writes(bound, all[i], ref)) return false;
  for (size_t i = chain.back(); i < assign; ++i) {
    const BoundInstruction& d = all[i];
    const bool first = i == chain.back();
    if (std::any_of(d.inputs.begin() + first, d.inputs.end(), reads_ref) || writes(bound, d, ref)) return false;
    if (!first && (targets.contains(d.pc) || !goes_on(bound, d))) return false;
  }
  for (size_t i : chain) {
    const Register output = all[i].outputs[0], part = all[i].inputs[1];
    if (output != value && reads[output] != 1) return false;
    if (bound.tensor(part) && bound.root(part) == bound.root(all[i].inputs[0])) return false;
  }
  return !targets.contains(all[assign].pc) && std::ranges::none_of(bound.function->results, [&](Register r) {
    return bound.tensor(r) && bound.root(r) == value;
  });
}

void update_regions(BoundFunction& bound) {
  const std::vector<uint32_t> reads = count_reads(bound);
  for (size_t i = 0; i < bound.instructions.size(); ++i) {
    BoundInstruction& assign = bound.instructions[i];
    if (assign.runs != Runs::Step || !bound.assigns(assign) || !assign.outputs.empty()) continue;
    const std::vector<size_t> chain = updates_of(bound, assign);
    if (chain.empty() || chain.front() > i || !may_update(bound, chain, i, reads)) continue;
    const Register ref = assign.inputs[0];
    for (size_t at : chain) {
      const Register value = bound.instructions[at].outputs[0];
      bound.make_alias(value, ref, bound.registers[ref].layout, 0);
      for (BoundRegister& view : bound.registers)
        if (view.place == Place::Alias && view.parent == value) view.parent = ref;
    }
    assign.runs = Runs::Updated;
  }
}

// Whether an elementwise instruction would be the epilogue of a kernel (attach_epilogues.cpp): that is worth more.
bool follows_kernel(const BoundFunction& bound, const BoundInstruction& d) {
  return std::any_of(bound.instructions.begin(), bound.instructions.end(), [&](const BoundInstruction& from) {
    return from.op == Instruction::Apply && bound.op(from).flags.has(ops::Flag::SupportsEpilogue) &&
           std::find(d.inputs.begin(), d.inputs.end(), from.outputs[0]) != d.inputs.end();
  });
}

void overwrite_arguments(BoundFunction& bound) {
  const std::vector<uint32_t> reads = count_reads(bound);
  for (const auto& [param, result] : bound.binding->options().overwrites) {
    const Register argument = bound.function->params[param], value = bound.function->results[result];
    if (!bound.tensor(value) || reads[value] != 1 || bound.returns_parameter(argument)) continue;
    const auto writer = std::find_if(bound.instructions.begin(), bound.instructions.end(),
                                     [&](const BoundInstruction& d) { return is_result_of(d, value); });
    if (writer == bound.instructions.end() || writer->op != Instruction::Fused ||
        passes_through(*bound.code->fused[writer->word.wide()].expr) || follows_kernel(bound, *writer) ||
        !may_lie_in(bound, *writer, value, argument) || !bound.ends_after(*writer, argument))
      continue;
    bound.make_alias(value, argument, bound.registers[argument].layout, 0);
  }
}

}  // namespace

BoundFunction update_in_place(BoundFunction bound) {
  const BindOptions& options = bound.binding->options();
  if (!options.reuse_memory || !options.written_unaliased || bound.number != bound.code->entry) return bound;
  const std::vector<BoundInstruction>& all = bound.instructions;
  const bool assigns = std::any_of(all.begin(), all.end(), [&](const BoundInstruction& d) { return bound.assigns(d); });
  if ((!assigns && options.overwrites.empty()) || bound.binding->decoded().calls_entry()) return bound;
  if (assigns) update_parameters(bound);
  if (assigns) update_regions(bound);
  if (!options.overwrites.empty()) overwrite_arguments(bound);
  return bound;
}

}  // namespace ember::vm
