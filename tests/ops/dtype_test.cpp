// Half conversions against exact arithmetic, the promotion table as MindSpore 2.10 returns it, and element conversion.
#include "ops/tensor/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ops/tensor/convert.h"

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

// The value of the finite, positive number of a half type with these bits; of 0x7C00 or 0x7F80, where it would lie.
template <class T>
long double value_of(uint16_t bits) {
  constexpr int kMantissa = std::is_same_v<T, Half> ? 10 : 7, kLeast = std::is_same_v<T, Half> ? -24 : -133;
  const int exponent = bits >> kMantissa, mantissa = bits & ((1 << kMantissa) - 1);
  if (exponent == 0) return std::ldexp(static_cast<long double>(mantissa), kLeast);
  return std::ldexp(static_cast<long double>((1 << kMantissa) + mantissa), exponent - 1 + kLeast);
}
template <class T>
constexpr uint16_t kInfinity = std::is_same_v<T, Half> ? 0x7C00 : 0x7F80;

// The nearest number of a half type, found among neighbours: independent of the bit tricks.
template <class T>
uint16_t nearest(long double x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const long double magnitude = std::fabs(x);
  uint16_t low = 0, high = kInfinity<T>;
  while (low < high) {
    const auto middle = static_cast<uint16_t>((low + high + 1) / 2);
    if (value_of<T>(middle) <= magnitude)
      low = middle;
    else
      high = static_cast<uint16_t>(middle - 1);
  }
  if (low == kInfinity<T>) return sign | low;
  const long double below = magnitude - value_of<T>(low);
  const long double above = value_of<T>(static_cast<uint16_t>(low + 1)) - magnitude;
  const bool up = above < below || (above == below && (low & 1));
  return static_cast<uint16_t>(sign | (up ? low + 1 : low));
}
uint16_t nearest_half(float x) { return nearest<Half>(x); }

template <class T>
class HalfTypes : public testing::Test {};
using BothHalfTypes = testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(HalfTypes, BothHalfTypes);

// What float32 would round to halfway between two numbers is not halfway.
TYPED_TEST(HalfTypes, DoublesAreRoundedOnce) {
  const auto check = [](double x) {
    for (double y : {x, -x}) ASSERT_EQ(convert_value<TypeParam>(y).bits, nearest<TypeParam>(y)) << std::hexfloat << y;
  };
  for (uint16_t bits = 0; bits < kInfinity<TypeParam>; ++bits) {
    const auto low = static_cast<double>(value_of<TypeParam>(bits));
    const auto high = static_cast<double>(value_of<TypeParam>(static_cast<uint16_t>(bits + 1)));
    const double middle = low + (high - low) / 2;
    for (double x : {low, middle, high}) {
      for (double y : {x, std::nextafter(x, 0.0), std::nextafter(x, INFINITY), x * (1 - 0x1p-30), x * (1 + 0x1p-30)}) {
        check(y);
      }
    }
  }
  for (double x : {0.0, 1e-300, 5e-324, 1e300, 0x1.fffffp127, 0x1p128, 65519.99999999999, 65520.0}) check(x);
  EXPECT_EQ(convert_value<TypeParam>(INFINITY).bits, kInfinity<TypeParam>);
  EXPECT_TRUE(std::isnan(static_cast<float>(convert_value<TypeParam>(std::nan("")))));
}

TYPED_TEST(HalfTypes, IntegersAreRoundedOnce) {
  const auto check = [](auto x) {
    ASSERT_EQ(convert_value<TypeParam>(x).bits, nearest<TypeParam>(static_cast<long double>(x))) << x;
  };
  for (int shift = 8; shift < 64; ++shift) {
    for (uint64_t mantissa = 0x100; mantissa < 0x200; ++mantissa) {
      const uint64_t middle = shift < 56 ? mantissa << (shift - 8) : mantissa << 55;
      for (uint64_t x : {middle - 1, middle, middle + 1}) {
        check(x);
        check(static_cast<int64_t>(x));
        check(static_cast<int32_t>(x));
        check(static_cast<uint32_t>(x));
      }
    }
  }
  for (int64_t x :
       {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_C(-1) << 53, (INT64_C(1) << 62) + (INT64_C(1) << 54) + 1}) {
    check(x);
    check(static_cast<uint64_t>(x));
  }
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

// The nearest of all numbers of a format, of two the one with an even mantissa; of what is beyond the largest by half a
// step or more, what it says.
template <class T>
uint8_t nearest_float8(float x, uint8_t largest, uint8_t over) {
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  const auto value = [](uint8_t bits) {
    T t;
    t.bits = bits;
    return static_cast<double>(static_cast<float>(t));
  };
  const double magnitude = std::fabs(static_cast<double>(x));
  uint8_t low = 0;
  while (low < largest && value(static_cast<uint8_t>(low + 1)) <= magnitude) ++low;
  const double step = low < largest ? value(static_cast<uint8_t>(low + 1)) - value(low)
                                    : value(low) - value(static_cast<uint8_t>(low - 1));
  const double rest = magnitude - value(low);
  const bool up = rest > step / 2 || (rest == step / 2 && (low & 1));
  return sign | (!up ? low : low == largest ? over : static_cast<uint8_t>(low + 1));
}

TEST(Float8, RoundsToNearestEven) {
  for (uint32_t i = 0; i < 300'000; ++i) {
    const float x = std::bit_cast<float>(i * 2654435761U);
    if (std::isnan(x)) continue;
    ASSERT_EQ(Float8E4M3FN(x).bits, nearest_float8<Float8E4M3FN>(x, 0x7E, 0x7F)) << x;
    ASSERT_EQ(Float8E5M2(x).bits, nearest_float8<Float8E5M2>(x, 0x7B, 0x7C)) << x;
  }
  for (float x : {448.0F, 464.0F, 465.0F, -464.0F, 57344.0F, 61439.9F, 61440.0F, 0x1p-9F, 0x1p-10F, 0x1.8p-10F,
                  0x1p-17F, -0.0F}) {
    EXPECT_EQ(Float8E4M3FN(x).bits, nearest_float8<Float8E4M3FN>(x, 0x7E, 0x7F)) << x;
    EXPECT_EQ(Float8E5M2(x).bits, nearest_float8<Float8E5M2>(x, 0x7B, 0x7C)) << x;
  }
  for (int bits = 0; bits < 256; ++bits) {
    Float8E4M3FN a;
    Float8E5M2 b;
    a.bits = b.bits = static_cast<uint8_t>(bits);
    const float x = static_cast<float>(a), y = static_cast<float>(b);
    EXPECT_TRUE(std::isnan(x) ? (bits & 0x7F) == 0x7F : Float8E4M3FN(x).bits == bits) << bits;
    EXPECT_TRUE(std::isnan(y) ? (bits & 0x7F) > 0x7C : Float8E5M2(y).bits == bits) << bits;
  }
  EXPECT_EQ(static_cast<float>(Float8E4M3FN(1.0F)), 1.0F);
  EXPECT_EQ(static_cast<float>(Float8E5M2(-1.5F)), -1.5F);
}

TEST(Int4, Wraps) {
  for (int64_t x = -300; x < 300; ++x) EXPECT_EQ(Int4(x).value, ((x + 8) % 16 + 16) % 16 - 8);
  EXPECT_EQ(convert_value<Int4>(-1.9).value, -1);
  EXPECT_EQ(convert_value<Int4>((int64_t{1} << 40) + 3).value, 3);
  EXPECT_EQ(convert_value<double>(Int4(int64_t{-5})), -5.0);
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

// ops.add of two tensors in MindSpore 2.10, and where that is a TypeError for UInt16 to UInt64, what NumPy has; X is a
// TypeError.
constexpr const char* kPromotion[kDTypes] = {
    "Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X "
    "X",
    "Int8 Int8 Int16 Int32 Int64 Int16 Int32 Int64 X Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X X",
    "Int16 Int16 Int16 Int32 Int64 Int16 Int32 Int64 X Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X X",
    "Int32 Int32 Int32 Int32 Int64 Int32 Int32 Int64 X Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X X",
    "Int64 Int64 Int64 Int64 Int64 Int64 Int64 Int64 X Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X X",
    "UInt8 Int16 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float16 BFloat16 Float32 Float64 Complex64 Complex128 X "
    "X X",
    "UInt16 Int32 Int32 Int32 Int64 UInt16 UInt16 UInt32 UInt64 Float16 BFloat16 Float32 Float64 Complex64 Complex128 "
    "X X X",
    "UInt32 Int64 Int64 Int64 Int64 UInt32 UInt32 UInt32 UInt64 Float16 BFloat16 Float32 Float64 Complex64 Complex128 "
    "X X X",
    "UInt64 X X X X UInt64 UInt64 UInt64 UInt64 Float16 BFloat16 Float32 Float64 Complex64 Complex128 X X X",
    "Float16 Float16 Float16 Float16 Float16 Float16 Float16 Float16 Float16 Float16 Float32 Float32 Float64 Complex64 "
    "Complex128 X X X",
    "BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 BFloat16 Float32 BFloat16 Float32 Float64 "
    "Complex64 Complex128 X X X",
    "Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float32 Float64 Complex64 "
    "Complex128 X X X",
    "Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 Float64 "
    "Complex128 Complex128 X X X",
    "Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 Complex64 "
    "Complex64 Complex128 Complex64 Complex128 X X X",
    "Complex128 Complex128 Complex128 Complex128 Complex128 Complex128 Complex128 Complex128 Complex128 Complex128 "
    "Complex128 Complex128 Complex128 Complex128 Complex128 X X X",
    "X X X X X X X X X X X X X X X Float8E4M3FN X X",
    "X X X X X X X X X X X X X X X X Float8E5M2 X",
    "X X X X X X X X X X X X X X X X X Int4",
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
