// The pool behind Storage.
//
// A released block stays whole: its Storage object goes on a free list with the block attached, so reuse is a pop.
// Blocks up to 64 KiB have lists in each thread, which need no lock; a list that grows long gives half to the shared
// lists, and an exiting thread gives all. Larger blocks use the shared lists, under one mutex. Size classes are 64
// bytes times 1, 2, 3, 4 and then four steps to each power of two. trim() empties the lists of all threads: it has the
// kernel put a fence into each, so that they need none of their own to say when they use their lists.
//
// Held bytes (live and cached) change only when the system is asked, so that is where the limit is checked, and where
// cached blocks are given back that would take the process far above what it ever used at once. Live bytes of small
// blocks are counted by thread and settled in steps. Fork: the mutex is held across it; what other threads had cached
// is lost to the child.
#include "gc/storage.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "gc/fork.h"
#include "gc/guard_pages.h"
#include "gc/huge_pages.h"
#include "gc/mimalloc.h"

namespace ember::gc {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kMaxBytes = size_t{1} << 52;
constexpr size_t kClasses = 180;
constexpr size_t kSmallClasses = 36;  // up to 64 KiB
constexpr int64_t kSettle = 64 << 10;
constexpr size_t kListBytes = 256 << 10;
constexpr size_t kSlack = size_t{32} << 20;
#ifdef EMBERJIT_NO_REUSE
constexpr bool kReuse = false;  // so that a use after the last release is seen
#else
constexpr bool kReuse = true;
#endif

struct SizeClass {
  uint32_t index;
  size_t bytes;
};

bool reuses() { return kReuse && guard_pages() == GuardPages::None; }

SizeClass size_class(size_t bytes) {
  size_t units = (bytes + kAlignment - 1) / kAlignment;
  if (units <= 1) return {0, kAlignment};
  if (units <= 4) return {static_cast<uint32_t>(units - 1), units * kAlignment};
  size_t shift = std::bit_width(units - 1) - 3;
  size_t step = ((units - 1) >> shift) + 1;
  return {static_cast<uint32_t>(shift * 4 + step - 1), (step << shift) * kAlignment};
}

void* memory_for(size_t bytes, const SizeClass& wanted, size_t alignment) {
  if (guard_pages() != GuardPages::None) return guarded_allocate(bytes);
  return system_allocate(wanted.bytes, alignment);
}

void give_back(void* data, size_t bytes) {
  if (guard_pages() != GuardPages::None) return guarded_free(data, bytes);
  system_free(data);
}

}  // namespace

struct FreeList {
  Storage* first = nullptr;
  uint32_t count = 0;
};

// One thread's lists. `live` is written by its thread only.
struct ThreadCache {
  std::array<FreeList, kSmallClasses> lists;
  std::atomic<int64_t> live{0};
  std::atomic<int64_t> cached{0};
  std::atomic<bool> used{false};    // by its thread
  std::atomic<bool> wanted{false};  // by one that trims
};

// While one lives a thread has its lists, unless they are wanted.
class OwnLists {
 public:
  explicit OwnLists(ThreadCache& cache) : cache_(cache) {
    cache_.used.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    has_ = !cache_.wanted.load(std::memory_order_acquire);
  }
  ~OwnLists() { cache_.used.store(false, std::memory_order_release); }
  OwnLists(const OwnLists&) = delete;
  OwnLists& operator=(const OwnLists&) = delete;
  explicit operator bool() const { return has_; }

 private:
  ThreadCache& cache_;
  bool has_;
};

class Pool {
 public:
  static Pool& get() {
    static Pool& pool = *new Pool;
    return pool;
  }

  Storage* allocate(size_t bytes);
  void release(Storage* block);
  void drop(Storage* block);
  void settle(ThreadCache* cache);
  void unregister_thread(ThreadCache* cache);
  ThreadCache* register_thread();
  Stats stats();
  void reset_peak();
  void set_limit(size_t bytes) {
    limit_.store(bytes);
    if (bytes != 0 && held_.load() > bytes) trim();
  }
  void trim();
  size_t limit() const { return limit_.load(); }

 private:
  Pool() { register_at_fork(&in_child_); }
  Storage* pop(ThreadCache& cache, const SizeClass& wanted);
  bool push(ThreadCache& cache, Storage* block);
  Storage* allocate_shared(const SizeClass& wanted);
  Storage* fresh(size_t bytes, const SizeClass& wanted);
  bool reserve(size_t bytes);
  void share_lists();
  void forget_other_threads();
  void trim_above_peak(size_t wanted);
  void share(ThreadCache& cache, FreeList& list);
  void push_shared(Storage* block);
  void count_live(int64_t change);
  void raise_peak(int64_t live);
  int64_t unsettled(std::atomic<int64_t> ThreadCache::*field);

  ForkMutex<std::mutex> mutex_{ForkRank::Memory};
  ForkEntry in_child_{ForkRank::Memory, this, nullptr, nullptr,
                      [](void* pool) { static_cast<Pool*>(pool)->forget_other_threads(); }};
  std::array<FreeList, kClasses> lists_;
  std::vector<ThreadCache*> threads_;
  std::atomic<int64_t> live_{0}, peak_{0}, most_{0}, cached_{0};
  std::atomic<size_t> held_{0}, limit_{0};
};

namespace {

enum class ThreadState : uint8_t { Unborn, Alive, Gone };
thread_local ThreadCache* thread_cache = nullptr;
thread_local ThreadState thread_state = ThreadState::Unborn;

struct ThreadExit {
  ~ThreadExit() {
    if (thread_cache) Pool::get().unregister_thread(thread_cache);
    thread_cache = nullptr;
    thread_state = ThreadState::Gone;
  }
};

ThreadCache* register_cache() {
  if (thread_state == ThreadState::Gone) return nullptr;
  static thread_local ThreadExit at_exit;
  (void)at_exit;
  thread_state = ThreadState::Alive;
  return thread_cache = Pool::get().register_thread();
}

inline ThreadCache* cache_of_thread() { return thread_cache ? thread_cache : register_cache(); }

// Of the whole machine. The system promises more, and ends processes that take it at its word.
size_t machine_memory() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// False where the system has none.
bool fence_all_threads() {
  static const bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

std::atomic<const CachedCopies*> cached_copies{nullptr};
constinit std::array<std::atomic<void (*)()>, 4> idle_memory{};

inline void bump(std::atomic<int64_t>& counter, int64_t change) {
  counter.store(counter.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
}

}  // namespace

ThreadCache* Pool::register_thread() {
  auto* cache = new ThreadCache;
  std::lock_guard lock(mutex_);
  threads_.push_back(cache);
  return cache;
}

void Pool::unregister_thread(ThreadCache* cache) {
  settle(cache);
  std::lock_guard lock(mutex_);
  for (FreeList& list : cache->lists) share(*cache, list);
  std::erase(threads_, cache);
  delete cache;
}

void Pool::forget_other_threads() {
  for (ThreadCache* cache : threads_)
    if (cache != thread_cache) live_.fetch_add(cache->live.load(std::memory_order_relaxed), std::memory_order_relaxed);
  std::erase_if(threads_, [](ThreadCache* cache) { return cache != thread_cache; });
}

void Pool::count_live(int64_t change) { raise_peak(live_.fetch_add(change, std::memory_order_relaxed) + change); }

void Pool::raise_peak(int64_t live) {
  for (std::atomic<int64_t>* mark : {&peak_, &most_}) {
    int64_t old = mark->load(std::memory_order_relaxed);
    while (live > old && !mark->compare_exchange_weak(old, live, std::memory_order_relaxed)) {
    }
  }
}

void Pool::settle(ThreadCache* cache) { count_live(cache->live.exchange(0, std::memory_order_relaxed)); }

Storage* Pool::allocate(size_t bytes) {
  if (bytes > kMaxBytes) throw OutOfMemory(bytes, stats().live, limit());
  SizeClass wanted = size_class(bytes);
  auto size = static_cast<int64_t>(wanted.bytes);
  ThreadCache* cache = wanted.index < kSmallClasses ? cache_of_thread() : nullptr;
  Storage* block = cache ? pop(*cache, wanted) : nullptr;
  if (!block) block = allocate_shared(wanted);
  if (!block) block = fresh(bytes, wanted);
  if (cache) {
    bump(cache->live, size);
    if (cache->live.load(std::memory_order_relaxed) > kSettle) settle(cache);
  } else {
    count_live(size);
  }
  block->size_ = bytes;
  return block;
}

Storage* Pool::pop(ThreadCache& cache, const SizeClass& wanted) {
  const OwnLists own(cache);
  FreeList& list = cache.lists[wanted.index];
  if (!own || !list.first) return nullptr;
  Storage* block = list.first;
  list.first = block->next_;
  --list.count;
  bump(cache.cached, -static_cast<int64_t>(wanted.bytes));
  return block;
}

Storage* Pool::allocate_shared(const SizeClass& wanted) {
  std::lock_guard lock(mutex_);
  FreeList& list = lists_[wanted.index];
  Storage* block = list.first;
  if (!block) return nullptr;
  list.first = block->next_;
  --list.count;
  cached_.fetch_sub(static_cast<int64_t>(wanted.bytes), std::memory_order_relaxed);
  return block;
}

bool Pool::reserve(size_t bytes) {
  const size_t limit = limit_.load() != 0 ? limit_.load() : machine_memory();
  size_t held = held_.load();
  do {
    if (bytes > limit || held > limit - bytes) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes));
  return true;
}

// Frees cached blocks, the largest first, so that held bytes stay near the most that was ever live at once.
void Pool::trim_above_peak(size_t wanted) {
  const auto most = static_cast<size_t>(std::max(most_.load(std::memory_order_relaxed),
                                                 live_.load(std::memory_order_relaxed) + static_cast<int64_t>(wanted)));
  const size_t allowed = most + most / 16 + kSlack;
  std::vector<Storage*> blocks;
  {
    std::lock_guard lock(mutex_);
    size_t after = held_.load() + wanted;
    for (size_t c = kClasses; c-- > kSmallClasses && after > allowed;) {
      for (FreeList& list = lists_[c]; list.first && after > allowed; --list.count) {
        blocks.push_back(list.first);
        list.first = list.first->next_;
        after -= blocks.back()->capacity_;
        cached_.fetch_sub(static_cast<int64_t>(blocks.back()->capacity_), std::memory_order_relaxed);
      }
    }
  }
  for (Storage* block : blocks) drop(block);
}

Storage* Pool::fresh(size_t bytes, const SizeClass& wanted) {
  if (wanted.bytes >= kHugePage) trim_above_peak(wanted.bytes);
  bool reserved = reserve(wanted.bytes);
  if (!reserved) {
    trim();
    reserved = reserve(wanted.bytes);
  }
  if (!reserved) throw OutOfMemory(bytes, stats().live, limit());
  size_t alignment = wanted.bytes >= kHugePage ? kHugePage : kAlignment;
  void* data = memory_for(bytes, wanted, alignment);
  if (!data) {
    trim();
    data = memory_for(bytes, wanted, alignment);
  }
  Storage* block = data ? new (std::nothrow) Storage(data, bytes, wanted.bytes, nullptr) : nullptr;
  if (!block) {
    if (data) give_back(data, bytes);
    held_.fetch_sub(wanted.bytes);
    throw OutOfMemory(bytes, stats().live, limit());
  }
  block->size_class_ = wanted.index;
  if (alignment == kHugePage && reuses()) advise_huge_pages(data, wanted.bytes);
  return block;
}

void Pool::release(Storage* block) {
  Storage::retire(block->version_.load(std::memory_order_relaxed));
  block->version_.store(0, std::memory_order_relaxed);
  block->shares_.store(0, std::memory_order_relaxed);
  auto size = static_cast<int64_t>(block->capacity_);
  ThreadCache* cache = block->size_class_ < kSmallClasses ? cache_of_thread() : nullptr;
  if (cache) {
    bump(cache->live, -size);
    if (cache->live.load(std::memory_order_relaxed) < -kSettle) settle(cache);
  } else {
    count_live(-size);
  }
  if (!reuses()) return drop(block);
  if (cache && push(*cache, block)) return;
  std::lock_guard lock(mutex_);
  push_shared(block);
}

bool Pool::push(ThreadCache& cache, Storage* block) {
  FreeList surplus;
  {
    const OwnLists own(cache);
    if (!own) return false;
    FreeList& list = cache.lists[block->size_class_];
    block->next_ = list.first;
    list.first = block;
    ++list.count;
    bump(cache.cached, static_cast<int64_t>(block->capacity_));
    const auto most = static_cast<uint32_t>(std::max<size_t>(kListBytes / block->capacity_, 4));
    if (list.count <= most) return true;
    while (list.count > most / 2) {
      Storage* moved = list.first;
      list.first = moved->next_;
      --list.count;
      moved->next_ = surplus.first;
      surplus.first = moved;
      ++surplus.count;
    }
  }
  std::lock_guard lock(mutex_);
  share(cache, surplus);
  return true;
}

void Pool::drop(Storage* block) {
  held_.fetch_sub(block->capacity_);
  give_back(block->data_, block->size_);
  delete block;
}

void Pool::push_shared(Storage* block) {
  FreeList& list = lists_[block->size_class_];
  block->next_ = list.first;
  list.first = block;
  ++list.count;
  cached_.fetch_add(static_cast<int64_t>(block->capacity_), std::memory_order_relaxed);
}

// With the mutex held.
void Pool::share(ThreadCache& cache, FreeList& list) {
  for (Storage *block = list.first, *next; block; block = next) {
    next = block->next_;
    bump(cache.cached, -static_cast<int64_t>(block->capacity_));
    push_shared(block);
  }
  list = {};
}

// With the mutex held.
void Pool::share_lists() {
  for (ThreadCache* cache : threads_) cache->wanted.store(true, std::memory_order_relaxed);
  const bool fenced = fence_all_threads();
  for (ThreadCache* cache : threads_) {
    while (fenced && cache->used.load(std::memory_order_acquire)) std::this_thread::yield();
    if (fenced || cache == thread_cache)
      for (FreeList& list : cache->lists) share(*cache, list);
    cache->wanted.store(false, std::memory_order_release);
  }
}

void Pool::trim() {
  for (const auto& free_it : idle_memory)
    if (void (*f)() = free_it.load(std::memory_order_acquire)) f();
  Storage* blocks = nullptr;
  {
    std::lock_guard lock(mutex_);
    share_lists();
    for (FreeList& list : lists_) {
      for (Storage *block = list.first, *next; block; block = next) {
        next = std::exchange(block->next_, blocks);
        blocks = block;
        cached_.fetch_sub(static_cast<int64_t>(block->capacity_), std::memory_order_relaxed);
      }
      list = {};
    }
  }
  while (blocks) drop(std::exchange(blocks, blocks->next_));
  system_collect();
}

int64_t Pool::unsettled(std::atomic<int64_t> ThreadCache::*field) {
  std::lock_guard lock(mutex_);
  int64_t sum = 0;
  for (ThreadCache* cache : threads_) sum += (cache->*field).load(std::memory_order_relaxed);
  return sum;
}

Stats Pool::stats() {
  int64_t live = live_.load() + unsettled(&ThreadCache::live);
  int64_t cached = cached_.load() + unsettled(&ThreadCache::cached);
  raise_peak(live);
  Stats s;
  s.live = static_cast<size_t>(std::max<int64_t>(live, 0));
  s.peak = static_cast<size_t>(std::max<int64_t>(peak_.load(), 0));
  s.cached = static_cast<size_t>(std::max<int64_t>(cached, 0));
  s.limit = limit();
  return s;
}

void Pool::reset_peak() { peak_.store(static_cast<int64_t>(stats().live)); }

OutOfMemory::OutOfMemory(size_t wanted, size_t live, size_t limit) {
  int n =
      std::snprintf(message_, sizeof message_, "out of memory: wanted %zu bytes, %zu bytes are in use", wanted, live);
  if (limit != 0) std::snprintf(message_ + n, sizeof message_ - n, ", the limit is %zu bytes", limit);
}

Storage::Storage(void* data, size_t size, size_t capacity, std::function<void()> on_release)
    : data_(data), size_(size), capacity_(capacity), foreign_(capacity == 0), on_release_(std::move(on_release)) {}

Storage::~Storage() = default;

void Storage::destroy() const noexcept {
  auto* self = const_cast<Storage*>(this);
  if (!foreign_) return Pool::get().release(self);
  if (on_release_) on_release_();
  delete self;
}

uint64_t Storage::version() const noexcept {
  static std::atomic<uint64_t> last{0};
  uint64_t drawn = version_.load(std::memory_order_acquire);
  if (drawn == 0) {
    const uint64_t fresh = last.fetch_add(2, std::memory_order_relaxed) + 2;
    if (version_.compare_exchange_strong(drawn, fresh, std::memory_order_acq_rel)) return fresh;
  }
  return drawn & ~uint64_t{1};
}

bool Storage::watch(uint64_t version) const noexcept {
  uint64_t drawn = version;
  return version_.compare_exchange_strong(drawn, version | 1, std::memory_order_acq_rel) || drawn == (version | 1);
}

void Storage::retire(uint64_t drawn) noexcept {
  if (drawn & 1) cached_copies.load(std::memory_order_acquire)->stale(drawn & ~uint64_t{1});
}

void set_cached_copies(const CachedCopies* hooks) { cached_copies.store(hooks, std::memory_order_release); }

void add_idle_memory(void (*free_it)()) {
  for (auto& place : idle_memory) {
    void (*none)() = nullptr;
    if (place.compare_exchange_strong(none, free_it, std::memory_order_acq_rel) || none == free_it) return;
  }
  throw std::logic_error("gc: no room for more kinds of idle memory");
}

Ref<Storage> allocate(size_t bytes) { return Ref<Storage>(Pool::get().allocate(bytes)); }

Ref<Storage> adopt(void* data, size_t bytes, std::function<void()> on_release) {
  return Ref<Storage>(new Storage(data, bytes, 0, std::move(on_release)));
}

Stats stats() { return Pool::get().stats(); }
void reset_peak() { Pool::get().reset_peak(); }
void set_limit(size_t bytes) { Pool::get().set_limit(bytes); }
void trim() { Pool::get().trim(); }

}  // namespace ember::gc
