// The process's locks. A child of fork has but the thread that forked: a mutex that another one held would stay locked
// for ever, over something half changed. So every mutex that outlives one piece of work is a ForkMutex: a fork first
// takes all of them, in the order of their ranks, and parent and child let go of them. They live for ever.
//
// The thread that forked has another number in the child: a mutex that knows its owner by it (std::recursive_mutex,
// std::shared_mutex) could not be let go there.
//
// A rank is a lock's name and its place in the order: a thread takes locks of later ranks only. The first is Python's
// lock, which whoever forks may hold: no thread waits for it while it has one of these. What a thread does against the
// order is noted (lock_order_problems), which tests look at.
//
// Handlers of pthread_atfork that wait for other threads have to be registered when first needed, after this file's,
// which is there from the start: then they wait while these mutexes are still free.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ember::gc {

#define EMBER_LOCKS(X) \
  X(Gil)               \
  X(Compiler)          \
  X(Specialisations)   \
  X(Bindings)          \
  X(Calls)             \
  X(Loops)             \
  X(Functions)         \
  X(Native)            \
  X(Arenas)            \
  X(Programs)          \
  X(Schedules)         \
  X(Constants)         \
  X(Layouts)           \
  X(Code)              \
  X(Packed)            \
  X(Transforms)        \
  X(Libraries)         \
  X(Symbols)           \
  X(Timeline)          \
  X(Memory)

enum class ForkRank : uint8_t {
#define X(name) name,
  EMBER_LOCKS(X)
#undef X
};
inline constexpr std::string_view kLockNames[] = {
#define X(name) #name,
    EMBER_LOCKS(X)
#undef X
};
inline constexpr size_t kLockRanks = std::size(kLockNames);

// One lock, or what belongs to one (a condition, which is only made anew).
struct ForkEntry {
  ForkRank rank;
  void* object;
  void (*lock)(void*);
  void (*unlock)(void*);
  void (*renew)(void*);
  ForkEntry* next = nullptr;
  bool held_by_fork = false;
};
void register_at_fork(ForkEntry* entry);
std::vector<ForkEntry*> fork_entries();  // in their order

// What this thread holds.
struct HeldLocks {
  std::array<uint32_t, kLockRanks> times{};
  uint32_t ranks = 0;  // as bits
};
inline thread_local constinit HeldLocks held_locks;
void note_lock_order(ForkRank taken, uint32_t held);

inline bool holds_lock() { return held_locks.ranks != 0; }
// This thread is about to take, and perhaps wait for, the lock.
inline void check_lock_order(ForkRank rank) {
  const uint32_t from = uint32_t{1} << static_cast<int>(rank);
  if (held_locks.ranks >= from && !(held_locks.ranks & from)) note_lock_order(rank, held_locks.ranks);
}
inline void hold_lock(ForkRank rank) {
  ++held_locks.times[static_cast<size_t>(rank)];
  held_locks.ranks |= uint32_t{1} << static_cast<int>(rank);
}
inline void let_lock_go(ForkRank rank) {
  if (--held_locks.times[static_cast<size_t>(rank)] == 0) held_locks.ranks &= ~(uint32_t{1} << static_cast<int>(rank));
}

// "Memory, then Layouts": what any thread has done so far against the order of ranks.
std::vector<std::string> lock_order_problems();

// By the address of what belongs to the thread.
class RecursiveMutex : std::mutex {
 public:
  void lock() {
    if (!is_mine()) std::mutex::lock();
    own();
  }
  bool try_lock() {
    if (!is_mine() && !std::mutex::try_lock()) return false;
    own();
    return true;
  }
  void unlock() {
    if (--times_ != 0) return;
    owner_.store(nullptr, std::memory_order_relaxed);
    std::mutex::unlock();
  }

 private:
  bool is_mine() const { return owner_.load(std::memory_order_relaxed) == &held_locks; }
  void own() {
    owner_.store(&held_locks, std::memory_order_relaxed);
    ++times_;
  }

  std::atomic<const HeldLocks*> owner_{nullptr};
  size_t times_ = 0;
};

template <class Mutex>
class ForkMutex : Mutex {
  static_assert(std::is_same_v<Mutex, std::mutex> || std::is_same_v<Mutex, RecursiveMutex>);

 public:
  explicit ForkMutex(ForkRank rank)
      : entry_{rank, static_cast<Mutex*>(this), [](void* m) { static_cast<Mutex*>(m)->lock(); },
               [](void* m) { static_cast<Mutex*>(m)->unlock(); }, [](void* m) { new (m) Mutex; }} {
    register_at_fork(&entry_);
  }

  void lock() {
    check_lock_order(entry_.rank);
    Mutex::lock();
    hold_lock(entry_.rank);
  }
  bool try_lock() {
    const bool taken = Mutex::try_lock();
    if (taken) hold_lock(entry_.rank);
    return taken;
  }
  void unlock() {
    Mutex::unlock();
    let_lock_go(entry_.rank);
  }

 private:
  ForkEntry entry_;
};

// What threads wait on with such a mutex.
class ForkCondition : public std::condition_variable_any {
 public:
  explicit ForkCondition(ForkRank rank)
      : entry_{rank, static_cast<std::condition_variable_any*>(this), nullptr, nullptr,
               [](void* c) { new (c) std::condition_variable_any; }} {
    register_at_fork(&entry_);
  }

 private:
  ForkEntry entry_;
};

// Of one piece of work, and gone with it: a child that is forked meanwhile never meets it.
class LocalMutex : public std::mutex {};

}  // namespace ember::gc
