// Callees are rewritten before their callers, so that these pass a token to graphs which now have effects. A graph
// keeps its id. Composed ops are expanded first: eager execution sees the results of their parts.
#include "bytecode/passes.h"
#include "bytecode/transforms.h"
#include "bytecode/transforms/flow.h"
#include "bytecode/transforms/replay.h"

namespace ember::bytecode {

namespace {

constexpr std::string_view kNote = "note_float_status";

bool of_status(const ops::Op* op) {
  static const ops::Op* const ops[] = {ops::find_op("clear_float_status"), ops::find_op("get_float_status"),
                                       ops::find_op(kNote)};
  return op && std::find(std::begin(ops), std::end(ops), op) != std::end(ops);
}

class Watcher {
 public:
  explicit Watcher(Module& module) : module_(module), done_(module.graphs.size()) {}

  void watch(GraphId id) {
    if (done_[id]) return;
    done_[id] = true;
    for (size_t i = 0; i < module_.graph(id).nodes.size(); ++i)
      for (GraphId callee : std::array{module_.graph(id).nodes[i].graphs[0], module_.graph(id).nodes[i].graphs[1]})
        if (callee != kNoId) watch(callee);
    rewrite(id);
  }

 private:
  void rewrite(GraphId id) {
    const GraphId made = module_.add_graph(module_.graph(id).name);
    GraphBuilder b(module_, made);
    Replay replay(module_, id, b);
    for (ValueId v : without_tokens(replay.source(), replay.source().params)) replay.param(v);
    for (const Node& node : replay.source().nodes) {
      replay.node(node);
      if (node.kind == NodeKind::Apply && !of_status(node.op)) note(b, replay, node);
    }
    b.finish(replay.results());
    Graph& to = module_.graph(id);
    Graph from = std::exchange(module_.graph(made), {});
    to.params = std::move(from.params);
    to.param_names = std::move(from.param_names);
    to.nodes = std::move(from.nodes);
    to.results = std::move(from.results);
    to.types = std::move(from.types);
    module_.graph(made).name = std::move(from.name);
  }

  void note(GraphBuilder& b, Replay& replay, const Node& node) {
    for (size_t i = 0; i < node.outputs; ++i) {
      const Type& type = replay.source().type(node.output(i));
      if (!ops::is_float(type.dtype) || (type.kind != ops::Kind::Tensor && type.kind != ops::Kind::Ref)) continue;
      const ops::Value result = replay[node.output(i)];
      b.apply(*ops::find_op(kNote), std::array{type.kind == ops::Kind::Ref ? b.load(result) : result}, {});
    }
  }

  Module& module_;
  std::vector<char> done_;
};

}  // namespace

bool has_float_status(const Module& module) {
  for (const Graph& graph : module.graphs)
    for (const Node& node : graph.nodes)
      if (of_status(node.op)) return true;
  return false;
}

void watch_floats(Module& module, bool all) {
  if (!all && !has_float_status(module)) return;
  const ops::SymbolScope scope(&module.symbols);
  expand_composed(module);
  Watcher watcher(module);
  const size_t graphs = module.graphs.size();
  for (GraphId id = 0; id < graphs; ++id) watcher.watch(id);
}

}  // namespace ember::bytecode
