// The common verbs of loop counters and conditions are spelled out; they are single IEEE or wrapping integer
// operations. Everything else evaluates the verb's expression as the reference does.
#include "vm/bind/scalar_verbs.h"

#include <bit>
#include <utility>

#include "ops/expr/scalar.h"
#include "ops/table/op.h"

namespace ember::vm {
namespace {

using ops::DType;
using ops::Kind;
using ops::Verb;

constexpr DType slot(int kind) { return kind == 0 ? DType::Bool : kind == 1 ? DType::Int64 : DType::Float64; }

ops::Expr single_verb(Verb verb, DType of, DType result) {
  ops::ExprBuilder b;
  ops::Ex in[3];
  int n = info(verb).operands;
  for (int i = 0; i < n; ++i)
    in[i] = b.input(static_cast<uint16_t>(i), verb == Verb::Select && i == 0 ? DType::Bool : of);
  return b.finish({b.emit(verb, result, in[0], in[1], in[2])});
}

template <Verb V, DType Of, DType Result>
uint64_t general(uint64_t a, uint64_t b, uint64_t c) {
  thread_local ops::ScalarProgram program(single_verb(V, Of, Result));
  ops::ScalarWord inputs[] = {a, b, c};
  ops::ScalarWord output = 0;
  program.run({inputs, static_cast<size_t>(info(V).operands)}, {&output, 1});
  return static_cast<uint64_t>(output);
}

template <Verb V>
uint64_t on_ints(uint64_t a, uint64_t b, uint64_t) {
  if constexpr (V == Verb::Add) return a + b;
  if constexpr (V == Verb::Sub) return a - b;
  if constexpr (V == Verb::Mul) return a * b;
  if constexpr (V == Verb::Eq) return a == b;
  if constexpr (V == Verb::Ne) return a != b;
  if constexpr (V == Verb::Lt) return static_cast<int64_t>(a) < static_cast<int64_t>(b);
  if constexpr (V == Verb::Le) return static_cast<int64_t>(a) <= static_cast<int64_t>(b);
}

template <Verb V>
uint64_t on_floats(uint64_t a, uint64_t b, uint64_t) {
  double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b);
  if constexpr (V == Verb::Add) return std::bit_cast<uint64_t>(x + y);
  if constexpr (V == Verb::Sub) return std::bit_cast<uint64_t>(x - y);
  if constexpr (V == Verb::Mul) return std::bit_cast<uint64_t>(x * y);
  if constexpr (V == Verb::Eq) return x == y;
  if constexpr (V == Verb::Ne) return x != y;
  if constexpr (V == Verb::Lt) return x < y;
  if constexpr (V == Verb::Le) return x <= y;
}

constexpr bool common(Verb v) {
  return v == Verb::Add || v == Verb::Sub || v == Verb::Mul || v == Verb::Eq || v == Verb::Ne || v == Verb::Lt ||
         v == Verb::Le;
}

constexpr bool compares(Verb v) { return v == Verb::Eq || v == Verb::Ne || v == Verb::Lt || v == Verb::Le; }

// Whether numbers have it: a general one costs memory of each thread.
constexpr bool of_scalars(Verb v) {
  return v != Verb::Input && v != Verb::Lookup && v != Verb::RealPart && v != Verb::ImagPart && v != Verb::Complex;
}

template <Verb V, int Of, int Result>
constexpr ScalarVerb choose() {
  if constexpr (!of_scalars(V))
    return nullptr;
  else if constexpr (common(V) && Of == 1 && Result == (compares(V) ? 0 : 1))
    return &on_ints<V>;
  else if constexpr (common(V) && Of == 2 && Result == (compares(V) ? 0 : 2))
    return &on_floats<V>;
  else
    return &general<V, slot(Of), slot(Result)>;
}

struct Row {
  ScalarVerb by_kinds[3][3];
};

template <size_t... V>
constexpr auto make_rows(std::index_sequence<V...>) {
  return std::array<Row, sizeof...(V)>{Row{{{choose<static_cast<Verb>(V), 0, 0>(), choose<static_cast<Verb>(V), 0, 1>(),
                                             choose<static_cast<Verb>(V), 0, 2>()},
                                            {choose<static_cast<Verb>(V), 1, 0>(), choose<static_cast<Verb>(V), 1, 1>(),
                                             choose<static_cast<Verb>(V), 1, 2>()},
                                            {choose<static_cast<Verb>(V), 2, 0>(), choose<static_cast<Verb>(V), 2, 1>(),
                                             choose<static_cast<Verb>(V), 2, 2>()}}}...};
}

constexpr auto kRows = make_rows(std::make_index_sequence<ops::kVerbs>());

}  // namespace

ScalarVerb scalar_verb(Verb verb, Kind operands, Kind result) {
  auto at = [](Kind k) { return static_cast<size_t>(k) - static_cast<size_t>(Kind::Bool); };
  if (!ops::is_scalar(operands) || !ops::is_scalar(result) || !of_scalars(verb))
    ops::type_error("vm: a verb on scalars has operands that are none");
  return kRows[static_cast<size_t>(verb)].by_kinds[at(operands)][at(result)];
}

}  // namespace ember::vm
