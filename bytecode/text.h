// The text form of a module, as save_graphs writes it. It prints and parses back to an equal module.
//
//   # IR entry: @f
//   # Total subgraphs: 1
//   symbols s0=2                      (hints; guards follow as `guard s0 != 1`)
//   subgraph @f(%para1_x: Tensor[Float32](s0, 3), %para2_w: Ref[Float32](3)) {
//     %0 = Load(%para2_w, U)
//     %1 = Mul(%para1_x, %0)                  : Tensor[Float32](s0, 3)   # user.py:12
//     %2, %3 = If(%c, %1, then=@f_then, else=@f_else)
//     %4 = ReduceSum(%2, axis=(0,), keepdims=False)
//     Return(%4)
//   }
// Types after ':' are optional on input where they can be inferred, and checked where given. Constants print in full up to
// 64 elements; larger ones print as `Tensor[Float32](128, 64) data=<base64>` when asked for, else elided (not parseable).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "bytecode/graph.h"

namespace ember::bytecode {

struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;  // "line 12: ..."
};

std::string print(const Module& module, bool full_constants = false);
Module parse(std::string_view text);  // throws ParseError; never crashes on any input

}  // namespace ember::bytecode
