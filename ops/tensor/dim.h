// Dimensions that may be symbolic.
//
// A Dim is a number together with the expression it came from. Outside a capture every expression is constant (0) and a
// Dim costs no more than its number. During a capture input dims are symbols with the first call's sizes as hints:
// arithmetic records expressions in the current SymbolTable, and a comparison gives what holds for the hints and
// records it as a guard. So a shape rule is written once, over Dim, and serves eager, capture and verification; the
// guards say for which other sizes the captured graph holds.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ember::ops {

using ExprId = uint32_t;  // 0: constant

struct Dim {
  int64_t value = 0;
  ExprId expr = 0;
  Dim() = default;
  Dim(int64_t constant) : value(constant) {}  // NOLINT: a number is a dim
  Dim(int64_t hint, ExprId expr) : value(hint), expr(expr) {}
  bool symbolic() const { return expr != 0; }
};

Dim operator+(Dim a, Dim b);
Dim operator-(Dim a, Dim b);
Dim operator*(Dim a, Dim b);
Dim operator/(Dim a, Dim b);  // floors; the divisor must be positive
Dim operator%(Dim a, Dim b);
bool operator==(Dim a, Dim b);
bool operator<(Dim a, Dim b);
inline bool operator!=(Dim a, Dim b) { return !(a == b); }
inline bool operator>(Dim a, Dim b) { return b < a; }
inline bool operator<=(Dim a, Dim b) { return !(b < a); }
inline bool operator>=(Dim a, Dim b) { return !(a < b); }

// Same number and same expression; records nothing.
inline bool identical(Dim a, Dim b) { return a.expr == b.expr && (a.expr != 0 || a.value == b.value); }

enum class DimOp : uint8_t { Const, Symbol, Add, Sub, Mul, Div, Mod };

struct DimExpr {
  DimOp op = DimOp::Const;
  ExprId a = 0;  // operands; for Symbol the symbol's index
  ExprId b = 0;
  int64_t value = 0;  // for Const the number, else the hint
};

enum class DimRelation : uint8_t { Equal, NotEqual, Less, NotLess };

struct DimGuard {
  DimRelation relation;
  ExprId a;
  ExprId b;
};

// The expressions of one module. Expressions are hash-consed and refer only to earlier ones.
class SymbolTable {
 public:
  SymbolTable();
  Dim symbol(int64_t hint);  // sizes 0 and 1 stay constant
  ExprId constant(int64_t value);
  ExprId binary(DimOp op, ExprId a, ExprId b);
  ExprId id(Dim dim) { return dim.symbolic() ? dim.expr : constant(dim.value); }
  void require(DimRelation relation, Dim a, Dim b);
  int64_t pin(Dim dim);  // guards that dim keeps its hint, and returns it

  size_t symbols() const { return symbols_; }
  const std::vector<DimExpr>& exprs() const { return exprs_; }
  const std::vector<DimGuard>& guards() const { return guards_; }
  std::string text(ExprId id) const;  // "s0", "(s0 * 4)"; below eight levels by number, "e17"

  // Values of all expressions, given the symbols'. Overflow and division by zero give the lowest int64, which no guard
  // accepts.
  std::vector<int64_t> evaluate(std::span<const int64_t> symbols) const;
  bool holds(std::span<const int64_t> values) const;

  // Rebuilds a table from a file; false if an expression or guard is malformed.
  static bool restore(std::vector<DimExpr> exprs, std::vector<DimGuard> guards, SymbolTable* out);

 private:
  struct Key {
    uint8_t kind;
    ExprId a, b;
    int64_t value;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  ExprId add(const DimExpr& expr);
  void guard(const DimGuard& g);
  std::string text(ExprId id, int depth) const;

  std::vector<DimExpr> exprs_;
  std::vector<DimGuard> guards_;
  std::unordered_map<Key, ExprId, KeyHash> ids_;
  std::unordered_set<Key, KeyHash> guarded_;
  size_t symbols_ = 0;
};

// Makes `table` the one that Dim arithmetic on this thread records into.
class SymbolScope {
 public:
  explicit SymbolScope(SymbolTable* table);
  ~SymbolScope();
  SymbolScope(const SymbolScope&) = delete;
  SymbolScope& operator=(const SymbolScope&) = delete;
  static SymbolTable* current();

 private:
  SymbolTable* previous_;
};

}  // namespace ember::ops
