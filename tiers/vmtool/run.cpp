// `run` and `trace`: calling a module, and what can be seen of it.
#include <bit>
#include <cstdio>
#include <iostream>

#include "ops/text/format.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/npy.h"
#include "tiers/vmtool/runner.h"
#include "vm/state/hooks.h"

namespace ember::vmtool {
namespace {

using ops::Kind;

std::vector<std::string> with(std::vector<std::string> names, std::initializer_list<const char*> more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

void print_result(size_t index, const vm::Result& result) {
  std::cout << "result " << index << ": ";
  switch (result.kind) {
    case Kind::Bool:
      std::cout << (result.bits ? "True" : "False") << "\n";
      break;
    case Kind::Int:
      std::cout << static_cast<int64_t>(result.bits) << "\n";
      break;
    case Kind::Float:
      std::cout << std::bit_cast<double>(result.bits) << "\n";
      break;
    default:
      std::cout << ops::format(result.tensor, true) << "\n";
  }
}

ops::Tensor as_tensor(const vm::Result& result) {
  switch (result.kind) {
    case Kind::Bool:
      return ops::Tensor::scalar(result.bits != 0);
    case Kind::Int:
      return ops::Tensor::scalar(static_cast<int64_t>(result.bits));
    case Kind::Float:
      return ops::Tensor::scalar(std::bit_cast<double>(result.bits));
    default:
      return result.tensor;
  }
}

}  // namespace

void run(const Words& words) {
  const Options options(words, with(kRunOptions, {"output", "save", "checkpoint"}), kRunFlags);
  Runner runner(options);
  const std::vector<vm::Result>& results = runner.run();
  const std::vector<std::string>& outputs = options.all("output");
  if (outputs.size() > results.size())
    throw UsageError("the module has " + std::to_string(results.size()) + " results, and more outputs are asked for");
  for (size_t i = 0; i < results.size(); ++i) {
    if (i < outputs.size())
      write_npy(as_tensor(results[i]), outputs[i]);
    else
      print_result(i, results[i]);
  }
  if (options.has("save")) runner.module().save(options.text("save", ""));
  if (options.has("checkpoint")) runner.module().save_state(options.text("checkpoint", ""));
}

void trace(const Words& words) {
  Runner runner(Options(words, kRunOptions, kRunFlags));
  vm::hooks().trace = [](std::string_view line) { std::printf("%.*s\n", static_cast<int>(line.size()), line.data()); };
  runner.run();
}

}  // namespace ember::vmtool
