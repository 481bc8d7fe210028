// The allocator: alignment, reuse, accounting, the limit, threads, fork, and that the host keeps its own malloc.
#include "gc/storage.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "gc/guard_pages.h"
#include "gc/mimalloc.h"

namespace ember::gc {
namespace {

#ifdef EMBERJIT_NO_REUSE
constexpr bool kReuses = false;
#else
constexpr bool kReuses = true;
#endif

struct NoLimit {
  ~NoLimit() { set_limit(0); }
};

std::string library_of(void* function) {
  Dl_info info{};
  return dladdr(function, &info) ? info.dli_fname : "";
}

TEST(Storage, HostKeepsItsMalloc) {
  Ref<Storage> block = allocate(1 << 20);
#ifndef EMBERJIT_SANITIZED
  EXPECT_TRUE(uses_mimalloc());
  EXPECT_NE(library_of(reinterpret_cast<void*>(&std::malloc)).find("libc.so"), std::string::npos);
  void* (*operator_new)(size_t) = &::operator new;
  EXPECT_NE(library_of(reinterpret_cast<void*>(operator_new)).find("libstdc++"), std::string::npos);
#endif
  for (const char* name : {"malloc", "free", "calloc", "realloc", "posix_memalign", "_Znwm", "_ZdlPv"}) {
    std::string library = library_of(dlsym(RTLD_DEFAULT, name));
    EXPECT_EQ(library.find("mimalloc"), std::string::npos) << name << " comes from " << library;
  }
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "mi_malloc"), nullptr);
}

TEST(Storage, AlignsEverySizeClass) {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{257}, size_t{4097},
                       size_t{65536}, size_t{65537}, size_t{1000001}, size_t{2} << 20, (size_t{5} << 20) + 3}) {
    Ref<Storage> block = allocate(bytes);
    EXPECT_EQ(block->size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block->data()) % (bytes >= size_t{2} << 20 ? size_t{2} << 20 : 64), 0U)
        << bytes;
    std::memset(block->data(), 0xA5, bytes);
  }
}

TEST(Storage, CapacityNeverShrinksBelowSize) {
  for (size_t bytes = 1; bytes < 200000; bytes += 97) {
    size_t before = stats().live;
    Ref<Storage> block = allocate(bytes);
    size_t taken = stats().live - before;
    EXPECT_GE(taken, bytes);
    EXPECT_LE(taken, bytes + bytes / 4 + 64);
  }
}

TEST(Storage, ReusesReleasedBlocks) {
  if (!kReuses) GTEST_SKIP() << "this build reuses nothing";
  for (size_t bytes : {size_t{24}, size_t{100000}, size_t{4} << 20}) {
    void* first = allocate(bytes)->data();
    EXPECT_EQ(allocate(bytes)->data(), first) << bytes;
  }
}

TEST(Storage, ReuseChangesTheVersion) {
  const Storage* where = nullptr;
  uint64_t version = 0;
  {
    Ref<Storage> block = allocate(24);
    where = block.get();
    block->bump_version();
    version = block->version();
  }
  Ref<Storage> again = allocate(24);
  EXPECT_FALSE(again.get() == where && again->version() == version);
}

TEST(Storage, CountsLivePeakAndCached) {
  trim();
  Stats before = stats();
  reset_peak();
  {
    Ref<Storage> a = allocate(3 << 20);
    Ref<Storage> b = allocate(1 << 20);
    EXPECT_EQ(stats().live, before.live + (4 << 20));
  }
  EXPECT_EQ(stats().live, before.live);
  EXPECT_EQ(stats().peak, before.live + (4 << 20));
  EXPECT_EQ(stats().cached, before.cached + (kReuses ? 4 << 20 : 0));
  trim();
  EXPECT_EQ(stats().cached, 0U);
  reset_peak();
  EXPECT_EQ(stats().peak, stats().live);
}

TEST(Storage, SmallBlocksAreCountedAcrossThreads) {
  size_t before = stats().live;
  std::vector<Ref<Storage>> blocks(1000);
  std::thread([&] {
    for (Ref<Storage>& block : blocks) block = allocate(200);
  }).join();
  EXPECT_EQ(stats().live, before + 1000 * 256);
  blocks.clear();
  EXPECT_EQ(stats().live, before);
}

TEST(Storage, LimitIsKeptAndLeavesAllUsable) {
  NoLimit after;
  trim();
  Ref<Storage> block = allocate(1 << 20);
  std::memset(block->data(), 7, block->size());
  set_limit(stats().live + (8 << 20));
  Ref<Storage> fits = allocate(6 << 20);
  EXPECT_THROW(allocate(4 << 20), OutOfMemory);
  EXPECT_THROW(allocate(size_t{1} << 60), OutOfMemory);
  EXPECT_LE(stats().live + stats().cached, stats().limit);
  EXPECT_EQ(static_cast<unsigned char*>(block->data())[12345], 7);
  fits = nullptr;
  EXPECT_NO_THROW(allocate(4 << 20)) << "cached blocks are given back for the limit";
  try {
    allocate(100 << 20);
    FAIL();
  } catch (const std::bad_alloc& e) {
    EXPECT_NE(std::string(e.what()).find("limit"), std::string::npos) << e.what();
  }
}

TEST(Storage, UnlimitedHugeRequestIsAnError) { EXPECT_THROW(allocate(~size_t{0}), OutOfMemory); }

TEST(Storage, ForeignBlocksTellTheirOwner) {
  int data[4] = {1, 2, 3, 4};
  int released = 0;
  Stats before = stats();
  {
    Ref<Storage> block = adopt(data, sizeof data, [&] { ++released; });
    Ref<Storage> other = block;
    EXPECT_TRUE(block->foreign());
    EXPECT_TRUE(block->changing());
    EXPECT_EQ(block->data(), data);
    EXPECT_EQ(stats().live, before.live);
  }
  EXPECT_EQ(released, 1);
}

TEST(Storage, SharingOutsideCountsAsAWrite) {
  Ref<Storage> block = allocate(64);
  EXPECT_FALSE(block->changing());
  uint64_t version = block->version();
  block->share();
  EXPECT_TRUE(block->changing());
  block->unshare();
  EXPECT_FALSE(block->changing());
  EXPECT_NE(block->version(), version);
}

TEST(Storage, NoContentsHaveTheVersionOfOthers) {
  std::vector<uint64_t> seen;
  for (int i = 0; i < 10; ++i) {
    const Ref<Storage> a = allocate(64), b = allocate(64);
    seen.push_back(a->version());
    EXPECT_EQ(a->version(), seen.back());
    seen.push_back(b->version());
    {
      const WriteScope writing(*a);
      EXPECT_TRUE(a->changing());
    }
    EXPECT_FALSE(a->changing());
    seen.push_back(a->version());
    if (i % 2) trim();
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(Storage, TellsWhenAWatchedVersionGoes) {
  static std::vector<uint64_t> stale;
  static constexpr CachedCopies keeper{[](uint64_t version) { stale.push_back(version); }};
  set_cached_copies(&keeper);
  std::vector<uint64_t> wanted;
  {
    const Ref<Storage> block = allocate(64);
    const uint64_t first = block->version();
    block->bump_version();
    EXPECT_FALSE(block->watch(first));
    for (int i = 0; i < 2; ++i) {
      wanted.push_back(block->version());
      EXPECT_TRUE(block->watch(wanted.back()) && block->watch(wanted.back()));
      EXPECT_EQ(block->version(), wanted.back());
      if (i == 0) block->bump_version();
      if (i == 0) block->bump_version();
    }
  }
  EXPECT_EQ(stale, wanted);
  set_cached_copies(nullptr);
}

TEST(Storage, IdleMemoryGoesBeforeALimitIsMet) {
  static Ref<Storage> idle;
  static int asked = 0;
  add_idle_memory([] {
    ++asked;
    idle = nullptr;
  });
  trim();
  idle = allocate(8 << 20);
  const size_t held = stats().live + stats().cached;
  set_limit(held + (1 << 20));
  asked = 0;
  const Ref<Storage> wanted = allocate(6 << 20);
  EXPECT_EQ(asked, 1);
  EXPECT_THROW(allocate(6 << 20), OutOfMemory);
  set_limit(0);
  idle = allocate(64);
  trim();
  EXPECT_FALSE(idle);
}

TEST(Storage, ManyThreadsExchangeBlocks) {
  std::vector<Ref<Storage>> shared(64);
  std::vector<std::thread> threads;
  std::atomic<bool> wrong{false};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        size_t bytes = 8 + static_cast<size_t>(i * 37 + t) % 5000;
        Ref<Storage> block = allocate(bytes);
        std::memset(block->data(), t, bytes);
        if (static_cast<char*>(block->data())[bytes - 1] != t) wrong = true;
        size_t slot = static_cast<size_t>(t) * 16 + static_cast<size_t>(i) % 16;
        shared[slot] = block;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(wrong);
  size_t live = stats().live;
  shared.clear();
  EXPECT_LT(stats().live, live);
}

TEST(Storage, TrimEmptiesTheListsOfOtherThreads) {
  std::binary_semaphore go(0), done(0);
  std::jthread other([&] {
    for (int round = 0; round < 2; ++round) {
      std::vector<Ref<Storage>> blocks(20);
      for (Ref<Storage>& block : blocks) block = allocate(3000);
      blocks.clear();
      done.release();
      go.acquire();
    }
  });
  for (int round = 0; round < 2; ++round) {
    done.acquire();
    EXPECT_EQ(stats().cached > 0, kReuses);
    trim();
    EXPECT_EQ(stats().cached, 0U);
    go.release();
  }
}

TEST(Storage, TrimsWhileOthersAllocate) {
  const size_t live = stats().live;
  std::atomic<int> wrong{0};
  std::atomic<bool> stop{false};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        std::vector<Ref<Storage>> blocks(32);
        for (size_t i = 0; !stop; ++i) {
          const size_t bytes = 1 + i * 37 % 5000;
          Ref<Storage> block = allocate(bytes);
          auto* first = static_cast<char*>(block->data());
          std::fill_n(first, bytes, static_cast<char>(t));
          wrong += std::count(first, first + bytes, static_cast<char>(t)) != static_cast<ptrdiff_t>(bytes);
          blocks[i * 5 % 32] = std::move(block);
        }
      });
    }
    for (int i = 0; i < 300; ++i) trim();
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(stats().live, live);
  trim();
  EXPECT_EQ(stats().cached, 0U);
}

TEST(Storage, SurvivesFork) {
#ifdef EMBERJIT_SANITIZED
  GTEST_SKIP() << "the sanitizer's allocator does not survive a fork while another thread allocates";
#endif
  Ref<Storage> block = allocate(1000);
  std::memset(block->data(), 3, 1000);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) allocate(300000);
  });
  for (int round = 0; round < 20; ++round) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      bool good = static_cast<char*>(block->data())[999] == 3;
      for (size_t bytes : {size_t{10}, size_t{300000}, size_t{3} << 20}) {
        Ref<Storage> own = allocate(bytes);
        std::memset(own->data(), 1, bytes);
      }
      trim();
      _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  stop = true;
  busy.join();
}

TEST(Ref, TryRetainRefusesTheDead) {
  struct Thing final : Counted {
    void destroy() const noexcept override {}
  };
  Thing thing;
  EXPECT_FALSE(thing.try_retain());
  {
    Ref<Thing> ref(&thing);
    EXPECT_TRUE(thing.try_retain());
    EXPECT_EQ(thing.count(), 2U);
    thing.release();
  }
  EXPECT_EQ(thing.count(), 0U);
}

TEST(Storage, GivesCachedBlocksBackBeforeTheProcessOutgrowsItsUse) {
  trim();
  const size_t used = stats().live;
  allocate(size_t{96} << 20);
  const Ref<Storage> larger = allocate(size_t{160} << 20);
  EXPECT_EQ(stats().cached, 0U);
  EXPECT_EQ(stats().live, used + (size_t{160} << 20));
  allocate(size_t{4} << 20);
  EXPECT_EQ(stats().cached, kReuses ? size_t{4} << 20 : 0U);
  allocate(size_t{6} << 20);
  EXPECT_EQ(stats().cached, kReuses ? size_t{10} << 20 : 0U) << "there is room for what comes and goes";
}

TEST(GuardPages, EndTheProcessThatGoesTooFar) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto touch = [](const char* where, ptrdiff_t offset) {
    setenv("EMBERJIT_GUARD_PAGES", where, 1);
    Ref<Storage> block = allocate(300);
    std::memset(block->data(), 1, 300);
    static_cast<volatile char*>(block->data())[offset] = 1;
    block = {};
    std::_Exit(7);
  };
  EXPECT_EXIT(touch("after", 299), ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(touch("before", 0), ::testing::ExitedWithCode(7), "");
  EXPECT_DEATH(touch("after", 300), "");
  EXPECT_DEATH(touch("before", -1), "");
}

}  // namespace
}  // namespace ember::gc
