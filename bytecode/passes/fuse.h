// The steps of fusion: which nodes go together (fuse_groups.cpp), what each of these units computes
// (rematerialise.cpp), and the nodes that they become (fuse.cpp). A unit is named by one of its nodes.
#pragma once

#include <array>

#include "bytecode/graph/graph.h"
#include "ops/program/program.h"

namespace ember::bytecode {

constexpr size_t kMostVerbs = 256;  // of a fused node
constexpr size_t kMostInputs = 24;

bool fusable(const Graph& graph, const Node& node);
bool identical_dims(const Type& a, const Type& b);
gc::Ref<const ops::Program> fused_program(const Graph& graph, const Node& node);

// What keeps nodes in order besides their inputs, by node index. Nodes between two writes may change places, if neither
// of two chains is broken: that of the nodes that take a token, and that of effects and errors.
struct FuseOrder {
  FuseOrder(const Graph& graph, const std::vector<char>& may_raise);
  std::vector<uint32_t> segment;                // counts writes: nothing moves across one
  std::vector<std::array<uint32_t, 2>> before;  // the nodes before it in its segment by chain; kNoId if it is in none
};

// The unit of each node.
std::vector<uint32_t> find_groups(const Graph& graph, const FuseOrder& order);

struct FusionPlan {
  std::vector<std::vector<uint32_t>> members;  // by unit: what it computes, in order; copies are of other units
  std::vector<char> live_out;                  // by value: read outside of its unit
  std::vector<char> reduction;                 // by node: it reduces its unit's one result
};

// `groups` in an order in which they may run. Reductions may go over to the unit that they reduce.
FusionPlan rematerialise(const Graph& graph, const FuseOrder& order, const std::vector<char>& may_raise,
                         std::span<const uint32_t> groups, bool entry, std::vector<uint32_t>& group_of);

}  // namespace ember::bytecode
