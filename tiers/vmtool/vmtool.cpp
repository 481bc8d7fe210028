// What runs a command by its name. Any error is one line on stderr and exit code 1.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

#include "tiers/environment.h"
#include "tiers/vmtool/commands.h"

namespace ember::vmtool {
namespace {

struct Command {
  const char* name;
  void (*run)(const Words&);
  const char* arguments;
  const char* purpose;
};

constexpr Command kCommands[] = {
    {"disasm", disasm,
     "MODULE|FOLDER [--fn FUNCTION] [--bound [--shape SIZES]...] [--native] [--isa ISA] "
     "[--color auto|always|never] [--html]",
     "instructions, with your lines; bound to sizes; as machine code; of all that EMBERJIT_DUMP left in a folder"},
    {"diff", diff, "MODULE MODULE [--color auto|always|never] [--html]", "what one does and the other does not"},
    {"verify", verify, "MODULE", "whether a file is whole, and may be run"},
    {"graph", graph, "GRAPH [--output MODULE]", "what a text of a graph is compiled to"},
    {"run", run, "MODULE [--output Y.npy]... [--save MODULE] [--checkpoint STATE.safetensors] [OPTION]...",
     "results; of a step of training also its state afterwards, as a module or a checkpoint"},
    {"stats", stats, "MODULE [OPTION]...", "calls and time by tier, memory"},
    {"trace", trace, "MODULE [OPTION]...", "promotions, deopts and evictions, a line each"},
    {"profile", profile, "MODULE [--lines N] [OPTION]...",
     "which of your lines the time goes into, the first N (12) of them, each instruction by itself"},
};

constexpr const char* kOptions =
    "options of run, stats, trace and profile:\n"
    "  --input X.npy|NUMBER   each parameter that is no state, in the order in which disasm names them\n"
    "  --repeat N             calls (1)\n"
    "  --tier 0|1|auto        the interpreter, native code from the first call on, or as calls are counted (auto)\n"
    "  --isa portable|avx2|avx512|amx\n"
    "  --matmul-precision ieee|float32|bfloat16\n"
    "  --threads N\n"
    "  --deopt-every N        leaves native code at each Nth exit, to test it\n"
    "  --allow-foreign        calls the functions of shared libraries that a module names\n";

void print_usage(std::FILE* out, const Command& command) {
  std::fprintf(out, "vmtool %s %s\n    %s\n", command.name, command.arguments, command.purpose);
}

void print_usage(std::FILE* out) {
  for (const Command& command : kCommands) print_usage(out, command);
  std::fputs(kOptions, out);
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
      if (std::ranges::count(words, "--help") != 0) {
        print_usage(stdout, command);
        std::fputs(kOptions, stdout);
        return 0;
      }
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
