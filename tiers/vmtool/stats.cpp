// `stats`: with options (its inputs) what a run of a module did, without any what the module consists of.
#include <cstdio>
#include <set>

#include "bytecode/code/module_file.h"
#include "ops/kernels/images.h"
#include "ops/matmul/packed_cache.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/runner.h"
#include "vm/state/hooks.h"

namespace ember::vmtool {
namespace {

struct Counts {
  size_t instructions = 0, registers = 0, effects = 0;
  std::set<std::pair<uint32_t, uint32_t>> lines;  // file, line

  void add(const Counts& other) {
    instructions += other.instructions;
    registers += other.registers;
    effects += other.effects;
    lines.insert(other.lines.begin(), other.lines.end());
  }
};

bool has_effect(const bytecode::Code& code, const bytecode::Decoded& d) {
  return d.op == bytecode::Instruction::RandomKey ||
         (d.op == bytecode::Instruction::Apply && code.calls[d.word.wide()].op->has_effect());
}

Counts count(const bytecode::Code& code, const bytecode::CodeFunction& f) {
  Counts counts;
  counts.registers = f.registers.size();
  for (uint32_t pc = 0; pc < f.words.size();) {
    const bytecode::Decoded d = decode(f, pc);
    ++counts.instructions;
    counts.effects += has_effect(code, d);
    pc = d.next;
  }
  for (const bytecode::SourceMark& mark : f.sources)
    if (mark.source.line != 0) counts.lines.emplace(mark.source.file, mark.source.line);
  return counts;
}

void print_code(const bytecode::Code& code) {
  Counts all;
  for (const bytecode::CodeFunction& f : code.functions) {
    const Counts counts = count(code, f);
    std::printf("function %s: instructions=%zu registers=%zu effects=%zu loops=%u branches=%u source_lines=%zu\n",
                f.name.c_str(), counts.instructions, counts.registers, counts.effects, f.loops, f.branches,
                counts.lines.size());
    all.add(counts);
  }
  size_t bytes = 0;
  for (const ops::Tensor& constant : code.constants) bytes += constant.layout().bytes();
  std::printf(
      "module: functions=%zu instructions=%zu registers=%zu effects=%zu constants=%zu (%zuB) symbols=%zu guards=%zu "
      "source_lines=%zu\n",
      code.functions.size(), all.instructions, all.registers, all.effects, code.constants.size(), bytes,
      code.symbols.symbols(), code.symbols.guards().size(), all.lines.size());
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
  for (size_t r = 0; r < f.registers.size(); ++r) {
    const ops::LayoutRef& layout = binding.reg(static_cast<vm::Register>(r)).layout;
    if (layout && ops::channels_last(*layout)) std::printf("  r%zu: channels-last\n", r);
  }
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

void print_run(const Options& options) {
  Runner runner(options);
  runner.run();
  for (const vm::PinnedSpecialisation& pinned : runner.function().specialisations()) print_binding(*pinned.function);
  const gc::Stats memory = gc::stats();
  std::printf("memory: live=%zuB peak=%zuB cached=%zuB\n", memory.live, memory.peak, memory.cached);
  const ops::PackedTotals packed = ops::packed_totals();
  std::printf("packed: copies=%zu (%zuB of %zuB) made=%llu used=%llu evicted=%llu\n", packed.copies, packed.bytes,
              packed.limit, static_cast<unsigned long long>(packed.inserted),
              static_cast<unsigned long long>(packed.used), static_cast<unsigned long long>(packed.evicted));
}

}  // namespace

void stats(const Words& words) {
  const Options options(words, kRunOptions, kRunFlags);
  if (words.size() > 1)
    print_run(options);
  else
    print_code(*bytecode::load(options.argument("MODULE")));
}

}  // namespace ember::vmtool
