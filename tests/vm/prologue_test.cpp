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

constexpr const char* kMoving = R"(
symbols s0=6, s1=Int 3
guard s1 < 5
guard s1 >= 0
subgraph @f(%x: Tensor[Float32](s0, 6), %n: Int(s1)) {
  %0 = StridedSlice(%x, begin=(s1,), end=((s1 + 2),), strides=(1,))
  %1 = StridedSlice(%0, begin=(1,), end=(2,), strides=(1,))
  %2 = Mul(%x, %x)
  %3 = StridedSlice(%2, begin=(s1, 2), end=((s1 + 1), 5), strides=(1, 1))
  %4 = Neg(%3)
  %5 = SliceUpdate(%2, %1, begin=(s1,), end=((s1 + 1),), strides=(1,))
  Return(%0, %1, %3, %4, %5)
})";

Tensor counting(int64_t rows, int64_t columns) {
  Tensor x = Tensor::empty(ops::DType::Float32, {rows, columns});
  for (int64_t i = 0; i < rows * columns; ++i) static_cast<float*>(x.data())[i] = static_cast<float>(i);
  return x;
}

float at(const Tensor& t, int64_t row, int64_t column) {
  return static_cast<const float*>(t.data())[row * t.layout().strides[0] + column * t.layout().strides[1]];
}

TEST(Prologue, OffsetsDifferWithinOneBinding) {
  const auto f = function(kMoving);
  const Tensor x = counting(6, 6);
  std::vector<Result> results;
  for (int64_t n : {3, 0, 4, 1, 1, 2, 4}) {
    std::vector<Argument> arguments = {{&x, 0}, number(n)};
    ASSERT_TRUE(f->call(arguments, &results));
    const auto row = static_cast<float>(6 * n);
    EXPECT_EQ(static_cast<const float*>(results[0].tensor.data()), static_cast<const float*>(x.data()) + 6 * n);
    EXPECT_EQ(results[0].tensor.storage(), x.storage()) << "a view of the argument";
    EXPECT_EQ(at(results[1].tensor, 0, 5), row + 11);
    EXPECT_EQ(at(results[2].tensor, 0, 1), (row + 3) * (row + 3));
    EXPECT_EQ(at(results[3].tensor, 0, 1), -(row + 3) * (row + 3));
    for (int64_t i = 0; i < 6; ++i) {
      const auto from = static_cast<float>(6 * i);
      EXPECT_EQ(at(results[4].tensor, i, 0), i == n ? row + 6 : from * from) << n;
    }
  }
  EXPECT_EQ(f->specialisations().size(), 1u);
}

constexpr const char* kFactor = R"(
symbols s0=6, s1=Int 3
subgraph @f(%x: Tensor[Float32](s0, 6), %n: Int(s1)) {
  %0 = Size(s1)
  %1 = Mul(%x, %0)
  %2 = Call(%x, graph=@g)
  Return(%1, %2)
}
subgraph @g(%x: Tensor[Float32](s0, 6)) {
  %0 = Size((s1 * 2))
  %1 = Mul(%x, %0)
  Return(%1)
})";

TEST(Prologue, NumbersThatDecideNoSizeDifferWithinOneBinding) {
  const auto f = function(kFactor);
  const Tensor x = counting(6, 6);
  std::vector<Result> results;
  for (int64_t n : {3, 0, -4, 1000, 3}) {
    std::vector<Argument> arguments = {{&x, 0}, number(n)};
    ASSERT_TRUE(f->call(arguments, &results));
    EXPECT_EQ(at(results[0].tensor, 1, 2), static_cast<float>(8 * n));
    EXPECT_EQ(at(results[1].tensor, 1, 2), static_cast<float>(16 * n));
  }
  EXPECT_EQ(f->specialisations().size(), 1u);
}

TEST(Prologue, OverflowIsRefused) {
  const auto f = function(kPrefix);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1);
  std::vector<Result> results;
  std::vector<Argument> arguments = {{&x, 0}, number(std::numeric_limits<int64_t>::min()), {}};
  EXPECT_FALSE(f->call(arguments, &results)) << "2 * n has no value";
}

constexpr const char* kTwice = R"(
symbols s0=6, s1=Int 3
guard s1 < 100
subgraph @f(%x: Tensor[Float32](s0,), %n: Int(s1), %twice: Int((s1 * 2))) {
  Return(%x, %twice)
})";

TEST(Prologue, AGuardIsAskedBeforeWhatNoEarlierGuardNeeds) {
  const auto f = function(kTwice);
  const Tensor x = Tensor::full(ops::DType::Float32, {6}, 1);
  const auto refused = [&](int64_t n) {
    const std::vector<Argument> arguments = {{&x, 0}, number(n), {}};
    return f->refusal(arguments).expected;
  };
  EXPECT_EQ(refused(std::numeric_limits<int64_t>::max()), "s1 < 100");
  EXPECT_EQ(refused(std::numeric_limits<int64_t>::min()), "(s1 * 2) is a number of 64 bits");
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
