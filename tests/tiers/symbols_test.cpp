// What is told to outside tools of native code, read as these read it.
#include "tiers/symbols/symbols.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tiers/code_cache.h"
#include "tiers/symbols/gdb.h"

namespace ember::tiers {
namespace {

const std::string kFile = "/home/user/net.py";
const std::vector<uint8_t> kCode = {0xB8, 7, 0, 0, 0, 0xC3};  // mov eax, 7; ret

Symbol symbol() { return {"emberjit: step", {{0, &kFile, 12}, {5, &kFile, 10}}, true}; }

template <class T>
T at(std::span<const uint8_t> bytes, size_t offset) {
  T value;
  EXPECT_LE(offset + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_at(std::span<const uint8_t> bytes, size_t offset) {
  return reinterpret_cast<const char*>(bytes.data() + offset);
}

// Sections by name.
std::map<std::string, Elf64_Shdr> sections(std::span<const uint8_t> file) {
  const auto head = at<Elf64_Ehdr>(file, 0);
  EXPECT_EQ(std::memcmp(head.e_ident, ELFMAG, SELFMAG), 0);
  std::map<std::string, Elf64_Shdr> headers;
  const auto header = [&](size_t i) { return at<Elf64_Shdr>(file, head.e_shoff + i * sizeof(Elf64_Shdr)); };
  const Elf64_Shdr names = header(head.e_shstrndx);
  for (size_t i = 0; i < head.e_shnum; ++i) headers[text_at(file, names.sh_offset + header(i).sh_name)] = header(i);
  return headers;
}

std::vector<uint8_t> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Runs it in a process of its own, since the format is the process's, and returns what it left in its jitdump.
template <class F>
std::vector<uint8_t> in_child(SymbolFormat format, F&& f) {
  const std::string folder = ::testing::TempDir() + "emberjit_symbols_" + std::to_string(::getpid());
  std::filesystem::create_directory(folder);
  const pid_t child = ::fork();
  if (child == 0) {
    std::filesystem::current_path(folder);
    choose_symbols(format);
    f();
    ::_exit(::testing::Test::HasFailure());
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::vector<uint8_t> bytes = read(folder + "/jit-" + std::to_string(child) + ".dump");
  std::filesystem::remove_all(folder);
  return bytes;
}

TEST(Symbols, AnObjectFileNamesTheCodeWhereItRuns) {
  const std::vector<uint8_t> file = elf_of(kCode, symbol());
  auto all = sections(file);
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(kCode.data()));
  EXPECT_EQ(all.at(".text").sh_type, SHT_NOBITS);
  EXPECT_EQ(all.at(".text").sh_addr, address);
  EXPECT_EQ(all.at(".text").sh_size, kCode.size());
  const auto named = at<Elf64_Sym>(file, all.at(".symtab").sh_offset + sizeof(Elf64_Sym));
  EXPECT_EQ(text_at(file, all.at(".strtab").sh_offset + named.st_name), "emberjit: step");
  EXPECT_EQ(named.st_size, kCode.size());
  for (const char* name : {".debug_info", ".debug_line", ".debug_frame"}) {
    const Elf64_Shdr& section = all.at(name);
    EXPECT_LE(section.sh_offset + section.sh_size, file.size());
    EXPECT_LE(at<uint32_t>(file, section.sh_offset) + sizeof(uint32_t), section.sh_size) << name;
  }
}

TEST(Symbols, GdbFindsCodeWhileItIsThere) {
  in_child(SymbolFormat::Gdb, [] {
    const Symbol named = symbol();
    const jit_code_entry* before = __jit_debug_descriptor.first_entry;
    gc::Ref<CodeBlock> first = CodeCache::instance().add(kCode, named),
                       second = CodeCache::instance().add(kCode, named);
    const jit_code_entry* entry = __jit_debug_descriptor.first_entry;
    ASSERT_TRUE(entry && entry->next);
    EXPECT_EQ(entry->next->next, before);
    EXPECT_EQ(__jit_debug_descriptor.action_flag, 1u);
    EXPECT_EQ(__jit_debug_descriptor.relevant_entry, entry);
    const std::span<const uint8_t> file(entry->symfile_addr, entry->symfile_size);
    EXPECT_EQ(sections(file).at(".text").sh_addr, reinterpret_cast<uintptr_t>(second->address()));
    first = nullptr;
    EXPECT_EQ(__jit_debug_descriptor.action_flag, 2u);
    EXPECT_EQ(__jit_debug_descriptor.first_entry, entry);
    EXPECT_EQ(entry->next, before);
    second = nullptr;
    EXPECT_EQ(__jit_debug_descriptor.first_entry, before);
  });
}

TEST(Symbols, PerfReadsADumpOfCodeAndLines) {
  const std::vector<uint8_t> bytes = in_child(SymbolFormat::Jitdump, [] { add_symbol(kCode, symbol()); });
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(kCode.data()));
  ASSERT_GT(bytes.size(), 40u);
  EXPECT_EQ(at<uint32_t>(bytes, 0), 0x4A695444u);
  EXPECT_EQ(at<uint32_t>(bytes, 8), 40u);
  const size_t lines = 40, load = lines + at<uint32_t>(bytes, lines + 4);
  EXPECT_EQ(at<uint32_t>(bytes, lines), 2u);
  EXPECT_EQ(at<uint64_t>(bytes, lines + 16), address);
  EXPECT_EQ(at<uint64_t>(bytes, lines + 24), 2u);
  EXPECT_EQ(at<uint64_t>(bytes, lines + 32), address);
  EXPECT_EQ(at<uint32_t>(bytes, lines + 40), 12u);
  EXPECT_EQ(text_at(bytes, lines + 48), kFile);
  EXPECT_EQ(at<uint32_t>(bytes, load), 0u);
  EXPECT_EQ(at<uint64_t>(bytes, load + 24), address);
  EXPECT_EQ(at<uint64_t>(bytes, load + 40), kCode.size());
  EXPECT_EQ(text_at(bytes, load + 56), "emberjit: step");
  EXPECT_EQ(load + at<uint32_t>(bytes, load + 4), bytes.size());
  EXPECT_EQ(std::vector<uint8_t>(bytes.end() - static_cast<ptrdiff_t>(kCode.size()), bytes.end()), kCode);
}

}  // namespace
}  // namespace ember::tiers
