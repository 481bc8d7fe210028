// Any words into the code verifier: the input replaces the instructions of a small function whose tables (constants,
// calls, expressions) are real, so that mutations reach the rules of every instruction. What passes must disassemble.
#include <cstdlib>
#include <cstring>

#include "bytecode/text.h"
#include "bytecode/verify.h"
#include "tests/bytecode/code_support.h"

namespace {

using namespace ember::bytecode;

const Code& sample() {
  static const CodeRef code = lower(parse(test::kSampleModule));
  return *code;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Code& original = sample();
  Code code;
  code.symbols = original.symbols;
  code.functions = original.functions;
  code.constants = original.constants;
  code.scalars = original.scalars;
  code.calls = original.calls;
  code.fused = original.fused;
  code.files = original.files;
  CodeFunction& f = code.functions[0];
  f.words.resize(size / sizeof(Word));
  std::memcpy(f.words.data(), data, f.words.size() * sizeof(Word));
  f.sources.clear();
  try {
    verify(code);
    disassemble(code);
  } catch (const VerifyError&) {
  }
  return 0;
}
