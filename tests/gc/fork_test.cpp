// What a thread is known to hold of the process's locks.
#include "gc/fork.h"

#include <gtest/gtest.h>

#include <mutex>

namespace ember::gc {
namespace {

// As where functions are bound that call each other, 300 deep.
TEST(Locks, OneIsHeldUntilItIsLetGoAsOftenAsItWasTaken) {
  static ForkMutex<RecursiveMutex> mutex{ForkRank::Bindings};
  for (int i = 0; i < 300; ++i) mutex.lock();
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(holds_lock()) << i;
    mutex.unlock();
  }
  EXPECT_FALSE(holds_lock());
}

TEST(Locks, AnEarlierOneAfterALaterOneIsAProblem) {
  static ForkMutex<std::mutex> earlier{ForkRank::Schedules}, later{ForkRank::Timeline};
  {
    const std::scoped_lock first(earlier);
    const std::scoped_lock second(later);
  }
  EXPECT_EQ(lock_order_problems(), std::vector<std::string>{});
  {
    const std::scoped_lock first(later);
    const std::scoped_lock second(earlier);
  }
  EXPECT_EQ(lock_order_problems(), std::vector<std::string>{"Timeline, then Schedules"});
}

}  // namespace
}  // namespace ember::gc
