// Which graphs of a module call which. Of recursion: which may call themselves, and which may come to such a one; by
// GraphId. Gradients of their own count as called there.
#pragma once

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

struct CallCycles {
  explicit CallCycles(const Module& module);
  CallCycles(const Module& module, GraphId root);  // looks only at what is called from there

  std::vector<char> on;       // from the graph, calls lead back to it
  std::vector<char> leading;  // calls lead to a cycle
  std::vector<GraphId> callees_first;
};

// The graphs that run when `from` does, itself first. Gradients of their own do not count.
std::vector<GraphId> reachable_graphs(const Module& module, GraphId from);

}  // namespace ember::bytecode
