#include "ops/tensor/dim.h"

#include <stdexcept>

namespace ember::ops {
namespace {

Dim combine(SymbolOp op, Dim a, Dim b) {
  SymbolTable* table = SymbolScope::current();
  if (table && (a.symbolic() || b.symbolic()))
    return dim_of(*table, table->binary(op, expr_of(*table, a), expr_of(*table, b)));
  int64_t value = 0;
  if (!compute_ints(op, a.hint(), b.hint(), &value)) throw std::invalid_argument("a size overflows");
  return value;
}

Dim divided(SymbolOp op, Dim a, Dim b) {
  if (b <= 0) throw std::invalid_argument("a size is divided by a number that is not positive");
  return combine(op, a, b);
}

bool related(SymbolOp op, Dim a, Dim b) {
  SymbolTable* table = SymbolScope::current();
  if (table && (a.symbolic() || b.symbolic()))
    return table->decide(table->binary(op, expr_of(*table, a), expr_of(*table, b)));
  return op == SymbolOp::Less ? a.hint() < b.hint() : a.hint() == b.hint();
}

}  // namespace

Dim operator+(Dim a, Dim b) { return combine(SymbolOp::Add, a, b); }
Dim operator-(Dim a, Dim b) { return combine(SymbolOp::Sub, a, b); }
Dim operator*(Dim a, Dim b) { return combine(SymbolOp::Mul, a, b); }
Dim operator/(Dim a, Dim b) { return divided(SymbolOp::Div, a, b); }
Dim operator%(Dim a, Dim b) { return divided(SymbolOp::Mod, a, b); }
Dim min(Dim a, Dim b) { return combine(SymbolOp::Min, a, b); }
Dim max(Dim a, Dim b) { return combine(SymbolOp::Max, a, b); }
bool operator==(Dim a, Dim b) { return related(SymbolOp::Equal, a, b); }
bool operator<(Dim a, Dim b) { return related(SymbolOp::Less, a, b); }

int64_t pinned(Dim dim) {
  if (!dim.symbolic()) return dim.hint();
  SymbolTable* table = SymbolScope::current();
  if (!table) throw std::logic_error("the number of a symbol is asked for where nothing guards it");
  table->pin(dim.expr);
  return dim.hint();
}

Dim size_symbol(SymbolTable& table, int64_t hint, std::string name) {
  if (hint == 0 || hint == 1) return hint;
  return {hint, table.symbol(ScalarKind::Int, hint, std::move(name))};
}

ExprId expr_of(SymbolTable& table, Dim dim) { return dim.symbolic() ? dim.expr : table.constant(dim.hint()); }

Dim dim_of(const SymbolTable& table, ExprId id) {
  const SymbolExpr& e = table.exprs()[id];
  return e.op == SymbolOp::Const ? Dim(e.hint) : Dim(e.hint, id);
}

}  // namespace ember::ops
