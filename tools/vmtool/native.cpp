// Binding needs sizes, and a module knows only the hints of its symbols: the sizes of the first call. So what is listed
// is the code for these, compiled now, as the first hot call would compile it.
#include "tools/vmtool/native.h"

#include <Zydis/Zydis.h>

#include <cstdio>

#include "tiers/emit/function_code.h"
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
  for (const ops::DimExpr& e : symbols.exprs())
    if (e.op == ops::DimOp::Symbol) values.push_back(e.value);
  return symbols.evaluate(values);
}

// The cache pads code with zeros.
size_t size_without_padding(const tiers::NativeFunction& native) {
  const auto* code = static_cast<const uint8_t*>(native.code->address());
  size_t size = native.code->size();
  while (size > 0 && code[size - 1] == 0) --size;
  return size;
}

std::string machine_code(const tiers::NativeFunction& native, size_t from, size_t to) {
  const auto* code = static_cast<const uint8_t*>(native.code->address());
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
    }
    out += line;
  }
  return out;
}

}  // namespace

std::string native_listing(const bytecode::CodeRef& code, uint32_t function) {
  const auto binding = gc::make<vm::Binding>(code, hinted_dims(code->symbols), vm::BindOptions{});
  vm::FunctionBinding& bound = binding->function(function, hinted_layouts(code->functions[function]));
  std::string why;
  const gc::Ref<tiers::NativeFunction> native = tiers::compile_function(bound, {}, &why);
  if (!native) throw UsageError("no native code for " + code->functions[function].name + ": " + why);
  const size_t size = size_without_padding(*native);
  std::string out = "native code of " + code->functions[function].name + ": " + std::to_string(size) + " bytes\n";
  const std::vector<tiers::NativeFunction::Mark>& marks = native->marks;
  out += machine_code(*native, 0, marks.empty() ? size : marks[0].offset);
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].pc < code->functions[function].words.size())
      out += bytecode::disassemble_instruction(*code, function, marks[i].pc) + "\n";
    out += machine_code(*native, marks[i].offset, i + 1 < marks.size() ? marks[i + 1].offset : size);
  }
  return out;
}

}  // namespace ember::vmtool
