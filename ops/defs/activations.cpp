// Activation functions. What is a function of floats alone computes integers in float32.
#include <numbers>

#include "ops/table/elementwise.h"

namespace ember::ops {
namespace {

struct Activation {
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static std::vector<Sample> samples() { return unary_samples(-5, 5, {DType::Float16, DType::Int32}); }
};

// ct where `condition`, else 0.
Values gate(Grad& g, const Value& condition) { return {g.unbroadcast(g.b.select(condition, g.ct(), 0.0), 0)}; }

struct Relu : Activation {
  static constexpr const char* name = "relu";
  static constexpr const char* primitive = "ReLU";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "max(input, 0), in the dtype of input. NaN stays NaN. The slope at 0 is 0.";
  static constexpr const char* numpy = "np.maximum(input, np.zeros((), input.dtype))";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    return in[0].dtype() == DType::Bool ? in[0] : binary(Verb::Max, in[0], in[0].constant(0));
  }
  static Values grad(Grad& g) { return gate(g, g.b.call("greater", {g.out(), 0.0})); }
};
EMBER_OP(Relu);

struct Relu6 : Activation {
  static constexpr const char* name = "relu6";
  static constexpr const char* primitive = "ReLU6";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr const char* doc = "min(max(x, 0), 6). NaN stays NaN.";
  static constexpr const char* numpy = "np.clip(x, 0, 6)";
  static constexpr const char* saves = "x";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    const Ex x = in[0];
    return binary(Verb::Min, binary(Verb::Max, x, x.constant(0)), x.constant(6));
  }
  static Values grad(Grad& g) {
    const Value above = g.b.call("greater", {g.in(0), 0.0}), below = g.b.call("less_equal", {g.in(0), 6.0});
    return gate(g, g.b.call("logical_and", {above, below}));
  }
  static std::vector<Sample> samples() { return unary_samples(-4, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Relu6);

constexpr double kBell = std::numbers::inv_sqrtpi / std::numbers::sqrt2;  // 1 / sqrt(2 pi)
constexpr double kTanhScale = 2 * kBell;                                  // sqrt(2 / pi)
constexpr double kTanhCubic = 0.044715;

// log(P(X > a)) of a normal X for a within [0, 14.5], ascending: the relative error of P is below 2e-7 up to 0.5 and
// 1e-6 up to 3, and a times the error of P below 5e-8 everywhere. P(0) is 0.5 in float32, P(14.5) is 0.
constexpr double kLogTail[] = {-0x1.62e43p-1,   -0x1.98849ep-1, -0x1.45ed36p-2,  -0x1.2a4d4ap-5,
                               0x1.4231bep-8,   -0x1.73b9cp-14, -0x1.35a692p-13, 0x1.420eep-15,
                               -0x1.4665bep-18, 0x1.53ad28p-22, -0x1.182e6ep-27};
constexpr double kTailEnd = 14.5;

// The normal distribution's cumulated density.
Ex cumulated_normal(Ex x) {
  if (x.dtype() == DType::Float64) return 0.5 * (unary(Verb::Erf, x * (std::numbers::sqrt2 / 2)) + 1.0);
  const Ex a = binary(Verb::Min, unary(Verb::Abs, x), x.constant(kTailEnd));
  Ex log = x.constant(kLogTail[std::size(kLogTail) - 1]);
  for (size_t i = std::size(kLogTail) - 1; i-- > 0;) log = fma(log, a, x.constant(kLogTail[i]));
  const Ex tail = unary(Verb::Exp, log);
  return select(lt(x, x.constant(0)), tail, 1.0 - tail);
}

Ex gelu_by_tanh(Ex x) {
  const Ex inner = (x + x * x * x * kTanhCubic) * kTanhScale;
  return x * 0.5 * (unary(Verb::Tanh, inner) + 1.0);
}

Value slope_of_gelu_by_tanh(Builder& b, const Value& x) {
  const Value square = b.mul(x, x);
  const Value inner = b.mul(b.add(x, b.mul(b.mul(x, square), kTanhCubic)), kTanhScale);
  const Value t = b.call("tanh", {inner});
  const Value inner_slope = b.mul(b.add(b.mul(square, 3 * kTanhCubic), 1.0), kTanhScale);
  const Value bell = b.mul(b.mul(x, 0.5), b.mul(b.sub(1.0, b.mul(t, t)), inner_slope));
  return b.add(b.mul(b.add(t, 1.0), 0.5), bell);
}

Value slope_of_gelu(Builder& b, const Value& x) {
  const Value cumulated = b.mul(b.add(b.call("erf", {b.mul(x, std::numbers::sqrt2 / 2)}), 1.0), 0.5);
  const Value bell = b.mul(b.exp(b.mul(b.mul(x, x), -0.5)), kBell);
  return b.add(cumulated, b.mul(x, bell));
}

struct Gelu : Activation {
  static constexpr const char* name = "gelu";
  static constexpr const char* primitive = "GeluExt";
  static constexpr const char* signature = "input: tensor, approximate: str = 'none' -> tensor";
  static constexpr const char* doc =
      "input times the normal distribution's cumulated density at input. approximate='tanh' computes it by tanh of a "
      "cubic, 'none' by erf; anything else is a ValueError.";
  static constexpr const char* numpy =
      "input * 0.5 * (1 + (np.tanh(np.sqrt(2 / np.pi) * (input + 0.044715 * input ** 3)) if approximate == 'tanh' else "
      "np.vectorize(math.erf, otypes=[np.float64])(input / np.sqrt(2))))";
  static constexpr const char* saves = "input";
  static bool by_tanh(const Attrs& attrs) {
    const std::string& approximate = attrs.text(1);
    if (approximate != "tanh" && approximate != "none") {
      value_error("For 'gelu', 'approximate' must be 'none' or 'tanh', not '" + approximate + "'.");
    }
    return approximate == "tanh";
  }
  static Ex apply(ExprBuilder&, Exs in, const Attrs& attrs) {
    const Ex x = in[0];
    if (by_tanh(attrs)) return gelu_by_tanh(x);
    return x * cumulated_normal(x);
  }
  static Values grad(Grad& g) {
    const Value slope = by_tanh(g.attrs) ? slope_of_gelu_by_tanh(g.b, g.in(0)) : slope_of_gelu(g.b, g.in(0));
    return {g.unbroadcast(g.b.mul(g.ct(), slope), 0)};
  }
  static std::vector<Sample> samples() {
    auto all = Activation::samples();
    for (const Sample& s : Activation::samples()) all.push_back(with(s, "approximate", std::string("tanh")));
    return all;
  }
};
EMBER_OP(Gelu);

// MindSpore's primitive GeLU has no parameter and is the approximation.
struct GeluTanh : Activation {
  static constexpr const char* name = "gelu_tanh";
  static constexpr const char* primitive = "GeLU";
  static constexpr const char* doc = "gelu(input, approximate='tanh').";
  static constexpr const char* numpy =
      "input * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (input + 0.044715 * input ** 3)))";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return gelu_by_tanh(in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), slope_of_gelu_by_tanh(g.b, g.in(0))), 0)}; }
};
EMBER_OP(GeluTanh);

struct Silu : Activation {
  static constexpr const char* name = "silu";
  static constexpr const char* primitive = "SiLU";
  static constexpr const char* doc = "input * sigmoid(input).";
  static constexpr const char* numpy = "input / (1 + np.exp(-input.astype(np.result_type(input, np.float64))))";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0] * unary(Verb::Sigmoid, in[0]); }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value s = b.call("sigmoid", {g.in(0)});
    const Value slope = b.mul(s, b.add(b.mul(g.in(0), b.sub(1.0, s)), 1.0));
    return {g.unbroadcast(b.mul(g.ct(), slope), 0)};
  }
};
EMBER_OP(Silu);

// min(max(x + 3, 0), 6) / 6
Ex hard_step(Ex x) { return binary(Verb::Min, binary(Verb::Max, x + 3.0, x.constant(0)), x.constant(6)) * (1.0 / 6); }

Value inside_step(Builder& b, const Value& x) {
  return b.call("logical_and", {b.call("greater", {x, -3.0}), b.call("less", {x, 3.0})});
}

struct Hardswish : Activation {
  static constexpr const char* name = "hardswish";
  static constexpr const char* primitive = "HSwish";
  static constexpr const char* doc = "input * min(max(input + 3, 0), 6) / 6.";
  static constexpr const char* numpy = "input * np.clip(input + 3, 0, 6) / 6";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0] * hard_step(in[0]); }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value curved = b.mul(g.ct(), b.add(b.mul(g.in(0), 1.0 / 3), 0.5));
    const Value straight = b.select(b.call("less", {g.in(0), 0.0}), 0.0, g.ct());
    return {g.unbroadcast(b.select(inside_step(b, g.in(0)), curved, straight), 0)};
  }
};
EMBER_OP(Hardswish);

struct Hardsigmoid : Activation {
  static constexpr const char* name = "hardsigmoid";
  static constexpr const char* primitive = "HSigmoid";
  static constexpr const char* doc = "min(max(input + 3, 0), 6) / 6.";
  static constexpr const char* numpy = "np.clip(input + 3, 0, 6) / 6";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return hard_step(in[0]); }
  static Values grad(Grad& g) {
    const Value scaled = g.b.mul(g.ct(), 1.0 / 6);
    return {g.unbroadcast(g.b.select(inside_step(g.b, g.in(0)), scaled, 0.0), 0)};
  }
};
EMBER_OP(Hardsigmoid);

struct LeakyRelu : Activation {
  static constexpr const char* name = "leaky_relu";
  static constexpr const char* primitive = "LeakyReLU";
  static constexpr const char* signature = "input: tensor, alpha: float = 0.2 -> tensor";
  static constexpr const char* doc = "input where it is above 0, else alpha * input.";
  static constexpr const char* numpy = "np.where(input > 0, input, alpha * input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs& attrs) {
    return select(lt(in[0].constant(0), in[0]), in[0], in[0] * attrs.number(1));
  }
  static Values grad(Grad& g) {
    const Value above = g.b.call("greater", {g.in(0), 0.0});
    return {g.unbroadcast(g.b.select(above, g.ct(), g.b.mul(g.ct(), g.attrs.number(1))), 0)};
  }
  static std::vector<Sample> samples() {
    auto all = Activation::samples();
    all.push_back(with({{sample_of({9})}, {}, {}}, "alpha", 1.5));
    return all;
  }
};
EMBER_OP(LeakyRelu);

struct Softplus : Activation {
  static constexpr const char* name = "softplus";
  static constexpr const char* primitive = "SoftplusExt";
  static constexpr const char* signature = "input: tensor, beta: float = 1.0, threshold: float = 20.0 -> tensor";
  static constexpr const char* doc =
      "log(1 + exp(beta * input)) / beta, and input itself where beta * input is above threshold.";
  static constexpr const char* numpy =
      "np.where(input * beta > threshold, input, np.log1p(np.exp(np.minimum(input * beta, threshold))) / beta)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs& attrs) {
    const double beta = attrs.number(1);
    const Ex x = in[0], scaled = x * beta;
    const Ex curved = unary(Verb::Log1p, unary(Verb::Exp, scaled)) / beta;
    return select(lt(x.constant(attrs.number(2)), scaled), x, curved);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value scaled = b.mul(g.in(0), g.attrs.number(1));
    const Value straight = b.call("greater", {scaled, g.attrs.number(2)});
    return {g.unbroadcast(b.select(straight, g.ct(), b.mul(g.ct(), b.call("sigmoid", {scaled}))), 0)};
  }
  static std::vector<Sample> samples() {
    auto all = Activation::samples();
    all.push_back(with(with({{sample_of({30}, -20, 20)}, {}, {}}, "beta", 2.0), "threshold", 9.0));
    return all;
  }
};
EMBER_OP(Softplus);

}  // namespace
}  // namespace ember::ops
