// Dim arithmetic and the table behind it. Expressions are simplified as they are made (constants fold, neutral elements
// vanish), so equal shapes mostly get equal ids and need no guard.
#include "ops/tensor/dim.h"

#include <limits>
#include <stdexcept>

namespace ember::ops {
namespace {

thread_local SymbolTable* current_table = nullptr;

constexpr int64_t kInvalid = std::numeric_limits<int64_t>::min();

// kInvalid on overflow and on a divisor that is not positive.
int64_t apply(DimOp op, int64_t a, int64_t b) {
  int64_t out = 0;
  bool overflow = false;
  switch (op) {
    case DimOp::Add:
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case DimOp::Sub:
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case DimOp::Mul:
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    case DimOp::Div:
    case DimOp::Mod:
      if (b <= 0) return kInvalid;
      out = a / b - (a % b < 0 ? 1 : 0);
      if (op == DimOp::Mod) out = a - out * b;
      break;
    default:
      return kInvalid;
  }
  return overflow ? kInvalid : out;
}

Dim combine(DimOp op, Dim a, Dim b) {
  int64_t value = apply(op, a.value, b.value);
  if (value == kInvalid) {
    bool divides = op == DimOp::Div || op == DimOp::Mod;
    throw std::invalid_argument(divides ? "a size is divided by a number that is not positive" : "a size overflows");
  }
  SymbolTable* table = current_table;
  if (!table || (!a.symbolic() && !b.symbolic())) return value;
  ExprId id = table->binary(op, table->id(a), table->id(b));
  if (table->exprs()[id].op == DimOp::Const) return table->exprs()[id].value;
  return {value, id};
}

bool relate(DimRelation yes, DimRelation no, bool answer, Dim a, Dim b) {
  if (current_table && (a.symbolic() || b.symbolic())) current_table->require(answer ? yes : no, a, b);
  return answer;
}

bool related(DimRelation relation, int64_t a, int64_t b) {
  switch (relation) {
    case DimRelation::Equal:
      return a == b;
    case DimRelation::NotEqual:
      return a != b;
    case DimRelation::Less:
      return a < b;
    case DimRelation::NotLess:
      return a >= b;
  }
  return false;
}

}  // namespace

Dim operator+(Dim a, Dim b) { return combine(DimOp::Add, a, b); }
Dim operator-(Dim a, Dim b) { return combine(DimOp::Sub, a, b); }
Dim operator*(Dim a, Dim b) { return combine(DimOp::Mul, a, b); }
Dim operator/(Dim a, Dim b) { return combine(DimOp::Div, a, b); }
Dim operator%(Dim a, Dim b) { return combine(DimOp::Mod, a, b); }

bool operator==(Dim a, Dim b) {
  if (a.symbolic() && a.expr == b.expr) return true;
  return relate(DimRelation::Equal, DimRelation::NotEqual, a.value == b.value, a, b);
}

bool operator<(Dim a, Dim b) {
  if (a.symbolic() && a.expr == b.expr) return false;
  return relate(DimRelation::Less, DimRelation::NotLess, a.value < b.value, a, b);
}

size_t SymbolTable::KeyHash::operator()(const Key& key) const {
  uint64_t hash = key.kind * 0x9E3779B97F4A7C15;
  hash = (hash ^ (uint64_t{key.a} << 32 | key.b)) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 31 ^ static_cast<uint64_t>(key.value)) * 0x94D049BB133111EB;
  return hash ^ hash >> 30;
}

SymbolTable::SymbolTable() { add({DimOp::Const, 0, 0, 0}); }

ExprId SymbolTable::add(const DimExpr& expr) {
  // The value of an operation follows from its operands, so only leaves are told apart by it.
  int64_t value = expr.op == DimOp::Const ? expr.value : 0;
  Key key{static_cast<uint8_t>(expr.op), expr.a, expr.b, value};
  auto [it, fresh] = ids_.try_emplace(key, static_cast<ExprId>(exprs_.size()));
  if (fresh) exprs_.push_back(expr);
  return it->second;
}

Dim SymbolTable::symbol(int64_t hint) {
  if (hint == 0 || hint == 1) return hint;
  return {hint, add({DimOp::Symbol, static_cast<ExprId>(symbols_++), 0, hint})};
}

ExprId SymbolTable::constant(int64_t value) { return add({DimOp::Const, 0, 0, value}); }

ExprId SymbolTable::binary(DimOp op, ExprId a, ExprId b) {
  bool swaps = op == DimOp::Add || op == DimOp::Mul;
  if (swaps && (exprs_[a].op == DimOp::Const || (exprs_[b].op != DimOp::Const && b < a))) std::swap(a, b);
  const DimExpr x = exprs_[a];
  const DimExpr y = exprs_[b];
  bool constant_y = y.op == DimOp::Const;
  int64_t value = apply(op, x.value, y.value);
  if (x.op == DimOp::Const && constant_y && value != kInvalid) return constant(value);
  switch (op) {
    case DimOp::Add:
      if (constant_y && y.value == 0) return a;
      break;
    case DimOp::Sub:
      if (constant_y && y.value == 0) return a;
      if (a == b) return constant(0);
      break;
    case DimOp::Mul:
      if (constant_y && y.value == 1) return a;
      if (constant_y && y.value == 0) return constant(0);
      break;
    case DimOp::Div:
      if (constant_y && y.value == 1) return a;
      if (constant_y && y.value > 1 && x.op == DimOp::Mul && x.b == b) return x.a;
      break;
    case DimOp::Mod:
      if (constant_y && y.value == 1) return constant(0);
      if (constant_y && y.value > 1 && x.op == DimOp::Mul && x.b == b) return constant(0);
      break;
    default:
      throw std::logic_error("not an operation on sizes");
  }
  return add({op, a, b, value});
}

void SymbolTable::require(DimRelation relation, Dim a, Dim b) { guard({relation, id(a), id(b)}); }

void SymbolTable::guard(const DimGuard& g) {
  Key key{static_cast<uint8_t>(g.relation), g.a, g.b, 0};
  if (guarded_.insert(key).second) guards_.push_back(g);
}

int64_t SymbolTable::pin(Dim dim) {
  if (dim.symbolic()) require(DimRelation::Equal, dim, dim.value);
  return dim.value;
}

std::string SymbolTable::text(ExprId id) const { return text(id, 0); }

std::string SymbolTable::text(ExprId id, int depth) const {
  constexpr int kDeepest = 8;
  if (depth == kDeepest) return "e" + std::to_string(id);
  const DimExpr& e = exprs_.at(id);
  if (e.op == DimOp::Const) return std::to_string(e.value);
  if (e.op == DimOp::Symbol) return "s" + std::to_string(e.a);
  const char* sign = e.op == DimOp::Add   ? " + "
                     : e.op == DimOp::Sub ? " - "
                     : e.op == DimOp::Mul ? " * "
                     : e.op == DimOp::Div ? " / "
                                          : " % ";
  return "(" + text(e.a, depth + 1) + sign + text(e.b, depth + 1) + ")";
}

std::vector<int64_t> SymbolTable::evaluate(std::span<const int64_t> symbols) const {
  std::vector<int64_t> values(exprs_.size());
  for (size_t i = 0; i < exprs_.size(); ++i) {
    const DimExpr& e = exprs_[i];
    if (e.op == DimOp::Const) {
      values[i] = e.value;
    } else if (e.op == DimOp::Symbol) {
      values[i] = e.a < symbols.size() ? symbols[e.a] : kInvalid;
    } else {
      bool valid = values[e.a] != kInvalid && values[e.b] != kInvalid;
      values[i] = valid ? apply(e.op, values[e.a], values[e.b]) : kInvalid;
    }
  }
  return values;
}

bool SymbolTable::holds(std::span<const int64_t> values) const {
  for (const DimGuard& g : guards_) {
    if (g.a >= values.size() || g.b >= values.size()) return false;
    if (values[g.a] == kInvalid || values[g.b] == kInvalid) return false;
    if (!related(g.relation, values[g.a], values[g.b])) return false;
  }
  return true;
}

bool SymbolTable::restore(std::vector<DimExpr> exprs, std::vector<DimGuard> guards, SymbolTable* out) {
  SymbolTable table;
  if (exprs.empty() || exprs[0].op != DimOp::Const || exprs[0].value != 0) return false;
  for (size_t i = 1; i < exprs.size(); ++i) {
    DimExpr& e = exprs[i];
    if (e.op > DimOp::Mod) return false;
    if (e.op == DimOp::Symbol && e.a != table.symbols_++) return false;
    if (e.op > DimOp::Symbol) {
      if (e.a >= i || e.b >= i) return false;
      e.value = apply(e.op, exprs[e.a].value, exprs[e.b].value);
      if (e.value == kInvalid) return false;
    } else if (e.op == DimOp::Const) {
      e.a = 0;
    }
    if (e.op <= DimOp::Symbol) e.b = 0;
    if (table.add(e) != i) return false;
  }
  for (const DimGuard& g : guards) {
    if (g.relation > DimRelation::NotLess || g.a >= exprs.size() || g.b >= exprs.size()) return false;
    table.guard(g);
  }
  *out = std::move(table);
  return true;
}

SymbolScope::SymbolScope(SymbolTable* table) : previous_(current_table) { current_table = table; }
SymbolScope::~SymbolScope() { current_table = previous_; }
SymbolTable* SymbolScope::current() { return current_table; }

}  // namespace ember::ops
