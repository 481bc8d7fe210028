// `run`, `stats` and `trace`: calling a module, and what can be seen of it.
#include <bit>
#include <cstdio>
#include <iostream>

#include "ops/format.h"
#include "tools/vmtool/commands.h"
#include "tools/vmtool/npy.h"
#include "tools/vmtool/runner.h"
#include "vm/hooks.h"

namespace ember::vmtool {
namespace {

using ops::Kind;

std::vector<std::string> with(std::vector<std::string> names, const char* more) {
  names.push_back(more);
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

double microseconds(const vm::Counter& ticks) {
  return 1e6 * static_cast<double>(ticks.get()) / vm::ticks_per_second();
}

void print_binding(const vm::FunctionBinding& binding) {
  const bytecode::CodeFunction& f = binding.function();
  const vm::Profile& profile = binding.profile();
  std::printf("function %s(", f.name.c_str());
  for (size_t i = 0; i < f.params.size(); ++i) {
    const ops::Type& type = f.registers[f.params[i]];
    const std::string text =
        type.is_tensor() ? ops::to_string(binding.reg(f.params[i]).layout->shape) : to_string(type);
    std::printf("%s%s", i ? ", " : "", text.c_str());
  }
  std::printf("): calls=%llu interpreted=%.1fus native_calls=%llu native=%.1fus arena=%zuB code=%zuB\n",
              static_cast<unsigned long long>(profile.calls.get()), microseconds(profile.interpreted_ticks),
              static_cast<unsigned long long>(profile.native_calls.get()), microseconds(profile.native_ticks),
              binding.arena_bytes(), binding.native() ? binding.native()->code_bytes : size_t{0});
  for (uint32_t i = 0; i < f.loops; ++i)
    std::printf("  loop %u: trips=%llu\n", i, static_cast<unsigned long long>(profile.trips[i].get()));
  for (uint32_t i = 0; i < f.branches; ++i)
    std::printf("  branch %u: taken=%llu not_taken=%llu\n", i, static_cast<unsigned long long>(profile.taken[i].get()),
                static_cast<unsigned long long>(profile.not_taken[i].get()));
  for (size_t i = 0; i < bytecode::kDeoptReasons; ++i) {
    if (profile.deopts[i].get() == 0) continue;
    const std::string_view name = info(static_cast<bytecode::DeoptReason>(i)).name;
    std::printf("  deopt %.*s: %llu\n", static_cast<int>(name.size()), name.data(),
                static_cast<unsigned long long>(profile.deopts[i].get()));
  }
}

}  // namespace

void run(const Words& words) {
  const Options options(words, with(kRunOptions, "output"), {});
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
}

void stats(const Words& words) {
  Runner runner(Options(words, kRunOptions, {}));
  runner.run();
  for (const vm::Kept& kept : runner.function().specialisations()) print_binding(*kept.function);
  const gc::Stats memory = gc::stats();
  std::printf("memory: live=%zuB peak=%zuB cached=%zuB\n", memory.live, memory.peak, memory.cached);
}

void trace(const Words& words) {
  Runner runner(Options(words, kRunOptions, {}));
  vm::hooks().trace = [](std::string_view line) { std::printf("%.*s\n", static_cast<int>(line.size()), line.data()); };
  runner.run();
}

}  // namespace ember::vmtool
