// Any text either parses to a valid module, which prints and parses back to the same text, or is a ParseError. What
// parses also survives the passes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"

using namespace ember::bytecode;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Module m;
  try {
    m = parse({reinterpret_cast<const char*>(data), size});
  } catch (const ParseError&) {
    return 0;
  }
  const std::string text = print(m, true);
  if (print(parse(text), true) != text) std::abort();
  optimise(m);
  verify(m);
  return 0;
}
