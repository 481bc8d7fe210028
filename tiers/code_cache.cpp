#include "tiers/code_cache.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "gc/fork.h"

namespace ember::tiers {
namespace {

constexpr size_t kChunkBytes = 4 << 20;
constexpr size_t kAlignment = 64;

int make_memory_file() {
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif
  int fd = memfd_create("emberjit-code", MFD_CLOEXEC | MFD_EXEC);
  return fd >= 0 ? fd : memfd_create("emberjit-code", MFD_CLOEXEC);
}

}  // namespace

struct CodeCache::Chunk {
  uint8_t* writable = nullptr;
  uint8_t* executable = nullptr;
  size_t bytes = 0;
  std::map<size_t, size_t> holes;  // offset, size

  Chunk() = default;
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  ~Chunk() {
    if (writable) munmap(writable, bytes);
    if (executable) munmap(executable, bytes);
  }

  // Maps a fresh file at both addresses (anywhere if null); false if the system refuses.
  bool map(void* at_writable, void* at_executable) {
    int fd = make_memory_file();
    if (fd < 0) return false;
    int fixed = at_writable ? MAP_FIXED : 0;
    void* rw = ftruncate(fd, static_cast<off_t>(bytes)) == 0
                   ? mmap(at_writable, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, fd, 0)
                   : MAP_FAILED;
    void* rx =
        rw == MAP_FAILED ? MAP_FAILED : mmap(at_executable, bytes, PROT_READ | PROT_EXEC, MAP_SHARED | fixed, fd, 0);
    close(fd);
    if (rw == MAP_FAILED) return false;
    writable = static_cast<uint8_t*>(rw);
    if (rx == MAP_FAILED) return false;
    executable = static_cast<uint8_t*>(rx);
    return true;
  }

  // In the child of a fork: the same bytes in memory that the parent does not share. The executable view is replaced
  // only when its copy is complete.
  bool make_private() {
    std::vector<uint8_t> copy(executable, executable + bytes);
    uint8_t *rw = writable, *rx = executable;
    int fd = make_memory_file();
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) return false;
    bool written = pwrite(fd, copy.data(), bytes, 0) == static_cast<ssize_t>(bytes);
    written = written && mmap(rw, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED &&
              mmap(rx, bytes, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
    close(fd);
    return written;
  }

  bool take(size_t size, size_t* offset) {
    for (auto hole = holes.begin(); hole != holes.end(); ++hole) {
      if (hole->second < size) continue;
      *offset = hole->first;
      size_t rest = hole->second - size;
      holes.erase(hole);
      if (rest) holes[*offset + size] = rest;
      return true;
    }
    return false;
  }

  void give(size_t offset, size_t size) {
    auto next = holes.lower_bound(offset);
    if (next != holes.end() && next->first == offset + size) {
      size += next->second;
      next = holes.erase(next);
    }
    if (next != holes.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += size;
        return;
      }
    }
    holes[offset] = size;
  }
};

struct CodeCache::State {
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Code};
  std::vector<std::unique_ptr<Chunk>> chunks;
  size_t used = 0;
  size_t cap = 64 << 20;
  bool denied = false;
  bool (*evict)() = nullptr;
};

CodeCache& CodeCache::instance() {
  static CodeCache* cache = new CodeCache();
  return *cache;
}

CodeCache::CodeCache() : state_(*new State()) {
  pthread_atfork(nullptr, nullptr, [] {
    State& state = instance().state_;
    for (auto& chunk : state.chunks)
      if (!chunk->make_private()) state.denied = true;
  });
}

gc::Ref<CodeBlock> CodeCache::add(std::span<const uint8_t> code, const Symbol& symbol) {
  const size_t size = (code.size() + kAlignment - 1) / kAlignment * kAlignment;
  const uint8_t* at = place(code, size);
  if (!at) return nullptr;
  add_symbol({at, code.size()}, symbol);
  return gc::Ref<CodeBlock>(new CodeBlock(at, size));
}

const uint8_t* CodeCache::place(std::span<const uint8_t> code, size_t size) {
  std::unique_lock lock(state_.mutex);
  while (!state_.denied && state_.used + size > state_.cap) {
    bool (*evict)() = state_.evict;
    lock.unlock();
    bool dropped = evict && evict();
    lock.lock();
    if (!dropped) return nullptr;
  }
  if (state_.denied || size == 0) return nullptr;
  size_t offset = 0;
  Chunk* home = nullptr;
  for (auto& chunk : state_.chunks)
    if (!home && chunk->take(size, &offset)) home = chunk.get();
  if (!home) {
    auto chunk = std::make_unique<Chunk>();
    chunk->bytes = std::max(kChunkBytes, (size + 4095) / 4096 * 4096);
    if (!chunk->map(nullptr, nullptr)) {
      state_.denied = true;
      return nullptr;
    }
    chunk->holes[0] = chunk->bytes;
    chunk->take(size, &offset);
    home = chunk.get();
    state_.chunks.push_back(std::move(chunk));
  }
  std::memcpy(home->writable + offset, code.data(), code.size());
  state_.used += size;
  return home->executable + offset;
}

void CodeCache::release(const void* address, size_t size) {
  std::lock_guard lock(state_.mutex);
  const auto* at = static_cast<const uint8_t*>(address);
  for (auto& chunk : state_.chunks)
    if (at >= chunk->executable && at < chunk->executable + chunk->bytes)
      chunk->give(static_cast<size_t>(at - chunk->executable), size);
  state_.used -= size;
}

size_t CodeCache::used() const {
  std::lock_guard lock(state_.mutex);
  return state_.used;
}
size_t CodeCache::cap() const {
  std::lock_guard lock(state_.mutex);
  return state_.cap;
}
void CodeCache::set_cap(size_t bytes) {
  std::lock_guard lock(state_.mutex);
  state_.cap = bytes;
}
void CodeCache::set_evictor(bool (*evict)()) {
  std::lock_guard lock(state_.mutex);
  state_.evict = evict;
}

void CodeBlock::destroy() const noexcept {
  remove_symbol(address_);
  CodeCache::instance().release(address_, size_);
  delete this;
}

}  // namespace ember::tiers
