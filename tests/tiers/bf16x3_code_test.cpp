// The kernel of tile instructions against the vector code that gives the same bits, and both against the definition.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "ops/base/isa.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/simd/emitted.h"
#include "tests/tiers/amx_emulator.h"
#include "tiers/emit/amx_code.h"

namespace ember::tiers {
namespace {

using ops::Bf16x3Kernel;

constexpr int64_t kStride = 37;  // of C

struct Panels {
  std::vector<uint32_t> a, b;
  std::vector<float> c;

  Panels(int64_t steps, int terms, const std::function<uint32_t()>& pair)
      : a(static_cast<size_t>(steps * terms * 2 * ops::kBf16TileWords)), b(a.size()), c(32 * kStride) {
    for (auto* panel : {&a, &b})
      for (uint32_t& x : *panel) x = pair();
    for (float& x : c) x = std::bit_cast<float>(pair());
  }
  std::vector<float> run(const Bf16x3Kernel& kernel, int64_t steps, int terms, int64_t rows, int64_t columns,
                         bool accumulate) const {
    std::vector<float> out = c;
    kernel.begin(ops::kBf16Tile);
    kernel.run(terms)(steps, a.data(), b.data(), out.data(), kStride, rows, columns, accumulate);
    kernel.end();
    for (float& x : out) x = std::isnan(x) ? std::numeric_limits<float>::quiet_NaN() : x;
    return out;
  }
};

class SplitCode : public testing::Test {
 protected:
  void SetUp() override {
    code_ = compile_bf16x3_kernel(&kernel_);
    ASSERT_TRUE(code_);
  }
  // Every number of tiles, both starts, on each instruction set of the vector code.
  void compare(int terms, const std::function<uint32_t()>& pair) const {
    const ops::Isa before = ops::isa();
    for (int64_t steps : {1, 2, 5}) {
      const Panels panels(steps, terms, pair);
      for (int64_t rows : {1, 2}) {
        for (int64_t columns : {1, 2}) {
          for (bool accumulate : {false, true}) {
            const std::vector<float> got = panels.run(kernel_, steps, terms, rows, columns, accumulate);
            for (ops::Isa isa : {ops::Isa::Portable, ops::Isa::Avx2, ops::Isa::Avx512}) {
              if (!ops::set_isa(isa)) continue;
              const ops::WithoutEmitted vectors_only;
              const std::vector<float> want = panels.run(ops::bf16x3_kernel(), steps, terms, rows, columns, accumulate);
              ASSERT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(float)), 0)
                  << name(isa) << " terms=" << terms << " steps=" << steps << " rows=" << rows << " columns=" << columns
                  << " accumulate=" << accumulate;
            }
          }
        }
      }
    }
    ops::set_isa(before);
  }

  const ember::amx::AmxEmulator emulator_;
  Bf16x3Kernel kernel_;
  gc::Ref<CodeBlock> code_;
};

TEST_F(SplitCode, EqualsVectorCodeOnOrdinaryNumbers) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (int terms : {1, 3}) {
    compare(terms, [&] {
      return std::bit_cast<uint32_t>(normal(random)) >> 16 | (std::bit_cast<uint32_t>(normal(random)) & 0xFFFF0000);
    });
  }
}

TEST_F(SplitCode, EqualsVectorCodeOnAnyBits) {
  std::mt19937 random(2);
  for (int terms : {1, 3}) compare(terms, [&] { return static_cast<uint32_t>(random()); });
}

TEST_F(SplitCode, EqualsVectorCodeWhereSumsAreSubnormal) {
  std::mt19937 random(3);
  const auto tiny = [&] { return (random() & 0x80FF) | (50 + random() % 20) << 7; };
  for (int terms : {1, 3}) compare(terms, [&] { return static_cast<uint32_t>(tiny() | tiny() << 16); });
}

// Tiles of every height, with rows at a stride.
TEST_F(SplitCode, EqualsVectorCodeOnRowsAsTheyLie) {
  constexpr int64_t kSteps = 3, kRow = 80, kPlane = 40 * kRow + 4 * 64, kAt[kSteps] = {0, 64, 1600};
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  const auto half = [&] { return static_cast<uint16_t>(std::bit_cast<uint32_t>(normal(random)) >> 16); };
  std::vector<uint16_t> planes(3 * kPlane / 2);
  for (uint16_t& x : planes) x = half();
  const Panels panels(kSteps, 3, [&] { return half() | uint32_t{half()} << 16; });
  for (int terms : {1, 3}) {
    for (int64_t height = 1; height <= ops::kBf16Tile; ++height) {
      for (int64_t rows : {1, 2}) {
        for (int64_t columns : {1, 2}) {
          for (int64_t accumulate : {0, 1}) {
            const auto run = [&](const Bf16x3Kernel& kernel) {
              std::vector<float> c = panels.c;
              kernel.begin(height);
              kernel.run_rows(terms)({kSteps,
                                      kAt,
                                      {planes.data(), planes.data() + 3 * kRow / 2},
                                      kRow,
                                      kPlane,
                                      panels.b.data(),
                                      {c.data(), c.data() + height * kStride},
                                      kStride,
                                      rows,
                                      columns,
                                      accumulate},
                                     height);
              kernel.end();
              return c;
            };
            const std::vector<float> got = run(kernel_);
            const ops::WithoutEmitted vectors_only;
            EXPECT_EQ(got, run(ops::bf16x3_kernel()))
                << "terms=" << terms << " height=" << height << " rows=" << rows << " columns=" << columns;
          }
        }
      }
    }
  }
}

TEST_F(SplitCode, ReleasesItsTiles) {
  if (ops::has_amx()) GTEST_SKIP() << "the CPU does it itself";
  kernel_.begin(ops::kBf16Tile);
  EXPECT_EQ(ember::amx::AmxEmulator::configured(), 1);
  kernel_.end();
  EXPECT_EQ(ember::amx::AmxEmulator::configured(), 0);
}

}  // namespace
}  // namespace ember::tiers
