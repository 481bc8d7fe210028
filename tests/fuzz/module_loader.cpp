// Any bytes into the module loader. Mutations rarely keep checksums, so the same bytes are tried again with checksums
// and sizes made right. What loads must disassemble, come back from its own encoding, and run.
#include <cstdlib>
#include <cstring>

#include "bytecode/code/bytes.h"
#include "bytecode/graph/verify.h"
#include "tests/fuzz/run_bounded.h"

namespace {

using namespace ember::bytecode;

void try_load(std::span<const std::byte> bytes) {
  try {
    const CodeRef code = decode_module(bytes);
    disassemble(*code);
    const std::vector<std::byte> encoded = encode(*code);
    if (encode(*decode_module(encoded)) != encoded) std::abort();
    ember::fuzz::run_bounded(code);
  } catch (const FileError&) {
  } catch (const VerifyError&) {
  }
}

void repair(std::vector<std::byte>& file) {
  FileHeader header;
  SectionEntry table[kSectionCount];
  std::memcpy(&header, file.data(), sizeof(header));
  std::memcpy(table, file.data() + sizeof(header), sizeof(table));
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kFileVersion;
  header.sections = kSectionCount;
  header.size = file.size();
  header.zero = 0;
  for (SectionEntry& entry : table) {
    if (entry.offset > file.size() || entry.size > file.size() - entry.offset) continue;
    entry.checksum = crc32c(std::span(file).subspan(entry.offset, entry.size));
  }
  std::memcpy(file.data() + sizeof(header), table, sizeof(table));
  std::memcpy(file.data(), &header, sizeof(header));
  header.checksum = table_checksum(file);
  std::memcpy(file.data(), &header, sizeof(header));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::byte* first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> file(first, first + size);
  try_load(file);
  if (size < kTableEnd) return 0;
  repair(file);
  try_load(file);
  return 0;
}
