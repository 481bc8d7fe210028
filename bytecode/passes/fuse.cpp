// Makes one node of every group that fuse_groups.cpp finds: the members' expressions concatenated, with a result for
// each value that somebody outside reads. Expressions keep their roundings, so no bit changes. A group stands where its
// first member stood; what it reads moves before it, within the stretch between two writes; states keep their order,
// and so do effects and errors.
#include "bytecode/passes/fuse.h"

#include <unordered_map>

#include "bytecode/passes.h"
#include "bytecode/passes/rewrite.h"
#include "bytecode/raises.h"
#include "ops/program.h"

namespace ember::bytecode {

namespace {

class Fuser {
 public:
  Fuser(Graph& graph, const std::vector<char>& raising)
      : graph_(graph), order_(graph, raising), groups_(find_groups(graph, order_)), made_by_(makers(graph)) {}

  void run() {
    const size_t count = graph_.nodes.size();
    members_.resize(count);
    for (uint32_t n = 0; n < count; ++n) members_[unit(n)].push_back(n);
    find_escapes();
    emitted_.resize(count);
    made_.reserve(count);
    for (uint32_t n = 0; n < count; ++n) emit_from(unit(n));
    graph_.nodes = std::move(made_);
    replaced_.apply(graph_);
  }

 private:
  struct Renamed {
    std::unordered_map<ValueId, ValueId> to;
    void apply(Graph& graph) const {
      const auto rename = [&](ValueId& id) {
        if (const auto found = to.find(id); found != to.end()) id = found->second;
      };
      for (Node& node : graph.nodes)
        for (ValueId& in : node.inputs) rename(in);
      for (ValueId& result : graph.results) rename(result);
    }
  };

  uint32_t unit(uint32_t n) const { return groups_.group[n] == kNoId ? n : groups_.group[n]; }

  void find_escapes() {
    escapes_.resize(graph_.types.size());
    for (ValueId result : graph_.results) escapes_[result] = true;
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
      for (ValueId in : graph_.nodes[n].inputs)
        if (in != kNoId && made_by_[in] != kNoId && unit(made_by_[in]) != unit(n)) escapes_[in] = true;
  }

  // Units that have to come before this one, in its segment.
  std::vector<uint32_t> needs(uint32_t u) const {
    std::vector<uint32_t> found;
    const auto need = [&](uint32_t n, uint32_t producer) {
      if (producer == kNoId || order_.segment[producer] != order_.segment[n] || unit(producer) == u) return;
      if (!emitted_[unit(producer)]) found.push_back(unit(producer));
    };
    for (uint32_t n : members_[u]) {
      for (uint32_t before : order_.before[n]) need(n, before);
      for (ValueId in : graph_.nodes[n].inputs)
        if (in != kNoId) need(n, made_by_[in]);
    }
    return found;
  }

  void emit_from(uint32_t first) {
    std::vector<uint32_t> stack = {first};
    while (!stack.empty()) {
      const uint32_t u = stack.back();
      if (emitted_[u]) {
        stack.pop_back();
        continue;
      }
      const std::vector<uint32_t> missing = needs(u);
      stack.insert(stack.end(), missing.rbegin(), missing.rend());
      if (!missing.empty()) continue;
      stack.pop_back();
      emitted_[u] = true;
      if (groups_.group[u] == kNoId)
        made_.push_back(std::move(graph_.nodes[u]));
      else
        made_.push_back(fused(members_[u]));
    }
  }

  Types operand_types(const Node& node) const {
    Types types;
    for (ValueId in : node.inputs) types.push_back(in == kNoId ? Type::token() : graph_.type(in));
    return types;
  }

  Node fused(const std::vector<uint32_t>& members) {
    ops::ExprBuilder builder;
    std::unordered_map<ValueId, ops::Ex> known;
    Node made;
    made.kind = NodeKind::Fused;
    made.source = graph_.nodes[members.back()].source;
    std::vector<ValueId> results;
    std::vector<ops::Ex> outputs;
    const Node* reduction = nullptr;
    for (uint32_t n : members) {
      const Node& node = graph_.nodes[n];
      if (groups_.reduction[n]) {
        reduction = &node;
        continue;
      }
      std::vector<ops::Ex> operands;
      for (ValueId in : node.inputs) operands.push_back(operand(builder, made, known, in));
      const gc::Ref<const ops::Program> program = ops::program(*node.op, operand_types(node), node.attrs);
      const ops::Ex out = builder.append(program->expr(), operands);
      known.emplace(node.output(), out);
      if (!escapes_[node.output()]) continue;
      results.push_back(node.output());
      outputs.push_back(out);
    }
    if (reduction) {
      outputs = {known.at(reduction->inputs[0])};
      results = {reduction->output()};
      made.kind = NodeKind::FusedReduce;
      made.op = reduction->op;
      made.attrs = reduction->attrs;
      made.source = reduction->source;
    }
    made.expr = std::make_shared<const ops::Expr>(builder.finish(outputs));
    number_results(made, results);
    return made;
  }

  ops::Ex operand(ops::ExprBuilder& builder, Node& made, std::unordered_map<ValueId, ops::Ex>& known, ValueId id) {
    if (id == kNoId) return builder.constant_bits(ops::DType::Bool, 0);
    const auto found = known.find(id);
    if (found != known.end()) return found->second;
    const ops::Ex input = builder.input(static_cast<uint16_t>(made.inputs.size()), graph_.type(id).dtype);
    made.inputs.push_back(id);
    known.emplace(id, input);
    return input;
  }

  // Results of a node are numbered in a row.
  void number_results(Node& made, const std::vector<ValueId>& results) {
    made.outputs = static_cast<uint16_t>(results.size());
    made.first_output = static_cast<ValueId>(graph_.types.size());
    for (ValueId result : results) {
      replaced_.to.emplace(result, static_cast<ValueId>(graph_.types.size()));
      graph_.types.push_back(Type(graph_.types[result]));
    }
  }

  Graph& graph_;
  const FuseOrder order_;
  const FuseGroups groups_;
  const std::vector<uint32_t> made_by_;
  std::vector<std::vector<uint32_t>> members_;
  std::vector<char> escapes_, emitted_;
  std::vector<Node> made_;
  Renamed replaced_;
};

}  // namespace

void fuse(Module& m) {
  const std::vector<char> raising = raising_graphs(m);
  for (Graph& graph : m.graphs) Fuser(graph, raising_nodes(graph, raising)).run();
}

}  // namespace ember::bytecode
