// The emitted GEMM kernel against a chain of fma per element: every number of rows and columns, both starts.
#include "tiers/emit/gemm_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "ops/isa.h"

namespace ember::tiers {
namespace {

constexpr int64_t kStride = 40;

struct Tile {
  std::vector<float> a, b, c;
  explicit Tile(const ops::GemmKernel& kernel, int64_t k)
      : a(static_cast<size_t>(k * kernel.mr)),
        b(static_cast<size_t>(k * kernel.nr)),
        c(static_cast<size_t>(kernel.mr * kStride)) {
    std::mt19937 random(static_cast<uint32_t>(k));
    std::normal_distribution<float> normal;
    for (auto* part : {&a, &b, &c})
      for (float& x : *part) x = normal(random);
    if (!a.empty()) a[0] = INFINITY;
  }
};

void check(const ops::GemmKernel& kernel, int64_t k, int64_t rows, int64_t cols, bool accumulate) {
  Tile tile(kernel, k);
  std::vector<float> want = tile.c;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      float sum = accumulate ? want[static_cast<size_t>(i * kStride + j)] : 0;
      for (int64_t p = 0; p < k; ++p)
        sum = std::fma(tile.a[static_cast<size_t>(p * kernel.mr + i)], tile.b[static_cast<size_t>(p * kernel.nr + j)],
                       sum);
      want[static_cast<size_t>(i * kStride + j)] = sum;
    }
  }
  kernel.run(k, tile.a.data(), tile.b.data(), tile.c.data(), kStride, rows, cols, accumulate);
  ASSERT_EQ(std::memcmp(tile.c.data(), want.data(), want.size() * sizeof(float)), 0)
      << "k=" << k << " rows=" << rows << " cols=" << cols << " accumulate=" << accumulate;
}

class GemmCode : public testing::TestWithParam<ops::Isa> {};

TEST_P(GemmCode, IsOneChainPerElementAndTouchesNothingElse) {
  ops::Isa before = ops::isa();
  if (!ops::set_isa(GetParam())) GTEST_SKIP() << "the CPU lacks " << name(GetParam());
  ops::GemmKernel kernel;
  gc::Ref<CodeBlock> code = compile_gemm_kernel(&kernel);
  ASSERT_TRUE(code);
  for (int64_t rows = 1; rows <= kernel.mr; ++rows)
    for (int64_t cols = 1; cols <= kernel.nr; ++cols)
      for (int64_t k : {1, 3, 4, 9})
        for (bool accumulate : {false, true}) check(kernel, k, rows, cols, accumulate);
  check(kernel, 300, kernel.mr, kernel.nr, true);
  ops::set_isa(before);
}

INSTANTIATE_TEST_SUITE_P(Isas, GemmCode, testing::Values(ops::Isa::Avx2, ops::Isa::Avx512),
                         [](const auto& isa) { return std::string(ops::name(isa.param)); });

}  // namespace
}  // namespace ember::tiers
