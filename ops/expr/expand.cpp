// The machine of ops/expr/math.h that records: a scheme run on it yields the primitive verbs that strip kernels
// execute.
#include <utility>

#include "ops/expr/math.h"

namespace ember::ops {
namespace {

template <bool Double>
struct Recorder {
  using F = Ex;
  using U = Ex;
  using Wide = Recorder<true>;
  static constexpr bool kDouble = Double;
  static constexpr DType kFloat = Double ? DType::Float64 : DType::Float32;
  static constexpr DType kWord = Double ? DType::UInt64 : DType::UInt32;
  ExprBuilder& b;

  Ex num(double x) const { return b.constant(kFloat, x); }
  Ex word(uint64_t x) const { return b.constant_bits(kWord, Double ? x : static_cast<uint32_t>(x)); }
  Ex fma(Ex a, Ex c, Ex d) const { return ops::fma(a, c, d); }
  Ex abs(Ex a) const { return unary(Verb::Abs, a); }
  Ex rint(Ex a) const { return unary(Verb::Rint, a); }
  Ex trunc(Ex a) const { return unary(Verb::Trunc, a); }
  Ex bits(Ex a) const { return b.emit(Verb::Bitcast, kWord, a); }
  Ex from_bits(Ex a) const { return b.emit(Verb::Bitcast, kFloat, a); }
  Ex shl(Ex a, int count) const { return binary(Verb::Shl, a, a.constant(count)); }
  Ex shr(Ex a, int count) const { return binary(Verb::Shr, a, a.constant(count)); }
  Ex both(Ex a, Ex c) const { return binary(Verb::And, a, c); }
  Ex either(Ex a, Ex c) const { return binary(Verb::Or, a, c); }
  Ex flip(Ex a, Ex c) const { return binary(Verb::Xor, a, c); }
  Ex lt(Ex a, Ex c) const { return ops::lt(a, c); }
  Ex le(Ex a, Ex c) const { return ops::le(a, c); }
  Ex eq(Ex a, Ex c) const { return ops::eq(a, c); }
  Ex ne(Ex a, Ex c) const { return ops::ne(a, c); }
  Ex select(Ex c, Ex yes, Ex no) const { return ops::select(c, yes, no); }
  Wide wide() const { return {b}; }
  Ex widen(Ex a) const { return convert(a, DType::Float64); }
  Ex narrow(Ex a) const { return convert(a, kFloat); }
  Ex lookup(Table table, Ex entry) const {
    return b.emit(Verb::Lookup, DType::Float64, convert(entry, DType::Int32), {}, {}, table);
  }
};

template <int Bits, bool Signed>
struct IntRecorder {
  using F = Ex;
  static constexpr bool kSigned = Signed;
  static constexpr int kBits = Bits - Signed;
  ExprBuilder& b;
  DType dtype;

  Ex num(int x) const { return b.constant(dtype, x); }
  Ex shr(Ex a, int count) const { return binary(Verb::Shr, a, a.constant(count)); }
  Ex both(Ex a, Ex c) const { return binary(Verb::And, a, c); }
  Ex eq(Ex a, Ex c) const { return ops::eq(a, c); }
  Ex ne(Ex a, Ex c) const { return ops::ne(a, c); }
  Ex lt(Ex a, Ex c) const { return ops::lt(a, c); }
  Ex select(Ex c, Ex yes, Ex no) const { return ops::select(c, yes, no); }
};

template <class M>
Ex run_scheme(const M& m, Verb verb, Ex a, Ex c) {
  switch (verb) {
    case Verb::Exp:
      return math::exp(m, a);
    case Verb::Expm1:
      return math::expm1(m, a);
    case Verb::Log:
      return math::log(m, a);
    case Verb::Log1p:
      return math::log1p(m, a);
    case Verb::Tanh:
      return math::tanh(m, a);
    case Verb::Erf:
      return math::erf(m, a);
    case Verb::Sin:
      return math::sin(m, a);
    case Verb::Cos:
      return math::cos(m, a);
    case Verb::Sigmoid:
      return math::sigmoid(m, a);
    case Verb::Pow:
      return math::pow(m, a, c);
    case Verb::Atan2:
      return math::atan2(m, a, c);
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_ARITHMETIC_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      break;
  }
  __builtin_unreachable();
}

Ex run_int_pow(ExprBuilder& b, Ex x, Ex y) {
  return dispatch(x.dtype(), [&]<class T>() -> Ex {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      return math::int_pow(IntRecorder<sizeof(T) * 8, std::is_signed_v<T>>{b, x.dtype()}, x, y);
    } else {
      __builtin_unreachable();
    }
  });
}

Ex expand_node(ExprBuilder& b, const ExprNode& n, Ex x, Ex y) {
  if (n.dtype == DType::Float32) return run_scheme(Recorder<false>{b}, n.verb, x, y);
  if (n.dtype == DType::Float64) return run_scheme(Recorder<true>{b}, n.verb, x, y);
  return run_int_pow(b, x, y);
}

}  // namespace

Expr expand(const Expr& expr) {
  ExprBuilder b;
  std::vector<Ex> expanded(expr.nodes.size());
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    const ExprNode& n = expr.nodes[i];
    const auto arg = [&](int k) { return info(n.verb).operands > k ? expanded[n.args[k]] : Ex(); };
    if (n.verb == Verb::Input) {
      expanded[i] = b.input(static_cast<uint16_t>(n.bits), n.dtype);
    } else if (is_composite(n.verb)) {
      expanded[i] = expand_node(b, n, arg(0), arg(1));
    } else {
      expanded[i] = b.emit(n.verb, n.dtype, arg(0), arg(1), arg(2), n.bits);
    }
  }
  std::vector<Ex> outputs;
  for (NodeId id : expr.outputs) outputs.push_back(expanded[id]);
  Expr result = b.finish(outputs);
  result.inputs = expr.inputs;
  return result;
}

}  // namespace ember::ops
