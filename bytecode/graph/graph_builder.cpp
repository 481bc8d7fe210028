// Recording: every node gets its types from the ops' own rules, under the module's symbols, so shapes that a rule
// compares become guards. A Ref read as a plain operand becomes a Load. Effects are discovered when a finished graph is
// put into a node: its State turns into a token parameter, and its last token into a result.
#include "bytecode/graph/graph_builder.h"

#include <algorithm>

#include "bytecode/graph/node_types.h"
#include "ops/eager/eager.h"

namespace ember::bytecode {

using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

bool is_token(const Graph& graph, ValueId id) { return id != kNoId && graph.types[id].kind == Kind::Token; }

// The token that the last effect of the graph left: its State or parameter if there was none, kNoId without those.
ValueId last_token(const Graph& graph) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node)
    for (size_t i = node->outputs; i-- > 0;)
      if (is_token(graph, node->output(i))) return node->output(i);
  for (ValueId id : graph.params)
    if (is_token(graph, id)) return id;
  return kNoId;
}

void replace_state(Graph& graph, ValueId token) {
  const auto state =
      std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.kind == NodeKind::State; });
  if (state == graph.nodes.end()) return;
  const ValueId old = state->output();
  graph.nodes.erase(state);
  for (Node& node : graph.nodes) std::replace(node.inputs.begin(), node.inputs.end(), old, token);
  std::replace(graph.results.begin(), graph.results.end(), old, token);
}

// Drops the Depend that finish() added, since the graph is about to return the token itself.
void drop_final_depend(Graph& graph) {
  if (graph.nodes.empty() || graph.results.empty()) return;
  const Node& node = graph.nodes.back();
  if (node.kind != NodeKind::Depend || node.output() != graph.results[0] || !is_token(graph, node.inputs[1])) return;
  const ValueId result = node.inputs[0];
  std::replace(graph.results.begin(), graph.results.end(), node.output(), result);
  graph.nodes.pop_back();
}

GraphId wrap(Module& module, GraphId inner) {
  const GraphId outer = module.add_graph(module.graph(inner).name);
  const Graph& from = module.graph(inner);
  Graph& to = module.graph(outer);
  Node call;
  call.kind = NodeKind::Call;
  call.graphs[0] = inner;
  for (size_t i = 0; i < from.params.size(); ++i)
    call.inputs.push_back(to.add_param(from.param_names[i], from.type(from.params[i])));
  Types types;
  for (ValueId result : from.results) types.push_back(from.type(result));
  const ValueId first = to.add_node(std::move(call), types);
  for (size_t i = 0; i < types.size(); ++i) to.results.push_back(first + static_cast<ValueId>(i));
  return outer;
}

// Makes the graph take a token at parameter `position` and, if asked to, return the last one. Returns the graph to use.
GraphId thread_token(Module& module, GraphId id, size_t position, bool returns) {
  if (position < module.graph(id).params.size() && is_token(module.graph(id), module.graph(id).params[position]))
    return id;
  if (module.graph(id).shared && !graph_has_effect(module, id)) id = wrap(module, id);
  Graph& graph = module.graph(id);
  if (position > graph.params.size()) ops::value_error("graph '" + graph.name + "' takes too few parameters");
  const ValueId token = graph.add_param("u", Type::token());
  std::rotate(graph.params.begin() + position, graph.params.end() - 1, graph.params.end());
  std::rotate(graph.param_names.begin() + position, graph.param_names.end() - 1, graph.param_names.end());
  replace_state(graph, token);
  if (returns) {
    drop_final_depend(graph);
    graph.results.push_back(last_token(graph));
  }
  return id;
}

}  // namespace

GraphBuilder::GraphBuilder(Module& module, GraphId graph) : module_(module), graph_(graph), scope_(&module.symbols) {}
GraphBuilder::~GraphBuilder() = default;

const ops::Param* operand_param(const ops::Op& op, size_t i, size_t n) {
  size_t single = 0;
  for (const ops::Param& p : op.signature.params)
    if (is_operand(p.kind) && p.kind != ops::ParamKind::Tensors) ++single;
  size_t at = 0;
  for (const ops::Param& p : op.signature.params) {
    if (!is_operand(p.kind)) continue;
    at += p.kind == ops::ParamKind::Tensors ? n - std::min(n, single) : 1;
    if (i < at) return &p;
  }
  return nullptr;
}

void GraphBuilder::set_source_of(const Node& node) {
  source_ = node.source;
  if (source_.name == 0 && node.op && node.op->compose) source_.name = module_.name(std::string(node.op->name));
}

ValueId GraphBuilder::append(Node node, std::span<const Type> types) {
  node.source = source_;
  return graph().add_node(std::move(node), types);
}

ValueId GraphBuilder::append(NodeKind kind, Ids inputs, Type type) {
  Node node;
  node.kind = kind;
  node.inputs = std::move(inputs);
  return append(std::move(node), std::span(&type, 1));
}

void GraphBuilder::update_state(ValueId before) {
  Ids inputs = {token_};
  if (before != kNoId) inputs.push_back(before);
  token_ = append(NodeKind::UpdateState, std::move(inputs), Type::token());
}

ValueId GraphBuilder::fit_operand(const ops::Op& op, const ops::Param* param, const Value& operand) {
  if (ops::none(operand)) return kNoId;
  if (!param) return id(operand);
  const Type have = type(operand);
  const bool wants_ref = param->kind == ops::ParamKind::Ref;
  if (wants_ref != (have.kind == Kind::Ref)) {
    if (wants_ref) ops::type_error(std::string(op.name) + ": " + param->name + " must be a Parameter");
    return id(load(operand));
  }
  const bool wants_tensor = param->kind == ops::ParamKind::Tensor || param->kind == ops::ParamKind::Tensors;
  if (wants_tensor && !op.elementwise() && is_scalar(have.kind))
    return id(to_tensor(operand, ops::default_dtype(scalar_kind(have.kind))));
  return id(operand);
}

// Numbers that differ from call to call are values of the graph.
Values GraphBuilder::apply_symbolic(const ops::Op& op, std::span<const Value> operands, const ops::Attrs& attrs) {
  if (!op.composed()) return apply(op, operands, ops::pin_floats(attrs));
  const Source source = source_;
  if (source_.name == 0) source_.name = module_.name(std::string(op.name));
  try {
    Values results = op.compose(*this, operands, attrs);
    source_ = source;
    return results;
  } catch (const ops::OpError& e) {
    source_ = source;
    throw ops::OpError(e.kind, ops::in_name_of(op.name, e.what()));
  }
}

Values GraphBuilder::apply(const ops::Op& op, std::span<const Value> operands, const ops::Attrs& attrs) {
  if (has_symbolic_floats(attrs)) return apply_symbolic(op, operands, attrs);
  Node node;
  node.op = &op;
  node.attrs = op.elementwise() ? map_dims(attrs, [](ops::Dim d) { return ops::Dim(pinned(d)); }) : attrs;
  Types in;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId operand = fit_operand(op, operand_param(op, i, operands.size()), operands[i]);
    in.push_back(operand == kNoId ? Type::token() : graph().type(operand));
    node.inputs.push_back(operand);
  }
  const Types types = ops::infer(op, in, attrs);
  if (op.has_effect()) node.inputs.push_back(token());
  const ValueId first = append(std::move(node), types);
  if (op.has_effect()) update_state(types.empty() ? kNoId : first);
  Values results;
  const auto written =
      std::find_if(operands.begin(), operands.end(), [&](const Value& v) { return type(v).kind == Kind::Ref; });
  for (size_t i = 0; i < types.size(); ++i)
    results.push_back(types[i].kind == Kind::Ref ? *written : ops::GraphValue{first + static_cast<ValueId>(i)});
  return results;
}

Type GraphBuilder::type(const Value& v) const {
  if (const auto* value = std::get_if<ops::GraphValue>(&v)) return module_.graph(graph_).type(value->id);
  if (ops::none(v)) return Type::token();
  return ops::type_of(v);
}

Value GraphBuilder::size(ops::Dim dim) {
  if (!dim.symbolic()) return dim.hint();
  Node node;
  node.kind = NodeKind::Size;
  node.payload = dim;
  const Type type = Type::scalar(ops::kind_of(module_.symbols.exprs()[dim.expr].kind));
  return ops::GraphValue{append(std::move(node), std::span(&type, 1))};
}

Value GraphBuilder::next_random() {
  const ValueId key = append(NodeKind::RandomKey, {token()}, Type::scalar(Kind::Int));
  update_state(key);
  return ops::GraphValue{key};
}

Value GraphBuilder::constant(const ops::Tensor& t) { return ops::GraphValue{id(t)}; }

Value GraphBuilder::param(std::string name, Type type) {
  return ops::GraphValue{graph().add_param(std::move(name), std::move(type))};
}

Value GraphBuilder::load(const Value& ref) {
  Type loaded = type(ref);
  if (loaded.kind != Kind::Ref) ops::type_error("load: only a Parameter can be loaded");
  loaded.kind = Kind::Tensor;
  const ValueId value = append(NodeKind::Load, {id(ref), token()}, std::move(loaded));
  update_state(value);
  return ops::GraphValue{value};
}

Value GraphBuilder::item(const Value& tensor) {
  const Type from = type(tensor);
  if (is_scalar(from.kind)) return tensor;
  if (from.kind == Kind::Ref) return item(load(tensor));
  ops::Dim count = 1;
  for (ops::Dim d : from.dims) count = count * d;
  if (count != 1) ops::value_error("only a tensor of one element can become a number, not " + to_string(from));
  if (is_complex(from.dtype)) {
    ops::type_error(
        "a complex tensor cannot become a number that Python computes with in a graph: take real() or imag()");
  }
  const Kind kind = from.dtype == ops::DType::Bool ? Kind::Bool : is_float(from.dtype) ? Kind::Float : Kind::Int;
  return ops::GraphValue{append(NodeKind::Item, {id(tensor)}, Type::scalar(kind))};
}

Value GraphBuilder::to_tensor(const Value& scalar, ops::DType dtype) {
  if (!is_scalar(type(scalar).kind)) ops::type_error("to_tensor takes a number");
  return ops::GraphValue{append(NodeKind::ToTensor, {id(scalar)}, Type::tensor(dtype, {}))};
}

Value GraphBuilder::stack() { return ops::GraphValue{append(NodeKind::Stack, {}, Type::stack())}; }

Value GraphBuilder::push(const Value& stack, std::span<const Value> values) {
  Ids inputs = {id(stack)};
  for (const Value& v : values) inputs.push_back(id(v));
  return ops::GraphValue{append(NodeKind::Push, std::move(inputs), Type::stack())};
}

Values GraphBuilder::pop(const Value& stack, std::span<const Type> types) {
  Node node;
  node.kind = NodeKind::Pop;
  node.inputs = {id(stack)};
  Types outputs = {Type::stack()};
  outputs.insert(outputs.end(), types.begin(), types.end());
  const ValueId first = append(std::move(node), outputs);
  Values results;
  for (size_t i = 0; i < outputs.size(); ++i) results.push_back(ops::GraphValue{first + static_cast<ValueId>(i)});
  return results;
}

Value GraphBuilder::non_empty(const Value& stack) {
  return ops::GraphValue{append(NodeKind::NonEmpty, {id(stack)}, Type::scalar(Kind::Bool))};
}

Values GraphBuilder::control(Node node) {
  const Types types = node_types(module_, graph(), node);
  const ValueId first = append(std::move(node), types);
  Values results;
  for (ValueId id = first; id < first + types.size(); ++id) {
    if (is_token(graph(), id))
      token_ = id;
    else
      results.push_back(ops::GraphValue{id});
  }
  return results;
}

Values GraphBuilder::if_else(const Value& condition, std::span<const Value> inputs, GraphId then_graph,
                             GraphId else_graph) {
  const Value test = item(condition);
  if (type(test).kind != Kind::Bool) ops::type_error("the condition of an if must be a bool");
  Node node;
  node.kind = NodeKind::If;
  node.inputs = {id(test)};
  for (const Value& v : inputs) node.inputs.push_back(id(v));
  if (graph_has_effect(module_, then_graph) || graph_has_effect(module_, else_graph)) {
    node.inputs.push_back(token());
    then_graph = thread_token(module_, then_graph, inputs.size(), true);
    else_graph = thread_token(module_, else_graph, inputs.size(), true);
  }
  node.graphs[0] = then_graph;
  node.graphs[1] = else_graph;
  return control(std::move(node));
}

Values GraphBuilder::while_loop(std::span<const Value> carried, std::span<const Value> invariant, GraphId condition,
                                GraphId body) {
  Node node;
  node.kind = NodeKind::While;
  for (const Value& v : carried) node.inputs.push_back(id(v));
  if (graph_has_effect(module_, condition) || graph_has_effect(module_, body)) {
    node.inputs.push_back(token());
    condition = thread_token(module_, condition, carried.size(), false);
    body = thread_token(module_, body, carried.size(), true);
  }
  if (node.inputs.size() > UINT16_MAX) ops::value_error("a while carries too many values");
  node.carried = static_cast<uint16_t>(node.inputs.size());
  for (const Value& v : invariant) node.inputs.push_back(id(v));
  node.graphs[0] = condition;
  node.graphs[1] = body;
  return control(std::move(node));
}

Values GraphBuilder::call(GraphId callee, std::span<const Value> inputs) {
  Node node;
  node.kind = NodeKind::Call;
  for (const Value& v : inputs) node.inputs.push_back(id(v));
  if (graph_has_effect(module_, callee)) {
    node.inputs.push_back(token());
    callee = thread_token(module_, callee, inputs.size(), true);
  }
  node.graphs[0] = callee;
  return control(std::move(node));
}

void GraphBuilder::declare(std::span<const Type> results, bool effect) {
  Types types(results.begin(), results.end());
  returns_token_ = effect;
  if (effect) {
    token_ = graph().add_param("u", Type::token());
    types.push_back(Type::token());
  }
  for (Type& type : types) {
    graph().results.push_back(static_cast<ValueId>(graph().types.size()));
    graph().types.push_back(std::move(type));
  }
}

std::vector<ValueId> GraphBuilder::splice(GraphId from, std::span<const ValueId> arguments) {
  Graph& body = module_.graph(from);
  Ids now(body.types.size(), kNoId);
  for (size_t i = 0; i < arguments.size(); ++i) now[body.params[i]] = arguments[i];
  for (Node& node : std::exchange(body.nodes, {})) {
    const ValueId old = node.first_output;
    if (node.kind == NodeKind::State) {
      now[old] = token();
      continue;
    }
    for (ValueId& in : node.inputs)
      if (in != kNoId) in = now[in];
    const std::span<const Type> types(body.types.data() + old, node.outputs);
    const size_t outputs = node.outputs;
    const ValueId first = graph().add_node(std::move(node), types);
    for (size_t i = 0; i < outputs; ++i) {
      now[old + i] = first + static_cast<ValueId>(i);
      if (is_token(graph(), now[old + i])) token_ = now[old + i];
    }
  }
  return now;
}

void GraphBuilder::finish(std::span<const Value> results) {
  Ids values;
  for (const Value& v : results) values.push_back(id(type(v).kind == Kind::Ref ? load(v) : v));
  if (returns_token_) {
    values.push_back(token_);
  } else if (token_ != kNoId && !values.empty()) {
    const Type result = graph().type(values[0]);
    values[0] = append(NodeKind::Depend, {values[0], token_}, result);
  }
  graph().results = std::move(values);
}

ValueId GraphBuilder::id(const Value& v) {
  Node node;
  node.kind = NodeKind::Scalar;
  const auto scalar = [&](auto number) {
    node.payload = number;
    const Type type = ops::type_of(Value(number));
    return append(std::move(node), std::span(&type, 1));
  };
  return std::visit(Overload{[](std::monostate) { return kNoId; }, [](ops::GraphValue g) { return g.id; },
                             [&](bool b) { return scalar(b); }, [&](int64_t i) { return scalar(i); },
                             [&](double d) { return scalar(d); },
                             [&](const ops::Tensor& t) {
                               const auto it = constants_.find(t.data());
                               if (it != constants_.end()) {
                                 const Type& known = graph().type(it->second);
                                 if (ops::identical(known, ops::type_of(Value(t)))) return it->second;
                               }
                               node.kind = NodeKind::Constant;
                               node.payload = t;
                               const Type type = ops::type_of(Value(t));
                               const ValueId id = append(std::move(node), std::span(&type, 1));
                               if (t.contiguous() && t.numel() > 0) constants_.insert_or_assign(t.data(), id);
                               return id;
                             }},
                    v);
}

ValueId GraphBuilder::token() {
  if (token_ == kNoId) token_ = append(NodeKind::State, {}, Type::token());
  return token_;
}

bool graph_has_effect(const Module& module, GraphId id) {
  const Graph& graph = module.graph(id);
  for (ValueId param : graph.params)
    if (is_token(graph, param)) return true;
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) { return takes_token(graph, n); });
}

}  // namespace ember::bytecode
