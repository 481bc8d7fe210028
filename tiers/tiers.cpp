#include "tiers/tiers.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ops/simd/emitted.h"
#include "tiers/code_cache.h"
#include "tiers/dump/dump.h"
#include "tiers/emit/amx_code.h"
#include "tiers/emit/gemm_code.h"
#include "tiers/policy.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

bool set(const char* name, const char* value) {
  const char* text = std::getenv(name);
  return text && std::strcmp(text, value) == 0;
}

void print_trace(std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }

// Those for the instruction set in use, kept for ever once made.
void emit_gemm() {
  struct Made {
    gc::Ref<CodeBlock> code;
    ops::GemmKernel kernel;
  };
  static auto* kernels = new std::array<Made, std::size(ops::kIsas)>();
  const auto isa = static_cast<size_t>(ops::isa());
  Made& m = (*kernels)[isa];
  if (!m.code) m.code = compile_gemm_kernel(&m.kernel);
  if (m.kernel.run) ops::emitted_kernels().gemm[isa].store(&m.kernel, std::memory_order_release);
}

void emit_bf16x3() {
  struct Made {
    ops::Bf16x3Kernel kernel;
    gc::Ref<CodeBlock> code = compile_bf16x3_kernel(&kernel);
  };
  static const Made* compiled = nullptr;
  if (ops::amx() && !compiled) compiled = new Made;
  ops::emitted_kernels().bf16x3.store(ops::amx() && compiled->code ? &compiled->kernel : nullptr,
                                      std::memory_order_release);
}

}  // namespace

Options& options() {
  static Options instance;
  return instance;
}

void start() {
  options().enabled = !set("EMBERJIT_JIT", "0");
  if (set("EMBERJIT_TRACE", "1")) vm::hooks().trace = print_trace;
  if (set("EMBERJIT_SHADOW", "1")) {
    vm::hooks().shadow = true;
    options() = {.enabled = options().enabled, .eagerness = 0, .background = false, .speculate = false};
  }
  if (const char* text = std::getenv("EMBERJIT_SYMBOLS"); text && *text)
    choose_symbols(static_cast<SymbolFormat>(std::ranges::find(kSymbolFormats, text) - std::begin(kSymbolFormats)));
  if (const char* folder = std::getenv("EMBERJIT_DUMP"); folder && *folder) start_dumping(folder);
  vm::hooks().on_hot = on_hot;
  vm::hooks().on_exit = on_exit;
  ops::emitted_kernels().hot_schedule.store(on_hot_schedule, std::memory_order_relaxed);
  CodeCache::instance().set_evictor(evict_one);
  watch_forks();
  emit_gemm();
  emit_bf16x3();
}

bool set_isa(ops::Isa isa) {
  if (!ops::set_isa(isa)) return false;
  emit_gemm();
  drop_all(bytecode::DeoptReason::ConfigChanged);
  return true;
}

bool set_amx(bool wanted) {
  if (!ops::set_amx(wanted)) return false;
  emit_bf16x3();
  return true;
}

}  // namespace ember::tiers
