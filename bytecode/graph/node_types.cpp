// One small rule per node kind. Ops bring their own rules; what is checked here is how they are used: operand kinds,
// the token in its place, attributes of the kinds that the signature names.
#include "bytecode/graph/node_types.h"

#include <algorithm>

#include "bytecode/graph/graph_builder.h"

namespace ember::bytecode {

using ops::Kind;

namespace {

void require(bool condition, const char* rule) {
  if (!condition) ops::value_error(rule);
}

bool is_value(const Type& type) { return type.kind == Kind::Tensor || is_scalar(type.kind); }

Types input_types(const Graph& graph, const Node& node) {
  Types types;
  types.reserve(node.inputs.size());
  for (ValueId v : node.inputs) types.push_back(v == kNoId ? Type::token() : graph.type(v));
  return types;
}

Types result_types(const Graph& graph) {
  Types types;
  for (ValueId v : graph.results) types.push_back(graph.type(v));
  return types;
}

bool attr_fits(const ops::Param& param, const ops::Attr& attr) {
  if (std::holds_alternative<std::monostate>(attr)) return is_operand(param.kind) || param.optional;
  switch (param.kind) {
    case ops::ParamKind::Int:
      return std::holds_alternative<ops::Dim>(attr);
    case ops::ParamKind::Float:
      return std::holds_alternative<double>(attr);
    case ops::ParamKind::Bool:
      return std::holds_alternative<bool>(attr);
    case ops::ParamKind::Str:
      return std::holds_alternative<std::string>(attr);
    case ops::ParamKind::DType:
      return std::holds_alternative<ops::DType>(attr);
    case ops::ParamKind::Ints:
      return std::holds_alternative<ops::Ints>(attr);
    default:
      return false;
  }
}

void check_attrs(const ops::Op& op, const ops::Attrs& attrs) {
  const auto& params = op.signature.params;
  require(attrs.values().size() <= params.size(), "more attributes than the op has");
  for (size_t i = 0; i < params.size(); ++i) {
    const ops::Attr attr = i < attrs.values().size() ? attrs.values()[i] : ops::Attr();
    if (!attr_fits(params[i], attr)) ops::value_error("attribute " + params[i].name + " is missing or of another kind");
  }
}

bool operand_fits(const ops::Op& op, const ops::Param& param, ValueId id, const Type& type) {
  if (id == kNoId) return param.optional;
  switch (param.kind) {
    case ops::ParamKind::Ref:
      return type.kind == Kind::Ref;
    case ops::ParamKind::Random:
      return type.kind == Kind::Int;
    case ops::ParamKind::Number:
      return is_value(type);
    default:
      return type.kind == Kind::Tensor || (op.elementwise() && is_value(type));
  }
}

Types apply_types(const Graph& graph, const Node& node) {
  require(node.op != nullptr, "an Apply without op");
  const ops::Op& op = *node.op;
  check_attrs(op, node.attrs);
  Types in = input_types(graph, node);
  if (op.has_effect()) {
    require(!in.empty() && node.inputs.back() != kNoId && in.back().kind == Kind::Token,
            "an effect takes the token as its last input");
    in.pop_back();
  }
  const auto& params = op.signature.params;
  const auto needed = std::count_if(params.begin(), params.end(), [](const ops::Param& p) {
    return is_operand(p.kind) && p.kind != ops::ParamKind::Tensors;
  });
  require(in.size() >= static_cast<size_t>(needed), "an operand is missing");
  for (size_t i = 0; i < in.size(); ++i) {
    const ops::Param* param = operand_param(op, i, in.size());
    require(param != nullptr, "more operands than the op takes");
    if (!operand_fits(op, *param, node.inputs[i], in[i])) {
      const std::string have = node.inputs[i] == kNoId ? "absent" : to_string(in[i]);
      ops::type_error("operand " + param->name + " can't be " + have);
    }
  }
  return ops::infer(op, in, node.attrs);
}

Types fused_types(const Graph& graph, const Node& node) {
  require(node.expr != nullptr, "a fused node without expression");
  std::string why;
  if (!well_formed(*node.expr, &why)) ops::value_error("malformed expression: " + why);
  for (const ops::ExprNode& n : node.expr->nodes)
    require(n.verb != ops::Verb::Lookup, "the expression looks up a table; only the expansion of a verb does");
  require(node.expr->inputs == node.inputs.size(), "the expression takes another number of inputs");
  ops::Dims dims;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    require(node.inputs[i] != kNoId && is_value(graph.type(node.inputs[i])), "a fused operand is no value");
    const Type& type = graph.type(node.inputs[i]);
    require(node.expr->input_dtype(i) == type.dtype, "the expression takes another dtype");
    if (type.kind == Kind::Tensor) dims = ops::broadcast(dims, type.dims, "Fused");
  }
  Types types;
  for (ops::NodeId out : node.expr->outputs) types.push_back(Type::tensor(node.expr->nodes[out].dtype, dims));
  require(!types.empty(), "a fused node without results");
  if (node.kind == NodeKind::Fused) return types;
  require(types.size() == 1 && node.op != nullptr, "a fused reduction needs one result and an op");
  check_attrs(*node.op, node.attrs);
  return ops::infer(*node.op, types, node.attrs);
}

Types effect_types(const Graph& graph, const Node& node) {
  const Types in = input_types(graph, node);
  const bool known = std::find(node.inputs.begin(), node.inputs.end(), kNoId) == node.inputs.end();
  require(known, "an input is absent");
  const auto token = [&](size_t i) { return i < in.size() && in[i].kind == Kind::Token; };
  switch (node.kind) {
    case NodeKind::State:
      require(in.empty(), "U takes no inputs");
      return {Type::token()};
    case NodeKind::UpdateState:
      require(token(0), "UpdateState takes a token first");
      require(std::none_of(in.begin() + 1, in.end(), [](const Type& t) { return t.kind == Kind::Token; }),
              "UpdateState takes one token");
      return {Type::token()};
    case NodeKind::Load:
      require(in.size() == 2 && in[0].kind == Kind::Ref && token(1), "Load takes a Ref and a token");
      return {Type::tensor(in[0].dtype, in[0].dims)};
    case NodeKind::Depend:
      require(in.size() >= 2 && (is_value(in[0]) || in[0].kind == Kind::Stack),
              "Depend takes a value and what comes before it");
      return {in[0]};
    case NodeKind::RandomKey:
      require(in.size() == 1 && token(0), "RandomKey takes a token");
      return {Type::scalar(Kind::Int)};
    default:
      require(in.size() == 1 && in[0].kind == Kind::Tensor, "TensorMove takes a tensor");
      return {in[0]};
  }
}

Types constant_types(const Module& module, const Node& node) {
  require(node.inputs.empty(), "a constant takes no inputs");
  if (node.kind == NodeKind::Constant) {
    const auto* tensor = std::get_if<ops::Tensor>(&node.payload);
    require(tensor && tensor->defined(), "a Constant holds a tensor");
    return {Type::tensor(tensor->dtype(), ops::dims(tensor->shape()))};
  }
  if (node.kind == NodeKind::Size) {
    const auto* dim = std::get_if<ops::Dim>(&node.payload);
    require(dim && dim->expr < module.symbols.exprs().size(), "a Size holds an expression");
    return {Type::scalar(ops::kind_of(module.symbols.exprs()[dim->expr].kind))};
  }
  if (std::holds_alternative<bool>(node.payload)) return {Type::scalar(Kind::Bool)};
  if (std::holds_alternative<int64_t>(node.payload)) return {Type::scalar(Kind::Int)};
  require(std::holds_alternative<double>(node.payload), "a Scalar holds a number");
  return {Type::scalar(Kind::Float)};
}

Types conversion_types(const Graph& graph, const Node& node, std::span<const Type> declared) {
  require(node.inputs.size() == 1 && node.inputs[0] != kNoId, "a conversion takes one input");
  const Type& in = graph.type(node.inputs[0]);
  if (node.kind == NodeKind::ToTensor) {
    require(is_scalar(in.kind), "ToTensor takes a number");
    require(declared.size() == 1 && declared[0].kind == Kind::Tensor && declared[0].dims.empty(),
            "ToTensor makes a tensor without dims, and names its type");
    return {declared[0]};
  }
  require(in.kind == Kind::Tensor, "Item takes a tensor");
  ops::Dim count = 1;
  for (ops::Dim d : in.dims) count = count * d;
  require(count == 1, "Item takes a tensor of one element");
  require(!is_complex(in.dtype), "Item takes a real tensor");
  return {Type::scalar(in.dtype == ops::DType::Bool ? Kind::Bool : is_float(in.dtype) ? Kind::Float : Kind::Int)};
}

Types stack_types(const Graph& graph, const Node& node, std::span<const Type> declared) {
  const Types in = input_types(graph, node);
  const auto element = [](const Type& t) { return is_value(t) || t.kind == Kind::Stack; };
  if (node.kind == NodeKind::Stack) {
    require(in.empty(), "Stack takes no inputs");
    return {Type::stack()};
  }
  require(!in.empty() && in[0].kind == Kind::Stack, "the first input must be a stack");
  if (node.kind == NodeKind::Push) {
    require(std::all_of(in.begin(), in.end(), element), "a stack holds tensors, numbers and stacks");
    return {Type::stack()};
  }
  require(in.size() == 1, "a stack is the only input");
  if (node.kind == NodeKind::NonEmpty) return {Type::scalar(Kind::Bool)};
  require(
      !declared.empty() && declared[0].kind == Kind::Stack && std::all_of(declared.begin(), declared.end(), element),
      "Pop makes a stack and names the types of its top");
  return {declared.begin(), declared.end()};
}

const Graph& sub_graph(const Module& module, GraphId id) {
  require(id < module.graphs.size(), "a sub-graph that does not exist");
  return module.graph(id);
}

[[noreturn]] void mismatch(const std::string& what, size_t index, const Type& have, const Type& want) {
  ops::type_error(what + " " + std::to_string(index) + " is " + to_string(have) + " where " + to_string(want) +
                  " is needed");
}

void check_call(std::span<const Type> in, const Graph& callee) {
  if (in.size() != callee.params.size())
    ops::value_error("graph '" + callee.name + "' takes " + std::to_string(callee.params.size()) +
                     " values and is given " + std::to_string(in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    const Type& want = callee.type(callee.params[i]);
    if (!agree(in[i], want)) mismatch("input", i, in[i], want);
  }
}

void check_results(const char* what, std::span<const Type> have, std::span<const Type> want) {
  if (have.size() != want.size())
    ops::value_error(std::string(what) + "s: " + std::to_string(have.size()) + " instead of " +
                     std::to_string(want.size()));
  for (size_t i = 0; i < have.size(); ++i)
    if (!agree(have[i], want[i])) mismatch(what, i, have[i], want[i]);
}

void check_token(std::span<const Type> inputs, std::span<const Type> results) {
  const auto is_token = [](const Type& t) { return t.kind == Kind::Token; };
  const auto tokens = std::count_if(inputs.begin(), inputs.end(), is_token);
  require(tokens <= 1 && std::count_if(results.begin(), results.end(), is_token) == tokens,
          "a node of control flow passes at most one token in, and the same number out");
  require(tokens == 0 || (is_token(inputs.back()) && is_token(results.back())),
          "the token is the last input and the last result");
}

Types control_types(const Module& module, const Graph& graph, const Node& node) {
  for (ValueId v : node.inputs) require(v != kNoId, "an input is absent");
  const Types all = input_types(graph, node);
  std::span<const Type> in = all;
  const Graph& first = sub_graph(module, node.graphs[0]);
  Types results = result_types(first);
  if (node.kind == NodeKind::Call) {
    require(node.graphs[1] == kNoId, "a Call has one graph");
    check_call(in, first);
    check_token(in, results);
    return results;
  }
  const Graph& second = sub_graph(module, node.graphs[1]);
  if (node.kind == NodeKind::If) {
    require(!in.empty() && in[0].kind == Kind::Bool, "the condition of an If is a Bool");
    in = in.subspan(1);
    check_call(in, first);
    check_call(in, second);
    check_results("result of the else graph", result_types(second), results);
    check_token(in, results);
    return results;
  }
  require(node.carried <= in.size(), "a While carries more than its inputs");
  require(results.size() == 1 && results[0].kind == Kind::Bool, "the condition graph of a While returns one Bool");
  check_call(in, first);
  check_call(in, second);
  results.assign(in.begin(), in.begin() + node.carried);
  check_results("carried value", result_types(second), results);
  require(std::none_of(in.begin() + node.carried, in.end(), [](const Type& t) { return t.kind == Kind::Token; }),
          "the token of a While is carried");
  check_token(results, results);
  return results;
}

}  // namespace

Types node_types(const Module& module, const Graph& graph, const Node& node, std::span<const Type> declared) {
  switch (node.kind) {
    case NodeKind::Apply:
      return apply_types(graph, node);
    case NodeKind::Constant:
    case NodeKind::Scalar:
    case NodeKind::Size:
      return constant_types(module, node);
    case NodeKind::Item:
    case NodeKind::ToTensor:
      return conversion_types(graph, node, declared);
    case NodeKind::Stack:
    case NodeKind::Push:
    case NodeKind::Pop:
    case NodeKind::NonEmpty:
      return stack_types(graph, node, declared);
    case NodeKind::If:
    case NodeKind::While:
    case NodeKind::Call:
      return control_types(module, graph, node);
    case NodeKind::Fused:
    case NodeKind::FusedReduce:
      return fused_types(graph, node);
    default:
      return effect_types(graph, node);
  }
}

bool agree(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.dtype != b.dtype || a.dims.size() != b.dims.size()) return false;
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), [](ops::Dim x, ops::Dim y) { return x == y; });
}

}  // namespace ember::bytecode
