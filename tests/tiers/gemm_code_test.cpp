// The micro-kernel, emitted and compiled, against sequential FMA per element: every number of rows and columns, both
// starts, single items and batches, A by rows and by panels.
#include "tiers/emit/gemm_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "ops/base/isa.h"
#include "ops/simd/emitted.h"

namespace ember::tiers {
namespace {

constexpr int64_t kStride = 40;

// Layouts of a tile's operands: A in panels or in rows, items consecutive, or backwards with gaps.
struct Form {
  const char* name;
  bool rows;
  int64_t gap;
};
constexpr Form kForms[] = {
    {"panels", false, 0}, {"rows", true, 0}, {"rows with gaps", true, 5}, {"panels with gaps", false, 3}};

struct Operands {
  std::vector<ops::TileItem> items;
  std::vector<float> a, b, c;
  ops::Tile<float> tile;

  Operands(const ops::GemmKernel& kernel, const Form& form, int64_t batch, int64_t depth) {
    const int64_t a_row = form.rows ? batch * depth + form.gap : 1, a_step = form.rows ? 1 : kernel.mr;
    const int64_t a_item = depth * a_step, b_step = kernel.nr + form.gap, b_item = depth * b_step + form.gap;
    a.resize(static_cast<size_t>((batch * depth + form.gap + 1) * kernel.mr));
    b.resize(static_cast<size_t>(batch * b_item + kernel.nr));
    c.resize(static_cast<size_t>(kernel.mr * kStride));
    std::mt19937 random(static_cast<uint32_t>(batch * 1000 + depth));
    std::normal_distribution<float> normal;
    for (auto* part : {&a, &b, &c})
      for (float& x : *part) x = normal(random);
    a[0] = INFINITY;
    for (int64_t i = 0; i < batch; ++i) {
      const int64_t place = form.gap > 0 ? batch - 1 - i : i;
      items.push_back({place * a_item, place * b_item});
    }
    tile = {batch, depth, items.data(), a.data(), a_row, a_step, b.data(), b_step, c.data(), kStride, 0, 0, false};
  }

  float sequential_fma(int64_t i, int64_t j) const {
    float sum = tile.accumulate ? c[static_cast<size_t>(i * kStride + j)] : 0;
    for (const ops::TileItem& item : items) {
      for (int64_t s = 0; s < tile.depth; ++s) {
        sum = std::fma(tile.a[item.a + i * tile.a_row + s * tile.a_step], tile.b[item.b + s * tile.b_step + j], sum);
      }
    }
    return sum;
  }
};

void check(const ops::GemmKernel& kernel, const Form& form, int64_t batch, int64_t depth, int64_t rows, int64_t columns,
           bool accumulate, const float* next = nullptr) {
  Operands operands(kernel, form, batch, depth);
  operands.tile.next = next;
  operands.tile.rows = rows;
  operands.tile.columns = columns;
  operands.tile.accumulate = accumulate;
  std::vector<float> want = operands.c;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) want[static_cast<size_t>(i * kStride + j)] = operands.sequential_fma(i, j);
  kernel.run(operands.tile);
  ASSERT_EQ(std::memcmp(operands.c.data(), want.data(), want.size() * sizeof(float)), 0)
      << form.name << " batch=" << batch << " depth=" << depth << " rows=" << rows << " columns=" << columns
      << " accumulate=" << accumulate;
}

// Where nothing may be touched.
const float* const kNext = reinterpret_cast<const float*>(4096);

void check_all(const ops::GemmKernel& kernel) {
  for (const Form& form : kForms) {
    for (int64_t rows = 1; rows <= kernel.mr; ++rows) {
      for (int64_t columns = 1; columns <= kernel.nr; ++columns) {
        for (bool accumulate : {false, true}) {
          for (int64_t depth : {1, 3, 4, 9}) check(kernel, form, 1, depth, rows, columns, accumulate);
          check(kernel, form, 3, 5, rows, columns, accumulate);
        }
      }
    }
    check(kernel, form, 1, 300, kernel.mr, kernel.nr, true);
    check(kernel, form, 9, 64, kernel.mr, kernel.nr, false);
    check(kernel, form, 0, 5, kernel.mr, kernel.nr, false);
    for (int64_t rows = 1; rows <= kernel.mr; ++rows) {
      for (int64_t depth : {4 * rows - 1, 4 * rows, 4 * rows + 1, 4 * rows + 7}) {
        for (int64_t batch : {1, 3}) check(kernel, form, batch, depth, rows, kernel.nr, true, kNext);
      }
    }
  }
}

class GemmCode : public testing::TestWithParam<ops::Isa> {};

TEST_P(GemmCode, IsOneChainPerElementAndTouchesNothingElse) {
  ops::Isa before = ops::isa();
  if (!ops::set_isa(GetParam())) GTEST_SKIP() << "the CPU lacks " << name(GetParam());
  ops::GemmKernel kernel;
  gc::Ref<CodeBlock> code = compile_gemm_kernel(&kernel);
  ASSERT_TRUE(code);
  check_all(kernel);
  ops::WithoutEmitted none;
  check_all(ops::gemm_kernel());
  ops::set_isa(before);
}

INSTANTIATE_TEST_SUITE_P(Isas, GemmCode, testing::Values(ops::Isa::Avx2, ops::Isa::Avx512),
                         [](const auto& isa) { return std::string(ops::name(isa.param)); });

}  // namespace
}  // namespace ember::tiers
