// Rematerialisation: what each fusion group computes. A group computes those of its nodes that are live, and may
// recompute (copy) elementwise nodes of earlier groups instead of loading their results from memory. A value v used by
// the group at position u, in the order in which groups run, and last used or defined at position d < u costs
//
//   residency(v) = bytes(v) * (u - d - 1)     0 if v is resident anyway: a parameter of the program, a constant, loaded
//                                             by this group or a later one, or broadcast to the group's dims
//   recompute(v) = the sum of residency(i) over the inputs i of its definition, each loaded or recomputed in turn
//
// and is recomputed if recompute(v) < residency(v), within a budget of arithmetic: one more element may cost as much as
// storing and loading it would. For instance
//
//   group 0    %p = MatMul(%x, %w)
//   group 1    %y = Add(%p, %b)            1 MB
//   group 2    %t0 = MatMul(%y, %x)        and more that ends in %t
//   group 9    %d = Mul(%t, %y)
//   group 10   %g = MatMul(%d, %p)         so %p is resident at group 9
//
// residency(%y) = 1 MB * (9 - 2 - 1), recompute(%y) = residency(%p) + residency(%b) = 0: group 9 fuses
// Mul(%t, Add(%p, %b)). So activations stay from the forward to the backward part only if others cannot give them.
//
// A copy applies the same ops to the same operands, so no bit changes. Only fused groups recompute, since there it
// takes no pass over memory; the operands of a product or another kernel are always loaded. No later pass may merge a
// copy with its original. Groups are visited last to first: what later groups keep resident is known then, and a value
// of which only copies are left is dead where it was defined.
#include <algorithm>
#include <unordered_set>

#include "bytecode/passes/fuse.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode {

namespace {

constexpr size_t kMaxReads = 2;  // added by one copy: as many passes as storing and loading its value
constexpr uint64_t kInfinite = uint64_t{1} << 60;

// The budget of one copy and the cost of verbs, in hundredths of a nanosecond an element, measured with AVX2: what
// storing and loading an element costs in a cache, and in memory from a residency of kCache on.
constexpr size_t kCostInCache = 15, kCostInMemory = 45;
constexpr uint64_t kCache = uint64_t{16} << 20;

bool reduces(const Node& node) {
  if (node.kind != NodeKind::Apply || node.inputs.size() != 1 || !node.op->reduces) return false;
  const ops::ReduceKind kind = *node.op->reduces;
  return kind == ops::ReduceKind::Sum || kind == ops::ReduceKind::Max || kind == ops::ReduceKind::Min;
}

// Whether it has fewer elements than what it is broadcast to.
bool is_broadcast(const Type& type, const Type& by) {
  if (type.dims.size() != by.dims.size()) return type.dims.size() < by.dims.size();
  const auto is_one = [](ops::Dim d) { return identical(d, ops::Dim(1)); };
  for (size_t i = 0; i < type.dims.size(); ++i)
    if (is_one(type.dims[i]) && !is_one(by.dims[i])) return true;
  return false;
}

class Rematerialiser {
 public:
  Rematerialiser(const Graph& graph, const FuseOrder& order, const EqualDims& equal, const std::vector<char>& may_raise,
                 bool entry, std::vector<uint32_t>& group_of)
      : graph_(graph),
        order_(order),
        equal_(equal),
        may_raise_(may_raise),
        entry_(entry),
        group_of_(group_of),
        def_(defining_nodes(graph)),
        root_(graph.types.size()),
        last_segment_(graph.types.size()),
        read_positions_(graph.types.size()),
        position_(graph.nodes.size()),
        readers_(graph.types.size()),
        live_(graph.types.size()),
        resident_(graph.types.size()) {
    for (ValueId v = 0; v < root_.size(); ++v) root_[v] = v;
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) find_roots(n);
  }

  FusionGroups run(std::span<const uint32_t> groups) {
    plan_.members.resize(graph_.nodes.size());
    plan_.live_out.resize(graph_.types.size());
    plan_.reduction.resize(graph_.nodes.size());
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) plan_.members[group_of_[n]].push_back(n);
    find_readers(groups);
    for (ValueId result : graph_.results) read(result);
    for (size_t i = groups.size(); i-- > 0;) visit(groups[i]);
    absorb_into_reductions();
    return std::move(plan_);
  }

 private:
  // A choice for one group: the nodes to copy, what the group loads then, what its copies cost.
  struct Recomputation {
    std::vector<uint32_t> nodes;
    std::vector<ValueId> reads;
    size_t cost = 0;
  };

  // The root of a value's views, whose memory it aliases, and the last segment that reads it: the memory of a Load may
  // be written after that.
  void find_roots(uint32_t n) {
    const Node& node = graph_.nodes[n];
    if (node.kind == NodeKind::Depend || (node.kind == NodeKind::Apply && node.op->view))
      root_[node.output()] = root_[node.inputs[0]];
    for (size_t i = 0; i < node.outputs; ++i) last_segment_[root_[node.output(i)]] = order_.segment[n];
    for (ValueId in : node.inputs)
      if (in != kNoId && node.kind != NodeKind::UpdateState) last_segment_[root_[in]] = order_.segment[n];
  }

  void find_readers(std::span<const uint32_t> groups) {
    for (uint32_t i = 0; i < groups.size(); ++i) {
      position_[groups[i]] = i;
      for (uint32_t n : plan_.members[groups[i]])
        for (ValueId in : graph_.nodes[n].inputs)
          if (in != kNoId) read_positions_[root_[in]].push_back(i);
    }
  }

  void read(ValueId v) {
    plan_.live_out[v] = live_[v] = resident_[root_[v]] = true;
    ++readers_[v];
  }

  void visit(uint32_t group) {
    std::vector<uint32_t>& members = plan_.members[group];
    std::vector<ValueId> reads;
    std::vector<uint32_t> needed;
    for (size_t i = members.size(); i-- > 0;) {
      const Node& node = graph_.nodes[members[i]];
      if (fusable(graph_, node) && !may_raise_[members[i]] && !live_[node.output()]) continue;
      needed.push_back(members[i]);
      for (ValueId in : node.inputs) {
        if (in == kNoId) continue;
        const bool inside = def_[in] != kNoId && group_of_[def_[in]] == group;
        if (inside)
          live_[in] = true;
        else
          reads.push_back(in);
      }
    }
    members.assign(needed.rbegin(), needed.rend());
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    if (!members.empty() && fusable(graph_, graph_.nodes[members[0]])) {
      const Recomputation copies = choose_copies(group, reads);
      members.insert(members.end(), copies.nodes.begin(), copies.nodes.end());
      std::sort(members.begin(), members.end());
      reads = copies.reads;
    }
    for (ValueId v : reads) read(v);
  }

  Recomputation choose_copies(uint32_t group, const std::vector<ValueId>& reads) {
    at_ = position_[group];
    segment_ = order_.segment[group];
    iteration_type_ = &graph_.type(graph_.nodes[group].output());
    rejected_.clear();
    Recomputation all;
    for (ValueId v : reads)
      if (!recomputable(v)) all.reads.push_back(v);
    for (ValueId v : reads) {
      if (!recomputable(v)) continue;
      budget_ = all.cost + (residency_cost(v) < kCache ? kCostInCache : kCostInMemory);
      supply(v, all);
    }
    return fits(group, all) ? all : Recomputation{{}, reads, 0};
  }

  bool recomputable(ValueId v) const {
    const uint32_t n = def_[v];
    return n != kNoId && !may_raise_[n] && fusable(graph_, graph_.nodes[n]) && equal_(graph_.type(v), *iteration_type_);
  }

  // Bytes times the groups that run between the last use before this one, or the definition, and this one.
  uint64_t residency_cost(ValueId v) const {
    const Type& type = graph_.type(v);
    const ValueId root = root_[v];
    const Node* from = def_[root] == kNoId ? nullptr : &graph_.nodes[def_[root]];
    const bool lasts = !from || from->kind == NodeKind::Constant ||
                       (from->kind == NodeKind::Apply && !from->op->flags.has(ops::Flag::Memory));
    if (type.kind != ops::Kind::Tensor) return 0;
    if (!lasts && last_segment_[root] < segment_) return kInfinite;
    if (is_broadcast(type, *iteration_type_) || resident_[root]) return 0;
    if (from ? from->kind == NodeKind::Constant || from->kind == NodeKind::Load : entry_) return 0;
    const std::vector<uint32_t>& readers = read_positions_[root];
    const auto next = std::lower_bound(readers.begin(), readers.end(), at_);
    const uint32_t defined_at = from ? position_[group_of_[def_[root]]] : 0;
    uint64_t bytes = ops::itemsize(type.dtype);
    for (ops::Dim d : type.dims) bytes *= static_cast<uint64_t>(d.hint());
    return bytes * (at_ - (next == readers.begin() ? defined_at : *std::prev(next)) - 1);
  }

  // Recomputes or loads the value, whichever costs less, and returns the cost in residency.
  uint64_t supply(ValueId v, Recomputation& copies) {
    const auto reads = [&](ValueId other) { return root_[other] == root_[v]; };
    const uint32_t n = def_[v];
    if (std::find(copies.reads.begin(), copies.reads.end(), v) != copies.reads.end()) return 0;
    if (std::find(copies.nodes.begin(), copies.nodes.end(), n) != copies.nodes.end()) return 0;
    const uint64_t residency = std::any_of(copies.reads.begin(), copies.reads.end(), reads) ? 0 : residency_cost(v);
    if (residency > 0 && recomputable(v) && !rejected_.contains(v)) {
      Recomputation more = copies;
      more.nodes.push_back(n);
      more.cost += node_cost(n);
      uint64_t computed = more.cost > budget_ ? kInfinite : 0;
      for (ValueId in : graph_.nodes[n].inputs)
        if (in != kNoId && computed < residency) computed += supply(in, more);
      if (computed < residency && more.reads.size() <= copies.reads.size() + kMaxReads) {
        copies = std::move(more);
        return computed;
      }
      rejected_.insert(v);
    }
    copies.reads.push_back(v);
    return residency;
  }

  size_t node_cost(uint32_t n) const {
    size_t sum = 0;
    for (const ops::ExprNode& node : fused_program(graph_, graph_.nodes[n])->expr().nodes)
      sum += static_cast<size_t>(info(node.verb).cost);
    return sum;
  }

  bool fits(uint32_t group, const Recomputation& copies) const {
    if (copies.nodes.empty()) return true;
    size_t verbs = 0;
    for (uint32_t n : plan_.members[group]) verbs += fused_program(graph_, graph_.nodes[n])->expr().nodes.size();
    for (uint32_t n : copies.nodes) verbs += fused_program(graph_, graph_.nodes[n])->expr().nodes.size();
    return verbs <= kMaxVerbs && copies.reads.size() <= kMaxInputs;
  }

  // A reduction becomes part of the group whose only live-out value it alone reads.
  void absorb_into_reductions() {
    std::vector<uint32_t> results(graph_.nodes.size());
    for (ValueId v = 0; v < def_.size(); ++v)
      if (def_[v] != kNoId) results[group_of_[def_[v]]] += plan_.live_out[v];
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (!reduces(node) || node.inputs[0] == kNoId || def_[node.inputs[0]] == kNoId) continue;
      const uint32_t p = def_[node.inputs[0]];
      if (!fusable(graph_, graph_.nodes[p]) || order_.segment[p] != order_.segment[n]) continue;
      if (readers_[node.inputs[0]] != 1 || results[group_of_[p]] != 1) continue;
      group_of_[n] = group_of_[p];
      plan_.members[group_of_[p]].push_back(n);
      plan_.members[n].clear();
      plan_.reduction[n] = true;
    }
  }

  const Graph& graph_;
  const FuseOrder& order_;
  const EqualDims& equal_;
  const std::vector<char>& may_raise_;
  const bool entry_;
  std::vector<uint32_t>& group_of_;
  const std::vector<uint32_t> def_;
  std::vector<ValueId> root_;                          // by value
  std::vector<uint32_t> last_segment_;                 // by root
  std::vector<std::vector<uint32_t>> read_positions_;  // by root: positions of groups
  std::vector<uint32_t> position_;                     // by group
  std::vector<uint32_t> readers_;                      // by value: how many groups read it
  std::vector<char> live_;                             // by value: a group loads it, or its own group uses it
  std::vector<char> resident_;                         // by root: a later group loads it
  FusionGroups plan_;

  // Of the group that is visited.
  uint32_t at_ = 0, segment_ = 0;
  const Type* iteration_type_ = nullptr;
  size_t budget_ = 0;
  std::unordered_set<ValueId> rejected_;  // cheaper to load
};

}  // namespace

bool fusable(const Graph& graph, const Node& node) {
  return node.kind == NodeKind::Apply && node.op->elementwise() && !node.op->has_effect() && node.outputs == 1 &&
         graph.type(node.output()).kind == ops::Kind::Tensor;
}

gc::Ref<const ops::Program> fused_program(const Graph& graph, const Node& node) {
  Types types;
  for (ValueId in : node.inputs) types.push_back(in == kNoId ? Type::token() : graph.type(in));
  return ops::program(*node.op, types, node.attrs);
}

FusionGroups rematerialise(const Graph& graph, const FuseOrder& order, const EqualDims& equal,
                           const std::vector<char>& may_raise, std::span<const uint32_t> groups, bool entry,
                           std::vector<uint32_t>& group_of) {
  return Rematerialiser(graph, order, equal, may_raise, entry, group_of).run(groups);
}

}  // namespace ember::bytecode
