// The text form of a module, as save_graphs writes it. It prints and parses back to an equal module.
//
//   # IR entry: @f
//   # Total subgraphs: 3
//   # Total params: 3
//   # Params:
//   %para1_x : Tensor[Float32](s0, 3)
//   %para2_w : Ref[Float32](3,) : has_default
//   %para3_c : Bool
//
//   symbols s0=2, d0=(s0 * 4)         (hints; expressions of symbols in the order in which they were made)
//   guard s0 != 3
//   subgraph @f(%para1_x: Tensor[Float32](s0, 3), %para2_w: Ref[Float32](3,), %para3_c: Bool) {
//     %0 = Load(%para2_w, U)                     : Tensor[Float32](3,)
//     %1 = UpdateState(U, %0)
//     %2 = Mul(%para1_x, %0)                     : Tensor[Float32](s0, 3)   # user.py:12
//     %3, %4 = If(%para3_c, %2, 2, then=@f_then, else=@f_else) : Tensor[Float32](s0, 3), Int
//     %5 = ReduceSum(%3, axis=(0,), keepdims=False) : Tensor[Float32](3,)
//     Return(%5)
//   }
// What stands before the symbols is for readers; only the name of the entry is read back.
// Also `shared subgraph`, `None` for an absent operand, `%a = Pop(%s) : Stack, Int`, and fused nodes with their
// expression:
//     %6 = Fused(%2, expr={v0 = Input.Float32 0; v1 = Neg.Float32 v0; return v1}) : Tensor[Float32](s0, 3)
// Types after ':' are optional on input where they can be inferred, and checked where given. A While carries as many
// values as it has results. Constants are `Tensor(shape=[2], dtype=Int32, value=[1, 2])`; beyond 64 elements they print
// as `data="<base64>"` when asked for, else `elided`, which does not parse.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;  // "line 12: ..."
};

enum class Sources : uint8_t { None, Lines, Paths };  // Paths: `# user.py:12 [3]`, what only this process knows, too

std::string print(const Module& module, bool full_constants = false, Sources sources = Sources::Lines);
Module parse(std::string_view text);  // verified; throws ParseError, and never crashes on any input

}  // namespace ember::bytecode
