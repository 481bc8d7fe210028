// Functions of two numbers, and of their bits: what is exact, next to, or 0 where arithmetic gives NaN.
#include <numbers>

#include "ops/expr/complex.h"
#include "ops/expr/functions.h"
#include "ops/table/elementwise.h"

namespace ember::ops {
namespace {

struct Promoted : BinaryOp {
  static constexpr const char* name = "promoted";
  static constexpr const char* primitive = "Promoted";
  static constexpr const char* doc = "input in the shape and the dtype that it has together with other.";
  static constexpr const char* numpy = "np.broadcast_arrays(input, other)[0]";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return in[0]; }
  static Values grad(Grad& g) { return {g.unbroadcast(g.ct(), 0), Value()}; }
};
EMBER_OP(Promoted);

template <bool Binary>
Values log_of_sum_grad(Grad& g) {
  Builder& b = g.b;
  const auto part = [&](size_t i) {
    if (!g.needs(i)) return Value();
    const Value equal = b.call("equal", {g.in(i), g.out()});
    const Value share = b.call(Binary ? "exp2" : "exp", {b.select(equal, 0.0, b.sub(g.in(i), g.out()))});
    return g.unbroadcast(b.mul(g.ct(), share), i);
  };
  return {part(0), part(1)};
}

struct LogAddExp : BinaryOp {
  static constexpr const char* name = "logaddexp";
  static constexpr const char* primitive = "LogAddExp";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult | Flag::Commutative;
  static constexpr const char* doc =
      "log(e^input + e^other) without overflow, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.logaddexp(input, other)";
  static constexpr const char* saves = "input, other, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return functions::log_of_sum(in[0], in[1], false); }
  static Values grad(Grad& g) { return log_of_sum_grad<false>(g); }
  static std::vector<Sample> samples() { return binary_samples(-2, 2, {DType::Float16, DType::Float64}); }
};
EMBER_OP(LogAddExp);

struct LogAddExp2 : BinaryOp {
  static constexpr const char* name = "logaddexp2";
  static constexpr const char* primitive = "LogAddExp2";
  static constexpr Flags flags = LogAddExp::flags;
  static constexpr const char* doc =
      "The logarithm to the base 2 of 2^input + 2^other, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.logaddexp2(input, other)";
  static constexpr const char* saves = "input, other, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return functions::log_of_sum(in[0], in[1], true); }
  static Values grad(Grad& g) { return log_of_sum_grad<true>(g); }
  static std::vector<Sample> samples() { return LogAddExp::samples(); }
};
EMBER_OP(LogAddExp2);

struct CopySign : BinaryOp {
  static constexpr const char* name = "copysign";
  static constexpr const char* primitive = "CopySign";
  static constexpr const char* signature = "x: number, other: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc =
      "|x| with the sign of other, that of zeros and NaN too, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.copysign(x, other)";
  static constexpr const char* saves = "x, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (is_complex(in[0].dtype())) throw NotOfComplex();
    return functions::with_sign_of(in[0], in[1]);
  }
  static Values grad(Grad& g) {
    const Value turned = g.b.mul(g.b.call("sign", {g.in(0)}), g.b.call(name, {1.0, g.in(1)}));
    return {g.unbroadcast(g.b.mul(g.ct(), turned), 0), Value()};
  }
  static std::vector<Sample> samples() { return binary_samples(-2, 2, {DType::Float16, DType::Float64}); }
};
EMBER_OP(CopySign);

struct SignBit : StepOp {
  static constexpr const char* name = "signbit";
  static constexpr const char* primitive = "SignBit";
  static constexpr Flags flags = Flag::Pure | Flag::Compare | Flag::NoGradient;
  static constexpr const char* doc = "Whether input is below zero, or -0.0, or a NaN with that sign.";
  static constexpr const char* numpy = "np.signbit(input) if input.dtype.kind == 'f' else input < 0";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    const Ex x = in[0];
    if (is_complex(x.dtype())) throw NotOfComplex();
    if (!is_inexact(x.dtype())) return lt(x, x.constant(0));
    const Ex sign = functions::sign_bit(x);
    return ne(sign, sign.constant(0));
  }
};
EMBER_OP(SignBit);

struct NextAfter : BinaryOp {
  static constexpr const char* name = "nextafter";
  static constexpr const char* primitive = "NextAfter";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult | Flag::NoPromote;
  static constexpr const char* doc =
      "The number next to input on the way to other, elementwise with broadcasting; other itself where they are equal. "
      "Both must be float32, or both float64, else a TypeError.";
  static constexpr const char* numpy = "np.nextafter(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    const DType dtype = in[0].dtype();
    if (dtype != in[1].dtype() || (dtype != DType::Float32 && dtype != DType::Float64)) {
      type_error("For 'nextafter', 'input' and 'other' must both be float32 or both be float64, but are " +
                 std::string(ops::name(dtype)) + " and " + std::string(ops::name(in[1].dtype())) + ".");
    }
    return functions::next_after(in[0], in[1]);
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.ct(), 0), Value()}; }
  static std::vector<Sample> samples() {
    return {{{sample_of({4, 5}, -2, 2, DType::Float64), sample_of({5}, -2, 2, DType::Float64)}, {}, {}}};
  }
};
EMBER_OP(NextAfter);

struct Fmod : BinaryOp {
  static constexpr const char* name = "fmod";
  static constexpr const char* primitive = "Fmod";
  static constexpr const char* doc =
      "input - other * trunc(input / other), exactly, elementwise with broadcasting: the remainder that has the sign "
      "of "
      "input. Integers keep their dtype, and an integer by 0 gives 0. Two bool operands are a TypeError.";
  static constexpr const char* numpy = "np.fmod(input, other)";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    if (is_complex(in[0].dtype())) throw NotOfComplex();
    return functions::remainder(in[0], in[1]);
  }
  static Values grad(Grad& g) {
    Value of_other;
    if (g.needs(1)) {
      const Value whole = g.b.call("trunc", {g.b.div(g.in(0), g.in(1))});
      of_other = g.unbroadcast(g.b.neg(g.b.mul(g.ct(), whole)), 1);
    }
    return {g.unbroadcast(g.ct(), 0), of_other};
  }
  static std::vector<Sample> samples() {
    auto all = with_limits(binary_samples(1, 9, {DType::Float16, DType::Int32, DType::UInt8}), 2);
    all.push_back({{sample_of({30}, -50, 50), sample_of({30}, -9, -1)}, {}, {}});
    all.push_back({{sample_of({30}, -50, 50, DType::Int32), sample_of({30}, -9, 9, DType::Int32)}, {}, {}});
    return all;
  }
};
EMBER_OP(Fmod);

// 0 where the operand that is named is 0, else a function of both.
struct MaskedOp : BinaryOp {
  static constexpr const char* signature = "x: number, y: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* saves = "x, y";
  static std::vector<Sample> samples() { return binary_samples(0.5, 3, {DType::Float16, DType::Int32}); }

 protected:
  static Ex unless_zero(Ex x, Ex value) { return select(eq(x, x.constant(0)), value.constant(0), value); }
};

struct Xlogy : MaskedOp {
  static constexpr const char* name = "xlogy";
  static constexpr const char* primitive = "Xlogy";
  static constexpr const char* signature = "input: number, other: number -> tensor";
  static constexpr const char* doc =
      "input * log(other), and 0 where input is 0 unless other is NaN, elementwise with broadcasting. Integers give "
      "float32.";
  static constexpr const char* numpy = "np.where(input == 0, 0, input * np.log(other))";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    const Ex value = unless_zero(in[0], in[0] * unary(Verb::Log, in[1]));
    return select(eq(in[1], in[1]), value, in[1]);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value zero = b.call("equal", {g.in(0), 0.0});
    const Value undefined =
        b.call("logical_and", {zero, b.call(is_complex(g.out_type().dtype) ? "equal" : "less_equal", {g.in(1), 0.0})});
    return {g.needs(0) ? g.unbroadcast(b.mul(g.ct(), b.select(undefined, 0.0, b.call("log", {g.in(1)}))), 0) : Value(),
            g.needs(1) ? g.unbroadcast(b.mul(g.ct(), b.div(g.in(0), g.in(1))), 1) : Value()};
  }
};
EMBER_OP(Xlogy);

struct Xdivy : MaskedOp {
  static constexpr const char* name = "xdivy";
  static constexpr const char* primitive = "Xdivy";
  static constexpr const char* doc = "x / y, and 0 where x is 0, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.where(x == 0, 0, np.true_divide(x, y))";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unless_zero(in[0], in[0] / in[1]); }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value slope = b.call(name, {b.call(name, {g.in(0), g.in(1)}), g.in(1)});
    const Value undefined = b.call("logical_and", {b.call("equal", {g.in(0), 0.0}), b.call("equal", {g.in(1), 0.0})});
    return {g.needs(0) ? g.unbroadcast(b.select(undefined, 0.0, b.div(g.ct(), g.in(1))), 0) : Value(),
            g.needs(1) ? g.unbroadcast(b.neg(b.mul(g.ct(), slope)), 1) : Value()};
  }
};
EMBER_OP(Xdivy);

struct DivNoNan : MaskedOp {
  static constexpr const char* name = "div_no_nan";
  static constexpr const char* primitive = "DivNoNan";
  static constexpr const char* doc = "x / y, and 0 where y is 0, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.where(y == 0, 0, np.true_divide(x, y))";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unless_zero(in[1], in[0] / in[1]); }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value quotient = b.call(name, {g.ct(), g.in(1)});
    return {g.unbroadcast(quotient, 0),
            g.needs(1) ? g.unbroadcast(b.neg(b.mul(quotient, b.call(name, {g.in(0), g.in(1)}))), 1) : Value()};
  }
};
EMBER_OP(DivNoNan);

struct MulNoNan : MaskedOp {
  static constexpr const char* name = "mul_no_nan";
  static constexpr const char* primitive = "MulNoNan";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "x * y, and 0 where y is 0 whatever x is, elementwise with broadcasting. Two bool operands are a TypeError.";
  static constexpr const char* numpy = "np.where(y == 0, 0, np.multiply(x, y))";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    refuse_bool(in[0], name);
    return unless_zero(in[1], in[0] * in[1]);
  }
  static Values grad(Grad& g) {
    return {g.needs(0) ? g.unbroadcast(g.b.call(name, {g.ct(), g.in(1)}), 0) : Value(),
            g.needs(1) ? g.unbroadcast(g.b.call(name, {g.in(0), g.ct()}), 1) : Value()};
  }
};
EMBER_OP(MulNoNan);

void require_ints(Ex x, std::string_view name) {
  if (is_int(x.dtype())) return;
  type_error("For '" + std::string(name) + "', operands must be integers, not " + std::string(ops::name(x.dtype())) +
             ".");
}

// By no less than all bits nothing is left but the sign; so by a negative number of bits, as NumPy has it.
struct ShiftOp : BinaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static std::vector<Sample> samples() {
    return {{{sample_of({3, 1, 5}, -50, 50, DType::Int32), sample_of({4, 5}, 0, 40, DType::Int32)}, {}, {}},
            {{sample_of({20}, 0, 99, DType::UInt8), sample_of({20}, 0, 9, DType::UInt8)}, {}, {}},
            {{sample_of({20}, -99, 99, DType::Int64), sample_number(3, DType::Int64)}, {}, {}}};
  }

 protected:
  static Ex all_bits(Ex x) { return x.constant(8.0 * static_cast<double>(itemsize(x.dtype()))); }
  static Ex outside(Ex count) {
    const Ex large = le(all_bits(count), count);
    return is_unsigned_int(count.dtype()) ? large : binary(Verb::Or, large, lt(count, count.constant(0)));
  }
};

struct LeftShift : ShiftOp {
  static constexpr const char* name = "left_shift";
  static constexpr const char* primitive = "LeftShift";
  static constexpr const char* doc =
      "input * 2^other of integers, elementwise with broadcasting, without the bits that leave the dtype; 0 if other "
      "is "
      "negative or no less than the number of bits.";
  static constexpr const char* numpy = "np.left_shift(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    require_ints(in[0], name);
    const Ex zero = in[0].constant(0), beyond = outside(in[1]);
    return select(beyond, zero, binary(Verb::Shl, in[0], select(beyond, zero, in[1])));
  }
};
EMBER_OP(LeftShift);

struct RightShift : ShiftOp {
  static constexpr const char* name = "right_shift";
  static constexpr const char* primitive = "RightShift";
  static constexpr const char* doc =
      "input / 2^other of integers, rounded down, elementwise with broadcasting; 0 or -1, as the sign is, if other is "
      "negative or no less than the number of bits.";
  static constexpr const char* numpy = "np.right_shift(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    require_ints(in[0], name);
    const Ex last = all_bits(in[0]) - 1.0, beyond = outside(in[1]);
    const Ex shifted = binary(Verb::Shr, in[0], select(beyond, last, in[1]));
    return is_unsigned_int(in[0].dtype()) ? select(beyond, in[0].constant(0), shifted) : shifted;
  }
};
EMBER_OP(RightShift);

// Bits counted in pairs, fours and bytes, whose sum a product brings into the highest byte.
struct PopulationCount : UnaryOp {
  static constexpr const char* name = "population_count";
  static constexpr const char* primitive = "PopulationCount";
  static constexpr const char* signature = "input_x: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::NoPromote;
  static constexpr const char* doc =
      "How many bits of an integer are 1, as uint8; of a negative one those of its two's "
      "complement.";
  static constexpr const char* numpy =
      "np.vectorize(lambda x: bin(int(x) & (1 << 8 * input_x.itemsize) - 1).count('1'), otypes=[np.uint8])(input_x)";
  static Ex apply(ExprBuilder& b, Exs in, const Attrs&) {
    require_ints(in[0], name);
    const size_t bits = 8 * itemsize(in[0].dtype());
    Ex x = convert(in[0], DType::UInt64);
    const auto mask = [&](uint64_t pattern) { return b.constant_bits(DType::UInt64, pattern); };
    const auto both = [](Ex a, Ex c) { return binary(Verb::And, a, c); };
    const auto after = [](Ex a, int count) { return binary(Verb::Shr, a, a.constant(count)); };
    if (bits < 64) x = both(x, mask((uint64_t{1} << bits) - 1));
    x = x - both(after(x, 1), mask(0x5555555555555555));
    x = both(x, mask(0x3333333333333333)) + both(after(x, 2), mask(0x3333333333333333));
    x = both(x + after(x, 4), mask(0x0F0F0F0F0F0F0F0F));
    return convert(after(x * mask(0x0101010101010101), 56), DType::UInt8);
  }
  static std::vector<Sample> samples() {
    return with_limits({{{sample_of({3, 4}, -99, 99, DType::Int16)}, {}, {}}}, 1);
  }
};
EMBER_OP(PopulationCount);

}  // namespace
}  // namespace ember::ops
