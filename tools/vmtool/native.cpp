// Binding needs sizes, and a module knows only the hints of its symbols: the sizes of the first call. So what is listed
// is the code for these, compiled now, as the first hot call would compile it: the function's own, then the loops over
// elements that it calls.
#include "tools/vmtool/native.h"

#include <Zydis/Zydis.h>

#include <cstdio>

#include "tiers/emit/function_code.h"
#include "tiers/emit/strip_loop.h"
#include "tools/vmtool/options.h"

namespace ember::vmtool {
namespace {

std::vector<ops::LayoutRef> hinted_layouts(const bytecode::CodeFunction& f) {
  std::vector<ops::LayoutRef> layouts;
  for (bytecode::Register param : f.params) {
    const ops::Type& type = f.registers[param];
    layouts.push_back(type.is_tensor() ? ops::layout(type.dtype, hints(type.dims)) : nullptr);
  }
  return layouts;
}

std::vector<int64_t> hinted_dims(const ops::SymbolTable& symbols) {
  std::vector<int64_t> values;
  for (const ops::SymbolExpr& e : symbols.exprs())
    if (e.op == ops::SymbolOp::Symbol) values.push_back(e.hint);
  return symbols.evaluate(values);
}

// The cache pads code with zeros.
size_t size_without_padding(const tiers::CodeBlock& block) {
  const auto* code = static_cast<const uint8_t*>(block.address());
  size_t size = block.size();
  while (size > 0 && code[size - 1] == 0) --size;
  return size;
}

// From one offset to another, or to behind the first return.
std::string machine_code(const tiers::CodeBlock& block, size_t from, size_t to, bool to_return = false) {
  const auto* code = static_cast<const uint8_t*>(block.address());
  const auto base = reinterpret_cast<uint64_t>(code);
  std::string out;
  while (from < to) {
    ZydisDisassembledInstruction instruction;
    const ZyanStatus status =
        ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, base + from, code + from, to - from, &instruction);
    char line[160];
    if (!ZYAN_SUCCESS(status)) {
      std::snprintf(line, sizeof(line), "          %6zx  .byte 0x%02x\n", from, code[from]);
      ++from;
    } else {
      std::snprintf(line, sizeof(line), "          %6zx  %s\n", from, instruction.text);
      from += instruction.info.length;
      if (to_return && instruction.info.mnemonic == ZYDIS_MNEMONIC_RET) from = to;
    }
    out += line;
  }
  return out;
}

std::string loop_listing(const vm::FunctionBinding& bound, const vm::Step& step) {
  const vm::PreparedOperands& operands = *step.operands;
  const std::vector<ops::View> all = bound.layouts(operands);
  const std::span<const ops::View> views(all), in = views.first(operands.inputs);
  const ops::Expr& expr = operands.program->expr();
  std::string why;
  const gc::Ref<tiers::CodeBlock> block =
      step.kind == vm::Handler::Reduce
          ? tiers::compile_reduce_loop(
                expr, ops::Program::uniform_in_reduce(in, operands.reduction->space, operands.reduction->by.axes),
                operands.reduction->by.kind, &why)
          : tiers::compile_strip_loop(expr, ops::Program::uniform_in_run(in, views.subspan(operands.inputs)), &why);
  const std::string what = bytecode::disassemble_instruction(bound.code(), bound.number(), step.pc);
  if (!block) return "\nno loop of its own, " + why + ":\n" + what + "\n";
  return "\nloop, with its constants " + std::to_string(size_without_padding(*block)) + " bytes, of\n" + what + "\n" +
         machine_code(*block, 0, block->size(), true);
}

}  // namespace

std::string native_listing(const bytecode::CodeRef& code, uint32_t function) {
  const auto binding =
      gc::make<vm::Binding>(gc::make<vm::DecodedCode>(code), hinted_dims(code->symbols), vm::BindOptions{});
  vm::FunctionBinding& bound = binding->function(function, hinted_layouts(code->functions[function]));
  std::string why;
  const gc::Ref<tiers::NativeFunction> native = tiers::compile_function(bound, {}, &why);
  if (!native) throw UsageError("no native code for " + code->functions[function].name + ": " + why);
  const size_t size = size_without_padding(*native->code);
  std::string out = "native code of " + code->functions[function].name + ": " + std::to_string(size) + " bytes\n";
  const std::vector<tiers::NativeFunction::Mark>& marks = native->marks;
  out += machine_code(*native->code, 0, marks.empty() ? size : marks[0].offset);
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].pc < code->functions[function].words.size())
      out += bytecode::disassemble_instruction(*code, function, marks[i].pc) + "\n";
    out += machine_code(*native->code, marks[i].offset, i + 1 < marks.size() ? marks[i + 1].offset : size);
  }
  for (const tiers::NativeFunction::Mark& mark : marks)
    if (mark.loop) out += loop_listing(bound, *mark.loop);
  return out;
}

}  // namespace ember::vmtool
