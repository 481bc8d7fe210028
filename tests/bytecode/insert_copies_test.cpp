// Which loaded values are copied because a write may follow, by level.
#include <gtest/gtest.h>

#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"

namespace ember::bytecode {
namespace {

size_t moves(const Module& m) {
  size_t count = 0;
  for (const Graph& graph : m.graphs)
    for (const Node& node : graph.nodes) count += node.kind == NodeKind::TensorMove;
  return count;
}

std::string ordered(int level, const std::string& text, size_t* count = nullptr) {
  const int before = load_elimination();
  set_load_elimination(level);
  Module m = parse(text);
  insert_copies(m);
  set_load_elimination(before);
  verify(m);
  if (count) *count = moves(m);
  return print(m);
}

size_t moves_at(int level, const std::string& text) {
  size_t count = 0;
  ordered(level, text, &count);
  return count;
}

// The example of MindSpore's guide, where levels 0, 1 and 2 agree.
constexpr const char* kSeed = R"(
subgraph @BackwardNet_construct(%para1_inputs0: Tensor[Int32](), %para2_param: Ref[Int32]()) {
  %0 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=0), U)
  %1 = UpdateState(U, %0)
  %2 = Load(%para2_param, %1)
  %3 = UpdateState(%1, %2)
  %4 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=1), %3)
  %5 = UpdateState(%3, %4)
  %6 = Load(%para2_param, %5)
  %7 = UpdateState(%5, %6)
  %8 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=2), %7)
  %9 = UpdateState(%7, %8)
  %10 = Load(%para2_param, %9)
  %11 = Add(%10, %6)
  %12 = Add(%11, %2)
  %13 = UpdateState(%9, %10)
  %14 = Depend(%12, %13)
  Return(%14)
})";

TEST(InsertCopies, SavesEveryLoadOfTheGuideAtLevelZero) {
  EXPECT_EQ(ordered(0, kSeed), print(parse(R"(
subgraph @BackwardNet_construct(%para1_inputs0: Tensor[Int32](), %para2_param: Ref[Int32]()) {
  %0 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=0), U)
  %1 = UpdateState(U, %0)
  %2 = Load(%para2_param, %1)
  %3 = TensorMove(%2)
  %4 = UpdateState(%1, %3)
  %5 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=1), %4)
  %6 = UpdateState(%4, %5)
  %7 = Load(%para2_param, %6)
  %8 = TensorMove(%7)
  %9 = UpdateState(%6, %8)
  %10 = Assign(%para2_param, Tensor(shape=[], dtype=Int32, value=2), %9)
  %11 = UpdateState(%9, %10)
  %12 = Load(%para2_param, %11)
  %13 = TensorMove(%12)
  %14 = Add(%13, %8)
  %15 = Add(%14, %3)
  %16 = UpdateState(%11, %13)
  %17 = Depend(%15, %16)
  Return(%17)
})")));
}

TEST(InsertCopies, SavesWhatWritesWouldReach) {
  EXPECT_EQ(moves_at(1, kSeed), 2u);  // no write follows the third Load
  EXPECT_EQ(moves_at(2, kSeed), 2u);
  EXPECT_EQ(moves_at(3, kSeed), 0u);
}

TEST(InsertCopies, FollowsViewsAndDepends) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2, 3), %w: Ref[Float32](2, 3)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Transpose(%0, dims=(1, 0))
  %3 = Depend(%2, %1)
  %4 = Assign(%w, %x, %1)
  %5 = UpdateState(%1, %4)
  %6 = Neg(%3)
  %7 = Depend(%6, %5)
  Return(%7)
})";
  EXPECT_EQ(moves_at(1, text), 1u);
  EXPECT_EQ(moves_at(2, text), 1u);
}

TEST(InsertCopies, LeavesUsesBeforeTheWriteAndOtherRefs) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %v: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Add(%0, %x)
  %3 = Assign(%w, %2, %1)
  %4 = UpdateState(%1, %3)
  %5 = Load(%v, %4)
  %6 = UpdateState(%4, %5)
  %7 = Assign(%w, %x, %6)
  %8 = UpdateState(%6, %7)
  %9 = Neg(%5)
  %10 = Depend(%9, %8)
  Return(%10)
})";
  EXPECT_EQ(moves_at(1, text), 0u);
  EXPECT_EQ(moves_at(0, text), 2u);
}

TEST(InsertCopies, SavesAnOperandOfTheWriteItself) {
  EXPECT_EQ(moves_at(2, R"(
subgraph @f(%w: Ref[Float32](2, 2)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Transpose(%0, dims=(1, 0))
  %3 = Assign(%w, %2, %1)
  %4 = UpdateState(%1, %3)
  Return()
})"),
            1u);
}

TEST(InsertCopies, SavesReturnedValuesByLevel) {
  const std::string text = R"(
subgraph @f(%w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  Return(%0)
})";
  EXPECT_EQ(moves_at(1, text), 1u);
  EXPECT_EQ(moves_at(2, text), 0u);
}

// The loop writes the Ref whose loaded value goes round as a carried one.
TEST(InsertCopies, SavesWhatALoopCarries) {
  EXPECT_EQ(moves_at(2, R"(
subgraph @f(%n: Int, %x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2, %3, %4 = While(%n, %0, %1, %w, %x, condition=@c, body=@b)
  %5 = Depend(%3, %4)
  Return(%5)
}
subgraph @c(%n: Int, %v: Tensor[Float32](2,), %u: Token, %w: Ref[Float32](2,), %x: Tensor[Float32](2,)) {
  %0 = Less(0, %n)
  Return(%0)
}
subgraph @b(%n: Int, %v: Tensor[Float32](2,), %u: Token, %w: Ref[Float32](2,), %x: Tensor[Float32](2,)) {
  %0 = Sub(%n, 1)
  %1 = Assign(%w, %x, %u)
  %2 = UpdateState(%u, %1)
  %3 = Load(%w, %2)
  %4 = UpdateState(%2, %3)
  Return(%0, %3, %4)
})"),
            2u);
}

TEST(InsertCopies, SeesWritesOfCallees) {
  const std::string graphs = R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %v: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Load(%v, %1)
  %3 = UpdateState(%1, %2)
  %4 = Call(%w, %v, %x, %3, graph=@set)
  %5 = Add(%0, %2)
  %6 = Depend(%5, %4)
  Return(%6)
}
shared subgraph @set(%a: Ref[Float32](2,), %b: Ref[Float32](2,), %x: Tensor[Float32](2,), %u: Token) {
  %0 = Load(%b, %u)
  %1 = UpdateState(%u, %0)
  %2 = Assign(%a, %0, %1)
  %3 = UpdateState(%1, %2)
  Return(%3)
})";
  EXPECT_EQ(moves_at(2, graphs), 1u);  // of %w alone
}

TEST(InsertCopies, TakesRefsOfACalleeAsOneIfACallerDoes) {
  EXPECT_EQ(moves_at(2, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0, %1 = Call(%w, %w, %x, U, graph=@g)
  %2 = Depend(%0, %1)
  Return(%2)
}
shared subgraph @g(%a: Ref[Float32](2,), %b: Ref[Float32](2,), %x: Tensor[Float32](2,), %u: Token) {
  %0 = Load(%b, %u)
  %1 = UpdateState(%u, %0)
  %2 = Assign(%a, %x, %1)
  %3 = UpdateState(%1, %2)
  %4 = Neg(%0)
  Return(%4, %3)
})"),
            1u);
}

}  // namespace
}  // namespace ember::bytecode
