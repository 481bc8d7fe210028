// Recursion: which graphs of a module may call themselves, and which may come to such a one; by GraphId. Gradients of
// their own count as called.
#pragma once

#include "bytecode/graph.h"

namespace ember::bytecode {

struct CallCycles {
  explicit CallCycles(const Module& module);
  CallCycles(const Module& module, GraphId root);  // looks only at what is called from there

  std::vector<char> on;       // from the graph, calls lead back to it
  std::vector<char> leading;  // calls lead to a cycle
  std::vector<GraphId> callees_first;
};

}  // namespace ember::bytecode
