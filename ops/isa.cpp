// Asks the CPU (cpuid) and the system (xgetbv: whether it saves the wide registers). EMBERJIT_ISA, read once, lowers
// the choice.
#include "ops/isa.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ember::ops {
namespace {

#if defined(__x86_64__)
uint64_t saved_registers() {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

Isa detect() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return Isa::Portable;
  constexpr unsigned kFma = 1U << 12, kOsxsave = 1U << 27, kAvx = 1U << 28, kF16c = 1U << 29;
  constexpr unsigned kBase = kFma | kOsxsave | kAvx | kF16c;
  if ((c & kBase) != kBase) return Isa::Portable;
  uint64_t saved = saved_registers();
  if ((saved & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return Isa::Portable;
  constexpr unsigned kAvx2 = 1U << 5;
  constexpr unsigned kAvx512 = 1U << 16 | 1U << 17 | 1U << 30 | 1U << 31;  // F, DQ, BW, VL
  if (!(b & kAvx2)) return Isa::Portable;
  bool wide = (b & kAvx512) == kAvx512 && (saved & 0xE6) == 0xE6;
  return wide ? Isa::Avx512 : Isa::Avx2;
}
#else
Isa detect() { return Isa::Portable; }
#endif

Isa initial() {
  Isa wanted = best_isa();
  const char* text = std::getenv("EMBERJIT_ISA");
  Isa asked;
  if (text && parse_isa(text, &asked) && asked < wanted) wanted = asked;
  return wanted;
}

std::atomic<Isa>& chosen() {
  static std::atomic<Isa> isa{initial()};
  return isa;
}

}  // namespace

Isa best_isa() {
  static const Isa best = detect();
  return best;
}

Isa isa() { return chosen().load(std::memory_order_relaxed); }

bool set_isa(Isa wanted) {
  if (wanted > best_isa()) return false;
  chosen().store(wanted, std::memory_order_relaxed);
  return true;
}

namespace {
std::atomic<int> without_emitted{0};
}  // namespace

WithoutEmitted::WithoutEmitted() { without_emitted.fetch_add(1, std::memory_order_relaxed); }
WithoutEmitted::~WithoutEmitted() { without_emitted.fetch_sub(1, std::memory_order_relaxed); }
bool WithoutEmitted::active() { return without_emitted.load(std::memory_order_relaxed) != 0; }

std::string_view name(Isa isa) { return isa == Isa::Avx512 ? "avx512" : isa == Isa::Avx2 ? "avx2" : "portable"; }

bool parse_isa(std::string_view text, Isa* out) {
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    if (text != name(isa)) continue;
    *out = isa;
    return true;
  }
  return false;
}

}  // namespace ember::ops
