// `disasm` and `verify`: loading verifies, so what either sees is well formed. `disasm --bound` lists functions as
// bound to the shapes that are given, or else to the hints of the entry's dims.
#include <iostream>
#include <sstream>
#include <vector>

#include "bytecode/code/module_file.h"
#include "tools/vmtool/commands.h"
#include "tools/vmtool/native.h"
#include "tools/vmtool/runner.h"
#include "tools/vmtool/source_lines.h"

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

}  // namespace

void disasm(const Words& words) {
  const Options options(words, {"fn", "isa", "shape"}, {"native", "bound"});
  const bytecode::CodeRef code = bytecode::load(options.argument("MODULE"));
  configure(options);
  uint32_t first = 0, end = static_cast<uint32_t>(code->functions.size());
  if (options.has("fn")) {
    first = find_function(*code, options.text("fn", ""));
    end = first + 1;
  }
  if (options.has("bound")) {
    std::cout << with_source(bound_listing(code, options.all("shape"), first, end));
  } else if (options.has("fn")) {
    std::cout << with_source(bytecode::disassemble(*code, first));
  } else {
    std::cout << with_source(bytecode::disassemble(*code));
  }
  for (uint32_t f = first; options.has("native") && f < end; ++f) std::cout << "\n" << native_listing(code, f);
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
