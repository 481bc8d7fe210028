// The order in which the nodes of an entry graph are lowered: theirs, but for updates, which come as soon as they may.
// A training step then needs no more than one gradient at a time, which is still in a cache:
//
//     %dw2 = MatMul(%x2', %dy2)       %dw2 = MatMul(%x2', %dy2)
//     %dy1 = MatMul(%dy2, %w2')       %dy1 = MatMul(%dy2, %w2')
//     %dw1 = MatMul(%x1', %dy1)       Assign(%w2, %w2 - %dw2)
//     Assign(%w2, %w2 - %dw2)         %dw1 = MatMul(%x1', %dy1)
//     Assign(%w1, %w1 - %dw1)         Assign(%w1, %w1 - %dw1)
//
// An update is a write of a Ref, with the elementwise nodes, reductions and views that only writes need, where they
// have not been computed. It follows what it computes with, the earlier readers of the Ref's memory, the write before
// it, and all that may raise, that has an outside effect or graphs of its own before it. Writes of the results of one
// node stay together, so that these can lie in the Refs' memory. The Refs of an entry share no memory
// (vm::BindOptions::written_unaliased).
//
// What begins something that goes on meanwhile (ops::Flag::Begins) is as an update, and follows what was begun before.
#include <algorithm>

#include "bytecode/lower/lower.h"
#include "bytecode/passes/may_raise.h"
#include "bytecode/passes/rewrite.h"

namespace ember::bytecode::lowering {
namespace {

using ops::Kind;
using Nodes = std::vector<uint32_t>;

constexpr int kRounds = 8;

enum class Role : uint8_t { Fixed, Barrier, Needed, Write };  // Needed: for updates, and may come before its place

class UpdateOrder {
 public:
  UpdateOrder(const Module& module, const Graph& graph)
      : graph_(graph), def_(defining_nodes(graph)), before_(graph.nodes.size()), due_(graph.nodes.size()) {
    find_roles(nodes_that_may_raise(graph, graphs_that_may_raise(module)));
    find_hazards();
  }

  // Empty: their own order.
  Nodes run() {
    bool settled = false;
    for (int round = 0; round < kRounds && !settled; ++round) settled = find_due();
    if (!settled) return {};
    Nodes order;
    std::vector<Nodes> writes(graph_.nodes.size() + 1);
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (roles_[n] == Role::Write) writes[due_[n]].push_back(n);
    placed_.assign(graph_.nodes.size(), false);
    for (uint32_t n = 0; n <= graph_.nodes.size(); ++n) {
      if (n > 0) place(n - 1, &order);
      for (uint32_t write : writes[n]) place(write, &order);
    }
    return order;
  }

 private:
  Role role_by_kind(const Node& node, bool raises) const {
    switch (node.kind) {
      case NodeKind::Apply: {
        const ops::Flags flags = node.op->flags;
        if (flags.has(ops::Flag::Begins)) return Role::Write;
        if (raises || flags.has(ops::Flag::Io) || flags.has(ops::Flag::Raises)) return Role::Barrier;
        if (flags.has(ops::Flag::Memory)) return Role::Write;
        if (takes_token(graph_, node)) return Role::Barrier;
        return node.op->elementwise() || node.op->view ? Role::Needed : Role::Fixed;
      }
      case NodeKind::If:
      case NodeKind::While:
      case NodeKind::Call:
        return Role::Barrier;
      case NodeKind::Constant:
      case NodeKind::Scalar:
      case NodeKind::Size:
      case NodeKind::Item:
      case NodeKind::ToTensor:
      case NodeKind::Load:
      case NodeKind::Depend:
      case NodeKind::TensorMove:
      case NodeKind::Fused:
      case NodeKind::FusedReduce:
        return Role::Needed;
      default:
        return Role::Fixed;
    }
  }

  void find_roles(const std::vector<char>& may_raise) {
    std::vector<char> used(graph_.types.size()), used_elsewhere(graph_.types.size());
    for (ValueId result : graph_.results) used_elsewhere[result] = true;
    roles_.resize(graph_.nodes.size());
    for (uint32_t n = static_cast<uint32_t>(graph_.nodes.size()); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      Role& role = roles_[n] = role_by_kind(node, may_raise[n]);
      if (role == Role::Needed) {
        bool of_writes = false, of_others = false;
        for (size_t i = 0; i < node.outputs; ++i) {
          of_writes |= used[node.output(i)] != 0;
          of_others |= used_elsewhere[node.output(i)] != 0;
        }
        if (of_others || !of_writes) role = Role::Fixed;
      }
      if (node.kind == NodeKind::UpdateState) continue;
      std::vector<char>& marks = role == Role::Write || role == Role::Needed ? used : used_elsewhere;
      for (ValueId in : node.inputs)
        if (in != kNoId) marks[in] = true;
    }
  }

  // What comes before a node: the definitions of its operands, and of one that reads or writes a Ref's memory the write
  // before it; of a write also those who read since.
  void find_hazards() {
    std::vector<Nodes> refs(graph_.types.size());  // by value: whose memory it may be in
    std::vector<Nodes> readers(graph_.types.size());
    std::vector<uint32_t> last_write(graph_.types.size(), kNoId);
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::UpdateState) continue;
      const auto follow = [&](uint32_t earlier) {
        if (earlier != kNoId && earlier != n) before_[n].push_back(earlier);
      };
      for (ValueId in : node.inputs) {
        if (in == kNoId || graph_.type(in).kind == Kind::Token) continue;
        follow(def_[in]);
        for (ValueId ref : refs[in]) {
          follow(last_write[ref]);
          readers[ref].push_back(n);
        }
        if (graph_.type(in).kind != Kind::Ref) continue;
        follow(last_write[in]);
        if (node.kind == NodeKind::Load) {
          readers[in].push_back(n);
          continue;
        }
        std::ranges::for_each(readers[in], follow);
        readers[in].clear();
        last_write[in] = n;
      }
      share_memory(node, &refs);
    }
  }

  void share_memory(const Node& node, std::vector<Nodes>* refs) const {
    const bool first = node.kind == NodeKind::Depend || (node.kind == NodeKind::Apply && node.op->view);
    const bool any = node.graphs[0] != kNoId || node.kind == NodeKind::Push || node.kind == NodeKind::Pop;
    if (!first && !any && node.kind != NodeKind::Load) return;
    Nodes shared;
    for (size_t i = 0; i < (any ? node.inputs.size() : 1); ++i) {
      const ValueId in = node.inputs[i];
      if (in == kNoId) continue;
      if (graph_.type(in).kind == Kind::Ref) shared.push_back(in);
      shared.insert(shared.end(), (*refs)[in].begin(), (*refs)[in].end());
    }
    std::ranges::sort(shared);
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    for (size_t i = 0; i < node.outputs; ++i) (*refs)[node.output(i)] = shared;
  }

  // After how many nodes, in their own order, each may come. Whether that is the same as when it was asked last.
  bool find_due() {
    bool same = true;
    uint32_t barrier = 0, begun = 0;
    std::vector<uint32_t> due_together(graph_.nodes.size());
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const bool moves = roles_[n] == Role::Needed || roles_[n] == Role::Write;
      uint32_t due = moves ? due_[n] : n + 1;
      if (roles_[n] == Role::Barrier) barrier = n + 1;
      if (moves)
        for (uint32_t earlier : before_[n]) due = std::max(due, due_[earlier]);
      if (roles_[n] == Role::Write) due = std::max(due, barrier);
      if (begins(n)) due = begun = std::max(due, begun);
      if (const uint32_t producer = maker(n); producer != kNoId)
        due = due_together[producer] = std::max(due, due_together[producer]);
      same &= due == due_[n];
      due_[n] = due;
    }
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const uint32_t producer = maker(n);
      if (producer == kNoId || due_[n] == due_together[producer]) continue;
      due_[n] = due_together[producer];
      same = false;
    }
    return same;
  }

  bool begins(uint32_t n) const {
    const Node& node = graph_.nodes[n];
    return node.kind == NodeKind::Apply && node.op->flags.has(ops::Flag::Begins);
  }

  // The node that computes what a node writes.
  uint32_t maker(uint32_t n) const {
    if (roles_[n] != Role::Write || begins(n) || graph_.nodes[n].inputs[1] == kNoId) return kNoId;
    return def_[graph_.nodes[n].inputs[1]];
  }

  void place(uint32_t n, Nodes* order) {
    if (placed_[n]) return;
    Nodes needs = {n};
    placed_[n] = true;
    for (size_t i = 0; i < needs.size(); ++i) {
      for (uint32_t earlier : before_[needs[i]]) {
        if (placed_[earlier]) continue;
        placed_[earlier] = true;
        needs.push_back(earlier);
      }
    }
    std::ranges::sort(needs);
    order->insert(order->end(), needs.begin(), needs.end());
  }

  const Graph& graph_;
  const Nodes def_;
  std::vector<Nodes> before_;
  Nodes due_;
  std::vector<Role> roles_;
  std::vector<char> placed_;
};

}  // namespace

std::vector<uint32_t> evaluation_order(const Module& module, GraphId id) {
  const Graph& graph = module.graph(id);
  const bool writes = std::ranges::any_of(graph.nodes, [](const Node& node) {
    return node.kind == NodeKind::Apply && node.op->flags.has(ops::Flag::Memory);
  });
  return writes ? UpdateOrder(module, graph).run() : Nodes();
}

}  // namespace ember::bytecode::lowering
