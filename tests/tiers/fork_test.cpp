// Forks while another thread holds one of the process's locks (gc/fork.h), each in turn: the child can do all that they
// guard.
#include "gc/fork.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "ops/base/interrupt.h"
#include "ops/base/timeline.h"
#include "ops/eager/eager.h"
#include "ops/linalg/lapack.h"
#include "ops/matmul/packed_cache.h"
#include "ops/table/op.h"
#include "tests/vm/programs.h"
#include "tiers/policy.h"
#include "tiers/symbols/symbols.h"
#include "tiers/tiers.h"

namespace ember::tiers {
namespace {

using ops::Tensor;

// Takes every lock: another number means other programs, constants, layouts and shapes.
void do_everything(int64_t number) {
  const std::string factor = std::to_string(number) + ".5";
  const std::string text = "symbols s0=2\nsubgraph @f(%x: Tensor[Float32](s0,)) {\n  %0 = Mul(%x, " + factor +
                           ")\n  %1 = Exp(%0)\n  %2 = Sub(%1, " + factor + ")\n  Return(%2)\n}\n";
  const vm::Program p(text.c_str());
  const Tensor x = vm::iota({number + 2});
  const vm::Argument argument{&x, 0};
  vm::FunctionBinding* f = p.function->bind({&argument, 1});
  std::string why;
  compile(*f, &why);
  p.run({x});
  drop_all(bytecode::DeoptReason::ConfigChanged);
  wait_for_compiler();
  const ops::Op& leaky = ops::op("leaky_relu");
  const ops::Value operand = x;
  ops::run(leaky, {&operand, 1}, ops::make_attrs(leaky, {{"alpha", static_cast<double>(number)}}));
  const ops::Op& fft = ops::op("fft_real");
  ops::run(fft, {&operand, 1}, ops::make_attrs(fft, {}));
  const auto large = gc::allocate(static_cast<size_t>(3 + number % 5) << 20);
  ops::packed_totals();
  ops::has_lapack();
  ops::spans_lost();
  gc::trim();
}

bool succeeds(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::atomic<bool> forking{false};

// The lock is held until a fork has begun, and a while longer.
class Holder {
 public:
  explicit Holder(const gc::ForkEntry& lock)
      : thread_([this, &lock] {
          lock.lock(lock.object);
          held_ = true;
          while (!forking) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          lock.unlock(lock.object);
        }) {
    while (!held_) std::this_thread::yield();
  }

 private:
  std::atomic<bool> held_{false};
  std::jthread thread_;
};

TEST(ForkTest, AtEveryLockLeavesTheChildAllOfThem) {
#ifdef EMBERJIT_SANITIZED
  GTEST_SKIP() << "the sanitizer's allocator does not survive a fork while another thread allocates";
#endif
  start();
  choose_symbols(SymbolFormat::Gdb);
  do_everything(0);
  static const int watched = pthread_atfork([] { forking = true; }, nullptr, nullptr);
  ASSERT_EQ(watched, 0);
  std::set<std::string_view> names;
  int64_t number = 1;
  for (const gc::ForkEntry* entry : gc::fork_entries()) {
    if (!entry->lock) continue;
    const std::string_view name = gc::kLockNames[static_cast<size_t>(entry->rank)];
    names.insert(name);
    forking = false;
    const Holder holder(*entry);
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      for (const gc::ForkEntry* one : gc::fork_entries()) {
        if (one->lock) one->lock(one->object);
        if (one->lock) one->unlock(one->object);
      }
      do_everything(number);
      _exit(0);
    }
    EXPECT_TRUE(succeeds(child)) << name;
    do_everything(++number);
  }
  choose_symbols(SymbolFormat::None);
  for (const std::string_view name : gc::kLockNames) EXPECT_TRUE(names.contains(name) || name == "Gil") << name;
}

TEST(ForkTest, ThreadsTakeLocksInTheirOrder) {
  start();
  std::vector<std::jthread> threads;
  for (int64_t t = 0; t < 3; ++t)
    threads.emplace_back([t] {
      for (int64_t i = 0; i < 20; ++i) do_everything(100 * t + i);
    });
  threads.clear();
  EXPECT_EQ(gc::lock_order_problems(), std::vector<std::string>{});
}

}  // namespace
}  // namespace ember::tiers
