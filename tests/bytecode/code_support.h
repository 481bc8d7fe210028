// What the tests of bytecode share: lowering a graph text, and instructions as short lines.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "bytecode/code/code.h"
#include "bytecode/graph/verify.h"
#include "bytecode/text/text.h"

namespace ember::bytecode::test {

inline CodeRef lowered(const std::string& text) {
  CodeRef code = lower(parse(text));
  verify(*code);
  return code;
}

// What `from` holds, in a code that may be made wrong.
inline void copy(const Code& from, Code& to) {
  to.symbols = from.symbols;
  to.functions = from.functions;
  to.entry = from.entry;
  to.constants = from.constants;
  to.scalars = from.scalars;
  to.calls = from.calls;
  to.fused = from.fused;
  to.files = from.files;
  to.names = from.names;
  to.state = from.state;
}

// "pc instruction" lines of a function, without types and source lines.
inline std::vector<std::string> lines(const Code& code, uint32_t function = 0) {
  std::vector<std::string> out;
  std::istringstream in(disassemble(code, function));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    line = line.substr(line.find_first_not_of(' '));
    if (line[0] == '#') continue;
    const size_t types = line.find(" : ");
    line = line.substr(0, types);
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    const size_t gap = line.find("  ");
    if (gap != std::string::npos) line.erase(gap, 1);
    out.push_back(line);
  }
  return out;
}

inline size_t count(const CodeFunction& f, Instruction op, uint32_t from = 0, uint32_t to = ~0u) {
  size_t n = 0;
  for (uint32_t pc = 0; pc < f.words.size();) {
    const Decoded d = decode(f, pc);
    n += d.op == op && pc >= from && pc < to;
    pc = d.next;
  }
  return n;
}

inline uint32_t find(const CodeFunction& f, Instruction op) {
  for (uint32_t pc = 0; pc < f.words.size();) {
    const Decoded d = decode(f, pc);
    if (d.op == op) return pc;
    pc = d.next;
  }
  return ~0u;
}

using Lines = std::vector<std::string>;

inline const char* const kAddExpr =
    "expr={v0 = Input.Float32 0; v1 = Input.Float32 1; v2 = Add.Float32 v0 v1; return v2}";
inline const char* const kNegExpr = "expr={v0 = Input.Float32 0; v1 = Neg.Float32 v0; return v1}";

// A loop with a branch, a call, effects and symbols: something of everything that a module file holds.
inline const char* const kSampleModule = R"(# IR entry: @main
symbols s0=4
guard s0 >= 2
subgraph @main(%x: Tensor[Float32](s0, 3), %w: Ref[Float32](3,), %n: Int) {
  %t0 = Load(%w, U)                                      # user.py:3
  %u0 = UpdateState(U, %t0)
  %b = Fused(%x, %t0, expr={v0 = Input.Float32 0; v1 = Input.Float32 1; v2 = Mul.Float32 v0 v1; return v2})
  %y, %i, %u1 = While(%b, 0, %u0, %n, condition=@cond, body=@body)   # user.py:5
  %r = FusedReduce(%y, reduce=ReduceSum, axis=(1,), keep_dims=False, expr={v0 = Input.Float32 0; return v0})
  %size = Size((s0 * 3))
  %c = Constant(Tensor(shape=[2], dtype=Float32, value=[1, 2]))
  %d = Depend(%r, %u1)
  Return(%d, %i, %size, %c)
}
subgraph @cond(%y: Tensor[Float32](s0, 3), %i: Int, %u: Token, %n: Int) {
  %t = Less(%i, %n)
  Return(%t)
}
subgraph @body(%y: Tensor[Float32](s0, 3), %i: Int, %u: Token, %n: Int) {
  %even = Less(%i, 2)
  %z = If(%even, %y, then=@yes, else=@no)                # user.py:7 as Gate
  %next = Add(%i, 1)
  %called = Call(%z, graph=@shared)
  Return(%called, %next, %u)
}
subgraph @yes(%y: Tensor[Float32](s0, 3)) {
  %z = Fused(%y, expr={v0 = Input.Float32 0; v1 = Exp.Float32 v0; return v1})
  Return(%z)
}
subgraph @no(%y: Tensor[Float32](s0, 3)) {
  Return(%y)
}
shared subgraph @shared(%a: Tensor[Float32](s0, 3)) {
  %z = Fused(%a, expr={v0 = Input.Float32 0; v1 = Const.Float32 2; v2 = Add.Float32 v0 v1; return v2})
  Return(%z)
}
)";

}  // namespace ember::bytecode::test
