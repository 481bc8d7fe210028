// Dimensions that may be symbolic.
//
// A Dim is a size together with the expression it came from (ops/tensor/symbols.h). Outside a capture every expression
// is constant (0) and a Dim costs no more than its number. During a capture sizes of inputs are symbols with the first
// call's as hints: arithmetic records expressions in the current SymbolTable, and a comparison gives what holds for the
// hints and records it as a guard. So a shape rule is written once, over Dim, and serves eager, capture and
// verification; the guards say for which other sizes the captured graph holds.
#pragma once

#include "ops/tensor/symbols.h"

namespace ember::ops {

class Dim {
 public:
  Dim() = default;
  Dim(int64_t constant) : hint_(constant) {}  // NOLINT: a number is a dim
  Dim(int64_t hint, ExprId expr) : expr(expr), hint_(hint) {}
  bool symbolic() const { return expr != 0; }
  // The number in the first call. What decides by it must compare Dims, or take the number by pinned().
  int64_t hint() const { return hint_; }

  ExprId expr = 0;  // 0: constant

 private:
  int64_t hint_ = 0;
};

Dim operator+(Dim a, Dim b);
Dim operator-(Dim a, Dim b);
Dim operator*(Dim a, Dim b);
Dim operator/(Dim a, Dim b);  // floors
Dim operator%(Dim a, Dim b);  // has the divisor's sign
Dim min(Dim a, Dim b);
Dim max(Dim a, Dim b);
bool operator==(Dim a, Dim b);
bool operator<(Dim a, Dim b);
inline bool operator!=(Dim a, Dim b) { return !(a == b); }
inline bool operator>(Dim a, Dim b) { return b < a; }
inline bool operator<=(Dim a, Dim b) { return !(b < a); }
inline bool operator>=(Dim a, Dim b) { return !(a < b); }

// The number, which is guarded: what decides by it holds for this size alone.
int64_t pinned(Dim dim);

// Same number and same expression; records nothing.
inline bool identical(Dim a, Dim b) { return a.expr == b.expr && (a.expr != 0 || a.hint() == b.hint()); }

Dim size_symbol(SymbolTable& table, int64_t hint, std::string name = {});  // sizes 0 and 1 stay constant
ExprId expr_of(SymbolTable& table, Dim dim);
Dim dim_of(const SymbolTable& table, ExprId id);

}  // namespace ember::ops
