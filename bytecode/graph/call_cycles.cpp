// Tarjan's strongly connected components, with a stack of its own instead of recursion.
#include "bytecode/graph/call_cycles.h"

#include <algorithm>

namespace ember::bytecode {

namespace {

class Search {
 public:
  Search(const Module& module, CallCycles& cycles) : module_(module), cycles_(cycles), marks_(module.graphs.size()) {}

  void run(GraphId root) {
    if (marks_[root].number != 0) return;
    enter(root);
    while (!steps_.empty()) {
      Step& top = steps_.back();
      const Graph& graph = module_.graph(top.graph);
      const size_t next = top.next++;
      if (next > 2 * graph.nodes.size()) {
        leave();
        continue;
      }
      const bool called = next < 2 * graph.nodes.size();
      const GraphId callee = called ? graph.nodes[next / 2].graphs[next % 2] : graph.gradient;
      if (callee != kNoId) visit(top.graph, callee);
    }
  }

 private:
  struct Step {
    GraphId graph;
    size_t next = 0;  // of the two graphs of each node, and the gradient
  };
  struct Mark {
    uint32_t number = 0, lowest = 0;  // 0: not met so far
    bool open = false;
  };

  void enter(GraphId id) {
    steps_.push_back({id});
    component_.push_back(id);
    marks_[id] = {++count_, count_, true};
  }

  void visit(GraphId from, GraphId callee) {
    if (marks_[callee].number == 0) return enter(callee);
    if (from == callee) cycles_.on[from] = true;
    if (marks_[callee].open) marks_[from].lowest = std::min(marks_[from].lowest, marks_[callee].number);
    cycles_.leading[from] |= cycles_.leading[callee];
  }

  void leave() {
    const GraphId id = steps_.back().graph;
    steps_.pop_back();
    cycles_.callees_first.push_back(id);
    if (marks_[id].lowest == marks_[id].number) close(id);
    cycles_.leading[id] |= cycles_.on[id];
    if (steps_.empty()) return;
    const GraphId caller = steps_.back().graph;
    marks_[caller].lowest = std::min(marks_[caller].lowest, marks_[id].lowest);
    cycles_.leading[caller] |= cycles_.leading[id];
  }

  void close(GraphId first) {
    auto begin = component_.end();
    while (*--begin != first) {
    }
    const bool cycle = component_.end() - begin > 1;
    for (auto id = begin; id != component_.end(); ++id) {
      marks_[*id].open = false;
      if (cycle) cycles_.on[*id] = cycles_.leading[*id] = true;
    }
    component_.erase(begin, component_.end());
  }

  const Module& module_;
  CallCycles& cycles_;
  std::vector<Mark> marks_;
  std::vector<Step> steps_;
  std::vector<GraphId> component_;
  uint32_t count_ = 0;
};

}  // namespace

CallCycles::CallCycles(const Module& module) : on(module.graphs.size()), leading(module.graphs.size()) {
  Search search(module, *this);
  for (GraphId root = 0; root < module.graphs.size(); ++root) search.run(root);
}

CallCycles::CallCycles(const Module& module, GraphId root) : on(module.graphs.size()), leading(module.graphs.size()) {
  Search(module, *this).run(root);
}

std::vector<GraphId> reachable_graphs(const Module& module, GraphId from) {
  std::vector<GraphId> graphs, todo = {from};
  std::vector<char> met(module.graphs.size());
  while (!todo.empty()) {
    const GraphId id = todo.back();
    todo.pop_back();
    if (id == kNoId || met[id]) continue;
    met[id] = true;
    graphs.push_back(id);
    for (const Node& node : module.graph(id).nodes)
      todo.insert(todo.end(), std::begin(node.graphs), std::end(node.graphs));
  }
  return graphs;
}

}  // namespace ember::bytecode
