// Fusion in three steps: which nodes form a group (fuse_groups.cpp), what each group computes (rematerialise.cpp), and
// the nodes that groups become (fuse.cpp). A group is named by one of its nodes; a node that is not fused is a group.
#pragma once

#include <array>
#include <unordered_map>

#include "bytecode/graph/graph.h"
#include "ops/program/program.h"

namespace ember::bytecode {

constexpr size_t kMaxVerbs = 256;  // of a fused node
constexpr size_t kMaxInputs = 24;

bool fusable(const Graph& graph, const Node& node);
gc::Ref<const ops::Program> fused_program(const Graph& graph, const Node& node);

// Which dims are equal wherever a module's guards hold: what a guard says is equal is one class.
class EqualDims {
 public:
  explicit EqualDims(ops::SymbolTable& table);
  bool operator()(const Type& a, const Type& b) const;

 private:
  ops::ExprId root(ops::ExprId id) const;
  bool equal(ops::Dim a, ops::Dim b) const;

  ops::SymbolTable& table_;
  std::unordered_map<ops::ExprId, ops::ExprId> up_;
};

// The order of nodes besides that of their inputs, by node index. Nodes between two writes may be reordered but for two
// sequences: the nodes that take a token, and effects with errors.
struct FuseOrder {
  FuseOrder(const Graph& graph, const std::vector<char>& may_raise);
  std::vector<uint32_t> segment;                // counts writes: nothing moves across one
  std::vector<std::array<uint32_t, 2>> before;  // by sequence: the node before it in its segment, kNoId if none
};

// The group of each node.
std::vector<uint32_t> find_groups(const Graph& graph, const FuseOrder& order, const EqualDims& equal);

struct FusionGroups {
  std::vector<std::vector<uint32_t>> members;  // by group: what it computes, in order, with copies from other groups
  std::vector<char> live_out;                  // by value: read outside of its group
  std::vector<char> reduction;                 // by node: it reduces the one result of its group
};

// `groups` in an order in which they may run. A reduction may become a member of the group that it reduces.
FusionGroups rematerialise(const Graph& graph, const FuseOrder& order, const EqualDims& equal,
                           const std::vector<char>& may_raise, std::span<const uint32_t> groups, bool entry,
                           std::vector<uint32_t>& group_of);

}  // namespace ember::bytecode
