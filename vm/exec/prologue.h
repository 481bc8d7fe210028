// What a call does before it runs: it takes the symbols from the arguments, computes the expressions over them, checks
// the guards, and gives parameters that are expressions their values.
//
// What follows from the arguments' layouts alone is computed once for them (`early`). What depends on numbers among the
// arguments is computed in each call: of these expressions those that sizes or attributes of the code are made of are
// part of what a binding is for (`keyed`).
//
// Each guard is asked before what no earlier guard needs is computed, as the program did: the power of
// `if n < 4: y = n ** n` is never that of a million. Calls of the embedding's functions are late: no lock is held then.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ops/tensor/tensor.h"
#include "ops/tensor/type.h"

namespace ember::vm {

struct Argument {
  const ops::Tensor* tensor = nullptr;  // of Tensor and Ref parameters
  uint64_t bits = 0;                    // of scalars and stacks, as in a slot
};

class Prologue {
 public:
  // `used`: the expressions that sizes and attributes are made of; it is asked if each call computes any.
  Prologue(const ops::SymbolTable& symbols, ops::Types params, const std::function<std::vector<ops::ExprId>()>& used);

  // Values by expression, without those that numbers decide; empty if types or guards do not admit the arguments.
  std::vector<int64_t> early(std::span<const Argument> arguments) const;
  bool has_late() const { return !symbol_params_.empty() || !computed_.empty() || calls_; }
  // The others; false if guards do not admit them.
  bool late(std::span<const Argument> arguments, std::span<int64_t> values) const;
  bool computes() const { return !computed_.empty(); }
  void complete(std::span<Argument> arguments, std::span<const int64_t> values) const;  // those that are computed
  // Why it does not admit arguments: the guard, or the type, and what it met.
  struct Refusal {
    std::string expected, met;
    uint32_t file = 0, line = 0;
  };
  Refusal refusal(std::span<const Argument> arguments, std::span<const std::string> names) const;
  const std::vector<ops::ExprId>& keyed() const { return keyed_; }
  const std::vector<bool>& dynamic() const { return dynamic_; }  // by expression: late, and not keyed

 private:
  // In their order: an expression that is computed, or a guard by it that is asked.
  struct Action {
    ops::ExprId expr;
    const ops::SymbolGuard* guard = nullptr;
  };
  std::vector<Action> schedule(bool late) const;
  // What cannot be done, or null.
  const Action* run(const std::vector<Action>& actions, std::span<int64_t> values) const;
  bool take_sizes(std::span<const Argument> arguments, std::span<int64_t> values, std::vector<bool>* known) const;
  bool sizes_agree(std::span<const Argument> arguments, std::span<const int64_t> values, bool late) const;

  const ops::SymbolTable& symbols_;
  const ops::Types params_;
  std::vector<bool> is_late_, dynamic_;  // by expression
  std::vector<ops::ExprId> keyed_;
  std::vector<Action> early_, late_;
  bool calls_ = false;                            // whether an expression is a call
  bool late_sizes_ = false;                       // whether an argument's size is such an expression
  std::vector<size_t> symbol_params_, computed_;  // numbers of parameters that are symbols, and expressions of symbols
};

}  // namespace ember::vm
