// Batched graphs against a loop over the elements of the batch.
#include <cstring>

#include "bytecode/transforms/transforms.h"
#include "tests/bytecode/recursive_graphs.h"

namespace ember::bytecode {
namespace {

using ops::Value;
using ops::Values;

Value total(GraphBuilder& b, const Value& v) { return b.sum(v, {}, false); }

// Element i of a tensor batched along its first axis.
Datum element(const Datum& d, int64_t i) {
  const ops::Tensor& t = std::get<ops::Tensor>(d);
  ops::Shape shape = t.shape();
  shape.erase(0);
  const ops::Tensor one = ops::Tensor::empty(t.dtype(), shape);
  const ops::Tensor whole = clone(t);
  std::memcpy(one.data(), static_cast<const std::byte*>(whole.data()) + i * one.layout().bytes(), one.layout().bytes());
  return one;
}

// Checks vmap(f) with the first axis of the marked arguments against f of each element.
void check(Module& module, GraphId f, const std::vector<int64_t>& in_axes, const Data& arguments, int64_t size) {
  const std::vector<int64_t> out_axes(module.graph(f).results.size(), 0);
  const GraphId g = vmap(module, f, in_axes, out_axes, size);
  const Data out = run_checked(module, g, arguments);
  for (int64_t i = 0; i < size; ++i) {
    Data single = clone(arguments);
    for (size_t a = 0; a < single.size(); ++a)
      if (in_axes[a] == 0) single[a] = element(arguments[a], i);
    const Data want = evaluate(module, f, single);
    for (size_t r = 0; r < out.size(); ++r)
      expect_near(numbers(element(out[r], i)), numbers(want[r]), 1e-12,
                  "element " + std::to_string(i) + ", result " + std::to_string(r));
  }
}

const ops::Tensor kX = tensor({3, 2}, {0.4, 0.3, -1.2, 0.8, 2.5, -0.1});
const ops::Tensor kW = tensor({2}, {0.5, 0.6});

TEST(Vmap, StraightLine) {
  Module m;
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(b.call("sin", {p[0]}), p[1]), 1.0), total(b, b.mul(p[0], p[1])), b.exp(p[1])};
  });
  check(m, f, {0, kNotBatched}, {kX, kW}, 3);
  check(m, f, {kNotBatched, 0}, {kW, kX}, 3);
  check(m, f, {0, 0}, {kX, tensor({3, 2}, {1, 2, 3, 4, 5, 6})}, 3);
}

TEST(Vmap, OtherAxes) {
  Module m;
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], p[1]), p[1]};
  });
  const GraphId g = vmap(m, f, std::array<int64_t, 2>{-1, kNotBatched}, std::array<int64_t, 2>{1, kNotBatched}, 3);
  m.entry = g;
  verify(m);
  const Data out = evaluate(m, g, {tensor({2, 3}, {1, 2, 3, 4, 5, 6}), tensor({2}, {10, 100})});
  EXPECT_EQ(numbers(out[0]), (std::vector<double>{10, 20, 30, 400, 500, 600}));
  EXPECT_EQ(numbers(out[1]), (std::vector<double>{10, 100}));
  EXPECT_THROW(vmap(m, f, std::array<int64_t, 2>{0, 0}, std::array<int64_t, 2>{0, kNotBatched}, 3), ops::OpError);
  EXPECT_THROW(vmap(m, f, std::array<int64_t, 1>{0}, std::array<int64_t, 2>{0, 0}, 3), ops::OpError);
  EXPECT_THROW(vmap(m, f, std::array<int64_t, 2>{2, 0}, std::array<int64_t, 2>{0, 0}, 3), ops::OpError);
}

GraphId define_if(Module& m) {
  const Types types = {float64({2}), float64({2})};
  const GraphId yes = define(m, "yes", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(b.call("sin", {p[0]}), p[1]), p[1]};
  });
  const GraphId no = define(m, "no", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], p[0]), b.call("tanh", {p[1]})};
  });
  return define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value test = b.item(b.call("greater", {total(b, p[0]), 0.0}));
    return b.if_else(test, p, yes, no);
  });
}

TEST(Vmap, IfOnABatchedConditionSelects) {
  Module m;
  const GraphId f = define_if(m);
  check(m, f, {0, kNotBatched}, {kX, kW}, 3);
}

TEST(Vmap, IfOnOneConditionForAll) {
  Module m;
  const GraphId f = define_if(m);
  check(m, f, {kNotBatched, 0}, {kW, kX}, 3);
}

// n = 0; while sum(x) < limit: x = x * 2 + w * w, n = n + 1; returns x, n, and n as a factor
GraphId define_loop(Module& m) {
  const Types state = {float64({2}), Type::scalar(ops::Kind::Int), float64({2}), float64({})};
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), p[3]}))};
  });
  const GraphId body = define(m, "body", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(p[0], 2.0), b.mul(p[2], p[2])), b.add(p[1], int64_t{1})};
  });
  const Types types = {float64({2}), float64({2}), float64({})};
  return define(m, "loop", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.while_loop(std::array{p[0], Value(int64_t{0})}, p.subspan(1), condition, body);
    return Values{out[0], out[1], b.mul(p[0], out[1])};
  });
}

TEST(Vmap, WhileRunsUntilAllAreDone) {
  Module m;
  const GraphId f = define_loop(m);
  check(m, f, {0, kNotBatched, kNotBatched}, {kX, kW, tensor({}, {20})}, 3);
  check(m, f, {kNotBatched, kNotBatched, 0}, {kW, kW, tensor({3}, {0, 5, 50})}, 3);
}

TEST(Vmap, WhileOnOneConditionForAll) {
  Module m;
  const Types state = {Type::scalar(ops::Kind::Int), float64({2}), float64({2})};
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("less", {p[0], int64_t{3}})};
  });
  const GraphId body = define(m, "body", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(p[0], int64_t{1}), b.mul(p[1], p[2])};
  });
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(std::array{Value(int64_t{0}), p[0]}, p.subspan(1), condition, body);
  });
  check(m, f, {kNotBatched, 0}, {kW, kX}, 3);
}

// A loop inside the branch that only some elements take; for the others it would never end.
TEST(Vmap, LoopsInBranchesWaitForNobodyElse) {
  Module m;
  const GraphId inner = define_loop(m);
  const Types types = {float64({2}), float64({2}), float64({})};
  const GraphId yes =
      define(m, "yes", types, [&](GraphBuilder& b, std::span<const Value> p) { return Values{b.call(inner, p)[0]}; });
  const GraphId no = define(m, "no", types, [](GraphBuilder&, std::span<const Value> p) { return Values{p[0]}; });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.if_else(b.item(b.call("greater", {total(b, p[0]), 0.0})), p, yes, no);
  });
  check(m, f, {0, kNotBatched, kNotBatched}, {kX, tensor({2}, {0, 0}), tensor({}, {20})}, 3);
}

TEST(Vmap, Nests) {
  Module m;
  const GraphId f = define_loop(m);
  const GraphId rows =
      vmap(m, f, std::array<int64_t, 3>{kNotBatched, 0, kNotBatched}, std::array<int64_t, 3>{0, 0, 0}, 2);
  check(m, rows, {0, kNotBatched, kNotBatched}, {kX, tensor({2, 2}, {0.5, 0.6, 1, 2}), tensor({}, {20})}, 3);
}

// Gradients of each element: backward loops pop what forward loops pushed under their masks.
TEST(Vmap, OfGradients) {
  Module m;
  const GraphId loop = define_loop(m);
  const GraphId g = grad(m, loop, {.wrt = {0, 1}});
  check(m, g, {0, kNotBatched, kNotBatched}, {kX, kW, tensor({}, {20})}, 3);
  check(m, g, {kNotBatched, 0, kNotBatched}, {kW, kX, tensor({}, {20})}, 3);
  const GraphId branches = define_if(m);
  check(m, grad(m, branches, {.wrt = {0, 1}}), {0, kNotBatched}, {kX, kW}, 3);
}

// while sum(x) < 20: x = x + (a loop of its own, if sum(x) > 0)
TEST(Vmap, OfGradientsOfNestedLoops) {
  Module m;
  const GraphId inner = define_loop(m);
  const Types types = {float64({2}), float64({2}), float64({})};
  const GraphId yes = define(m, "yes", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.call("square", {b.call("tanh", {b.call(inner, p)[0]})})};
  });
  const GraphId no = define(m, "no", types,
                            [](GraphBuilder& b, std::span<const Value> p) { return Values{b.exp(b.mul(p[0], p[1]))}; });
  const GraphId condition = define(m, "outer", types, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 9.0}))};
  });
  const GraphId body = define(m, "trip", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value test = b.item(b.call("greater", {total(b, p[0]), 0.0}));
    return Values{b.add(p[0], b.if_else(test, p, yes, no)[0])};
  });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(p.first(1), p.subspan(1), condition, body);
  });
  check(m, f, {0, kNotBatched, kNotBatched}, {kX, kW, tensor({}, {20})}, 3);
  const GraphId g = grad(m, f, {.wrt = {0, 1}});
  check(m, g, {0, kNotBatched, kNotBatched}, {kX, kW, tensor({}, {20})}, 3);
  const GraphId sum = define(m, "sum", types, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.call(g, p);
    return Values{b.add(b.call("sin", {out[1]}), b.call("sin", {out[2]}))};
  });
  check(m, grad(m, sum, {.wrt = {0, 1}}), {0, kNotBatched, kNotBatched}, {kX, kW, tensor({}, {20})}, 3);
}

TEST(Vmap, SymbolicBatchSize) {
  Module m;
  const GraphId f = grad(m, define_loop(m), {.wrt = {0, 1}});
  const GraphId g = vmap(m, f, std::array<int64_t, 3>{0, kNotBatched, kNotBatched},
                         std::vector<int64_t>(m.graph(f).results.size(), 0), size_symbol(m.symbols, 2));
  const Data out = run_checked(m, g, {kX, kW, tensor({}, {20})});
  for (int64_t i = 0; i < 3; ++i) {
    const Data want = evaluate(m, f, {element(kX, i), kW, tensor({}, {20})});
    for (size_t r = 0; r < out.size(); ++r) expect_near(numbers(element(out[r], i)), numbers(want[r]), 1e-12, "result");
  }
}

TEST(Vmap, BatchesWhoseSizesAreStatedToBeOne) {
  Module m;
  const ops::SymbolScope scope(&m.symbols);
  const ops::Dim first = size_symbol(m.symbols, 3), second = size_symbol(m.symbols, 3);
  const GraphId f = define(m, "f", {float64({2}), float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], p[1]), total(b, b.add(p[1], p[0]))};
  });
  const GraphId g = vmap(m, f, std::array<int64_t, 2>{0, 0}, std::array<int64_t, 2>{0, 0}, first);
  const GraphId entry =
      define(m, "main", {float64({first, 2}), float64({second, 2})}, [&](GraphBuilder& b, std::span<const Value> p) {
        EXPECT_TRUE(first == second);
        return b.call(g, p);
      });
  const Data out = run_checked(m, entry, {kX, kX});
  EXPECT_NEAR(numbers(out[0])[2], 1.44, 1e-12);
  for (const ops::SymbolGuard& guard : m.symbols.guards()) EXPECT_TRUE(m.symbols.equality(guard));
}

TEST(Vmap, ElementsDrawDifferentNumbers) {
  Module m;
  const GraphId f = define(m, "f", {float64({2})}, [](GraphBuilder& b, std::span<const Value> p) {
    const Value drawn = b.call("rand", {b.next_random()}, {{"size", ops::Ints{2}}, {"dtype", ops::DType::Float64}});
    return Values{b.add(b.mul(p[0], 0.0), drawn)};
  });
  const GraphId g = vmap(m, f, std::array<int64_t, 1>{0}, std::array<int64_t, 1>{0}, 3);
  m.entry = g;
  verify(m);
  const std::vector<double> drawn = numbers(evaluate(m, g, {kX})[0]);
  ASSERT_EQ(drawn.size(), 6u);
  for (size_t i = 0; i < 6; ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(drawn[i], drawn[j]);
}

TEST(Vmap, RaisesWhatTheFirstElementDoes) {
  Module m;
  const auto raise = [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("raise_", std::array{p[0]}, {{"text", std::string("ValueError: {0}")}});
    return Values{};
  };
  const GraphId yes = define(m, "yes", {float64({2})}, raise);
  const GraphId no = define(m, "no", {float64({2})}, [](GraphBuilder&, std::span<const Value>) { return Values{}; });
  const GraphId f = define(m, "f", {float64({2})}, [&](GraphBuilder& b, std::span<const Value> p) {
    b.if_else(b.call("less", {total(b, p[0]), 0.0}), std::array{p[0]}, yes, no);
    return Values{b.mul(p[0], 2.0)};
  });
  const GraphId g = vmap(m, f, std::array<int64_t, 1>{0}, std::array<int64_t, 1>{0}, 3);
  m.entry = g;
  verify(m);
  EXPECT_EQ(numbers(evaluate(m, g, {tensor({3, 2}, {1, 2, 3, 4, 5, 6})})[0]),
            (std::vector<double>{2, 4, 6, 8, 10, 12}));
  try {
    evaluate(m, g, {tensor({3, 2}, {1, 2, 3, -4, -5, 1})});
    FAIL();
  } catch (const ops::OpError& e) {
    EXPECT_EQ(std::string(e.what()).substr(0, 22), "ValueError: [ 3. -4.]");
  }
}

TEST(Vmap, ParametersTakeNothingBatched) {
  Module m;
  const Types types = {parameter({2}), float64({2})};
  const GraphId same = define(m, "same", types, [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign", std::array{p[0], b.mul(b.load(p[0]), 2.0)});
    return Values{b.mul(p[1], b.load(p[0]))};
  });
  const GraphId g = vmap(m, same, std::array<int64_t, 2>{kNotBatched, 0}, std::array<int64_t, 1>{0}, 3);
  m.entry = g;
  verify(m);
  const ops::Tensor w = tensor({2}, {1, 2});
  const Data out = evaluate(m, g, {w, kX});
  EXPECT_EQ(numbers(w), (std::vector<double>{2, 4}));
  expect_near(numbers(out[0]), {0.8, 1.2, -2.4, 3.2, 5.0, -0.4}, 1e-15, "product");
  const GraphId other = define(m, "other", types, [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign", std::array{p[0], p[1]});
    return Values{p[1]};
  });
  EXPECT_THROW(vmap(m, other, std::array<int64_t, 2>{kNotBatched, 0}, std::array<int64_t, 1>{0}, 3), ops::OpError);
  EXPECT_THROW(vmap(m, same, std::array<int64_t, 2>{0, 0}, std::array<int64_t, 1>{0}, 3), ops::OpError);
}

// Each element goes as deep as it would alone; whether the numbers differ or the values alone.
TEST(Vmap, OfGraphsThatCallThemselves) {
  Module m;
  const GraphId f = tree(m);
  const ops::Tensor x = tensor({3, 2}, {0.4, 0.3, -0.2, 0.8, 0.5, -0.1});
  check(m, f, {0, 0}, {x, counts({3}, {3, 0, 2})}, 3);
  check(m, f, {0, kNotBatched}, {x, counts({}, {3})}, 3);
  check(m, f, {kNotBatched, 0}, {kW, counts({3}, {1, 0, 4})}, 3);
  const GraphId g = grad(m, f, {.wrt = {0}});
  check(m, g, {0, 0}, {x, counts({3}, {3, 0, 2})}, 3);
  check(m, g, {0, kNotBatched}, {x, counts({}, {3})}, 3);
}

// No element takes the branch, so what would never end there does not begin.
TEST(Vmap, DoesNotRunRecursionThatNoElementTakes) {
  Module m;
  const Types types = {float64({2}), count()};
  const GraphId endless = recursive(m, "endless", types, false, [](GraphBuilder& b, GraphId self, auto p) {
    return b.call(self, std::array{b.mul(p[0], 2.0), p[1]});
  });
  const GraphId taken = define(m, "taken", types, [&](GraphBuilder& b, auto p) { return b.call(endless, p); });
  const GraphId other = define(m, "other", types, [](GraphBuilder&, auto p) { return Values{p[0]}; });
  const GraphId f = define(m, "f", types, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.if_else(b.item(b.call("greater", {total(b, p[0]), 100.0})), p, taken, other);
  });
  check(m, f, {0, kNotBatched}, {kX, counts({}, {1})}, 3);
}

}  // namespace
}  // namespace ember::bytecode
