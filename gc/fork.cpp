#include "gc/fork.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace ember::gc {
namespace {

struct Entries {
  std::mutex mutex;
  std::vector<ForkEntry> list;
};

Entries& entries() {
  static Entries* e = new Entries;
  return *e;
}

void prepare() {
  entries().mutex.lock();
  for (const ForkEntry& e : entries().list) e.lock(e.mutex);
}

void in_parent() {
  for (size_t i = entries().list.size(); i-- > 0;) entries().list[i].unlock(entries().list[i].mutex);
  entries().mutex.unlock();
}

void in_child() {
  for (const ForkEntry& e : entries().list) e.renew(e.mutex);
  new (&entries().mutex) std::mutex;
}

const int registered = pthread_atfork(prepare, in_parent, in_child);

}  // namespace

void lock_at_fork(const ForkEntry& entry) {
  (void)registered;
  const std::lock_guard lock(entries().mutex);
  std::vector<ForkEntry>& list = entries().list;
  list.insert(std::upper_bound(list.begin(), list.end(), entry,
                               [](const ForkEntry& a, const ForkEntry& b) { return a.rank < b.rank; }),
              entry);
}

}  // namespace ember::gc
