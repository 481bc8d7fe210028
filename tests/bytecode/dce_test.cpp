// dce, text in and text out: what nobody needs goes, also of Ifs, loops and calls; effects and errors stay.
#include <gtest/gtest.h>

#include "tests/bytecode/pass_text.h"

namespace ember::bytecode {
namespace {

TEST(Dce, DropsWhatNobodyNeeds) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2, 3)) {
  %0 = Mul(%x, 2.0)
  %1 = Add(%x, %x)
  Return(%1)
}
subgraph @unused() {
  Return(1)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2, 3)) {
  %0 = Add(%x, %x)
  Return(%0)
})"));
}

TEST(Dce, KeepsEffectsAndDropsStatesOfDeadLoads) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Assign(%w, %x, %1)
  %3 = UpdateState(%1, %2)
  Return(%x)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Assign(%w, %x, U)
  Return(%x)
})"));
}

TEST(Dce, KeepsWhatMayRaise) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,), %t: Bool) {
  %0 = Gather(%x, %i, axis=0, batch_dims=0)
  %1 = If(%t, %x, %i, then=@yes, else=@no)
  %2 = Call(%x, %i, graph=@yes)
  Return(%x)
}
subgraph @yes(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  %0 = Gather(%x, %i, axis=1, batch_dims=0)
  Return(%x)
}
subgraph @no(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  Return(%x)
})";
  EXPECT_EQ(after(dce, text), same(text));
}

TEST(Dce, DropsWhatNobodyNeedsOfAnIf) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,), %t: Bool) {
  %0 = Mul(%y, 2.0)
  %1, %2, %3 = If(%t, %x, %0, %y, then=@yes, else=@no)
  Return(%2)
}
subgraph @yes(%x: Tensor[Float32](2,), %z: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Sin(%z)
  %1 = Neg(%x)
  Return(%0, %1, %y)
}
subgraph @no(%x: Tensor[Float32](2,), %z: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  Return(%z, %y, %x)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,), %t: Bool) {
  %0 = If(%t, %x, %y, then=@yes, else=@no)
  Return(%0)
}
subgraph @yes(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Neg(%x)
  Return(%0)
}
subgraph @no(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  Return(%y)
})"));
}

TEST(Dce, DropsWhatALoopCarriesForItself) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  %0 = Mul(%x, 2.0)
  %1, %2, %3, %4 = While(%x, %0, 0, %x, %n, condition=@more, body=@body)
  Return(%1)
}
subgraph @more(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,), %i: Int, %z: Tensor[Float32](2,), %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,), %i: Int, %z: Tensor[Float32](2,), %n: Int) {
  %0 = Add(%x, %z)
  %1 = Add(%y, %x)
  %2 = Add(%i, 1)
  %3 = Neg(%z)
  Return(%0, %1, %2, %3)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  %0, %1, %2 = While(%x, 0, %x, %n, condition=@more, body=@body)
  Return(%0)
}
subgraph @more(%x: Tensor[Float32](2,), %i: Int, %z: Tensor[Float32](2,), %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%x: Tensor[Float32](2,), %i: Int, %z: Tensor[Float32](2,), %n: Int) {
  %0 = Add(%x, %z)
  %1 = Add(%i, 1)
  %2 = Neg(%z)
  Return(%0, %1, %2)
})"));
}

TEST(Dce, KeepsTheFirstResultOfWhatMayRaise) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,), %t: Bool) {
  %0, %1 = If(%t, %x, %i, then=@yes, else=@no)
  Return(%x)
}
subgraph @yes(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  %0 = Gather(%x, %i, axis=1, batch_dims=0)
  %1 = Sin(%x)
  Return(%i, %1)
}
subgraph @no(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  Return(%i, %x)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,), %t: Bool) {
  %0 = If(%t, %x, %i, then=@yes, else=@no)
  Return(%x)
}
subgraph @yes(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  %0 = Gather(%x, %i, axis=1, batch_dims=0)
  Return(%i)
}
subgraph @no(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  Return(%i)
})"));
}

TEST(Dce, KeepsWhatMayRaiseAndGivesNothing) {
  const std::string text = R"(
subgraph @f(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,), %t: Bool) {
  If(%t, %x, %i, then=@yes, else=@no)
  Return(%t)
}
subgraph @yes(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  %0 = Gather(%x, %i, axis=1, batch_dims=0)
  Return()
}
subgraph @no(%x: Tensor[Float32](2, 3), %i: Tensor[Int32](4,)) {
  Return()
})";
  EXPECT_EQ(after(dce, text), same(text));
}

TEST(Dce, LeavesAllCallsOfAGraphAlike) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0, %1, %2 = Call(%x, %y, graph=@g)
  %3, %4, %5 = Call(%y, %0, graph=@g)
  %6, %7, %8 = Call(%x, %x, graph=@g)
  Return(%4)
}
subgraph @g(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Sin(%x)
  %1 = Neg(%y)
  %2 = Sin(%1)
  Return(%0, %1, %2)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0, %1 = Call(%x, %y, graph=@g)
  %2, %3 = Call(%y, %0, graph=@g)
  Return(%3)
}
subgraph @g(%x: Tensor[Float32](2,), %y: Tensor[Float32](2,)) {
  %0 = Sin(%x)
  %1 = Neg(%y)
  Return(%0, %1)
})"));
}

TEST(Dce, KeepsTheEffectsOfWhatGivesNothingElse) {
  EXPECT_EQ(after(dce, R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %t: Bool) {
  %0, %1 = If(%t, %x, %w, U, then=@yes, else=@no)
  %2 = UpdateState(%1, %0)
  %3 = Load(%w, %2)
  Return(%3)
}
subgraph @yes(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %u: Token) {
  %0 = Assign(%w, %x, %u)
  %1 = UpdateState(%u, %0)
  %2 = Sin(%x)
  Return(%2, %1)
}
subgraph @no(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %u: Token) {
  Return(%x, %u)
})"),
            same(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %t: Bool) {
  %0 = If(%t, %x, %w, U, then=@yes, else=@no)
  %1 = Load(%w, %0)
  Return(%1)
}
subgraph @yes(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %u: Token) {
  %0 = Assign(%w, %x, %u)
  %1 = UpdateState(%u, %0)
  Return(%1)
}
subgraph @no(%x: Tensor[Float32](2,), %w: Ref[Float32](2,), %u: Token) {
  Return(%u)
})"));
}

TEST(Dce, DropsWhatIsKnownNotToRaise) {
  const auto dropped = [](const std::string& index) {
    const std::string constant = "Tensor(shape=[2], dtype=Int64, value=[" + index + "])";
    const std::string x = "subgraph @f(%x: Tensor[Float32](2, 3)) { ";
    return after(dce, x + "%0 = Gather(%x, " + constant + ", axis=1, batch_dims=0) Return(%x) }") ==
           same(x + "Return(%x) }");
  };
  EXPECT_TRUE(dropped("0, 2"));
  EXPECT_FALSE(dropped("0, 3"));
}

}  // namespace
}  // namespace ember::bytecode
