// Half conversions against exact arithmetic, the promotion table as MindSpore 2.10 answers it, and element conversion.
#include "ops/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ops/convert.h"

namespace ember::ops {
namespace {

TEST(Half, EveryValueSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    BFloat16 brain;
    brain.bits = static_cast<uint16_t>(bits);
    auto value = static_cast<float>(half);
    if (std::isnan(value)) {
      EXPECT_EQ(Half(value).bits, bits | 0x200);
    } else {
      EXPECT_EQ(Half(value).bits, bits);
    }
    auto wide = static_cast<float>(brain);
    EXPECT_EQ(BFloat16(wide).bits, std::isnan(wide) ? bits | 0x40 : bits);
  }
}

// The nearest half of a float, found among neighbours in double arithmetic: independent of the bit tricks.
uint16_t nearest_half(float x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  double magnitude = std::fabs(static_cast<double>(x));
  if (magnitude >= 65520) return sign | 0x7C00;
  uint16_t low = 0;
  uint16_t high = 0x7BFF;
  auto value = [](uint16_t bits) {
    int exponent = bits >> 10;
    int mantissa = bits & 0x3FF;
    return exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  };
  while (low < high) {
    auto middle = static_cast<uint16_t>((low + high + 1) / 2);
    if (value(middle) <= magnitude) {
      low = middle;
    } else {
      high = static_cast<uint16_t>(middle - 1);
    }
  }
  if (low == 0x7BFF) return sign | low;
  double below = magnitude - value(low);
  double above = value(static_cast<uint16_t>(low + 1)) - magnitude;
  bool up = above < below || (above == below && (low & 1));
  return static_cast<uint16_t>(sign | (up ? low + 1 : low));
}

TEST(Half, RoundsToNearestEven) {
  for (uint32_t i = 0; i < 3'000'000; ++i) {
    uint32_t bits = i * 2654435761U;
    float x = std::bit_cast<float>(bits);
    if (std::isnan(x)) continue;
    ASSERT_EQ(Half(x).bits, nearest_half(x)) << x;
  }
  for (float x : {65504.0F, 65519.99F, 65520.0F, 5.9604645e-8F, 2.9802322e-8F, 2.9802326e-8F, 6.1035156e-5F, -0.0F}) {
    EXPECT_EQ(Half(x).bits, nearest_half(x)) << x;
  }
}

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0x3F808000U)).bits, 0x3F80);
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0x3F818000U)).bits, 0x3F82);
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0x3F808001U)).bits, 0x3F81);
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0x00018000U)).bits, 0x0002);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::bit_cast<float>(0x7F800001U)))));
}

TEST(DType, NamesParseBack) {
  for (size_t i = 0; i < kDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    DType parsed = DType::Bool;
    EXPECT_TRUE(parse_dtype(name(dtype), &parsed));
    EXPECT_EQ(parsed, dtype);
  }
  DType parsed;
  EXPECT_TRUE(parse_dtype("float32", &parsed) && parsed == DType::Float32);
  EXPECT_TRUE(parse_dtype("bool_", &parsed) && parsed == DType::Bool);
  EXPECT_FALSE(parse_dtype("float33", &parsed));
  EXPECT_FALSE(parse_dtype("", &parsed));
  EXPECT_EQ(name(DType::BFloat16), "BFloat16");
  EXPECT_EQ(itemsize(DType::BFloat16), 2U);
  EXPECT_EQ(numpy_name(DType::UInt16), "<u2");
}

// ops.add of two tensors in MindSpore 2.10; X is a TypeError.
constexpr const char* kPromotion[kDTypes] = {
    "Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float16 BFloat16 Float32 Float64",
    "Int8 Int8 Int16 Int32 Int64 Int16 X X X Float16 BFloat16 Float32 Float64",
    "Int16 Int16 Int16 Int32 Int64 Int16 X X X Float16 BFloat16 Float32 Float64",
    "Int32 Int32 Int32 Int32 Int64 Int32 X X X Float16 BFloat16 Float32 Float64",
    "Int64 Int64 Int64 Int64 Int64 Int64 X X X Float16 BFloat16 Float32 Float64",
    "UInt8 Int16 Int16 Int32 Int64 UInt8 X X X Float16 BFloat16 Float32 Float64",
    "UInt16 X X X X X UInt16 X X X X X X",
    "UInt32 X X X X X X UInt32 X X X X X",
    "UInt64 X X X X X X X UInt64 X X X X",
    "Float16 Float16 Float16 Float16 Float16 Float16 X X X Float16 Float32 Float32 Float64",
    "BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 X X X Float32 BFloat16 Float32 Float64",
    "Float32 Float32 Float32 Float32 Float32 Float32 X X X Float32 Float32 Float32 Float64",
    "Float64 Float64 Float64 Float64 Float64 Float64 X X X Float64 Float64 Float64 Float64",
};

std::string word(std::string_view text, size_t index) {
  for (; index > 0; --index) text.remove_prefix(text.find(' ') + 1);
  return std::string(text.substr(0, text.find(' ')));
}

TEST(Promotion, OfTwoTensors) {
  for (size_t a = 0; a < kDTypes; ++a) {
    for (size_t b = 0; b < kDTypes; ++b) {
      std::string want = word(kPromotion[a], b);
      auto x = static_cast<DType>(a);
      auto y = static_cast<DType>(b);
      if (want == "X") {
        EXPECT_THROW(promote(x, y), std::invalid_argument) << name(x) << " " << name(y);
      } else {
        EXPECT_EQ(name(promote(x, y)), want) << name(x) << " " << name(y);
      }
    }
  }
}

TEST(Promotion, OfTensorAndNumber) {
  const DType integers[] = {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8};
  const DType floats[] = {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64};
  for (DType d : integers) {
    EXPECT_EQ(promote(d, ScalarKind::Bool), d);
    EXPECT_EQ(promote(d, ScalarKind::Int), d);
    EXPECT_EQ(promote(d, ScalarKind::Float), DType::Float32);
  }
  for (DType d : floats) {
    for (ScalarKind k : {ScalarKind::Bool, ScalarKind::Int, ScalarKind::Float}) EXPECT_EQ(promote(d, k), d);
  }
  EXPECT_EQ(promote(DType::Bool, ScalarKind::Bool), DType::Bool);
  EXPECT_EQ(promote(DType::Bool, ScalarKind::Int), DType::Int64);
  EXPECT_EQ(promote(DType::Bool, ScalarKind::Float), DType::Float32);
}

TEST(Convert, FloatsToIntegersAsNumPyOnX86) {
  double nan = std::nan("");
  EXPECT_EQ(convert_value<int32_t>(3e9), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(convert_value<int32_t>(nan), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(convert_value<int32_t>(-2147483648.0), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(convert_value<int64_t>(1e30F), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(convert_value<int8_t>(300.7F), 44);
  EXPECT_EQ(convert_value<uint8_t>(-1.5F), 255);
  EXPECT_EQ(convert_value<uint32_t>(-1.0), 0xFFFFFFFFU);
  EXPECT_EQ(convert_value<uint64_t>(1.8446744073709550e19), 18446744073709549568U);
  EXPECT_EQ(convert_value<uint64_t>(9.3e18F), 9300000300729368576U);
  EXPECT_EQ(convert_value<bool>(nan), true);
  EXPECT_EQ(convert_value<bool>(-0.0), false);
  EXPECT_EQ(convert_value<int32_t>(Half(2.75F)), 2);
  EXPECT_EQ(convert_value<Half>(int64_t{2049}).bits, Half(2048.0F).bits);
  EXPECT_EQ(convert_value<uint8_t>(int64_t{-1}), 255);
}

}  // namespace
}  // namespace ember::ops
