// Gradients and batches in the interpreter: the same bits as the reference evaluator. What backward loops need goes
// through stacks.
#include "bytecode/code/code.h"
#include "bytecode/transforms/transforms.h"
#include "tests/bytecode/graphs.h"
#include "vm/exec/function.h"

namespace ember::vm {
namespace {

using namespace bytecode;  // NOLINT: all of this is about graphs
using ops::Value;
using ops::Values;

void expect_same(Module& module, GraphId entry, const std::vector<ops::Tensor>& inputs) {
  const Data want = run_checked(module, entry, Data(inputs.begin(), inputs.end()));
  Module optimised = module;
  optimise(optimised);
  const CodeRef code = lower(optimised);
  verify(*code);
  const auto function = gc::make<Function>(code);
  for (int call = 0; call < 2; ++call) {
    std::vector<ops::Tensor> own;
    for (const ops::Tensor& t : inputs) own.push_back(clone(t));
    std::vector<Argument> arguments;
    for (const ops::Tensor& t : own) arguments.push_back({&t, 0});
    std::vector<Result> results;
    ASSERT_TRUE(function->call(arguments, &results));
    ASSERT_EQ(results.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(numbers(results[i].tensor), numbers(want[i])) << "call " << call << ", result " << i;
  }
}

Value total(GraphBuilder& b, const Value& v) { return b.sum(v, {}, false); }

// while sum(x) < 20: if sum(w) > 0 then w += x else w = w + 2 * x; x = x * 2 + sin(w * x)
GraphId define_program(Module& m) {
  const Types branch = {parameter({2}), float64({2})};
  const GraphId grow = define(m, "grow", branch, [](GraphBuilder& b, std::span<const Value> p) {
    b.call_all("assign_add", std::array{p[0], p[1]});
    return Values{b.call("cos", {p[1]})};
  });
  const GraphId replace = define(m, "replace", branch, [](GraphBuilder& b, std::span<const Value> p) {
    const Value w = b.load(p[0]);
    b.call_all("assign", std::array{p[0], b.add(w, b.mul(p[1], 2.0))});
    return Values{b.mul(w, w)};
  });
  const Types state = {float64({2}), parameter({2})};
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 20.0}))};
  });
  const GraphId body = define(m, "body", state, [&](GraphBuilder& b, std::span<const Value> p) {
    const Value test = b.item(b.call("greater", {total(b, b.load(p[1])), 0.0}));
    const Value more = b.if_else(test, std::array{p[1], p[0]}, grow, replace)[0];
    const Value next = b.add(b.mul(p[0], 2.0), b.call("sin", {b.mul(b.load(p[1]), p[0])}));
    return Values{b.add(next, b.mul(more, 0.1))};
  });
  return define(m, "program", state, [&](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(b.while_loop(p.first(1), p.subspan(1), condition, body)[0], b.load(p[1]))};
  });
}

TEST(Gradients, OfLoopsWithBranchesAndWrites) {
  Module m;
  const GraphId g = grad(m, define_program(m), {.wrt = {0, 1}});
  expect_same(m, g, {tensor({2}, {0.4, 0.7}), tensor({2}, {-0.9, 0.3})});
  expect_same(m, g, {tensor({2}, {30, 0.7}), tensor({2}, {-0.9, 0.3})});
}

TEST(Gradients, OfGradients) {
  Module m;
  const GraphId g = grad(m, define_program(m), {.wrt = {0, 1}});
  const GraphId sum = define(m, "sum", {float64({2}), parameter({2})}, [&](GraphBuilder& b, std::span<const Value> p) {
    const Values out = b.call(g, p);
    return Values{b.add(b.call("sin", {out[1]}), b.call("sin", {out[2]}))};
  });
  expect_same(m, grad(m, sum, {.wrt = {0, 1}}), {tensor({2}, {0.4, 0.7}), tensor({2}, {-0.9, 0.3})});
}

TEST(Gradients, OfEachElementOfABatch) {
  Module m;
  const Types state = {float64({2}), float64({2})};
  const GraphId condition = define(m, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {total(b, p[0]), 20.0}))};
  });
  const GraphId body = define(m, "body", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.add(b.mul(p[0], 2.0), b.mul(p[1], p[1]))};
  });
  const GraphId f = define(m, "f", state, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(p.first(1), p.subspan(1), condition, body);
  });
  const GraphId g =
      vmap(m, grad(m, f, {.wrt = {0, 1}}), std::array<int64_t, 2>{0, kNotBatched}, std::array<int64_t, 3>{0, 0, 0}, 3);
  expect_same(m, g, {tensor({3, 2}, {0.4, 0.3, -1.2, 0.8, 2.5, -0.1}), tensor({2}, {0.5, 0.6})});
}

}  // namespace
}  // namespace ember::vm
