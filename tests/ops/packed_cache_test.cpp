// Packed copies: when one is made and used, when it is not, and that the results never depend on it.
#include "ops/matmul/packed_cache.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "ops/eager/eager.h"
#include "ops/matmul/gemm.h"
#include "ops/program/strided.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::random_tensor;

constexpr size_t kBytes = 1000;

PackedKey form(int64_t number, const gc::Storage& of) { return {PackedKey::Of::Columns, of.data(), {number}}; }

// Asks for a copy whose bytes are the first of its storage; whether there is one.
bool ask(const gc::Storage& storage, int64_t number = 0, size_t bytes = kBytes) {
  const auto first = *static_cast<const unsigned char*>(storage.data());
  const auto copy = find_or_pack(&storage, form(number, storage), static_cast<int64_t>(bytes),
                                 [&](void* to) { std::memset(to, first, bytes); });
  if (!copy) return false;
  EXPECT_EQ(*static_cast<const unsigned char*>(copy->data()), first);
  return true;
}

gc::Ref<gc::Storage> block(unsigned char content) {
  gc::Ref<gc::Storage> memory = gc::allocate(kBytes);
  std::memset(memory->data(), content, kBytes);
  return memory;
}

class Packed : public ::testing::Test {
 protected:
  Packed() { set_packed_limit(before_); }
  ~Packed() override { set_packed_limit(before_); }
  size_t copies() const { return packed_totals().copies; }

 private:
  const size_t before_ = packed_totals().limit;
};

TEST_F(Packed, IsMadeTheSecondTime) {
  const auto storage = block(1);
  const PackedTotals before = packed_totals();
  EXPECT_FALSE(ask(*storage));
  EXPECT_TRUE(ask(*storage));
  EXPECT_EQ(packed_totals().inserted, before.inserted + 1);
  EXPECT_EQ(packed_totals().used, before.used);
  EXPECT_TRUE(ask(*storage));
  EXPECT_EQ(packed_totals().inserted, before.inserted + 1);
  EXPECT_EQ(packed_totals().used, before.used + 1);
  EXPECT_EQ(packed_totals().bytes, kBytes);
  EXPECT_EQ(packed_stats(*storage).copies, 1u);
  EXPECT_EQ(packed_stats(*storage).bytes, kBytes);
  EXPECT_EQ(packed_stats(*storage).used, 1u);
}

TEST_F(Packed, IsOfOneForm) {
  const auto storage = block(1);
  for (int64_t number : {0, 1}) EXPECT_FALSE(ask(*storage, number));
  for (int64_t number : {0, 1}) EXPECT_TRUE(ask(*storage, number));
  EXPECT_EQ(copies(), 2u);
  storage->bump_version();
  EXPECT_EQ(copies(), 0u);
}

TEST_F(Packed, GoesWithTheContents) {
  const auto storage = block(1);
  for (int i = 0; i < 3; ++i) ask(*storage);
  {
    const gc::WriteScope writing(*storage);
    EXPECT_FALSE(ask(*storage));
    std::memset(storage->data(), 2, kBytes);
  }
  EXPECT_EQ(copies(), 0u);
  EXPECT_EQ(packed_totals().bytes, 0u);
  EXPECT_FALSE(ask(*storage));
  EXPECT_TRUE(ask(*storage));
}

TEST_F(Packed, IsNotMadeOfContentsThatAlwaysChange) {
  const auto storage = block(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ask(*storage));
    storage->bump_version();
  }
  EXPECT_EQ(copies(), 0u);
}

TEST_F(Packed, GoesWithTheStorage) {
  for (unsigned char content = 0; content < 100; ++content) {
    const auto storage = block(content);  // often where the one before was
    EXPECT_FALSE(ask(*storage));
    EXPECT_TRUE(ask(*storage));
    EXPECT_EQ(copies(), 1u);
    if (content % 2) gc::trim();  // drops the copies, and what is free for ever
  }
  EXPECT_EQ(copies(), 0u);
}

TEST_F(Packed, IsNotMadeOfMemoryThatIsShared) {
  char memory[kBytes] = {};
  const auto foreign = gc::adopt(memory, kBytes, nullptr);
  const auto shared = block(1);
  for (int i = 0; i < 3; ++i) ask(*shared);
  EXPECT_EQ(copies(), 1u);
  shared->share();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(ask(*foreign) || ask(*shared));
  std::memset(shared->data(), 2, kBytes);
  shared->unshare();
  EXPECT_FALSE(ask(*shared));
  EXPECT_TRUE(ask(*shared));
}

TEST_F(Packed, AreNoMoreThanTheLimit) {
  set_packed_limit(4 * kBytes);
  std::vector<gc::Ref<gc::Storage>> weights;
  for (int i = 0; i < 6; ++i) weights.push_back(block(static_cast<unsigned char>(i)));
  const auto call = [&] {
    std::vector<bool> kept;
    for (const auto& w : weights) kept.push_back(ask(*w));
    EXPECT_LE(packed_totals().bytes, 4 * kBytes);
    return kept;
  };
  call();
  const uint64_t evicted = packed_totals().evicted;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(call(), (std::vector<bool>{true, true, true, true, false, false}));
  EXPECT_EQ(packed_totals().evicted, evicted) << "they push each other out";
  EXPECT_FALSE(ask(*weights[0], 1, 4 * kBytes + 1) || ask(*weights[0], 1, 4 * kBytes + 1));
}

TEST_F(Packed, ThoseNotUsedMakeRoom) {
  set_packed_limit(4 * kBytes);
  std::vector<gc::Ref<gc::Storage>> old, fresh;
  for (unsigned char i = 0; i < 4; ++i) old.push_back(block(i)), fresh.push_back(block(i));
  for (int i = 0; i < 2; ++i)
    for (const auto& w : old) ask(*w);
  EXPECT_TRUE(ask(*old[0]));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(*fresh[0]), i > 0);
  EXPECT_EQ(packed_stats(*old[0]).copies, 1u);
  EXPECT_EQ(packed_stats(*old[1]).copies, 0u);
  for (int i = 0; i < 2; ++i)
    for (const auto& w : fresh) ask(*w);
  for (const auto& w : fresh) EXPECT_EQ(packed_stats(*w).copies, 1u);
  EXPECT_EQ(copies(), 4u);
}

TEST_F(Packed, GiveWayWhenMemoryIsShort) {
  const auto storage = block(1);
  constexpr size_t kMuch = size_t{16} << 20;
  EXPECT_FALSE(ask(*storage, 0, kMuch));
  EXPECT_TRUE(ask(*storage, 0, kMuch));
  gc::trim();
  EXPECT_EQ(copies(), 0u);
  EXPECT_FALSE(ask(*storage, 1, kMuch));
  EXPECT_TRUE(ask(*storage, 1, kMuch));
  gc::set_limit(gc::stats().live + kMuch / 2);
  gc::Ref<gc::Storage> wanted;
  EXPECT_NO_THROW(wanted = gc::allocate(kMuch));
  EXPECT_EQ(copies(), 0u);
  gc::set_limit(gc::stats().live + (1 << 20));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(ask(*storage, 2, kMuch));
  gc::set_limit(0);
}

TEST_F(Packed, ManyThreadsUseAndDropThem) {
  const Tensor a = random_tensor<float>({20, 300}, 1),
               b = random_tensor<float>({300, 70}, 2, testing::Order::Transposed);
  const Op& matmul = op("matmul");
  const auto product = [&] { return std::get<Tensor>(run(matmul, {{Value(a), Value(b)}}, {})[0]); };
  const Tensor want = product();
  std::vector<std::thread> others;
  for (int t = 0; t < 4; ++t)
    others.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const Tensor c = product();
        EXPECT_EQ(std::memcmp(c.data(), want.data(), want.layout().bytes()), 0);
        if (i % 10 == t) b.storage()->bump_version();
        if (i % 50 == t) gc::trim();
      }
    });
  for (std::thread& t : others) t.join();
}

TEST_F(Packed, ServeAForkedChild) {
  const auto storage = block(1), other = block(2);
  for (int i = 0; i < 2; ++i) ask(*storage);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const bool all = ask(*storage) && !ask(*other) && ask(*other) && ask(*other);
    _exit(all ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(ask(*storage));
}

// The kernel of each instruction set has its own panels, of the same contents at the same time.
TEST_F(Packed, FollowTheInstructionSet) {
  const Tensor a = random_tensor<float>({9, 40}, 1), b = random_tensor<float>({40, 33}, 2);
  const Op& matmul = op("matmul");
  const auto product = [&] { return std::get<Tensor>(run(matmul, {{Value(a), Value(b)}}, {})[0]); };
  const Tensor want = product();
  for (int i = 0; i < 4; ++i) {
    testing::for_each_isa_and_thread_count([&] {
      const Tensor c = product();
      EXPECT_EQ(std::memcmp(c.data(), want.data(), want.layout().bytes()), 0);
      const WithoutEmitted without;
      const Tensor d = product();
      EXPECT_EQ(std::memcmp(d.data(), want.data(), want.layout().bytes()), 0);
    });
  }
  EXPECT_GE(packed_stats(*b.storage()).used, 10u);
}

TEST_F(Packed, EagerProductsSeeWrites) {
  const Tensor x = random_tensor<float>({9, 40}, 1), w = random_tensor<float>({40, 33}, 2);
  const auto product = [&] { return std::get<Tensor>(run(op("matmul"), {{Value(x), Value(w)}}, {})[0]); };
  const auto apart = [&] { return std::get<Tensor>(run(op("matmul"), {{Value(x), Value(clone(w))}}, {})[0]); };
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 3; ++i) {
      const Tensor c = product(), d = apart();
      EXPECT_EQ(std::memcmp(c.data(), d.data(), d.layout().bytes()), 0);
    }
    EXPECT_EQ(packed_stats(*w.storage()).copies, 1u);
    run(op("assign_add"), {{Value(w), Value(clone(w))}}, {});
    EXPECT_EQ(packed_stats(*w.storage()).copies, 0u);
  }
}

}  // namespace
}  // namespace ember::ops
