// Recurrent layers over all steps of a sequence: what the inputs give the gates is there already, for all steps as one
// product, and a step adds the product of the states before it (kernels/recurrent_cells.h). The states and activations
// of all steps are kept for the gradient, which goes through the steps from behind and gives the gates' cotangents:
// those of the weights are then one product over all steps.
#include "ops/kernels/recurrent.h"

#include "ops/table/rules.h"

namespace ember::ops::recurrent {
namespace {

// A value of a composition, with the arithmetic that an Ex has.
struct Node {
  Builder* b = nullptr;
  Value v;
};
Node operator+(const Node& x, const Node& y) { return {x.b, x.b->add(x.v, y.v)}; }
Node operator*(const Node& x, const Node& y) { return {x.b, x.b->mul(x.v, y.v)}; }
Node operator-(const Node& x, const Node& y) { return {x.b, x.b->sub(x.v, y.v)}; }
Node operator-(double x, const Node& y) { return {y.b, y.b->sub(x, y.v)}; }
Node sigmoid(const Node& x) { return {x.b, x.b->call("sigmoid", {x.v})}; }
Node tanh(const Node& x) { return {x.b, x.b->call("tanh", {x.v})}; }
Node relu(const Node& x) { return {x.b, x.b->call("relu", {x.v})}; }
Node if_positive(const Node& x, const Node& y) {
  return {x.b, x.b->select(x.b->call("greater", {x.v, 0.0}), y.v, 0.0)};
}
Node choose(const Node& c, const Node& yes, const Node& no) { return {c.b, c.b->select(c.v, yes.v, no.v)}; }
Node only(const Node& c, const Node& x) { return {c.b, c.b->select(c.v, x.v, 0.0)}; }
Node unless(const Node& c, const Node& x) { return {c.b, c.b->select(c.v, 0.0, x.v)}; }

[[noreturn]] void refuse(std::string_view name, const std::string& what, const Type& type) {
  value_error("For '" + std::string(name) + "', " + what + ", but is " + to_string(type) + ".");
}

void check(std::string_view name, const char* operand, const Type& type, const Dims& dims, DType dtype) {
  if (type.dtype != dtype) {
    type_error("For '" + std::string(name) + "', " + operand + " must be of " + std::string(ops::name(dtype)) +
               ", but is " + to_string(type) + ".");
  }
  if (type.dims.size() != dims.size() || !std::equal(dims.begin(), dims.end(), type.dims.begin())) {
    refuse(name, std::string(operand) + " must be of shape " + to_string(hints(dims)), type);
  }
}

void check_lengths(std::string_view name, const Type& lengths, Dim rows) {
  if (lengths.kind == Kind::Token) return;
  if (lengths.dtype != DType::Int32 && lengths.dtype != DType::Int64) {
    type_error("For '" + std::string(name) + "', lengths must be int32 or int64, but are " + to_string(lengths) + ".");
  }
  check(name, "lengths", lengths, {rows}, lengths.dtype);
}

// A weight (gates * units, units) of a floating-point dtype; returns the units.
Dim check_weight(std::string_view name, const Type& weight, size_t gates) {
  if (!is_float(weight.dtype)) {
    type_error("For '" + std::string(name) + "', the weight must be of a floating-point dtype, but is " +
               to_string(weight) + ".");
  }
  const Dim wide(static_cast<int64_t>(gates));
  if (weight.dims.size() != 2 || weight.dims[0] != wide * weight.dims[1]) {
    refuse(name, "the weight must be of shape (" + std::to_string(gates) + " * units, units)", weight);
  }
  return weight.dims[1];
}

// (steps, sequences, parts * units)
Dims of_steps(const Type& input_gates, Dim units, size_t parts) {
  return {input_gates.dims[0], input_gates.dims[1], Dim(static_cast<int64_t>(parts)) * units};
}

// Of a composition: operands in float32 if they are of a half type, and what is taken from them.
class Operands {
 public:
  Operands(Builder& b, std::span<const Value> in) : b_(b), dtype_(b.type(in[0]).dtype) {
    for (const Value& v : in) in_.push_back(widened(b, v));
  }
  bool has(size_t i) const { return !none(in_[i]); }
  const Value& operator[](size_t i) const { return in_[i]; }
  Node node(size_t i) const { return {&b_, in_[i]}; }
  Node at(size_t i, int64_t step) const { return {&b_, b_.call("select_at", {in_[i]}, {{"index", step}})}; }
  List<Node> parts(const Node& x, size_t count) const {
    const Dims dims = b_.dims(x.v);
    const Ints size{dims[1] / Dim(static_cast<int64_t>(count))};
    List<Node> out;
    for (Value& v : b_.call_all("split", {&x.v, 1}, {{"split_size_or_sections", size}, {"axis", int64_t{1}}})) {
      out.push_back({&b_, std::move(v)});
    }
    return out;
  }
  Node within(size_t lengths, int64_t step) const {
    return {&b_, b_.call("less", {step, b_.expand_dims(in_[lengths], 1)})};
  }
  Value joined(const List<Node>& parts) const {
    Values values;
    for (const Node& part : parts) values.push_back(part.v);
    return b_.call_all("concat", values, {{"axis", int64_t{1}}})[0];
  }
  Value stacked(const Values& steps) const { return finished(b_.call_all("stack", steps)[0]); }
  Value finished(const Value& v) const { return narrowed(b_, v, dtype_); }

 private:
  Builder& b_;
  DType dtype_;
  Values in_;
};

template <class Cell>
Values compose_forward(Builder& b, std::span<const Value> in, const Attrs& attrs) {
  using At = Of<Cell>;
  const Operands operands(b, in);
  const int64_t count = pinned(b.dims(in[At::kInputGates])[0]);
  List<Node> states;
  for (size_t i = 0; i < Cell::states; ++i) states.push_back(operands.node(At::kFirst + i));
  std::vector<Values> results(Cell::states + (Cell::kept > 0), Values(static_cast<size_t>(count)));
  for (int64_t s = 0; s < count; ++s) {
    const int64_t t = step_at(s, count, attrs.flag(At::kReverse));
    const Node product{&b, b.call("dense", {states[0].v, operands[At::kWeight], operands[At::kBias]})};
    const bool masked = operands.has(At::kLengths);
    const Node within = masked ? operands.within(At::kLengths, t) : Node();
    const Made<Node> next = step<Cell>(operands.parts(operands.at(At::kInputGates, t), Cell::gates),
                                       operands.parts(product, Cell::gates), states, masked ? &within : nullptr);
    states = next.states;
    for (size_t i = 0; i < Cell::states; ++i) results[i][static_cast<size_t>(t)] = states[i].v;
    if (Cell::kept > 0) results[At::kKept][static_cast<size_t>(t)] = operands.joined(next.kept);
  }
  Values out;
  for (const Values& steps : results) out.push_back(operands.stacked(steps));
  return out;
}

// What goes on to the step before: of the first state carried beside the product, or not.
List<Node> going_on(const List<Node>& carried, const Node& of_product, size_t states) {
  const size_t apart = states - carried.size();
  List<Node> out = {apart == 0 ? carried[0] + of_product : of_product};
  for (size_t i = 1; i < states; ++i) out.push_back(carried[i - apart]);
  return out;
}

// The states after a step, or before the first.
template <class Cell>
List<Node> states_after(const Operands& operands, int64_t step, int64_t count, bool reverse) {
  using At = typename Of<Cell>::Back;
  List<Node> out;
  for (size_t i = 0; i < Cell::states; ++i) {
    out.push_back(step < 0 ? operands.node(At::kFirst + i) : operands.at(At::kMade + i, step_at(step, count, reverse)));
  }
  return out;
}

template <class Cell>
Values compose_backward(Builder& b, std::span<const Value> in, const Attrs& attrs) {
  using At = typename Of<Cell>::Back;
  const Operands operands(b, in);
  const int64_t count = pinned(b.dims(in[0])[0]);
  const bool reverse = attrs.flag(At::kReverse), masked = operands.has(At::kLengths);
  const Node zeros{&b, b.zeros(b.type(operands[0]).dtype, b.dims(in[At::kFirst]))};
  List<Node> carried(Cell::states - (Cell::carries || masked ? 0 : 1), zeros);
  Node of_product = zeros;
  std::vector<Values> results(Cell::product_apart ? 2 : 1, Values(static_cast<size_t>(count)));
  for (int64_t s = count; s-- > 0;) {
    const int64_t t = step_at(s, count, reverse);
    List<Node> ct, kept, ct_kept;
    const List<Node> more = going_on(carried, of_product, Cell::states);
    for (size_t i = 0; i < Cell::states; ++i) ct.push_back(operands.at(At::ct(i), t) + more[i]);
    if (Cell::kept > 0) kept = operands.parts(operands.at(At::kKept, t), Cell::kept);
    if (Cell::kept > 0 && operands.has(At::kKeptGradient)) {
      ct_kept = operands.parts(operands.at(At::kKeptGradient, t), Cell::kept);
    }
    const Node within = masked ? operands.within(At::kLengths, t) : Node();
    const Slopes<Node> slopes = back<Cell>(ct, ct_kept, kept, states_after<Cell>(operands, s - 1, count, reverse),
                                           states_after<Cell>(operands, s, count, reverse), masked ? &within : nullptr);
    carried = slopes.before;
    results[0][static_cast<size_t>(t)] = operands.joined(slopes.input);
    if (Cell::product_apart) results[1][static_cast<size_t>(t)] = operands.joined(slopes.product);
    of_product = {&b, b.call("matmul", {results.back()[static_cast<size_t>(t)], operands[1]})};
  }
  Values out;
  for (const Values& steps : results) out.push_back(operands.stacked(steps));
  for (const Node& state : going_on(carried, of_product, Cell::states)) out.push_back(operands.finished(state.v));
  return out;
}

// The states before all steps (steps * sequences, units).
Value states_before(Builder& b, const Value& first, const Value& states, bool reverse) {
  const Dims dims = b.dims(states);
  const Ints begin{reverse ? Dim(1) : Dim(0), Dim(0), Dim(0)}, size{dims[0] - Dim(1), dims[1], dims[2]};
  const Value others = b.call("slice", {states}, {{"begin", begin}, {"size", size}}), own = b.expand_dims(first, 0);
  const Value parts[] = {reverse ? others : own, reverse ? own : others};
  return b.reshape(b.call_all("concat", parts)[0], {dims[0] * dims[1], dims[2]});
}

template <class Op, class Cell>
struct LayerOp {
  using At = Of<Cell>;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* numpy = "";

  static Types infer(const InferCall& call) {
    const std::string_view name = Op::name;
    const Type &gates = call.in[At::kInputGates], &weight = call.in[At::kWeight];
    const Dim units = check_weight(name, weight, Cell::gates);
    const DType dtype = weight.dtype;
    const Dim wide = weight.dims[0];
    if (gates.dims.size() != 3 || gates.dims[0] == Dim(0)) refuse(name, "input_gates must be (steps, N, gates)", gates);
    check(name, "input_gates", gates, {gates.dims[0], gates.dims[1], wide}, dtype);
    for (size_t i = 0; i < Cell::states; ++i) {
      check(name, i == 0 ? "h" : "c", call.in[At::kFirst + i], {gates.dims[1], units}, dtype);
    }
    if (call.in[At::kBias].kind != Kind::Token) check(name, "bias", call.in[At::kBias], {wide}, dtype);
    check_lengths(name, call.in[At::kLengths], gates.dims[1]);
    Types out(Cell::states, Type::tensor(dtype, of_steps(gates, units, 1)));
    if (Cell::kept > 0) out.push_back(Type::tensor(dtype, of_steps(gates, units, Cell::kept)));
    return out;
  }
  static void kernel(const KernelCall& call) { recurrent::forward<Cell>(call); }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return compose_forward<Cell>(b, in, attrs);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const bool reverse = g.attrs.flag(At::kReverse);
    Values in = {g.ct(0), g.in(At::kWeight)};
    for (size_t i = 1; i < Cell::states; ++i) in.push_back(g.ct(i));
    for (size_t i = 0; i < Cell::states + (Cell::kept > 0); ++i) in.push_back(g.out(i));
    for (size_t i = 0; i < Cell::states; ++i) in.push_back(g.in(At::kFirst + i));
    in.push_back(g.in(At::kLengths));
    if (Cell::kept > 0) in.push_back(g.flows(At::kKept) ? g.ct(At::kKept) : Value());
    const Values gradients = b.call_all(Cell::gradient, in, {{"reverse", reverse}});
    Values out = {gradients[0], {}};
    const size_t of_product = Cell::product_apart ? 1 : 0;
    out.insert(out.end(), gradients.begin() + of_product + 1, gradients.end());
    const Dims dims = b.dims(gradients[of_product]);
    const Value gates = b.reshape(gradients[of_product], {dims[0] * dims[1], dims[2]});
    if (g.needs(At::kWeight)) {
      const Value before = states_before(b, g.in(At::kFirst), g.out(0), reverse);
      out[At::kWeight] = b.call("matmul", {b.transpose(gates, {1, 0}), before});
    }
    const bool biased = g.in_type(At::kBias).kind != Kind::Token && g.needs(At::kBias);
    out.push_back(biased ? reduce_sum(b, gates, {0}, false) : Value());
    out.emplace_back();
    return out;
  }
  static std::vector<Sample> samples() {
    const int64_t g = static_cast<int64_t>(Cell::gates);
    const auto sample = [&](int64_t steps, int64_t rows, int64_t units, DType dtype, bool bias, bool lengths,
                            bool reverse) {
      std::vector<SampleOperand> in = {{{steps, rows, g * units}, dtype}, {{g * units, units}, dtype}};
      in.insert(in.end(), Cell::states, {{rows, units}, dtype});
      in.push_back(bias ? SampleOperand{{g * units}, dtype} : absent_operand());
      if (lengths) in.push_back({{rows}, DType::Int32, 0, static_cast<double>(steps) + 1});
      return Sample{std::move(in), {{"reverse", reverse}}, {}};
    };
    return {sample(3, 2, 5, DType::Float32, true, false, false), sample(4, 19, 3, DType::Float32, true, true, false),
            sample(1, 1, 1, DType::Float32, false, false, true), sample(2, 3, 4, DType::Float64, false, true, true),
            sample(2, 2, 3, DType::Float16, true, false, false)};
  }
};

template <class Op, class Cell>
struct LayerGradient {
  using At = typename Of<Cell>::Back;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* numpy = "";

  static Types infer(const InferCall& call) {
    const std::string_view name = Op::name;
    const Dim units = check_weight(name, call.in[1], Cell::gates);
    const Type& states = call.in[At::kMade];
    const DType dtype = call.in[1].dtype;
    if (states.dims.size() != 3 || states.dims[0] == Dim(0)) refuse(name, "states must be (steps, N, units)", states);
    const Dims all = of_steps(states, units, 1), first = {states.dims[1], units};
    for (size_t i = 0; i < Cell::states; ++i) {
      check(name, "a state's gradient", call.in[At::ct(i)], all, dtype);
      check(name, "a state", call.in[At::kMade + i], all, dtype);
      check(name, "a first state", call.in[At::kFirst + i], first, dtype);
    }
    const Dims kept = of_steps(states, units, Cell::kept);
    if (Cell::kept > 0) check(name, "activations", call.in[At::kKept], kept, dtype);
    if (Cell::kept > 0 && call.in[At::kKeptGradient].kind != Kind::Token) {
      check(name, "activations_gradient", call.in[At::kKeptGradient], kept, dtype);
    }
    check_lengths(name, call.in[At::kLengths], states.dims[1]);
    Types out(Cell::product_apart ? 2 : 1, Type::tensor(dtype, of_steps(states, units, Cell::gates)));
    out.insert(out.end(), Cell::states, Type::tensor(dtype, first));
    return out;
  }
  static void kernel(const KernelCall& call) { recurrent::backward<Cell>(call); }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return compose_backward<Cell>(b, in, attrs);
  }
  static std::vector<Sample> samples() {
    const int64_t g = static_cast<int64_t>(Cell::gates), k = static_cast<int64_t>(Cell::kept);
    const auto sample = [&](const Shape& all, DType dtype, bool lengths, bool kept_gradient, bool reverse) {
      const Shape first{all[1], all[2]}, kept{all[0], all[1], k * all[2]};
      std::vector<SampleOperand> in = {{all, dtype}, {{g * all[2], all[2]}, dtype}};
      in.insert(in.end(), 2 * Cell::states - 1, {all, dtype, -1, 1});
      if (k > 0) in.push_back({kept, dtype, 0, 1});
      in.insert(in.end(), Cell::states, {first, dtype});
      in.push_back(lengths ? SampleOperand{{all[1]}, DType::Int64, 0, static_cast<double>(all[0]) + 1}
                           : absent_operand());
      if (k > 0 && kept_gradient) in.push_back({kept, dtype});
      return Sample{std::move(in), {{"reverse", reverse}}, {}};
    };
    return {sample({3, 2, 5}, DType::Float32, false, false, false),
            sample({4, 19, 3}, DType::Float32, true, true, false), sample({1, 1, 1}, DType::Float32, false, true, true),
            sample({2, 3, 4}, DType::Float64, true, false, true),
            sample({2, 2, 3}, DType::BFloat16, false, false, false)};
  }
};

struct LstmLayer : LayerOp<LstmLayer, Lstm> {
  static constexpr const char* name = "lstm_layer";
  static constexpr const char* primitive = "LSTMLayer";
  static constexpr const char* signature =
      "input_gates: tensor, weight: tensor, h: tensor, c: tensor, bias: tensor? = None, lengths: tensor? = None, "
      "reverse: bool = False -> tensor, tensor, tensor";
  static constexpr const char* doc =
      "The states (steps, N, units) and cells and activations of all steps of long short-term memory (Hochreiter and"
      " Schmidhuber, 1997), whose gates are input, forget, cell and output. `input_gates` is (steps, N, gates * "
      "units); `weight` and `bias` are those of the states. From step `lengths`[n] on sequence n keeps its states. "
      "`reverse` starts from the last step.";
  static constexpr const char* saves = "weight, h, c, lengths, out0, out1, out2";
};
EMBER_OP(LstmLayer);

struct LstmLayerBackward : LayerGradient<LstmLayerBackward, Lstm> {
  static constexpr const char* name = "lstm_layer_backward";
  static constexpr const char* primitive = "LSTMLayerBackward";
  static constexpr const char* signature =
      "gradient: tensor, weight: tensor, c_gradient: tensor, states: tensor, cells: tensor, activations: tensor, h: "
      "tensor, c: tensor, lengths: tensor? = None, activations_gradient: tensor? = None, reverse: bool = False -> "
      "tensor, tensor, tensor";
  static constexpr const char* doc =
      "The gradients of lstm_layer's input_gates (and of the product with the weights), and of the states before the"
      " first step, from those of its results.";
};
EMBER_OP(LstmLayerBackward);

struct GruLayer : LayerOp<GruLayer, Gru> {
  static constexpr const char* name = "gru_layer";
  static constexpr const char* primitive = "GRULayer";
  static constexpr const char* signature =
      "input_gates: tensor, weight: tensor, h: tensor, bias: tensor? = None, lengths: tensor? = None, reverse: bool "
      "= False -> tensor, tensor";
  static constexpr const char* doc =
      "The states (steps, N, units) and activations of all steps of gated recurrent units (Cho et al., 2014), whose "
      "gates are reset, update and new state, the reset taken of the product. `input_gates` is (steps, N, gates * "
      "units); `weight` and `bias` are those of the states. From step `lengths`[n] on sequence n keeps its states. "
      "`reverse` starts from the last step.";
  static constexpr const char* saves = "weight, h, lengths, out0, out1";
};
EMBER_OP(GruLayer);

struct GruLayerBackward : LayerGradient<GruLayerBackward, Gru> {
  static constexpr const char* name = "gru_layer_backward";
  static constexpr const char* primitive = "GRULayerBackward";
  static constexpr const char* signature =
      "gradient: tensor, weight: tensor, states: tensor, activations: tensor, h: tensor, lengths: tensor? = None, "
      "activations_gradient: tensor? = None, reverse: bool = False -> tensor, tensor, tensor";
  static constexpr const char* doc =
      "The gradients of gru_layer's input_gates and of the product with the weights, and of the states before the "
      "first step, from those of its results.";
};
EMBER_OP(GruLayerBackward);

template <class Op, class Cell>
struct RnnLayer : LayerOp<Op, Cell> {
  static constexpr const char* signature =
      "input_gates: tensor, weight: tensor, h: tensor, bias: tensor? = None, lengths: tensor? = None, reverse: bool "
      "= False -> tensor";
  static constexpr const char* saves = "weight, h, lengths, out";
};
template <class Op, class Cell>
struct RnnGradient : LayerGradient<Op, Cell> {
  static constexpr const char* signature =
      "gradient: tensor, weight: tensor, states: tensor, h: tensor, lengths: tensor? = None, reverse: bool = False "
      "-> tensor, tensor";
};

struct RnnTanhLayer : RnnLayer<RnnTanhLayer, Rnn<false>> {
  static constexpr const char* name = "rnn_tanh_layer";
  static constexpr const char* primitive = "RNNTanhLayer";
  static constexpr const char* doc =
      "The states (steps, N, units) of all steps of h = tanh(input_gates + weight @ h + bias). `input_gates` is "
      "(steps, N, gates * units); `weight` and `bias` are those of the states. A sequence keeps its states from step"
      " `lengths`[n] on. `reverse` starts from the last step.";
};
EMBER_OP(RnnTanhLayer);

struct RnnTanhLayerBackward : RnnGradient<RnnTanhLayerBackward, Rnn<false>> {
  static constexpr const char* name = "rnn_tanh_layer_backward";
  static constexpr const char* primitive = "RNNTanhLayerBackward";
  static constexpr const char* doc =
      "The gradients of rnn_tanh_layer's input_gates (and of the product with the weights), and of the states before"
      " the first step, from those of its results.";
};
EMBER_OP(RnnTanhLayerBackward);

struct RnnReluLayer : RnnLayer<RnnReluLayer, Rnn<true>> {
  static constexpr const char* name = "rnn_relu_layer";
  static constexpr const char* primitive = "RNNReluLayer";
  static constexpr const char* doc =
      "The states (steps, N, units) of all steps of h = relu(input_gates + weight @ h + bias). `input_gates` is "
      "(steps, N, gates * units); `weight` and `bias` are those of the states. A sequence keeps its states from step"
      " `lengths`[n] on. `reverse` starts from the last step.";
};
EMBER_OP(RnnReluLayer);

struct RnnReluLayerBackward : RnnGradient<RnnReluLayerBackward, Rnn<true>> {
  static constexpr const char* name = "rnn_relu_layer_backward";
  static constexpr const char* primitive = "RNNReluLayerBackward";
  static constexpr const char* doc =
      "The gradients of rnn_relu_layer's input_gates (and of the product with the weights), and of the states before"
      " the first step, from those of its results.";
};
EMBER_OP(RnnReluLayerBackward);

}  // namespace
}  // namespace ember::ops::recurrent
