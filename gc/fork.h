// Mutexes that a fork leaves usable. A child has but the thread that forked: a mutex that another one held would stay
// locked for ever, over something half changed. So a fork first takes all mutexes of this kind, in the order of their
// ranks, which is the order in which the program nests them; the child makes them anew. They live for ever.
//
// Handlers of pthread_atfork that wait for other threads (for a compile, for the pool's job) have to be registered when
// first needed, after this file's, which is there from the start: then they wait while these mutexes are still free.
#pragma once

#include <cstdint>
#include <new>

namespace ember::gc {

enum class ForkRank : uint8_t {
  Calls,
  Loops,
  Functions,
  Programs,
  Plans,
  Constants,
  Layouts,
  Code,
  Packed,
  Transforms,
  Memory
};

struct ForkEntry {
  ForkRank rank;
  void* mutex;
  void (*lock)(void*);
  void (*unlock)(void*);
  void (*renew)(void*);
};
void lock_at_fork(const ForkEntry& entry);

template <class Mutex>
class ForkMutex : public Mutex {
 public:
  explicit ForkMutex(ForkRank rank) {
    lock_at_fork({rank, static_cast<Mutex*>(this), [](void* m) { static_cast<Mutex*>(m)->lock(); },
                  [](void* m) { static_cast<Mutex*>(m)->unlock(); }, [](void* m) { new (m) Mutex; }});
  }
};

}  // namespace ember::gc
