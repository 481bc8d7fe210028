// Random modules over the op table: elementwise chains of every dtype, reductions, matmul, views, gathers, numbers,
// random draws, writes of Refs, and if, while and call around them, over constant or symbolic sizes.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::differential {

struct RandomOptions {
  uint32_t seed = 0;
  int64_t rows = 3, columns = 5;  // at most 64 columns: rows x columns and its transpose are multiplied
  bool symbolic = false;
  bool differentiate = false;  // the module is the gradient of the one that was drawn, where it has one
};

// Parameters: matrices of rows x columns, a row, a column, an index vector, two Refs, numbers, then another index
// vector. Graph 0 is the function that was drawn.
bytecode::Module random_module(const RandomOptions& options);

}  // namespace ember::differential
