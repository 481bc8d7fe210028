// The pool: every index once, nesting, several callers, fork, and the CPU limits it starts from.
#include "ops/base/parallel.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ops/base/apart.h"
#include "ops/base/cpu_limit.h"
#include "ops/base/interrupt.h"

namespace ember::ops {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_threads(before_); }
  int before_ = threads();
};

bool each_once(int64_t count, int64_t grain) {
  std::vector<int> seen(static_cast<size_t>(count));
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
  });
  return std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; });
}

// ThreadSanitizer starts no thread in the child of a process that has several.
bool works_in_a_child() {
#ifdef __SANITIZE_THREAD__
  set_threads(1);
#endif
  return each_once(100, 1) && each_once(1000, 1);
}

TEST_F(Parallel, CoversEveryIndexOnce) {
  for (int t : {1, 2, 3, 7}) {
    set_threads(t);
    for (int64_t count : {0, 1, 2, 5, 100, 1001}) {
      for (int64_t grain : {1, 10, 1000}) EXPECT_TRUE(each_once(count, grain)) << t << " " << count << " " << grain;
    }
  }
}

TEST_F(Parallel, UsesSeveralThreads) {
  set_threads(3);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(30, 1, [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3);
  set_threads(2);
  seen.clear();
  parallel_for(30, 1, [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 2);
}

TEST_F(Parallel, WorkersTakeNoSignalsButTheirOwnFaults) {
  set_threads(3);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> workers{0};
  parallel_for(30, 1, [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (std::this_thread::get_id() == caller) return;
    ++workers;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) EXPECT_EQ(sigismember(&blocked, fault), 0) << fault;
    for (int other : {SIGINT, SIGTERM, SIGALRM}) EXPECT_EQ(sigismember(&blocked, other), 1) << other;
  });
  EXPECT_GT(workers, 0);
}

TEST_F(Parallel, SmallWorkStaysOnTheCaller) {
  set_threads(4);
  std::thread::id caller = std::this_thread::get_id();
  parallel_for(100, 100, [&](int64_t begin, int64_t end) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(end - begin, 100);
  });
}

TEST_F(Parallel, NestedCallsRunAlone) {
  set_threads(3);
  std::atomic<int64_t> sum{0};
  parallel_for(30, 1, [&](int64_t begin, int64_t end) {
    std::thread::id here = std::this_thread::get_id();
    for (int64_t i = begin; i < end; ++i) {
      parallel_for(10, 1, [&](int64_t b, int64_t e) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        sum += e - b;
      });
    }
  });
  EXPECT_EQ(sum, 300);
}

TEST_F(Parallel, SeveralCallersAtOnce) {
  set_threads(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        if (!each_once(200 + round, 1)) ++wrong;
      }
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Parallel, WorkersSleepAndWake) {
  set_threads(2);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(each_once(100, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The other thread allocates nothing: a sanitizer's allocator does not survive a fork while another thread is in it.
TEST_F(Parallel, SurvivesFork) {
  set_threads(3);
  std::atomic<bool> stop{false};
  std::atomic<int64_t> done{0};
  std::thread busy([&] {
    while (!stop) parallel_for(1000, 1, [&](int64_t begin, int64_t end) { done += end - begin; });
  });
  while (done == 0) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(each_once(100, 1));
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(works_in_a_child() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "fork " << i << ", status " << status;
    EXPECT_TRUE(each_once(100, 1));
  }
  stop = true;
  busy.join();
  EXPECT_EQ(done % 1000, 0);
}

// Whoever embeds the library has a lock, which jobs wait for when they ask whether to stop, and which whoever forks
// holds.
TEST_F(Parallel, AForkWaitsForNoJob) {
  static std::mutex of_embedding;
  static std::atomic<bool> asked;
  asked = false;
  set_threads(2);
  embedding().wants_to_stop = [] {
    asked = true;
    const std::lock_guard lock(of_embedding);
    return false;
  };
  std::atomic<bool> begun{false}, passed{false};
  std::thread forks([&] {
    while (!begun) std::this_thread::yield();
    const std::lock_guard lock(of_embedding);
    asked = false;
    while (!asked) std::this_thread::yield();
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      embedding().wants_to_stop = nullptr;
      _exit(works_in_a_child() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  });
  alarm(120);
  parallel_for(64, 1, [&](int64_t, int64_t) {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
  });
  forks.join();
  alarm(0);
  embedding().wants_to_stop = nullptr;
  EXPECT_TRUE(passed);
}

TEST_F(Parallel, AJobThatForksIsStoppedInTheChild) {
  static std::atomic<pid_t> child;
  child = -1;
  set_threads(2);
  embedding().wants_to_stop = [] {
    if (child == -1) child = fork();
    return false;
  };
  bool stopped = false;
  try {
    parallel_for(64, 1, [&](int64_t, int64_t) {
      if (child == 0) alarm(20);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
  } catch (const Interrupted&) {
    stopped = true;
  }
  embedding().wants_to_stop = nullptr;
  if (child == 0) _exit(stopped && works_in_a_child() ? 0 : 1);
  EXPECT_FALSE(stopped);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

template <class F>
bool is_interrupted(F f) {
  try {
    f();
    return false;
  } catch (const Interrupted&) {
    return true;
  }
}

TEST_F(Parallel, WorkersStopWhileTheCallerWaitsForThem) {
  static std::atomic<bool> worker_is_in, caller_is_done;
  worker_is_in = caller_is_done = false;
  set_threads(2);
  embedding().wants_to_stop = [] { return caller_is_done.load(); };
  const auto caller = std::this_thread::get_id();
  EXPECT_TRUE(is_interrupted([&] {
    parallel_for(2, 1, [&](int64_t, int64_t) {
      if (std::this_thread::get_id() == caller) {
        while (!worker_is_in) std::this_thread::yield();
        caller_is_done = true;
        return;
      }
      worker_is_in = true;
      while (true) give_way();
    });
  }));
  embedding().wants_to_stop = nullptr;
  EXPECT_TRUE(each_once(100, 1));
}

TEST_F(Parallel, NestedWorkStops) {
  static std::atomic<int64_t> done;
  done = 0;
  embedding().wants_to_stop = [] { return done.load() > 0; };
  for (int t : {1, 2}) {
    set_threads(t);
    done = 0;
    EXPECT_TRUE(is_interrupted([] {
      parallel_for(2, 1, [](int64_t, int64_t) {
        parallel_for(100'000, 1, [](int64_t begin, int64_t end) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          done += end - begin;
        });
      });
    }));
    EXPECT_LT(done, 100'000);
  }
  embedding().wants_to_stop = nullptr;
}

TEST_F(Parallel, WorkApartGoesOnAlone) {
  static std::atomic<bool> begun, free, ended;
  begun = free = ended = false;
  EXPECT_EQ(run_apart([] { return 7; }), 7);
  embedding().wants_to_stop = [] { return begun.load(); };
  EXPECT_TRUE(is_interrupted([] {
    run_apart([] {
      begun = true;
      while (!free) std::this_thread::yield();
      ended = true;
      return 0;
    });
  }));
  embedding().wants_to_stop = nullptr;
  EXPECT_FALSE(ended);
  free = true;
  while (!ended) std::this_thread::yield();
  EXPECT_EQ(run_apart([] { return 8; }), 8);
}

TEST_F(Parallel, AnInterruptOfWorkInAHandlerIsTheHandlersOwn) {
  static int asked;
  asked = 0;
  set_threads(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(11));  // since it may have asked just now
  embedding().wants_to_stop = [] {
    if (asked++ > 0) return asked == 2;
    std::this_thread::sleep_for(std::chrono::milliseconds(11));
    EXPECT_TRUE(is_interrupted([] { give_way(); }));
    return false;
  };
  EXPECT_TRUE(each_once(64, 1));
  embedding().wants_to_stop = nullptr;
  EXPECT_GE(asked, 2);
}

TEST_F(Parallel, RefusesNoThreads) {
  EXPECT_THROW(set_threads(0), std::invalid_argument);
  EXPECT_GE(threads(), 1);
}

class CpuLimit : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "emberjit_cgroup_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root_;
};

TEST_F(CpuLimit, VersionTwoTakesTheTightestParent) {
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_cpus(root_), 0);
  write("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  EXPECT_EQ(cgroup_cpus(root_), 3);
  write("/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(cgroup_cpus(root_), 1);
}

TEST_F(CpuLimit, VersionOne) {
  write("/proc/self/cgroup", "5:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpus(root_), 4);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cgroup_cpus(root_), 0);
}

TEST_F(CpuLimit, OddFilesMeanNoLimit) {
  EXPECT_EQ(cgroup_cpus(root_), 0);
  write("/proc/self/cgroup", "nonsense\n0::/\n");
  write("/sys/fs/cgroup/cpu.max", "what\n");
  EXPECT_EQ(cgroup_cpus(root_), 0);
  EXPECT_GE(affinity_cpus(), 1);
}

}  // namespace
}  // namespace ember::ops
