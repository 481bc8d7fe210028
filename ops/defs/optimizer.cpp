// Steps of optimizers: what a parameter, and what the optimizer remembers of it, become. Composed of arithmetic, which
// broadcasts and promotes; nothing is written, the caller assigns the results. Rates and factors that are numbers
// promote weakly.
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Value descended(Builder& b, const Value& variable, const Value& step, const Value& learning_rate) {
  return b.sub(variable, b.mul(step, learning_rate));
}

// average * decay + value * (1 - decay).
Value averaged(Builder& b, const Value& average, const Value& value, const Value& decay) {
  return b.add(b.mul(average, decay), b.mul(value, b.sub(1.0, decay)));
}

SampleOperand number(double value) {
  SampleOperand operand;
  operand.scalar = true;
  operand.number = value;
  return operand;
}

struct PrepareGradient {
  static constexpr const char* name = "prepare_gradient";
  static constexpr const char* primitive = "PrepareGradient";
  static constexpr const char* signature =
      "gradient: tensor, variable: tensor, loss_scale: number? = None, weight_decay: number? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "gradient / loss_scale + variable * weight_decay, without the part of which the factor is None.";
  static constexpr const char* numpy = "gradient / (loss_scale or 1) + variable * (weight_decay or 0)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Value gradient = none(in[2]) ? in[0] : b.div(in[0], in[2]);
    return {none(in[3]) ? gradient : b.add(gradient, b.mul(in[1], in[3]))};
  }
  static std::vector<Sample> samples() {
    const SampleOperand scale{{}, DType::Float32, 1, 4};
    return {{{{{2, 3}}, {{2, 3}}}, {}, {}},
            {{{{2, 3}}, {{2, 3}}, scale, number(0.01)}, {}, {}},
            {{{{4}, DType::Float16}, {{4}, DType::Float16}, absent_operand(), number(0.1)}, {}, {}}};
  }
};
EMBER_OP(PrepareGradient);

struct SgdStep {
  static constexpr const char* name = "sgd_step";
  static constexpr const char* primitive = "SGDStep";
  static constexpr const char* signature = "variable: tensor, gradient: tensor, learning_rate: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "variable - gradient * learning_rate.";
  static constexpr const char* numpy = "variable - gradient * learning_rate";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    return {descended(b, in[0], in[1], in[2])};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}, {{2, 3}}, {{}}}, {}, {}},
            {{{{4}, DType::Float16}, {{4}, DType::Float16}, number(0.1)}, {}, {}}};
  }
};
EMBER_OP(SgdStep);

struct MomentumStep {
  static constexpr const char* name = "momentum_step";
  static constexpr const char* primitive = "MomentumStep";
  static constexpr const char* signature =
      "variable: tensor, accumulation: tensor, gradient: tensor, learning_rate: number, momentum: number, dampening: "
      "number? = None, use_nesterov: bool = False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(variable - step * learning_rate, accumulated), where accumulated is accumulation * momentum + gradient * (1 - "
      "dampening) and step the same, or with `use_nesterov` gradient + accumulated * momentum.";
  static constexpr const char* numpy =
      "(lambda a: (variable - (gradient + a * momentum if use_nesterov else a) * learning_rate, a))(accumulation * "
      "momentum + gradient * (1 - (0 if dampening is None else dampening)))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Value &gradient = in[2], &momentum = in[4], &dampening = in[5];
    const Value added = none(dampening) ? gradient : b.mul(gradient, b.sub(1.0, dampening));
    const Value accumulated = b.add(b.mul(in[1], momentum), added);
    const Value step = attrs.flag(6) ? b.add(gradient, b.mul(accumulated, momentum)) : accumulated;
    return {descended(b, in[0], step, in[3]), accumulated};
  }
  static std::vector<Sample> samples() {
    const SampleOperand all{{2, 3}}, half{{4}, DType::Float16}, rate{{}, DType::Float32, 0, 1};
    return {{{all, all, all, rate, rate}, {}, {}},
            {{all, all, all, number(0.1), number(0.9), rate}, {}, {}},
            {{half, half, half, number(0.1), number(0.9)}, {{"use_nesterov", true}}, {}}};
  }
};
EMBER_OP(MomentumStep);

struct AdamCorrection {
  static constexpr const char* name = "adam_correction";
  static constexpr const char* primitive = "AdamCorrection";
  static constexpr const char* signature =
      "beta1_power: tensor, beta2_power: tensor, beta1: number, beta2: number -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The next powers of Adam's decays, beta1_power * beta1 and beta2_power * beta2, and by what they correct the "
      "learning "
      "rate: sqrt(1 - beta2_power) / (1 - beta1_power).";
  static constexpr const char* numpy =
      "(lambda p, q: (p, q, np.sqrt(1 - q) / (1 - p)))(beta1_power * beta1, beta2_power * beta2)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Value power1 = b.mul(in[0], in[2]), power2 = b.mul(in[1], in[3]);
    return {power1, power2, b.div(b.call("sqrt", {b.sub(1.0, power2)}), b.sub(1.0, power1))};
  }
  static std::vector<Sample> samples() {
    const SampleOperand power{{}, DType::Float32, 0.1, 0.9};
    return {{{power, power, number(0.9), number(0.75)}, {}, {}}, {{power, power, power, power}, {}, {}}};
  }
};
EMBER_OP(AdamCorrection);

struct AdamStep {
  static constexpr const char* name = "adam_step";
  static constexpr const char* primitive = "AdamStep";
  static constexpr const char* signature =
      "variable: tensor, moment1: tensor, moment2: tensor, gradient: tensor, learning_rate: number, correction: "
      "number, "
      "beta1: number, beta2: number, epsilon: number -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(variable - m * (correction * learning_rate) / (sqrt(v) + epsilon), m, v), where m is moment1 * beta1 + "
      "gradient * "
      "(1 - beta1), and v moment2 * beta2 + gradient^2 * (1 - beta2).";
  static constexpr const char* numpy =
      "(lambda m, v: (variable - m * (correction * learning_rate) / (np.sqrt(v) + epsilon), m, v))(moment1 * beta1 + "
      "gradient * (1 - beta1), moment2 * beta2 + gradient ** 2 * (1 - beta2))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Value m = averaged(b, in[1], in[3], in[6]);
    const Value v = averaged(b, in[2], b.mul(in[3], in[3]), in[7]);
    const Value rate = b.mul(in[5], in[4]);
    return {b.sub(in[0], b.div(b.mul(m, rate), b.add(b.call("sqrt", {v}), in[8]))), m, v};
  }
  static std::vector<Sample> samples() {
    const SampleOperand all{{2, 3}}, square{{2, 3}, DType::Float32, 0.5, 2}, rate{{}, DType::Float32, 0.1, 0.9};
    const SampleOperand half{{4}, DType::Float16}, half_square{{4}, DType::Float16, 0.5, 2};
    return {
        {{all, all, square, all, rate, rate, rate, rate, rate}, {}, {}},
        {{all, all, square, all, number(0.1), rate, number(0.9), number(0.999), number(1e-8)}, {}, {}},
        {{half, half, half_square, half, number(0.1), number(0.5), number(0.9), number(0.75), number(1e-3)}, {}, {}}};
  }
};
EMBER_OP(AdamStep);

struct AdamWeightDecayStep {
  static constexpr const char* name = "adam_weight_decay_step";
  static constexpr const char* primitive = "AdamWeightDecayStep";
  static constexpr const char* signature =
      "variable: tensor, moment1: tensor, moment2: tensor, gradient: tensor, learning_rate: number, beta1: number, "
      "beta2: number, epsilon: number, weight_decay: number? = None -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(variable - (m / (sqrt(v) + epsilon) + variable * weight_decay) * learning_rate, m, v), where m is moment1 * "
      "beta1 + gradient * (1 - beta1), and v moment2 * beta2 + gradient^2 * (1 - beta2).";
  static constexpr const char* numpy =
      "(lambda m, v: (variable - (m / (np.sqrt(v) + epsilon) + variable * (weight_decay or 0)) * learning_rate, m, v))("
      "moment1 * beta1 + gradient * (1 - beta1), moment2 * beta2 + gradient ** 2 * (1 - beta2))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Value &variable = in[0], &decay = in[8];
    const Value m = averaged(b, in[1], in[3], in[5]);
    const Value v = averaged(b, in[2], b.mul(in[3], in[3]), in[6]);
    const Value step = b.div(m, b.add(b.call("sqrt", {v}), in[7]));
    return {descended(b, variable, none(decay) ? step : b.add(step, b.mul(variable, decay)), in[4]), m, v};
  }
  static std::vector<Sample> samples() {
    const SampleOperand all{{2, 3}}, square{{2, 3}, DType::Float32, 0.5, 2}, rate{{}, DType::Float32, 0.1, 0.9};
    return {{{all, all, square, all, rate, rate, rate, rate, rate}, {}, {}},
            {{all, all, square, all, number(0.1), number(0.9), number(0.999), number(1e-6), absent_operand()}, {}, {}},
            {{all, all, square, all, number(0.1), number(0.9), number(0.999), number(1e-6), number(0.01)}, {}, {}}};
  }
};
EMBER_OP(AdamWeightDecayStep);

}  // namespace
}  // namespace ember::ops
