// Verbs: the scalar steps of which elementwise semantics are made. Each is one IEEE operation, one integer operation,
// or (the composite ones) one fixed scheme over those, written once in ops/expr/math.h. numerics.md is their contract:
// max and min propagate NaN and order -0 below +0; integers wrap; fma only where written; converting a float to an
// integer saturates as NumPy on x86 does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ember::ops {

// name, operands, meaning
#define EMBER_LEAF_VERBS(X)                   \
  X(Input, 0, "an operand of the expression") \
  X(Const, 0, "a constant of the node's dtype")

#define EMBER_PRIMITIVE_VERBS(X)                                    \
  X(Add, 2, "a + b")                                                \
  X(Sub, 2, "a - b")                                                \
  X(Mul, 2, "a * b")                                                \
  X(Div, 2, "a / b; integers truncate, and x / 0 is 0")             \
  X(Fma, 3, "a * b + c, rounded once")                              \
  X(Neg, 1, "-a")                                                   \
  X(Abs, 1, "|a|")                                                  \
  X(Min, 2, "the smaller; NaN if either is")                        \
  X(Max, 2, "the larger; NaN if either is")                         \
  X(Sqrt, 1, "square root")                                         \
  X(Floor, 1, "to the integer below")                               \
  X(Ceil, 1, "to the integer above")                                \
  X(Trunc, 1, "to the integer nearer zero")                         \
  X(Rint, 1, "to the nearest integer, ties to even")                \
  X(Rem, 2, "a - b * floor(a / b); integers by b == 0 give 0")      \
  X(Eq, 2, "a == b, a bool")                                        \
  X(Ne, 2, "a != b, a bool")                                        \
  X(Lt, 2, "a < b, a bool")                                         \
  X(Le, 2, "a <= b, a bool")                                        \
  X(And, 2, "bitwise and; of bools logical")                        \
  X(Or, 2, "bitwise or; of bools logical")                          \
  X(Xor, 2, "bitwise exclusive or; of bools logical")               \
  X(Not, 1, "bitwise not; of bools logical")                        \
  X(Shl, 2, "a << b; 0 if b >= bits")                               \
  X(Shr, 2, "a >> b, arithmetic for signed types")                  \
  X(Select, 3, "a ? b : c, a is a bool")                            \
  X(Convert, 1, "to the node's dtype")                              \
  X(Bitcast, 1, "the same bits, as the node's dtype of equal size") \
  X(Lookup, 1, "an entry of a constant table; a is an int32 index within it")

#define EMBER_COMPOSITE_VERBS(X)                  \
  X(Exp, 1, "e to the a")                         \
  X(Expm1, 1, "e to the a, less 1, exact near 0") \
  X(Log, 1, "natural logarithm")                  \
  X(Log1p, 1, "log(1 + a), exact near 0")         \
  X(Tanh, 1, "hyperbolic tangent")                \
  X(Erf, 1, "error function")                     \
  X(Sin, 1, "sine of radians, any size")          \
  X(Cos, 1, "cosine of radians, any size")        \
  X(Sigmoid, 1, "1 / (1 + exp(-a))")              \
  X(Pow, 2, "a to the b")

#define EMBER_VERBS(X) EMBER_LEAF_VERBS(X) EMBER_PRIMITIVE_VERBS(X) EMBER_COMPOSITE_VERBS(X)

enum class Verb : uint8_t {
#define X(name, ...) name,
  EMBER_VERBS(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kVerbs = 0 EMBER_VERBS(X);
#undef X

struct VerbInfo {
  std::string_view name;
  int operands;
  std::string_view meaning;
};
inline constexpr VerbInfo kVerbInfo[] = {
#define X(name, operands, meaning) {#name, operands, meaning},
    EMBER_VERBS(X)
#undef X
};
inline const VerbInfo& info(Verb verb) { return kVerbInfo[static_cast<size_t>(verb)]; }
inline bool is_composite(Verb verb) { return verb >= Verb::Exp; }

}  // namespace ember::ops
