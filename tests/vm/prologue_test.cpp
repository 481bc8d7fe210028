// What arguments decide before a call runs.
#include "vm/exec/prologue.h"

#include <gtest/gtest.h>

#include <limits>

#include "bytecode/lower/lower.h"
#include "bytecode/text/text.h"
#include "vm/exec/function.h"

namespace ember::vm {
namespace {

using ops::Tensor;

Argument number(int64_t value) { return {nullptr, static_cast<uint64_t>(value)}; }

gc::Ref<Function> function(const char* text) { return gc::make<Function>(bytecode::lower(bytecode::parse(text))); }

constexpr const char* kPrefix = R"(
symbols s0=6, s1=Int 3
guard s1 < 100
subgraph @f(%x: Tensor[Float32](s0,), %n: Int(s1), %twice: Int((s1 * 2))) {
  %0 = StridedSlice(%x, begin=(0,), end=(min(s0, s1),), strides=(1,))
  Return(%0, %twice)
})";

TEST(Prologue, NumbersDecideSizesAndAreComputed) {
  const auto f = function(kPrefix);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1);
  std::vector<Result> results;
  for (int64_t n : {3, 5, 6, 9, 3}) {
    std::vector<Argument> arguments = {{&x, 0}, number(n), {}};
    ASSERT_TRUE(f->call(arguments, &results));
    EXPECT_EQ(results[0].tensor.shape()[0], std::min<int64_t>(n, 6));
    EXPECT_EQ(results[1].bits, static_cast<uint64_t>(2 * n));
  }
  EXPECT_EQ(f->specialisations().size(), 3u) << "one for each size";
}

TEST(Prologue, GuardsOnNumbersAreAskedInEachCall) {
  const auto f = function(kPrefix);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1);
  std::vector<Result> results;
  for (const auto& [n, admitted] :
       {std::pair<int64_t, bool>(3, true), {100, false}, {99, true}, {3, true}, {1000, false}}) {
    std::vector<Argument> arguments = {{&x, 0}, number(n), {}};
    EXPECT_EQ(f->call(arguments, &results), admitted) << n;
  }
  std::vector<Argument> arguments = {{&x, 0}, number(100), {}};
  const Prologue::Refusal refusal = f->refusal(arguments);
  EXPECT_EQ(refusal.expected, "s1 < 100");
  EXPECT_EQ(refusal.met, "s1 = 100");
}

TEST(Prologue, OverflowIsRefused) {
  const auto f = function(kPrefix);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1);
  std::vector<Result> results;
  std::vector<Argument> arguments = {{&x, 0}, number(std::numeric_limits<int64_t>::min()), {}};
  EXPECT_FALSE(f->call(arguments, &results)) << "2 * n has no value";
}

TEST(Prologue, SizesAreCheckedBesideNumbers) {
  const auto f = function(kPrefix);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1), one = Tensor::full(ops::DType::Float32, {1}, 1);
  std::vector<Result> results;
  std::vector<Argument> arguments = {{&one, 0}, number(3), {}};
  EXPECT_FALSE(f->call(arguments, &results)) << "a size of 1 is no symbol";
  arguments = {{&x, 0}, number(3), {}};
  EXPECT_TRUE(f->call(arguments, &results));
}

}  // namespace
}  // namespace ember::vm
