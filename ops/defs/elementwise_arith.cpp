// Arithmetic: operands broadcast and promote as MindSpore's do, Python numbers more weakly than tensors. Integers wrap.
#include "ops/expr/complex.h"
#include "ops/table/elementwise.h"
#include "ops/table/simplify.h"

namespace ember::ops {
namespace {

struct Add : BinaryOp {
  static constexpr const char* name = "add";
  static constexpr const char* primitive = "Add";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative;
  static constexpr const char* doc = "input + other, elementwise with broadcasting; of two bools, their disjunction.";
  static constexpr const char* numpy = "np.add(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    return in[0].dtype() == DType::Bool ? binary(Verb::Or, in[0], in[1]) : in[0] + in[1];
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.ct(), 0), g.unbroadcast(g.ct(), 1)}; }
  static void simplify(Simplify& s) {
    for (size_t i = 0; i < 2; ++i)
      if (s.is_number(i, -0.0) || (!is_inexact(s.out_type().dtype) && s.is_number(i, 0.0))) return s.equals(1 - i);
  }
  static std::vector<Sample> samples() { return with_limits(binary_samples(-2, 2, {DType::Float16, DType::Bool}), 2); }
};
EMBER_OP(Add);

struct Sub : BinaryOp {
  static constexpr const char* name = "sub";
  static constexpr const char* primitive = "Sub";
  static constexpr const char* doc = "input - other, elementwise with broadcasting. Two bool operands are a TypeError.";
  static constexpr const char* numpy = "np.subtract(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return in[0] - in[1];
  }
  static Values grad(Grad& g) {
    return {g.unbroadcast(g.ct(), 0), g.needs(1) ? g.unbroadcast(g.b.neg(g.ct()), 1) : Value()};
  }
  static void simplify(Simplify& s) {
    if (s.is_number(1, 0.0)) s.equals(0);
  }
};
EMBER_OP(Sub);

struct Mul : BinaryOp {
  static constexpr const char* name = "mul";
  static constexpr const char* primitive = "Mul";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative;
  static constexpr const char* doc = "input * other, elementwise with broadcasting; of two bools, their conjunction.";
  static constexpr const char* numpy = "np.multiply(input, other)";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    return in[0].dtype() == DType::Bool ? binary(Verb::And, in[0], in[1]) : in[0] * in[1];
  }
  static Values grad(Grad& g) {
    return {g.needs(0) ? g.unbroadcast(g.b.mul(g.ct(), g.in(1)), 0) : Value(),
            g.needs(1) ? g.unbroadcast(g.b.mul(g.ct(), g.in(0)), 1) : Value()};
  }
  static void simplify(Simplify& s) {
    if (s.is_number(1, 1)) return s.equals(0);
    if (s.is_number(0, 1)) s.equals(1);
  }
  static std::vector<Sample> samples() { return with_limits(binary_samples(-2, 2, {DType::Float16, DType::Bool}), 2); }
};
EMBER_OP(Mul);

struct Div : BinaryOp {
  static constexpr const char* name = "div";
  static constexpr const char* primitive = "Div";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc =
      "input / other, elementwise with broadcasting. Integers and bools are divided in float32; x / 0 is infinite, 0 / "
      "0 "
      "is NaN.";
  static constexpr const char* numpy = "np.true_divide(input, other)";
  static constexpr const char* saves = "other, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0] / in[1]; }
  static Values grad(Grad& g) {
    const Value quotient = g.b.div(g.ct(), g.in(1));
    return {g.unbroadcast(quotient, 0), g.needs(1) ? g.unbroadcast(g.b.neg(g.b.mul(quotient, g.out())), 1) : Value()};
  }
  static void simplify(Simplify& s) {
    if (s.is_number(1, 1)) s.equals(0);
  }
  static std::vector<Sample> samples() { return binary_samples(0.5, 3, {DType::Float16, DType::Int32, DType::Bool}); }
};
EMBER_OP(Div);

struct FloorDiv {
  static constexpr const char* name = "floor_div";
  static constexpr const char* primitive = "FloorDiv";
  static constexpr const char* signature = "x: number, y: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "x / y rounded down, elementwise with broadcasting. Integers keep their dtype, and an integer by 0 gives 0. Two "
      "bool operands are a TypeError.";
  static constexpr const char* numpy = "np.floor_divide(x, y)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    const Ex quotient = in[0] / in[1];
    return is_inexact(in[0].dtype()) ? unary(Verb::Floor, quotient) : quotient;
  }
  static std::vector<Sample> samples() {
    auto all = with_limits(binary_samples(1, 9, {DType::Float16, DType::Int32, DType::UInt8}), 2);
    all.push_back({{sample_of({30}, -50, 50, DType::Int32), sample_of({30}, -9, -1, DType::Int32)}, {}, {}});
    all.push_back({{sample_of({30}, -50, 50, DType::Int64), sample_number(7, DType::Int64)}, {}, {}});
    return all;
  }
};
EMBER_OP(FloorDiv);

struct FloorMod {
  static constexpr const char* name = "floor_mod";
  static constexpr const char* primitive = "FloorMod";
  static constexpr const char* signature = "x: number, y: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "x - y * floor(x / y), exact and rounded once, elementwise with broadcasting: the remainder that has the sign of "
      "y. Integers keep their "
      "dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.";
  static constexpr const char* numpy = "np.mod(x, y)";
  static constexpr const char* saves = "x, y";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return binary(Verb::Rem, in[0], in[1]);
  }
  static Values grad(Grad& g) {
    Value of_y;
    if (g.needs(1)) of_y = g.unbroadcast(g.b.neg(g.b.mul(g.ct(), g.b.call("floor_div", {g.in(0), g.in(1)}))), 1);
    return {g.unbroadcast(g.ct(), 0), of_y};
  }
  static std::vector<Sample> samples() { return FloorDiv::samples(); }
};
EMBER_OP(FloorMod);

struct Pow {
  static constexpr const char* name = "pow";
  static constexpr const char* primitive = "Pow";
  static constexpr const char* signature = "input: number, exponent: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "input to the power of exponent, elementwise with broadcasting. Special cases are C's: anything to the 0 is 1, a "
      "negative base with a fractional exponent is NaN. Integers wrap; a negative integer exponent gives 0 unless the "
      "base is 1 or -1. By 1, 2, 3 and -1 of floats it is products and a quotient. Two bool operands are a TypeError. "
      "The slope by the exponent is 0 where the base is 0 and the exponent is not negative.";
  static constexpr const char* numpy = "np.power(input, exponent)";
  static constexpr const char* saves = "input, exponent, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return binary(Verb::Pow, in[0], in[1]);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    Value of_base, of_exponent;
    if (g.needs(0)) {
      const Value slope = b.mul(g.in(1), b.call("pow", {g.in(0), b.sub(g.in(1), 1.0)}));
      const Value constant = b.call("equal", {g.in(1), 0.0});
      of_base = g.unbroadcast(b.mul(g.ct(), b.select(constant, 0.0, slope)), 0);
    }
    if (g.needs(1) && g.in_type(1).is_tensor()) {
      const Value zero = b.call("equal", {g.in(0), 0.0});
      const Value constant = is_complex(g.out_type().dtype)
                                 ? zero
                                 : b.call("logical_and", {zero, b.call("greater_equal", {g.in(1), 0.0})});
      const Value slope = b.mul(g.out(), b.call("log", {b.cast(g.in(0), g.out_type().dtype)}));
      of_exponent = g.unbroadcast(b.mul(g.ct(), b.select(constant, 0.0, slope)), 1);
    }
    return {of_base, of_exponent};
  }
  // Exponents with a definition of their own (ops/expr/math.h).
  static void simplify(Simplify& s) {
    const DType base = s.in_type(0).dtype;
    if (!identical(s.out_type(), s.in_type(0))) return;
    if (s.is_number(1, 1)) return s.equals(0);
    if (s.is_number(1, 2)) return s.become("mul", {0, 0});
    if (s.is_number(1, 3) && (!is_float(base) || itemsize(base) > 2)) {
      return s.become("mul", {s.before("mul", {0, 0}), 0});
    }
    if (s.is_number(1, -1) && is_inexact(base)) s.become("reciprocal", {0});
  }
  static std::vector<Sample> samples() {
    auto all = binary_samples(0.5, 2, {DType::Float16});
    for (const Sample& limits : with_limits({}, 1)) {
      const DType dtype = limits.operands[0].dtype;
      all.push_back({{limits.operands[0], sample_of({60}, 0, 70, dtype)}, {}, {}});
    }
    all.push_back({{sample_of({20}, -3, 3, DType::Int32), sample_of({20}, 0, 9, DType::Int32)}, {}, {}});
    all.push_back({{sample_of({20}, -2, 2), sample_number(3.0)}, {}, {}});
    all.push_back({{sample_of({20}, -3, 3, DType::Int64), sample_number(2, DType::Int64)}, {}, {}});
    return all;
  }
};
EMBER_OP(Pow);

struct Neg : UnaryOp {
  static constexpr const char* name = "neg";
  static constexpr const char* primitive = "Neg";
  static constexpr const char* doc = "-input. Unsigned integers wrap; bool is a TypeError.";
  static constexpr const char* numpy = "np.negative(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return -in[0];
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.neg(g.ct()), 0)}; }
  static void simplify(Simplify& s) {
    if (s.same_op(0)) s.undoes(0);
  }
  static std::vector<Sample> samples() { return with_limits(unary_samples(-2, 2, {DType::Float16}), 1); }
};
EMBER_OP(Neg);

struct Abs : UnaryOp {
  static constexpr const char* name = "abs";
  static constexpr const char* primitive = "Abs";
  static constexpr const char* doc = "|input|. The least signed integer, which has no opposite, stays itself.";
  static constexpr const char* numpy = "np.abs(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    return in[0].dtype() == DType::Bool ? in[0] : unary(Verb::Abs, in[0]);
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.conj(g.b.call("sign", {g.in(0)}))), 0)}; }
  static std::vector<Sample> samples() { return with_limits(unary_samples(-2, 2, {DType::Float16, DType::Bool}), 1); }
};
EMBER_OP(Abs);

struct Sign : StepOp {
  static constexpr const char* name = "sign";
  static constexpr const char* primitive = "Sign";
  static constexpr const char* doc =
      "1, 0 or -1 as input is above, at or below zero; of NaN 0. Of a complex number input / |input|, 0 at 0.";
  static constexpr const char* numpy = "np.sign(input) if not np.iscomplexobj(input) else input / np.abs(input)";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* saves = "input, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    const Ex x = in[0];
    if (x.dtype() == DType::Bool) return x;
    if (is_complex(x.dtype())) return direction(x);
    const Ex zero = x.constant(0), positive = select(lt(zero, x), x.constant(1), zero);
    return is_unsigned_int(x.dtype()) ? positive : select(lt(x, zero), x.constant(-1), positive);
  }
  // Of a complex number what is across it, by its magnitude; of a real one none.
  static Values grad(Grad& g) {
    if (!is_complex(g.in_type(0).dtype)) return {Value()};
    Builder& b = g.b;
    const Value direction = g.conj(g.out()), magnitude = b.call("abs", {g.in(0)});
    const Value along = b.mul(direction, b.call("real", {b.mul(g.out(), g.ct())}));
    const Value across = b.div(b.sub(g.ct(), along), magnitude);
    return {b.select(b.call("equal", {magnitude, 0.0}), 0.0, across)};
  }
  static std::vector<Sample> samples() { return with_limits(StepOp::samples(), 1); }
};
EMBER_OP(Sign);

struct Square : UnaryOp {
  static constexpr const char* name = "square";
  static constexpr const char* primitive = "Square";
  static constexpr const char* doc = "input * input. Bool is a TypeError.";
  static constexpr const char* numpy = "np.square(input)";
  static constexpr const char* saves = "input";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return in[0] * in[0];
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.mul(g.ct(), g.b.mul(g.in(0), 2.0)), 0)}; }
  static std::vector<Sample> samples() { return Neg::samples(); }
};
EMBER_OP(Square);

struct Reciprocal : FloatUnaryOp {
  static constexpr const char* name = "reciprocal";
  static constexpr const char* primitive = "Reciprocal";
  static constexpr const char* doc = "1 / input; integers are computed in float32.";
  static constexpr const char* numpy = "np.true_divide(1, input)";
  static constexpr const char* saves = "out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return 1.0 / in[0]; }
  static Values grad(Grad& g) { return {g.unbroadcast(g.b.neg(g.b.mul(g.ct(), g.b.mul(g.out(), g.out()))), 0)}; }
  static std::vector<Sample> samples() { return unary_samples(1, 4, {DType::Float16, DType::Int32}); }
};
EMBER_OP(Reciprocal);

// The cotangent of an operand that is the extreme; half of it where the other equals it, all of it beside NaN, which
// has none of it if it gives way.
template <bool Larger, bool OfNumbers = false>
Values extreme_grad(Grad& g) {
  Builder& b = g.b;
  const Value half = b.select(b.call("equal", {g.in(0), g.in(1)}), b.mul(g.ct(), 0.5), g.ct());
  const auto of = [&](size_t i, const char* beats) {
    if (!g.needs(i)) return Value();
    Value beaten = b.call(beats, {g.in(0), g.in(1)});
    if (OfNumbers) beaten = b.call("logical_or", {beaten, b.call("not_equal", {g.in(i), g.in(i)})});
    return g.unbroadcast(b.select(beaten, 0.0, half), i);
  };
  return {of(0, Larger ? "less" : "greater"), of(1, Larger ? "greater" : "less")};
}

struct Maximum : BinaryOp {
  static constexpr const char* name = "maximum";
  static constexpr const char* primitive = "Maximum";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative;
  static constexpr const char* doc =
      "The larger of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each "
      "has half the gradient.";
  static constexpr const char* numpy = "np.maximum(input, other)";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return greatest(in[0], in[1]); }
  static Values grad(Grad& g) { return extreme_grad<true>(g); }
  static std::vector<Sample> samples() { return with_limits(binary_samples(-2, 2, {DType::Float16, DType::Bool}), 2); }
};
EMBER_OP(Maximum);

struct Minimum : BinaryOp {
  static constexpr const char* name = "minimum";
  static constexpr const char* primitive = "Minimum";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative;
  static constexpr const char* doc =
      "The smaller of input and other, elementwise with broadcasting; NaN if either is. Where they are equal each "
      "has half the gradient.";
  static constexpr const char* numpy = "np.minimum(input, other)";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return least(in[0], in[1]); }
  static Values grad(Grad& g) { return extreme_grad<false>(g); }
  static std::vector<Sample> samples() { return Maximum::samples(); }
};
EMBER_OP(Minimum);

// A NaN gives way to the other operand.
template <bool Larger>
struct ExtremeOfNumbers : BinaryOp {
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    Ex x = in[0], y = in[1];
    if (is_inexact(x.dtype())) {
      x = select(eq(x, x), x, y);
      y = select(eq(y, y), y, x);
    }
    return Larger ? greatest(x, y) : least(x, y);
  }
  static Values grad(Grad& g) { return extreme_grad<Larger, true>(g); }
  static std::vector<Sample> samples() { return with_limits(binary_samples(-2, 2, {DType::Float16, DType::Int32}), 2); }
};

struct Fmax : ExtremeOfNumbers<true> {
  static constexpr const char* name = "fmax";
  static constexpr const char* primitive = "Fmax";
  static constexpr const char* doc =
      "The larger of input and other, elementwise with broadcasting; NaN only where both are.";
  static constexpr const char* numpy = "np.fmax(input, other)";
};
EMBER_OP(Fmax);

struct Fmin : ExtremeOfNumbers<false> {
  static constexpr const char* name = "fmin";
  static constexpr const char* primitive = "Fmin";
  static constexpr const char* doc =
      "The smaller of input and other, elementwise with broadcasting; NaN only where both are.";
  static constexpr const char* numpy = "np.fmin(input, other)";
};
EMBER_OP(Fmin);

struct Clip {
  static constexpr const char* name = "clip";
  static constexpr const char* primitive = "Clip";
  static constexpr const char* signature = "input: number, min: number? = None, max: number? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "input, but at least min and at most max (numbers or tensors, which broadcast and promote); max wins where min "
      "is "
      "above it. NaN stays NaN. One of min and max must be given, else a ValueError.";
  static constexpr const char* numpy = "np.clip(input, min, max)";
  static constexpr const char* saves = "input, min, max";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (in[1].absent() && in[2].absent()) {
      value_error("For 'clip', at least one of 'min' or 'max' must not be None.");
    }
    const Ex raised = in[1].absent() ? in[0] : greatest(in[0], in[1]);
    return in[2].absent() ? raised : least(raised, in[2]);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const bool has_low = !none(g.in(1)), has_high = !none(g.in(2));
    Value inside = g.ct(), below, above;
    if (has_low) {
      const Value low = b.call("less", {g.in(0), g.in(1)});
      inside = b.select(low, 0.0, inside);
      below = b.select(low, g.ct(), 0.0);
    }
    if (has_high) {
      const Value raised = has_low ? b.call("maximum", {g.in(0), g.in(1)}) : g.in(0);
      const Value high = b.call("greater", {raised, g.in(2)});
      inside = b.select(high, 0.0, inside);
      if (has_low) below = b.select(high, 0.0, below);
      above = b.select(high, g.ct(), 0.0);
    }
    return {g.unbroadcast(inside, 0), g.unbroadcast(below, 1), g.unbroadcast(above, 2)};
  }
  static std::vector<Sample> samples() {
    SampleOperand missing;
    missing.absent = true;
    const SampleOperand x = sample_of({4, 5}, -3, 3);
    return with_limits(
        {{{x, sample_number(-1), sample_number(1.5)}, {}, {}},
         {{x, missing, sample_number(0.5)}, {}, {}},
         {{x, sample_number(0.5), missing}, {}, {}},
         {{x, sample_of({5}, -2, -1), sample_of({4, 1}, 1, 2)}, {}, {}},
         {{sample_of({9}, -9, 9, DType::Int32), sample_number(-2, DType::Int64), sample_number(5, DType::Int64)},
          {},
          {}}},
        3);
  }
};
EMBER_OP(Clip);

}  // namespace
}  // namespace ember::ops
