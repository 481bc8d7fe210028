// Verbs: the scalar steps of which elementwise semantics are made. Each is one IEEE operation, one integer operation,
// or (the composite ones) one fixed scheme over those, written once in ops/expr/math.h. Their contract:
// max and min propagate NaN and order -0 below +0; integers wrap; fma only where written; converting a float to an
// integer saturates as NumPy on x86 does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ops/tensor/dtype.h"

namespace ember::ops {

// name, operands, dtypes of the operands (those of Select: of what it selects from), cost, meaning. The cost is that of
// recomputing an element, in hundredths of a nanosecond, measured in cache with AVX2; kCostly if it is never worth it.
#define EMBER_LEAF_VERBS(X)                           \
  X(Input, 0, All, 0, "an operand of the expression") \
  X(Const, 0, All, 0, "a constant of the node's dtype")

#define EMBER_ARITHMETIC_VERBS(X)                                \
  X(Add, 2, Numbers, 1, "a + b")                                 \
  X(Sub, 2, Numbers, 1, "a - b")                                 \
  X(Mul, 2, Numbers, 1, "a * b")                                 \
  X(Div, 2, Numbers, 5, "a / b; integers floor, and x / 0 is 0") \
  X(Fma, 3, Reals, 1, "a * b + c, rounded once")                 \
  X(Neg, 1, Numbers, 1, "-a")                                    \
  X(Abs, 1, Numbers, 1, "|a|")                                   \
  X(Min, 2, Numbers, 1, "the smaller; NaN if either is")         \
  X(Max, 2, Numbers, 1, "the larger; NaN if either is")          \
  X(Sqrt, 1, Reals, 10, "square root")                           \
  X(Floor, 1, Reals, 1, "to the integer below")                  \
  X(Ceil, 1, Reals, 1, "to the integer above")                   \
  X(Trunc, 1, Reals, 1, "to the integer nearer zero")            \
  X(Rint, 1, Reals, 1, "to the nearest integer, ties to even")   \
  X(Rem, 2, Numbers, 5, "a - b * floor(a / b), rounded once; integers by b == 0 give 0")

#define EMBER_COMPARE_VERBS(X)            \
  X(Eq, 2, Elements, 1, "a == b, a bool") \
  X(Ne, 2, Elements, 1, "a != b, a bool") \
  X(Lt, 2, Elements, 1, "a < b, a bool")  \
  X(Le, 2, Elements, 1, "a <= b, a bool")

#define EMBER_BIT_VERBS(X)                                     \
  X(And, 2, Bits, 1, "bitwise and; of bools logical")          \
  X(Or, 2, Bits, 1, "bitwise or; of bools logical")            \
  X(Xor, 2, Bits, 1, "bitwise exclusive or; of bools logical") \
  X(Not, 1, Bits, 1, "bitwise not; of bools logical")          \
  X(Shl, 2, Ints, 1, "a << b; 0 if b >= bits")                 \
  X(Shr, 2, Ints, 1, "a >> b, arithmetic for signed types")

#define EMBER_MOVE_VERBS(X)                                                      \
  X(Select, 3, Elements, 1, "a ? b : c, a is a bool")                            \
  X(Convert, 1, All, 1, "to the node's dtype")                                   \
  X(Bitcast, 1, Elements, 1, "the same bits, as the node's dtype of equal size") \
  X(Lookup, 1, Indices, 1, "an entry of a constant table; a is an int32 index within it")

#define EMBER_COMPLEX_VERBS(X)                       \
  X(RealPart, 1, Complexes, 1, "the real part")      \
  X(ImagPart, 1, Complexes, 1, "the imaginary part") \
  X(Complex, 2, Reals, 1, "a + b * i")

#define EMBER_COMPOSITE_VERBS(X)                                  \
  X(Exp, 1, Reals, 27, "e to the a")                              \
  X(Expm1, 1, Reals, kCostly, "e to the a, less 1, exact near 0") \
  X(Log, 1, Reals, kCostly, "natural logarithm")                  \
  X(Log1p, 1, Reals, kCostly, "log(1 + a), exact near 0")         \
  X(Tanh, 1, Reals, kCostly, "hyperbolic tangent")                \
  X(Erf, 1, Reals, kCostly, "error function")                     \
  X(Sin, 1, Reals, kCostly, "sine of radians, any size")          \
  X(Cos, 1, Reals, kCostly, "cosine of radians, any size")        \
  X(Sigmoid, 1, Reals, 43, "1 / (1 + exp(-a))")                   \
  X(Pow, 2, Numbers, kCostly, "a to the b")                       \
  X(Atan2, 2, Reals, kCostly, "the angle of (b, a), signs of zero included")

#define EMBER_VERBS(X)      \
  EMBER_LEAF_VERBS(X)       \
  EMBER_ARITHMETIC_VERBS(X) \
  EMBER_COMPARE_VERBS(X) EMBER_BIT_VERBS(X) EMBER_MOVE_VERBS(X) EMBER_COMPLEX_VERBS(X) EMBER_COMPOSITE_VERBS(X)

// Cases of a group, for switches that name the verbs of other groups one by one. No such switch has a default, so a
// verb that one of them lacks is an error of the compiler.
#define EMBER_VERB_CASE(name, ...) case ::ember::ops::Verb::name:

enum class Verb : uint8_t {
#define X(name, ...) name,
  EMBER_VERBS(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kVerbs = 0 EMBER_VERBS(X);
#undef X

// Dtypes of operands: elements are of every dtype but the half types and those of storage, which only Convert knows,
// and the complex ones, which only the complex verbs know: what is done with complex numbers is done with their parts
// (expr/complex.h).
enum class Operands : uint8_t { All, Elements, Numbers, Reals, Complexes, Ints, Bits, Indices };
constexpr bool accepts(Operands operands, DType d) {
  switch (operands) {
    case Operands::All:
      return !is_complex(d);
    case Operands::Elements:
      return !is_half_dtype(d) && !is_storage(d) && !is_complex(d);
    case Operands::Numbers:
      return d != DType::Bool && accepts(Operands::Elements, d);
    case Operands::Reals:
      return d == DType::Float32 || d == DType::Float64;
    case Operands::Complexes:
      return is_complex(d);
    case Operands::Ints:
      return is_int(d);
    case Operands::Bits:
      return d == DType::Bool || is_int(d);
    case Operands::Indices:
      return d == DType::Int32;
  }
  __builtin_unreachable();
}

inline constexpr int kCostly = 1 << 10;

struct VerbInfo {
  std::string_view name;
  int operands;
  Operands accepts;
  int cost;
  std::string_view meaning;
};
inline constexpr VerbInfo kVerbInfo[] = {
#define X(name, operands, dtypes, cost, meaning) {#name, operands, Operands::dtypes, cost, meaning},
    EMBER_VERBS(X)
#undef X
};
constexpr const VerbInfo& info(Verb verb) { return kVerbInfo[static_cast<size_t>(verb)]; }
constexpr bool is_composite(Verb verb) { return verb >= Verb::Exp; }

}  // namespace ember::ops
