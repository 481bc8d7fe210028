// Random and creation ops: the generator against its published vectors, bits that depend on nothing but key and index,
// and the moments of what is drawn.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/base/parallel.h"
#include "ops/eager/eager.h"
#include "ops/simd/kernels.h"
#include "ops/simd/philox.h"
#include "tests/ops/kernel_test.h"
#include "tests/ops/samples.h"

namespace ember::ops {
namespace {

using namespace ember::ops::testing;  // NOLINT

constexpr int64_t kKey = int64_t{42} << 32 | 7;

Tensor call(std::string_view name, std::initializer_list<Value> operands, const Builder::Named& attrs = {}) {
  EagerBuilder b;
  return std::get<Tensor>(b.call(name, operands, attrs));
}

struct Moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
};

Moments moments(const Tensor& t) {
  Moments m;
  for (int64_t i = 0; i < t.numel(); ++i) {
    double x = element(t, i);
    m.mean += x / static_cast<double>(t.numel());
    m.low = std::min(m.low, x);
    m.high = std::max(m.high, x);
  }
  for (int64_t i = 0; i < t.numel(); ++i) {
    m.variance += std::pow(element(t, i) - m.mean, 2) / static_cast<double>(t.numel());
  }
  return m;
}

// Known results of the Random123 distribution.
TEST(Philox, GivesThePublishedBlocks) {
  EXPECT_EQ(philox({{0, 0, 0, 0}}, 0, 0), (PhiloxBlock{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  uint32_t f = 0xffffffff;
  EXPECT_EQ(philox({{f, f, f, f}}, f, f), (PhiloxBlock{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0),
            (PhiloxBlock{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Philox, VectorsGiveTheBlocksWords) {
  for_each_isa_and_thread_count([] {
    for (int64_t first : {int64_t{0}, int64_t{5}, (int64_t{1} << 32) - 9}) {
      uint32_t high[37], low[37];
      kernels().random_words(kKey, first, 37, high, low);
      for (int64_t i = 0; i < 37; ++i) {
        const PhiloxBlock block = random_block(kKey, first + i);
        EXPECT_EQ(high[i], block.words[0]) << first + i;
        EXPECT_EQ(low[i], block.words[1]) << first + i;
      }
    }
  });
}

TEST(Random, ElementsDependOnKeyAndIndexAlone) {
  Tensor small = call("rand", {kKey}, {{"size", Ints{10}}});
  Tensor large = call("rand", {kKey}, {{"size", Ints{300, 100}}});
  for (int64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(element(small, i), element(large, i));
    EXPECT_EQ(element(small, i), static_cast<double>(random_block(kKey, i).words[0] >> 8) * 0x1p-24);
  }
  int before = threads();
  set_threads(3);
  EXPECT_TRUE(same_bits(large, call("rand", {kKey}, {{"size", Ints{300, 100}}})));
  set_threads(before);
  EXPECT_FALSE(same_bits(large, call("rand", {kKey + 1}, {{"size", Ints{300, 100}}})));
}

TEST(Random, ASeedReplacesTheKeys) {
  Builder::Named seeded = {{"size", Ints{4}}, {"seed", int64_t{42}}};
  EXPECT_TRUE(same_bits(call("rand", {int64_t{7}}, seeded), call("rand", {kKey}, {{"size", Ints{4}}})));
}

TEST(Random, HasTheMomentsOfItsLaw) {
  constexpr int64_t kCount = 40000;  // the bounds are five deviations of the estimates
  for (DType dtype : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
    Moments u = moments(call("rand", {kKey}, {{"size", Ints{kCount}}, {"dtype", dtype}}));
    EXPECT_NEAR(u.mean, 0.5, dtype == DType::BFloat16 ? 0.01 : 0.008) << name(dtype);
    EXPECT_NEAR(u.variance, 1.0 / 12, 0.002) << name(dtype);
    EXPECT_GE(u.low, 0) << name(dtype);
    EXPECT_LT(u.high, 1) << name(dtype);
  }
  Moments z = moments(call("standard_normal", {kKey}, {{"shape", Ints{kCount}}}));
  EXPECT_NEAR(z.mean, 0, 0.025);
  EXPECT_NEAR(z.variance, 1, 0.036);
  Moments n = moments(call("normal", {3.0, 0.5, kKey}, {{"shape", Ints{kCount}}}));
  EXPECT_NEAR(n.mean, 3, 0.0125);
  Moments k = moments(call("randint", {kKey}, {{"low", int64_t{-3}}, {"high", int64_t{5}}, {"size", Ints{kCount}}}));
  EXPECT_EQ(k.low, -3);
  EXPECT_EQ(k.high, 4);
  EXPECT_NEAR(k.mean, 0.5, 0.06);
}

TEST(Random, DropoutDropsAndScales) {
  Tensor x = Tensor::full(DType::Float32, {10000}, 3);
  Tensor y = call("dropout", {x, kKey}, {{"p", 0.25}});
  int64_t dropped = 0;
  for (int64_t i = 0; i < y.numel(); ++i) {
    dropped += element(y, i) == 0;
    EXPECT_TRUE(element(y, i) == 0 || element(y, i) == 4);
  }
  EXPECT_NEAR(static_cast<double>(dropped), 2500, 217);
  EXPECT_TRUE(same_bits(call("dropout", {x, kKey}, {{"training", false}}), x));
  EXPECT_THROW(call("dropout", {x, kKey}, {{"p", 1.0}}), OpError);
  EXPECT_THROW(call("randint", {kKey}, {{"low", int64_t{5}}, {"high", int64_t{5}}, {"size", Ints{2}}}), OpError);
}

TEST(Creation, FollowsMindSporesDefaults) {
  EXPECT_EQ(call("zeros", {}, {{"size", Ints{2}}}).dtype(), DType::Float32);
  EXPECT_EQ(call("full", {3.7}, {{"size", Ints{2}}}).dtype(), DType::Int64);
  EXPECT_EQ(element(call("full", {3.7}, {{"size", Ints{2}}}), 1), 3);
  EXPECT_EQ(call("arange", {}, {{"start", Ints{3}}}).dtype(), DType::Int64);
  EXPECT_EQ(call("arange_float", {}, {{"start", 0.0}, {"end", 1.0}, {"step", 0.3}}).numel(), 4);
  Tensor index = Tensor::scalar<int64_t>(1);
  EXPECT_EQ(call("one_hot", {index, {}, {}}, {{"depth", int64_t{3}}}).dtype(), DType::Int64);
  EXPECT_EQ(call("one_hot", {index, 1.0, 0.0}, {{"depth", int64_t{3}}}).dtype(), DType::Float32);
  EXPECT_THROW(call("arange", {}, {{"start", Ints{5}}, {"end", Ints{0}}}), OpError);
  EXPECT_THROW(call("arange", {}, {{"start", Ints{5}}, {"step", Ints{0}}}), OpError);
  EXPECT_THROW(call("zeros", {}, {{"size", Ints{-1}}}), OpError);
  EXPECT_THROW(call("arange_float", {}, {{"start", 0.0}, {"end", NAN}}), OpError);
}

}  // namespace
}  // namespace ember::ops
