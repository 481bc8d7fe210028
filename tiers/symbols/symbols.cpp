#include "tiers/symbols/symbols.h"

#include <atomic>

namespace ember::tiers {
namespace {

std::atomic<SymbolFormat> chosen{SymbolFormat::None};

}  // namespace

void choose_symbols(SymbolFormat format) { chosen.store(format, std::memory_order_relaxed); }

void add_symbol(std::span<const uint8_t> code, const Symbol& symbol) {
  switch (chosen.load(std::memory_order_relaxed)) {
    case SymbolFormat::Jitdump:
      return add_to_jitdump(code, symbol);
    case SymbolFormat::Gdb:
      return add_to_gdb(code, symbol);
    case SymbolFormat::None:
      return;
  }
}

void remove_symbol(const void* code) {
  if (chosen.load(std::memory_order_relaxed) == SymbolFormat::Gdb) remove_from_gdb(code);
}

}  // namespace ember::tiers
