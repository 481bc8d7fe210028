// Native code as tools see it that know nothing of emberjit: perf, by a dump with the code and the user's lines, and
// gdb. One of them, or none, from the start of the process (EMBERJIT_SYMBOLS); code that was made before a fork stays
// known to the parent's tool alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ember::tiers {

inline constexpr std::string_view kSymbolFormats[] = {"jitdump", "gdb"};
enum class SymbolFormat : uint8_t { Jitdump, Gdb, None };

struct CodeLine {
  uint32_t offset;  // of the first byte, ascending
  const std::string* file;
  uint32_t line;
};

struct Symbol {
  std::string name;
  std::vector<CodeLine> lines = {};
  bool framed = false;  // as function_code.cpp frames it: rbp is that of the saved registers
};

void choose_symbols(SymbolFormat format);
void add_symbol(std::span<const uint8_t> code, const Symbol& symbol);  // code where it runs
void remove_symbol(const void* code);                                  // whether or not it was added

// The formats. What a file system refuses is left out.
void add_to_jitdump(std::span<const uint8_t> code, const Symbol& symbol);
void add_to_gdb(std::span<const uint8_t> code, const Symbol& symbol);
void remove_from_gdb(const void* code);
std::vector<uint8_t> elf_of(std::span<const uint8_t> code, const Symbol& symbol);  // what gdb reads

}  // namespace ember::tiers
