// The result types of any node, from its kind, inputs and sub-graphs: what the builder and the parser fill in and the
// verifier checks.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// `declared` are the types known for the results, or empty; only ToTensor and Pop need them. Inputs are values of
// `graph`. Throws OpError if the node breaks a rule of its kind. Comparisons of dims become guards in the current
// SymbolScope.
Types node_types(const Module& module, const Graph& graph, const Node& node, std::span<const Type> declared = {});

// Equal kinds, dtypes and dims; dims that differ only as expressions are equal under a guard.
bool agree(const Type& a, const Type& b);

}  // namespace ember::bytecode
