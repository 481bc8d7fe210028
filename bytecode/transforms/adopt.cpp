// Graphs of a module of its own, as of a file, as graphs of another one: sizes become expressions of that one's
// symbols, and what was guarded is guarded there.
#include <algorithm>
#include <optional>

#include "bytecode/transforms/transforms.h"

namespace ember::bytecode {
namespace {

using ops::Dim;

class Adopter {
 public:
  Adopter(Module& to, const Module& from)
      : to_(to), from_(from), scope_(&to.symbols), symbols_(from.symbols.symbols()) {}

  GraphId run(std::span<const Type> operands) {
    const Graph& entry = from_.graph(from_.entry);
    if (operands.size() != entry.params.size())
      ops::type_error("the graph takes " + std::to_string(entry.params.size()) + " values, but got " +
                      std::to_string(operands.size()));
    check_entry(entry);
    for (size_t i = 0; i < operands.size(); ++i) take(i, operands[i]);
    evaluate();
    for (size_t i = 0; i < operands.size(); ++i) check_sizes(i, operands[i]);
    for (const ops::SymbolGuard& g : from_.symbols.guards()) check(g);
    const GraphId first = static_cast<GraphId>(to_.graphs.size());
    for (const Graph& graph : from_.graphs) to_.graphs.push_back(adopted(graph, first));
    return first + from_.entry;
  }

 private:
  // Calls of the entry would have no token for its effects, and results are Tensors and numbers.
  void check_entry(const Graph& entry) const {
    const auto calls_entry = [&](const Node& node) {
      return node.graphs[0] == from_.entry || node.graphs[1] == from_.entry;
    };
    if (graph_has_effect(from_, from_.entry)) {
      for (const Graph& graph : from_.graphs) {
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(), calls_entry))
          ops::value_error("the graph has effects and calls itself");
      }
    }
    for (const ValueId result : entry.results) {
      const ops::Kind kind = entry.type(result).kind;
      if (kind == ops::Kind::Stack || kind == ops::Kind::Token)
        ops::value_error("the graph gives what is no Tensor and no number");
    }
  }

  const Type& param(size_t i) const {
    const Graph& entry = from_.graph(from_.entry);
    return entry.type(entry.params[i]);
  }

  [[noreturn]] void refuse(size_t i, const Type& argument) const {
    const std::string text = "'" + from_.graph(from_.entry).param_names[i] + "' of the graph must be " +
                             to_string(param(i), from_.symbols) + ", but got " + to_string(argument);
    if (argument.kind != ops::Kind::Ref && (argument.kind != param(i).kind || argument.dtype != param(i).dtype))
      ops::type_error(text);
    ops::value_error(text);
  }

  void take(size_t i, const Type& argument) {
    const Type& type = param(i);
    const bool same = argument.kind == type.kind || (argument.kind == ops::Kind::Ref && type.kind == ops::Kind::Tensor);
    if (!same || argument.dtype != type.dtype || argument.dims.size() != type.dims.size()) refuse(i, argument);
    for (size_t d = 0; d < type.dims.size(); ++d) {
      if (!type.dims[d].symbolic()) continue;
      const ops::SymbolExpr& expr = from_.symbols.exprs()[type.dims[d].expr];
      if (expr.op == ops::SymbolOp::Symbol && !symbols_[expr.a])
        symbols_[expr.a] = expr_of(to_.symbols, argument.dims[d]);
    }
  }

  void check_sizes(size_t i, const Type& argument) const {
    for (size_t d = 0; d < argument.dims.size(); ++d)
      if (argument.dims[d] != adopted(param(i).dims[d])) refuse(i, argument);
  }

  void evaluate() {
    for (const ops::SymbolExpr& e : from_.symbols.exprs()) exprs_.push_back(value(e));
  }

  ops::ExprId value(const ops::SymbolExpr& e) const {
    switch (e.op) {
      case ops::SymbolOp::Const:
        return to_.symbols.constant(e.kind, e.hint);
      case ops::SymbolOp::Symbol:
        if (!symbols_[e.a]) ops::value_error("a size of the graph is not one of its arguments");
        return *symbols_[e.a];
      default:
        return to_.symbols.binary(e.op, exprs_[e.a], exprs_[e.b]);
    }
  }

  void check(const ops::SymbolGuard& g) const {
    if (to_.symbols.decide(exprs_[g.condition]) == g.outcome) return;
    std::string sizes;
    for (size_t i = 0; i < symbols_.size(); ++i)
      if (symbols_[i])
        sizes += (sizes.empty() ? "s" : ", s") + std::to_string(i) + "=" +
                 std::to_string(to_.symbols.exprs()[*symbols_[i]].hint);
    ops::value_error("the graph was made for sizes with " + from_.symbols.text(g) + ", but got " + sizes);
  }

  Dim adopted(Dim d) const { return d.symbolic() ? dim_of(to_.symbols, exprs_[d.expr]) : d; }

  Graph adopted(const Graph& graph, GraphId first) {
    Graph copy = graph;
    for (Type& type : copy.types) {
      for (Dim& d : type.dims) d = adopted(d);
      type.expr = 0;
    }
    for (Node& node : copy.nodes) {
      for (GraphId& id : node.graphs)
        if (id != kNoId) id += first;
      if (auto* size = std::get_if<Dim>(&node.payload))
        *size = size->symbolic() ? Dim(to_.symbols.exprs()[exprs_[size->expr]].hint, exprs_[size->expr]) : *size;
      node.attrs = map_dims(node.attrs, [&](Dim d) { return adopted(d); });
      node.source = {to_.file(from_.files.empty() ? "" : from_.files[node.source.file]), node.source.line,
                     to_.name(from_.names[node.source.name]), 0};
    }
    if (copy.gradient != kNoId) copy.gradient += first;
    return copy;
  }

  Module& to_;
  const Module& from_;
  const ops::SymbolScope scope_;
  std::vector<std::optional<ops::ExprId>> symbols_;
  std::vector<ops::ExprId> exprs_;  // by those of the other module
};

}  // namespace

GraphId adopt(Module& to, const Module& from, std::span<const Type> operands) {
  return Adopter(to, from).run(operands);
}

}  // namespace ember::bytecode
