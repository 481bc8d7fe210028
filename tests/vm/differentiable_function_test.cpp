// Calls of graphs on a tape: values and gradients against closed forms, to third order, for sizes that differ, with
// Parameters that are read and written, through loops; what is refused.
#include "vm/autograd/differentiable_function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/bytecode/graphs.h"

namespace ember::vm {
namespace {

using namespace bytecode;  // NOLINT: all of this is about graphs
using ops::Value;
using ops::Values;

std::shared_ptr<DifferentiableFunction> differentiable(const Types& params, const Body& body) {
  auto module = std::make_shared<Module>();
  const GraphId f = define(*module, "f", params, body);
  return std::make_shared<DifferentiableFunction>(module, f, false, PassHook());
}

TrackedResult tracked_result(const Tracked& t) {
  TrackedResult p;
  p.value.tensor = std::get<ops::Tensor>(t.value);
  p.variable = t.variable;
  return p;
}

std::vector<Tracked> call(DifferentiableFunction& f, std::initializer_list<Tracked> operands) {
  TrackedResults arguments, results;
  for (const Tracked& t : operands) arguments.push_back(tracked_result(t));
  EXPECT_EQ(f.call(arguments, {}, &results), DifferentiableFunction::Outcome::Ran);
  std::vector<Tracked> out;
  for (const TrackedResult& p : results) out.push_back({p.value.tensor, p.variable});
  return out;
}

TrackedValues gradients(TapeScope& scope, const Tracked& y, std::initializer_list<Tracked> by) {
  const auto& like = std::get<ops::Tensor>(y.value);
  const Tracked ones{ops::Tensor::full(like.dtype(), like.shape(), 1), 0};
  std::vector<VariableId> inputs;
  for (const Tracked& t : by) inputs.push_back(t.variable);
  return scope.backward(std::array{y.variable}, std::array{ones}, inputs);
}

double first(const Tracked& t) { return numbers(std::get<ops::Tensor>(t.value))[0]; }

size_t functions(const DifferentiableFunction& f) {
  size_t count = 0;
  f.visit([&](const Function&) { ++count; });
  return count;
}

const Body kSine = [](GraphBuilder& b, std::span<const Value> p) {
  return Values{b.call("sin", {b.mul(p[0], p[1])}), b.mul(p[1], p[1])};
};

TEST(DifferentiableFunction, IsOneNodeWhoseGradientIsAGraph) {
  const auto f = differentiable({float64({1}), float64({1})}, kSine);
  for (int time = 0; time < 2; ++time) {
    TapeScope scope;
    const Tracked x{tensor({1}, {0.5}), scope.watch()}, y{tensor({1}, {3}), scope.watch()};
    const auto out = call(*f, {x, y});
    EXPECT_EQ(out[1].variable, out[0].variable + 1);
    const TrackedValues slopes = gradients(scope, out[0], {x, y});
    EXPECT_NEAR(first(slopes[0]), 3 * std::cos(1.5), 1e-14);
    EXPECT_NEAR(first(slopes[1]), 0.5 * std::cos(1.5), 1e-14);
    EXPECT_EQ(functions(*f), 2u);
  }
}

TEST(DifferentiableFunction, RunsAsItIsWhereNothingIsTracked) {
  const auto f = differentiable({float64({1}), float64({1})}, kSine);
  const Tracked x{tensor({1}, {0.5}), 7}, y{tensor({1}, {3}), 0};
  EXPECT_EQ(call(*f, {x, y})[0].variable, 0u);
  TapeScope scope;
  scope.watch();
  const Tracked z{tensor({1}, {0.5}), 0};
  EXPECT_EQ(call(*f, {z, y})[0].variable, 0u);
  EXPECT_EQ(functions(*f), 1u);
}

TEST(DifferentiableFunction, HasGradientsOfAllOrders) {
  const auto f = differentiable({float64({1}), float64({1})}, kSine);
  const Tracked two{tensor({1}, {2}), 0};
  TapeScope outer;
  const Tracked x{tensor({1}, {0.5}), outer.watch()};
  TrackedValues second;
  Tracked slope;
  {
    TapeScope middle;
    const Tracked u{x.value, middle.watch(x.variable)};
    {
      TapeScope inner;
      const Tracked v{x.value, inner.watch(u.variable)};
      const auto out = call(*f, {v, two});
      inner.close();
      slope = gradients(inner, out[0], {v})[0];
    }
    middle.close();
    second = gradients(middle, slope, {u});
  }
  outer.close();
  EXPECT_NEAR(first(slope), 2 * std::cos(1.0), 1e-14);
  EXPECT_NEAR(first(second[0]), -4 * std::sin(1.0), 1e-14);
  EXPECT_NEAR(first(gradients(outer, second[0], {x})[0]), -8 * std::cos(1.0), 1e-13);
}

TEST(DifferentiableFunction, ServesOtherSizes) {
  auto module = std::make_shared<Module>();
  const ops::Dim n = size_symbol(module->symbols, 3);
  const GraphId f = define(*module, "f", {float64({n})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.sum(b.reshape(p[0], {b.type(p[0]).dims[0], 1}), {}, false)};
  });
  const auto sum = std::make_shared<DifferentiableFunction>(module, f, false, PassHook());
  for (const int64_t size : {3, 5}) {
    TapeScope scope;
    const Tracked x{ops::Tensor::full(ops::DType::Float64, {size}, 2), scope.watch()};
    const TrackedValues slopes = gradients(scope, call(*sum, {x})[0], {x});
    EXPECT_EQ(numbers(std::get<ops::Tensor>(slopes[0].value)), std::vector<double>(static_cast<size_t>(size), 1.0));
  }
  EXPECT_EQ(functions(*sum), 2u);
  TapeScope scope;
  TrackedResults results;
  const TrackedResult scalar = tracked_result({tensor({1}, {1}), scope.watch()});
  TrackedResults arguments{scalar};
  EXPECT_EQ(sum->call(arguments, {}, &results), DifferentiableFunction::Outcome::Refused);
}

TEST(DifferentiableFunction, KeepsWhatAParameterHeld) {
  const auto f = differentiable({float64({1}), parameter({1})}, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.mul(p[0], b.load(p[1]))};
  });
  TapeScope scope;
  const Tracked x{tensor({1}, {2}), scope.watch()}, w{tensor({1}, {5}), scope.watch()};
  const auto out = call(*f, {x, w});
  const TrackedValues slopes = gradients(scope, out[0], {x, w});
  EXPECT_EQ(first(slopes[0]), 5);
  EXPECT_EQ(first(slopes[1]), 2);
}

TEST(DifferentiableFunction, AnswersByPartsWhereAStackWouldNeedACotangent) {
  auto module = std::make_shared<Module>();
  const Types state = {float64({1})};
  const GraphId condition = define(*module, "condition", state, [](GraphBuilder& b, std::span<const Value> p) {
    return Values{b.item(b.call("less", {b.sum(p[0], {}, false), 9.0}))};
  });
  const GraphId body = define(*module, "body", state,
                              [](GraphBuilder& b, std::span<const Value> p) { return Values{b.mul(p[0], p[0])}; });
  const GraphId f = define(*module, "f", state, [&](GraphBuilder& b, std::span<const Value> p) {
    return b.while_loop(p, {}, condition, body);
  });
  const auto squared = std::make_shared<DifferentiableFunction>(module, f, false, PassHook());
  TapeScope outer;
  const Tracked x{tensor({1}, {2}), outer.watch()};
  EXPECT_EQ(first(gradients(outer, call(*squared, {x})[0], {x})[0]), 32);  // x^4
  TapeScope inner;
  TrackedResults results;
  const TrackedResult again = tracked_result({x.value, inner.watch(x.variable)});
  TrackedResults arguments{again};
  EXPECT_EQ(squared->call(arguments, {}, &results), DifferentiableFunction::Outcome::OpByOp);
}

}  // namespace
}  // namespace ember::vm
