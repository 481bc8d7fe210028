// `disasm` and `verify`: loading verifies, so what either sees is well formed.
#include <iostream>

#include "bytecode/module_file.h"
#include "tools/vmtool/commands.h"
#include "tools/vmtool/native.h"
#include "tools/vmtool/runner.h"

namespace ember::vmtool {
namespace {

uint32_t find_function(const bytecode::Code& code, const std::string& name) {
  for (uint32_t f = 0; f < code.functions.size(); ++f)
    if (code.functions[f].name == name || std::to_string(f) == name) return f;
  throw UsageError("the module has no function '" + name + "'");
}

}  // namespace

void disasm(const Words& words) {
  const Options options(words, {"fn", "isa"}, {"native"});
  const bytecode::CodeRef code = bytecode::load(options.argument("MODULE"));
  configure(options);
  uint32_t first = 0, end = static_cast<uint32_t>(code->functions.size());
  if (options.has("fn")) {
    first = find_function(*code, options.text("fn", ""));
    end = first + 1;
    std::cout << bytecode::disassemble(*code, first);
  } else {
    std::cout << bytecode::disassemble(*code);
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
