// Losses, composed. Classes lie along axis 1, or along axis 0 of a 1-d input. A target equal to ignore_index counts
// neither in the loss nor in the mean's divisor, whose terms are the classes' weights.
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Axes all_axes(const Dims& dims) {
  Axes axes;
  for (size_t d = 0; d < dims.size(); ++d) axes.push_back(d);
  return axes;
}

Value mean_all(Builder& b, const Value& x) { return mean_of(b, x, all_axes(b.dims(x)), false); }
Value sum_all(Builder& b, const Value& x) { return reduce_sum(b, x, all_axes(b.dims(x)), false); }

void check_reduction(const std::string& reduction, std::string_view name) {
  if (reduction == "none" || reduction == "mean" || reduction == "sum") return;
  value_error("For '" + std::string(name) + "', reduction must be 'none', 'mean' or 'sum', but is '" + reduction +
              "'.");
}

[[noreturn]] void refuse(std::string_view name, const std::string& what, const Type& input, const Type& target) {
  value_error("For '" + std::string(name) + "', " + what + ": the input is " + to_string(input) + ", the target " +
              to_string(target) + ".");
}

// A loss over classes, with every operand brought to (N, C, d1, ...) and targets to (N, 1, d1, ...). Of the half types
// all that follows the logarithms is in float32.
struct ClassLoss {
  Builder& b;
  std::string_view name;
  Value log_probability;  // (N, C, d1, ...)
  Dims dims;              // its shape
  Value weight;           // (1, C, 1, ...), or none
  int64_t ignore;
  std::string reduction;
  SymbolicFloat smoothing;
  Dims result;  // of reduction 'none'
  DType dtype;  // of the result

  Dims per_item() const {
    Dims out = dims;
    out[1] = 1;
    return out;
  }
  Value by_class() const { return none(weight) ? Value() : b.broadcast_to(weight, dims); }
  Value pick(const Value& from, const Value& index) const {
    return b.call("pick", {from, index}, {{"axis", int64_t{1}}, {"ignore", ignore}});
  }
  // `loss` per item; without `counts` each item counts once.
  Value reduced(const Value& loss, const Value& counts) const {
    const auto finished = [&](const Value& x) { return narrowed(b, x, dtype); };
    if (reduction == "none") return finished(b.reshape(loss, result));
    if (reduction == "mean" && none(counts)) return finished(mean_all(b, loss));
    const Value total = sum_all(b, loss);
    return finished(reduction == "sum" ? total : b.div(total, sum_all(b, counts)));
  }
  Value scores() const {
    const Value wide = widened(b, log_probability);
    return none(weight) ? wide : b.mul(wide, weight);
  }

  Value of_classes(const Value& target) const {
    const Value index = b.reshape(target, per_item());
    const DType counted = is_half_dtype(b.type(log_probability).dtype) ? DType::Float32 : b.type(log_probability).dtype;
    const Value mask = b.cast(b.call("not_equal", {index, ignore}), counted);
    const Value counts = none(weight) ? mask : pick(by_class(), index);
    Value loss = widened(b, pick(log_probability, index));
    if (!none(weight)) loss = b.mul(loss, counts);
    loss = b.neg(loss);
    if (smoothing == 0.0) return reduced(loss, counts);
    const Value spread = b.neg(b.mul(reduce_sum(b, scores(), {1}, true), mask));
    return reduced(smoothed(loss, spread), counts);
  }

  Value of_probabilities(const Value& target) const {
    const Value all = scores();
    Value loss = b.neg(reduce_sum(b, b.mul(all, b.reshape(target, dims)), {1}, true));
    if (smoothing != 0.0) loss = smoothed(loss, b.neg(reduce_sum(b, all, {1}, true)));
    return reduced(loss, {});
  }

  // The target's probability is shared evenly among the classes, as far as `smoothing` says.
  Value smoothed(const Value& loss, const Value& spread) const {
    const Value straight = b.mul(loss, b.number(1.0 - smoothing));
    return b.add(straight, b.div(b.mul(spread, b.number(smoothing)), b.size(dims[1])));
  }
};

// Gives the input a batch axis if it has none, and checks what the loss is given.
ClassLoss class_loss(Builder& b, std::span<const Value> in, const Attrs& attrs, std::string_view name) {
  const Type input = b.type(in[0]), target = b.type(in[1]);
  check_reduction(attrs.text(4), name);
  if (input.dims.empty()) refuse(name, "the input needs a dimension for the classes", input, target);
  if (!is_float(input.dtype)) {
    type_error("For '" + std::string(name) + "', the input must be of floating point, but is " + to_string(input) +
               ".");
  }
  ClassLoss loss{b, name, in[0], input.dims, {}, attrs.integer(3), attrs.text(4), attrs.real(5), {}, input.dtype};
  for (size_t d = 0; d < input.dims.size(); ++d) {
    if (d != (input.dims.size() == 1 ? 0 : 1)) loss.result.push_back(input.dims[d]);
  }
  if (input.dims.size() == 1) {
    loss.dims = {1, input.dims[0]};
    loss.log_probability = b.reshape(in[0], loss.dims);
  }
  if (!none(in[2])) {
    const Type weight = b.type(in[2]);
    if (weight.dims.size() != 1 || weight.dims[0] != loss.dims[1]) {
      refuse(name, "weight must have one element per class, not " + to_string(weight), input, target);
    }
    Dims shape(loss.dims.size(), 1);
    shape[1] = loss.dims[1];
    loss.weight = b.reshape(widened(b, in[2]), shape);
    loss.dtype = promote(loss.dtype, weight.dtype);
  }
  return loss;
}

void check_target(const ClassLoss& loss, const Type& input, const Type& target) {
  bool fits = target.dims.size() == loss.result.size();
  for (size_t d = 0; fits && d < target.dims.size(); ++d) fits = target.dims[d] == loss.result[d];
  if (!fits) refuse(loss.name, "the target's shape must be the input's without the classes", input, target);
  if (target.dtype != DType::Int32 && target.dtype != DType::Int64) {
    type_error("For '" + std::string(loss.name) + "', class indices must be int32 or int64, but the target is " +
               to_string(target) + ".");
  }
}

const Sample class_sample(const Shape& input, const Shape& target, bool weight,
                          std::vector<std::pair<const char*, Attr>> attrs) {
  SampleOperand weights{{input.size() == 1 ? input[0] : input[1]}, DType::Float32, 0.5, 2};
  return {{{input}, {target, DType::Int32, 0, 2}, weight ? weights : absent_operand()}, std::move(attrs), {}};
}

std::vector<Sample> class_samples() {
  return {class_sample({4, 3}, {4}, false, {}), class_sample({4, 3}, {4}, true, {{"label_smoothing", 0.1}}),
          class_sample({4, 3}, {4}, true, {{"ignore_index", int64_t{1}}, {"reduction", std::string("sum")}}),
          class_sample({2, 3, 2, 2}, {2, 2, 2}, false, {{"reduction", std::string("none")}}),
          class_sample({3}, {}, false, {})};
}

struct NllLoss {
  static constexpr const char* name = "nll_loss";
  static constexpr const char* primitive = "NLLLossExt";
  static constexpr const char* signature =
      "inputs: tensor, target: tensor, weight: tensor? = None, ignore_index: int = -100, reduction: str = 'mean', "
      "label_smoothing: float = 0.0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The negative of the log-probabilities `inputs` at the target classes, times their weights; the mean divides by "
      "the "
      "sum of these.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const ClassLoss loss = class_loss(b, in, attrs, name);
    check_target(loss, b.type(in[0]), b.type(in[1]));
    return {loss.of_classes(in[1])};
  }
  static std::vector<Sample> samples() { return class_samples(); }
};
EMBER_OP(NllLoss);

struct CrossEntropy {
  static constexpr const char* name = "cross_entropy";
  static constexpr const char* primitive = "CrossEntropy";
  static constexpr const char* signature =
      "input: tensor, target: tensor, weight: tensor? = None, ignore_index: int = -100, reduction: str = 'mean', "
      "label_smoothing: float = 0.0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The loss of `log_softmax(input)` against `target`: class indices (int32 or int64), or probabilities of the "
      "shape and "
      "dtype of `input`.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type input = b.type(in[0]), target = b.type(in[1]);
    ClassLoss loss = class_loss(b, in, attrs, name);
    if (!is_float(target.dtype)) check_target(loss, input, target);
    loss.log_probability = b.call("log_softmax", {loss.log_probability}, {{"axis", int64_t{1}}});
    if (!is_float(target.dtype)) return {loss.of_classes(in[1])};
    bool same = target.dims.size() == input.dims.size();
    for (size_t d = 0; same && d < input.dims.size(); ++d) same = target.dims[d] == input.dims[d];
    if (!same) refuse(name, "probabilities must have the input's shape", input, target);
    loss.dtype = promote(loss.dtype, target.dtype);
    return {loss.of_probabilities(in[1])};
  }
  static std::vector<Sample> samples() {
    auto all = class_samples();
    const SampleOperand probabilities{{4, 3}, DType::Float32, 0, 1}, weight{{3}, DType::Float32, 0.5, 2};
    all.push_back({{{{4, 3}}, probabilities, weight}, {{"label_smoothing", 0.2}}, {}});
    all.push_back({{{{4, 3}}, probabilities, absent_operand()}, {{"reduction", std::string("none")}}, {}});
    return all;
  }
};
EMBER_OP(CrossEntropy);

struct SoftmaxCrossEntropyWithLogits {
  static constexpr const char* name = "softmax_cross_entropy_with_logits";
  static constexpr const char* primitive = "SoftmaxCrossEntropyWithLogits";
  static constexpr const char* signature = "logits: tensor, labels: tensor -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(the cross entropy of each row of `logits` (N, C) against the probabilities `labels`, its gradient by the "
      "logits).";
  static constexpr const char* numpy =
      "(lambda e: (-np.sum(labels * np.log(e), -1), e - labels))((lambda x: x / x.sum(-1, "
      "keepdims=True))(np.exp(logits "
      "- logits.max(-1, keepdims=True))))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Type logits = b.type(in[0]), labels = b.type(in[1]);
    if (logits.dims.size() != 2) refuse(name, "the logits must be of shape (N, C)", logits, labels);
    if (labels.dtype != logits.dtype) {
      type_error("For '" + std::string(name) + "', the labels must be probabilities of the logits' dtype, " +
                 std::string(ops::name(logits.dtype)) + ", but are " + to_string(labels) + ".");
    }
    const Value loss = b.call("cross_entropy", {in[0], in[1], {}}, {{"reduction", std::string("none")}});
    return {loss, b.sub(b.call("softmax", {in[0]}, {{"axis", int64_t{-1}}}), in[1])};
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 3}}, {{4, 3}, DType::Float32, 0, 1}}, {}, {}},
            {{{{2, 5}, DType::Float64}, {{2, 5}, DType::Float64, 0, 1}}, {}, {}}};
  }
};
EMBER_OP(SoftmaxCrossEntropyWithLogits);

struct SparseSoftmaxCrossEntropyWithLogits {
  static constexpr const char* name = "sparse_softmax_cross_entropy_with_logits";
  static constexpr const char* primitive = "SparseSoftmaxCrossEntropyWithLogits";
  static constexpr const char* signature = "logits: tensor, labels: tensor, is_grad: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The mean cross entropy of `logits` (N, C) against the class numbers `labels` (N,), or with `is_grad` its "
      "gradient "
      "by the logits.";
  static constexpr const char* numpy =
      "(lambda p, at: (p - at) / len(labels) if is_grad else -np.log((p * at).sum(-1)).mean())((lambda x: x / "
      "x.sum(-1, "
      "keepdims=True))(np.exp(logits - logits.max(-1, keepdims=True))), np.eye(logits.shape[1])[labels])";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type logits = b.type(in[0]), labels = b.type(in[1]);
    if (logits.dims.size() != 2) refuse(name, "the logits must be of shape (N, C)", logits, labels);
    if (!attrs.flag(2)) return {b.call("cross_entropy", {in[0], in[1], {}})};
    if (labels.dims.size() != 1 || labels.dims[0] != logits.dims[0]) {
      refuse(name, "there must be one label for each row", logits, labels);
    }
    const Value probability = b.call("softmax", {in[0]}, {{"axis", int64_t{-1}}});
    const Value at = b.reshape(in[1], {logits.dims[0], Dim(1)});
    const Value less = b.sub(b.call("pick", {probability, at}, {{"axis", int64_t{1}}}), 1.0);
    const Value slope = b.call("tensor_scatter_elements", {probability, at, less}, {{"axis", int64_t{1}}});
    return {in_float32(b, slope, [&](const Value& wide) { return b.div(wide, b.size(logits.dims[0])); })};
  }
  static std::vector<Sample> samples() {
    const SampleOperand classes{{4}, DType::Int32, 0, 2};
    return {{{{{4, 3}}, classes}, {}, {}},
            {{{{4, 3}}, classes}, {{"is_grad", true}}, {}},
            {{{{4, 3}, DType::Float64}, {{4}, DType::Int64, 0, 2}}, {{"is_grad", true}}, {}}};
  }
};
EMBER_OP(SparseSoftmaxCrossEntropyWithLogits);

struct L2Loss {
  static constexpr const char* name = "l2_loss";
  static constexpr const char* primitive = "L2Loss";
  static constexpr const char* signature = "input_x: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Half the sum of squares. Integers and bools are a TypeError.";
  static constexpr const char* numpy = "np.sum(input_x ** 2) / 2";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Type type = b.type(in[0]);
    if (!is_float(type.dtype)) {
      type_error("For 'l2_loss', the input must be of floating point, but is " + to_string(type) + ".");
    }
    return {in_float32(b, in[0], [&](const Value& x) { return b.div(sum_all(b, b.mul(x, x)), 2.0); })};
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {}, {}},
            {{{{}}}, {}, {}},
            {{{{5}, DType::Float16}}, {}, {}},
            {{{{2, 3}, DType::Float64}}, {}, {}}};
  }
};
EMBER_OP(L2Loss);

struct MseLoss {
  static constexpr const char* name = "mse_loss";
  static constexpr const char* primitive = "MSELossExt";
  static constexpr const char* signature = "input: tensor, target: tensor, reduction: str = 'mean' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The squares of input - target: their mean, their sum, or as they are.";
  static constexpr const char* numpy =
      "(lambda s: s if reduction == 'none' else getattr(np, reduction)(s))((input - target) ** 2)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const std::string& reduction = attrs.text(2);
    check_reduction(reduction, name);
    Value difference = b.sub(in[0], in[1]);
    const Type type = b.type(difference);
    refuse_complex(type, name);
    if (!is_float(type.dtype)) difference = b.cast(difference, DType::Float32);
    return {in_float32(b, difference, [&](const Value& wide) {
      const Value squares = b.mul(wide, wide);
      return reduction == "none" ? squares : reduction == "sum" ? sum_all(b, squares) : mean_all(b, squares);
    })};
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}, {{3, 4}}}, {}, {}},
            {{{{3, 4}}, {{4}}}, {{"reduction", std::string("sum")}}, {}},
            {{{{3, 4}}, {{3, 1}}}, {{"reduction", std::string("none")}}, {}}};
  }
};
EMBER_OP(MseLoss);

}  // namespace
}  // namespace ember::ops
