// Any words into the code verifier: the input replaces the instructions of a small function whose tables (constants,
// calls, expressions) are real, so that mutations reach the rules of every instruction. Lives and counts follow from
// the words. What passes must disassemble and run. An input that is not a whole number of words goes into a function
// with stacks.
#include <algorithm>
#include <cstring>

#include "bytecode/code/live_ranges.h"
#include "bytecode/code/verify_code.h"
#include "bytecode/graph/verify.h"
#include "bytecode/text/text.h"
#include "tests/bytecode/code_support.h"
#include "tests/fuzz/run_bounded.h"

namespace {

using namespace ember::bytecode;

constexpr const char* kStacks = R"(# IR entry: @main
subgraph @main(%x: Tensor[Float32](2, 3), %y: Tensor[Float32](5,), %n: Int, %b: Bool) {
  %0 = Stack()
  %1 = Push(%0, %x, %n)
  %2 = Push(%1, %y, 1.5, %b)
  %3 = Push(%0, %2, %n)
  %4, %5, %6 = Pop(%3) : Stack, Stack, Int
  %7, %8, %9, %10 = Pop(%5) : Stack, Tensor[Float32](5,), Float, Bool
  %11, %12, %13 = Pop(%7) : Stack, Tensor[Float32](2, 3), Int
  %14 = NonEmpty(%11)
  Return(%6, %8, %9, %10, %12, %13, %14)
}
)";

const Code& sample(bool stacks) {
  static const CodeRef plain = lower(parse(test::kSampleModule));
  static const CodeRef with_stacks = lower(parse(kStacks));
  return stacks ? *with_stacks : *plain;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Code& original = sample(size % sizeof(Word) != 0);
  const auto hostile = ember::gc::make<Code>();
  Code& code = *hostile;
  test::copy(original, code);
  CodeFunction& f = code.functions[0];
  f.words.resize(size / sizeof(Word));
  std::memcpy(f.words.data(), data, f.words.size() * sizeof(Word));
  f.sources.clear();
  const auto count = [&](Instruction op) {
    return static_cast<uint32_t>(std::count_if(f.words.begin(), f.words.end(), [&](Word w) { return w.op() == op; }));
  };
  f.loops = count(Instruction::Loop);
  f.branches = count(Instruction::Branch);
  try {
    if (f.words.empty()) return 0;
    verify_flow(code, f);
    f.live_ranges = live_ranges_of(f);
    verify(code);
    disassemble(code);
    ember::fuzz::run_bounded(hostile);
  } catch (const VerifyError&) {
  }
  return 0;
}
