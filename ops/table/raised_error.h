// Errors that graphs raise because the program says so: `raise` and `assert` where a Tensor decides.
#pragma once

#include <vector>

#include "ops/table/op.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {

// what() begins with the error's type and text. Whoever captured the graph knows the error itself by its number, and
// makes it of copies of the operands.
struct RaisedError : OpError {
  RaisedError(const std::string& text, int64_t number, std::vector<Tensor> operands)
      : OpError(Kind::Value, text), number(number), operands(std::move(operands)) {}
  int64_t number;
  std::vector<Tensor> operands;
};

}  // namespace ember::ops
