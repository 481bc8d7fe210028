#include "ops/tensor/symbolic_float.h"

#include <bit>
#include <stdexcept>

namespace ember::ops {
namespace {

// The table, where one is recorded into.
SymbolTable* table_of(SymbolicFloat a, SymbolicFloat b) {
  return a.symbolic() || b.symbolic() ? SymbolScope::current() : nullptr;
}

ExprId expr_of(SymbolTable& table, SymbolicFloat x) {
  return x.symbolic() ? x.expr : table.constant(ScalarKind::Float, std::bit_cast<int64_t>(x.hint()));
}

ExprId recorded(SymbolTable& table, SymbolOp op, SymbolicFloat a, SymbolicFloat b) {
  return table.binary(op, expr_of(table, a), expr_of(table, b));
}

SymbolicFloat number_of(const SymbolTable& table, ExprId id) {
  const SymbolExpr& e = table.exprs()[id];
  const auto hint = std::bit_cast<double>(e.hint);
  return e.op == SymbolOp::Const ? SymbolicFloat(hint) : SymbolicFloat(hint, id);
}

}  // namespace

SymbolicFloat operator-(SymbolicFloat a, SymbolicFloat b) {
  SymbolTable* table = table_of(a, b);
  return table ? number_of(*table, recorded(*table, SymbolOp::Sub, a, b)) : SymbolicFloat(a.hint() - b.hint());
}

SymbolicFloat operator/(SymbolicFloat a, SymbolicFloat b) {
  SymbolTable* table = table_of(a, b);
  return table ? number_of(*table, recorded(*table, SymbolOp::Div, a, b)) : SymbolicFloat(a.hint() / b.hint());
}

bool operator==(SymbolicFloat a, SymbolicFloat b) {
  SymbolTable* table = table_of(a, b);
  return table ? table->decide(recorded(*table, SymbolOp::Equal, a, b)) : a.hint() == b.hint();
}

bool operator<(SymbolicFloat a, SymbolicFloat b) {
  SymbolTable* table = table_of(a, b);
  return table ? table->decide(recorded(*table, SymbolOp::Less, a, b)) : a.hint() < b.hint();
}

bool operator<=(SymbolicFloat a, SymbolicFloat b) {
  SymbolTable* table = table_of(a, b);
  return table ? table->decide(recorded(*table, SymbolOp::LessEqual, a, b)) : a.hint() <= b.hint();
}

double pinned(SymbolicFloat number) {
  if (!number.symbolic()) return number.hint();
  SymbolTable* table = SymbolScope::current();
  if (!table) throw std::logic_error("the number of a symbol is asked for where nothing guards it");
  table->pin(number.expr);
  return number.hint();
}

}  // namespace ember::ops
