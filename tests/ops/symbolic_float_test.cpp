// Floats that differ from call to call: what is recorded, which other numbers the guards accept.
#include "ops/tensor/symbolic_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ops/tensor/attr.h"

namespace ember::ops {
namespace {

SymbolicFloat symbol(SymbolTable& table, double hint) {
  return {hint, table.symbol(ScalarKind::Float, std::bit_cast<int64_t>(hint))};
}

bool holds(const SymbolTable& table, double value) {
  const int64_t bits = std::bit_cast<int64_t>(value);
  const std::vector<int64_t> values = table.evaluate({&bits, 1});
  return !values.empty() && table.holds(values);
}

TEST(SymbolicFloat, ConstantsRecordNothing) {
  SymbolTable table;
  SymbolScope scope(&table);
  const SymbolicFloat a = 0.25;
  EXPECT_EQ((1.0 / (1.0 - a)).hint(), 1 / (1 - 0.25));
  EXPECT_TRUE(0.0 <= a && a < 1.0);
  EXPECT_FALSE(a == 0.0);
  EXPECT_FALSE((1.0 - a).symbolic());
  EXPECT_TRUE(table.guards().empty());
}

TEST(SymbolicFloat, ComparisonsBecomeGuards) {
  SymbolTable table;
  SymbolScope scope(&table);
  const SymbolicFloat p = symbol(table, 0.25);
  EXPECT_TRUE(0.0 <= p && p < 1.0);
  EXPECT_FALSE(p == 0.0);
  const SymbolicFloat scale = 1.0 / (1.0 - p);
  EXPECT_TRUE(scale.symbolic());
  EXPECT_EQ(table.guards().size(), 3U);
  for (double inside : {0.5, 0.999, 5e-324}) EXPECT_TRUE(holds(table, inside)) << inside;
  for (double outside : {0.0, -0.0, 1.0, -0.5, std::nan(""), HUGE_VAL}) EXPECT_FALSE(holds(table, outside)) << outside;
  const int64_t half = std::bit_cast<int64_t>(0.5);
  EXPECT_EQ(std::bit_cast<double>(table.evaluate({&half, 1})[scale.expr]), 2.0);
}

TEST(SymbolicFloat, WhatIsPinnedHoldsForItsBitsAlone) {
  SymbolTable table;
  SymbolScope scope(&table);
  Attrs attrs({symbol(table, 0.0), 3.0, int64_t{2}});
  EXPECT_TRUE(has_symbolic_floats(attrs));
  const Attrs fixed = pin_floats(attrs);
  EXPECT_FALSE(has_symbolic_floats(fixed));
  EXPECT_EQ(fixed.number(0), 0.0);
  EXPECT_EQ(fixed.number(1), 3.0);
  EXPECT_TRUE(holds(table, 0.0));
  EXPECT_FALSE(holds(table, -0.0));
}

TEST(SymbolicFloat, AttributesCompareByExpression) {
  SymbolTable table;
  SymbolScope scope(&table);
  const SymbolicFloat p = symbol(table, 0.5), q = symbol(table, 0.5);
  EXPECT_TRUE(identical(Attrs({p}), Attrs({p})));
  EXPECT_FALSE(identical(Attrs({p}), Attrs({q})));
  EXPECT_FALSE(identical(Attrs({p}), Attrs({0.5})));
  EXPECT_EQ(hash(Attrs({p})), hash(Attrs({p})));
}

}  // namespace
}  // namespace ember::ops
