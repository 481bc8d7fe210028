// Each pass but dce, text in and text out.
#include <gtest/gtest.h>

#include "ops/table/builder.h"
#include "tests/bytecode/pass_text.h"

namespace ember::bytecode {
namespace {

// Composed ops: twice the square, and an assignment of it.
struct TwiceSquare {
  static constexpr const char* name = "test_twice_square";
  static constexpr const char* primitive = "TestTwiceSquare";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr ops::Flags flags = ops::Flag::Pure;
  static constexpr const char* doc = "2 * input * input";
  static constexpr const char* numpy = "2 * input * input";
  static ops::Values compose(ops::Builder& b, std::span<const ops::Value> in, const ops::Attrs&) {
    const ops::Value product = b.mul(in[0], in[0]);
    return {b.add(product, product)};
  }
  static std::vector<ops::Sample> samples() { return {}; }
};
EMBER_OP(TwiceSquare);

struct AddTwiceSquare {
  static constexpr const char* name = "test_add_twice_square";
  static constexpr const char* primitive = "TestAddTwiceSquare";
  static constexpr const char* signature = "variable: ref, input: tensor -> tensor";
  static constexpr ops::Flags flags = ops::Flag::Memory;
  static constexpr const char* doc = "variable += 2 * input * input";
  static constexpr const char* numpy = "variable + 2 * input * input";
  static ops::Values compose(ops::Builder& b, std::span<const ops::Value> in, const ops::Attrs&) {
    return {b.call("assign", {in[0], b.add(in[0], b.call("test_twice_square", {in[1]}))})};
  }
  static std::vector<ops::Sample> samples() { return {}; }
};
EMBER_OP(AddTwiceSquare);

TEST(Cse, SharesEqualNodesAndConstants) {
  EXPECT_EQ(after(cse, R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Add(%x, %y)
  %1 = Add(%y, %x)
  %2 = Sub(%x, %y)
  %3 = Sub(%y, %x)
  %4 = Mul(%0, 2)
  %5 = Mul(%1, 2)
  %6 = Mul(%1, 2.0)
  Return(%2, %3, %4, %5, %6)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Add(%x, %y)
  %1 = Sub(%x, %y)
  %2 = Sub(%y, %x)
  %3 = Mul(%0, 2)
  %4 = Mul(%0, 2.0)
  Return(%1, %2, %3, %3, %4)
})"));
}

TEST(Cse, TellsZerosApart) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Add(%x, 0.0)
  %1 = Add(%x, -0.0)
  Return(%0, %1)
})";
  EXPECT_EQ(after(cse, text), same(text));
}

TEST(Cse, SharesLoadsOnlyUpToTheNextWrite) {
  EXPECT_EQ(after(cse, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Load(%w, %1)
  %3 = UpdateState(%1, %2)
  %4 = Assign(%w, %x, %3)
  %5 = UpdateState(%3, %4)
  %6 = Load(%w, %5)
  %7 = Add(%0, %2)
  Return(%7, %6)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = UpdateState(%1, %0)
  %3 = Assign(%w, %x, %2)
  %4 = UpdateState(%2, %3)
  %5 = Load(%w, %4)
  %6 = Add(%0, %0)
  Return(%6, %5)
})"));
}

TEST(Inline, ReplacesCalls) {
  EXPECT_EQ(after(inline_calls, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Neg(%x)
  %1, %2 = Call(%0, %x, graph=@callee)
  %3, %4 = Call(%1, %2, graph=@callee)
  Return(%3, %4)
}
subgraph @callee(%a: Tensor[Float32](2,), %b: Tensor[Float32](2,)) {
  %0 = Sub(%a, %b)
  Return(%0, %a)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Neg(%x)
  %1 = Sub(%0, %x)
  %2 = Sub(%1, %0)
  Return(%2, %1)
})"));
}

TEST(Inline, KeepsSharedAndRecursiveGraphs) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  %0 = Call(%x, graph=@shared) : Tensor[Float32](2,)
  %1 = Call(%0, %n, graph=@recursive) : Tensor[Float32](2,)
  Return(%1)
}
shared subgraph @shared(%x: Tensor[Float32](2,)) {
  %0 = Neg(%x)
  Return(%0)
}
subgraph @recursive(%x: Tensor[Float32](2,), %n: Int) {
  %0 = Less(0, %n)
  %1 = If(%0, %x, %n, then=@more, else=@done) : Tensor[Float32](2,)
  Return(%1)
}
subgraph @more(%x: Tensor[Float32](2,), %n: Int) {
  %0 = Sub(%n, 1)
  %1 = Call(%x, %0, graph=@recursive) : Tensor[Float32](2,)
  %2 = Neg(%1)
  Return(%2)
}
subgraph @done(%x: Tensor[Float32](2,), %n: Int) {
  Return(%x)
})";
  EXPECT_EQ(after(inline_calls, text), same(text));
}

TEST(Inline, TakesTheBranchOfAConstantCondition) {
  EXPECT_EQ(after(inline_calls, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = If(False, %x, then=@yes, else=@no)
  Return(%0)
}
subgraph @yes(%x: Tensor[Float32](2,)) {
  %0 = Neg(%x)
  Return(%0)
}
subgraph @no(%x: Tensor[Float32](2,)) {
  %0 = Exp(%x)
  Return(%0)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Exp(%x)
  Return(%0)
})"));
}

TEST(Inline, SkipsAWhileThatNeverRuns) {
  EXPECT_EQ(after(inline_calls, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = While(%x, condition=@c, body=@b)
  Return(%0)
}
subgraph @c(%x: Tensor[Float32](2,)) {
  Return(False)
}
subgraph @b(%x: Tensor[Float32](2,)) {
  %0 = Exp(%x)
  Return(%0)
})"),
            same("subgraph @f(%x: Tensor[Float32](2,)) { Return(%x) }"));
}

TEST(Inline, KeepsAConditionThatMayRaise) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2,), %i: Tensor[Int32](4,)) {
  %0 = While(%x, %i, condition=@c, body=@b)
  Return(%0)
}
subgraph @c(%x: Tensor[Float32](2,), %i: Tensor[Int32](4,)) {
  %0 = Gather(%x, %i, axis=0, batch_dims=0)
  Return(False)
}
subgraph @b(%x: Tensor[Float32](2,), %i: Tensor[Int32](4,)) {
  Return(%x)
})";
  EXPECT_EQ(after(inline_calls, text), same(text));
}

TEST(Inline, PassesTheTokenThrough) {
  EXPECT_EQ(after(inline_calls, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Call(%w, %x, U, graph=@set)
  %1 = Load(%w, %0)
  Return(%1)
}
subgraph @set(%w: Ref[Float32](2,), %x: Tensor[Float32](2,), %u: Token) {
  %0 = Assign(%w, %x, %u)
  %1 = UpdateState(%u, %0)
  Return(%1)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Assign(%w, %x, U)
  %1 = UpdateState(U, %0)
  %2 = Load(%w, %1)
  Return(%2)
})"));
}

TEST(Fold, ComputesConstants) {
  EXPECT_EQ(after(fold, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Add(1, 2)
  %1 = Add(Tensor(shape=[2], dtype=Float32, value=[1, 2]), 0.5)
  %2 = Mul(%1, %0)
  %3 = Item(Tensor(shape=[], dtype=Int32, value=7))
  %4 = ToTensor(%3) : Tensor[Float32]()
  %5 = Add(%x, %4)
  %6 = Size(5)
  Return(%2, %5, %3, %6)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Add(%x, Tensor(shape=[], dtype=Float32, value=7))
  Return(Tensor(shape=[2], dtype=Float32, value=[4.5, 7.5]), %0, 7, 5)
})"));
}

TEST(Fold, LeavesLargeResults) {
  const std::string text = R"(
subgraph @f() {
  %0 = BroadcastTo(Tensor(shape=[], dtype=Float32, value=1), shape=(1000, 1000))
  Return(%0)
})";
  EXPECT_EQ(after(fold, text), same(text));
}

TEST(Simplify, KeepsOnlyRulesThatKeepBits) {
  EXPECT_EQ(after(simplify, R"(
subgraph @f(%x: Tensor[Float32](2, 3), %n: Tensor[Int32](2,)) {
  %0 = Mul(%x, 1)
  %1 = Sub(%x, 0.0)
  %2 = Add(%x, -0.0)
  %3 = Add(%x, 0.0)
  %4 = Sub(%x, -0.0)
  %5 = Add(%n, 0)
  %6 = Mul(%n, 1.0)
  %7 = Neg(%x)
  %8 = Neg(%7)
  %9 = Mul(%x, Tensor(shape=[4, 1, 1], dtype=Float32, value=[1, 1, 1, 1]))
  %10 = Exp(%0)
  %11 = Sin(%1)
  %12 = Cos(%2)
  %13 = Neg(%5)
  %14 = Tanh(%8)
  Return(%10, %11, %12, %3, %4, %13, %6, %14, %9)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2, 3), %n: Tensor[Int32](2,)) {
  %0 = Add(%x, 0.0)
  %1 = Sub(%x, -0.0)
  %2 = Mul(%n, 1.0)
  %3 = Mul(%x, Tensor(shape=[4, 1, 1], dtype=Float32, value=[1, 1, 1, 1]))
  %4 = Exp(%x)
  %5 = Sin(%x)
  %6 = Cos(%x)
  %7 = Neg(%n)
  %8 = Tanh(%x)
  Return(%4, %5, %6, %0, %1, %7, %2, %8, %3)
})"));
}

TEST(Simplify, KeepsArithmeticThatIsGivenBack) {
  const char* text = R"(
subgraph @f(%x: Tensor[Float32](2, 3)) {
  %0 = Mul(%x, 1)
  %1 = Reshape(%x, shape=(6,))
  %2 = Pow(%1, 1)
  Return(%0, %2)
})";
  EXPECT_EQ(after(simplify, text), same(text));
}

TEST(Simplify, MakesPowersProducts) {
  EXPECT_EQ(after(simplify, R"(
subgraph @f(%x: Tensor[Float32](2, 3), %n: Tensor[Int32](2,), %h: Tensor[Float16](2,)) {
  %0 = Pow(%x, 1)
  %1 = Pow(%0, 2)
  %2 = Pow(%1, 3.0)
  %3 = Pow(%x, -1)
  %4 = Pow(%x, 0.5)
  %5 = Pow(%n, 2)
  %6 = Pow(%n, -1)
  %7 = Pow(%n, 2.0)
  %8 = Pow(%h, 3)
  Return(%2, %3, %4, %5, %6, %7, %8)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2, 3), %n: Tensor[Int32](2,), %h: Tensor[Float16](2,)) {
  %0 = Mul(%x, %x)
  %1 = Mul(%0, %0)
  %2 = Mul(%1, %0)
  %3 = Reciprocal(%x)
  %4 = Pow(%x, 0.5)
  %5 = Mul(%n, %n)
  %6 = Pow(%n, -1)
  %7 = Pow(%n, 2.0)
  %8 = Pow(%h, 3)
  Return(%2, %3, %4, %5, %6, %7, %8)
})"));
}

TEST(Simplify, JoinsViews) {
  EXPECT_EQ(after(simplify, R"(
symbols s0=5
subgraph @f(%x: Tensor[Float32](s0, 2, 3)) {
  %0 = Reshape(%x, shape=(s0, 6))
  %1 = Reshape(%0, shape=(s0, 2, 3))
  %2 = Transpose(%x, dims=(2, 0, 1))
  %3 = Transpose(%2, dims=(1, 2, 0))
  %4 = BroadcastTo(%x, shape=(s0, 2, 3))
  %5 = Transpose(%2, dims=(0, 2, 1))
  Return(%1, %3, %4, %5)
})"),
            same(R"(
symbols s0=5
subgraph @f(%x: Tensor[Float32](s0, 2, 3)) {
  %0 = Transpose(%x, dims=(2, 1, 0))
  Return(%x, %x, %x, %0)
})"));
}

TEST(Simplify, StatesTheGuardsOfJoinedReshapes) {
  EXPECT_EQ(after(simplify, R"(
symbols s0=7, s1=33, d0=(s0 * s1)
subgraph @f(%x: Tensor[Float32](s0, s1)) {
  %0 = Reshape(%x, shape=(-1,))
  %1 = Reshape(%0, shape=((s0 * s1),))
  Return(%1)
})"),
            same(R"(
symbols s0=7, s1=33, d0=(s0 * s1)
guard (s0 * s1) >= 0
subgraph @f(%x: Tensor[Float32](s0, s1)) {
  %0 = Reshape(%x, shape=((s0 * s1),))
  Return(%0)
})"));
}

TEST(Simplify, DropsDependsOnNothing) {
  EXPECT_EQ(after(simplify, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Neg(%x)
  %3 = Depend(%0, %2, %1)
  Return(%3)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  Return(%0)
})"));
}

TEST(Simplify, MatchesPushAndPop) {
  EXPECT_EQ(after(simplify, R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  %0 = Stack()
  %1 = Push(%0, %x, %n)
  %2 = NonEmpty(%1)
  %3, %4, %5 = Pop(%1) : Stack, Tensor[Float32](2,), Int
  %6 = NonEmpty(%3)
  Return(%2, %4, %5, %6)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  Return(True, %x, %n, False)
})"));
}

TEST(ExpandComposed, RecordsThePartsInPlace) {
  EXPECT_EQ(after(expand_composed, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = TestTwiceSquare(%x)
  %1 = TestTwiceSquare(%0)
  Return(%1)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Mul(%x, %x)
  %1 = Add(%0, %0)
  %2 = Mul(%1, %1)
  %3 = Add(%2, %2)
  Return(%3)
})"));
}

TEST(ExpandComposed, PartsGoByTheNameOfTheCall) {
  EXPECT_EQ(after(expand_composed, R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = TestTwiceSquare(%x)   # user.py:3
  %1 = TestTwiceSquare(%0)   # user.py:4 as Layer
  Return(%1)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Mul(%x, %x)   # user.py:3 as test_twice_square
  %1 = Add(%0, %0)   # user.py:3 as test_twice_square
  %2 = Mul(%1, %1)   # user.py:4 as Layer
  %3 = Add(%2, %2)   # user.py:4 as Layer
  Return(%3)
})"));
}

TEST(ExpandComposed, HandsTheTokenOn) {
  EXPECT_EQ(after(expand_composed, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = TestAddTwiceSquare(%w, %x, U)
  %1 = UpdateState(U, %0)
  %2 = Assign(%w, %x, %1)
  %3 = UpdateState(%1, %2)
  %4 = Depend(%x, %3)
  Return(%4)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Mul(%x, %x)
  %1 = Add(%0, %0)
  %2 = Load(%w, U)
  %3 = UpdateState(U, %2)
  %4 = Add(%2, %1)
  %5 = Assign(%w, %4, %3)
  %6 = UpdateState(%3, %5)
  %7 = Assign(%w, %x, %6)
  %8 = UpdateState(%6, %7)
  %9 = Depend(%x, %8)
  Return(%9)
})"));
}

}  // namespace
}  // namespace ember::bytecode
