// A pass from text to text, with dce after it so that what the pass cut off is gone. What it should leave is written as
// text too and compared as printed.
#pragma once

#include <string>

#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"

namespace ember::bytecode {

inline std::string after(void (*pass)(Module&), const std::string& text) {
  Module m = parse(text);
  const ops::SymbolScope scope(&m.symbols);
  pass(m);
  verify(m);
  dce(m);
  verify(m);
  return print(m);
}

inline std::string same(const std::string& text) { return print(parse(text)); }

}  // namespace ember::bytecode
