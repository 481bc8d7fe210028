// One verb on one element, in plain C++ that shares nothing with the strip kernels: what folding and the reference
// evaluation use. Values are the low bytes of a word, the rest zero.
#pragma once

#include <span>

#include "ops/expr/expr.h"

namespace ember::ops {

// `of` is the dtype of the node's last operand. Composite verbs must have been expanded.
uint64_t evaluate(const ExprNode& node, DType of, uint64_t a, uint64_t b, uint64_t c);

// Values of an expression's outputs for one element of each input; composites are expanded.
class ScalarProgram {
 public:
  explicit ScalarProgram(const Expr& expr);
  void run(std::span<const uint64_t> inputs, std::span<uint64_t> outputs);

 private:
  Expr expr_;
  std::vector<uint64_t> values_;
};

}  // namespace ember::ops
