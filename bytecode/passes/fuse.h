// The two halves of fusion: which nodes go together (fuse_groups.cpp), and the nodes that they become (fuse.cpp).
#pragma once

#include <array>

#include "bytecode/graph.h"

namespace ember::bytecode {

// By node index: the group's first node, for nodes that fuse with others or feed a reduction; kNoId for the rest.
struct FuseGroups {
  std::vector<uint32_t> group;
  std::vector<char> reduction;  // the node reduces its group's one result
};

// What keeps nodes in order besides their inputs, by node index. Nodes between two writes may change places, if neither
// of two chains is broken: that of the nodes that take a token, and that of effects and errors.
struct FuseOrder {
  FuseOrder(const Graph& graph, const std::vector<char>& raising);
  std::vector<uint32_t> segment;                // counts writes: nothing moves across one
  std::vector<std::array<uint32_t, 2>> before;  // the nodes before it in its segment by chain; kNoId if it is in none
};

FuseGroups find_groups(const Graph& graph, const FuseOrder& order);

}  // namespace ember::bytecode
