// Locks are listed by rank without a lock of their own, which whoever makes a lock while it holds another would take
// against a fork's order.
#include "gc/fork.h"

#include <pthread.h>

#include <atomic>

namespace ember::gc {
namespace {

constinit std::array<std::atomic<ForkEntry*>, kLockRanks> first_of_rank{};
constinit std::array<std::atomic<uint32_t>, kLockRanks> taken_late{};  // what was held, as bits

template <class F>
void each_entry(F&& f) {
  for (auto& first : first_of_rank) {
    for (ForkEntry* e = first.load(std::memory_order_acquire); e; e = e->next) f(*e);
  }
}

void prepare() {
  each_entry([](ForkEntry& e) {
    if (!e.lock) return;
    e.lock(e.object);
    e.held_by_fork = true;
  });
}

bool let_go(ForkEntry& e) {
  if (!e.held_by_fork) return false;
  e.held_by_fork = false;
  e.unlock(e.object);
  return true;
}

void in_parent() {
  each_entry([](ForkEntry& e) { let_go(e); });
}

// One that was made meanwhile is not held by the fork, but perhaps by a thread that the child lacks.
void in_child() {
  each_entry([](ForkEntry& e) {
    if (!let_go(e)) e.renew(e.object);
  });
}

const int registered = pthread_atfork(prepare, in_parent, in_child);

}  // namespace

void register_at_fork(ForkEntry* entry) {
  (void)registered;
  std::atomic<ForkEntry*>& first = first_of_rank[static_cast<size_t>(entry->rank)];
  entry->next = first.load(std::memory_order_relaxed);
  while (!first.compare_exchange_weak(entry->next, entry, std::memory_order_acq_rel)) {
  }
}

std::vector<ForkEntry*> fork_entries() {
  std::vector<ForkEntry*> all;
  each_entry([&](ForkEntry& e) { all.push_back(&e); });
  return all;
}

void note_lock_order(ForkRank taken, uint32_t held) {
  const uint32_t later = held & ~((uint32_t{2} << static_cast<int>(taken)) - 1);
  taken_late[static_cast<size_t>(taken)].fetch_or(later, std::memory_order_relaxed);
}

std::vector<std::string> lock_order_problems() {
  std::vector<std::string> problems;
  for (size_t taken = 0; taken < kLockRanks; ++taken) {
    for (size_t held = 0; held < kLockRanks; ++held) {
      if (taken_late[taken].load(std::memory_order_relaxed) >> held & 1)
        problems.push_back(std::string(kLockNames[held]) + ", then " + std::string(kLockNames[taken]));
    }
  }
  return problems;
}

}  // namespace ember::gc
