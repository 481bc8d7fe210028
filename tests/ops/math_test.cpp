// The composite verbs against the C library in long double: errors in ulps, and special values exactly.
#include "ops/expr/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "ops/simd/strips.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

template <class T>
std::vector<T> apply(Verb verb, const std::vector<T>& a, const std::vector<T>& b = {}) {
  std::vector<T> out(a.size());
  const StripFn fn = strips(isa()).verbs[static_cast<size_t>(verb)][static_cast<size_t>(dtype_of<T>)];
  fn(static_cast<int64_t>(a.size()), out.data(), a.data(), b.data(), nullptr);
  return out;
}

template <class T>
T apply_one(Verb verb, T a, T b = 0) {
  return apply<T>(verb, {a}, {b})[0];
}

// Distance in units of the last place of the wanted value.
template <class T>
double ulps(T got, long double want) {
  const T near = static_cast<T>(want);
  if (std::isnan(got) && std::isnan(near)) return 0;
  if (got == near) {
    if (std::isinf(near) || near == 0) return 0;
  } else if (!std::isfinite(got) || !std::isfinite(near)) {
    return INFINITY;
  }
  int exponent;
  std::frexp(want, &exponent);
  constexpr int digits = std::numeric_limits<T>::digits, lowest = std::numeric_limits<T>::min_exponent;
  const long double ulp = std::ldexp(1.0L, std::max(exponent, lowest) - digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / ulp);
}

using Reference = long double (*)(long double);
struct Case {
  Verb verb;
  Reference reference;
  double low, high;
  double bound32, bound64;
};

long double sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }

const Case kCases[] = {
    {Verb::Exp, std::exp, -110, 89, 1.0, 1.0},      {Verb::Exp, std::exp, -750, 710, 1.0, 1.0},
    {Verb::Expm1, std::expm1, -1, 1, 1.5, 2.0},     {Verb::Expm1, std::expm1, -40, 88, 1.5, 2.0},
    {Verb::Log, std::log, 0.5, 2, 1.0, 1.0},        {Verb::Log, std::log, 0, 1e38, 1.0, 1.0},
    {Verb::Log1p, std::log1p, -0.999, 2, 1.5, 1.5}, {Verb::Log1p, std::log1p, -0.001, 1e6, 1.5, 1.5},
    {Verb::Tanh, std::tanh, -1, 1, 2.0, 2.0},       {Verb::Tanh, std::tanh, -20, 20, 2.0, 2.0},
    {Verb::Erf, std::erf, -1.2, 1.2, 1.5, 1.5},     {Verb::Erf, std::erf, -7, 7, 1.5, 1.5},
    {Verb::Sin, std::sin, -4, 4, 0.6, 1.0},         {Verb::Sin, std::sin, -1e6, 1e6, 0.6, 1.0},
    {Verb::Cos, std::cos, -4, 4, 0.6, 1.0},         {Verb::Cos, std::cos, -1e6, 1e6, 0.6, 1.0},
    {Verb::Sigmoid, sigmoid, -100, 100, 2.5, 2.5},
};

template <class T>
std::vector<T> draw(double low, double high, size_t n) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<> flat(low, high), exponent(-40, 0);
  std::vector<T> x(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = static_cast<T>(i % 4 == 0
                              ? std::ldexp(i % 8 == 0 || low >= 0 ? high : low, static_cast<int>(exponent(random))) *
                                    std::uniform_real_distribution<>(0.5, 1)(random)
                              : flat(random));
  }
  return x;
}

template <class T>
double worst(const Case& c) {
  const auto x = draw<T>(c.low, c.high, 200000);
  const auto y = apply(c.verb, x);
  double most = 0;
  T at = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = ulps(y[i], c.reference(x[i]));
    if (error > most) most = error, at = x[i];
  }
  ::testing::Test::RecordProperty("worst", std::to_string(most));
  if (std::getenv("EMBERJIT_ULPS")) {
    std::printf("%s.%zu [%g, %g]: %.3f at %.17g\n", std::string(info(c.verb).name).c_str(), sizeof(T) * 8, c.low,
                c.high, most, static_cast<double>(at));
  }
  return most;
}

TEST(Math, ErrorsStayWithinBounds) {
  for (const Case& c : kCases) {
    EXPECT_LE(worst<float>(c), c.bound32) << info(c.verb).name << ".Float32 within " << c.low << ", " << c.high;
    EXPECT_LE(worst<double>(c), c.bound64) << info(c.verb).name << ".Float64 within " << c.low << ", " << c.high;
  }
}

template <class T>
void check_pow(double bound) {
  std::mt19937_64 random(9);
  std::vector<T> x(300000), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const bool near_one = i % 3 == 0;
    const T base = near_one ? static_cast<T>(1 + std::uniform_real_distribution<>(-0.01, 0.01)(random))
                            : static_cast<T>(std::exp(std::uniform_real_distribution<>(-20, 20)(random)));
    const double most =
        (std::numeric_limits<T>::max_exponent - 3) * 0.69 / std::max(1e-9, std::fabs(std::log(double(base))));
    x[i] = base;
    y[i] = static_cast<T>(std::uniform_real_distribution<>(-most, most)(random));
  }
  const auto z = apply(Verb::Pow, x, y);
  double most = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, ulps(z[i], std::pow(static_cast<long double>(x[i]), static_cast<long double>(y[i]))));
  }
  if (std::getenv("EMBERJIT_ULPS")) std::printf("Pow.%zu: %.3f\n", sizeof(T) * 8, most);
  EXPECT_LE(most, bound);
}

TEST(Math, PowStaysWithinBounds) {
  check_pow<float>(0.6);
  check_pow<double>(1.2);
}

template <class T>
void check_atan2(double bound) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<> size(-30, 30), sign(-1, 1);
  std::vector<T> y(300000), x(y.size());
  for (size_t i = 0; i < y.size(); ++i) {
    const double near = i % 2 ? 1 : std::exp(size(random));
    x[i] = static_cast<T>(std::copysign(std::exp(0.1 * size(random)) * near, sign(random)));
    y[i] = static_cast<T>(std::copysign(std::exp(0.1 * size(random)), sign(random)));
  }
  const auto z = apply(Verb::Atan2, y, x);
  double most = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    most = std::max(most, ulps(z[i], std::atan2(static_cast<long double>(y[i]), static_cast<long double>(x[i]))));
  }
  if (std::getenv("EMBERJIT_ULPS")) std::printf("Atan2.%zu: %.3f\n", sizeof(T) * 8, most);
  EXPECT_LE(most, bound);
  const T inf = std::numeric_limits<T>::infinity(), large = std::numeric_limits<T>::max();
  for (T a : {T(0), T(-0.0), T(1), T(-1), inf, -inf, std::numeric_limits<T>::quiet_NaN(), large, -large, T(1e-30)}) {
    for (T b : {T(0), T(-0.0), T(1), T(-1), inf, -inf, std::numeric_limits<T>::quiet_NaN(), large, -large, T(1e-30)}) {
      const T got = apply_one<T>(Verb::Atan2, a, b), want = std::atan2(a, b);
      EXPECT_EQ(std::isnan(got), std::isnan(want)) << a << ", " << b;
      if (std::isnan(want)) continue;
      EXPECT_LE(ulps(got, std::atan2(static_cast<long double>(a), static_cast<long double>(b))), bound)
          << a << ", " << b;
      EXPECT_EQ(std::signbit(got), std::signbit(want)) << a << ", " << b;
    }
  }
}

TEST(Math, Atan2StaysWithinBounds) {
  check_atan2<float>(0.6);
  check_atan2<double>(1.5);
}

template <class T>
T nan_of() {
  return std::numeric_limits<T>::quiet_NaN();
}

template <class T>
void check_specials() {
  const T inf = std::numeric_limits<T>::infinity(), tiny = std::numeric_limits<T>::denorm_min();
  const T least = std::numeric_limits<T>::min();
  const std::vector<T> x = {0,        -T(0),     inf,   -inf,  nan_of<T>(), 1,         -1,      2,
                            -2,       tiny,      -tiny, least, -least,      least / 4, T(-0.5), T(0.5),
                            T(1e-20), T(-1e-20), 30,    -30,   T(1000),     T(-1000)};
  for (Verb verb : {Verb::Exp, Verb::Expm1, Verb::Log, Verb::Log1p, Verb::Tanh, Verb::Erf, Verb::Sin, Verb::Cos}) {
    const Case* c = std::find_if(std::begin(kCases), std::end(kCases), [&](const Case& k) { return k.verb == verb; });
    const auto y = apply(verb, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const T want = static_cast<T>(c->reference(x[i]));
      EXPECT_LE(ulps(y[i], c->reference(x[i])), 2.0) << info(verb).name << ' ' << x[i] << " gives " << y[i];
      EXPECT_EQ(std::isnan(y[i]), std::isnan(want)) << info(verb).name << ' ' << x[i];
      if (!std::isnan(want)) {
        EXPECT_EQ(std::signbit(y[i]), std::signbit(want)) << info(verb).name << ' ' << x[i] << " gives " << y[i];
      }
    }
  }
  EXPECT_EQ(apply_one<T>(Verb::Sigmoid, -inf), 0);
  EXPECT_EQ(apply_one<T>(Verb::Sigmoid, inf), 1);
  EXPECT_EQ(apply_one<T>(Verb::Sigmoid, 0), T(0.5));
  EXPECT_TRUE(std::isnan(apply_one<T>(Verb::Sigmoid, nan_of<T>())));
}

TEST(Math, SpecialValuesFloat32) { check_specials<float>(); }
TEST(Math, SpecialValuesFloat64) { check_specials<double>(); }

template <class T>
void check_pow_specials() {
  const T inf = std::numeric_limits<T>::infinity(), large = std::numeric_limits<T>::max();
  const std::vector<T> numbers = {0,       -T(0), 1,     -1,    inf,    -inf,     nan_of<T>(),
                                  2,       -2,    3,     -3,    T(0.5), T(-0.5),  T(1.5),
                                  T(-1.5), 1024,  -1023, large, -large, T(1e-30), T(1) / large};
  for (T x : numbers) {
    for (T y : numbers) {
      const T got = apply_one<T>(Verb::Pow, x, y), want = std::pow(x, y);
      EXPECT_EQ(std::isnan(got), std::isnan(want)) << x << " to the " << y << " gives " << got;
      if (std::isnan(want)) continue;
      EXPECT_LE(ulps(got, std::pow(static_cast<long double>(x), static_cast<long double>(y))), 1.5)
          << x << " to the " << y << " gives " << got;
      EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " to the " << y << " gives " << got;
    }
  }
}

template <class T>
void check_plain_powers() {
  std::vector<T> x = {0,
                      -0.0,
                      1,
                      -1,
                      3,
                      T(0x1p-130),
                      T(0x1p100),
                      -T(1e30),
                      nan_of<T>(),
                      std::numeric_limits<T>::infinity(),
                      -std::numeric_limits<T>::infinity()};
  std::mt19937_64 random(4);
  while (x.size() < 5000) x.push_back(static_cast<T>(std::normal_distribution<>()(random)));
  for (int p : {1, 2, 3, -1}) {
    std::vector<T> same(x.size(), static_cast<T>(p)), mixed = same;
    mixed[7] = T(0.5);
    const auto alone = apply(Verb::Pow, x, same), among = apply(Verb::Pow, x, mixed);
    for (size_t i = 0; i < x.size(); ++i) {
      const T want = p == 1 ? x[i] : p == 2 ? x[i] * x[i] : p == 3 ? x[i] * x[i] * x[i] : 1 / x[i];
      EXPECT_EQ(testing::bits_of(alone[i]), testing::bits_of(want)) << x[i] << " to the " << p;
      if (i == 7) continue;
      EXPECT_EQ(testing::bits_of(among[i]), testing::bits_of(want)) << x[i] << " to the " << p << " among others";
    }
  }
}

TEST(Math, SmallWholeExponentsAreProductsAndQuotients) {
  check_plain_powers<float>();
  check_plain_powers<double>();
}

TEST(Math, PowSpecialValues) {
  check_pow_specials<float>();
  check_pow_specials<double>();
}

TEST(Math, IntegerPow) {
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 3, 5), 243);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, -2, 31), INT32_MIN);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 3, 40), static_cast<int32_t>(12157665459056928801ULL & 0xFFFFFFFF));
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 5, 0), 1);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 0, 0), 1);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 2, -1), 0);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, -1, -3), -1);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 0, -1), 0);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 65537, 2), 131073);
  EXPECT_EQ(apply_one<uint16_t>(Verb::Pow, 65535, 3), 65535);
  EXPECT_EQ(apply_one<int32_t>(Verb::Pow, 1, -3), 1);
  EXPECT_EQ(apply_one<int64_t>(Verb::Pow, 7, 22), 3909821048582988049);
  EXPECT_EQ(apply_one<int8_t>(Verb::Pow, -3, 3), -27);
  EXPECT_EQ(apply_one<uint8_t>(Verb::Pow, 3, 200), static_cast<uint8_t>(161));
  EXPECT_EQ(apply_one<uint64_t>(Verb::Pow, 3, 40), 12157665459056928801ULL);
}

// Arguments whose distance to a multiple of pi / 2 is the smallest of their type, and the largest of all.
TEST(Math, SineAndCosineOfHardArguments) {
  for (float x : {16367173.0F * 0x1p72F, 0x1.fffffep127F, 3.1415927F, 1.5707964F, 11.0F, 31415.926F}) {
    EXPECT_LE(ulps(apply_one<float>(Verb::Sin, x), std::sin(static_cast<double>(x))), 0.6) << x;
    EXPECT_LE(ulps(apply_one<float>(Verb::Cos, x), std::cos(static_cast<double>(x))), 0.6) << x;
  }
  for (double x : {6381956970095103.0 * 0x1p797, 0x1.fffffffffffffp1023, 3.141592653589793, 1.5707963267948966, 1e22}) {
    EXPECT_LE(ulps(apply_one<double>(Verb::Sin, x), std::sin(static_cast<long double>(x))), 1.0) << x;
    EXPECT_LE(ulps(apply_one<double>(Verb::Cos, x), std::cos(static_cast<long double>(x))), 1.0) << x;
  }
}

}  // namespace
}  // namespace ember::ops
