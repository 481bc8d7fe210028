// The reference meaning of a graph module: a recursive evaluator over eager ops, one node at a time, for every node
// kind; elementwise ops run element by element. The oracle of differential tests. A Ref is a tensor that is written in
// place; a Load copies it, or with `loads_alias` is the Ref's own memory, as compiled code has it after insert_copies.
// Dims are those of the arguments: the symbols are bound by the entry's parameter types.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "bytecode/graph/graph.h"
#include "ops/eager/eager.h"
#include "ops/program/program.h"
#include "ops/program/strided.h"
#include "ops/tensor/stack.h"

namespace ember::bytecode {

// None also stands for tokens.
using Datum = std::variant<std::monostate, ops::Tensor, bool, int64_t, double, ops::Stack>;
using Data = std::vector<Datum>;

class Evaluator {
 public:
  explicit Evaluator(const Module& module, bool loads_alias = false) : module_(module), loads_alias_(loads_alias) {}

  Data run(GraphId graph, const Data& arguments) {
    bind(module_.graph(graph), arguments);
    return evaluate(graph, arguments);
  }

 private:
  void bind(const Graph& graph, const Data& arguments) {
    std::vector<int64_t> symbols(module_.symbols.symbols());
    const auto& exprs = module_.symbols.exprs();
    for (const ops::SymbolExpr& e : exprs)
      if (e.op == ops::SymbolOp::Symbol) symbols[e.a] = e.hint;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto* tensor = std::get_if<ops::Tensor>(&arguments[i]);
      if (!tensor) continue;
      const ops::Dims& dims = graph.type(graph.params[i]).dims;
      if (dims.size() != tensor->rank()) throw std::invalid_argument("an argument of another rank");
      for (size_t d = 0; d < dims.size(); ++d)
        if (dims[d].symbolic() && exprs[dims[d].expr].op == ops::SymbolOp::Symbol)
          symbols[exprs[dims[d].expr].a] = tensor->shape()[d];
    }
    dims_ = module_.symbols.evaluate(symbols);
    if (!module_.symbols.holds(dims_)) throw std::invalid_argument("arguments break a guard");
  }

  int64_t number(ops::Dim dim) const { return dim.symbolic() ? dims_[dim.expr] : dim.hint(); }

  Datum size(ops::Dim dim) const {
    const int64_t bits = number(dim);
    const ops::ScalarKind kind = dim.symbolic() ? module_.symbols.exprs()[dim.expr].kind : ops::ScalarKind::Int;
    if (kind == ops::ScalarKind::Float) return std::bit_cast<double>(bits);
    return kind == ops::ScalarKind::Bool ? Datum(bits != 0) : Datum(bits);
  }

  ops::Shape shape(const ops::Dims& dims) const {
    ops::Shape shape;
    for (ops::Dim d : dims) shape.push_back(number(d));
    return shape;
  }

  ops::Attrs numbers(const ops::Attrs& attrs) const {
    return map_dims(attrs, [&](ops::Dim d) { return ops::Dim(number(d)); });
  }

  Data evaluate(GraphId id, const Data& arguments) {
    const Graph& graph = module_.graph(id);
    if (arguments.size() != graph.params.size()) throw std::invalid_argument("wrong number of arguments");
    Data values(graph.types.size());
    for (size_t i = 0; i < arguments.size(); ++i) values[graph.params[i]] = arguments[i];
    for (const Node& node : graph.nodes) {
      const Data out = step(graph, node, pick(values, node.inputs));
      for (size_t i = 0; i < node.outputs; ++i) values[node.output(i)] = out.at(i);
    }
    return pick(values, graph.results);
  }

  static Data pick(const Data& values, std::span<const ValueId> ids) {
    Data picked;
    for (ValueId v : ids) picked.push_back(v == kNoId ? Datum() : values[v]);
    return picked;
  }

  Data step(const Graph& graph, const Node& node, const Data& in) {
    switch (node.kind) {
      case NodeKind::Apply:
        return apply(node, in);
      case NodeKind::Constant:
        return {std::get<ops::Tensor>(node.payload)};
      case NodeKind::Scalar:
        return {scalar(node)};
      case NodeKind::Size:
        return {size(std::get<ops::Dim>(node.payload))};
      case NodeKind::Item:
        return {item(std::get<ops::Tensor>(in[0]))};
      case NodeKind::ToTensor:
        return {to_tensor(in[0], graph.type(node.output()).dtype)};
      case NodeKind::If:
        return evaluate(node.graphs[std::get<bool>(in[0]) ? 0 : 1], Data(in.begin() + 1, in.end()));
      case NodeKind::While:
        return loop(node, in);
      case NodeKind::Call:
        return evaluate(node.graphs[0], in);
      case NodeKind::State:
      case NodeKind::UpdateState:
        return {Datum()};
      case NodeKind::Depend:
        return {in[0]};
      case NodeKind::Load:
        if (loads_alias_) return {in[0]};
        [[fallthrough]];
      case NodeKind::TensorMove:
        return {clone(std::get<ops::Tensor>(in[0]))};
      case NodeKind::RandomKey:
        return {ops::next_random_key()};
      case NodeKind::Stack:
        return {ops::Stack()};
      case NodeKind::Push:
        return {push(in)};
      case NodeKind::Pop:
        return pop(graph, node, std::get<ops::Stack>(in[0]));
      case NodeKind::NonEmpty:
        return {static_cast<bool>(std::get<ops::Stack>(in[0]))};
      case NodeKind::Fused:
        return fused(node, in);
      case NodeKind::FusedReduce:
        return run_op(*node.op, fused(node, in), node.attrs);
    }
    throw std::logic_error("an unknown node kind");
  }

  Data apply(const Node& node, const Data& in) {
    return run_op(*node.op, std::span(in).first(in.size() - (node.op->has_effect() ? 1 : 0)), node.attrs);
  }

  Data run_op(const ops::Op& op, std::span<const Datum> in, const ops::Attrs& attrs) {
    const auto is_tensor = [](const Datum& d) { return std::holds_alternative<ops::Tensor>(d); };
    if (op.elementwise() && std::any_of(in.begin(), in.end(), is_tensor)) {
      ops::Types types;
      for (const Datum& d : in) types.push_back(none(value(d)) ? Type::token() : ops::type_of(value(d)));
      return reference(ops::program(op, types, numbers(attrs))->expr(), in);
    }
    ops::Values operands;
    for (const Datum& d : in) operands.push_back(value(d));
    Data out;
    for (const ops::Value& v : ops::run(op, operands, numbers(attrs))) out.push_back(datum(v));
    return out;
  }

  static ops::Value value(const Datum& d) {
    if (const auto* t = std::get_if<ops::Tensor>(&d)) return *t;
    if (const auto* b = std::get_if<bool>(&d)) return *b;
    if (const auto* i = std::get_if<int64_t>(&d)) return *i;
    if (const auto* f = std::get_if<double>(&d)) return *f;
    return {};
  }

  static Datum datum(const ops::Value& v) {
    if (const auto* t = std::get_if<ops::Tensor>(&v)) return *t;
    if (const auto* b = std::get_if<bool>(&v)) return *b;
    if (const auto* i = std::get_if<int64_t>(&v)) return *i;
    if (const auto* f = std::get_if<double>(&v)) return *f;
    return {};
  }

  static Datum scalar(const Node& node) {
    if (const auto* b = std::get_if<bool>(&node.payload)) return *b;
    if (const auto* i = std::get_if<int64_t>(&node.payload)) return *i;
    return std::get<double>(node.payload);
  }

  static Datum item(const ops::Tensor& t) {
    const ops::DType slot = t.dtype() == ops::DType::Bool ? ops::DType::Bool
                            : is_float(t.dtype())         ? ops::DType::Float64
                                                          : ops::DType::Int64;
    const ops::Tensor wide = ops::Tensor::empty(slot, t.shape());
    copy_into(t, wide);
    if (slot == ops::DType::Bool) return *wide.data_as<bool>();
    if (slot == ops::DType::Int64) return *wide.data_as<int64_t>();
    return *wide.data_as<double>();
  }

  static Datum to_tensor(const Datum& scalar, ops::DType dtype) {
    const ops::Tensor t = ops::Tensor::empty(dtype, {});
    if (const auto* b = std::get_if<bool>(&scalar))
      copy_into(ops::Tensor::scalar(*b), t);
    else if (const auto* i = std::get_if<int64_t>(&scalar))
      copy_into(ops::Tensor::scalar(*i), t);
    else
      copy_into(ops::Tensor::scalar(std::get<double>(scalar)), t);
    return t;
  }

  Data loop(const Node& node, Data values) {
    while (std::get<bool>(evaluate(node.graphs[0], values).at(0))) {
      const Data next = evaluate(node.graphs[1], values);
      std::copy(next.begin(), next.end(), values.begin());
    }
    values.resize(node.carried);
    return values;
  }

  static Datum push(const Data& in) {
    std::vector<ops::StackItem> items;
    for (size_t i = 1; i < in.size(); ++i)
      std::visit(
          [&](const auto& x) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(x)>, std::monostate>) items.push_back(x);
          },
          in[i]);
    return ops::push(std::get<ops::Stack>(in[0]), std::move(items));
  }

  Datum zero(const Type& type) const {
    switch (type.kind) {
      case ops::Kind::Bool:
        return false;
      case ops::Kind::Int:
        return int64_t{0};
      case ops::Kind::Float:
        return 0.0;
      case ops::Kind::Stack:
        return ops::Stack();
      default:
        return ops::Tensor::full(type.dtype, shape(type.dims), 0);
    }
  }

  bool fits(const Datum& item, const Type& type) const {
    if (item.index() != zero(type).index()) return false;
    const auto* tensor = std::get_if<ops::Tensor>(&item);
    return !tensor || (tensor->dtype() == type.dtype && tensor->shape() == shape(type.dims));
  }

  Data pop(const Graph& graph, const Node& node, const ops::Stack& stack) const {
    Data out = {stack ? stack->below() : ops::Stack()};
    if (stack && stack->items().size() + 1 != node.outputs) throw std::invalid_argument("a Pop of another size");
    for (size_t i = 1; i < node.outputs; ++i) {
      const Type& type = graph.type(node.output(i));
      if (stack)
        std::visit([&](const auto& item) { out.emplace_back(item); }, stack->items()[i - 1]);
      else
        out.push_back(zero(type));
      if (!fits(out.back(), type)) throw std::invalid_argument("a Pop of another type");
    }
    return out;
  }

  static Data fused(const Node& node, const Data& in) { return reference(*node.expr, in); }

  // One element at a time. Scalars enter an expression as 0-d tensors of the input's dtype.
  static Data reference(const ops::Expr& expr, std::span<const Datum> in) {
    std::vector<ops::Tensor> tensors(in.size());
    ops::Shape result;
    for (size_t i = 0; i < in.size(); ++i) {
      if (std::holds_alternative<std::monostate>(in[i])) continue;
      const auto* tensor = std::get_if<ops::Tensor>(&in[i]);
      tensors[i] = tensor ? *tensor : std::get<ops::Tensor>(to_tensor(in[i], expr.input_dtype(i)));
      result = ops::broadcast_shapes(result, tensors[i].shape());
    }
    Data out;
    std::vector<ops::View> from, to;
    for (const ops::Tensor& t : tensors) from.push_back(t.defined() ? ops::View{t.data(), &t.layout()} : ops::View{});
    for (ops::NodeId id : expr.outputs) {
      const ops::Tensor t = ops::Tensor::empty(expr.nodes[id].dtype, result);
      to.push_back({t.data(), &t.layout()});
      out.push_back(t);
    }
    ops::run_expression_reference(expr, from, to);
    return out;
  }

  const Module& module_;
  const bool loads_alias_;
  std::vector<int64_t> dims_;
};

inline Data evaluate(const Module& module, GraphId graph, const Data& arguments, bool loads_alias = false) {
  return Evaluator(module, loads_alias).run(graph, arguments);
}

}  // namespace ember::bytecode
