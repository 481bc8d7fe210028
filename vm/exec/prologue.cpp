#include "vm/exec/prologue.h"

#include <algorithm>

namespace ember::vm {

using ops::SymbolExpr;
using ops::SymbolOp;

Prologue::Prologue(const ops::SymbolTable& symbols, ops::Types params,
                   const std::function<std::vector<ops::ExprId>()>& used)
    : symbols_(symbols), params_(std::move(params)), is_late_(symbols.exprs().size()) {
  const std::vector<SymbolExpr>& exprs = symbols.exprs();
  for (size_t i = 0; i < params_.size(); ++i) {
    if (params_[i].expr == 0) continue;
    const bool symbol = exprs[params_[i].expr].op == SymbolOp::Symbol;
    (symbol ? symbol_params_ : computed_).push_back(i);
    if (symbol) is_late_[params_[i].expr] = true;
  }
  for (ops::ExprId i = 0; i < exprs.size(); ++i) {
    const SymbolExpr& e = exprs[i];
    if (e.op <= SymbolOp::Symbol) continue;
    is_late_[i] = is_late_[e.a] || (e.b < i && is_late_[e.b]) || e.op == SymbolOp::Call;
    calls_ |= e.op == SymbolOp::Call;
  }
  early_ = schedule(false);
  late_ = schedule(true);
  for (const ops::Type& type : params_)
    for (ops::Dim d : type.dims) late_sizes_ |= d.symbolic() && is_late_[d.expr];
  if (has_late()) keyed_ = used();
  std::erase_if(keyed_, [&](ops::ExprId id) { return !is_late_[id]; });
  dynamic_ = is_late_;
  for (ops::ExprId id : keyed_) dynamic_[id] = false;
}

std::vector<Prologue::Action> Prologue::schedule(bool late) const {
  const std::vector<SymbolExpr>& exprs = symbols_.exprs();
  std::vector<bool> done(exprs.size());
  std::vector<Action> actions;
  const auto add = [&](ops::ExprId id) {
    if (exprs[id].op <= SymbolOp::Symbol || is_late_[id] != late || done[id]) return false;
    done[id] = true;
    return true;
  };
  const auto compute = [&](ops::ExprId id) {
    std::vector<ops::ExprId> needed;
    if (add(id)) needed.push_back(id);
    for (size_t k = 0; k < needed.size(); ++k) {
      const SymbolExpr& e = exprs[needed[k]];
      if (add(e.a)) needed.push_back(e.a);
      if (e.b < needed[k] && add(e.b)) needed.push_back(e.b);
    }
    std::ranges::sort(needed);
    for (ops::ExprId id : needed) actions.push_back({id});
  };
  for (const ops::SymbolGuard& guard : symbols_.guards()) {
    if (is_late_[guard.condition] != late) continue;
    compute(guard.condition);
    actions.push_back({guard.condition, &guard});
  }
  for (ops::ExprId i = 0; i < exprs.size(); ++i) compute(i);
  return actions;
}

const Prologue::Action* Prologue::run(const std::vector<Action>& actions, std::span<int64_t> values) const {
  for (const Action& action : actions) {
    const bool done = action.guard ? (values[action.expr] != 0) == action.guard->outcome
                                   : symbols_.compute(action.expr, values, &values[action.expr]);
    if (!done) return &action;
  }
  return nullptr;
}

// The symbols that are sizes of arguments; false if a dtype, rank or constant size disagrees.
bool Prologue::take_sizes(std::span<const Argument> arguments, std::span<int64_t> values,
                          std::vector<bool>* known) const {
  const std::vector<SymbolExpr>& exprs = symbols_.exprs();
  for (size_t i = 0; i < params_.size(); ++i) {
    const ops::Type& type = params_[i];
    if (!type.is_tensor()) continue;
    const ops::Tensor& t = *arguments[i].tensor;
    if (t.dtype() != type.dtype || t.rank() != type.dims.size()) return false;
    for (size_t axis = 0; axis < t.rank(); ++axis) {
      const ops::Dim& d = type.dims[axis];
      const int64_t size = t.shape()[axis];
      if (!d.symbolic() && size != d.hint()) return false;
      if (!d.symbolic() || exprs[d.expr].op != SymbolOp::Symbol || is_late_[d.expr]) continue;
      if (size < 2 || ((*known)[d.expr] && values[d.expr] != size)) return false;
      values[d.expr] = size;
      (*known)[d.expr] = true;
    }
  }
  return true;
}

bool Prologue::sizes_agree(std::span<const Argument> arguments, std::span<const int64_t> values, bool late) const {
  for (size_t i = 0; i < params_.size(); ++i) {
    const ops::Dims& dims = params_[i].dims;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if (!dims[axis].symbolic() || is_late_[dims[axis].expr] != late) continue;
      if (values[dims[axis].expr] != arguments[i].tensor->shape()[axis]) return false;
    }
  }
  return true;
}

std::vector<int64_t> Prologue::early(std::span<const Argument> arguments) const {
  const std::vector<SymbolExpr>& exprs = symbols_.exprs();
  std::vector<int64_t> values(exprs.size());
  std::vector<bool> known(exprs.size());
  if (!take_sizes(arguments, values, &known)) return {};
  for (ops::ExprId i = 0; i < exprs.size(); ++i) {
    const SymbolExpr& e = exprs[i];
    if (e.op == SymbolOp::Const || (e.op == SymbolOp::Symbol && !known[i])) values[i] = e.hint;
  }
  if (run(early_, values) || !sizes_agree(arguments, values, false)) return {};
  return values;
}

Prologue::Refusal Prologue::refusal(std::span<const Argument> arguments, std::span<const std::string> names) const {
  for (size_t i = 0; i < params_.size(); ++i) {
    if (!params_[i].is_tensor()) continue;
    const ops::Tensor& t = *arguments[i].tensor;
    const ops::Type& type = params_[i];
    bool fits = t.dtype() == type.dtype && t.rank() == type.dims.size();
    for (size_t axis = 0; fits && axis < t.rank(); ++axis)
      fits = type.dims[axis].symbolic() ? t.shape()[axis] > 1 : t.shape()[axis] == type.dims[axis].hint();
    if (!fits)
      return {names[i] + " is " + to_string(type, symbols_),
              to_string(ops::Type::tensor(t.dtype(), ops::dims(t.shape())))};
  }
  std::vector<int64_t> values(symbols_.exprs().size());
  std::vector<bool> known(values.size());
  take_sizes(arguments, values, &known);
  for (size_t i : symbol_params_) values[params_[i].expr] = static_cast<int64_t>(arguments[i].bits);
  for (ops::ExprId i = 0; i < values.size(); ++i)
    if (symbols_.is_constant(i)) values[i] = symbols_.exprs()[i].hint;
  const Action* failed = run(early_, values);
  if (!failed) failed = run(late_, values);
  if (!failed) return {"sizes agree with each other", "other sizes"};
  const std::string met = symbols_.symbols_in(failed->expr, values);
  if (!failed->guard) return {symbols_.python(failed->expr) + " is a number of 64 bits", met};
  return {symbols_.python(*failed->guard), met, failed->guard->file, failed->guard->line};
}

bool Prologue::late(std::span<const Argument> arguments, std::span<int64_t> values) const {
  for (size_t i : symbol_params_) values[params_[i].expr] = static_cast<int64_t>(arguments[i].bits);
  return !run(late_, values) && (!late_sizes_ || sizes_agree(arguments, values, true));
}

void Prologue::complete(std::span<Argument> arguments, std::span<const int64_t> values) const {
  for (size_t i : computed_) arguments[i].bits = static_cast<uint64_t>(values[params_[i].expr]);
}

}  // namespace ember::vm
