// Every unary float32 verb over all 2^32 inputs: all instruction sets give the same bits, and the error against the C
// library in float64 stays within the bounds. Takes some minutes; built by `ninja test_ops_long` alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "ops/base/parallel.h"
#include "ops/simd/strips.h"

namespace ember::ops {
namespace {

struct Case {
  Verb verb;
  double (*reference)(double);
  double bound;  // ulps
};

double sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double negative(double x) { return -x; }

const Case kCases[] = {
    {Verb::Neg, negative, 0},      {Verb::Abs, std::fabs, 0},      {Verb::Sqrt, std::sqrt, 0.51},
    {Verb::Floor, std::floor, 0},  {Verb::Ceil, std::ceil, 0},     {Verb::Trunc, std::trunc, 0},
    {Verb::Rint, std::rint, 0},    {Verb::Exp, std::exp, 1.0},     {Verb::Expm1, std::expm1, 1.5},
    {Verb::Log, std::log, 1.0},    {Verb::Log1p, std::log1p, 1.5}, {Verb::Tanh, std::tanh, 2.0},
    {Verb::Erf, std::erf, 1.5},    {Verb::Sin, std::sin, 0.6},     {Verb::Cos, std::cos, 0.6},
    {Verb::Sigmoid, sigmoid, 2.5},
};

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

double ulps(float got, double want) {
  const float near = static_cast<float>(want);
  const bool special = !std::isfinite(near) || !std::isfinite(got) || (near == 0 && got == 0);
  if (special) return same(got, near) ? 0 : INFINITY;
  const int exponent = want == 0 ? -126 : std::max(std::ilogb(want), -126);
  return std::fabs(got - want) / std::ldexp(1.0, exponent - 23);
}

class AllFloats : public testing::TestWithParam<Case> {};

TEST_P(AllFloats, BitsAndErrors) {
  constexpr int64_t kBlock = 1 << 16, kBlocks = int64_t{1} << 16;
  const Case& c = GetParam();
  std::vector<StripFn> kernels;
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
    if (isa <= best_isa()) kernels.push_back(strips(isa).verbs[static_cast<size_t>(c.verb)][size_t(DType::Float32)]);
  }
  std::atomic<uint64_t> different{0}, inexact{0};
  std::atomic<uint32_t> example{0};
  parallel_for(kBlocks, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> x(kBlock), first(kBlock), y(kBlock);
    for (int64_t block = begin; block < end; ++block) {
      for (int64_t i = 0; i < kBlock; ++i) x[size_t(i)] = std::bit_cast<float>(uint32_t(block * kBlock + i));
      kernels.back()(kBlock, first.data(), x.data(), nullptr, nullptr);
      for (size_t k = 0; k + 1 < kernels.size(); ++k) {
        kernels[k](kBlock, y.data(), x.data(), nullptr, nullptr);
        for (size_t i = 0; i < x.size(); ++i) {
          if (same(first[i], y[i])) continue;
          ++different;
          example = std::bit_cast<uint32_t>(x[i]);
        }
      }
      for (size_t i = 0; i < x.size(); ++i) {
        if (ulps(first[i], c.reference(x[i])) <= c.bound) continue;
        ++inexact;
        example = std::bit_cast<uint32_t>(x[i]);
      }
    }
  });
  EXPECT_EQ(different, 0U) << "for example " << std::bit_cast<float>(example.load());
  EXPECT_EQ(inexact, 0U) << "for example " << std::bit_cast<float>(example.load());
}

INSTANTIATE_TEST_SUITE_P(Verbs, AllFloats, testing::ValuesIn(kCases),
                         [](const auto& p) { return std::string(ops::info(p.param.verb).name); });

}  // namespace
}  // namespace ember::ops
