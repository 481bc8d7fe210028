#include "tests/differential/random_module.h"

#include <functional>
#include <random>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/transforms/transforms.h"

namespace ember::differential {
namespace {

using bytecode::GraphBuilder;
using bytecode::GraphId;
using bytecode::Module;
using bytecode::Type;
using bytecode::Types;
using ops::Dim;
using ops::Dims;
using ops::DType;
using ops::Ints;
using ops::Kind;
using ops::Op;
using ops::Value;
using ops::Values;

constexpr DType kDTypes[] = {DType::Float32, DType::Float32,  DType::Float32, DType::Float64, DType::Int32,
                             DType::Int64,   DType::BFloat16, DType::Float16, DType::Bool,    DType::UInt8};

// Values of one graph under construction.
struct Scope {
  GraphBuilder& b;
  Values tensors, numbers, refs, indices;
};

class Generator {
 public:
  Generator(Module& module, const RandomOptions& options)
      : module_(module),
        options_(options),
        random_(options.seed),
        rows_(options.symbolic ? size_symbol(module.symbols, options.rows) : Dim(options.rows)),
        columns_(options.symbolic ? size_symbol(module.symbols, options.columns) : Dim(options.columns)),
        cap_(16 * options.rows * options.columns) {}

  GraphId entry() {
    const GraphId id = module_.add_graph("entry");
    GraphBuilder b(module_, id);
    Scope s{b, {}, {}, {}, {}};
    const DType first = options_.differentiate || below(2) ? DType::Float32 : kDTypes[below(std::size(kDTypes))];
    const DType other = options_.differentiate ? DType::Float32 : kDTypes[below(std::size(kDTypes))];
    s.tensors = {b.param("x", Type::tensor(first, {rows_, columns_})),
                 b.param("y", Type::tensor(other, {rows_, columns_})),
                 b.param("r", Type::tensor(DType::Float32, {columns_})),
                 b.param("c", Type::tensor(DType::Float32, {rows_, Dim(1)}))};
    s.indices = {b.param("i", Type::tensor(DType::Int64, {Dim(3)}))};
    s.refs = {b.param("w", {Kind::Ref, DType::Float32, {rows_, columns_}}),
              b.param("v", {Kind::Ref, DType::Float32, {columns_}})};
    s.numbers = {b.param("n", Type::scalar(Kind::Int)), b.param("k", Type::scalar(Kind::Float)),
                 b.param("t", Type::scalar(Kind::Bool))};
    s.indices.push_back(b.param("j", Type::tensor(DType::Int64, {Dim(3)})));
    fill(s, 6 + below(20), 2);
    Values results;
    if (options_.differentiate) results.push_back(b.call("mean", {pick(s.tensors, is_differentiable(b))}));
    for (size_t i = 0; i < 8; ++i) results.push_back(pick_chain(s.tensors));
    results.push_back(s.numbers.back());
    b.finish(results);
    return id;
  }

 private:
  using Named = ops::Builder::Named;

  size_t below(size_t n) { return random_() % n; }
  const Value& pick(const Values& values) { return values[below(values.size())]; }

  // Half the time one of the latest, so that chains grow.
  Value pick_chain(const Values& values) {
    const size_t n = values.size();
    return below(2) || n < 4 ? pick(values) : values[n - 1 - below(3)];
  }

  static std::function<bool(const Value&)> is_differentiable(const GraphBuilder& b) {
    return [&b](const Value& v) { return b.type(v).dtype == DType::Float32; };
  }
  Value pick(const Values& values, const std::function<bool(const Value&)>& wanted) {
    for (size_t i = values.size(); i-- > 0;)
      if (wanted(values[i]) && (below(3) == 0)) return values[i];
    for (const Value& v : values)
      if (wanted(v)) return v;
    return {};
  }

  void fill(Scope& s, size_t steps, int depth) {
    for (size_t i = 0; i < steps; ++i) {
      try {
        step(s, depth);
      } catch (const ops::OpError&) {
      } catch (const std::invalid_argument&) {
      }
    }
  }

  void keep(Scope& s, const Value& v) {
    if (none(v)) return;
    const Type type = s.b.type(v);
    if (is_scalar(type.kind)) {
      s.numbers.push_back(v);
    } else if (type.kind == Kind::Tensor && element_count(hints(type.dims)) <= cap_ && type.dims.size() <= 4) {
      s.tensors.push_back(v);
    }
  }
  void keep(Scope& s, const Values& values) {
    for (const Value& v : values) keep(s, v);
  }

  void step(Scope& s, int depth) {
    const size_t kind = below(depth > 0 ? 34 : 28);
    if (kind < 10) return elementwise(s);
    if (kind < 12) return tame(s);
    if (kind < 15) return reduce(s);
    if (kind < 20) return move(s);
    if (kind < 22) return multiply(s);
    if (kind < 23) return index(s);
    if (kind < 25) return write(s);
    if (kind < 26) return keep(s, s.b.load(pick(s.refs)));
    if (kind < 27) return number(s);
    if (kind < 28) return draw(s);
    if (kind < 30) return branch(s, depth - 1);
    if (kind < 32) return loop(s, depth - 1);
    return called(s, depth - 1);
  }

  void elementwise(Scope& s) {
    static const std::vector<const Op*> table = [] {
      std::vector<const Op*> ops;
      for (const Op& op : ops::all_ops())
        if (op.elementwise() && op.flags.has(ops::Flag::Pure)) ops.push_back(&op);
      return ops;
    }();
    static constexpr const char* common[] = {"add", "mul", "sub", "maximum", "select", "less", "neg", "relu"};
    const Op& op = below(2) ? *table[below(table.size())] : ops::op(common[below(std::size(common))]);
    if (op.name == "cast") return keep(s, s.b.cast(pick_chain(s.tensors), kDTypes[below(std::size(kDTypes))]));
    Values operands;
    for (const ops::Param& p : op.signature.params) {
      if (!is_operand(p.kind)) continue;
      const bool any_number = p.kind == ops::ParamKind::Number && !operands.empty();
      if (p.optional && below(2))
        operands.emplace_back();
      else if (any_number && below(4) == 0)
        operands.push_back(below(2) ? pick(s.numbers) : literal());
      else
        operands.push_back(pick_chain(s.tensors));
    }
    keep(s, s.b.apply(op, operands, make_attrs(op, {})));
  }

  Value literal() {
    switch (below(3)) {
      case 0:
        return static_cast<double>(static_cast<int>(below(9)) - 4) / 2;
      case 1:
        return static_cast<int64_t>(below(5));
      default:
        return below(2) == 0;
    }
  }

  // Back into a range where not everything is infinite.
  void tame(Scope& s) {
    const Value& v = pick_chain(s.tensors);
    keep(s, below(2) ? s.b.call("tanh", {v}) : s.b.call("clip", {v, Value(-2.0), Value(2.5)}));
  }

  Dim axis_of(const Type& type) { return Dim(static_cast<int64_t>(below(std::max<size_t>(1, type.dims.size())))); }

  void reduce(Scope& s) {
    const Value v = pick_chain(s.tensors);
    const Dim axis = axis_of(s.b.type(v));
    const Named whole = {{"axis", Ints{axis}}, {"keep_dims", below(2) == 0}};
    static constexpr const char* names[] = {"reduce_sum", "reduce_max", "reduce_min", "reduce_prod",
                                            "all",        "any",        "mean"};
    switch (below(6)) {
      case 0:
      case 1:
        return keep(s, s.b.call(names[below(std::size(names))], {v}, whole));
      case 2:
        return keep(s, s.b.call(names[below(std::size(names))], {v}));
      case 3:
        return keep(s, s.b.call(below(2) ? "softmax" : "log_softmax", {v}, {{"axis", axis.hint()}}));
      case 4:
        return keep(s, s.b.call(below(2) ? "argmax" : "cumsum", {v}, {{below(2) ? "dim" : "axis", axis.hint()}}));
      default:
        return keep(s, below(2) ? s.b.call("var", {v}, {{"axis", Ints{axis}}}) : s.b.call("argmin", {v}));
    }
  }

  void move(Scope& s) {
    GraphBuilder& b = s.b;
    const Value v = pick_chain(s.tensors);
    const Dims dims = b.dims(v);
    const Dim axis = axis_of(b.type(v));
    switch (below(12)) {
      case 0:
      case 1:
        return keep(s, b.call("swapaxes", {v}, {{"axis0", int64_t{0}}, {"axis1", axis.hint()}}));
      case 2:
        return keep(s, b.reshape(b.reshape(v, {Dim(-1)}), dims));
      case 3:
        return keep(s, b.reshape(v, {Dim(-1)}));
      case 4:
        return keep(s, b.broadcast_to(v, below(2) ? Dims{rows_, columns_} : Dims{Dim(2), rows_, columns_}));
      case 5:
        return keep(s, b.call("strided_slice", {v},
                              {{"begin", Ints{Dim(static_cast<int64_t>(below(2)))}},
                               {"end", Ints{dims.empty() ? Dim(1) : dims[0]}},
                               {"strides", Ints{Dim(1 + static_cast<int64_t>(below(2)))}}}));
      case 6:
        return keep(s, b.call("flip", {v}, {{"dims", Ints{axis}}}));
      case 7:
        return keep(s, b.expand_dims(v, axis.hint()));
      case 8:
        return keep(s, b.call("concat", {v, pick(s.tensors)}, {{"axis", axis.hint()}}));
      case 9:
        return keep(s, b.call("select_at", {v}, {{"index", int64_t{1}}, {"axis", axis.hint()}}));
      case 10:
        return keep(s, b.call(below(2) ? "triu" : "tril", {v}));
      default:
        return keep(s, b.call("stack", {v, v}, {{"axis", axis.hint()}}));
    }
  }

  void multiply(Scope& s) {
    const Value a = pick_chain(s.tensors), c = pick_chain(s.tensors);
    const Value turned = s.b.call("swapaxes", {c}, {{"axis0", int64_t{-1}}, {"axis1", int64_t{-2}}});
    if (below(4) == 0) return keep(s, s.b.call("matmul", {a, c}));
    if (below(4) == 0) return keep(s, s.b.call("dense", {a, c, Value()}));
    keep(s, below(2) ? s.b.call("matmul", {a, turned}) : s.b.call("matmul", {turned, a}));
  }

  // Along axes of two or more elements, so that indices of 0 and 1 raise nothing.
  void index(Scope& s) {
    const Value v = pick_chain(s.tensors);
    const Dim axis = axis_of(s.b.type(v));
    const Dims dims = s.b.dims(v);
    if (dims.empty() || dims[static_cast<size_t>(axis.hint())].hint() < 2) return;
    const Dim size = dims[static_cast<size_t>(axis.hint())];
    if (!size.symbolic() || identical(size, rows_) || identical(size, columns_))
      keep(s, s.b.call("gather", {v, pick(s.indices)}, {{"axis", axis.hint()}}));
  }

  void write(Scope& s) {
    const Value& ref = pick(s.refs);
    Type wanted = s.b.type(ref);
    wanted.kind = Kind::Tensor;
    const Value v = pick(s.tensors, [&](const Value& t) { return identical(s.b.type(t), wanted); });
    if (below(3) == 0) {
      s.b.call(below(2) ? "assign_add" : "assign_sub", {ref, below(2) ? pick(s.numbers) : pick(s.tensors)});
    } else if (none(v)) {
      s.b.call("assign", {ref, Value(0.25)});
    } else {
      s.b.call("assign", {ref, v});
    }
  }

  void number(Scope& s) {
    switch (below(3)) {
      case 0:
        return keep(s, s.b.item(s.b.call("reduce_max", {pick_chain(s.tensors)})));
      case 1:
        return keep(s, s.b.call(below(2) ? "add" : "mul", {pick(s.numbers), below(2) ? pick(s.numbers) : literal()}));
      default:
        return keep(s, s.b.size(below(2) ? rows_ : columns_));
    }
  }

  void draw(Scope& s) {
    if (below(2)) return keep(s, s.b.call("dropout", {pick_chain(s.tensors), s.b.next_random()}, {{"p", 0.25}}));
    keep(s, s.b.call("standard_normal", {s.b.next_random()}, {{"shape", Ints{rows_, columns_}}}));
  }

  // What a sub-graph gets: some tensors and numbers, the indices, both Refs.
  Values inputs_for(Scope& s) {
    Values inputs;
    for (size_t i = 0; i < 3; ++i) inputs.push_back(pick_chain(s.tensors));
    inputs.push_back(pick(s.numbers));
    inputs.push_back(pick(s.indices));
    inputs.insert(inputs.end(), s.refs.begin(), s.refs.end());
    inputs.push_back(s.numbers[0]);
    return inputs;
  }

  static constexpr size_t kTensors = 3;

  Scope scope_of(GraphBuilder& b, const Values& params) {
    return {b,
            {params.begin(), params.begin() + kTensors},
            {params[kTensors], params[kTensors + 4]},
            {params[kTensors + 2], params[kTensors + 3]},
            {params[kTensors + 1]}};
  }

  bool condition_exists(const Scope& s) const {
    return std::any_of(s.numbers.begin(), s.numbers.end(),
                       [&](const Value& v) { return s.b.type(v).kind == Kind::Bool; });
  }

  Value condition(Scope& s) {
    if (condition_exists(s) && below(2))
      return pick(s.numbers, [&](const Value& v) { return s.b.type(v).kind == Kind::Bool; });
    const Value& v = pick_chain(s.tensors);
    return s.b.item(s.b.call("less", {s.b.call("mean", {s.b.cast(v, DType::Float32)}), Value(0.1)}));
  }

  // A graph over inputs of these types whose results have `results` types.
  GraphId sub_graph(const char* name, const Types& params, const Types& results, int depth, bool shared) {
    const GraphId id = module_.add_graph(name);
    {
      GraphBuilder b(module_, id);
      Values values;
      for (size_t i = 0; i < params.size(); ++i) values.push_back(b.param("p" + std::to_string(i), params[i]));
      Scope s = scope_of(b, values);
      fill(s, 1 + below(7), depth);
      b.finish(matching(s, results));
    }
    module_.graph(id).shared = shared;
    return id;
  }

  Values matching(Scope& s, const Types& wanted) {
    Values values;
    for (const Type& type : wanted) {
      const Values& among = is_scalar(type.kind) ? s.numbers : s.tensors;
      values.push_back(pick(among, [&](const Value& v) { return identical(s.b.type(v), type); }));
    }
    return values;
  }

  Types types(Scope& s, const Values& values) {
    Types out;
    for (const Value& v : values) out.push_back(s.b.type(v));
    return out;
  }

  void branch(Scope& s, int depth) {
    const Value test = below(5) ? condition(s) : Value(below(2) == 0);
    const Values inputs = inputs_for(s);
    const Types params = types(s, inputs), results(params.begin(), params.begin() + 1 + below(kTensors + 1));
    const GraphId yes = sub_graph("yes", params, results, depth, false);
    const GraphId no = sub_graph("no", params, results, depth, false);
    keep(s, s.b.if_else(test, inputs, yes, no));
  }

  void called(Scope& s, int depth) {
    const Values inputs = inputs_for(s);
    const Types params = types(s, inputs), results(params.begin(), params.begin() + 1 + below(kTensors + 1));
    const GraphId callee = sub_graph("callee", params, results, depth, below(3) != 0);
    keep(s, s.b.call(callee, inputs));
    if (below(3) == 0) keep(s, s.b.call(callee, inputs));
  }

  // Carried: the tensors and the number of inputs_for(), then a counter down to 0; the rest is invariant.
  void loop(Scope& s, int depth) {
    const Values inputs = inputs_for(s);
    const Types params = types(s, inputs);
    const Types results(params.begin(), params.begin() + kTensors + 1);
    const GraphId inner = sub_graph("inner", params, results, depth, false);
    const GraphId test = module_.add_graph("test"), next = module_.add_graph("next");
    for (GraphId id : {test, next}) {
      GraphBuilder b(module_, id);
      Values values;
      for (size_t i = 0; i < results.size(); ++i) values.push_back(b.param("c" + std::to_string(i), params[i]));
      const Value counter = b.param("n", Type::scalar(Kind::Int));
      for (size_t i = results.size(); i < params.size(); ++i)
        values.push_back(b.param("f" + std::to_string(i), params[i]));
      if (id == test) {
        b.finish(Values{b.call("less", {Value(int64_t{0}), counter})});
      } else {
        Values outputs = b.call(inner, values);
        outputs.push_back(b.sub(counter, Value(int64_t{1})));
        b.finish(outputs);
      }
    }
    Values carried(inputs.begin(), inputs.begin() + kTensors + 1);
    const bool of_parameter = s.b.type(s.numbers[0]).kind == Kind::Int && below(2);
    carried.push_back(of_parameter ? s.b.call("minimum", {s.numbers[0], Value(int64_t{3})})
                                   : Value(static_cast<int64_t>(below(9) ? below(4) : 20)));
    Values out = s.b.while_loop(carried, std::span(inputs).subspan(kTensors + 1), test, next);
    out.pop_back();
    keep(s, out);
  }

  Module& module_;
  const RandomOptions& options_;
  std::mt19937 random_;
  const Dim rows_, columns_;
  const int64_t cap_;
};

}  // namespace

Module random_module(const RandomOptions& options) {
  Module module;
  const ops::SymbolScope scope(&module.symbols);
  module.entry = Generator(module, options).entry();
  if (!options.differentiate) return module;
  Module plain = module;
  try {
    module.entry = bytecode::grad(module, module.entry, {.wrt = {0, 1, 2, 3, 5, 6}});
  } catch (const ops::OpError&) {
    return plain;
  }
  return module;
}

}  // namespace ember::differential
