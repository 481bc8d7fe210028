// What runs a command by its name. Any error is one line on stderr and exit code 1.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

#include "tiers/environment.h"
#include "tools/vmtool/commands.h"

namespace ember::vmtool {
namespace {

struct Command {
  const char* name;
  void (*run)(const Words&);
  const char* usage;
};

constexpr Command kCommands[] = {
    {"disasm", disasm,
     "MODULE|FOLDER [--fn FUNCTION] [--bound [--shape SIZES]...] [--native] [--isa ISA] [--color WHEN] [--html]"},
    {"diff", diff, "MODULE MODULE [--color WHEN] [--html]"},
    {"verify", verify, "MODULE"},
    {"graph", graph, "GRAPH [--output MODULE]"},
    {"run", run,
     "MODULE [--input X.npy|NUMBER]... [--output Y.npy]... [--save MODULE] [--checkpoint STATE.safetensors] "
     "[OPTION]..."},
    {"stats", stats, "MODULE [--input X.npy|NUMBER]... [OPTION]..."},
    {"trace", trace, "MODULE [--input X.npy|NUMBER]... [OPTION]..."},
    {"profile", profile, "MODULE [--input X.npy|NUMBER]... [--lines N] [OPTION]..."},
};

void print_usage(std::FILE* out) {
  std::fputs("usage:\n", out);
  for (const Command& command : kCommands) std::fprintf(out, "  vmtool %s %s\n", command.name, command.usage);
  std::fputs(
      "options: --tier 0|1|auto, --isa portable|avx2|avx512|amx, --matmul-precision ieee|float32|bfloat16, "
      "--deopt-every N, "
      "--threads N, --repeat N, --allow-foreign; WHEN: auto, always, never\n",
      out);
}

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "vmtool: %s\n", message.c_str());
  return 1;
}

}  // namespace

int run_command(const Words& arguments) {
  const Words words(arguments.begin() + !arguments.empty(), arguments.end());
  const std::string name = arguments.empty() ? "" : arguments[0];
  if (name == "--help" || name == "help") {
    print_usage(stdout);
    return 0;
  }
  if (const std::string problem = tiers::environment_problem(); !problem.empty()) return fail(problem);
  try {
    for (const Command& command : kCommands) {
      if (name != command.name) continue;
      command.run(words);
      std::cout.flush();
      return std::cout ? 0 : fail("can't write the output");
    }
    return fail(name.empty() ? "no command; see vmtool --help" : "unknown command '" + name + "'; see vmtool --help");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}

}  // namespace ember::vmtool
