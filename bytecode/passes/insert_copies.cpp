// Copy insertion. A Load costs nothing: its value aliases the Ref's memory. If that value, or a view of it, is used at
// or after a later write to the Ref (a write-after-read hazard), a TensorMove copies it first:
//
//   %l = Load(%w, U)                         %l = Load(%w, U)
//   %z = Assign(%w, %x, %u)          ->      %c = TensorMove(%l)
//   %y = Add(%l, %x)                         %z = Assign(%w, %x, %u)
//                                            %y = Add(%c, %x)
//
// Level 1 also copies every loaded value that a graph returns, so that no write after the call can reach it; level 2
// does so only for Refs that the graph writes. A sub-graph always copies what it returns, and a node of control flow
// may pass any input on as any result. Level 0 copies every load, level 3 none.
//
// Forward dataflow: each value has the Loads that reach it through views and control flow, each Ref the number of its
// writes so far. A Load is copied if that number differs between the Load and a use.
#include <algorithm>
#include <atomic>

#include "bytecode/graph/mod_ref.h"
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"
#include "bytecode/transforms/transforms.h"

namespace ember::bytecode {

namespace {

using ops::Kind;

std::atomic<int> level{1};
constexpr size_t kMaxReaching = 16;

class CopyInsertion {
 public:
  CopyInsertion(const Module& m, GraphId id, const ModRef& mod_ref)
      : graph_(m.graph(id)),
        mod_ref_(mod_ref),
        id_(id),
        entry_(id == m.entry),
        writes_(graph_.types.size()),
        reaching_(graph_.types.size()) {}

  // By node: whether it is a Load to copy.
  std::vector<char> run() {
    save_.resize(graph_.nodes.size());
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      each_write(graph_, node, mod_ref_, [&](ValueId ref) { ++writes_[ref_class(ref)]; });
      if (node.kind == NodeKind::Load) {
        loads_.push_back({n, ref_class(node.inputs[0]), writes_[ref_class(node.inputs[0])]});
        reaching_[node.output()] = {static_cast<uint32_t>(loads_.size() - 1)};
        continue;
      }
      for (ValueId in : node.inputs)
        if (in != kNoId && node.kind != NodeKind::UpdateState) use(in);
      propagate(node);
    }
    for (ValueId result : graph_.results) {
      use(result);
      for (uint32_t l : reaching_[result])
        if (!entry_ || level < 2 || writes_[loads_[l].ref] > 0) save_[loads_[l].node] = true;
    }
    return std::move(save_);
  }

 private:
  struct ReachingLoad {
    uint32_t node;
    ValueId ref;
    uint32_t writes;
  };

  ValueId ref_class(ValueId ref) const { return mod_ref_.aliased[id_] ? graph_.params[0] : ref; }

  void use(ValueId id) {
    for (uint32_t l : reaching_[id])
      if (writes_[loads_[l].ref] != loads_[l].writes) save_[loads_[l].node] = true;
  }

  // To results that may alias inputs.
  void propagate(const Node& node) {
    const bool control = node.graphs[0] != kNoId;
    const bool stack = node.kind == NodeKind::Push || node.kind == NodeKind::Pop;
    const bool view = node.kind == NodeKind::Depend || (node.kind == NodeKind::Apply && node.op->view);
    if (!control && !stack && !view) return;
    std::vector<uint32_t> reaching;
    for (size_t i = 0; i < (view ? 1 : node.inputs.size()); ++i)
      if (node.inputs[i] != kNoId)
        reaching.insert(reaching.end(), reaching_[node.inputs[i]].begin(), reaching_[node.inputs[i]].end());
    std::sort(reaching.begin(), reaching.end());
    reaching.erase(std::unique(reaching.begin(), reaching.end()), reaching.end());
    if (reaching.size() > kMaxReaching) {
      for (uint32_t l : reaching) save_[loads_[l].node] = true;
      return;
    }
    for (size_t i = 0; i < node.outputs; ++i) {
      const Kind kind = graph_.type(node.output(i)).kind;
      if (kind == Kind::Tensor || kind == Kind::Stack) reaching_[node.output(i)] = reaching;
    }
  }

  const Graph& graph_;
  const ModRef& mod_ref_;
  const GraphId id_;
  const bool entry_;
  std::vector<uint32_t> writes_;  // by Ref
  std::vector<std::vector<uint32_t>> reaching_;
  std::vector<ReachingLoad> loads_;
  std::vector<char> save_;
};

void insert_moves(Graph& graph, const std::vector<char>& save) {
  if (std::find(save.begin(), save.end(), true) == save.end()) return;
  Replacements replaced(graph);
  std::vector<Node> old = std::move(graph.nodes);
  graph.nodes.clear();
  for (size_t n = 0; n < old.size(); ++n) {
    replaced.apply(old[n].inputs);
    graph.nodes.push_back(std::move(old[n]));
    if (!save[n]) continue;
    const ValueId loaded = graph.nodes.back().output();
    Node move;
    move.kind = NodeKind::TensorMove;
    move.source = graph.nodes.back().source;
    move.inputs = {loaded};
    const Type type = graph.type(loaded);
    replaced.replace(loaded, graph.add_node(std::move(move), std::span(&type, 1)));
  }
  replaced.apply(graph.results);
}

std::vector<char> moved_already(const Graph& graph) {
  const std::vector<uint32_t> def = defining_nodes(graph);
  std::vector<char> moved(graph.nodes.size());
  std::vector<uint32_t> uses = use_counts(graph);
  for (const Node& node : graph.nodes)
    if (node.kind == NodeKind::TensorMove && def[node.inputs[0]] != kNoId && uses[node.inputs[0]] == 1)
      moved[def[node.inputs[0]]] = true;
  return moved;
}

}  // namespace

void set_load_elimination(int new_level) { level = std::clamp(new_level, 0, 3); }
int load_elimination() { return level; }

void insert_copies(Module& m) {
  if (level == 3) return;
  const ModRef mod_ref = find_mod_ref(m);
  for (GraphId id = 0; id < m.graphs.size(); ++id) {
    Graph& graph = m.graph(id);
    std::vector<char> save(graph.nodes.size());
    if (level == 0) {
      const std::vector<char> moved = moved_already(graph);
      for (size_t n = 0; n < save.size(); ++n) save[n] = graph.nodes[n].kind == NodeKind::Load && !moved[n];
    } else {
      save = CopyInsertion(m, id, mod_ref).run();
    }
    insert_moves(graph, save);
  }
}

}  // namespace ember::bytecode
