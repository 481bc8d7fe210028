// Functions of one number. Integers and bools are computed in float32; the half types in float32 and rounded.
#include <cmath>
#include <numbers>

#include "ops/table/elementwise.h"
#include "ops/table/simplify.h"

namespace ember::ops {
namespace {

struct Sqrt : FloatUnaryOp {
  static constexpr const char* name = "sqrt";
  static constexpr const char* primitive = "Sqrt";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr const char* doc = "The square root, correctly rounded; NaN below zero. Integers give float32.";
  static constexpr const char* numpy = "np.sqrt(x)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Sqrt, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.b.mul(g.ct(), 0.5), g.out()), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Sqrt);

struct Rsqrt : FloatUnaryOp {
  static constexpr const char* name = "rsqrt";
  static constexpr const char* primitive = "Rsqrt";
  static constexpr const char* doc = "1 / sqrt(input); infinite at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "1 / np.sqrt(input)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return 1.0 / unary(Verb::Sqrt, in[0]); }
  static Values grad(Grad& g) {
    const Value cube = g.b.mul(g.out(), g.b.mul(g.out(), g.out()));
    return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(cube, -0.5)), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(1, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Rsqrt);

struct Exp : FloatUnaryOp {
  static constexpr const char* name = "exp";
  static constexpr const char* primitive = "Exp";
  static constexpr const char* doc = "e to the power of input, within 1 ulp. Integers give float32.";
  static constexpr const char* numpy = "np.exp(input)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Exp, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.out()), 0)}; }
};
EMBER_OP(Exp);

struct Expm1 : FloatUnaryOp {
  static constexpr const char* name = "expm1";
  static constexpr const char* primitive = "Expm1";
  static constexpr const char* doc = "exp(input) - 1, also exact near zero. Integers give float32.";
  static constexpr const char* numpy = "np.expm1(input)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Expm1, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.add(g.out(), 1.0)), 0)}; }
};
EMBER_OP(Expm1);

struct Log : FloatUnaryOp {
  static constexpr const char* name = "log";
  static constexpr const char* primitive = "Log";
  static constexpr const char* doc =
      "The natural logarithm, within 1 ulp; -inf at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "np.log(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Log, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.in(0)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Log);

struct Log1p : FloatUnaryOp {
  static constexpr const char* name = "log1p";
  static constexpr const char* primitive = "Log1p";
  static constexpr const char* doc = "log(1 + input), also exact near zero. Integers give float32.";
  static constexpr const char* numpy = "np.log1p(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Log1p, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.add(g.in(0), 1.0)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-0.5, 3, {DType::Float16, DType::UInt8}); }
};
EMBER_OP(Log1p);

struct Sin : FloatUnaryOp {
  static constexpr const char* name = "sin";
  static constexpr const char* primitive = "Sin";
  static constexpr const char* doc = "The sine of radians of any size. Integers give float32.";
  static constexpr const char* numpy = "np.sin(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Sin, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("cos", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-9, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Sin);

struct Cos : FloatUnaryOp {
  static constexpr const char* name = "cos";
  static constexpr const char* primitive = "Cos";
  static constexpr const char* doc = "The cosine of radians of any size. Integers give float32.";
  static constexpr const char* numpy = "np.cos(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Cos, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.neg(g.b.mul(g.ct(), g.b.call("sin", {g.in(0)}))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-9, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Cos);

struct Tanh : FloatUnaryOp {
  static constexpr const char* name = "tanh";
  static constexpr const char* primitive = "Tanh";
  static constexpr const char* doc = "The hyperbolic tangent, within 2 ulp. Integers give float32.";
  static constexpr const char* numpy = "np.tanh(input)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Tanh, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.sub(1.0, g.b.mul(g.out(), g.out()))), 0)}; }
};
EMBER_OP(Tanh);

struct Sigmoid : FloatUnaryOp {
  static constexpr const char* name = "sigmoid";
  static constexpr const char* primitive = "Sigmoid";
  static constexpr const char* doc = "1 / (1 + exp(-input)), without overflow. Integers give float32.";
  static constexpr const char* numpy = "1 / (1 + np.exp(-input.astype(np.result_type(input, np.float64))))";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Sigmoid, in[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(g.out(), g.b.sub(1.0, g.out()))), 0)}; }
};
EMBER_OP(Sigmoid);

struct Erf : FloatUnaryOp {
  static constexpr const char* name = "erf";
  static constexpr const char* primitive = "Erf";
  static constexpr const char* doc = "The error function, within 1.5 ulp. Integers give float32.";
  static constexpr const char* numpy = "np.vectorize(math.erf, otypes=[np.float64])(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Erf, in[0]); }
  static Values grad(Grad& g) {
    const Value bell = g.b.exp(g.b.neg(g.b.mul(g.in(0), g.in(0))));
    return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(bell, 2 * std::numbers::inv_sqrtpi)), 0)};
  }
};
EMBER_OP(Erf);

Ex rounded(Verb verb, Ex x) { return is_inexact(x.dtype()) ? unary(verb, x) : x; }

struct Floor : StepOp {
  static constexpr const char* name = "floor";
  static constexpr const char* primitive = "Floor";
  static constexpr const char* doc = "Rounds down to an integer, in the dtype of input.";
  static constexpr const char* numpy = "np.floor(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return rounded(Verb::Floor, in[0]); }
};
EMBER_OP(Floor);

struct Ceil : StepOp {
  static constexpr const char* name = "ceil";
  static constexpr const char* primitive = "Ceil";
  static constexpr const char* doc = "Rounds up to an integer, in the dtype of input.";
  static constexpr const char* numpy = "np.ceil(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return rounded(Verb::Ceil, in[0]); }
};
EMBER_OP(Ceil);

struct Trunc : StepOp {
  static constexpr const char* name = "trunc";
  static constexpr const char* primitive = "Trunc";
  static constexpr const char* doc = "Rounds toward zero to an integer, in the dtype of input.";
  static constexpr const char* numpy = "np.trunc(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return rounded(Verb::Trunc, in[0]); }
};
EMBER_OP(Trunc);

// An integer to the nearest multiple of 10^digits, ties to the even one; 0 where the dtype does not hold 10^digits.
Ex rounded_integer(Ex x, double digits) {
  const double power = std::pow(10.0, digits), bits = 8.0 * static_cast<double>(itemsize(x.dtype()));
  if (x.dtype() == DType::Bool) return x;
  if (power >= std::exp2(is_unsigned_int(x.dtype()) ? bits : bits - 1)) return x.constant(0);
  const Ex zero = x.constant(0), half = x.constant(power / 2);
  const Ex quotient = x / power, rest = x - quotient * power, odd = quotient - quotient / 2 * 2;
  const Ex up = select(lt(half, rest), x.constant(1), select(eq(rest, half), odd, zero));
  return (quotient + up) * power;
}

struct Round : StepOp {
  static constexpr const char* name = "round";
  static constexpr const char* primitive = "Round";
  static constexpr const char* signature = "input: tensor, decimals: int = 0 -> tensor";
  static constexpr const char* doc =
      "Rounds to the nearest integer, ties to even, or to `decimals` decimal places, which may be negative; in the "
      "dtype "
      "of input.";
  static constexpr const char* numpy = "np.round(input, decimals)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs& attrs) {
    const int64_t decimals = attrs.integer(1);
    if (decimals == 0 || (decimals > 0 && !is_inexact(in[0].dtype()))) return rounded(Verb::Rint, in[0]);
    if (!is_inexact(in[0].dtype())) return rounded_integer(in[0], -static_cast<double>(decimals));
    const double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
    return decimals > 0 ? unary(Verb::Rint, in[0] * power) / power : unary(Verb::Rint, in[0] / power) * power;
  }
  static std::vector<Sample> samples() {
    auto all = StepOp::samples();
    all.push_back(with({{sample_of({5, 7}, -30, 30)}, {}, {}}, "decimals", int64_t{1}));
    all.push_back(with({{sample_of({5, 7}, -300, 300)}, {}, {}}, "decimals", int64_t{-1}));
    all.push_back(with({{sample_of({5, 7}, -300, 300, DType::Int32)}, {}, {}}, "decimals", int64_t{-1}));
    all.push_back(with({{sample_of({5, 7}, 0, 200, DType::UInt8)}, {}, {}}, "decimals", int64_t{-2}));
    return all;
  }
};
EMBER_OP(Round);

struct Cast {
  static constexpr const char* name = "cast";
  static constexpr const char* primitive = "Cast";
  static constexpr const char* signature = "input: tensor, dtype: dtype -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoPromote | Flag::Moves;
  static constexpr const char* doc =
      "input in another dtype. Floats become integers by truncation (out of range as NumPy does on x86), integers "
      "wrap, "
      "to bool is `!= 0`, and the half types are rounded to nearest even.";
  static constexpr const char* numpy = "input.astype(dtype)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs& attrs) { return convert(in[0], attrs.dtype(1)); }
  static Values grad(Grad& g) {
    const bool truncates = is_inexact(g.in_type(0).dtype) && !is_inexact(g.out_type().dtype);
    return {truncates || g.out_type().dtype == DType::Bool ? Value() : g.unbroadcast(g.ct(), 0)};
  }
  static void simplify(Simplify& s) { s.is(0); }
  static std::vector<Sample> samples() {
    std::vector<Sample> all;
    for (DType from : {DType::Float32, DType::Float64, DType::Float16, DType::Int32, DType::Bool}) {
      for (DType to : {DType::Float32, DType::Float64, DType::BFloat16, DType::Int8, DType::Int64, DType::Bool}) {
        if (from == DType::Float64 && to != DType::Float32 && is_float(to)) continue;
        all.push_back(with({{sample_of({3, 7}, -9, 9, from)}, {}, {}}, "dtype", to));
      }
    }
    return all;
  }
};
EMBER_OP(Cast);

struct Identity : UnaryOp {
  static constexpr const char* name = "identity";
  static constexpr const char* primitive = "Identity";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static constexpr const char* doc = "The same elements.";
  static constexpr const char* numpy = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0]; }
  static Values grad(Grad& g) { return {g.ct()}; }
  static void simplify(Simplify& s) { s.equals(0); }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Int32, DType::Float16, DType::Bool}); }
};
EMBER_OP(Identity);

struct TaylorPolynomial {
  static constexpr const char* name = "taylor_polynomial";
  static constexpr const char* primitive = "TaylorPolynomial";
  static constexpr const char* signature = "input: tensor, time: tensor, derivatives: tensors -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Where a curve is at `time` that is at `input` at time 0, with these first, second, ... derivatives there.";
  static constexpr const char* numpy =
      "input + sum(d * time ** (k + 1) / math.factorial(k + 1) for k, d in enumerate(derivatives))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Value time = b.cast(in[1], b.type(in[0]).dtype);
    Value moved;
    for (size_t k = in.size() - 2; k > 0; --k) {
      const Value& slope = in[k + 1];
      moved = b.mul(none(moved) ? slope : b.add(slope, moved), b.div(time, static_cast<double>(k)));
    }
    return {none(moved) ? in[0] : b.add(in[0], moved)};
  }
  static std::vector<Sample> samples() {
    const SampleOperand point = sample_of({3, 5}), time = sample_of({});
    return {{{point, time, point, point, point}, {}, {3}},
            {{point, time, point}, {}, {1}},
            {{sample_of({4}, -2, 2, DType::Float16), time, sample_of({4}, -2, 2, DType::Float16)}, {}, {1}}};
  }
};
EMBER_OP(TaylorPolynomial);

struct StopGradient {
  static constexpr const char* name = "stop_gradient";
  static constexpr const char* primitive = "StopGradient";
  static constexpr const char* signature = "value: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::Moves;
  static constexpr const char* doc = "value itself, but no gradient flows back through it.";
  static constexpr const char* numpy = "value";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0]; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Int32, DType::Float16}); }
};
EMBER_OP(StopGradient);

}  // namespace
}  // namespace ember::ops
