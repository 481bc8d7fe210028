// See scalar.h. Integer arithmetic is done in 64 bits and cut to size, which wraps.
#include "ops/expr/scalar.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "ops/tensor/convert.h"

namespace ember::ops {
namespace {

template <class T>
T read(ScalarWord bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
ScalarWord write(T value) {
  ScalarWord bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
T lesser(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <class T>
T remainder(T a, T b) {
  const T r = std::fmod(a, b);
  if (r == 0) return std::copysign(r, b);
  return std::signbit(r) != std::signbit(b) ? r + b : r;
}

template <class T>
ScalarWord real_verb(Verb verb, T a, T b, T c) {
  switch (verb) {
    case Verb::Add:
      return write<T>(a + b);
    case Verb::Sub:
      return write<T>(a - b);
    case Verb::Mul:
      return write<T>(a * b);
    case Verb::Div:
      return write<T>(a / b);
    case Verb::Fma:
      return write<T>(std::fma(a, b, c));
    case Verb::Neg:
      return write<T>(-a);
    case Verb::Abs:
      return write<T>(std::fabs(a));
    case Verb::Min:
      return write<T>(lesser(a, b));
    case Verb::Max:
      return write<T>(-lesser(-a, -b));
    case Verb::Sqrt:
      return write<T>(std::sqrt(a));
    case Verb::Floor:
      return write<T>(std::floor(a));
    case Verb::Ceil:
      return write<T>(std::ceil(a));
    case Verb::Trunc:
      return write<T>(std::trunc(a));
    case Verb::Rint:
      return write<T>(std::rint(a));
    case Verb::Rem:
      return write<T>(remainder(a, b));
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  throw std::logic_error("not a verb of floats");
}

template <class T>
T int_quotient(T a, T b) {  // floors
  const T q = static_cast<T>(a / b);
  return a % b != 0 && (a < 0) != (b < 0) ? static_cast<T>(q - 1) : q;
}

template <class T>
ScalarWord int_verb(Verb verb, T a, T b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  constexpr uint64_t bits = sizeof(T) * 8;
  const uint64_t count = static_cast<std::make_unsigned_t<T>>(b);
  const bool minus_one = std::is_signed_v<T> && b == static_cast<T>(-1);
  auto cut = [](uint64_t value) { return write(static_cast<T>(value)); };
  const ScalarWord none = 0;
  switch (verb) {
    case Verb::Add:
      return cut(x + y);
    case Verb::Sub:
      return cut(x - y);
    case Verb::Mul:
      return cut(x * y);
    case Verb::Div:
      return b == 0 ? none : minus_one ? cut(0 - x) : cut(static_cast<uint64_t>(int_quotient(a, b)));
    case Verb::Rem:
      return b == 0 || minus_one ? none : cut(x - static_cast<uint64_t>(int_quotient(a, b)) * y);
    case Verb::Neg:
      return cut(0 - x);
    case Verb::Abs:
      return a < 0 ? cut(0 - x) : cut(x);
    case Verb::Min:
      return write(b < a ? b : a);
    case Verb::Max:
      return write(a < b ? b : a);
    case Verb::And:
      return cut(x & y);
    case Verb::Or:
      return cut(x | y);
    case Verb::Xor:
      return cut(x ^ y);
    case Verb::Not:
      return cut(~x);
    case Verb::Shl:
      return count >= bits ? none : cut(x << count);
    case Verb::Shr:
      return count < bits ? write(static_cast<T>(a >> count)) : write(static_cast<T>(a < 0 ? -1 : 0));
    case Verb::Fma:
    case Verb::Sqrt:
    case Verb::Floor:
    case Verb::Ceil:
    case Verb::Trunc:
    case Verb::Rint:
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  throw std::logic_error("not a verb of integers");
}

ScalarWord bool_verb(Verb verb, bool a, bool b) {
  switch (verb) {
    case Verb::And:
      return a && b;
    case Verb::Or:
      return a || b;
    case Verb::Xor:
      return a != b;
    case Verb::Not:
      return !a;
    case Verb::Shl:
    case Verb::Shr:
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_ARITHMETIC_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  throw std::logic_error("not a verb of bools");
}

template <class T>
bool compare(Verb verb, T a, T b) {
  switch (verb) {
    case Verb::Eq:
      return a == b;
    case Verb::Ne:
      return a != b;
    case Verb::Lt:
      return a < b;
    case Verb::Le:
      return a <= b;
      EMBER_LEAF_VERBS(EMBER_VERB_CASE)
      EMBER_ARITHMETIC_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      EMBER_MOVE_VERBS(EMBER_VERB_CASE)
      EMBER_COMPLEX_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  throw std::logic_error("not a comparison");
}

ScalarWord word_mask(DType dtype) { return (ScalarWord{1} << (8 * itemsize(dtype))) - 1; }

uint64_t lookup(uint64_t number, int32_t index) {
  const LookupTable& table = lookup_table(number);
  if (index < 0 || static_cast<size_t>(index) >= table.size) throw std::out_of_range("a lookup outside its table");
  uint64_t bits = 0;
  const size_t size = itemsize(table.dtype);
  std::memcpy(&bits, static_cast<const std::byte*>(table.data) + size * static_cast<size_t>(index), size);
  return bits;
}

ScalarWord convert_bits(DType from, DType to, ScalarWord a) {
  return dispatch_any(from, [&]<class From>() {
    return dispatch_any(to, [&]<class To>() { return write(convert_value<To>(read<From>(a))); });
  });
}

}  // namespace

ScalarWord evaluate(const ExprNode& node, DType of, ScalarWord a, ScalarWord b, ScalarWord c) {
  switch (node.verb) {
    case Verb::Const:
      return node.bits;
    case Verb::Select:
      return a ? b : c;
    case Verb::Bitcast:
      return a;
    case Verb::Convert:
      return convert_bits(of, node.dtype, a);
    case Verb::Lookup:
      return lookup(node.bits, read<int32_t>(a));
    case Verb::RealPart:
      return a & word_mask(node.dtype);
    case Verb::ImagPart:
      return a >> (8 * itemsize(node.dtype));
    case Verb::Complex:
      return a | b << (8 * itemsize(of));
    case Verb::Input:
      EMBER_ARITHMETIC_VERBS(EMBER_VERB_CASE)
      EMBER_COMPARE_VERBS(EMBER_VERB_CASE)
      EMBER_BIT_VERBS(EMBER_VERB_CASE)
      EMBER_COMPOSITE_VERBS(EMBER_VERB_CASE)
      break;
  }
  const bool comparison = node.verb >= Verb::Eq && node.verb <= Verb::Le;
  return dispatch(of, [&]<class T>() -> ScalarWord {
    if constexpr (std::is_arithmetic_v<T>) {
      if (comparison) return compare(node.verb, read<T>(a), read<T>(b));
      if constexpr (std::is_same_v<T, bool>) {
        return bool_verb(node.verb, a != 0, b != 0);
      } else if constexpr (std::is_floating_point_v<T>) {
        return real_verb(node.verb, read<T>(a), read<T>(b), read<T>(c));
      } else {
        return int_verb(node.verb, read<T>(a), read<T>(b));
      }
    } else {
      throw std::logic_error("arithmetic on a half or complex type");
    }
  });
}

ScalarProgram::ScalarProgram(const Expr& expr) : expr_(expand(expr)), values_(expr_.nodes.size()) {}

void ScalarProgram::run(std::span<const ScalarWord> inputs, std::span<ScalarWord> outputs) {
  for (size_t i = 0; i < expr_.nodes.size(); ++i) {
    const ExprNode& n = expr_.nodes[i];
    if (n.verb == Verb::Input) {
      values_[i] = inputs[n.bits];
      continue;
    }
    const int operands = info(n.verb).operands;
    const auto arg = [&](int k) { return operands > k ? values_[n.args[k]] : 0; };
    const DType of = operands > 0 ? expr_.nodes[n.args[operands - 1]].dtype : n.dtype;
    values_[i] = evaluate(n, of, arg(0), arg(1), arg(2));
  }
  for (size_t k = 0; k < outputs.size(); ++k) outputs[k] = values_[expr_.outputs[k]];
}

}  // namespace ember::ops
