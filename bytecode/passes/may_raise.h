// Which nodes may raise an error that depends on elements: ops with Flag::RaisesOnValue, which are raise_ and those
// with indices along an axis of their first operand, unless these are constant and within; and control flow over graphs
// with such nodes. An error is an effect: the nodes stay though nobody uses their results, in order among each other
// and with effects, so that the first error is the one that the program as written raises.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// By GraphId.
std::vector<char> graphs_that_may_raise(const Module& module);
// By node index.
std::vector<char> nodes_that_may_raise(const Graph& graph, const std::vector<char>& graphs_that_may_raise);

}  // namespace ember::bytecode
