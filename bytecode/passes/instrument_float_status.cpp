// Instrumentation: note_float_status after each op with floating-point results, in every graph of the module.
//
// Callees are rewritten before their callers, so that these pass a token to graphs which now have effects; recursive
// graphs declare theirs first. A graph keeps its id. Composed ops are expanded first: eager execution sees the results
// of their parts.
#include "bytecode/graph/call_cycles.h"
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/flow.h"
#include "bytecode/transforms/replay.h"

namespace ember::bytecode {

namespace {

bool of_status(const Node& node) { return node.op && node.op->flags.has(ops::Flag::FloatStatus); }

class Instrumenter {
 public:
  explicit Instrumenter(Module& module)
      : module_(module), cycles_(module), done_(module.graphs.size()), is_test_(module.graphs.size()) {
    for (const Graph& graph : module.graphs)
      for (const Node& node : graph.nodes)
        if (node.kind == NodeKind::While) is_test_[node.graphs[0]] = true;
  }

  void instrument(GraphId id) {
    if (done_[id]) return;
    done_[id] = true;
    GraphBuilder b(module_, id);
    Replay replay(module_, id, b);
    const Graph& source = replay.source();
    clear(id, b, replay);
    for (const Node& node : source.nodes)
      for (GraphId callee : node.graphs)
        if (callee != kNoId) instrument(callee);
    for (const Node& node : source.nodes) {
      replay.node(node);
      if (node.kind == NodeKind::Apply && !of_status(node)) note(b, replay, node);
    }
    b.finish(replay.results());
  }

 private:
  // Declares effects of a recursive graph, whether it has some now or not.
  void clear(GraphId id, GraphBuilder& b, Replay& replay) {
    const Graph& source = replay.source();
    Graph& graph = module_.graph(id);
    graph.params.clear();
    graph.param_names.clear();
    graph.nodes.clear();
    graph.results.clear();
    graph.types.clear();
    for (ValueId v : without_tokens(source, source.params)) replay.param(v);
    if (!cycles_.on[id] || is_test_[id]) return;
    b.declare(types_without_tokens(source, source.results), true);
  }

  void note(GraphBuilder& b, Replay& replay, const Node& node) {
    for (size_t i = 0; i < node.outputs; ++i) {
      const Type& type = replay.source().type(node.output(i));
      if (!ops::is_inexact(type.dtype) || (type.kind != ops::Kind::Tensor && type.kind != ops::Kind::Ref)) continue;
      const ops::Value result = replay[node.output(i)];
      b.apply(ops::op("note_float_status"), std::array{type.kind == ops::Kind::Ref ? b.load(result) : result}, {});
    }
  }

  Module& module_;
  const CallCycles cycles_;
  std::vector<char> done_, is_test_;  // by GraphId
};

}  // namespace

bool has_float_status(const Module& module) {
  for (const Graph& graph : module.graphs)
    for (const Node& node : graph.nodes)
      if (of_status(node)) return true;
  return false;
}

void instrument_float_status(Module& module, bool all) {
  if (!all && !has_float_status(module)) return;
  const ops::SymbolScope scope(&module.symbols);
  expand_composed(module);
  Instrumenter instrumenter(module);
  instrumenter.instrument(module.entry);
  const size_t graphs = module.graphs.size();
  for (GraphId id = 0; id < graphs; ++id) instrumenter.instrument(id);
}

}  // namespace ember::bytecode
