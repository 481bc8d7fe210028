// Which nodes of an expression matter only where a condition holds: what a Select alone takes, on one of its sides. A
// program and native code pass them over where no element of a strip, or vector, asks for them.
#pragma once

#include <vector>

#include "ops/expr/expr.h"

namespace ember::ops {

// Nodes [begin, end) matter only to elements for which one of the conditions is `when`.
struct PredicatedRegion {
  NodeId begin, end;
  std::vector<NodeId> conditions;
  bool when;
};

// Guards are properly nested and in the order of their first nodes, outer ones first.
struct PredicatedExpr {
  Expr expr;
  std::vector<PredicatedRegion> regions;
};

// Orders the nodes so that those of a region are neighbours. Only what takes long is predicated, and nothing that is
// chosen against a constant or an input, which is for special values.
PredicatedExpr predicate(const Expr& expr);

}  // namespace ember::ops
