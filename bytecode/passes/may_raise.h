// Which nodes may raise an error because of what elements are: ops with Flag::RaisesOnValue, which are raise_, and
// those whose second operand holds positions along an axis of the first, unless these are constant and within; and
// control flow over graphs that hold such nodes. An error is seen from outside, so these nodes stay though nobody uses
// their results, and in order among each other and with effects: the first error is the one that the program as written
// raises.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// By GraphId.
std::vector<char> graphs_that_may_raise(const Module& module);
// By node index.
std::vector<char> nodes_that_may_raise(const Graph& graph, const std::vector<char>& graphs_that_may_raise);

}  // namespace ember::bytecode
