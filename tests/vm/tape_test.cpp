// Eager gradients: values against derivatives known in closed form, orders one to three, jitted nodes, release.
#include "vm/autograd/tape.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ember::vm {
namespace {

using ops::Tensor;

Tensor vec(std::initializer_list<double> values) {
  const Tensor t = Tensor::empty(ops::DType::Float64, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), t.data_as<double>());
  return t;
}

double first(const Tracked& t) { return std::get<Tensor>(t.value).data_as<double>()[0]; }

Tracked call(const char* name, std::initializer_list<Tracked> operands, const ops::Builder::Named& attrs = {}) {
  const ops::Op& op = ops::op(name);
  return tape().apply(op, std::span(operands.begin(), operands.size()), ops::make_attrs(op, attrs)).at(0);
}

Tracked gradient(TapeScope& scope, const Tracked& y, const Tracked& x) {
  const Tensor& like = std::get<Tensor>(y.value);
  const Tracked ones{Tensor::full(like.dtype(), like.shape(), 1), 0};
  return scope.backward(std::array{y.variable}, std::array{ones}, std::array{x.variable}).at(0);
}

TEST(Tape, GradientsOfUsedAndUnusedValues) {
  TapeScope scope;
  const Tracked x{vec({0.5}), scope.watch()}, y{vec({3}), scope.watch()}, z{vec({1}), scope.watch()};
  const Tracked out = call("mul", {call("sin", {x}), call("mul", {y, x})});
  EXPECT_NEAR(first(gradient(scope, out, x)), 3 * (std::sin(0.5) + 0.5 * std::cos(0.5)), 1e-14);
  EXPECT_NEAR(first(gradient(scope, out, y)), 0.5 * std::sin(0.5), 1e-14);
  EXPECT_TRUE(ops::none(gradient(scope, out, z).value));
}

TEST(Tape, NodesHaveAnyNumberOfOperandsAndResults) {
  const ops::Op& stack = ops::op("stack");
  for (size_t count : {65535, 65536, 70000}) {
    TapeScope scope;
    const Tracked x{vec({3}), scope.watch()};
    const TrackedValues operands(count, x);
    const Tracked all = tape().apply(stack, operands, ops::make_attrs(stack, {})).at(0);
    EXPECT_EQ(first(gradient(scope, all, x)), static_cast<double>(count));
    const ops::Op& split = ops::op("split");
    const TrackedValues parts =
        tape().apply(split, std::array{all}, ops::make_attrs(split, {{"split_size_or_sections", ops::Ints{1}}}));
    ASSERT_EQ(parts.size(), count);
    EXPECT_EQ(first(gradient(scope, call("add", {parts.front(), parts.back()}), x)), 2);
  }
}

TEST(Tape, NotesNothingOutsideOfScopesAndOfConstants) {
  EXPECT_FALSE(tape().recording());
  EXPECT_EQ(call("sin", {Tracked{vec({1}), 1}}).variable, 0u);
  TapeScope scope;
  EXPECT_TRUE(tape().recording());
  EXPECT_EQ(call("sin", {Tracked{vec({1}), 0}}).variable, 0u);
  const Tracked x{vec({1}), scope.watch()};
  EXPECT_NE(call("sin", {x}).variable, 0u);
  EXPECT_EQ(call("less", {x, x}).variable, 0u);
  TapePause pause;
  EXPECT_EQ(call("sin", {x}).variable, 0u);
}

TEST(Tape, ComposedOpsAreNotedByParts) {
  const ops::Op& op = ops::op("std");
  ASSERT_TRUE(Tape::expands(op));
  TapeScope scope;
  const Tracked x{vec({1, 2, 4, 9}), scope.watch()};
  const Tracked out = tape().apply(op, std::array{x}, ops::make_attrs(op, {})).at(0);
  const double deviation = first(out), degrees = std::round(38.0 / (deviation * deviation));
  EXPECT_TRUE(degrees == 3 || degrees == 4);
  EXPECT_NEAR(first(gradient(scope, out, x)), (1 - 4) / (degrees * deviation), 1e-13);
}

// The n-th derivative of sin at x, by scopes within scopes.
Tracked derivative(int order, const Tracked& x) {
  if (order == 0) return call("sin", {x});
  TapeScope scope;
  const Tracked inside{x.value, scope.watch(x.variable)};
  return gradient(scope, derivative(order - 1, inside), inside);
}

TEST(Tape, HigherOrders) {
  const Tracked x{vec({0.7}), 0};
  EXPECT_NEAR(first(derivative(1, x)), std::cos(0.7), 1e-14);
  EXPECT_NEAR(first(derivative(2, x)), -std::sin(0.7), 1e-14);
  EXPECT_NEAR(first(derivative(3, x)), -std::cos(0.7), 1e-14);
}

TEST(Tape, AWatchedValueIsAnotherVariable) {
  TapeScope outer;
  const Tracked x{vec({3}), outer.watch()};
  Tracked inner_gradient;
  {
    TapeScope inner;
    const Tracked t{x.value, inner.watch(x.variable)};
    inner_gradient = gradient(inner, call("mul", {t, call("mul", {t, x})}), t);
  }
  EXPECT_NEAR(first(inner_gradient), 2 * 3 * 3, 1e-14);
  EXPECT_NEAR(first(gradient(outer, inner_gradient, x)), 4 * 3, 1e-14);
}

// exp as one node; its gradient records what it computes if somebody outside asks for it.
Tracked jitted_exp(const Tracked& x) {
  const Tracked y = {call("exp", {{x.value, 0}}).value, 0};
  const Tracked saved_x = x;
  const VariableId v = tape().record(
      [saved_x](std::span<const Tracked> ct, std::span<Tracked>) {
        return TrackedValues{call("mul", {ct[0], tape().recording() ? jitted_exp(saved_x) : call("exp", {saved_x})})};
      },
      std::array{x.variable}, std::array{y.value});
  return {y.value, v};
}

TEST(Tape, AJittedCallIsOneNode) {
  TapeScope outer;
  const Tracked x{vec({0.3}), outer.watch()};
  Tracked once;
  {
    TapeScope inner;
    const Tracked t{x.value, inner.watch(x.variable)};
    once = gradient(inner, call("mul", {t, jitted_exp(t)}), t);
  }
  EXPECT_NEAR(first(once), 1.3 * std::exp(0.3), 1e-14);
  EXPECT_NEAR(first(gradient(outer, once, x)), 2.3 * std::exp(0.3), 1e-14);
}

TEST(Tape, SeveralResultsAndMissingCotangents) {
  TapeScope scope;
  const Tensor both = vec({1, 2, 3, 4});
  const Tracked x{both, scope.watch()};
  const ops::Op& split = ops::op("split");
  const TrackedValues parts =
      tape().apply(split, std::array{x}, ops::make_attrs(split, {{"split_size_or_sections", ops::Ints{2}}}));
  ASSERT_EQ(parts.size(), 2u);
  const Tracked g = gradient(scope, call("mul", {parts[1], parts[1]}), x);
  const double* numbers = std::get<Tensor>(g.value).data_as<double>();
  EXPECT_EQ(std::vector<double>(numbers, numbers + 4), (std::vector<double>{0, 0, 6, 8}));
}

TEST(Tape, WritesMakeTheContentsAnew) {
  TapeScope scope;
  const Tracked w{vec({2}), scope.watch()}, x{vec({5}), scope.watch()};
  const ops::Op& add = ops::op("assign_add");
  const Tensor contents = vec({2});
  const ops::Values in = {contents, x.value};
  ops::run(add, in, ops::make_attrs(add, {}));
  const ops::Value after = contents;
  const Tracked now{
      after, tape().record(add, in, std::array{w.variable, x.variable}, std::array{after}, ops::make_attrs(add, {}))};
  const Tracked out = call("mul", {now, now});
  EXPECT_EQ(first(gradient(scope, out, w)), 14);
  EXPECT_EQ(first(gradient(scope, out, x)), 14);
}

TEST(Tape, AClosedScopeGoesBackAsOftenAsWanted) {
  TapeScope scope;
  const Tracked x{vec({0.5}), scope.watch()};
  const Tracked y = call("mul", {x, call("exp", {x})});
  scope.close();
  EXPECT_FALSE(tape().recording());
  EXPECT_TRUE(tape().saves_tensors());
  EXPECT_EQ(call("sin", {x}).variable, 0u);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(first(gradient(scope, y, x)), 1.5 * std::exp(0.5), 1e-14);
}

TEST(Tape, WhatAClosedScopeComputesIsNotedOutside) {
  TapeScope outer;
  const Tracked x{vec({0.5}), outer.watch()};
  TapeScope inner;
  const Tracked t{x.value, inner.watch(x.variable)};
  const Tracked y = call("mul", {t, call("exp", {t})});
  inner.close();
  EXPECT_NEAR(first(gradient(outer, gradient(inner, y, t), x)), 2.5 * std::exp(0.5), 1e-14);
}

TEST(Tape, AHookReplacesTheFinishedCotangent) {
  TapeScope scope;
  const Tracked x{vec({3}), scope.watch()};
  const Tracked y = call("mul", {x, x}), z = call("add", {call("mul", {y, y}), y});
  std::vector<double> seen;
  tape().hook(y.variable, [&](const Tracked& ct) {
    seen.push_back(first(ct));
    return call("mul", {ct, Tracked{vec({2}), 0}});
  });
  tape().hook(x.variable, [&](const Tracked& ct) { return call("neg", {ct}); });
  EXPECT_EQ(first(gradient(scope, z, x)), -2 * (2 * 9 + 1) * 2 * 3);
  EXPECT_EQ(seen, std::vector<double>{19});
}

TEST(Tape, KnowsWhatItDependsOnOutside) {
  TapeScope outer;
  const Tracked x{vec({2}), outer.watch()}, y{vec({5}), outer.watch()}, z{vec({7}), outer.watch()};
  TapePause pause;
  TapeScope inner;
  const Tracked out = call("mul", {call("mul", {x, y}), x});
  EXPECT_EQ(inner.outside(), (std::vector<VariableId>{x.variable, y.variable}));
  EXPECT_EQ(first(gradient(inner, out, x)), 20);
  EXPECT_TRUE(ops::none(gradient(inner, out, z).value));
}

TEST(Tape, IntegersHaveIntegerGradients) {
  TapeScope scope;
  const Tensor number = Tensor::full(ops::DType::Int32, {1}, 6);
  const Tracked x{number, scope.watch()};
  const Tracked g = gradient(scope, call("mul", {call("mul", {x, x}), Tracked{2.5, 0}}), x);
  EXPECT_EQ(std::get<Tensor>(g.value).dtype(), ops::DType::Int32);
  EXPECT_EQ(std::get<Tensor>(g.value).data_as<int32_t>()[0], 2 * 2 * 6);
}

TEST(Tape, ReleasesEverything) {
  const size_t before = gc::stats().live;
  {
    TapeScope scope;
    Tracked x{Tensor::full(ops::DType::Float64, {1000}, 0.1), scope.watch()};
    for (int i = 0; i < 100; ++i) x = call("sin", {x});
    EXPECT_GT(gc::stats().live, before + 50 * 8000);
  }
  EXPECT_LE(gc::stats().live, before + 8000);
}

}  // namespace
}  // namespace ember::vm
