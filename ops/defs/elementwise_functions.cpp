// Elementary functions of one number beyond those that are verbs. Integers and bools are computed in float32; the half
// types in float32 and rounded.
#include <numbers>

#include "ops/expr/functions.h"
#include "ops/table/elementwise.h"

namespace ember::ops {
namespace {

template <Ex (*F)(Ex)>
struct FunctionOp : FloatUnaryOp {
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return F(in[0]); }
};

struct Tan : FunctionOp<functions::tan> {
  static constexpr const char* name = "tan";
  static constexpr const char* primitive = "Tan";
  static constexpr const char* doc = "The tangent of radians. Integers give float32.";
  static constexpr const char* numpy = "np.tan(input)";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.add(1.0, g.b.mul(g.out(), g.out()))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-1.3, 1.3, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Tan);

struct Sinh : FunctionOp<functions::sinh> {
  static constexpr const char* name = "sinh";
  static constexpr const char* primitive = "Sinh";
  static constexpr const char* doc = "The hyperbolic sine. Integers give float32.";
  static constexpr const char* numpy = "np.sinh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("cosh", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Sinh);

struct Cosh : FunctionOp<functions::cosh> {
  static constexpr const char* name = "cosh";
  static constexpr const char* primitive = "Cosh";
  static constexpr const char* doc = "The hyperbolic cosine. Integers give float32.";
  static constexpr const char* numpy = "np.cosh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("sinh", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Cosh);

struct Asin : FunctionOp<functions::asin> {
  static constexpr const char* name = "asin";
  static constexpr const char* primitive = "Asin";
  static constexpr const char* doc = "The arc sine in radians; NaN beyond 1. Integers give float32.";
  static constexpr const char* numpy = "np.arcsin(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.div(g.ct(), g.b.mul(g.b.call("sqrt", {g.b.sub(1.0, g.in(0))}), g.b.call("sqrt", {g.b.add(1.0, g.in(0))}))),
        0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-0.9, 0.9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Asin);

struct Acos : FunctionOp<functions::acos> {
  static constexpr const char* name = "acos";
  static constexpr const char* primitive = "Acos";
  static constexpr const char* doc = "The arc cosine in radians; NaN beyond 1. Integers give float32.";
  static constexpr const char* numpy = "np.arccos(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.neg(g.b.div(g.ct(), g.b.mul(g.b.call("sqrt", {g.b.sub(1.0, g.in(0))}),
                                                          g.b.call("sqrt", {g.b.add(1.0, g.in(0))})))),
                          0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-0.9, 0.9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Acos);

struct Atan : FunctionOp<functions::atan> {
  static constexpr const char* name = "atan";
  static constexpr const char* primitive = "Atan";
  static constexpr const char* doc = "The arc tangent in radians. Integers give float32.";
  static constexpr const char* numpy = "np.arctan(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.add(1.0, g.b.mul(g.in(0), g.in(0)))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Atan);

struct Asinh : FunctionOp<functions::asinh> {
  static constexpr const char* name = "asinh";
  static constexpr const char* primitive = "Asinh";
  static constexpr const char* doc = "The inverse hyperbolic sine. Integers give float32.";
  static constexpr const char* numpy = "np.arcsinh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.div(g.ct(), g.b.call("sqrt", {g.b.add(1.0, g.b.mul(g.in(0), g.in(0)))})), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Asinh);

struct Acosh : FunctionOp<functions::acosh> {
  static constexpr const char* name = "acosh";
  static constexpr const char* primitive = "Acosh";
  static constexpr const char* doc = "The inverse hyperbolic cosine; NaN below 1. Integers give float32.";
  static constexpr const char* numpy = "np.arccosh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.div(g.ct(), g.b.mul(g.b.call("sqrt", {g.b.sub(g.in(0), 1.0)}), g.b.call("sqrt", {g.b.add(g.in(0), 1.0)}))),
        0)};
  }
  static std::vector<Sample> samples() { return unary_samples(1.2, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Acosh);

struct Atanh : FunctionOp<functions::atanh> {
  static constexpr const char* name = "atanh";
  static constexpr const char* primitive = "Atanh";
  static constexpr const char* doc =
      "The inverse hyperbolic tangent; infinite at 1, NaN beyond. Integers give float32.";
  static constexpr const char* numpy = "np.arctanh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(g.b.sub(1.0, g.in(0)), g.b.add(1.0, g.in(0)))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-0.9, 0.9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Atanh);

struct Exp2 : FunctionOp<functions::exp2> {
  static constexpr const char* name = "exp2";
  static constexpr const char* primitive = "Exp2";
  static constexpr const char* doc = "2 to the power of input. Integers give float32.";
  static constexpr const char* numpy = "np.exp2(input) if not np.iscomplexobj(input) else 2**input";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(g.out(), std::numbers::ln2)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Exp2);

struct Log2 : FunctionOp<functions::log2> {
  static constexpr const char* name = "log2";
  static constexpr const char* primitive = "Log2";
  static constexpr const char* doc = "The logarithm to the base 2; -inf at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "np.log2(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(g.in(0), std::numbers::ln2)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Log2);

struct Log10 : FunctionOp<functions::log10> {
  static constexpr const char* name = "log10";
  static constexpr const char* primitive = "Log10";
  static constexpr const char* doc = "The logarithm to the base 10; -inf at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "np.log10(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(g.in(0), std::numbers::ln10)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Log10);

struct Cbrt : FunctionOp<functions::cbrt> {
  static constexpr const char* name = "cbrt";
  static constexpr const char* primitive = "Cbrt";
  static constexpr const char* doc = "The cube root, of negative numbers too. Integers give float32.";
  static constexpr const char* numpy = "np.cbrt(input)";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(3.0, g.b.mul(g.out(), g.out()))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Cbrt);

struct Sinc : FunctionOp<functions::sinc> {
  static constexpr const char* name = "sinc";
  static constexpr const char* primitive = "Sinc";
  static constexpr const char* doc = "sin(pi input) / (pi input), 1 at zero. Integers give float32.";
  static constexpr const char* numpy = "np.sinc(input)";
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value wave = b.call("cos", {b.mul(g.in(0), std::numbers::pi)});
    const Value at_zero = b.call("equal", {g.in(0), 0.0});
    const Value slope = b.div(b.sub(wave, g.out()), b.select(at_zero, 1.0, g.in(0)));
    return {g.unbroadcast(b.mul(g.ct(), b.select(at_zero, 0.0, slope)), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Sinc);

}  // namespace
}  // namespace ember::ops
