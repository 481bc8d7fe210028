// Checksums and files.
#include "bytecode/code/module_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "bytecode/code/bytes.h"
#include "ops/base/whole_file.h"

namespace ember::bytecode {
namespace {

constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = make_crc_table();

uint32_t crc_step(uint32_t crc, std::span<const std::byte> bytes) {
  for (std::byte b : bytes) crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<uint8_t>(b)) & 0xFF];
  return crc;
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : path_(path) {
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) fail();
  }
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[noreturn]] void fail() const { throw FileError("module file: can't read " + path_ + ": " + std::strerror(errno)); }
  std::vector<std::byte> read() {
    struct stat status;
    if (::fstat(fd_, &status) != 0) fail();
    if (!S_ISREG(status.st_mode)) throw FileError("module file: " + path_ + " is no regular file");
    std::vector<std::byte> bytes;
    size_t filled = 0;
    for (;;) {
      bytes.resize(filled + (size_t{1} << 20));
      const ssize_t done = ::read(fd_, bytes.data() + filled, bytes.size() - filled);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail();
      if (done == 0) break;
      filled += static_cast<size_t>(done);
    }
    bytes.resize(filled);
    return bytes;
  }

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes) { return ~crc_step(~0u, bytes); }

uint32_t table_checksum(std::span<const std::byte> file) {
  constexpr size_t at = offsetof(FileHeader, checksum);
  constexpr std::byte zero[sizeof(uint32_t)] = {};
  uint32_t crc = crc_step(~0u, file.first(at));
  crc = crc_step(crc, zero);
  return ~crc_step(crc, file.subspan(at + sizeof(zero), kTableEnd - at - sizeof(zero)));
}

void save(const Code& code, const std::string& path) {
  const std::vector<std::byte> bytes = encode(code);
  const std::span<const std::byte> whole = bytes;
  try {
    ops::write_whole(path, {&whole, 1});
  } catch (const std::system_error& error) {
    throw FileError("module file: can't write " + path + ": " + error.code().message());
  }
}

CodeRef load(const std::string& path) { return decode_module(FileDescriptor(path).read()); }

}  // namespace ember::bytecode
