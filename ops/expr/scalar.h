// One verb on one element, in plain C++ that shares nothing with the strip kernels: what folding and the reference
// evaluation use. Values are the low bytes of a word, the rest zero.
#pragma once

#include <span>

#include "ops/expr/expr.h"

namespace ember::ops {

using ScalarWord = unsigned __int128;

// `of` is the dtype of the node's last operand. Composite verbs must have been expanded.
ScalarWord evaluate(const ExprNode& node, DType of, ScalarWord a, ScalarWord b, ScalarWord c);

// Values of an expression's outputs for one element of each input; composites are expanded.
class ScalarProgram {
 public:
  explicit ScalarProgram(const Expr& expr);
  void run(std::span<const ScalarWord> inputs, std::span<ScalarWord> outputs);

 private:
  Expr expr_;
  std::vector<ScalarWord> values_;
};

}  // namespace ember::ops
