// Asks the CPU (cpuid) and the system (xgetbv: whether it saves the wide registers; for tiles also arch_prctl, which
// grants them to all threads of the process). EMBERJIT_ISA, read once, lowers the choice.
#include "ops/base/isa.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "ops/base/pinned_isa.h"

namespace ember::ops {
namespace {

constexpr int kNotPinned = -1;
thread_local constinit int thread_isa = kNotPinned;

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

bool detect_vnni(Isa set) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (set > best_isa()) return false;
  if (set == Isa::Avx512) return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & 1U << 11);
  return set == Isa::Avx2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1U << 4);
}

bool detect_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (best_isa() < Isa::Avx512 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kTiles = 1U << 22 | 1U << 24 | 1U << 25;  // BF16, TILE, INT8
  constexpr uint64_t kSaved = 3U << 17;                        // their configuration and contents
  if ((d & kTiles) != kTiles || (saved_registers() & kSaved) != kSaved) return false;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#else
Isa detect() { return Isa::Portable; }
bool detect_vnni(Isa) { return false; }
bool detect_amx() { return false; }
#endif

// Of what there is, what EMBERJIT_ISA asks for.
struct Choice {
  std::atomic<Isa> isa;
  std::atomic<bool> amx;

  Choice() : isa(best_isa()), amx(false) {
    Isa asked = best_isa();
    bool tiles = true;
    if (const char* text = std::getenv("EMBERJIT_ISA")) parse_isa(text, &asked, &tiles);
    if (asked < isa) isa = asked;
    amx = tiles && has_amx();
  }
};

constexpr std::string_view kAmxName = kIsaNames[std::size(kIsaNames) - 1];

Choice& chosen() {
  static Choice choice;
  return choice;
}

}  // namespace

Isa best_isa() {
  static const Isa best = detect();
  return best;
}

Isa isa() {
  return thread_isa != kNotPinned ? static_cast<Isa>(thread_isa) : chosen().isa.load(std::memory_order_relaxed);
}

PinnedIsa::PinnedIsa() : before_(thread_isa) {
  if (before_ == kNotPinned) thread_isa = static_cast<int>(chosen().isa.load(std::memory_order_relaxed));
}
PinnedIsa::PinnedIsa(Isa wanted) : before_(thread_isa) { thread_isa = static_cast<int>(wanted); }
PinnedIsa::~PinnedIsa() { thread_isa = before_; }

bool set_isa(Isa wanted) {
  if (wanted > best_isa()) return false;
  chosen().isa.store(wanted, std::memory_order_relaxed);
  return true;
}

bool has_vnni(Isa set) {
  static const bool avx2 = detect_vnni(Isa::Avx2), avx512 = detect_vnni(Isa::Avx512);
  return set == Isa::Avx512 ? avx512 : set == Isa::Avx2 && avx2;
}

bool has_amx() {
  static const bool has = detect_amx();
  return has;
}

bool amx() { return chosen().amx.load(std::memory_order_relaxed); }

bool set_amx(bool wanted) {
  if (wanted && !has_amx()) return false;
  chosen().amx.store(wanted, std::memory_order_relaxed);
  return true;
}

namespace {
std::atomic<int> without_emitted{0};
}  // namespace

WithoutEmitted::WithoutEmitted() { without_emitted.fetch_add(1, std::memory_order_relaxed); }
WithoutEmitted::~WithoutEmitted() { without_emitted.fetch_sub(1, std::memory_order_relaxed); }
bool WithoutEmitted::active() { return without_emitted.load(std::memory_order_relaxed) != 0; }

std::string_view name(Isa isa) { return kIsaNames[static_cast<size_t>(isa)]; }

std::string_view isa_name() { return amx() ? kAmxName : name(chosen().isa.load(std::memory_order_relaxed)); }

bool parse_isa(std::string_view text, Isa* isa, bool* amx) {
  const auto* it = std::find(std::begin(kIsaNames), std::end(kIsaNames), text);
  if (it == std::end(kIsaNames)) return false;
  *amx = *it == kAmxName;
  *isa = *amx ? Isa::Avx512 : static_cast<Isa>(it - kIsaNames);
  return true;
}

}  // namespace ember::ops
