// The two halves of fusion: which nodes go together (fuse_groups.cpp), and the nodes that they become (fuse.cpp).
#pragma once

#include "bytecode/graph.h"

namespace ember::bytecode {

// By node index: the group's first node, for nodes that fuse with others or feed a reduction; kNoId for the rest.
struct FuseGroups {
  std::vector<uint32_t> group;
  std::vector<char> reduction;  // the node reduces its group's one result
};
FuseGroups find_groups(const Graph& graph);

// Nodes between two writes may change places; nothing moves across a write. By node index.
std::vector<uint32_t> segments(const Graph& graph);

// By node index: for a node that takes a token, the one before it in its segment that does; kNoId for the rest.
std::vector<uint32_t> state_order(const Graph& graph, const std::vector<uint32_t>& segment);

}  // namespace ember::bytecode
