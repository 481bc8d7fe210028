#include "ops/tensor/symbols.h"

#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

namespace ember::ops {
namespace {

thread_local SymbolTable* current_table = nullptr;

constexpr int64_t kExactFloat = int64_t{1} << 53;

bool is_unary(SymbolOp op) { return op >= SymbolOp::Neg && op <= SymbolOp::Bits; }
bool is_comparison(SymbolOp op) { return op >= SymbolOp::Less && op <= SymbolOp::Equal; }

ScalarKind kind_of(SymbolOp op, ScalarKind operand) {
  if (is_comparison(op) || op == SymbolOp::Not) return ScalarKind::Bool;
  if (op == SymbolOp::ToInt || op == SymbolOp::Bits) return ScalarKind::Int;
  return op == SymbolOp::ToFloat ? ScalarKind::Float : operand;
}

}  // namespace

bool takes(SymbolOp op, ScalarKind kind) {
  if (op == SymbolOp::Not || op == SymbolOp::ToInt) return kind == ScalarKind::Bool;
  if (op == SymbolOp::Bits) return kind == ScalarKind::Float;
  if (op == SymbolOp::ToFloat || op == SymbolOp::Mod || op == SymbolOp::Min || op == SymbolOp::Max)
    return kind == ScalarKind::Int;
  return kind != ScalarKind::Bool || op == SymbolOp::Equal;
}

bool compute_ints(SymbolOp op, int64_t a, int64_t b, int64_t* out) {
  switch (op) {
    case SymbolOp::Add:
      return !__builtin_add_overflow(a, b, out);
    case SymbolOp::Sub:
      return !__builtin_sub_overflow(a, b, out);
    case SymbolOp::Neg:
      return !__builtin_sub_overflow(int64_t{0}, a, out);
    case SymbolOp::Mul:
      return !__builtin_mul_overflow(a, b, out);
    case SymbolOp::Div:
    case SymbolOp::Mod: {
      if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min())) return false;
      const bool below = a % b != 0 && (a < 0) != (b < 0);
      *out = op == SymbolOp::Div ? a / b - below : a % b + (below ? b : 0);
      return true;
    }
    case SymbolOp::Min:
    case SymbolOp::Max:
      *out = (a < b) == (op == SymbolOp::Min) ? a : b;
      return true;
    case SymbolOp::Less:
    case SymbolOp::LessEqual:
      *out = op == SymbolOp::Less ? a < b : a <= b;
      return true;
    case SymbolOp::Equal:
      *out = a == b;
      return true;
    case SymbolOp::Not:
      *out = !a;
      return true;
    case SymbolOp::ToInt:
      *out = a;
      return true;
    case SymbolOp::ToFloat:
      *out = std::bit_cast<int64_t>(static_cast<double>(a));
      return a >= -kExactFloat && a <= kExactFloat;
    default:
      return false;
  }
}

namespace {

bool of_floats(SymbolOp op, double a, double b, int64_t* out) {
  double number = 0;
  switch (op) {
    case SymbolOp::Add:
      number = a + b;
      break;
    case SymbolOp::Sub:
      number = a - b;
      break;
    case SymbolOp::Mul:
      number = a * b;
      break;
    case SymbolOp::Neg:
      number = -a;
      break;
    case SymbolOp::Div:
      if (b == 0) return false;
      number = a / b;
      break;
    case SymbolOp::Less:
    case SymbolOp::LessEqual:
      *out = op == SymbolOp::Less ? a < b : a <= b;
      return true;
    case SymbolOp::Equal:
      *out = a == b;
      return true;
    case SymbolOp::Bits:
      *out = std::bit_cast<int64_t>(a);
      return true;
    default:
      return false;
  }
  *out = std::bit_cast<int64_t>(number);
  return true;
}

std::string constant_text(const SymbolExpr& e) {
  if (e.kind == ScalarKind::Int) return std::to_string(e.hint);
  if (e.kind == ScalarKind::Bool) return e.hint ? "True" : "False";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(e.hint));
  std::string shown = text;
  if (shown.find_first_of(".en") == std::string::npos) shown += ".0";
  return shown;
}

// Of a relation with its sides changed: "3 < n" is "n > 3".
std::string mirrored(std::string sign) {
  for (char& c : sign) c = c == '<' ? '>' : c == '>' ? '<' : c;
  return sign;
}

const char* sign_of(SymbolOp op) {
  static constexpr const char* kSigns[] = {" + ",  " - ",  " * ", " / ", " % ", "min",   "max", " < ",
                                           " <= ", " == ", "neg", "not", "int", "float", "bits"};
  return kSigns[static_cast<size_t>(op) - static_cast<size_t>(SymbolOp::Add)];
}

}  // namespace

size_t SymbolTable::KeyHash::operator()(const Key& key) const {
  uint64_t hash = key.op * 0x9E3779B97F4A7C15;
  hash = (hash ^ key.operands) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 31 ^ static_cast<uint64_t>(key.value)) * 0x94D049BB133111EB;
  return hash ^ hash >> 30;
}

SymbolTable::SymbolTable() { add({}); }

// The value of an operation follows from its operands, so only leaves are told apart by it.
SymbolTable::Key SymbolTable::key_of(const SymbolExpr& expr) {
  const int64_t value = expr.op == SymbolOp::Const  ? expr.hint
                        : expr.op == SymbolOp::Call ? reinterpret_cast<int64_t>(expr.function)
                                                    : 0;
  return {static_cast<uint64_t>(expr.op) << 8 | static_cast<uint64_t>(expr.kind), uint64_t{expr.a} << 32 | expr.b,
          value};
}

ExprId SymbolTable::add(const SymbolExpr& expr) {
  auto [it, fresh] = ids_.try_emplace(key_of(expr), static_cast<ExprId>(exprs_.size()));
  if (fresh) exprs_.push_back(expr);
  return it->second;
}

ExprId SymbolTable::symbol(ScalarKind kind, int64_t hint, std::string name) {
  const auto index = static_cast<ExprId>(symbols_.size());
  const ExprId id = add({SymbolOp::Symbol, index, 0, hint, kind});
  symbols_.push_back({id, std::move(name)});
  return id;
}

ExprId SymbolTable::constant(ScalarKind kind, int64_t bits) { return add({SymbolOp::Const, 0, 0, bits, kind}); }

ExprId SymbolTable::unary(SymbolOp op, ExprId a) { return binary(op, a, a); }

std::optional<ExprId> SymbolTable::simplified(SymbolOp op, ExprId a, ExprId b) {
  const SymbolExpr& x = exprs_[a];
  const SymbolExpr& y = exprs_[b];
  if (op == SymbolOp::Not && x.op == SymbolOp::Not) return x.a;
  if (is_unary(op) || x.kind != ScalarKind::Int) return {};
  const bool constant = y.op == SymbolOp::Const;
  switch (op) {
    case SymbolOp::Add:
      if (constant && y.hint == 0) return a;
      break;
    case SymbolOp::Sub:
      if (constant && y.hint == 0) return a;
      if (a == b) return this->constant(0);
      if (x.op == SymbolOp::Add && x.a == b) return x.b;
      if (x.op == SymbolOp::Add && x.b == b) return x.a;
      break;
    case SymbolOp::Mul:
      if (constant && y.hint == 1) return a;
      if (constant && y.hint == 0) return this->constant(0);
      break;
    case SymbolOp::Div:
      if (constant && y.hint == 1) return a;
      if (constant && y.hint > 1 && x.op == SymbolOp::Mul && x.b == b) return x.a;
      break;
    case SymbolOp::Mod:
      if (constant && y.hint == 1) return this->constant(0);
      if (constant && y.hint > 1 && x.op == SymbolOp::Mul && x.b == b) return this->constant(0);
      break;
    case SymbolOp::Min:
    case SymbolOp::Max:
      if (a == b) return a;
      break;
    default:
      if (a == b) return this->constant(ScalarKind::Bool, op != SymbolOp::Less);
      break;
  }
  return {};
}

ExprId SymbolTable::binary(SymbolOp op, ExprId a, ExprId b) {
  const bool swaps =
      op == SymbolOp::Add || op == SymbolOp::Mul || op == SymbolOp::Min || op == SymbolOp::Max || op == SymbolOp::Equal;
  if (swaps && exprs_[a].kind == ScalarKind::Int && (is_constant(a) ? !is_constant(b) : !is_constant(b) && b < a))
    std::swap(a, b);
  if (exprs_[a].kind != exprs_[b].kind || !takes(op, exprs_[a].kind))
    throw std::logic_error("an expression of numbers of other kinds");
  SymbolExpr expr{op, a, b, 0, kind_of(op, exprs_[a].kind)};
  const int64_t x = exprs_[a].hint, y = exprs_[b].hint;
  const bool computed = exprs_[a].kind == ScalarKind::Float
                            ? of_floats(op, std::bit_cast<double>(x), std::bit_cast<double>(y), &expr.hint)
                            : compute_ints(op, x, y, &expr.hint);
  if (!computed) {
    const bool divides = op == SymbolOp::Div || op == SymbolOp::Mod;
    throw std::invalid_argument(divides ? "a size is divided by zero" : "a size overflows");
  }
  if (is_constant(a) && is_constant(b)) return constant(expr.kind, expr.hint);
  if (const std::optional<ExprId> simpler = simplified(op, a, b)) return *simpler;
  return add(expr);
}

ExprId SymbolTable::call(const NumberFunction& function, std::span<const ExprId> operands, ScalarKind kind,
                         int64_t hint) {
  SymbolExpr expr{SymbolOp::Call, operands[0], operands.size() > 1 ? operands[1] : ~ExprId{0}, hint, kind, &function};
  return add(expr);
}

bool SymbolTable::decide(ExprId condition) {
  const bool outcome = exprs_[condition].hint != 0;
  require(condition, outcome);
  return outcome;
}

void SymbolTable::require(ExprId condition, bool outcome) {
  for (; exprs_[condition].op == SymbolOp::Not; outcome = !outcome) condition = exprs_[condition].a;
  if (is_constant(condition) || !guarded_.insert(condition).second) return;
  guards_.push_back({condition, outcome, file_, line_});
}

void SymbolTable::pin(ExprId id) {
  const SymbolExpr e = exprs_[id];
  if (e.op == SymbolOp::Const) return;
  if (e.kind == ScalarKind::Bool) return require(id, e.hint != 0);
  if (e.kind == ScalarKind::Float) id = unary(SymbolOp::Bits, id);
  require(binary(SymbolOp::Equal, id, constant(e.hint)), true);
}

std::optional<std::pair<ExprId, ExprId>> SymbolTable::equality(const SymbolGuard& guard) const {
  const SymbolExpr& e = exprs_[guard.condition];
  if (e.op != SymbolOp::Equal || !guard.outcome || exprs_[e.a].kind == ScalarKind::Float) return {};
  return std::pair(e.a, e.b);
}

std::string SymbolTable::text(ExprId id, std::span<const std::string> names, bool python, int depth) const {
  constexpr int kDeepest = 8;
  const SymbolExpr& e = exprs_.at(id);
  if (e.op == SymbolOp::Const) return constant_text(e);
  if (e.op == SymbolOp::Symbol) {
    const std::string& name = symbols_[e.a].name;
    return python && !name.empty() ? name : "s" + std::to_string(e.a);
  }
  if (depth == kDeepest) return names.empty() ? "e" + std::to_string(id) : names[id];
  const std::string first = text(e.a, names, python, depth + 1);
  if (e.op == SymbolOp::Call && e.b == ~ExprId{0}) return e.function->name() + "(" + first + ")";
  if (is_unary(e.op)) return sign_of(e.op) + ("(" + first + ")");
  const std::string second = text(e.b, names, python, depth + 1);
  if (e.op == SymbolOp::Call) return e.function->name() + "(" + first + ", " + second + ")";
  if (e.op == SymbolOp::Min || e.op == SymbolOp::Max) return sign_of(e.op) + ("(" + first + ", " + second + ")");
  const bool floors = python && e.op == SymbolOp::Div && e.kind == ScalarKind::Int;
  return "(" + first + (floors ? " // " : sign_of(e.op)) + second + ")";
}

std::string SymbolTable::relation(const SymbolGuard& guard, std::span<const std::string> names, bool python) const {
  const SymbolExpr& e = exprs_[guard.condition];
  const char* sign = nullptr;
  if (is_comparison(e.op)) {
    const bool ints = exprs_[e.a].kind == ScalarKind::Int;
    sign = guard.outcome ? sign_of(e.op) : nullptr;
    if (!guard.outcome && e.op == SymbolOp::Equal) sign = " != ";
    if (!guard.outcome && ints) sign = e.op == SymbolOp::Less ? " >= " : e.op == SymbolOp::LessEqual ? " > " : sign;
  }
  if (python && is_comparison(e.op) && exprs_[e.a].op == SymbolOp::Bits)
    return text(exprs_[e.a].a, names, python, 0) + " is " +
           constant_text({SymbolOp::Const, 0, 0, exprs_[e.b].hint, ScalarKind::Float});
  if (!sign) return (guard.outcome ? "" : "not ") + text(guard.condition, names, python, 0);
  if (python && is_constant(e.a)) return text(e.b, names, python, 0) + mirrored(sign) + text(e.a, names, python, 0);
  return text(e.a, names, python, 0) + sign + text(e.b, names, python, 0);
}

std::string SymbolTable::text(const SymbolGuard& guard, std::span<const std::string> names) const {
  return relation(guard, names, false);
}

std::string SymbolTable::symbols_in(ExprId id, std::span<const int64_t> values) const {
  std::vector<ExprId> todo = {id};
  std::vector<bool> seen(exprs_.size());
  std::string out;
  while (!todo.empty()) {
    const ExprId at = todo.back();
    todo.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const SymbolExpr& e = exprs_[at];
    if (e.op == SymbolOp::Symbol)
      out +=
          (out.empty() ? "" : ", ") + python(at) + " = " + constant_text({SymbolOp::Const, 0, 0, values[at], e.kind});
    if (e.op <= SymbolOp::Symbol) continue;
    todo.push_back(e.a);
    if (e.b < at) todo.push_back(e.b);
  }
  return out;
}

std::string SymbolTable::python(const SymbolGuard& guard) const { return relation(guard, {}, true); }

bool SymbolTable::compute(ExprId id, std::span<const int64_t> values, int64_t* out) const {
  const SymbolExpr& e = exprs_[id];
  if (e.op == SymbolOp::Call) {
    const std::array operands{std::pair(exprs_[e.a].kind, values[e.a]), e.b == ~ExprId{0}
                                                                            ? std::pair(ScalarKind::Int, int64_t{0})
                                                                            : std::pair(exprs_[e.b].kind, values[e.b])};
    return e.function->compute(std::span(operands.data(), e.b == ~ExprId{0} ? 1 : 2), e.kind, out);
  }
  if (exprs_[e.a].kind == ScalarKind::Float)
    return of_floats(e.op, std::bit_cast<double>(values[e.a]), std::bit_cast<double>(values[e.b]), out);
  return compute_ints(e.op, values[e.a], values[e.b], out);
}

std::vector<int64_t> SymbolTable::evaluate(std::span<const int64_t> symbols) const {
  std::vector<int64_t> values(exprs_.size());
  for (ExprId i = 0; i < exprs_.size(); ++i) {
    const SymbolExpr& e = exprs_[i];
    if (e.op == SymbolOp::Const) {
      values[i] = e.hint;
    } else if (e.op == SymbolOp::Symbol) {
      if (e.a >= symbols.size()) return {};
      values[i] = symbols[e.a];
    } else if (!compute(i, values, &values[i])) {
      return {};
    }
  }
  return values;
}

bool SymbolTable::holds(std::span<const int64_t> values) const {
  if (values.size() != exprs_.size()) return false;
  for (const SymbolGuard& g : guards_)
    if ((values[g.condition] != 0) != g.outcome) return false;
  return true;
}

bool SymbolTable::restore(std::vector<SymbolExpr> exprs, std::vector<SymbolGuard> guards, SymbolTable* out) {
  SymbolTable table;
  if (exprs.empty() || exprs[0].op != SymbolOp::Const || exprs[0].hint != 0 || exprs[0].kind != ScalarKind::Int)
    return false;
  for (size_t i = 1; i < exprs.size(); ++i) {
    const SymbolExpr& e = exprs[i];
    if (e.op >= SymbolOp::Call || e.kind > ScalarKind::Float) return false;
    if (e.kind == ScalarKind::Bool && e.op <= SymbolOp::Symbol && e.hint != (e.hint != 0)) return false;
    ExprId id = 0;
    if (e.op == SymbolOp::Const) {
      id = table.constant(e.kind, e.hint);
    } else if (e.op == SymbolOp::Symbol) {
      if (e.a != table.symbols()) return false;
      id = table.symbol(e.kind, e.hint);
    } else {
      if (e.a >= i || e.b >= i || (is_unary(e.op) && e.a != e.b)) return false;
      if (exprs[e.a].kind != exprs[e.b].kind || !takes(e.op, exprs[e.a].kind)) return false;
      try {
        id = table.binary(e.op, e.a, e.b);
      } catch (const std::invalid_argument&) {
        return false;
      }
      if (e.kind != table.exprs_[id].kind) return false;
    }
    if (id != i) return false;
  }
  for (const SymbolGuard& g : guards) {
    if (g.condition >= exprs.size() || table.exprs_[g.condition].kind != ScalarKind::Bool) return false;
    table.require(g.condition, g.outcome);
  }
  *out = std::move(table);
  return true;
}

SymbolScope::SymbolScope(SymbolTable* table) : previous_(current_table) { current_table = table; }
SymbolScope::~SymbolScope() { current_table = previous_; }
SymbolTable* SymbolScope::current() { return current_table; }

}  // namespace ember::ops
