// Fusion groups: elementwise nodes over equal dims, found in one walk with ranks in place of a search for cycles.
// The rank of a group is above the ranks of the groups whose results it loads, and a node joins a group of rank r only
// if everything else that it reads has a rank below r. So edges between groups go from lower to higher ranks, and the
// groups stay acyclic. A group that nobody loads from yet may be raised to a higher rank. Groups of one rank do not
// depend on each other, so a node that reads several merges them.
//
//   %a = Neg(%x)          group A, rank 0
//   %m = MatMul(%a, %a)   rank 1
//   %b = Add(%m, %a)      not in A, of rank 0, since it reads %m of rank 1: group B, rank 2
#include <algorithm>

#include "bytecode/passes/fuse.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

class Grouping {
 public:
  Grouping(const Graph& graph, const FuseOrder& order, const EqualDims& equal)
      : graph_(graph), order_(order), equal_(equal), def_(defining_nodes(graph)), groups_(graph.nodes.size()) {}

  std::vector<uint32_t> run() {
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      start(n);
      if (fusable(graph_, graph_.nodes[n])) join(n);
      for (uint32_t p : producers(n))
        if (find(p) != find(n)) groups_[find(p)].read = true;
    }
    std::vector<uint32_t> group_of(graph_.nodes.size());
    for (uint32_t n = 0; n < group_of.size(); ++n) group_of[n] = find(n);
    return group_of;
  }

 private:
  struct Group {
    uint32_t parent = kNoId;  // in the disjoint-set forest; kNoId: the root, which names the group
    uint32_t rank = 0;
    uint32_t members = 1;
    size_t verbs = 0;
    bool read = false;            // by a node outside
    std::vector<ValueId> inputs;  // from outside, sorted
  };

  uint32_t find(uint32_t n) {
    while (groups_[n].parent != kNoId) {
      const uint32_t up = groups_[n].parent;
      if (groups_[up].parent != kNoId) groups_[n].parent = groups_[up].parent;
      n = up;
    }
    return n;
  }

  bool same_segment(uint32_t a, uint32_t b) const { return order_.segment[a] == order_.segment[b]; }

  // Nodes of the same segment that must come before.
  std::vector<uint32_t> producers(uint32_t n) const {
    std::vector<uint32_t> producers;
    for (uint32_t before : order_.before[n])
      if (before != kNoId) producers.push_back(before);
    for (ValueId in : graph_.nodes[n].inputs)
      if (in != kNoId && def_[in] != kNoId && same_segment(def_[in], n)) producers.push_back(def_[in]);
    return producers;
  }

  void start(uint32_t n) {
    Group& group = groups_[n];
    for (uint32_t p : producers(n)) group.rank = std::max(group.rank, groups_[find(p)].rank + 1);
    const Node& node = graph_.nodes[n];
    if (!fusable(graph_, node)) return;
    for (ValueId v : node.inputs)
      if (v != kNoId) group.inputs.push_back(v);
    std::sort(group.inputs.begin(), group.inputs.end());
    group.inputs.erase(std::unique(group.inputs.begin(), group.inputs.end()), group.inputs.end());
    group.verbs = fused_program(graph_, node)->expr().nodes.size();
  }

  bool joinable(uint32_t n, uint32_t p) const {
    const Node& producer = graph_.nodes[p];
    return fusable(graph_, producer) && equal_(graph_.type(producer.output()), graph_.type(graph_.nodes[n].output()));
  }

  void join(uint32_t n) {
    uint32_t least = 0;  // the rank that n needs if it stays outside of what could not be joined
    std::vector<uint32_t> candidates;
    for (uint32_t p : producers(n)) {
      const uint32_t group = find(p);
      if (!joinable(n, p))
        least = std::max(least, groups_[group].rank + 1);
      else if (std::find(candidates.begin(), candidates.end(), group) == candidates.end())
        candidates.push_back(group);
    }
    std::sort(candidates.begin(), candidates.end(),
              [&](uint32_t a, uint32_t b) { return groups_[a].rank > groups_[b].rank; });
    for (size_t i = 1; i < candidates.size() && groups_[candidates[i]].rank == groups_[candidates[0]].rank;) {
      const uint32_t rank = groups_[candidates[0]].rank;
      if (merge(candidates[0], candidates[i], rank))
        candidates[0] = find(candidates[0]);
      else
        least = std::max(least, rank + 1);
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (uint32_t group : candidates) {
      const uint32_t mine = find(n);
      const bool joined = groups_[mine].members > 1;
      const uint32_t rank = joined ? groups_[mine].rank : std::max(least, groups_[group].rank);
      const bool lifts = rank > groups_[group].rank;
      if ((!lifts || !groups_[group].read) && merge(mine, group, rank)) continue;
      if (!joined) least = std::max(least, groups_[group].rank + 1);
    }
  }

  // Makes groups a and b one of this rank, unless it would be too large.
  bool merge(uint32_t a, uint32_t b, uint32_t rank) {
    Group& keep = groups_[groups_[a].members >= groups_[b].members ? a : b];
    Group& gone = groups_[groups_[a].members >= groups_[b].members ? b : a];
    if (keep.verbs + gone.verbs > kMaxVerbs) return false;
    std::vector<ValueId> inputs;
    std::set_union(keep.inputs.begin(), keep.inputs.end(), gone.inputs.begin(), gone.inputs.end(),
                   std::back_inserter(inputs));
    std::erase_if(inputs, [&](ValueId in) {
      const uint32_t group = def_[in] == kNoId ? kNoId : find(def_[in]);
      return group == a || group == b;
    });
    if (inputs.size() > kMaxInputs) return false;
    keep.members += gone.members;
    keep.verbs += gone.verbs;
    keep.read = keep.read || gone.read;
    keep.inputs = std::move(inputs);
    keep.rank = rank;
    gone.parent = static_cast<uint32_t>(&keep - groups_.data());
    gone.inputs = {};
    return true;
  }

  const Graph& graph_;
  const FuseOrder& order_;
  const EqualDims& equal_;
  const std::vector<uint32_t> def_;
  std::vector<Group> groups_;
};

}  // namespace

FuseOrder::FuseOrder(const Graph& graph, const std::vector<char>& may_raise)
    : segment(graph.nodes.size()), before(graph.nodes.size(), {kNoId, kNoId}) {
  uint32_t current = 0;
  std::array<uint32_t, 2> last = {kNoId, kNoId};
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const bool writes = node.kind == NodeKind::Apply ? node.op->flags.has(ops::Flag::Memory)
                                                     : node.graphs[0] != kNoId && takes_token(graph, node);
    if (writes) ++current;
    segment[n] = current;
    if (writes) ++current;
    const bool chained[] = {takes_token(graph, node), may_raise[n] || has_effect(graph, node)};
    for (size_t chain = 0; chain < last.size(); ++chain) {
      if (!chained[chain]) continue;
      if (last[chain] != kNoId && segment[last[chain]] == segment[n]) before[n][chain] = last[chain];
      last[chain] = n;
    }
  }
}

EqualDims::EqualDims(ops::SymbolTable& table) : table_(table) {
  for (const ops::SymbolGuard& guard : table.guards()) {
    const auto equal = table.equality(guard);
    if (!equal) continue;
    const ops::ExprId a = root(equal->first), b = root(equal->second);
    if (a != b) up_[a] = b;
  }
}

ops::ExprId EqualDims::root(ops::ExprId id) const {
  for (auto it = up_.find(id); it != up_.end(); it = up_.find(id)) id = it->second;
  return id;
}

bool EqualDims::equal(ops::Dim a, ops::Dim b) const {
  return identical(a, b) ||
         (!up_.empty() && a.hint() == b.hint() && root(expr_of(table_, a)) == root(expr_of(table_, b)));
}

bool EqualDims::operator()(const Type& a, const Type& b) const {
  return a.dims.size() == b.dims.size() && std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(),
                                                      [this](ops::Dim x, ops::Dim y) { return equal(x, y); });
}

std::vector<uint32_t> find_groups(const Graph& graph, const FuseOrder& order, const EqualDims& equal) {
  return Grouping(graph, order, equal).run();
}

}  // namespace ember::bytecode
