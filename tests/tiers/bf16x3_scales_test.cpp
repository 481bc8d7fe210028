// bf16x3 products of numbers of every magnitude, rows and columns of unlike scale: never further from float64 than
// sequential FMA is, and infinite or NaN exactly where that is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ops/simd/kernels.h"
#include "tests/ops/kernel_test.h"
#include "tests/tiers/bf16x3_reference.h"
#include "tests/tiers/pretend_amx.h"

namespace ember::tiers {
namespace {

using ops::BFloat16;
using Numbers = std::vector<float>;

constexpr int64_t kSize = 48;  // rows of A, columns of B

// A is (kSize, k), B is (k, kSize).
struct Operands {
  int64_t k;
  Numbers a, b;

  Operands(int64_t k, const std::function<float()>& draw) : k(k) {
    for (Numbers* x : {&a, &b})
      for (int64_t i = 0; i < kSize * k; ++i) x->push_back(draw());
  }
  void scale_row(int64_t i, float by) {
    for (int64_t p = 0; p < k; ++p) a[static_cast<size_t>(i * k + p)] *= by;
  }
  void scale_column(int64_t j, float by) {
    for (int64_t p = 0; p < k; ++p) b[static_cast<size_t>(p * kSize + j)] *= by;
  }
};

template <class T>
Numbers split_product(const Operands& x, int terms) {
  static constexpr int64_t kStart[] = {0};
  const std::vector<T> a(x.a.begin(), x.a.end()), b(x.b.begin(), x.b.end());
  std::vector<T> c(static_cast<size_t>(kSize * kSize));
  const ops::WithoutEmitted vectors_only;
  run_bf16x3(ops::Bf16x3Product<T>{
      {a.data(), kSize, x.k, 1, kSize, kStart}, {b.data(), kSize, 1, kSize, kSize, kStart}, x.k, terms, c.data()});
  return {c.begin(), c.end()};
}

// Of the elements whose row and column are of one class, the mean square of the distances from float64, each by the sum
// of its terms' magnitudes.
using ClassOf = std::function<int(int64_t)>;
std::map<std::pair<int, int>, double> errors(const Operands& x, const Numbers& c, const ClassOf& rows,
                                             const ClassOf& columns) {
  std::map<std::pair<int, int>, double> squares;
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      double sum = 0, terms = 0;
      for (int64_t p = 0; p < x.k; ++p) {
        const double product = double{x.a[static_cast<size_t>(i * x.k + p)]} * x.b[static_cast<size_t>(p * kSize + j)];
        sum += product;
        terms += std::fabs(product);
      }
      const double off = terms == 0 ? 0 : (c[static_cast<size_t>(i * kSize + j)] - sum) / terms;
      squares[{rows(i), columns(j)}] += off * off;
    }
  }
  return squares;
}

int one_class(int64_t) { return 0; }

// No class is further off than by the chain, and what is no finite number is that by the chain. Of a few terms among
// zeros the chain rounds less often than tiles do at any scale: these are no further off than where nothing is scaled.
void expect_no_worse(const Operands& x, const ClassOf& rows = one_class, const ClassOf& columns = one_class,
                     const Operands* unscaled = nullptr) {
  const Numbers split = split_product<float>(x, 3), fma = amx::fma_reference(kSize, kSize, x.k, x.a, x.b);
  bool finite = true;
  for (size_t i = 0; i < fma.size(); ++i) {
    if (std::isfinite(fma[i])) {
      ASSERT_TRUE(std::isfinite(split[i])) << split[i] << " where the chain gives " << fma[i];
    } else {
      finite = false;
      ASSERT_EQ(ops::testing::bits_of(split[i]), ops::testing::bits_of(fma[i]));
    }
  }
  if (!finite) return;
  const auto of_split = errors(x, split, rows, columns), of_fma = errors(x, fma, rows, columns);
  auto most = of_fma;
  if (unscaled) {
    for (const auto& [at, error] : errors(*unscaled, split_product<float>(*unscaled, 3), rows, columns))
      most[at] = std::max(most[at], error);
  }
  for (const auto& [at, error] : of_split) {
    EXPECT_LE(error, most.at(at)) << "rows of class " << at.first << ", columns of class " << at.second;
  }
}

class SplitScales : public testing::Test {
 protected:
  const amx::PretendAmx pretended_;
  std::mt19937 random_{11};
  std::normal_distribution<float> normal_;
  std::uniform_real_distribution<float> uniform_;
  std::lognormal_distribution<float> lognormal_{0, 2};
  const std::pair<const char*, std::function<float()>> kinds_[4] = {
      {"normal", [this] { return normal_(random_); }},
      {"uniform", [this] { return uniform_(random_); }},
      {"lognormal", [this] { return lognormal_(random_); }},
      {"half zeros", [this] { return std::max(normal_(random_), 0.0F); }}};

  static constexpr size_t kWithZeros = 3;

  int draw(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }
};

TEST_F(SplitScales, AlternatingSignsDoNotOverflow) {
  for (float largest : {3e37F, 1e37F, 2e36F, 1e36F}) {
    SCOPED_TRACE(largest);
    Operands x(128, [] { return 1.0F; });
    for (size_t p = 0; p < 128; ++p) x.a[p] = p % 2 ? -largest : largest;
    for (size_t i = 128; i < x.a.size(); ++i) x.a[i] = normal_(random_);
    expect_no_worse(x);
  }
}

TEST_F(SplitScales, ALargeProductIsNoInfinity) {
  for (float factor : {0x1.FFFp63F, 0x1.FFFFFEp63F, 0x1p64F}) {
    Operands x(128, [] { return 0.0F; });
    x.a[3] = factor;
    x.b[3 * kSize] = factor;
    expect_no_worse(x);
  }
}

TEST_F(SplitScales, RowsAndColumnsOfUnlikeScaleKeepTheirDigits) {
  for (const auto& [kind, draw] : kinds_) {
    for (int exponent = -30; exponent >= -76; exponent -= 2) {
      SCOPED_TRACE(std::string(kind) + " by 2^" + std::to_string(exponent));
      Operands x(256, draw);
      const float by = std::ldexp(1.0F, exponent);
      for (int64_t i = 0; i < kSize; i += 2) x.scale_row(i, by), x.scale_column(i, by);
      const auto odd = [](int64_t i) { return static_cast<int>(i % 2); };
      expect_no_worse(x, odd, odd);
    }
  }
}

TEST_F(SplitScales, NoMagnitudeIsWorse) {
  for (const auto& [kind, draw] : kinds_) {
    for (int of_a = -126; of_a <= 126; of_a += 18) {
      for (int of_b = -126; of_b <= 126; of_b += 18) {
        SCOPED_TRACE(std::string(kind) + " by 2^" + std::to_string(of_a) + " and 2^" + std::to_string(of_b));
        Operands x(128, draw);
        for (int64_t i = 0; i < kSize; ++i)
          x.scale_row(i, std::ldexp(1.0F, of_a)), x.scale_column(i, std::ldexp(1.0F, of_b));
        expect_no_worse(x);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Scales near the bounds, by rows and by columns.
TEST_F(SplitScales, NoScalesAreWorse) {
  for (int round = 0; round < 300; ++round) {
    const auto index = static_cast<size_t>(draw(0, 3));
    const auto& [kind, numbers] = kinds_[index];
    const int spread = draw(0, 60), centre = draw(0, 1) ? draw(-70, -20) : draw(40, 70);
    SCOPED_TRACE("round " + std::to_string(round) + ", " + kind + ", by 2^" + std::to_string(centre) + " +- " +
                 std::to_string(spread));
    Operands x(draw(128, 400), numbers);
    const Operands unscaled = x;
    int of_rows[2], of_columns[2];
    for (int* scales : {of_rows, of_columns})
      for (int i = 0; i < 2; ++i) scales[i] = std::clamp(centre + draw(-spread, spread), -126, 126);
    const auto odd = [](int64_t i) { return static_cast<int>(i % 2); };
    for (int64_t i = 0; i < kSize; ++i) {
      x.scale_row(i, std::ldexp(1.0F, of_rows[odd(i)]));
      x.scale_column(i, std::ldexp(1.0F, of_columns[odd(i)]));
    }
    expect_no_worse(x, odd, odd, index == kWithZeros ? &unscaled : nullptr);
    if (HasFatalFailure()) return;
  }
}

// Probabilities far below their row's largest stay on tiles.
TEST_F(SplitScales, SmallElementsBesideLargeOnesAreNoReasonForTheChain) {
  Operands x(128, [this] { return normal_(random_); });
  for (size_t i = 0; i < x.a.size(); ++i) x.a[i] = std::ldexp(1.0F, -static_cast<int>(i % 101));
  const Numbers split = split_product<float>(x, 3), want = amx::bf16x3_reference(kSize, kSize, 128, 3, x.a, x.b);
  for (size_t i = 0; i < want.size(); ++i) ASSERT_EQ(ops::testing::bits_of(split[i]), ops::testing::bits_of(want[i]));
}

// Of bfloat16 operands too: the chain's infinities, rounded.
TEST_F(SplitScales, BFloat16OverflowsAsTheChainDoes) {
  for (float factor : {0x1p60F, 0x1.8p63F, 0x1p64F, 0x1p70F}) {
    SCOPED_TRACE(factor);
    Operands x(64, [] { return 0.0F; });
    for (size_t p = 0; p < 64; ++p) x.a[p] = p % 2 ? -factor : factor, x.b[p * kSize] = x.b[p * kSize + 1] = factor;
    x.b[kSize + 1] = -factor;
    const Numbers split = split_product<BFloat16>(x, 1), fma = amx::fma_reference(kSize, kSize, 64, x.a, x.b);
    for (size_t i = 0; i < fma.size(); ++i)
      ASSERT_EQ(ops::testing::bits_of(split[i]), ops::testing::bits_of(static_cast<float>(BFloat16(fma[i]))));
  }
}

}  // namespace
}  // namespace ember::tiers
