// Binding needs sizes, and a module knows only the hints of its symbols: the sizes of the first call. So what is
// compiled now is the code for these, as the first hot call would compile it, without a profile: no side of a branch is
// assumed. What a process dumped is its own code: of its sizes, with what it assumed.
#include "tiers/vmtool/native.h"

#include <algorithm>
#include <filesystem>

#include "tiers/vmtool/machine_code.h"
#include "tiers/vmtool/options.h"
#include "tiers/vmtool/read_file.h"

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

std::string instruction(const bytecode::Code& code, uint32_t function, uint32_t pc) {
  if (pc >= code.functions[function].words.size()) return "";
  return bytecode::disassemble_instruction(code, function, pc) + "\n";
}

MachineCode machine_code(const tiers::NativeImage& image) {
  MachineCode out{image.address, image.code, image.end, {}, image.names};
  std::map<size_t, std::string> names;
  for (const tiers::NativeImage::Place& step : image.steps) names[step.offset] = "at_" + std::to_string(step.pc);
  for (const tiers::NativeImage::Exit& exit : image.exits)
    names[exit.offset] = "exit_at_" + std::to_string(exit.pc) + "_" + exit.reason;
  for (const tiers::NativeImage::Place& entry : image.entries)
    out.labels[entry.offset] = entry.pc == 0 ? "entry" : "entry_at_" + std::to_string(entry.pc);
  add_labels(&out, names);
  return out;
}

std::string heading(const bytecode::Code& code, const tiers::NativeImage& image) {
  std::string out = "native code of " + code.functions[image.function].name + "(";
  for (size_t i = 0; i < image.params.size(); ++i) out += (i ? ", " : "") + image.params[i];
  out += "): " + std::to_string(image.code.size()) + " bytes\n";
  for (size_t i = 0; i < image.branches.size(); ++i)
    if (image.branches[i] >= 0)
      out += "assumed: branch " + std::to_string(i) + " is always " + (image.branches[i] ? "true" : "false") + "\n";
  return out;
}

std::string loop_listing(const bytecode::Code& code, uint32_t function, const tiers::NativeImage::Loop& loop) {
  const std::string what = instruction(code, function, loop.pc);
  if (loop.code.empty()) return "\nno loop of its own, " + loop.why_not + ":\n" + what;
  MachineCode machine{0, loop.code, end_of_instructions(loop.code), {}, {}};
  add_labels(&machine, {});
  return "\nloop of " + std::to_string(loop.code.size()) + " bytes\n" + what + listing(machine, 0, machine.end);
}

}  // namespace

tiers::NativeImage compiled_now(const bytecode::CodeRef& code, uint32_t function) {
  const auto binding =
      gc::make<vm::Binding>(gc::make<vm::DecodedCode>(code), hinted_dims(code->symbols), vm::BindOptions{});
  const vm::FunctionBinding& bound = binding->function(function, hinted_layouts(code->functions[function]));
  std::string why;
  const gc::Ref<tiers::NativeFunction> native = tiers::compile_function(bound, {}, &why);
  if (!native) throw UsageError("no native code for " + code->functions[function].name + ": " + why);
  return image_of(bound, *native);
}

std::vector<tiers::NativeImage> dumped_beside(const std::string& module, const bytecode::Code& code) {
  const std::filesystem::path path(module);
  const std::string beginning = path.filename().string() + ".native-";
  std::vector<std::pair<size_t, std::string>> files;
  std::error_code none;
  for (const auto& entry :
       std::filesystem::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(beginning))
      files.emplace_back(std::strtoul(name.c_str() + beginning.size(), nullptr, 10), entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<tiers::NativeImage> images;
  for (const auto& [number, file] : files) {
    std::string why;
    const std::optional<std::string> bytes = read_file(file, &why);
    if (!bytes) throw UsageError(file + " " + why);
    images.push_back(tiers::decode_image(std::as_bytes(std::span(*bytes))));
    if (images.back().function >= code.functions.size()) throw UsageError(file + " is of another module");
  }
  return images;
}

std::string native_listing(const bytecode::Code& code, const tiers::NativeImage& image) {
  const MachineCode machine = machine_code(image);
  std::string out = heading(code, image);
  const auto& steps = image.steps;
  out += listing(machine, 0, steps.empty() ? image.end : steps[0].offset);
  for (size_t i = 0; i < steps.size(); ++i) {
    out += instruction(code, image.function, steps[i].pc);
    out += listing(machine, steps[i].offset, i + 1 < steps.size() ? steps[i + 1].offset : image.end);
  }
  for (const tiers::NativeImage::Loop& loop : image.loops) out += loop_listing(code, image.function, loop);
  return out;
}

}  // namespace ember::vmtool
