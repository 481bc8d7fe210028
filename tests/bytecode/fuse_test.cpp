// What fuses with what, and that a fused graph is the same computation in the right order.
#include <gtest/gtest.h>

#include <chrono>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"

namespace ember::bytecode {
namespace {

std::string fused(const std::string& text) {
  Module m = parse(text);
  const ops::SymbolScope scope(&m.symbols);
  fuse(m);
  verify(m);
  return print(m);
}
std::string same(const std::string& text) { return print(parse(text)); }

size_t count(const std::string& text, std::string_view part) {
  size_t occurrences = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++occurrences;
  return occurrences;
}

TEST(Fuse, JoinsAChainWithBroadcastOperands) {
  EXPECT_EQ(fused(R"(
subgraph @f(%x: Tensor[Float32](4, 3), %b: Tensor[Float32](3,), %s: Float) {
  %0 = Mul(%x, %s)
  %1 = Add(%0, %b)
  %2 = Neg(%1)
  Return(%2)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](4, 3), %b: Tensor[Float32](3,), %s: Float) {
  %0 = Fused(%x, %s, %b, expr={v0 = Input.Float32 0; v1 = Input.Float64 1; v2 = Convert.Float32 v1; v3 = Mul.Float32 v0 v2; v4 = Input.Float32 2; v5 = Add.Float32 v3 v4; v6 = Neg.Float32 v5; return v6}) : Tensor[Float32](4, 3)
  Return(%0)
})"));
}

TEST(Fuse, JoinsDimsThatAGuardHoldsEqual) {
  Module m = parse(R"(
symbols s0=4
subgraph @f(%x: Tensor[Float32](s0,), %y: Tensor[Float32](4,)) {
  %0 = Neg(%x)
  %1 = Add(%0, %y)
  Return(%1)
})");
  ASSERT_FALSE(m.symbols.guards().empty());
  const ops::SymbolScope scope(&m.symbols);
  fuse(m);
  verify(m);
  EXPECT_EQ(count(print(m), "Fused("), 1u) << print(m);
  EXPECT_EQ(count(print(m), "Neg(") + count(print(m), "Add("), 0u) << print(m);
}

TEST(Fuse, ReturnsIntermediatesThatOthersUse) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float32](4, 4)) {
  %0 = Neg(%x)
  %1 = Exp(%0)
  %2 = MatMul(%0, %1)
  Return(%2, %1)
})");
  EXPECT_NE(text.find("%0, %1 = Fused(%para1_x"), std::string::npos) << text;
  EXPECT_NE(text.find("MatMul(%0, %1,"), std::string::npos) << text;
}

TEST(Fuse, LeavesOtherShapesAlone) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](4, 3), %b: Tensor[Float32](3,)) {
  %0 = Neg(%b)
  %1 = Add(%x, %0)
  Return(%1)
})";
  EXPECT_EQ(fused(text), same(text));
}

TEST(Fuse, LeavesNumbersAlone) {
  const std::string text = R"(
subgraph @f(%a: Int, %b: Int) {
  %0 = Add(%a, %b)
  %1 = Mul(%0, %b)
  Return(%1)
})";
  EXPECT_EQ(fused(text), same(text));
}

// %0 and %3 would fuse if %2 came first: then another index would be the first that is wrong.
TEST(Fuse, KeepsErrorsInOrder) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float32](4, 4), %i: Tensor[Int32](4,), %j: Tensor[Int32](4,)) {
  %0 = Neg(%x)
  %1 = Gather(%x, %i, axis=0, batch_dims=0)
  %2 = Gather(%x, %j, axis=0, batch_dims=0)
  %3 = Add(%0, %2)
  Return(%3, %1)
})");
  EXPECT_LT(text.find("Gather(%para1_x, %para2_i"), text.find("Gather(%para1_x, %para3_j")) << text;
  EXPECT_EQ(count(text, "Fused("), 1) << text;
}

TEST(Fuse, KeepsErrorsAfterOutput) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float32](4, 4), %i: Tensor[Int32](4,)) {
  %0 = Neg(%x)
  Print(%x, U, text="{}")
  %1 = Gather(%x, %i, axis=0, batch_dims=0)
  %2 = Add(%0, %1)
  Return(%2)
})");
  EXPECT_LT(text.find("Print("), text.find("Gather(")) << text;
}

// %0 may not fuse with %2: the product between them needs %0 and gives %2.
TEST(Fuse, MakesNoCycle) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](4, 4)) {
  %0 = Neg(%x)
  %1 = MatMul(%0, %0)
  %2 = Add(%1, %0)
  Return(%2)
})";
  EXPECT_EQ(fused(text), same(text));
}

TEST(Fuse, LiftsAGroupOverAnIndependentProduct) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float32](4, 4)) {
  %0 = Neg(%x)
  %1 = MatMul(%x, %x)
  %2 = MatMul(%1, %1)
  %3 = Add(%2, %0)
  Return(%3)
})");
  EXPECT_EQ(count(text, "Fused("), 1u) << text;
  EXPECT_LT(text.find("MatMul(%0, %0,"), text.find("Fused(")) << text;
}

TEST(Fuse, JoinsGroupsThatOneNodeReads) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float32](4,), %y: Tensor[Float32](4,)) {
  %0 = Neg(%x)
  %1 = Exp(%0)
  %2 = Neg(%y)
  %3 = Mul(%1, %2)
  Return(%3)
})");
  EXPECT_EQ(count(text, "Fused("), 1u) << text;
  EXPECT_EQ(count(text, "Neg("), 0u) << text;
}

TEST(Fuse, RoundsHalvesBetweenOps) {
  const std::string text = fused(R"(
subgraph @f(%x: Tensor[Float16](4,)) {
  %0 = Mul(%x, %x)
  %1 = Add(%0, %x)
  Return(%1)
})");
  EXPECT_EQ(count(text, "Convert.Float16"), 2u) << text;
}

TEST(Fuse, FeedsAReduction) {
  EXPECT_EQ(fused(R"(
subgraph @f(%x: Tensor[Float32](4, 3)) {
  %0 = Mul(%x, %x)
  %1 = ReduceSum(%0, axis=(1,))
  Return(%1)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](4, 3)) {
  %0 = FusedReduce(%x, reduce=ReduceSum, axis=(1,), expr={v0 = Input.Float32 0; v1 = Mul.Float32 v0 v0; return v1}) : Tensor[Float32](4,)
  Return(%0)
})"));
}

TEST(Fuse, LeavesAReductionOfAValueWithOtherUsers) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](4, 3)) {
  %0 = Mul(%x, %x)
  %1 = ReduceSum(%0, axis=(1,))
  Return(%1, %0)
})";
  EXPECT_EQ(fused(text), same(text));
}

// The negation reads memory that the write changes, so it may not move behind it.
TEST(Fuse, CrossesNoWrite) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](4,), %w: Ref[Float32](4,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Neg(%0)
  %3 = Assign(%w, %x, %1)
  %4 = UpdateState(%1, %3)
  %5 = Add(%2, %x)
  %6 = Depend(%5, %4)
  Return(%6)
})";
  EXPECT_EQ(fused(text), same(text));
}

TEST(Fuse, SplitsAtTheCap) {
  std::string text = "subgraph @f(%x: Tensor[Float32](4,)) {\n";
  for (int i = 0; i < 600; ++i)
    text += "%" + std::to_string(i) + " = Neg(" + (i ? "%" + std::to_string(i - 1) : "%x") + ")\n";
  const std::string out = fused(text + "Return(%599) }");
  EXPECT_GE(count(out, "Fused("), 3u);
  EXPECT_EQ(count(out, "Neg.Float32"), 600u);
}

TEST(Passes, HandleTwentyThousandNodesQuickly) {
  Module m;
  GraphBuilder b(m, m.add_graph("f"));
  const Type type = Type::tensor(ops::DType::Float32, {16, 16});
  const ops::Value x = b.param("x", type);
  std::vector<ops::Value> live = {x, b.neg(x), b.exp(x)};
  for (int i = 0; i < 20000; ++i) {
    const ops::Value& a = live[live.size() - 1 - static_cast<size_t>(i % 3)];
    const ops::Value& c = live[live.size() - 1 - static_cast<size_t>(i * 7 % 23) % live.size()];
    live.push_back(i % 10 == 9 ? b.call("matmul", {a, c}) : i % 2 ? b.add(a, c) : b.mul(a, c));
  }
  b.finish(std::vector<ops::Value>{live.back()});
  const auto start = std::chrono::steady_clock::now();
  optimise(m);
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  verify(m);
  EXPECT_LT(duration.count(), 60.0);
}

}  // namespace
}  // namespace ember::bytecode
