// Elementary and special functions of one number beyond those that are verbs (ops/expr/functions.h). Integers and bools
// are computed in float32; the half types in float32 and rounded.
#include <numbers>

#include "ops/expr/functions.h"
#include "ops/table/elementwise.h"

namespace ember::ops {
namespace {

template <Ex (*F)(Ex)>
struct ElementaryOp : FloatUnaryOp {
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return F(in[0]); }
};

struct Tan : ElementaryOp<functions::tan> {
  static constexpr const char* name = "tan";
  static constexpr const char* primitive = "Tan";
  static constexpr const char* doc = "The tangent of radians. Integers give float32.";
  static constexpr const char* numpy = "np.tan(input)";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.add(1.0, g.b.mul(g.out(), g.out()))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-1.3, 1.3, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Tan);

struct Sinh : ElementaryOp<functions::sinh> {
  static constexpr const char* name = "sinh";
  static constexpr const char* primitive = "Sinh";
  static constexpr const char* doc = "The hyperbolic sine. Integers give float32.";
  static constexpr const char* numpy = "np.sinh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("cosh", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Sinh);

struct Cosh : ElementaryOp<functions::cosh> {
  static constexpr const char* name = "cosh";
  static constexpr const char* primitive = "Cosh";
  static constexpr const char* doc = "The hyperbolic cosine. Integers give float32.";
  static constexpr const char* numpy = "np.cosh(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("sinh", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Cosh);

struct Asin : ElementaryOp<functions::asin> {
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

struct Acos : ElementaryOp<functions::acos> {
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

struct Atan : ElementaryOp<functions::atan> {
  static constexpr const char* name = "atan";
  static constexpr const char* primitive = "Atan";
  static constexpr const char* doc = "The arc tangent in radians. Integers give float32.";
  static constexpr const char* numpy = "np.arctan(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.add(1.0, g.b.mul(g.in(0), g.in(0)))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Atan);

struct Asinh : ElementaryOp<functions::asinh> {
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

struct Acosh : ElementaryOp<functions::acosh> {
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

struct Atanh : ElementaryOp<functions::atanh> {
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

struct Exp2 : ElementaryOp<functions::exp2> {
  static constexpr const char* name = "exp2";
  static constexpr const char* primitive = "Exp2";
  static constexpr const char* doc = "2 to the power of input. Integers give float32.";
  static constexpr const char* numpy = "np.exp2(input) if not np.iscomplexobj(input) else 2**input";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(g.out(), std::numbers::ln2)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Exp2);

struct Log2 : ElementaryOp<functions::log2> {
  static constexpr const char* name = "log2";
  static constexpr const char* primitive = "Log2";
  static constexpr const char* doc = "The logarithm to the base 2; -inf at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "np.log2(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(g.in(0), std::numbers::ln2)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Log2);

struct Log10 : ElementaryOp<functions::log10> {
  static constexpr const char* name = "log10";
  static constexpr const char* primitive = "Log10";
  static constexpr const char* doc = "The logarithm to the base 10; -inf at zero, NaN below. Integers give float32.";
  static constexpr const char* numpy = "np.log10(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(g.in(0), std::numbers::ln10)), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Log10);

struct Cbrt : ElementaryOp<functions::cbrt> {
  static constexpr const char* name = "cbrt";
  static constexpr const char* primitive = "Cbrt";
  static constexpr const char* doc = "The cube root, of negative numbers too. Integers give float32.";
  static constexpr const char* numpy = "np.cbrt(input)";
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.div(g.ct(), g.b.mul(3.0, g.b.mul(g.out(), g.out()))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Cbrt);

struct Sinc : ElementaryOp<functions::sinc> {
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

// I0(x) - I1(x) / x and the same of others, 1/2 at 0.
Value order_one_slope(Grad& g, std::string_view order_zero) {
  Builder& b = g.b;
  const Value at_zero = b.call("equal", {g.in(0), 0.0});
  const Value ratio = b.select(at_zero, 0.5, b.div(g.out(), b.select(at_zero, 1.0, g.in(0))));
  return b.sub(b.call(order_zero, {g.in(0)}), ratio);
}

struct Erfc : ElementaryOp<functions::erfc> {
  static constexpr const char* name = "erfc";
  static constexpr const char* primitive = "Erfc";
  static constexpr const char* doc = "1 - erf(input), exact where that is small. Integers give float32.";
  static constexpr const char* numpy = "np.vectorize(math.erfc, otypes=[np.float64])(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.mul(g.ct(), g.b.mul(g.b.call("exp", {g.b.neg(g.b.mul(g.in(0), g.in(0)))}), -2 * std::numbers::inv_sqrtpi)),
        0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-2, 2, {DType::Float16}); }
};
EMBER_OP(Erfc);

struct Erfinv : ElementaryOp<functions::erfinv> {
  static constexpr const char* name = "erfinv";
  static constexpr const char* primitive = "Erfinv";
  static constexpr const char* doc = "The inverse of erf: infinite at 1, NaN beyond. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.mul(g.ct(), g.b.mul(g.b.call("exp", {g.b.mul(g.out(), g.out())}), 0.5 / std::numbers::inv_sqrtpi)), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(-0.9, 0.9, {DType::Float16}); }
};
EMBER_OP(Erfinv);

struct Lgamma : ElementaryOp<functions::lgamma> {
  static constexpr const char* name = "lgamma";
  static constexpr const char* primitive = "Lgamma";
  static constexpr const char* doc = "log |Gamma(input)|; infinite at integers up to 0. Integers give float32.";
  static constexpr const char* numpy = "np.vectorize(math.lgamma, otypes=[np.float64])(input)";
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("digamma", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16}); }
};
EMBER_OP(Lgamma);

struct Digamma : ElementaryOp<functions::digamma> {
  static constexpr const char* name = "digamma";
  static constexpr const char* primitive = "Digamma";
  static constexpr const char* doc =
      "psi(input), the derivative of lgamma: infinite at 0, NaN at integers below. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("polygamma", {1.0, g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16}); }
};
EMBER_OP(Digamma);

struct BesselI0 : ElementaryOp<functions::bessel_i0> {
  static constexpr const char* name = "bessel_i0";
  static constexpr const char* primitive = "BesselI0";
  static constexpr const char* doc =
      "The modified Bessel function of the first kind, of order 0. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.call("bessel_i1", {g.in(0)})), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-3, 3, {DType::Float16}); }
};
EMBER_OP(BesselI0);

struct BesselI0e : ElementaryOp<functions::bessel_i0e> {
  static constexpr const char* name = "bessel_i0e";
  static constexpr const char* primitive = "BesselI0e";
  static constexpr const char* doc =
      "e^-|input| times the modified Bessel function of the first kind, of order 0. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.mul(g.ct(), g.b.sub(g.b.call("bessel_i1e", {g.in(0)}), g.b.mul(g.b.call("sign", {g.in(0)}), g.out()))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16}); }
};
EMBER_OP(BesselI0e);

struct BesselI1 : ElementaryOp<functions::bessel_i1> {
  static constexpr const char* name = "bessel_i1";
  static constexpr const char* primitive = "BesselI1";
  static constexpr const char* doc =
      "The modified Bessel function of the first kind, of order 1. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), order_one_slope(g, "bessel_i0")), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-3, 3, {DType::Float16}); }
};
EMBER_OP(BesselI1);

struct BesselI1e : ElementaryOp<functions::bessel_i1e> {
  static constexpr const char* name = "bessel_i1e";
  static constexpr const char* primitive = "BesselI1e";
  static constexpr const char* doc =
      "e^-|input| times the modified Bessel function of the first kind, of order 1. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.mul(g.ct(), g.b.sub(order_one_slope(g, "bessel_i0e"), g.b.mul(g.b.call("sign", {g.in(0)}), g.out()))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 9, {DType::Float16}); }
};
EMBER_OP(BesselI1e);

struct BesselJ0 : ElementaryOp<functions::bessel_j0> {
  static constexpr const char* name = "bessel_j0";
  static constexpr const char* primitive = "BesselJ0";
  static constexpr const char* doc = "The Bessel function of the first kind, of order 0. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.neg(g.b.call("bessel_j1", {g.in(0)}))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-9, 9, {DType::Float16}); }
};
EMBER_OP(BesselJ0);

struct BesselJ1 : ElementaryOp<functions::bessel_j1> {
  static constexpr const char* name = "bessel_j1";
  static constexpr const char* primitive = "BesselJ1";
  static constexpr const char* doc = "The Bessel function of the first kind, of order 1. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), order_one_slope(g, "bessel_j0")), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(-9, 9, {DType::Float16}); }
};
EMBER_OP(BesselJ1);

struct BesselK0 : ElementaryOp<functions::bessel_k0> {
  static constexpr const char* name = "bessel_k0";
  static constexpr const char* primitive = "BesselK0";
  static constexpr const char* doc =
      "The modified Bessel function of the second kind, of order 0: infinite at 0, NaN below. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.neg(g.b.call("bessel_k1", {g.in(0)}))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 5, {DType::Float16}); }
};
EMBER_OP(BesselK0);

struct BesselK0e : ElementaryOp<functions::bessel_k0e> {
  static constexpr const char* name = "bessel_k0e";
  static constexpr const char* primitive = "BesselK0e";
  static constexpr const char* doc =
      "e^input times the modified Bessel function of the second kind, of order 0. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.mul(g.ct(), g.b.sub(g.out(), g.b.call("bessel_k1e", {g.in(0)}))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 5, {DType::Float16}); }
};
EMBER_OP(BesselK0e);

struct BesselK1 : ElementaryOp<functions::bessel_k1> {
  static constexpr const char* name = "bessel_k1";
  static constexpr const char* primitive = "BesselK1";
  static constexpr const char* doc =
      "The modified Bessel function of the second kind, of order 1: infinite at 0, NaN below. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(
        g.b.mul(g.ct(), g.b.neg(g.b.add(g.b.call("bessel_k0", {g.in(0)}), g.b.div(g.out(), g.in(0))))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 5, {DType::Float16}); }
};
EMBER_OP(BesselK1);

struct BesselK1e : ElementaryOp<functions::bessel_k1e> {
  static constexpr const char* name = "bessel_k1e";
  static constexpr const char* primitive = "BesselK1e";
  static constexpr const char* doc =
      "e^input times the modified Bessel function of the second kind, of order 1. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.mul(g.ct(), g.b.sub(g.b.mul(g.out(), g.b.sub(1.0, g.b.div(1.0, g.in(0)))),
                                                  g.b.call("bessel_k0e", {g.in(0)}))),
                          0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 5, {DType::Float16}); }
};
EMBER_OP(BesselK1e);

struct BesselY0 : ElementaryOp<functions::bessel_y0> {
  static constexpr const char* name = "bessel_y0";
  static constexpr const char* primitive = "BesselY0";
  static constexpr const char* doc =
      "The Bessel function of the second kind, of order 0: -inf at 0, NaN below. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input";
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.neg(g.b.call("bessel_y1", {g.in(0)}))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(0.5, 12, {DType::Float16}); }
};
EMBER_OP(BesselY0);

struct BesselY1 : ElementaryOp<functions::bessel_y1> {
  static constexpr const char* name = "bessel_y1";
  static constexpr const char* primitive = "BesselY1";
  static constexpr const char* doc =
      "The Bessel function of the second kind, of order 1: -inf at 0, NaN below. Integers give float32.";
  static constexpr const char* numpy = "";  // tests/python/references.py
  static constexpr const char* saves = "input, out";
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.b.mul(g.ct(), g.b.sub(g.b.call("bessel_y0", {g.in(0)}), g.b.div(g.out(), g.in(0)))), 0)};
  }
  static std::vector<Sample> samples() { return unary_samples(0.5, 12, {DType::Float16}); }
};
EMBER_OP(BesselY1);

}  // namespace
}  // namespace ember::ops
