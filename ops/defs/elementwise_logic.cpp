// Comparison, logic on bools and bits, choice, and the tests for NaN and infinity.
#include <limits>

#include "ops/expr/complex.h"
#include "ops/table/elementwise.h"
#include "ops/table/rules.h"
#include "ops/table/simplify.h"

namespace ember::ops {
namespace {

struct Equal : CompareOp {
  static constexpr const char* name = "equal";
  static constexpr const char* primitive = "Equal";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative | Flag::Compare | Flag::NoGradient;
  static constexpr const char* doc = "Whether input equals other, elementwise with broadcasting. NaN equals nothing.";
  static constexpr const char* numpy = "np.equal(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return eq(in[0], in[1]); }
};
EMBER_OP(Equal);

struct NotEqual : CompareOp {
  static constexpr const char* name = "not_equal";
  static constexpr const char* primitive = "NotEqual";
  static constexpr Flags flags = Flag::Pure | Flag::Commutative | Flag::Compare | Flag::NoGradient;
  static constexpr const char* doc = "Whether input differs from other, elementwise with broadcasting.";
  static constexpr const char* numpy = "np.not_equal(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return ne(in[0], in[1]); }
};
EMBER_OP(NotEqual);

struct Less : CompareOp {
  static constexpr const char* name = "less";
  static constexpr const char* primitive = "Less";
  static constexpr const char* doc = "Whether input is less than other, elementwise with broadcasting.";
  static constexpr const char* numpy = "np.less(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return lt(in[0], in[1]); }
};
EMBER_OP(Less);

struct LessEqual : CompareOp {
  static constexpr const char* name = "less_equal";
  static constexpr const char* primitive = "LessEqual";
  static constexpr const char* doc = "Whether input is at most other, elementwise with broadcasting.";
  static constexpr const char* numpy = "np.less_equal(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return le(in[0], in[1]); }
};
EMBER_OP(LessEqual);

struct Greater : CompareOp {
  static constexpr const char* name = "greater";
  static constexpr const char* primitive = "Greater";
  static constexpr const char* doc = "Whether input is greater than other, elementwise with broadcasting.";
  static constexpr const char* numpy = "np.greater(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return lt(in[1], in[0]); }
};
EMBER_OP(Greater);

struct GreaterEqual : CompareOp {
  static constexpr const char* name = "greater_equal";
  static constexpr const char* primitive = "GreaterEqual";
  static constexpr const char* doc = "Whether input is at least other, elementwise with broadcasting.";
  static constexpr const char* numpy = "np.greater_equal(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return le(in[1], in[0]); }
};
EMBER_OP(GreaterEqual);

struct LogicalAnd : LogicalOp {
  static constexpr const char* name = "logical_and";
  static constexpr const char* primitive = "LogicalAnd";
  static constexpr const char* doc = "Whether both are true; numbers are true if they are not zero.";
  static constexpr const char* numpy = "np.logical_and(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return binary(Verb::And, in[0], in[1]); }
};
EMBER_OP(LogicalAnd);

struct LogicalOr : LogicalOp {
  static constexpr const char* name = "logical_or";
  static constexpr const char* primitive = "LogicalOr";
  static constexpr const char* doc = "Whether one at least is true; numbers are true if they are not zero.";
  static constexpr const char* numpy = "np.logical_or(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return binary(Verb::Or, in[0], in[1]); }
};
EMBER_OP(LogicalOr);

struct LogicalXor : LogicalOp {
  static constexpr const char* name = "logical_xor";
  static constexpr const char* primitive = "LogicalXor";
  static constexpr const char* doc = "Whether exactly one is true; numbers are true if they are not zero.";
  static constexpr const char* numpy = "np.logical_xor(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return binary(Verb::Xor, in[0], in[1]); }
};
EMBER_OP(LogicalXor);

struct LogicalNot : UnaryOp {
  static constexpr const char* name = "logical_not";
  static constexpr const char* primitive = "LogicalNot";
  static constexpr Flags flags = Flag::Pure | Flag::Logical | Flag::NoGradient;
  static constexpr const char* doc = "Whether input is false; numbers are true if they are not zero.";
  static constexpr const char* numpy = "np.logical_not(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return unary(Verb::Not, in[0]); }
  static void simplify(Simplify& s) {
    if (s.same_op(0)) s.undoes(0);
  }
  static std::vector<Sample> samples() { return unary_samples(-1, 1, {DType::Bool, DType::Int32}); }
};
EMBER_OP(LogicalNot);

Ex bitwise(Verb verb, Exs in, std::string_view op_name) {
  if (is_inexact(in[0].dtype())) {
    type_error("For '" + std::string(op_name) + "', operands must be integers or bools, not " +
               std::string(name(in[0].dtype())) + ".");
  }
  return in.size() == 1 ? unary(verb, in[0]) : binary(verb, in[0], in[1]);
}

struct BitwiseOp : BinaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::Commutative | Flag::NoGradient;
  static std::vector<Sample> samples() {
    const auto pair = [](DType d) {
      return Sample{{sample_of({3, 1, 5}, -50, 50, d), sample_of({4, 5}, -50, 50, d)}, {}, {}};
    };
    return with_limits({pair(DType::Int32),
                        pair(DType::Bool),
                        {{sample_of({20}, 0, 99, DType::UInt8), sample_number(12, DType::Int64)}, {}, {}}},
                       2);
  }
};

struct BitwiseAnd : BitwiseOp {
  static constexpr const char* name = "bitwise_and";
  static constexpr const char* primitive = "BitwiseAnd";
  static constexpr const char* doc = "input & other, elementwise with broadcasting. Floats are a TypeError.";
  static constexpr const char* numpy = "np.bitwise_and(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return bitwise(Verb::And, in, name); }
};
EMBER_OP(BitwiseAnd);

struct BitwiseOr : BitwiseOp {
  static constexpr const char* name = "bitwise_or";
  static constexpr const char* primitive = "BitwiseOr";
  static constexpr const char* doc = "input | other, elementwise with broadcasting. Floats are a TypeError.";
  static constexpr const char* numpy = "np.bitwise_or(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return bitwise(Verb::Or, in, name); }
};
EMBER_OP(BitwiseOr);

struct BitwiseXor : BitwiseOp {
  static constexpr const char* name = "bitwise_xor";
  static constexpr const char* primitive = "BitwiseXor";
  static constexpr const char* doc = "input ^ other, elementwise with broadcasting. Floats are a TypeError.";
  static constexpr const char* numpy = "np.bitwise_xor(input, other)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return bitwise(Verb::Xor, in, name); }
};
EMBER_OP(BitwiseXor);

struct Invert {
  static constexpr const char* name = "invert";
  static constexpr const char* primitive = "Invert";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "~x: the complement of every bit; of bools the negation. Floats are a TypeError.";
  static constexpr const char* numpy = "np.invert(x)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return bitwise(Verb::Not, in, name); }
  static std::vector<Sample> samples() { return with_limits({{{sample_of({3, 7}, 0, 1, DType::Bool)}, {}, {}}}, 1); }
};
EMBER_OP(Invert);

struct Select {
  static constexpr const char* name = "select";
  static constexpr const char* primitive = "Select";
  static constexpr const char* signature = "condition: number, input: number, other: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::KeepFirst | Flag::Moves;
  static constexpr const char* doc =
      "input where condition, else other, elementwise; all three broadcast, input and other promote. A condition that "
      "is "
      "not bool is a TypeError.";
  static constexpr const char* numpy = "np.where(condition, input, other)";
  static constexpr const char* saves = "condition";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (in[0].dtype() != DType::Bool) {
      type_error("For 'select', 'condition' must be bool, not " + std::string(ops::name(in[0].dtype())) + ".");
    }
    return select(in[0], in[1], in[2]);
  }
  static Values grad(Grad& g) {
    return {Value(), g.needs(1) ? g.unbroadcast(g.b.select(g.in(0), g.ct(), 0.0), 1) : Value(),
            g.needs(2) ? g.unbroadcast(g.b.select(g.in(0), 0.0, g.ct()), 2) : Value()};
  }
  static std::vector<Sample> samples() {
    const auto of = [](SampleOperand a, SampleOperand b) {
      return Sample{{sample_of({3, 5}, 0, 1, DType::Bool), a, b}, {}, {}};
    };
    return {of(sample_of({3, 5}), sample_of({3, 5})),
            of(sample_of({5}), sample_of({4, 1, 1})),
            of(sample_of({3, 5}), sample_number(0.5)),
            of(sample_number(0.5), sample_of({3, 5}, -2, 2, DType::Float16)),
            of(sample_of({3, 5}, -9, 9, DType::Int32), sample_of({5}, -9, 9, DType::Int8)),
            {{sample_of({4, 1}, 0, 1, DType::Bool), sample_of({5}), sample_of({})}, {}, {}}};
  }
};
EMBER_OP(Select);

struct MaskedFill {
  static constexpr const char* name = "masked_fill";
  static constexpr const char* primitive = "MaskedFill";
  static constexpr const char* signature = "input_x: tensor, mask: tensor, value: number -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "value, one number, where mask is true, elements of input_x elsewhere, in the dtype of input_x; input_x and mask "
      "broadcast. A mask that is not bool is a TypeError.";
  static constexpr const char* numpy = "np.where(mask, np.asarray(value).astype(input_x.dtype), input_x)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    const Type value = b.type(in[2]);
    if (!value.dims.empty()) {
      value_error("For 'masked_fill', 'value' must be a number or a 0-d tensor, but is " + to_string(value) + ".");
    }
    refuse_lost_part(value, b.type(in[0]).dtype, name);
    return {b.select(in[1], in_dtype(b, in[2], b.type(in[0]).dtype), in[0])};
  }
  static std::vector<Sample> samples() {
    const auto mask = [](const Shape& shape) { return sample_of(shape, 0, 1, DType::Bool); };
    return {{{sample_of({3, 5}), mask({3, 5}), sample_number(0.5)}, {}, {}},
            {{sample_of({3, 5}), mask({4, 1, 1}), sample_of({})}, {}, {}},
            {{sample_of({6}, -9, 9, DType::Int8), mask({6}), sample_number(2.75)}, {}, {}},
            {{sample_of({6}), mask({}), sample_of({}, -2, 2, DType::Float16)}, {}, {}}};
  }
};
EMBER_OP(MaskedFill);

struct FloatTestOp : UnaryOp {
  static constexpr Flags flags = Flag::Pure | Flag::Compare | Flag::NoGradient;
  static std::vector<Sample> samples() {
    auto all = unary_samples(-1, 1, {DType::Float16, DType::Int32});
    all.push_back({{sample_of({40}, -5e38, 5e38)}, {}, {}});
    return all;
  }
};

struct IsNan : FloatTestOp {
  static constexpr const char* name = "isnan";
  static constexpr const char* primitive = "IsNan";
  static constexpr const char* doc = "Whether input is NaN; of integers false.";
  static constexpr const char* numpy = "np.isnan(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return ne(in[0], in[0]); }
};
EMBER_OP(IsNan);

Ex is_infinite(Ex x) {
  if (is_complex(x.dtype())) return binary(Verb::Or, is_infinite(real(x)), is_infinite(imag(x)));
  return eq(unary(Verb::Abs, x), x.constant(std::numeric_limits<double>::infinity()));
}

Ex is_finite(Ex x) {
  if (is_complex(x.dtype())) return binary(Verb::And, is_finite(real(x)), is_finite(imag(x)));
  return lt(unary(Verb::Abs, x), x.constant(std::numeric_limits<double>::infinity()));
}

struct IsFinite : FloatTestOp {
  static constexpr const char* name = "isfinite";
  static constexpr const char* primitive = "IsFinite";
  static constexpr const char* doc = "Whether input is neither infinite nor NaN; of integers true.";
  static constexpr const char* numpy = "np.isfinite(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (!is_inexact(in[0].dtype())) return eq(in[0], in[0]);
    return is_finite(in[0]);
  }
};
EMBER_OP(IsFinite);

struct IsInf : FloatTestOp {
  static constexpr const char* name = "isinf";
  static constexpr const char* primitive = "IsInf";
  static constexpr const char* doc = "Whether input is infinite, of either sign; of integers false.";
  static constexpr const char* numpy = "np.isinf(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    return is_inexact(in[0].dtype()) ? is_infinite(in[0]) : ne(in[0], in[0]);
  }
};
EMBER_OP(IsInf);

}  // namespace
}  // namespace ember::ops
