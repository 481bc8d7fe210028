// Tensor memory: counted blocks from mimalloc, reused by size class.
//
// Invariants: data() of an own block is aligned to 64 bytes and its capacity is a whole size class, so kernels may rely
// on alignment but never on the bytes after size(). Blocks of 2 MiB and more are aligned to 2 MiB and advised as huge
// pages. A released block is cached for reuse until trim() or until the limit needs it, as is idle memory of others
// (add_idle_memory). A foreign block (adopt) belongs
// to somebody else: it is never cached, and its owner hears when the last reference goes. version() is another one
// after every write (whoever writes in place holds a WriteScope) and after every release of the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>

#include "gc/ref.h"

namespace ember::gc {

// The memory limit was reached, or the system has no more. Everything stays usable.
class OutOfMemory : public std::bad_alloc {
 public:
  OutOfMemory(size_t wanted, size_t live, size_t limit);
  const char* what() const noexcept override { return message_; }

 private:
  char message_[160];
};

class Storage final : public Counted {
 public:
  void* data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  bool foreign() const noexcept { return foreign_; }

  // A number of the present contents, that no other contents of any block ever had or will have. It is drawn when it is
  // first asked for.
  uint64_t version() const noexcept;
  void bump_version() const noexcept { retire(version_.exchange(0, std::memory_order_acq_rel)); }
  // Whether this is still the version. Then CachedCopies::stale is called, once, when it no longer is.
  bool watch(uint64_t version) const noexcept;

  // While a view outside emberjit (asnumpy, buffer, DLPack) shares the block, or somebody writes it, its contents may
  // change at any time; those of a foreign block always may.
  void share() const noexcept { shares_.fetch_add(1, std::memory_order_relaxed); }
  void unshare() const noexcept {
    bump_version();
    shares_.fetch_sub(1, std::memory_order_relaxed);
  }
  bool changing() const noexcept { return foreign_ || shares_.load(std::memory_order_relaxed) != 0; }

 private:
  friend class Pool;
  friend Ref<Storage> adopt(void* data, size_t bytes, std::function<void()> on_release);
  Storage(void* data, size_t size, size_t capacity, std::function<void()> on_release);
  ~Storage() override;
  void destroy() const noexcept override;
  static void retire(uint64_t drawn) noexcept;

  void* data_;
  size_t size_;
  size_t capacity_;
  Storage* next_ = nullptr;  // in a list of cached blocks
  uint32_t size_class_ = 0;
  bool foreign_;
  mutable std::atomic<uint64_t> version_{0};  // 0: none is drawn; odd: its end is watched
  mutable std::atomic<uint32_t> shares_{0};
  std::function<void()> on_release_;
};

// While one lives its storage is written; afterwards, were it by an exception, the version is another one.
class WriteScope {
 public:
  explicit WriteScope(const Storage& storage) : storage_(storage) { storage_.share(); }
  ~WriteScope() { storage_.unshare(); }
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

 private:
  const Storage& storage_;
};

// A cache of copies of contents in other layouts (ops/matmul/packed_cache.h), by version.
struct CachedCopies {
  void (*stale)(uint64_t version);  // a watched version is gone
};
void set_cached_copies(const CachedCopies* hooks);  // of static lifetime; null takes it away

// Adds what frees blocks that are kept only to be fast: they go before the limit is met, and by trim().
void add_idle_memory(void (*free_it)());

// A block of at least `bytes` bytes, contents undefined. Throws OutOfMemory.
Ref<Storage> allocate(size_t bytes);

// A foreign block; on_release runs when the last reference goes.
Ref<Storage> adopt(void* data, size_t bytes, std::function<void()> on_release);

// Bytes of whole size classes. Threads settle their small blocks in steps of 64 KiB, so peak may miss that much a
// thread.
struct Stats {
  size_t live = 0;    // bytes in blocks that somebody holds
  size_t peak = 0;    // the most that live has been since reset_peak()
  size_t cached = 0;  // bytes in blocks kept for reuse
  size_t limit = 0;   // 0: none
};
Stats stats();
void reset_peak();
void set_limit(size_t bytes);  // of live and cached bytes together; 0: none
void trim();                   // frees cached blocks and idle memory

}  // namespace ember::gc
