// `graph`: from the text form of a graph module (as save_graphs writes it) to the optimised one, and to a module file.
#include <iostream>

#include "bytecode/code/module_file.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/options.h"
#include "tiers/vmtool/read_file.h"

namespace ember::vmtool {

void graph(const Words& words) {
  const Options options(words, {"output"}, {});
  const std::string& path = options.argument("GRAPH");
  std::string why;
  const std::optional<std::string> text = read_file(path, &why);
  if (!text) throw UsageError(path + ": " + why);
  bytecode::Module module = bytecode::parse(*text);
  bytecode::optimise(module);
  if (options.has("output"))
    bytecode::save(*bytecode::lower(module), options.text("output", ""));
  else
    std::cout << bytecode::print(module);
}

}  // namespace ember::vmtool
