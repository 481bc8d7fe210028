// Floats that may be symbolic, as Dims are ints that may be: arithmetic records expressions in the current SymbolTable,
// a comparison gives what holds for the hints and records it as a guard.
#pragma once

#include <concepts>

#include "ops/tensor/symbols.h"

namespace ember::ops {

class SymbolicFloat {
 public:
  // Of doubles alone, so that an int is a Dim where it may be either.
  template <std::same_as<double> T>
  SymbolicFloat(T constant) : hint_(constant) {}  // NOLINT: a number is one
  SymbolicFloat(double hint, ExprId expr) : expr(expr), hint_(hint) {}
  bool symbolic() const { return expr != 0; }
  double hint() const { return hint_; }  // the number in the first call

  ExprId expr = 0;  // 0: constant

 private:
  double hint_;
};

SymbolicFloat operator-(SymbolicFloat a, SymbolicFloat b);
SymbolicFloat operator/(SymbolicFloat a, SymbolicFloat b);  // by what a guard says is not 0
bool operator==(SymbolicFloat a, SymbolicFloat b);
bool operator<(SymbolicFloat a, SymbolicFloat b);
bool operator<=(SymbolicFloat a, SymbolicFloat b);

// The number, which is guarded.
double pinned(SymbolicFloat number);

}  // namespace ember::ops
