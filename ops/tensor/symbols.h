// Symbols: numbers that differ from call to call, and expressions over them.
//
// A capture sees every number as it is in its first call. A size, a number among the arguments or one that was read
// from outside is a symbol of the capture's table, with that number as its hint; what is computed from symbols is an
// expression. A decision by an expression is recorded as a guard: the condition and its outcome. A graph serves the
// calls in which all expressions can be computed and all guards have their outcome.
//
// Expressions are hash-consed, refer only to earlier ones, and are simplified as they are made (constants fold, neutral
// elements vanish), so equal sizes mostly get equal ids and need no guard. They mean what Python computes: where that
// leaves 64 bits or is an error, an expression has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ops/tensor/dtype.h"

namespace ember::ops {

using ExprId = uint32_t;  // 0: the constant 0

// From Neg to Bits they have one operand. Bits are those of a float, as an int: equal where nobody can tell floats
// apart. Of ints Div and Mod floor, and ToFloat is exact or has no value; of floats Div is that of IEEE 754, but not by
// zero.
enum class SymbolOp : uint8_t {
  Const,
  Symbol,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Min,
  Max,
  Less,
  LessEqual,
  Equal,
  Neg,
  Not,
  ToInt,
  ToFloat,
  Bits,
  Call
};

// Whether an operation has operands of a kind.
bool takes(SymbolOp op, ScalarKind kind);
// What an operation on ints gives; false if nothing.
bool compute_ints(SymbolOp op, int64_t a, int64_t b, int64_t* out);

// A function of one or two numbers that the embedding computes; it lives for ever, and modules that call it cannot be
// saved.
class NumberFunction {
 public:
  virtual ~NumberFunction() = default;
  virtual const std::string& name() const = 0;
  // False where it raises, or gives something else than a number of this kind.
  virtual bool compute(std::span<const std::pair<ScalarKind, int64_t>> operands, ScalarKind kind,
                       int64_t* out) const = 0;
};

// Values are bits: those of a double for Float, 0 or 1 for Bool.
struct SymbolExpr {
  SymbolOp op = SymbolOp::Const;
  ExprId a = 0;  // operands, `b` like `a` where there is one; for Symbol the symbol's index
  ExprId b = 0;
  int64_t hint = 0;  // its value in the first call
  ScalarKind kind = ScalarKind::Int;
  const NumberFunction* function = nullptr;  // of Call
};

// Of a file (as its module counts them) and a line that asked for it; line 0: unknown.
struct SymbolGuard {
  ExprId condition = 0;
  bool outcome = true;
  uint32_t file = 0, line = 0;
};

class SymbolTable {
 public:
  SymbolTable();
  ExprId symbol(ScalarKind kind, int64_t hint, std::string name = {});
  ExprId constant(int64_t value) { return constant(ScalarKind::Int, value); }
  ExprId constant(ScalarKind kind, int64_t bits);
  // Throws std::invalid_argument where the hints have no such value.
  ExprId unary(SymbolOp op, ExprId a);
  ExprId binary(SymbolOp op, ExprId a, ExprId b);
  ExprId call(const NumberFunction& function, std::span<const ExprId> operands, ScalarKind kind, int64_t hint);

  bool is_constant(ExprId id) const { return exprs_[id].op == SymbolOp::Const; }
  bool decide(ExprId condition);  // its outcome by the hints, which becomes a guard
  void require(ExprId condition, bool outcome);
  void pin(ExprId id);                          // guards that it keeps its hint
  void set_place(uint32_t file, uint32_t line)  // of the guards to come
  {
    file_ = file, line_ = line;
  }

  size_t symbols() const { return symbols_.size(); }
  ExprId symbol_expr(size_t symbol) const { return symbols_[symbol].expr; }
  const std::vector<SymbolExpr>& exprs() const { return exprs_; }
  const std::vector<SymbolGuard>& guards() const { return guards_; }
  // The expressions that a guard says are equal.
  std::optional<std::pair<ExprId, ExprId>> equality(const SymbolGuard& guard) const;
  // "s0", "(s0 * 4)". Below eight levels by the names that are given, or by number: "e17".
  std::string text(ExprId id, std::span<const std::string> names = {}) const { return text(id, names, false, 0); }
  std::string text(const SymbolGuard& guard, std::span<const std::string> names = {}) const;
  // As Python's text, with symbols by their names: "x.shape[0] // 4".
  std::string python(ExprId id) const { return text(id, {}, true, 0); }
  std::string python(const SymbolGuard& guard) const;
  // "n = 3, x.shape[0] = 8": the symbols of an expression.
  std::string symbols_in(ExprId id, std::span<const int64_t> values) const;

  // The values of all expressions, given the symbols'; empty if one has none.
  std::vector<int64_t> evaluate(std::span<const int64_t> symbols) const;
  // Of one expression, where its operands have theirs.
  bool compute(ExprId id, std::span<const int64_t> values, int64_t* out) const;
  bool holds(std::span<const int64_t> values) const;

  // Rebuilds a table from a file; false if an expression or guard is malformed.
  static bool restore(std::vector<SymbolExpr> exprs, std::vector<SymbolGuard> guards, SymbolTable* out);

 private:
  struct Key {
    uint64_t op;  // and the kind
    uint64_t operands;
    int64_t value;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Named {
    ExprId expr;
    std::string name;
  };
  static Key key_of(const SymbolExpr& expr);
  ExprId add(const SymbolExpr& expr);
  std::optional<ExprId> simplified(SymbolOp op, ExprId a, ExprId b);
  std::string text(ExprId id, std::span<const std::string> names, bool python, int depth) const;
  std::string relation(const SymbolGuard& guard, std::span<const std::string> names, bool python) const;

  std::vector<SymbolExpr> exprs_;
  std::vector<SymbolGuard> guards_;
  std::vector<Named> symbols_;
  std::unordered_map<Key, ExprId, KeyHash> ids_;
  std::unordered_set<ExprId> guarded_;
  uint32_t file_ = 0, line_ = 0;
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
