// Each graph is visited once in evaluation order: a definition dominates its uses if it comes before them. Types are
// inferred anew under a copy of the module's symbols: a comparison that leaves a new guard there is one that the module
// forgot to state.
#include "bytecode/graph/verify.h"

#include <algorithm>

#include "bytecode/graph/node_types.h"

namespace ember::bytecode {

using ops::Kind;

namespace {

// What follows from the guards of a module: equalities join expressions into classes.
class StatedGuards {
 public:
  explicit StatedGuards(const ops::SymbolTable& symbols) : guards_(symbols.guards()), parent_(symbols.exprs().size()) {
    for (ops::ExprId id = 0; id < parent_.size(); ++id) parent_[id] = id;
    for (const ops::SymbolGuard& g : guards_)
      if (const auto equal = symbols.equality(g)) parent_[find(equal->first)] = find(equal->second);
  }

  // `symbols` begins with the expressions of the module's.
  bool imply(const ops::SymbolTable& symbols, const ops::SymbolGuard& g) const {
    if (const auto equal = symbols.equality(g)) return find(equal->first) == find(equal->second);
    const ops::SymbolExpr& asked = symbols.exprs()[g.condition];
    const ops::ExprId a = find(asked.a), b = find(asked.b);
    return std::any_of(guards_.begin(), guards_.end(), [&](const ops::SymbolGuard& known) {
      const ops::SymbolExpr& stated = symbols.exprs()[known.condition];
      if (stated.op != asked.op || known.outcome != g.outcome) return false;
      const bool swapped = asked.op == ops::SymbolOp::Equal && find(stated.a) == b && find(stated.b) == a;
      return swapped || (find(stated.a) == a && find(stated.b) == b);
    });
  }

 private:
  ops::ExprId find(ops::ExprId id) const {
    while (id < parent_.size() && parent_[id] != id) id = parent_[id];
    return id;
  }

  const std::vector<ops::SymbolGuard>& guards_;
  std::vector<ops::ExprId> parent_;
};

class GraphVerifier {
 public:
  GraphVerifier(const Module& module, const Graph& graph, const ops::SymbolTable& symbols, const StatedGuards& stated)
      : module_(module), graph_(graph), symbols_(symbols), stated_(stated), defined_(graph.types.size()) {}

  void run() {
    check_params();
    for (const Node& node : graph_.nodes) {
      const std::string where = "graph @" + graph_.name + ", node " + std::to_string(&node - graph_.nodes.data()) +
                                " (" + std::string(node.op ? node.op->primitive : name(node.kind)) + ")";
      check_node(node, where);
    }
    for (ValueId result : graph_.results) {
      check(is_defined(result), "returns a value that no node makes");
      check(graph_.type(result).kind != Kind::Ref, "returns a Ref");
    }
  }

 private:
  void check(bool condition, const std::string& rule) const {
    if (!condition) throw VerifyError("graph @" + graph_.name + ": " + rule);
  }
  static void check(bool condition, const std::string& where, const std::string& rule) {
    if (!condition) throw VerifyError(where + ": " + rule);
  }

  bool is_defined(ValueId id) const { return id < defined_.size() && defined_[id]; }
  bool is_token(ValueId id) const { return id != kNoId && graph_.type(id).kind == Kind::Token; }

  void define(ValueId id, const std::string& where) {
    check(id < defined_.size(), where, "a value without type");
    check(!defined_[id], where, "a value that is made twice");
    defined_[id] = true;
    check_type(graph_.type(id), where);
  }

  void check_type(const Type& type, const std::string& where) const {
    for (ops::Dim d : type.dims) check_dim(d, where);
    if (!type.is_tensor()) check(type.dims.empty(), where, "dims of what is no tensor");
    check(type.expr == 0 || (is_scalar(type.kind) && type.expr < module_.symbols.exprs().size() &&
                             module_.symbols.exprs()[type.expr].kind == ops::scalar_kind(type.kind)),
          where, "a number of an expression of another kind");
    if (is_scalar(type.kind)) check(type.dtype == slot_dtype(type.kind), where, "a number of a wrong dtype");
  }

  void check_dim(ops::Dim d, const std::string& where) const {
    check(d.hint() >= 0, where, "a negative dim");
    const auto& exprs = module_.symbols.exprs();
    check(!d.symbolic() || (d.expr < exprs.size() && exprs[d.expr].hint == d.hint()), where,
          "a dim whose expression is unknown");
  }

  void check_params() {
    check(graph_.params.size() == graph_.param_names.size(), "parameters and their names differ in number");
    size_t tokens = 0;
    is_param_.resize(graph_.types.size());
    for (ValueId param : graph_.params) {
      is_param_[param] = true;
      define(param, "graph @" + graph_.name + ": parameter");
      tokens += is_token(param);
    }
    check(tokens <= 1, "two token parameters");
    has_token_ = tokens == 1;
  }

  void check_node(const Node& node, const std::string& where) {
    for (ValueId in : node.inputs)
      check(is_defined(in) || (in == kNoId && node.kind == NodeKind::Apply), where,
            "an input that no earlier node makes");
    for (ValueId in : node.inputs)
      check(in == kNoId || is_param_[in] || graph_.type(in).kind != Kind::Ref || node.kind == NodeKind::UpdateState,
            where, "a Ref that is no parameter");
    check(node.source.line == 0 || node.source.file < module_.files.size(), where, "an unknown source file");
    check(node.source.name < module_.names.size(), where, "an unknown name of a call");
    check_fields(node, where);
    check(node.first_output <= graph_.types.size() && node.outputs <= graph_.types.size() - node.first_output, where,
          "results without types");
    const std::span<const Type> stored(graph_.types.data() + node.first_output, node.outputs);
    check_inferred(node, stored, where);
    for (size_t i = 0; i < node.outputs; ++i) define(node.output(i), where);
    check_state(node, where);
  }

  void check_fields(const Node& node, const std::string& where) const {
    const NodeKind k = node.kind;
    check(static_cast<size_t>(k) <= static_cast<size_t>(NodeKind::FusedReduce), where, "an unknown kind");
    const bool has_op = k == NodeKind::Apply || k == NodeKind::FusedReduce;
    check((node.op != nullptr) == has_op, where, "an op is missing or too much");
    const bool has_payload = k == NodeKind::Constant || k == NodeKind::Scalar || k == NodeKind::Size;
    check(std::holds_alternative<std::monostate>(node.payload) != has_payload, where,
          "a payload is missing or too much");
    const bool control = k == NodeKind::If || k == NodeKind::While || k == NodeKind::Call;
    check(control || (node.graphs[0] == kNoId && node.graphs[1] == kNoId), where, "a graph too much");
    check(k == NodeKind::While || node.carried == 0, where, "only a While carries values");
    check((node.expr != nullptr) == (k == NodeKind::Fused || k == NodeKind::FusedReduce), where,
          "an expression is missing or too much");
    const auto is_known = [&](ops::Dim d) { return !d.symbolic() || d.expr < module_.symbols.exprs().size(); };
    check(all_dims(node.attrs, is_known), where, "an unknown dim");
  }

  void check_inferred(const Node& node, std::span<const Type> stored, const std::string& where) const {
    const size_t guards = symbols_.guards().size();
    bool same = false;
    try {
      const Types inferred = node_types(module_, graph_, node, stored);
      same = inferred.size() == stored.size() && std::equal(inferred.begin(), inferred.end(), stored.begin(), agree);
    } catch (const std::exception& e) {
      throw VerifyError(where + ": " + e.what());
    }
    check(same, where, "result types are not those that its rule infers");
    for (size_t i = guards; i < symbols_.guards().size(); ++i)
      check(stated_.imply(symbols_, symbols_.guards()[i]), where, "its shapes hold under a guard that is not stated");
  }

  // A token is used up by the node that makes the next one, which names all effects between the two.
  void check_state(const Node& node, const std::string& where) {
    if (node.kind == NodeKind::State) {
      check(!has_token_, where, "a second first token");
      has_token_ = true;
      current_ = node.output();
      return;
    }
    if (!takes_token(graph_, node) || node.kind == NodeKind::Depend) return;
    if (current_ == kNoId) current_ = param_token();
    const ValueId token = node.kind == NodeKind::UpdateState ? node.inputs[0] : token_input(node);
    check(token == current_, where, "a token that is used up");
    if (node.kind == NodeKind::UpdateState) {
      for (ValueId effect : pending_)
        check(std::find(node.inputs.begin(), node.inputs.end(), effect) != node.inputs.end(), where,
              "the next state does not name an effect of the last");
      pending_.clear();
      current_ = node.output();
    } else if (node.outputs && is_token(node.output(node.outputs - 1u))) {
      check(pending_.empty(), where, "an effect that no state names");
      current_ = node.output(node.outputs - 1u);
    } else if (has_effect(graph_, node) && node.outputs) {
      pending_.push_back(node.output());
    }
  }

  ValueId param_token() const {
    for (ValueId param : graph_.params)
      if (is_token(param)) return param;
    return kNoId;
  }
  ValueId token_input(const Node& node) const {
    return *std::find_if(node.inputs.begin(), node.inputs.end(), [&](ValueId v) { return is_token(v); });
  }

  const Module& module_;
  const Graph& graph_;
  const ops::SymbolTable& symbols_;
  const StatedGuards& stated_;
  std::vector<char> defined_;
  std::vector<char> is_param_;
  std::vector<ValueId> pending_;
  ValueId current_ = kNoId;
  bool has_token_ = false;
};

}  // namespace

void verify(const Module& module) {
  if (module.entry >= module.graphs.size()) throw VerifyError("the entry graph does not exist");
  ops::SymbolTable symbols = module.symbols;
  const ops::SymbolScope scope(&symbols);
  const StatedGuards stated(module.symbols);
  for (const Graph& graph : module.graphs) {
    for (ValueId result : graph.results)
      if (result >= graph.types.size()) throw VerifyError("graph @" + graph.name + ": returns an unknown value");
    for (ValueId param : graph.params)
      if (param >= graph.types.size()) throw VerifyError("graph @" + graph.name + ": a parameter without type");
  }
  for (const Graph& graph : module.graphs) GraphVerifier(module, graph, symbols, stated).run();
}

}  // namespace ember::bytecode
