// Products of 8-bit integers against their definition: each kernel that the CPU has, and that of AMX, in the emulator
// where it has none; and whole products on every instruction set.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "ops/base/isa.h"
#include "ops/matmul/int8_gemm.h"
#include "ops/simd/kernels.h"
#include "tests/ops/kernel_test.h"
#include "tests/tiers/amx_emulator.h"

namespace ember::ops {
namespace {

// Half of them are the least and the greatest numbers.
std::vector<uint8_t> random_bytes(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> out(static_cast<size_t>(count));
  for (uint8_t& x : out) {
    constexpr uint8_t kEnds[] = {0, 127, 128, 255};
    const uint32_t bits = static_cast<uint32_t>(random());
    x = bits & 256 ? static_cast<uint8_t>(bits) : kEnds[bits % 4];
  }
  return out;
}

uint32_t product(const Int8Matrix& a, const Int8Matrix& b, int64_t k, int64_t row, int64_t column) {
  const auto number = [](uint8_t byte, bool is_signed) { return is_signed ? static_cast<int8_t>(byte) : byte; };
  uint32_t sum = 0;
  for (int64_t s = 0; s < k; ++s) {
    sum += static_cast<uint32_t>(number(a.data[row * a.row + s * a.col], a.is_signed) *
                                 number(b.data[s * b.row + column * b.col], b.is_signed));
  }
  return sum;
}

struct Named {
  const char* name;
  const Int8Kernels* kernels;
  bool has;
};
const Named kAll[] = {
    {"portable", portable::kKernels.int8, true},
    {"avx2", avx2::kKernels.int8, best_isa() >= Isa::Avx2},
    {"avx512", avx512::kKernels.int8, best_isa() >= Isa::Avx512},
    {"avxvnni", &avxvnni::kInt8Kernels, has_vnni(Isa::Avx2)},
    {"avx512vnni", &avx512vnni::kInt8Kernels, has_vnni(Isa::Avx512)},
    {"amx", &kInt8TileKernels, true},
};

class Int8Tiles : public ::testing::TestWithParam<Named> {
 protected:
  void SetUp() override {
    has_amx();  // asks for permission
    if (!GetParam().has) GTEST_SKIP() << "the CPU has no " << GetParam().name;
  }
  // One panel of B over depth k, its rows or its columns contiguous, or neither, and rows of A beside it.
  void compare(int64_t k, bool a_signed, bool b_signed, int64_t b_row, int64_t b_column) const {
    const Int8Kernels& kernels = *GetParam().kernels;
    const std::vector<uint8_t> left = random_bytes(kernels.rows * k, 1), right = random_bytes(4 * 70 * (k + 1), 2);
    const int64_t stride = kernels.padded(k) * kernels.a.element + 64;
    std::vector<uint8_t> rows = random_bytes(kernels.rows * stride, 3);
    const Int8Matrix a{left.data(), a_signed, k, 1}, b{right.data(), b_signed, b_row, b_column};
    for (int64_t i = 0; i < kernels.rows; ++i)
      kernels.a.fill(a_signed, b_signed, a.data + i * k, 1, k, rows.data() + i * stride);
    for (int64_t columns : {int64_t{1}, kernels.columns / 2, kernels.columns / 2 + 1, kernels.columns}) {
      std::vector<uint8_t> panel = random_bytes(kernels.panel_bytes(k), 4);
      if (b_column == 1) {
        kernels.pack(b_signed, b.data, b_row, k, columns, panel.data());
      } else {
        kernels.pack_columns(b_signed, b.data, b_row, b_column, k, columns, panel.data());
      }
      const int64_t all = kernels.rows;
      for (int64_t m : {int64_t{1}, all / 4, all / 4 + 1, all / 2, all / 2 + 1, all - 1, all}) {
        for (bool accumulate : {false, true}) {
          SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(columns) + "x" + std::to_string(k) +
                       (a_signed ? " signed" : " unsigned") + (b_signed ? " signed" : " unsigned") +
                       (accumulate ? " accumulated" : ""));
          run({kernels.padded(k), rows.data(), stride, a_signed, panel.data(), b_signed, nullptr, kernels.columns + 3,
               m, columns, accumulate},
              a, b, k);
        }
      }
    }
  }

 private:
  // Nothing around the tile is touched.
  static void run(Int8Tile tile, const Int8Matrix& a, const Int8Matrix& b, int64_t k) {
    const Int8Kernels& kernels = *GetParam().kernels;
    std::vector<uint32_t> c(static_cast<size_t>((kernels.rows + 1) * tile.c_row));
    std::mt19937 random(5);
    for (uint32_t& x : c) x = static_cast<uint32_t>(random());
    std::vector<uint32_t> want = c;
    for (int64_t i = 0; i < tile.rows; ++i) {
      for (int64_t j = 0; j < tile.columns; ++j) {
        uint32_t& at = want[static_cast<size_t>(i * tile.c_row + j)];
        at = (tile.accumulate ? at : 0) + product(a, b, k, i, j);
      }
    }
    tile.c = reinterpret_cast<int32_t*>(c.data());
    kernels.begin();
    kernels.tile(tile);
    kernels.end();
    ASSERT_EQ(c, want);
  }

  const amx::AmxEmulator emulator_;
};

TEST_P(Int8Tiles, EqualTheDefinition) {
  for (int64_t k : {1, 2, 3, 4, 17, 64, 65, 130}) {
    for (bool a_signed : {false, true}) {
      for (bool b_signed : {false, true}) {
        ASSERT_NO_FATAL_FAILURE(compare(k, a_signed, b_signed, 70, 1));
        ASSERT_NO_FATAL_FAILURE(compare(k, a_signed, b_signed, 1, k));
        ASSERT_NO_FATAL_FAILURE(compare(k, a_signed, b_signed, 2, 2 * k + 1));
      }
    }
  }
}

TEST_P(Int8Tiles, PackPanelAfterPanel) {
  const Int8Kernels& kernels = *GetParam().kernels;
  const int64_t k = 37, columns = 2 * kernels.columns + 5, panel = kernels.panel_bytes(k);
  const std::vector<uint8_t> b = random_bytes(k * columns, 6);
  for (bool b_signed : {false, true}) {
    std::vector<uint8_t> all(static_cast<size_t>(3 * panel)), one(static_cast<size_t>(panel));
    kernels.pack(b_signed, b.data(), columns, k, columns, all.data());
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t first = i * kernels.columns;
      kernels.pack_columns(b_signed, b.data() + first, columns, 1, k, std::min(kernels.columns, columns - first),
                           one.data());
      ASSERT_TRUE(std::equal(one.begin(), one.end(), all.begin() + i * panel)) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Int8Tiles, ::testing::ValuesIn(kAll), [](const auto& info) { return info.param.name; });

// Of more than a block each way but in k, and of few rows; operands of every layout.
TEST(Int8Gemm, EqualsTheDefinition) {
  struct Size {
    int64_t m, n, k;
  };
  const auto check = [](const Size& size, bool a_signed, bool b_signed, int layout) {
    const auto [m, n, k] = size;
    const std::vector<uint8_t> x = random_bytes(2 * m * k, 7), y = random_bytes(2 * n * k, 8);
    const Int8Matrix a{x.data(), a_signed, layout == 2 ? 2 : k, layout == 2 ? 2 * m : 1};
    const Int8Matrix b{y.data(), b_signed, layout == 0 ? n : layout, layout == 0 ? 1 : layout * k};
    std::vector<int32_t> c(static_cast<size_t>(m * n), 7);
    run_int8_gemm({m, n, k, a, b, c.data()});
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j)
        ASSERT_EQ(static_cast<uint32_t>(c[static_cast<size_t>(i * n + j)]), product(a, b, k, i, j)) << i << " " << j;
    }
  };
  testing::for_each_isa_and_thread_count([&] {
    for (const Size& size : {Size{1, 37, 19}, {3, 100, 530}, {5, 70, 300}, {13, 33, 515}, {50, 90, 1030}, {90, 1, 7}}) {
      for (int of = 0; of < 12; ++of) {
        SCOPED_TRACE(std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k) + ", " +
                     std::to_string(of));
        ASSERT_NO_FATAL_FAILURE(check(size, of % 2 == 0, of / 2 % 2 == 0, of / 4));
      }
    }
  });
}

}  // namespace
}  // namespace ember::ops
