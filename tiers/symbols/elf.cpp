// An object file in memory for a piece of native code: the symbol, and in DWARF 4 the function, its lines and how to
// find its caller. Addresses are where the code runs, so nothing is left to be relocated. In a prologue the caller's
// frame is not the one that is told: code has several, all of a few instructions.
#include <elf.h>

#include <algorithm>
#include <cstring>

#include "tiers/symbols/symbols.h"

namespace ember::tiers {
namespace {

enum SectionNumber : uint16_t { kNone, kText, kSymbols, kSymbolNames, kInfo, kAbbreviations, kLines, kFrames, kNames };
constexpr const char* kSectionNames[] = {
    "", ".text", ".symtab", ".strtab", ".debug_info", ".debug_abbrev", ".debug_line", ".debug_frame", ".shstrtab"};
constexpr size_t kSections = std::size(kSectionNames);

enum Dwarf : uint8_t {
  DW_TAG_compile_unit = 0x11,
  DW_TAG_subprogram = 0x2e,
  DW_AT_name = 0x03,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_FORM_addr = 0x01,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_sec_offset = 0x17,
  DW_LNS_copy = 1,
  DW_LNS_advance_pc = 2,
  DW_LNS_advance_line = 3,
  DW_LNS_set_file = 4,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2,
  DW_CFA_def_cfa = 0x0c,
  DW_CFA_offset = 0x80,
};
// Registers as DWARF numbers them, and the return address.
enum Register : uint8_t { kRbx = 3, kRbp = 6, kRsp = 7, kR12 = 12, kR13, kR14, kR15, kReturn };

constexpr uint8_t saved(Register r) { return static_cast<uint8_t>(DW_CFA_offset) | static_cast<uint8_t>(r); }

using Bytes = std::vector<uint8_t>;

class Section {
 public:
  template <class... T>
  Section& u8(T... values) {
    (bytes_.push_back(static_cast<uint8_t>(values)), ...);
    return *this;
  }
  template <class T>
  Section& put(T value) {
    const auto* first = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
    return *this;
  }
  Section& text(const std::string& s) {
    bytes_.insert(bytes_.end(), s.c_str(), s.c_str() + s.size() + 1);
    return *this;
  }
  Section& unsigned_leb(uint64_t value) {
    for (; value >= 0x80; value >>= 7) u8(value | 0x80);
    return u8(value);
  }
  Section& signed_leb(int64_t value) {
    for (; value < -0x40 || value >= 0x40; value >>= 7) u8((value & 0x7f) | 0x80);
    return u8(value & 0x7f);
  }
  // What follows is counted by 4 bytes, written at the end().
  Section& begin() {
    starts_.push_back(bytes_.size());
    return put(uint32_t{0});
  }
  Section& end() {
    const size_t at = starts_.back();
    starts_.pop_back();
    const auto size = static_cast<uint32_t>(bytes_.size() - at - sizeof(uint32_t));
    std::memcpy(bytes_.data() + at, &size, sizeof size);
    return *this;
  }
  Section& fill(size_t alignment) {
    while (bytes_.size() % alignment) u8(0);
    return *this;
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  std::vector<size_t> starts_;
};

Bytes abbreviations() {
  return Section()
      .u8(1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
          DW_FORM_data8, DW_AT_stmt_list, DW_FORM_sec_offset, 0, 0)
      .u8(2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8,
          0, 0)
      .u8(0)
      .bytes();
}

Bytes info(uint64_t address, uint64_t size, const Symbol& symbol) {
  Section out;
  out.begin().put(uint16_t{4}).put(uint32_t{0}).u8(8);
  out.u8(1).text(symbol.lines.empty() ? "emberjit" : *symbol.lines[0].file).put(address).put(size).put(uint32_t{0});
  out.u8(2).text(symbol.name).put(address).put(size);
  return out.u8(0).end().bytes();
}

Bytes lines(uint64_t address, uint64_t size, const Symbol& symbol) {
  std::vector<std::string> files;
  const auto number = [&](const std::string& file) {
    const auto it = std::find(files.begin(), files.end(), file);
    if (it == files.end()) files.push_back(file);
    return static_cast<uint64_t>(std::find(files.begin(), files.end(), file) - files.begin()) + 1;
  };
  for (const CodeLine& line : symbol.lines) number(*line.file);
  Section out;
  out.begin().put(uint16_t{4});
  out.begin().u8(1, 1, 1, -5, 14, 13).u8(0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1).u8(0);
  for (const std::string& file : files) out.text(file).u8(0, 0, 0);
  out.u8(0).end();
  out.u8(0, 9, DW_LNE_set_address).put(address);
  uint32_t at = 0;
  int64_t shown = 1;
  for (const CodeLine& line : symbol.lines) {
    out.u8(DW_LNS_advance_pc).unsigned_leb(line.offset - at);
    out.u8(DW_LNS_set_file).unsigned_leb(number(*line.file));
    out.u8(DW_LNS_advance_line).signed_leb(static_cast<int64_t>(line.line) - shown).u8(DW_LNS_copy);
    at = line.offset;
    shown = line.line;
  }
  out.u8(DW_LNS_advance_pc).unsigned_leb(size - at).u8(0, 1, DW_LNE_end_sequence);
  return out.end().bytes();
}

Bytes frames(uint64_t address, uint64_t size, const Symbol& symbol) {
  Section out;
  out.begin().put(~uint32_t{0}).u8(1, 0, 1).signed_leb(-8).u8(kReturn);
  out.u8(DW_CFA_def_cfa, kRsp, 8, saved(kReturn), 1);
  out.fill(8).end();
  out.begin().put(uint32_t{0}).put(address).put(size);
  if (symbol.framed) {
    constexpr Register kSaved[] = {kReturn, kRbp, kRbx, kR12, kR13, kR14, kR15};  // downwards from the frame's top
    out.u8(DW_CFA_def_cfa, kRbp, 8 * std::size(kSaved));
    for (size_t i = 0; i < std::size(kSaved); ++i) out.u8(saved(kSaved[i]), i + 1);
  }
  return out.fill(8).end().bytes();
}

Bytes symbols(uint64_t size) {
  const Elf64_Sym symbol = {.st_name = 1,
                            .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                            .st_other = STV_DEFAULT,
                            .st_shndx = kText,
                            .st_value = 0,
                            .st_size = size};
  return Section().put(Elf64_Sym{}).put(symbol).bytes();
}

Elf64_Shdr header_of(uint16_t number, uint32_t name, uint64_t offset, uint64_t size) {
  Elf64_Shdr h{};
  h.sh_name = name;
  h.sh_type = number == kSymbols ? SHT_SYMTAB : number == kSymbolNames || number == kNames ? SHT_STRTAB : SHT_PROGBITS;
  h.sh_offset = offset;
  h.sh_size = size;
  h.sh_addralign = 8;
  if (number != kSymbols) return h;
  h.sh_link = kSymbolNames;
  h.sh_info = 1;
  h.sh_entsize = sizeof(Elf64_Sym);
  return h;
}

}  // namespace

std::vector<uint8_t> elf_of(std::span<const uint8_t> code, const Symbol& symbol) {
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(code.data()));
  const uint64_t size = code.size();
  std::vector<Bytes> parts(kSections);
  parts[kSymbols] = symbols(size);
  parts[kSymbolNames] = Section().text("").text(symbol.name).bytes();
  parts[kInfo] = info(address, size, symbol);
  parts[kAbbreviations] = abbreviations();
  parts[kLines] = lines(address, size, symbol);
  parts[kFrames] = frames(address, size, symbol);
  Section names;
  std::vector<Elf64_Shdr> headers(kSections);
  uint64_t offset = sizeof(Elf64_Ehdr) + kSections * sizeof(Elf64_Shdr);
  for (uint16_t i = 0; i < kSections; ++i) {
    const auto name = static_cast<uint32_t>(names.bytes().size());
    names.text(kSectionNames[i]);
    if (i == kNames) parts[i] = names.bytes();
    if (i != kNone) headers[i] = header_of(i, name, offset, parts[i].size());
    offset += (parts[i].size() + 7) / 8 * 8;
  }
  headers[kText].sh_type = SHT_NOBITS;
  headers[kText].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  headers[kText].sh_addr = address;
  headers[kText].sh_size = size;
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_ident[EI_VERSION] = EV_CURRENT;
  head.e_type = ET_REL;
  head.e_machine = EM_X86_64;
  head.e_version = EV_CURRENT;
  head.e_shoff = sizeof head;
  head.e_ehsize = sizeof head;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = kSections;
  head.e_shstrndx = kNames;
  Section out;
  out.put(head);
  for (const Elf64_Shdr& h : headers) out.put(h);
  for (const Bytes& part : parts) {
    for (const uint8_t byte : part) out.u8(byte);
    out.fill(8);
  }
  return out.bytes();
}

}  // namespace ember::tiers
