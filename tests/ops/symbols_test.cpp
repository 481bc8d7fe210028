// Expressions of numbers of all kinds: they are what Python computes, or have no value.
#include "ops/tensor/symbols.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace ember::ops {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

int64_t bits(double value) { return std::bit_cast<int64_t>(value); }

// Of two symbols, with other values than the hints; nothing if it has none.
std::optional<int64_t> computed(SymbolOp op, ScalarKind kind, int64_t a, int64_t b) {
  SymbolTable table;
  const int64_t hint = kind == ScalarKind::Float ? bits(3.0) : kind == ScalarKind::Bool ? 1 : 3;
  const ExprId x = table.symbol(kind, hint), y = table.symbol(kind, hint);
  const ExprId expr = op >= SymbolOp::Neg ? table.unary(op, x) : table.binary(op, x, y);
  const std::vector<int64_t> symbols = {a, b};
  const std::vector<int64_t> values = table.evaluate(symbols);
  return values.empty() ? std::nullopt : std::optional(values[expr]);
}

TEST(Symbols, IntsFloorAsPythonDoes) {
  const auto of = [](SymbolOp op, int64_t a, int64_t b) { return computed(op, ScalarKind::Int, a, b); };
  EXPECT_EQ(of(SymbolOp::Div, 7, 2), 3);
  EXPECT_EQ(of(SymbolOp::Div, -7, 2), -4);
  EXPECT_EQ(of(SymbolOp::Div, 7, -2), -4);
  EXPECT_EQ(of(SymbolOp::Div, -7, -2), 3);
  EXPECT_EQ(of(SymbolOp::Mod, -7, 2), 1);
  EXPECT_EQ(of(SymbolOp::Mod, 7, -2), -1);
  EXPECT_EQ(of(SymbolOp::Mod, -6, 3), 0);
  EXPECT_EQ(of(SymbolOp::Min, -7, 2), -7);
  EXPECT_EQ(of(SymbolOp::Max, -7, 2), 2);
}

TEST(Symbols, WhatLeaves64BitsOrIsAnErrorHasNoValue) {
  const auto of = [](SymbolOp op, int64_t a, int64_t b) { return computed(op, ScalarKind::Int, a, b); };
  EXPECT_FALSE(of(SymbolOp::Add, kHighest, 1));
  EXPECT_FALSE(of(SymbolOp::Sub, kLowest, 1));
  EXPECT_FALSE(of(SymbolOp::Mul, kHighest, 2));
  EXPECT_FALSE(of(SymbolOp::Neg, kLowest, 0));
  EXPECT_FALSE(of(SymbolOp::Div, kLowest, -1));
  EXPECT_FALSE(of(SymbolOp::Div, 1, 0));
  EXPECT_FALSE(of(SymbolOp::Mod, 1, 0));
  EXPECT_FALSE(of(SymbolOp::ToFloat, (int64_t{1} << 53) + 1, 0)) << "it would be rounded";
  EXPECT_EQ(of(SymbolOp::ToFloat, -(int64_t{1} << 53), 0), bits(-0x1p53));
  EXPECT_EQ(of(SymbolOp::Add, kHighest, kLowest), -1);
  EXPECT_FALSE(computed(SymbolOp::Div, ScalarKind::Float, bits(1.0), bits(-0.0)));
}

TEST(Symbols, FloatsKeepTheirBits) {
  const auto of = [](SymbolOp op, double a, double b) { return *computed(op, ScalarKind::Float, bits(a), bits(b)); };
  EXPECT_EQ(of(SymbolOp::Add, -0.0, -0.0), bits(-0.0));
  EXPECT_EQ(of(SymbolOp::Mul, -1.0, 0.0), bits(-0.0));
  EXPECT_EQ(of(SymbolOp::Neg, 0.0, 0), bits(-0.0));
  EXPECT_EQ(of(SymbolOp::Div, 1.0, 3.0), bits(1.0 / 3.0));
  EXPECT_TRUE(std::isinf(std::bit_cast<double>(of(SymbolOp::Mul, 1e300, 1e300))));
}

TEST(Symbols, ZeroIsNoNeutralElementOfFloats) {
  SymbolTable table;
  const ExprId x = table.symbol(ScalarKind::Float, bits(2.0)), zero = table.constant(ScalarKind::Float, bits(0.0));
  EXPECT_NE(table.binary(SymbolOp::Add, x, zero), x);
  EXPECT_FALSE(table.is_constant(table.binary(SymbolOp::Sub, x, x))) << "inf - inf";
  EXPECT_FALSE(table.is_constant(table.binary(SymbolOp::Equal, x, x))) << "NaN";
}

TEST(Symbols, AGuardKeepsItsOutcomeAndIsNoOtherRelation) {
  SymbolTable table;
  const ExprId x = table.symbol(ScalarKind::Float, bits(2.0)), one = table.constant(ScalarKind::Float, bits(1.0));
  EXPECT_FALSE(table.decide(table.binary(SymbolOp::Less, x, one)));
  const auto holds = [&](double value) {
    const std::vector<int64_t> symbols = {bits(value)};
    return table.holds(table.evaluate(symbols));
  };
  EXPECT_TRUE(holds(1.0));
  EXPECT_TRUE(holds(std::nan(""))) << "not less, as in Python, though not greater or equal either";
  EXPECT_FALSE(holds(0.5));
}

TEST(Symbols, GuardsOfNegationsAreOfWhatIsNegated) {
  SymbolTable table;
  const ExprId x = table.symbol(ScalarKind::Int, 2), small = table.binary(SymbolOp::Less, x, table.constant(5));
  EXPECT_FALSE(table.decide(table.unary(SymbolOp::Not, small)));
  EXPECT_TRUE(table.decide(small));
  ASSERT_EQ(table.guards().size(), 1U);
  EXPECT_EQ(table.text(table.guards()[0]), "s0 < 5");
}

TEST(Symbols, TextNamesThem) {
  SymbolTable table;
  const ExprId n = table.symbol(ScalarKind::Int, 7, "n"), rows = table.symbol(ScalarKind::Int, 4, "x.shape[0]");
  const ExprId half = table.binary(SymbolOp::Div, rows, table.constant(2));
  EXPECT_FALSE(table.decide(table.binary(SymbolOp::Less, n, half)));
  EXPECT_EQ(table.text(table.guards()[0]), "s0 >= (s1 / 2)");
  EXPECT_EQ(table.python(table.guards()[0]), "n >= (x.shape[0] // 2)");
  const std::vector<int64_t> values = table.evaluate(std::vector<int64_t>{1, 8});
  EXPECT_EQ(table.symbols_in(table.guards()[0].condition, values), "x.shape[0] = 8, n = 1");
}

class Doubled final : public NumberFunction {
 public:
  const std::string& name() const override { return name_; }
  bool compute(std::span<const std::pair<ScalarKind, int64_t>> operands, ScalarKind kind, int64_t* out) const override {
    *out = operands[0].second * 2;
    return kind == ScalarKind::Int && operands[0].second < 100;
  }

 private:
  std::string name_ = "doubled";
};

TEST(Symbols, FunctionsOfTheEmbeddingAreCalled) {
  static const Doubled doubled;
  SymbolTable table;
  const ExprId x = table.symbol(ScalarKind::Int, 2);
  const ExprId twice = table.call(doubled, std::array{x}, ScalarKind::Int, 4);
  EXPECT_EQ(table.call(doubled, std::array{x}, ScalarKind::Int, 4), twice);
  EXPECT_EQ(table.text(twice), "doubled(s0)");
  EXPECT_EQ(table.evaluate(std::vector<int64_t>{5})[twice], 10);
  EXPECT_TRUE(table.evaluate(std::vector<int64_t>{100}).empty());
}

}  // namespace
}  // namespace ember::ops
