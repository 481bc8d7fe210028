// Guards: what they hold, and that programs give the same bits where they pass nodes over.
#include "ops/expr/predication.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ops/program/program.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {
namespace {

Ex chain(Ex x, double factor, int steps) {
  Ex value = x;
  for (int i = 0; i < steps; ++i) value = fma(value, x, x.constant(factor + i));
  return value;
}

// Long chains on both sides of 0, of which the one above is shared with a chain within the other.
Expr two_sided(int steps) {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), shared = x * x;
  const Ex far = select(lt(x, x.constant(-2)), chain(shared, 0.5, steps), chain(shared, 0.25, steps));
  const Ex value = select(lt(x, x.constant(0)), far * shared, chain(shared, 0.125, steps));
  return b.finish({value + shared});
}

TEST(Guards, HoldWhatOneSideOfASelectionAloneNeeds) {
  const PredicatedExpr predicated = predicate(two_sided(30));
  std::string why;
  EXPECT_TRUE(well_formed(predicated.expr, &why)) << why;
  ASSERT_EQ(predicated.regions.size(), 4u);
  for (const PredicatedRegion& g : predicated.regions) {
    EXPECT_GE(g.end - g.begin, 30);
    for (size_t i = 0; i < predicated.expr.nodes.size(); ++i) {
      const ExprNode& user = predicated.expr.nodes[i];
      for (int k = 0; k < info(user.verb).operands; ++k) {
        const NodeId arg = user.args[static_cast<size_t>(k)];
        const bool within = arg >= g.begin && arg < g.end && info(predicated.expr.nodes[arg].verb).operands > 0;
        if (!within || (i >= g.begin && i < g.end)) continue;
        EXPECT_EQ(user.verb, Verb::Select);
        EXPECT_EQ(user.args[0], g.conditions[0]);
        EXPECT_EQ(k, g.when ? 1 : 2);
      }
    }
  }
}

TEST(Guards, HoldNothingShortNorWhatIsChosenAgainstAConstant) {
  EXPECT_TRUE(predicate(two_sided(3)).regions.empty());
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32);
  EXPECT_TRUE(predicate(b.finish({select(lt(x, x.constant(0)), x.constant(0), chain(x, 1, 60))})).regions.empty());
}

TEST(Guards, LeaveTheBits) {
  constexpr int64_t kCount = 5000;
  const Expr expr = two_sided(30);
  const gc::Ref<const Program> program = Program::of(expr);
  for (const double low : {-3.0, -1.0, 0.5}) {
    for (const double step : {0.0, 0.001}) {
      Tensor in = Tensor::empty(DType::Float32, {kCount}), got = Tensor::empty(DType::Float32, {kCount});
      Tensor want = Tensor::empty(DType::Float32, {kCount});
      for (int64_t i = 0; i < kCount; ++i)
        in.data_as<float>()[i] = static_cast<float>(low + step * static_cast<double>(i));
      const View read{in.data(), &in.layout()}, written{got.data(), &got.layout()},
          expected{want.data(), &want.layout()};
      program->run({&read, 1}, {&written, 1});
      run_expression_reference(expr, {&read, 1}, {&expected, 1});
      EXPECT_EQ(std::memcmp(got.data(), want.data(), kCount * sizeof(float)), 0) << low << ' ' << step;
    }
  }
}

}  // namespace
}  // namespace ember::ops
