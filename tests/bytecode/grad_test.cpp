// Gradients of graphs against central differences in float64, first and second order, through control flow and effects.
#include <cmath>
#include <set>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/transforms/transforms.h"
#include "ops/program/strided.h"
#include "tests/bytecode/recursive_graphs.h"

namespace ember::bytecode {
namespace {

using ops::Ints;
using ops::Value;
using ops::Values;

double total(const Datum& d) {
  double sum = 0;
  for (double x : numbers(d)) sum += x;
  return sum;
}

// By the five-point formula.
std::vector<double> differences(const Module& module, GraphId f, const Data& arguments, size_t wrt) {
  constexpr double kStep = 1e-4;
  std::vector<double> slopes;
  const int64_t count = std::get<ops::Tensor>(arguments[wrt]).numel();
  for (int64_t i = 0; i < count; ++i) {
    const auto moved_by = [&](double steps) {
      Data moved = clone(arguments);
      std::get<ops::Tensor>(moved[wrt]).data_as<double>()[i] += steps * kStep;
      return total(evaluate(module, f, moved).at(0));
    };
    slopes.push_back((8 * (moved_by(1) - moved_by(-1)) - (moved_by(2) - moved_by(-2))) / (12 * kStep));
  }
  return slopes;
}

std::vector<uint32_t> float_params(const Module& module, GraphId f) {
  std::vector<uint32_t> wrt;
  const Graph& graph = module.graph(f);
  for (uint32_t i = 0; i < graph.params.size(); ++i)
    if (graph.type(graph.params[i]).is_tensor() && is_float(graph.type(graph.params[i]).dtype)) wrt.push_back(i);
  return wrt;
}

void check_first(Module& module, GraphId f, const Data& arguments, double tolerance) {
  const std::vector<uint32_t> wrt = float_params(module, f);
  const size_t results = module.graph(f).results.size();
  const GraphId g = grad(module, f, {.wrt = wrt});
  const Data out = run_checked(module, g, arguments);
  ASSERT_EQ(out.size(), results + wrt.size());
  const Data plain = evaluate(module, f, clone(arguments));
  for (size_t i = 0; i < results; ++i) EXPECT_EQ(numbers(out[i]), numbers(plain[i])) << "result " << i;
  for (size_t i = 0; i < wrt.size(); ++i)
    expect_near(numbers(out[results + i]), differences(module, f, arguments, wrt[i]), tolerance,
                module.graph(f).name + ": gradient " + std::to_string(wrt[i]));
}

// sum(sin(gradients)) as a function of the same parameters.
GraphId of_gradients(Module& module, GraphId f) {
  const std::vector<uint32_t> wrt = float_params(module, f);
  const size_t results = module.graph(f).results.size();
  const GraphId g = grad(module, f, {.wrt = wrt});
  Types params;
  for (ValueId v : module.graph(f).params) params.push_back(module.graph(f).type(v));
  return define(module, module.graph(f).name + "_gradients", params, [&](GraphBuilder& b, std::span<const Value> in) {
    const Values out = b.call(g, in);
    Value sum;
    for (size_t i = results; i < out.size(); ++i) {
      const Value part = b.sum(b.call("sin", {out[i]}), {}, false);
      sum = ops::none(sum) ? part : b.add(sum, part);
    }
    return Values{sum};
  });
}

void check(Module& module, GraphId f, const Data& arguments) {
  check_first(module, f, arguments, 1e-7);
  check_first(module, of_gradients(module, f), arguments, 1e-6);
}

Value total(GraphBuilder& b, const Value& v) { return b.sum(v, {}, false); }
Value exceeds(GraphBuilder& b, const Value& v, double limit) { return b.item(b.call("greater", {total(b, v), limit})); }

TEST(Grad, StraightLine) {
  Module m;
  const GraphId f = define(m, "f", {float64({2, 3}), float64({3})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(b.call("sin", {p[0]}), p[1]), b.div(b.mul(p[0], p[0]), p[1]))};
  });
  check(m, f, {tensor({2, 3}, {0.1, -0.4, 1.2, 0.7, 2.0, -1.5}), tensor({3}, {0.8, 1.7, -2.1})});
}

TEST(Grad, OfUnreachedParametersIsZero) {
  Module m;
  const GraphId f = define(m, "f", {float64({2}), float64({3})},
                           [](GraphBuilder& b, std::span<const Value> p) { return Values{b.exp(p[0])}; });
  const Data out = evaluate(m, grad(m, f, {.wrt = {1, 0}}), {tensor({2}, {0, 1}), tensor({3}, {1, 2, 3})});
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{0, 0, 0}));
  expect_near(numbers(out[2]), {1, std::exp(1.0)}, 1e-14, "exp");
}

TEST(Grad, WithCotangentsAndAuxiliaryResults) {
  Module m;
  const GraphId f = define(m, "f", {float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], 2.0), b.mul(p[0], p[0]), b.exp(p[0])};
  });
  const GraphId g = grad(m, f, {.wrt = {0}, .sens = true, .differentiable_results = 2});
  const Data out = evaluate(m, g, {tensor({2}, {3, 4}), tensor({2}, {1, 10}), tensor({2}, {100, 1000})});
  ASSERT_EQ(out.size(), 4u);
  EXPECT_EQ(numbers(out[3]), (std::vector<double>{2 * 1 + 100 * 2 * 3, 2 * 10 + 1000 * 2 * 4}));
}

TEST(Grad, ComposedOps) {
  Module m;
  const GraphId f = define(m, "f", {float64({3})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("square", {b.call("sin", {b.call("square", {p[0]})})})};
  });
  check(m, f, {tensor({3}, {0.3, -0.9, 1.1})});
}

TEST(Grad, IfTakesTheSideThatRan) {
  Module m;
  const Types types = {float64({2}), float64({2})};
  const GraphId yes = define(m, "yes", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(b.call("sin", {p[0]}), b.exp(p[1])), p[1]};
  });
  const GraphId no = define(m, "no", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], p[0]), b.call("tanh", {b.mul(p[0], p[1])})};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.if_else(exceeds(b, p[0], 0), std::array{b.mul(p[0], p[1]), p[1]}, yes, no);
    return Values{b.mul(out[0], b.call("cos", {out[1]}))};
  });
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, -0.6})});
  check(m, f, {tensor({2}, {-0.4, 0.3}), tensor({2}, {0.5, -0.6})});
}

// while sum(x) < 20: x = x * 2 + sin(w * x)
GraphId define_loop(Module& m) {
  const Types types = {float64({2}), float64({2})};
  const GraphId condition = define(m, "goes_on", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 20.0}))};
  });
  const GraphId body = define(m, "body", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(p[0], 2.0), b.call("sin", {b.mul(p[1], p[0])}))};
  });
  return define(m, "loop", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.while_loop(std::array{b.call("tanh", {p[0]})}, std::array{p[1]}, condition, body);
    return Values{b.mul(out[0], p[1])};
  });
}

TEST(Grad, WhileWithTripCountKnownAtRunTime) {
  Module m;
  const GraphId f = define_loop(m);
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})});
  check(m, f, {tensor({2}, {3, 4}), tensor({2}, {0.2, 0.6})});
}

TEST(Grad, WhileThatDoesNotRun) {
  Module m;
  const Types types = {float64({1})};
  const GraphId never = define(m, "never", types, [](GraphBuilder&, std::span<const Value>) { return Values{false}; });
  const GraphId body =
      define(m, "body", types, [](GraphBuilder& b, std::span<const Value> p) { return Values{b.exp(p[0])}; });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(std::array{b.mul(p[0], p[0])}, {}, never, body);
  });
  check(m, f, {tensor({1}, {0.7})});
}

// The body counts in an Int, runs an inner while, and branches on the count's parity.
TEST(Grad, NestedControlFlow) {
  Module m;
  const GraphId inner = define_loop(m);
  const Types types = {float64({2}), float64({2})};
  const GraphId yes = define(m, "yes", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("tanh", {b.call(inner, p)[0]})};
  });
  const GraphId no = define(m, "no", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("sin", {b.mul(p[0], p[1])})};
  });
  const Types state = {Type::scalar(ops::Kind::Int), float64({2}), float64({2})};
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("less", {p[0], int64_t{4}})};
  });
  const GraphId body = define(m, "body", state, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value low = b.call("less", {p[0], int64_t{2}});
    const Value x = b.if_else(low, p.subspan(1), yes, no)[0];
    return Values{b.add(p[0], int64_t{1}), b.add(x, p[1])};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.while_loop(std::array{Value(int64_t{0}), p[0]}, p.subspan(1), condition, body)[1]};
  });
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})});
}

TEST(Grad, SharedCallee) {
  Module m;
  const GraphId callee =
      define(m, "callee", {float64({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
        return Values{b.mul(b.call("sin", {p[0]}), p[1]), p[0]};
      });
  m.graph(callee).shared = true;
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values once = b.call(callee, p);
    return Values{b.call(callee, std::array{once[0], p[1]})[0]};
  });
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})});
}

TEST(Grad, NumbersTakenFromTensors) {
  Module m;
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Value scale = b.item(total(b, p[0]));
    const Value bent = b.mul(b.add(scale, 1.5), scale);
    return Values{b.mul(b.call("sin", {p[1]}), bent)};
  });
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})});
}

TEST(Grad, TruncationCarriesNone) {
  Module m;
  const GraphId f = define(m, "f", {float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Value rounded = b.cast(b.mul(p[0], 10.0), ops::DType::Int64);
    return Values{b.mul(b.cast(rounded, ops::DType::Float64), p[0])};
  });
  const Data out = evaluate(m, grad(m, f, {.wrt = {0}}), {tensor({2}, {0.52, 1.37})});
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{5, 13}));
}

TEST(Grad, IntegersHaveIntegerGradients) {
  Module m;
  const GraphId f =
      define(m, "f", {Type::tensor(ops::DType::Int64, {2})}, [](GraphBuilder& b, std::span<const Value> p) {
        return Values{b.mul(b.cast(b.mul(p[0], p[0]), ops::DType::Float64), 2.5)};
      });
  const ops::Tensor whole = ops::Tensor::empty(ops::DType::Int64, {2});
  copy_into(tensor({2}, {3, 4}), whole);
  const Data out = evaluate(m, grad(m, f, {.wrt = {0}}), {whole});
  EXPECT_EQ(std::get<ops::Tensor>(out[1]).dtype(), ops::DType::Int64);
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{12, 16}));
}

TEST(Grad, LoadsOfAParameterAddUp) {
  Module m;
  const GraphId f = define(m, "f", {parameter({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(b.call("sin", {b.load(p[0])}), b.mul(p[1], b.load(p[0])))};
  });
  check(m, f, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})});
}

// f(w, x, ...) = apart(w, x, ..., 0, x), where apart(w, x, ..., d, u) reads w + d wherever it reads the Ref w, and
// writes what u gives: so the gradient of f, in which nothing flows to what is written, is that of apart by d and x.
void check_cut(Module& m, GraphId f, GraphId apart, const Data& arguments, uint32_t w, uint32_t x) {
  Data operands = clone(arguments);
  operands.push_back(tensor({2}, {0, 0}));
  operands.push_back(arguments[x]);
  const size_t results = m.graph(f).results.size();
  const Data out = run_checked(m, grad(m, f, {.wrt = {w, x}}), arguments);
  EXPECT_EQ(numbers(out[0]), numbers(evaluate(m, apart, clone(operands)).at(0)));
  expect_near(numbers(out[results]), differences(m, apart, operands, arguments.size()), 1e-7, "by the Parameter");
  expect_near(numbers(out[results + 1]), differences(m, apart, operands, x), 1e-7, "by x");
  run_checked(m, of_gradients(m, of_gradients(m, f)), arguments);
}

// The same of a program over (w, x, d, u).
template <class Program>
void check_cut(Module& m, const Program& program) {
  const Types types = {parameter({2}), float64({2}), float64({2}), float64({2})};
  const GraphId apart = define(m, "apart", types, program);
  const GraphId f = define(m, "f", {types[0], types[1]}, [&](GraphBuilder& b, std::span<const Value> p) {
    return program(b, std::array{p[0], p[1], Value(b.constant(tensor({2}, {0, 0}))), p[1]});
  });
  check_cut(m, f, apart, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})}, 0, 1);
}

TEST(Grad, NothingFlowsToWhatIsWritten) {
  Module m;
  check_cut(m, [](GraphBuilder& b, std::span<const Value> p) {
    const auto read = [&] { return b.add(b.load(p[0]), p[2]); };
    const Value before = read();
    b.call_all("assign", std::array{p[0], b.mul(p[3], p[3])});
    const Value between = read();
    b.call_all("assign_add", std::array{p[0], b.mul(b.load(p[0]), b.call("sin", {p[3]}))});
    return Values{b.add(b.mul(b.exp(before), p[1]), b.mul(between, read()))};
  });
}

TEST(Grad, OfTheResultOfAWriteIsThatOfTheParameter) {
  Module m;
  const GraphId f = define(m, "f", {parameter({1}), float64({1})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Value after = b.call_all("assign_add", std::array{p[0], b.mul(p[1], p[1])}).at(0);
    return Values{b.mul(b.mul(after, after), p[1])};
  });
  const Data out = run_checked(m, grad(m, f, {.wrt = {0, 1}}), {tensor({1}, {1}), tensor({1}, {2})});
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{2 * 5 * 2}));
  EXPECT_EQ(numbers(out[2]), (std::vector<double>{25}));
}

// while sum(w) < 6: w += u * w, or w += exp(u), by what is read before.
TEST(Grad, ParametersWrittenInLoopsAndBranches) {
  Module m;
  const Types types = {parameter({2}), float64({2}), float64({2}), float64({2})};
  const auto read = [](GraphBuilder& b, std::span<const Value> p) { return b.add(b.load(p[0]), p[2]); };
  const GraphId grow = define(m, "grow", types, [&](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign_add", std::array{p[0], b.mul(b.load(p[0]), p[3])});
    return Values{b.mul(read(b, p), p[1])};
  });
  const GraphId turn = define(m, "turn", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value w = read(b, p);
    b.call_all("assign", std::array{p[0], b.add(b.load(p[0]), b.exp(p[3]))});
    return Values{w};
  });
  Types state = types;
  state.insert(state.begin(), float64({2}));
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, b.load(p[1])), 6.0}))};
  });
  const GraphId body = define(m, "body", state, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value test = exceeds(b, b.load(p[1]), 3);
    return Values{b.add(p[0], b.if_else(test, p.subspan(1), grow, turn)[0])};
  });
  check_cut(m, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value sum = b.while_loop(std::array{p[1]}, p, condition, body)[0];
    return Values{b.mul(b.call("tanh", {b.mul(sum, 0.1)}), read(b, p))};
  });
}

// The condition of a loop may write, too: while sum(w += 1) < 6: y *= w
TEST(Grad, ParametersWrittenInConditions) {
  Module m;
  const Types types = {float64({2}), parameter({2})};
  const GraphId condition = define(m, "condition", types, [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign_add", std::array{p[1], Value(b.constant(tensor({2}, {1, 1})))});
    return Values{b.item(b.call("less", {total(b, b.load(p[1])), 6.0}))};
  });
  const GraphId body = define(
      m, "body", types, [](GraphBuilder& b, std::span<const Value> p) { return Values{b.mul(p[0], b.load(p[1]))}; });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(p.first(1), p.subspan(1), condition, body);
  });
  const Data out = run_checked(m, grad(m, f, {.wrt = {0, 1}}), {tensor({2}, {2, 3}), tensor({2}, {0, 0})});
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{2 * 1 * 2, 3 * 1 * 2}));
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{1 * 2, 1 * 2}));
  EXPECT_EQ(numbers(out[2]), (std::vector<double>{2 * (1 + 2), 3 * (1 + 2)}));
}

TEST(Grad, EffectsHappenOnce) {
  Module m;
  const GraphId f = define(m, "f", {parameter({1}), float64({1})}, [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign_add", std::array{p[0], Value(b.constant(tensor({1}, {1})))});
    return Values{b.mul(p[1], b.load(p[0]))};
  });
  const ops::Tensor counter = tensor({1}, {5});
  const Data out = evaluate(m, grad(m, f, {.wrt = {1}}), {counter, tensor({1}, {2})});
  EXPECT_EQ(numbers(counter), (std::vector<double>{6}));
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{12}));
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{6}));
}

TEST(Grad, PoppingAnEmptyStackGivesZeros) {
  Module m;
  const GraphId f = define(m, "f", {float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Values top = b.pop(b.push(b.stack(), std::array{b.exp(p[0]), Value(int64_t{3})}),
                             std::array{float64({2}), Type::scalar(ops::Kind::Int)});
    const Values none = b.pop(top[0], std::array{float64({2})});
    return Values{b.add(b.mul(top[1], p[0]), none[1]), b.non_empty(none[0]), top[2]};
  });
  const Data out = evaluate(m, f, {tensor({2}, {0, 1})});
  expect_near(numbers(out[0]), {0, std::exp(1.0)}, 1e-14, "sum");
  EXPECT_EQ(std::get<bool>(out[1]), false);
  EXPECT_EQ(std::get<int64_t>(out[2]), 3);
  check(m, f, {tensor({2}, {0.3, 0.8})});
}

// A graph made for two rows differentiates, loop and all, for five.
TEST(Grad, SymbolicShapes) {
  Module m;
  const ops::Dim rows = size_symbol(m.symbols, 2);
  const Types types = {float64({rows, 2}), float64({2})};
  const GraphId condition = define(m, "condition", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 20.0}))};
  });
  const GraphId body = define(m, "body", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(p[0], 2.0), b.call("sin", {b.mul(p[1], p[0])}))};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value out = b.while_loop(p.first(1), p.subspan(1), condition, body)[0];
    return Values{b.sum(b.reshape(out, {rows * 2}), {0}, true), out};
  });
  check(m, f, {tensor({2, 2}, {0.4, 0.3, 0.1, 0.2}), tensor({2}, {0.5, 0.6})});
  check(m, f, {tensor({5, 2}, {0.4, 0.3, 0.1, 0.2, 0.9, 0.8, 0.7, 0.1, 0.2, 0.3}), tensor({2}, {0.5, 0.6})});
}

// Through a loop and a Parameter; the backward part is called twice.
TEST(Grad, PullbackIsCalledApart) {
  Module m;
  const Types types = {float64({2}), parameter({2})};
  const GraphId condition = define(m, "condition", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 9.0}))};
  });
  const GraphId body = define(m, "body", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(p[0], b.mul(p[0], b.load(p[1])))};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value out = b.while_loop(p.first(1), p.subspan(1), condition, body)[0];
    return Values{b.mul(out, out), b.load(p[1]), out};
  });
  const Linearisation linearisation = linearise(m, f, {.wrt = {0, 1}, .differentiable_results = 2});
  EXPECT_EQ(linearisation.results, (std::vector<uint32_t>{0, 1}));
  const GraphId both = define(m, "both", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.call(linearisation.forward, p);
    const auto pull = [&](double scale) {
      Values in = {b.constant(tensor({2}, {scale, scale})), b.constant(tensor({2}, {0, 0}))};
      size_t extra = 3;
      for (const auto& r : linearisation.residuals) in.push_back(r.parameter ? p[*r.parameter] : out[extra++]);
      return b.call(linearisation.backward, in);
    };
    const Values once = pull(1), twice = pull(2);
    return Values{out[0], once[0], once[1], twice[0], twice[1]};
  });
  const Data arguments = {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6})};
  const Data out = run_checked(m, both, arguments);
  const Data whole = evaluate(m, grad(m, f, {.wrt = {0, 1}}), clone(arguments));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(numbers(out[1 + i]), numbers(whole[3 + i]));
    for (size_t k = 0; k < 2; ++k) EXPECT_EQ(numbers(out[3 + i])[k], 2 * numbers(out[1 + i])[k]);
  }
}

// Its backward graph is another one, of the same forward graph.
TEST(Grad, PullbackOfSomeResults) {
  Module m;
  const GraphId f = define(m, "f", {float64({2}), parameter({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Value w = b.load(p[1]), product = b.mul(p[0], w);
    return Values{b.exp(product), b.call("sin", {product}), b.mul(w, w)};
  });
  const GradOptions options{.wrt = {0, 1}, .differentiable_results = 3};
  Module other = m;
  Linearisation all = linearise(m, f, options);
  const Linearisation some = linearise(other, f, options, std::vector<uint32_t>{1});
  EXPECT_EQ(all.results, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(some.results, (std::vector<uint32_t>{1}));
  const auto residuals = [](const Linearisation& linearisation) {
    std::set<ValueId> values;
    for (const LinearisationResidual& r : linearisation.residuals) values.insert(r.value);
    return values;
  };
  const std::set<ValueId> more = residuals(all), fewer = residuals(some);
  EXPECT_LT(fewer.size(), more.size());
  EXPECT_TRUE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));

  const size_t results = m.graph(all.forward).results.size();
  reuse_params_as_residuals(m, all);
  EXPECT_EQ(m.graph(all.forward).results.size(), results - 1);  // w, which f only reads
  const GraphId both = define(other, "both", {float64({2}), parameter({2})}, [&](GraphBuilder& b, auto p) {
    const Values out = b.call(some.forward, p);
    Values in = {b.constant(tensor({2}, {1, 1}))};
    for (const LinearisationResidual& r : some.residuals) {
      size_t extra = 3;
      for (const LinearisationResidual& residual : all.residuals) {
        if (residual.value == r.value) break;
        extra += !residual.parameter;
      }
      in.push_back(r.parameter ? p[*r.parameter] : out[extra]);
    }
    return b.call(some.backward, in);
  });
  EXPECT_EQ(other.graph(both).results.size(), 2u);
}

// exp, whose gradient is written as cotangent * result * scale, inside a loop; the second order differentiates that.
TEST(Grad, ACalledGraphMayHaveItsOwn) {
  Module m;
  const Types types = {float64({2}), float64({2})};
  const GraphId exp = define(
      m, "exp", types, [](GraphBuilder& b, std::span<const Value> p) { return Values{b.mul(b.exp(p[0]), p[1])}; });
  m.graph(exp).gradient =
      define(m, "exp_gradient", {float64({2}), float64({2}), float64({2}), float64({2})},
             [](GraphBuilder& b, std::span<const Value> p) { return Values{b.mul(b.mul(p[0], p[2]), p[3])}; });
  const GraphId condition = define(m, "condition", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 4.0}))};
  });
  const GraphId body = define(m, "body", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(p[0], b.call(exp, p)[0])};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(p.first(1), p.subspan(1), condition, body);
  });
  const Data arguments = {tensor({2}, {0.4, 0.3}), tensor({2}, {1, 1})};
  m.entry = f;
  const std::vector<double> want = differences(m, f, arguments, 0);
  const GraphId g = grad(m, f, {.wrt = {0, 1}});
  const Data out = run_checked(m, g, arguments);
  expect_near(numbers(out[1]), want, 1e-7, "first order");
  EXPECT_EQ(numbers(out[2]), (std::vector<double>{0, 0}));  // the gradient is for the first operand alone
  const GraphId slope =
      define(m, "slope", types, [&](GraphBuilder& b, std::span<const Value> p) { return Values{b.call(g, p)[1]}; });
  const Data second = run_checked(m, grad(m, slope, {.wrt = {0}}), arguments);
  expect_near(numbers(second[1]), differences(m, slope, arguments, 0), 1e-6, "second order");
}

TEST(Grad, RecomputationKeepsParametersAlone) {
  Module m;
  const GraphId chain = define(m, "chain", {float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    Value x = p[0];
    for (int i = 0; i < 5; ++i) x = b.call("sin", {b.exp(x)});
    return Values{x};
  });
  const Data arguments = {tensor({2}, {0.4, 0.3})};
  check(m, chain, arguments);
  EXPECT_GT(linearise(m, chain, {.wrt = {0}}).residuals.size(), 1u);
  m.graph(chain).recompute = true;
  const Linearisation linearisation = linearise(m, chain, {.wrt = {0}});
  ASSERT_EQ(linearisation.residuals.size(), 1u);
  EXPECT_EQ(linearisation.residuals[0].parameter, std::optional<uint32_t>(0));
  EXPECT_TRUE(m.graph(linearisation.backward).shared);
  const GraphId f = define(m, "f", {float64({2})}, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(b.call(chain, p)[0], p[0])};
  });
  check(m, f, arguments);
}

TEST(Grad, RefusesWhatHasNone) {
  Module m;
  const GraphId f = define(m, "f", {Type::scalar(ops::Kind::Int), float64({1})},
                           [](GraphBuilder&, std::span<const Value> p) { return Values{p[1]}; });
  EXPECT_THROW(grad(m, f, {.wrt = {0}}), ops::OpError);
  EXPECT_THROW(grad(m, f, {.wrt = {2}}), ops::OpError);
}

TEST(Grad, OfGraphsThatCallThemselves) {
  for (int64_t n : {0, 1, 3}) {
    Module m;
    check(m, tree(m), {tensor({2}, {0.4, -0.3}), counts({}, {n})});
    const GraphId callee = writing(m), apart = writing_apart(m);
    const GraphId f = define(m, "f", {float64({2}), parameter({2}), count()},
                             [&](GraphBuilder& b, std::span<const Value> p) { return b.call(callee, p); });
    check_cut(m, f, apart, {tensor({2}, {0.4, 0.3}), tensor({2}, {0.5, 0.6}), counts({}, {n})}, 1, 0);
  }
}

// even calls odd, and odd calls even.
TEST(Grad, OfGraphsThatCallEachOther) {
  Module m;
  const Types types = {float64({2}), count()};
  const GraphId even = m.add_graph("even");
  GraphBuilder b(m, even);
  const Values in = {b.param("x", types[0]), b.param("n", types[1])};
  b.declare(std::span(types).first(1), false);
  const GraphId odd = recursive(m, "odd", types, false, [&](GraphBuilder& c, GraphId, std::span<const Value> p) {
    return c.call(even, std::array{c.call("sin", {p[0]}), c.call("sub", {p[1], int64_t{1}})});
  });
  const GraphId more = define(m, "even_more", types, [&](GraphBuilder& c, std::span<const Value> p) {
    return c.call(odd, std::array{c.mul(p[0], p[0]), c.call("sub", {p[1], int64_t{1}})});
  });
  const GraphId done =
      define(m, "even_done", types, [](GraphBuilder& c, std::span<const Value> p) { return Values{c.mul(p[0], 3.0)}; });
  b.finish(b.if_else(b.item(b.call("greater", {in[1], int64_t{0}})), in, more, done));
  const CallCycles cycles(m);
  EXPECT_TRUE(cycles.on[even] && cycles.on[odd] && cycles.on[more]);
  EXPECT_FALSE(cycles.on[done] || cycles.leading[done]);
  for (int64_t n : {0, 1, 4, 5}) check(m, even, {tensor({2}, {0.4, 0.3}), counts({}, {n})});
}

// What the loop keeps of each trip is a stack of stacks.
TEST(Grad, OfALoopThatCallsTheGraphItIsIn) {
  Module m;
  const Types types = {float64({2}), count()};
  const GraphId f = recursive(m, "f", types, false, [&](GraphBuilder& b, GraphId self, std::span<const Value> p) {
    const Types carried = {float64({2}), count(), count()};
    const GraphId condition = define(m, "condition", carried, [](GraphBuilder& c, std::span<const Value> q) {
      return Values{c.item(c.call("less", {q[1], q[2]}))};
    });
    const GraphId body = define(m, "body", carried, [&](GraphBuilder& c, std::span<const Value> q) {
      const Value inner = c.call(self, std::array{c.mul(q[0], 0.5), q[1]})[0];
      return Values{c.add(c.mul(q[0], inner), 0.2), c.call("add", {q[1], int64_t{1}})};
    });
    const Value zero = b.constant(counts({}, {0}));
    return Values{b.while_loop(std::array{p[0], zero}, p.subspan(1), condition, body)[0]};
  });
  for (int64_t n : {0, 1, 3}) check(m, f, {tensor({2}, {0.4, 0.3}), counts({}, {n})});
}

}  // namespace
}  // namespace ember::bytecode
