// A captured module as Python's values, for what turns graphs into other formats:
//
//   {"exprs": [(op, a, b, number)...],      // numbers that follow from sizes; symbols have their number in `a`
//    "guards": [(its place in exprs, its outcome, its text)...],
//    "entry": 0, "graphs": [{"name", "params": [(name, id)...], "results": [id...], "types": [(kind, dtype, dims)...],
//      "nodes": [{"kind", "op", "inputs", "outputs", "attrs", "value", "graphs", "carried", "verbs"}...]}...]}
//
// Values are ids into `types`, None where an operand is absent. A dim is an int, or ("expr", its place in exprs). What
// an elementwise op computes is under "verbs" (ops/expr/expr.h): [(verb, dtype, operands, bits)...], and "returns".
#include "python/src/capture/describe.h"

#include "bytecode/graph/graph.h"
#include "bytecode/passes/passes.h"
#include "ops/program/program.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {

namespace py = pybind11;
using bytecode::Graph;
using bytecode::Module;
using bytecode::Node;
using bytecode::ValueId;

namespace {

constexpr const char* kSymbolOps[] = {"const", "symbol", "add",   "sub", "mul", "div", "mod",   "min",  "max",
                                      "less",  "le",     "equal", "neg", "not", "int", "float", "bits", "call"};

py::object id(ValueId value) { return value == bytecode::kNoId ? py::object(py::none()) : py::object(py::int_(value)); }

py::list ids(const std::vector<ValueId>& values) {
  py::list out;
  for (ValueId value : values) out.append(id(value));
  return out;
}

py::object dtype(ops::DType d) { return steal(dtype_object(d)); }

py::object dim(ops::Dim d) {
  return d.symbolic() ? py::object(py::make_tuple("expr", d.expr)) : py::object(py::int_(d.hint()));
}

template <class Dims>
py::tuple dims(const Dims& all) {
  py::list out;
  for (const ops::Dim& d : all) out.append(dim(d));
  return py::tuple(out);
}

struct AttributeObject {
  py::object operator()(std::monostate) const { return py::none(); }
  py::object operator()(bool value) const { return py::bool_(value); }
  py::object operator()(const ops::Dim& value) const { return dim(value); }
  py::object operator()(double value) const { return py::float_(value); }
  py::object operator()(const std::string& value) const { return py::str(value); }
  py::object operator()(ops::DType value) const { return dtype(value); }
  py::object operator()(const ops::Ints& value) const { return dims(value); }
  py::object operator()(const ops::SymbolicFloat& value) const { return py::float_(value.hint()); }
};

py::dict attributes(const Node& node) {
  py::dict out;
  const std::vector<ops::Param>& params = node.op->signature.params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (ops::is_operand(params[i].kind)) continue;
    const ops::Attr value = i < node.attrs.values().size() ? node.attrs.values()[i] : ops::Attr();
    out[py::str(params[i].name)] = std::visit(AttributeObject(), value);
  }
  return out;
}

py::object payload(const Node& node) {
  if (const ops::Tensor* tensor = std::get_if<ops::Tensor>(&node.payload)) return steal(wrap(*tensor));
  if (const bool* value = std::get_if<bool>(&node.payload)) return py::bool_(*value);
  if (const int64_t* value = std::get_if<int64_t>(&node.payload)) return py::int_(*value);
  if (const double* value = std::get_if<double>(&node.payload)) return py::float_(*value);
  if (const ops::Dim* value = std::get_if<ops::Dim>(&node.payload)) return dim(*value);
  return py::none();
}

void add_verbs(const Graph& graph, const Node& node, py::dict out) {
  ops::Types types;
  for (ValueId in : node.inputs) types.push_back(in == bytecode::kNoId ? ops::Type::token() : graph.type(in));
  const gc::Ref<const ops::Program> program = ops::program(*node.op, types, node.attrs);
  const ops::Expr& expr = program->expr();
  py::list verbs;
  for (const ops::ExprNode& step : expr.nodes) {
    py::list operands;
    const ops::VerbInfo& verb = ops::info(step.verb);
    for (int i = 0; i < verb.operands; ++i) operands.append(step.args[static_cast<size_t>(i)]);
    verbs.append(py::make_tuple(std::string(verb.name), dtype(step.dtype), operands, step.bits));
  }
  out["verbs"] = verbs;
  out["returns"] = expr.outputs.front();
}

py::dict node(const Graph& graph, const Node& node) {
  py::dict out;
  out["kind"] = std::string(bytecode::name(node.kind));
  out["inputs"] = ids(node.inputs);
  py::list outputs;
  for (size_t i = 0; i < node.outputs; ++i) outputs.append(node.output(i));
  out["outputs"] = outputs;
  out["value"] = payload(node);
  out["graphs"] = py::make_tuple(id(node.graphs[0]), id(node.graphs[1]));
  out["carried"] = node.carried;
  if (node.op) {
    out["op"] = std::string(node.op->primitive);
    out["attrs"] = attributes(node);
    if (node.kind == bytecode::NodeKind::Apply && node.op->elementwise()) add_verbs(graph, node, out);
  }
  return out;
}

py::dict graph(const Graph& graph) {
  py::list params, types, nodes;
  for (size_t i = 0; i < graph.params.size(); ++i) params.append(py::make_tuple(graph.param_names[i], graph.params[i]));
  for (const ops::Type& type : graph.types) {
    const py::object shape = type.is_tensor() ? py::object(dims(type.dims)) : py::object(py::none());
    types.append(py::make_tuple(static_cast<int>(type.kind), dtype(type.dtype), shape));
  }
  for (const Node& n : graph.nodes) nodes.append(node(graph, n));
  py::dict out;
  out["name"] = graph.name;
  out["params"] = params;
  out["results"] = ids(graph.results);
  out["types"] = types;
  out["nodes"] = nodes;
  return out;
}

// Composed ops that are not in `kept` become what they are composed of.
py::dict described(const Module& captured, const py::set& kept) {
  Module module = captured;
  bytecode::inline_calls(module);
  bytecode::expand_composed(module, [&](const ops::Op& op) { return kept.contains(std::string(op.primitive)); });
  bytecode::fold(module);
  bytecode::dce(module);
  py::list exprs, graphs;
  for (const ops::SymbolExpr& e : module.symbols.exprs())
    exprs.append(py::make_tuple(kSymbolOps[static_cast<size_t>(e.op)], e.a, e.b, e.hint));
  for (const Graph& g : module.graphs) graphs.append(graph(g));
  py::list guards;
  for (const ops::SymbolGuard& guard : module.symbols.guards())
    guards.append(py::make_tuple(guard.condition, guard.outcome, module.symbols.python(guard)));
  py::dict out;
  out["exprs"] = exprs;
  out["guards"] = guards;
  out["graphs"] = graphs;
  out["entry"] = module.entry;
  return out;
}

}  // namespace

void bind_describe(py::module_& m) {
  m.def("describe",
        [](const Module& module, const py::set& kept) { return bridged([&] { return described(module, kept); }); });
}

}  // namespace ember::python
