// No exception passes a frame of native code, which has no unwind tables: memory fails at every allocation of a call in
// turn, which is an error, and the next call is right.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <new>
#include <thread>

#include "ops/eager/random_stream.h"
#include "tests/vm/programs.h"
#include "tiers/policy.h"
#include "tiers/tiers.h"

#ifndef EMBERJIT_SANITIZED

namespace {
thread_local int64_t until_failure = 0;  // allocations of this thread; 0: none fails
thread_local bool spared = false;
std::atomic<bool> others_fail{false};
std::atomic<int> failures_of_others{0};

void* allocate(std::size_t bytes) {
  if (until_failure != 0 && --until_failure == 0) throw std::bad_alloc();
  if (others_fail.load(std::memory_order_relaxed) && !spared) {
    ++failures_of_others;
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ember::tiers {
namespace {

using ops::Tensor;

struct Outcome {
  bool failed = false, right = false;
};

// In a thread of its own, which has yet to make what threads keep.
Outcome fail_once(const vm::Program& p, std::span<const vm::Argument> arguments, const std::vector<float>& want,
                  int64_t allocation) {
  Outcome out;
  std::thread([&] {
    for (const bool fails : {true, false}) {
      ops::KeyReplay replay;
      std::vector<vm::Result> results;
      until_failure = fails ? allocation : 0;
      try {
        p.function->call(arguments, &results);
        out.failed |= fails && until_failure == 0;
      } catch (const std::exception&) {
        out.failed = true;
      }
      until_failure = 0;
      if (!fails) {
        const auto* got = results.at(0).tensor.data_as<float>();
        out.right = std::equal(want.begin(), want.end(), got);
      }
    }
  }).join();
  return out;
}

class Exceptions : public testing::Test {
 protected:
  void SetUp() override {
    if (ops::isa() == ops::Isa::Portable) GTEST_SKIP() << "the CPU has no AVX2";
    start();
    options().enabled = false;
  }

  static void fail_everywhere(const char* text, std::vector<vm::Argument> arguments) {
    const vm::Program p(text);
    vm::FunctionBinding* f = p.function->bind(arguments);
    std::vector<vm::Result> results;
    p.function->call(arguments, &results);
    const auto* first = results.at(0).tensor.data_as<float>();
    const std::vector<float> want(first, first + results.at(0).tensor.numel());
    std::string why;
    ASSERT_TRUE(compile(*f, &why)) << why;
    int64_t allocation = 0;
    for (Outcome out{true, true}; out.failed;) {
      out = fail_once(p, arguments, want, ++allocation);
      EXPECT_TRUE(out.right) << "allocation " << allocation;
    }
    EXPECT_GT(allocation, 3);
    EXPECT_GT(f->profile().native_calls.get(), 0u);
  }
};

TEST_F(Exceptions, OfVerbsOnNumbers) {
  const Tensor x = vm::iota({4}, 1);
  fail_everywhere(R"(
subgraph @f(%x: Tensor[Float32](4,), %k: Float) {
  %0 = Sin(%k)
  %1 = Pow(%0, %k)
  %2 = Mul(%x, %1)
  Return(%2)
}
)",
                  {{&x, 0}, {nullptr, std::bit_cast<uint64_t>(0.75)}});
}

TEST_F(Exceptions, OfRandomKeysAndKernels) {
  const Tensor x = vm::iota({1000});
  fail_everywhere(R"(
subgraph @f(%x: Tensor[Float32](1000,)) {
  %0 = RandomKey(U)
  %1 = UpdateState(U, %0)
  %2 = Dropout(%x, %0, p=0.5, training=False)
  %3 = Depend(%2, %1)
  %4, %5 = SortExt(%3, axis=0, descending=True)
  Return(%4)
}
)",
                  {{&x, 0}});
}

// Large functions are compiled there; one that fails goes on in the interpreter.
TEST_F(Exceptions, OfTheThreadThatCompiles) {
  std::string text = "subgraph @f(%x: Tensor[Float32](4,)) {\n  %0 = Sin(%x)\n";
  for (int i = 1; i < 40; ++i) text += "  %" + std::to_string(i) + " = Sin(%" + std::to_string(i - 1) + ")\n";
  const vm::Program p((text + "  Return(%39)\n}\n").c_str());
  const Tensor x = vm::iota({4}, 1);
  const auto run = [&] { return p.run({x}); };
  spared = true;
  options() = {.enabled = true, .eagerness = 1, .background = true};
  const Tensor want = run();
  others_fail = true;
  for (int i = 0; i < 200'000 && failures_of_others == 0; ++i) run();
  wait_for_compiler();
  others_fail = false;
  options().enabled = false;
  EXPECT_GT(failures_of_others, 0);
  const vm::Argument argument{&x, 0};
  EXPECT_FALSE(p.function->bind({&argument, 1})->has_native());
  EXPECT_TRUE(std::equal(want.data_as<float>(), want.data_as<float>() + 4, run().data_as<float>()));
}

}  // namespace
}  // namespace ember::tiers

#endif
