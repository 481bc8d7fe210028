// Gives every tensor that an instruction writes a layout and a place: a constant's, an alias of another register for
// loads and for views that need no copy, else the arena, in the order of its dims. Only a register with one writer is
// an alias. Of a view by dynamic attributes, and of what is an alias of its result, a step finds the offset.
#include "vm/bind/binding.h"
#include "vm/bind/passes.h"

namespace ember::vm {

using bytecode::Instruction;

namespace {

bool place_alias(BoundFunction& bound, BoundInstruction& d) {
  if (d.outputs.size() != 1 || bound.registers[d.outputs[0]].writers != 1) return false;
  ops::LayoutRef layout;
  int64_t offset = 0;
  if (d.op == Instruction::Load) {
    layout = bound.registers[d.inputs[0]].layout;
  } else {
    if (d.op != Instruction::Apply || !bound.op(d).view || !bound.tensor(d.inputs[0])) return false;
    ops::Attrs storage;
    const ops::Attrs& attrs = bound.binding->evaluate(bound.code->calls[d.word.wide()].attrs, &storage);
    if (!bound.op(d).view(*bound.registers[d.inputs[0]].layout, attrs, &layout, &offset)) return false;
  }
  const bool dynamic = bound.dynamic(d) || bound.registers[d.inputs[0]].dynamic;
  bound.make_alias(d.outputs[0], d.inputs[0], std::move(layout), offset);
  bound.registers[d.outputs[0]].dynamic = dynamic;
  if (!dynamic) d.runs = Runs::Alias;
  return true;
}

}  // namespace

BoundFunction place_registers(BoundFunction bound) {
  std::vector<ops::LayoutRef> by_type(bound.decoded->types);
  const auto row_major = [&](Register r) {
    ops::LayoutRef& layout = by_type[bound.decoded->type_numbers[r]];
    const ops::Type& type = bound.function->registers[r];
    if (!layout) layout = ops::layout(type.dtype, bound.binding->shape(type));
    return layout;
  };
  for (BoundInstruction& d : bound.instructions) {
    if (d.op == Instruction::Const) d.runs = Runs::Constant;
    for (Register r : d.outputs) {
      BoundRegister& reg = bound.registers[r];
      if (!bound.tensor(r) || reg.layout) continue;
      if (d.op == Instruction::Const) {
        reg.place = Place::Constant;
        reg.index = d.word.wide();
        reg.layout = bound.code->constants[reg.index].layout_ref();
      } else if (!place_alias(bound, d)) {
        reg.place = Place::Arena;
        reg.layout = row_major(r);
      }
    }
  }
  return bound;
}

}  // namespace ember::vm
