// Symbolic sizes: what is recorded, what is simplified, which other sizes the guards accept.
#include "ops/tensor/dim.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/tensor/type.h"

namespace ember::ops {
namespace {

TEST(Dim, ConstantsRecordNothing) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim a = 6;
  EXPECT_TRUE(a * 4 == 24);
  EXPECT_TRUE(Dim(-7) / 2 == -4);
  EXPECT_TRUE(Dim(-7) % 2 == 1);
  EXPECT_TRUE(a < 7);
  EXPECT_EQ(table.guards().size(), 0U);
  EXPECT_EQ(table.symbols(), 0U);
}

TEST(Dim, ZeroAndOneStayConstant) {
  SymbolTable table;
  EXPECT_FALSE(size_symbol(table, 0).symbolic());
  EXPECT_FALSE(size_symbol(table, 1).symbolic());
  EXPECT_TRUE(size_symbol(table, 2).symbolic());
}

TEST(Dim, ExpressionsAreSharedAndSimplified) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 5);
  Dim t = size_symbol(table, 7);
  EXPECT_EQ((s * 4).expr, (Dim(4) * s).expr);
  EXPECT_EQ((s + t).expr, (t + s).expr);
  EXPECT_EQ((s + 0).expr, s.expr);
  EXPECT_EQ((s * 1).expr, s.expr);
  EXPECT_EQ((s * 4 / 4).expr, s.expr);
  EXPECT_FALSE((s - s).symbolic());
  EXPECT_FALSE((s * 0).symbolic());
  EXPECT_FALSE((s * 4 % 4).symbolic());
  EXPECT_EQ(table.text((s * 4).expr), "(s0 * 4)");
  EXPECT_EQ(to_string(Type::tensor(DType::Float32, {2, t}), table), "Tensor[Float32](2, s1)");
  EXPECT_EQ(table.guards().size(), 0U);
}

TEST(Dim, ComparisonsBecomeGuards) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 5);
  Dim t = size_symbol(table, 5);
  EXPECT_TRUE(s == t);
  EXPECT_TRUE(s == t);
  EXPECT_TRUE(s != 1);
  EXPECT_TRUE(s * 2 < 11);
  ASSERT_EQ(table.guards().size(), 3U);
  auto holds = [&](int64_t a, int64_t b) {
    std::vector<int64_t> symbols = {a, b};
    return table.holds(table.evaluate(symbols));
  };
  EXPECT_TRUE(holds(5, 5));
  EXPECT_TRUE(holds(3, 3));
  EXPECT_FALSE(holds(3, 4)) << "equality";
  EXPECT_FALSE(holds(1, 1)) << "not one";
  EXPECT_FALSE(holds(6, 6)) << "less";
}

TEST(Dim, PinFixesTheHint) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 5);
  EXPECT_EQ(pinned(s), 5);
  EXPECT_TRUE(table.holds(table.evaluate(std::vector<int64_t>{5})));
  EXPECT_FALSE(table.holds(table.evaluate(std::vector<int64_t>{6})));
}

TEST(Dim, OverflowIsAnErrorAndNoGuardAcceptsIt) {
  EXPECT_THROW(Dim(int64_t{1} << 62) * 4, std::invalid_argument);
  EXPECT_THROW(Dim(1) / 0, std::invalid_argument);
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 5);
  EXPECT_TRUE(s * s != 3);
  EXPECT_TRUE(Dim(100) / (s - 3) < 1000);
  EXPECT_FALSE(table.holds(table.evaluate(std::vector<int64_t>{int64_t{1} << 40})));
  EXPECT_FALSE(table.holds(table.evaluate(std::vector<int64_t>{3})));
  EXPECT_FALSE(table.holds(table.evaluate({})));
}

TEST(Dim, TablesRestore) {
  SymbolTable table;
  SymbolTable back;
  {
    SymbolScope scope(&table);
    Dim s = size_symbol(table, 5);
    EXPECT_TRUE((s * 4 + 1) % 3 == 0);
  }
  ASSERT_TRUE(SymbolTable::restore(table.exprs(), table.guards(), &back));
  EXPECT_EQ(back.exprs().size(), table.exprs().size());
  EXPECT_EQ(back.symbols(), 1U);
  EXPECT_TRUE(back.holds(back.evaluate(std::vector<int64_t>{8})));
  EXPECT_FALSE(back.holds(back.evaluate(std::vector<int64_t>{9})));
}

TEST(Dim, MalformedTablesDoNot) {
  SymbolTable out;
  SymbolExpr zero;
  auto bad = [&](std::vector<SymbolExpr> exprs, std::vector<SymbolGuard> guards = {}) {
    return !SymbolTable::restore(std::move(exprs), std::move(guards), &out);
  };
  EXPECT_TRUE(bad({}));
  EXPECT_TRUE(bad({{SymbolOp::Symbol, 0, 0, 3}}));
  EXPECT_TRUE(bad({zero, {SymbolOp::Add, 0, 1, 0}})) << "refers to itself";
  EXPECT_TRUE(bad({zero, {SymbolOp::Add, 0, 9, 0}}));
  EXPECT_TRUE(bad({zero, {SymbolOp::Symbol, 4, 0, 3}})) << "symbols are numbered in order";
  EXPECT_TRUE(bad({zero, {SymbolOp::Call, 0, 0, 0}})) << "a function of the embedding";
  EXPECT_TRUE(bad({zero, {static_cast<SymbolOp>(99), 0, 0, 0}}));
  EXPECT_TRUE(bad({zero, {SymbolOp::Const, 0, 0, std::numeric_limits<int64_t>::max()}, {SymbolOp::Add, 1, 1, 0}}));
  EXPECT_TRUE(bad({zero, {SymbolOp::Symbol, 0, 0, 1, ScalarKind::Float}, {SymbolOp::Add, 0, 1, 0}})) << "kinds differ";
  EXPECT_TRUE(bad({zero}, {{7, true}}));
  EXPECT_TRUE(bad({zero}, {{0, true}})) << "no condition";
}

TEST(Dim, DeepExpressionsPrintBriefly) {
  SymbolTable table;
  SymbolScope scope(&table);
  Dim s = size_symbol(table, 2);
  for (int i = 0; i < 50; ++i) s = s % 3 + s / 2;
  EXPECT_LT(table.text(s.expr).size(), 10000U);
}

}  // namespace
}  // namespace ember::ops
