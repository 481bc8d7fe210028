// Lowering, seen through the disassembly: what is emitted, which copies stay, and the live ranges of registers.
#include <gtest/gtest.h>

#include "bytecode/lower/lower.h"
#include "tests/bytecode/code_support.h"

namespace ember::bytecode {
namespace {

using test::count;
using test::find;
using test::kAddExpr;
using test::kNegExpr;
using test::lines;
using test::Lines;
using test::lowered;

TEST(Lower, StraightLine) {
  const CodeRef code = lowered(std::string(R"(
subgraph @f(%x: Tensor[Float32](2, 3), %y: Tensor[Float32](3,)) {
  %0 = Fused(%x, %y, )") + kAddExpr +
                               R"()   # user.py:7
  Return(%0)
})");
  EXPECT_EQ(lines(*code), (Lines{"0 r2 = Fused {Add} r0, r1", "2 Return r2"}));
  EXPECT_EQ(code->source(0, 0).line, 7u);
  EXPECT_EQ(code->files[code->source(0, 0).file], "user.py");
  EXPECT_EQ(code->functions[0].live_ranges[0].end, 2u);
  EXPECT_EQ(code->functions[0].live_ranges[2].begin, 0u);
}

TEST(Lower, ResultsThatBelongToOthersAreCopied) {
  const CodeRef code = lowered(R"(
subgraph @f(%x: Tensor[Float32](2,), %w: Ref[Float32](2,)) {
  %0 = Constant(Tensor(shape=[2], dtype=Float32, value=[1, 2]))
  %1 = Load(%w, U)
  %2 = UpdateState(U, %1)
  %3 = Depend(%0, %2)
  Return(%x, %3, %1)
})");
  EXPECT_EQ(lines(*code),
            (Lines{"0 r2 = Const #0", "1 r3 = Load r1", "2 r4 = Move r2", "3 r5 = Move r3", "4 Return r0, r4, r5"}));
}

TEST(Lower, BranchesWriteTheMeetingRegister) {
  const CodeRef code = lowered(std::string(R"(
subgraph @f(%c: Bool, %x: Tensor[Float32](2,)) {
  %0 = If(%c, %x, then=@yes, else=@no)
  Return(%0)
}
subgraph @yes(%x: Tensor[Float32](2,)) {
  %0 = Fused(%x, %x, )") + kAddExpr +
                               R"()
  Return(%0)
}
subgraph @no(%x: Tensor[Float32](2,)) {
  Return(%x)
})");
  EXPECT_EQ(lines(*code),
            (Lines{"0 Branch r0 else 4", "1 r2 = Fused {Add} r1, r1", "3 Jump 5", "4 r2 = Move r1", "5 Return r2"}));
}

TEST(Lower, WhatBothBranchesPassThroughIsNotCopied) {
  const CodeRef code = lowered(R"(
subgraph @f(%c: Bool, %x: Tensor[Float32](2,)) {
  %0 = If(%c, %x, then=@same, else=@same)
  Return(%0)
}
subgraph @same(%x: Tensor[Float32](2,)) {
  Return(%x)
})");
  EXPECT_EQ(lines(*code), (Lines{"0 Branch r0 else 1", "1 Return r1"}));
}

const std::string kCountingLoop = std::string(R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Int) {
  %y, %i = While(%x, 0, %n, condition=@more, body=@body)
  Return(%y)
}
subgraph @more(%x: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%x: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Fused(%x, %x, )") + kAddExpr +
                                  R"()
  %1 = Add(%i, 1)
  Return(%0, %1)
})";

TEST(Lower, LoopsCarryInPlace) {
  const CodeRef code = lowered(kCountingLoop);
  EXPECT_EQ(lines(*code), (Lines{"0 r2 = Scalar 0", "1 r3 = Move r0", "2 Loop #0", "3 r4 = Verb Lt r2, r1",
                                 "4 Branch r4 else 10", "5 r3 = Fused {Add} r3, r3", "7 r5 = Scalar 1",
                                 "8 r2 = Verb Add r2, r5", "9 Jump 2", "10 Return r3"}));
}

TEST(Lower, LivesReachAroundLoops) {
  const CodeRef code = lowered(kCountingLoop);
  const CodeFunction& f = code->functions[0];
  EXPECT_EQ(f.live_ranges[1].begin, 0u);  // n, a parameter
  EXPECT_EQ(f.live_ranges[1].end, 10u);
  EXPECT_EQ(f.live_ranges[2].begin, 0u);  // i, carried
  EXPECT_EQ(f.live_ranges[2].end, 9u);
  EXPECT_EQ(f.live_ranges[5].begin, 7u);  // the constant 1, of one trip
  EXPECT_EQ(f.live_ranges[5].end, 8u);
}

TEST(Lower, CarriedValuesThatChangePlacesAreSetAside) {
  const CodeRef code = lowered(R"(
subgraph @f(%a: Tensor[Float32](2,), %b: Tensor[Float32](2,), %n: Int) {
  %c, %d, %i = While(%a, %b, 0, %n, condition=@more, body=@body)
  Return(%c, %d)
}
subgraph @more(%a: Tensor[Float32](2,), %b: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%a: Tensor[Float32](2,), %b: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Add(%i, 1)
  Return(%b, %a, %0)
})");
  const CodeFunction& f = code->functions[0];
  const uint32_t header = find(f, Instruction::Loop);
  EXPECT_EQ(count(f, Instruction::Move, header), 3u);
  EXPECT_EQ(count(f, Instruction::Move, 0, header), 2u);
}

TEST(Lower, InvariantCarriedValuesAreNotCopied) {
  const CodeRef code = lowered(R"(
subgraph @f(%a: Tensor[Float32](2,), %n: Int) {
  %c, %i = While(%a, 0, %n, condition=@more, body=@body)
  Return(%c)
}
subgraph @more(%a: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%a: Tensor[Float32](2,), %i: Int, %n: Int) {
  %0 = Add(%i, 1)
  Return(%a, %0)
})");
  EXPECT_EQ(count(code->functions[0], Instruction::Move), 0u);
  EXPECT_EQ(code->functions[0].results[0], 0);
}

// The view still shows the old value when the new one is made, so the copy has to stay.
TEST(Lower, AViewOfACarriedValueKeepsTheCopy) {
  const std::string text = std::string(R"(
subgraph @f(%x: Tensor[Float32](4,), %n: Int) {
  %y, %i = While(%x, 0, %n, condition=@more, body=@body)
  Return(%y)
}
subgraph @more(%x: Tensor[Float32](4,), %i: Int, %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%x: Tensor[Float32](4,), %i: Int, %n: Int) {
  %v = Reshape(%x, shape=(2, 2))
  %0 = Fused(%x, )") + kNegExpr +
                           R"()
  %s = ReduceSum(%v, axis=(0, 1), keep_dims=False)
  %1 = Fused(%0, %s, )" + kAddExpr +
                           R"()
  %2 = Add(%i, 1)
  Return(%1, %2)
})";
  const CodeRef code = lowered(text);
  const CodeFunction& f = code->functions[0];
  EXPECT_EQ(count(f, Instruction::Move, find(f, Instruction::Loop)), 0u);
  for (uint32_t pc = 0; pc < f.words.size(); pc = decode(f, pc).next) {
    const Decoded d = decode(f, pc);
    if (d.op != Instruction::Fused || d.inputs.size() != 1) continue;
    EXPECT_NE(d.inputs[0], d.outputs[0]) << "the negation overwrites what the view still shows";
  }
}

TEST(Lower, CalledGraphsOwnTheirResults) {
  const CodeRef code = lowered(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Call(%x, graph=@id)
  Return(%0)
}
shared subgraph @id(%x: Tensor[Float32](2,)) {
  Return(%x)
})");
  ASSERT_EQ(code->functions.size(), 2u);
  EXPECT_EQ(lines(*code, 0), (Lines{"0 r1 = Call id r0", "2 Return r1"}));
  EXPECT_EQ(lines(*code, 1), (Lines{"0 r1 = Move r0", "1 Return r1"}));
}

TEST(Lower, RecursionIsACallOfTheSameFunction) {
  const CodeRef code = lowered(R"(
subgraph @f(%n: Int) {
  %0 = Less(%n, 1)
  %1 = If(%0, %n, then=@base, else=@step)
  Return(%1)
}
subgraph @base(%n: Int) {
  Return(%n)
}
subgraph @step(%n: Int) {
  %0 = Sub(%n, 1)
  %1 = Call(%0, graph=@f)  : Int
  %2 = Add(%1, %n)
  Return(%2)
})");
  ASSERT_EQ(code->functions.size(), 1u);
  EXPECT_EQ(count(code->functions[0], Instruction::Call), 1u);
}

TEST(Lower, StacksGrowAndShrink) {
  const CodeRef code = lowered(R"(
subgraph @f(%x: Tensor[Float32](2,)) {
  %0 = Stack()
  %1 = Push(%0, %x, 3)
  %2, %3, %4 = Pop(%1)   : Stack, Tensor[Float32](2,), Int
  %5 = NonEmpty(%2)
  Return(%3, %4, %5)
})");
  EXPECT_EQ(lines(*code),
            (Lines{"0 r1 = StackNew", "1 r2 = Scalar 3", "2 r3 = Push r1, r0, r2", "5 r4, r5, r6 = Pop r3",
                   "8 r7 = NonEmpty r4", "9 r8 = Move r5", "10 Return r8, r6, r7"}));
}

TEST(Lower, EffectsKeepTheirOrder) {
  const CodeRef code = lowered(R"(
subgraph @f(%w: Ref[Float32](2,), %x: Tensor[Float32](2,)) {
  %0 = Load(%w, U)
  %1 = UpdateState(U, %0)
  %2 = Assign(%w, %x, %1)
  %3 = UpdateState(%1, %2)
  %4 = Load(%w, %3)
  %5 = UpdateState(%3, %4)
  %6 = ReduceSum(%0, axis=(0,), keep_dims=False)
  %7 = Depend(%6, %5)
  Return(%7)
})");
  const std::vector<std::string> out = lines(*code);
  ASSERT_GE(out.size(), 3u);
  EXPECT_EQ(out[0], "0 r2 = Load r0");
  EXPECT_NE(out[1].find("Apply Assign"), std::string::npos);
  EXPECT_EQ(count(code->functions[0], Instruction::Load), 2u);
}

// A chain of n values, of which two are live at a time.
Module chain(int n) {
  std::string text = "subgraph @f(%x: Tensor[Float32](2,)) {\n";
  std::string last = "%x";
  for (int i = 0; i < n; ++i) {
    const std::string next = "%v" + std::to_string(i);
    text += "  " + next + " = Fused(" + last + ", " + kNegExpr + ")\n";
    last = next;
  }
  return parse(text + "  Return(" + last + ")\n}\n");
}

TEST(Lower, RegistersAreUsedAnewOnlyWhenManyAreNeeded) {
  const Module module = chain(100);
  for (const size_t reuse_after : {size_t{1000}, size_t{10}}) {
    Code code;
    lowering::Tables tables(module, code);
    tables.function(0);
    lowering::VirtualCode virtual_code = lowering::build_virtual_code(tables, 0);
    lowering::coalesce(virtual_code, code.calls);
    code.functions.push_back(lowering::assemble(virtual_code, code.calls, reuse_after));
    EXPECT_NO_THROW(verify(code));
    EXPECT_EQ(code.functions[0].registers.size(), reuse_after == 1000 ? 101u : 3u);
  }
}

TEST(Lower, StatesTheGuardsThatItsShapesNeed) {
  Module module = parse(std::string(R"(
symbols s0=4, s1=4
subgraph @f(%x: Tensor[Float32](s0,), %y: Tensor[Float32](s1,)) {
  %0 = Fused(%x, %y, )") +
                        kAddExpr +
                        R"()
  Return(%0)
})");
  const std::vector<ops::SymbolExpr> exprs = module.symbols.exprs();
  ASSERT_FALSE(module.symbols.guards().empty());
  ASSERT_TRUE(ops::SymbolTable::restore(exprs, {}, &module.symbols));
  const CodeRef code = lower(module);
  EXPECT_FALSE(code->symbols.guards().empty());
  EXPECT_NO_THROW(verify(*code));
}

TEST(Lower, EqualNumbersShareAnEntry) {
  const CodeRef code = lowered(R"(
subgraph @f(%n: Int) {
  %0 = Add(%n, 7)
  %1 = Mul(%0, 7)
  Return(%1)
})");
  EXPECT_EQ(code->scalars.size(), 1u);
  EXPECT_EQ(count(code->functions[0], Instruction::Verb), 2u);
}

}  // namespace
}  // namespace ember::bytecode
