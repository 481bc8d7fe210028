// `disasm` and `verify`: loading verifies, so what either sees is well formed. `disasm --bound` lists functions as
// bound to the shapes that are given, or else to the hints of the entry's dims.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <vector>

#include "bytecode/code/module_file.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/native.h"
#include "tiers/vmtool/paint.h"
#include "tiers/vmtool/runner.h"
#include "tiers/vmtool/source_lines.h"

namespace ember::vmtool {
namespace {

uint32_t find_function(const bytecode::Code& code, const std::string& name) {
  for (uint32_t f = 0; f < code.functions.size(); ++f)
    if (code.functions[f].name == name || std::to_string(f) == name) return f;
  throw UsageError("the module has no function '" + name + "'");
}

// The listing, with the user's line behind every "  # FILE:NUMBER", if the file is there.
std::string with_source(const std::string& listing) {
  std::istringstream in(listing);
  std::string out;
  for (std::string line; std::getline(in, line); out += line + "\n") {
    const size_t colon = line.rfind(':');
    if (line.rfind("  # ", 0) != 0 || colon == std::string::npos) continue;
    line += source_line(line.substr(4, colon - 4), std::strtoul(line.c_str() + colon + 1, nullptr, 10));
  }
  return out;
}

// "2,3" or "(2, 3)".
ops::Shape parse_shape(const std::string& text) {
  ops::Shape shape;
  std::istringstream in(text);
  std::string digits;
  const auto take = [&] {
    if (digits.empty()) return;
    if (digits.size() > 15 || shape.size() == ops::kMaxRank) throw UsageError("--shape " + text + " is too large");
    shape.push_back(std::stoll(digits));
    digits.clear();
  };
  for (char c; in.get(c);) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (std::string(",() ").find(c) != std::string::npos) {
      take();
    } else {
      throw UsageError("--shape must be sizes with commas between, not '" + text + "'");
    }
  }
  take();
  return shape;
}

// As a call with such tensors would bind them.
std::string bound_listing(const bytecode::CodeRef& code, const std::vector<std::string>& shapes, uint32_t first,
                          uint32_t end) {
  const bytecode::CodeFunction& entry = code->functions[code->entry];
  std::vector<ops::Tensor> tensors;
  for (bytecode::Register r : entry.params) {
    const ops::Type& type = entry.registers[r];
    if (!type.is_tensor()) continue;
    const size_t i = tensors.size();
    tensors.push_back(
        ops::Tensor::empty(type.dtype, i < shapes.size() ? parse_shape(shapes[i]) : ops::hints(type.dims)));
  }
  if (shapes.size() > tensors.size())
    throw UsageError("the module takes " + std::to_string(tensors.size()) + " tensors, " +
                     std::to_string(shapes.size()) + " shapes are given");
  std::vector<vm::Argument> arguments;
  auto tensor = tensors.begin();
  for (bytecode::Register r : entry.params)
    arguments.push_back({entry.registers[r].is_tensor() ? &*tensor++ : nullptr, 0});
  const auto function = gc::make<vm::Function>(code);
  const vm::FunctionBinding* bound = function->bind(arguments);
  if (!bound) throw UsageError("the module does not admit tensors of these shapes");
  std::string out;
  for (const vm::FunctionBinding* f : with_callees(*bound))
    if (f->number() >= first && f->number() < end) out += (out.empty() ? "" : "\n") + to_string(f->bound());
  return out;
}

// The functions that --fn names, or all.
std::string listing(const std::string& module, const Options& options) {
  const bytecode::CodeRef code = bytecode::load(module);
  uint32_t first = 0, end = static_cast<uint32_t>(code->functions.size());
  if (options.has("fn")) {
    first = find_function(*code, options.text("fn", ""));
    end = first + 1;
  }
  std::string out;
  if (options.has("bound"))
    out = bound_listing(code, options.all("shape"), first, end);
  else
    out = options.has("fn") ? bytecode::disassemble(*code, first) : bytecode::disassemble(*code);
  out = with_source(out);
  if (!options.has("native")) return out;
  const std::vector<tiers::NativeImage> ran = dumped_beside(module, *code);
  for (const tiers::NativeImage& image : ran)
    if (image.function >= first && image.function < end) out += "\n" + native_listing(*code, image);
  for (uint32_t f = first; ran.empty() && f < end; ++f) out += "\n" + native_listing(*code, compiled_now(code, f));
  return out;
}

// One, or all that a process or several dumped into a folder, in the order in which each made its own.
std::vector<std::string> modules_of(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::pair<std::pair<uint64_t, uint64_t>, std::string>> modules;  // by process and number
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() != ".vmb") continue;
    const std::string name = entry.path().filename().string();
    char* rest = nullptr;
    const uint64_t process = std::strtoull(name.c_str(), &rest, 10);
    modules.push_back({{process, *rest == '-' ? std::strtoull(rest + 1, nullptr, 10) : 0}, entry.path().string()});
  }
  if (modules.empty()) throw UsageError(path + " has no modules (*.vmb)");
  std::sort(modules.begin(), modules.end());
  std::vector<std::string> paths;
  for (auto& [order, file] : modules) paths.push_back(std::move(file));
  return paths;
}

}  // namespace

void disasm(const Words& words) {
  const Options options(words, {"fn", "isa", "shape", "color"}, {"native", "bound", "html"});
  const std::string& path = options.argument("MODULE");
  configure(options);
  std::string out;
  for (const std::string& module : modules_of(path)) out += (out.empty() ? "" : "\n") + listing(module, options);
  show(out, path, options);
}

void verify(const Words& words) {
  const Options options(words, {}, {});
  const bytecode::CodeRef code = bytecode::load(options.argument("MODULE"));
  size_t words_in_all = 0;
  for (const bytecode::CodeFunction& f : code->functions) words_in_all += f.words.size();
  std::cout << "ok: " << code->functions.size() << " functions, " << words_in_all << " words, " << code->calls.size()
            << " calls, " << code->fused.size() << " fused expressions, " << code->constants.size() << " constants\n";
}

}  // namespace ember::vmtool
