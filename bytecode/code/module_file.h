// The module file: a header with magic, version and a table of sections, each with offset, size and CRC32C. Everything
// is little-endian; no pointers, no native code; ops are named, so a file outlives renumbering. Loading trusts nothing:
// sizes are checked before use, and the loaded code is verified.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bytecode/code/code.h"

namespace ember::bytecode {

inline constexpr uint32_t kFileVersion = 5;

struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;  // "module file: section code: checksum differs"
};

std::vector<std::byte> encode(const Code& code);
// `paths`: of all functions' sources, in their order; files have none, as each process counts its own. Throws FileError
// or VerifyError.
CodeRef decode_module(std::span<const std::byte> bytes, std::span<const uint32_t> paths = {});
void save(const Code& code, const std::string& path);  // whole or not at all
CodeRef load(const std::string& path);

uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace ember::bytecode
