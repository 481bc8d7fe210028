// Words, and the verifier on code that is wrong in one place. Each case is right but for that place, and each must be
// refused by the rule meant for it.
#include <gtest/gtest.h>

#include <functional>

#include "bytecode/code/live_ranges.h"
#include "bytecode/code/verify_code.h"
#include "tests/bytecode/code_support.h"

namespace ember::bytecode {
namespace {

TEST(Words, FieldsComeBack) {
  const Word w = make_word(Instruction::Verb, 7, 1, 0xFFFE, 0x1234);
  EXPECT_EQ(w.op(), Instruction::Verb);
  EXPECT_EQ(w.flags(), 7);
  EXPECT_EQ(w.a(), 1);
  EXPECT_EQ(w.b(), 0xFFFE);
  EXPECT_EQ(w.c(), 0x1234);
  EXPECT_EQ(make_wide(Instruction::Jump, 0, 0, 0xDEADBEEF).wide(), 0xDEADBEEF);
}

TEST(Words, EveryInstructionHasASentence) {
  for (int i = 0; i < kInstructions; ++i) {
    const InstructionInfo& about = info(static_cast<Instruction>(i));
    EXPECT_FALSE(about.name.empty());
    EXPECT_EQ(about.sentence.back(), '.');
  }
}

class BadCode : public ::testing::Test {
 protected:
  BadCode() { test::copy(*test::lowered(test::kSampleModule), code_); }
  CodeFunction& main() { return code_.functions[0]; }
  uint32_t at(Instruction op) { return test::find(main(), op); }
  // Replaces fields of the first `op`.
  void patch(Instruction op, const std::function<Word(Word)>& change) {
    const uint32_t pc = at(op);
    ASSERT_LT(pc, main().words.size());
    main().words[pc] = change(main().words[pc]);
  }
  void refused(const std::string& rule) {
    try {
      verify(code_);
    } catch (const VerifyError& e) {
      EXPECT_NE(std::string(e.what()).find(rule), std::string::npos) << e.what();
      return;
    }
    ADD_FAILURE() << "accepted; expected: " << rule;
  }

  Code code_;
};

TEST_F(BadCode, IsGoodAsItStands) { EXPECT_NO_THROW(verify(code_)); }

TEST_F(BadCode, UnknownInstruction) {
  main().words[0].bits = 0xFF;
  refused("no such instruction");
}
TEST_F(BadCode, EntryBeyondTheEnd) {
  code_.entry = 99;
  refused("entry function");
}
TEST_F(BadCode, RegisterBeyondTheEnd) {
  patch(Instruction::Load, [](Word w) { return make_word(w.op(), 0, 60000, w.b(), 0); });
  refused("register that does not exist");
}
TEST_F(BadCode, UnusedFields) {
  patch(Instruction::Load, [](Word w) { return make_word(w.op(), 0, w.a(), w.b(), 1); });
  refused("a register too much");
}
TEST_F(BadCode, UnusedFlags) {
  patch(Instruction::Load, [](Word w) { return make_word(w.op(), 1, w.a(), w.b(), 0); });
  refused("flags");
}
TEST_F(BadCode, TableEntryBeyondTheEnd) {
  patch(Instruction::Fused, [](Word w) { return make_wide(w.op(), 0, w.a(), 1000); });
  refused("table entry");
}
TEST_F(BadCode, TableThatIsLookedUpAnywhere) {
  for (FusedSite& site : code_.fused) {
    ops::ExprBuilder b;
    std::vector<ops::Ex> inputs;
    for (uint16_t i = 0; i < site.expr->inputs; ++i) inputs.push_back(b.input(i, site.expr->input_dtype(i)));
    const ops::Ex index = convert(inputs[0], ops::DType::Int32);
    const ops::Ex entry = b.emit(ops::Verb::Lookup, ops::DType::Float64, index, {}, {}, 0);
    site.expr = std::make_shared<const ops::Expr>(b.finish({entry}));
  }
  refused("looks up a table");
}
TEST_F(BadCode, ReadBeforeWrite) {
  const Register last = static_cast<Register>(main().results[3]);
  patch(Instruction::Load, [&](Word w) { return make_word(Instruction::Move, 0, w.a(), last, 0); });
  refused("some path leaves unwritten");
}
TEST_F(BadCode, WrittenOnOnePathOnly) {
  const uint32_t move = [&] {
    for (uint32_t pc = at(Instruction::Loop);; pc = decode(main(), pc).next)
      if (decode(main(), pc).op == Instruction::Move) return pc;
  }();
  const Register merged = main().words[move].a();
  main().registers.push_back(main().registers[merged]);
  main().words[move] =
      make_word(Instruction::Move, 0, static_cast<Register>(main().registers.size() - 1), main().words[move].b(), 0);
  refused("some path leaves unwritten");
}
TEST_F(BadCode, JumpIntoAnInstruction) {
  const uint32_t list = at(Instruction::Call) + 1;
  patch(Instruction::Branch, [&](Word w) { return make_wide(w.op(), w.flags(), w.a(), list); });
  refused("jumped into");
}
TEST_F(BadCode, JumpPastTheEnd) {
  patch(Instruction::Branch, [](Word w) { return make_wide(w.op(), w.flags(), w.a(), 5000); });
  refused("out of the function");
}
TEST_F(BadCode, JumpBackBesideTheHeader) {
  const uint32_t header = at(Instruction::Loop);
  for (uint32_t pc = header; pc < main().words.size(); pc = decode(main(), pc).next)
    if (decode(main(), pc).op == Instruction::Jump && main().words[pc].wide() == header)
      main().words[pc] = make_wide(Instruction::Jump, 0, 0, 0);
  refused("no header");
}
TEST_F(BadCode, LoopEnteredBesideItsHeader) {
  CodeFunction& f = main();
  const uint32_t pc = f.words.size() ? at(Instruction::Loop) + 1 : 0;
  f.words.insert(f.words.begin(), make_wide(Instruction::Branch, 0, f.params[2], pc + 1));
  refused("beside its header");
}
TEST_F(BadCode, LoopsOutOfOrder) {
  patch(Instruction::Loop, [](Word w) { return make_wide(w.op(), 0, 0, 5); });
  refused("not numbered in order");
}
TEST_F(BadCode, ReturnInTheMiddle) {
  patch(Instruction::Load, [](Word) { return make_word(Instruction::Return, 0, 0, 0, 0); });
  refused("returns before the end");
}
TEST_F(BadCode, UnreachableCode) {
  const uint32_t pc = at(Instruction::Load);
  const uint32_t next = pc + 1;
  main().words.insert(main().words.begin() + pc, make_wide(Instruction::Jump, 0, 0, next + 1));
  refused("");
}
TEST_F(BadCode, ConditionThatIsNoBool) {
  const Register number = main().params[2];
  patch(Instruction::Branch, [&](Word w) { return make_wide(w.op(), w.flags(), number, w.wide()); });
  refused("no Bool");
}
TEST_F(BadCode, VerbOnATensor) {
  const Register tensor = main().params[0];
  patch(Instruction::Verb, [&](Word w) { return make_word(w.op(), w.flags(), w.a(), tensor, w.c()); });
  refused("no scalar");
}
TEST_F(BadCode, MoveBetweenTypes) {
  const Register x = main().params[0];
  patch(Instruction::Load, [&](Word w) { return make_word(Instruction::Move, 0, w.a(), x, 0); });
  refused("different types");
}
TEST_F(BadCode, ResultOfAnotherType) {
  for (Type& type : main().registers)
    if (type.kind == ops::Kind::Tensor && type.dims.size() == 1 && type.dims[0].symbolic()) type.dims[0] = 4;
  refused("");
}
TEST_F(BadCode, WriteToAParameter) {
  const Register reduced = decode(main(), at(Instruction::FusedReduce)).inputs[0];
  main().words.insert(main().words.end() - 1, make_word(Instruction::Move, 0, main().params[0], reduced, 0));
  refused("writes a parameter");
}
TEST_F(BadCode, WrongLife) {
  main().live_ranges.back().end += 1;
  refused("does not live where");
}
TEST_F(BadCode, MissingLife) {
  main().live_ranges.pop_back();
  refused("differ in number");
}
TEST_F(BadCode, RefThatIsNoParameter) {
  Type type = main().registers[main().params[1]];
  main().registers.push_back(type);
  refused("Ref that is no parameter");
}
TEST_F(BadCode, UnknownDim) {
  main().registers[main().params[0]].dims[0] = ops::Dim(4, 500);
  refused("expression is unknown");
}
TEST_F(BadCode, SymbolWithoutParameter) {
  size_symbol(code_.symbols, 5);
  refused("size of no parameter");
}
TEST_F(BadCode, HugeTensor) {
  main().registers.push_back(Type::tensor(ops::DType::Int8, {int64_t{1} << 30, int64_t{1} << 30}));
  refused("2^48");
}
TEST_F(BadCode, MalformedExpression) {
  auto expr = std::make_shared<ops::Expr>(*code_.fused[0].expr);
  expr->nodes.back().args[0] = 500;
  code_.fused[0].expr = expr;
  refused("malformed");
}
TEST_F(BadCode, SourcesOutOfOrder) {
  ASSERT_GE(main().sources.size(), 2u);
  std::swap(main().sources[0], main().sources[1]);
  refused("source marks");
}
TEST_F(BadCode, ArgumentsOfAnotherType) {
  code_.functions[1].registers[code_.functions[1].params[0]].dtype = ops::DType::Float64;
  refused("");
}

void refuses_stack(const std::string& text, const std::string& rule) {
  const CodeRef code = lower(parse(text));
  verify(*code);
  try {
    verify_entry(*code);
    ADD_FAILURE() << "accepted; expected: " << rule;
  } catch (const VerifyError& e) {
    EXPECT_EQ(std::string(e.what()), "function main: " + rule);
  }
}

TEST(StacksOfTheEntry, AreRefusedInFiles) {
  refuses_stack("subgraph @main(%x: Int) {\n  %s = Stack()\n  %t = Push(%s, %x)\n  Return(%t)\n}\n",
                "the entry returns a stack");
  refuses_stack("subgraph @main(%s: Stack) {\n  %n = NonEmpty(%s)\n  Return(%n)\n}\n", "the entry takes a stack");
}

TEST(LiveRanges, LoopsNest) {
  LiveRangeScan scan(4);
  scan.touch(0, 1);  // written before both loops, read in the inner one
  scan.touch(0, 6);
  scan.touch(1, 4);  // written in the outer loop, read in the inner one
  scan.touch(1, 6);
  scan.touch(2, 6);  // of one trip of the inner loop
  scan.touch(2, 7);
  scan.loop(5, 8);
  scan.loop(3, 10);
  const std::vector<LiveRange> live_ranges = scan.finish();
  EXPECT_EQ(live_ranges[0].end, 10u);
  EXPECT_EQ(live_ranges[1].end, 8u);
  EXPECT_EQ(live_ranges[2].end, 7u);
  EXPECT_GT(live_ranges[3].begin, live_ranges[3].end);
}

}  // namespace
}  // namespace ember::bytecode
