// What perf reads: jit-PID.dump in the working folder (jitdump-specification.txt), which `perf inject --jit` takes the
// code and its lines from. Each process, a fork's child too, has a file of its own; a record is one write. A map of
// names, perf-PID.map, would not serve: perf reads it for anonymous memory alone, and code lies in a memory file.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <mutex>
#include <utility>

#include "bytecode/code/bytes.h"
#include "gc/fork.h"
#include "tiers/symbols/symbols.h"

namespace ember::tiers {
namespace {

constexpr uint32_t kJitdumpMagic = 0x4A695444, kJitdumpVersion = 1, kX86_64 = 62;
enum JitdumpRecord : uint32_t { kCodeLoad = 0, kDebugInfo = 2 };

using bytecode::Writer;

void put_text(Writer* out, const std::string& text) { out->raw(text.c_str(), text.size() + 1); }

template <class... T>
void put_all(Writer* out, T... values) {
  (out->put(values), ...);
}

uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// perf finds the dump by the executable mapping of its first page in the recording.
void begin_jitdump(int file) {
  Writer header;
  put_all(&header, kJitdumpMagic, kJitdumpVersion, uint32_t{40}, kX86_64, uint32_t{0},
          static_cast<uint32_t>(::getpid()), monotonic_ns(), uint64_t{0});
  if (::write(file, header.bytes().data(), header.bytes().size()) < 0) return;
  ::mmap(nullptr, static_cast<size_t>(::sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
}

// The file of this process, opened when it first writes.
class File {
 public:
  void write(std::span<const std::byte> all) {
    std::lock_guard lock(mutex_);
    if (process_ != ::getpid()) {
      if (file_ >= 0) ::close(file_);
      process_ = ::getpid();
      const std::string name = "jit-" + std::to_string(process_) + ".dump";
      ::unlink(name.c_str());
      file_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (file_ >= 0) begin_jitdump(file_);
    }
    if (file_ < 0) return;
    for (size_t done = 0; done < all.size();) {
      const ssize_t n = ::write(file_, all.data() + done, all.size() - done);
      if (n <= 0) return;
      done += static_cast<size_t>(n);
    }
  }

 private:
  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Symbols};
  pid_t process_ = 0;
  int file_ = -1;
};

void put_record(Writer* out, JitdumpRecord kind, Writer body) {
  constexpr uint32_t kPrefix = 16;
  put_all(out, kind, static_cast<uint32_t>(kPrefix + body.bytes().size()), monotonic_ns());
  out->raw(body.bytes().data(), body.bytes().size());
}

Writer debug_info(uint64_t address, const std::vector<CodeLine>& lines) {
  Writer out;
  put_all(&out, address, static_cast<uint64_t>(lines.size()));
  for (const CodeLine& line : lines) {
    put_all(&out, address + line.offset, line.line, uint32_t{0});
    put_text(&out, *line.file);
  }
  return out;
}

}  // namespace

void add_to_jitdump(std::span<const uint8_t> code, const Symbol& symbol) {
  static auto& file = *new File();
  static std::atomic<uint64_t> number{0};
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(code.data()));
  Writer records, body;
  if (!symbol.lines.empty()) put_record(&records, kDebugInfo, debug_info(address, symbol.lines));
  put_all(&body, static_cast<uint32_t>(::getpid()), static_cast<uint32_t>(::syscall(SYS_gettid)), address, address,
          static_cast<uint64_t>(code.size()), number.fetch_add(1));
  put_text(&body, symbol.name);
  body.raw(code.data(), code.size());
  put_record(&records, kCodeLoad, std::move(body));
  file.write(records.bytes());
}

}  // namespace ember::tiers
