// Numbers of a capture: symbols for those that come with a call, and what of their expressions becomes values of the
// graph.
#include <algorithm>
#include <bit>

#include "python/src/capture/capture.h"

namespace ember::python {

using bytecode::Graph;
using bytecode::ValueId;

ops::ExprId Capture::add_symbol(PyObject* example, ops::Kind kind, const std::string& name) {
  const ops::Value value = lift(example);
  const int64_t bits = std::holds_alternative<double>(value) ? std::bit_cast<int64_t>(std::get<double>(value))
                       : std::holds_alternative<bool>(value) ? int64_t{std::get<bool>(value)}
                                                             : std::get<int64_t>(value);
  const ops::ExprId id = module_.symbols.symbol(ops::scalar_kind(kind), bits, name);
  number_symbols_.push_back(id);
  return id;
}

Object Capture::add_outside(OutsidePlace place, PyObject* example, const std::string& name) {
  Graph& entry = module_.graph(module_.entry);
  if (is_tensor(example)) {
    const ops::Type type = input_type(example, name);
    const Traced traced{levels_.front()->number, entry.add_param(name, type)};
    outside_.push_back({std::move(place), Py_TYPE(example), traced.id});
    outside_tensors_.push_back({wrap_input(traced, type, example), traced});
    return outside_tensors_.back().value;
  }
  const ops::Kind kind = PyBool_Check(example)    ? ops::Kind::Bool
                         : PyFloat_Check(example) ? ops::Kind::Float
                                                  : ops::Kind::Int;
  const ops::ExprId id = add_symbol(example, kind, name);
  const ValueId param = entry.add_param(name, ops::Type::scalar(kind, id));
  numbers_.emplace(id, Traced{levels_.front()->number, param});
  outside_.push_back({std::move(place), Py_TYPE(example), param});
  return number_of(id);
}

void Capture::add_alias(OutsidePlace place, PyObject* input) {
  for (const std::vector<Input>* inputs : {&inputs_, &outside_tensors_})
    for (const Input& known : *inputs)
      if (known.value.get() == input) {
        aliases_.emplace_back(std::move(place), known.traced.id);
        return;
      }
  raise(capture_error, "a Tensor from outside is no input of this graph.");
}

std::vector<OutsideAlias> Capture::aliases() const {
  const std::vector<ValueId>& params = module_.graph(module_.entry).params;
  std::vector<OutsideAlias> aliases;
  for (const auto& [place, param] : aliases_)
    aliases.push_back({place, static_cast<size_t>(std::ranges::find(params, param) - params.begin())});
  return aliases;
}

Object Capture::add_number(PyObject* example, ops::Kind kind, const std::string& name) {
  const ops::ExprId id = add_symbol(example, kind, name);
  const ops::Value param = builder().param(name, ops::Type::scalar(kind, id));
  numbers_.emplace(id, own(param));
  Object input = number_of(id);
  inputs_.push_back({input, own(param)});
  return input;
}

bool Capture::of_sizes(ops::ExprId id) const {
  const ops::SymbolExpr& e = module_.symbols.exprs()[id];
  if (e.op == ops::SymbolOp::Const) return true;
  if (e.op == ops::SymbolOp::Symbol) return std::ranges::find(number_symbols_, id) == number_symbols_.end();
  return of_sizes(e.a) && (e.b == e.a || e.b >= id || of_sizes(e.b));
}

Object Capture::number_of(ops::ExprId id) {
  const ops::SymbolExpr& e = module_.symbols.exprs()[id];
  if (e.op == ops::SymbolOp::Const) {
    if (e.kind == ops::ScalarKind::Float) return check(PyFloat_FromDouble(std::bit_cast<double>(e.hint)));
    if (e.kind == ops::ScalarKind::Bool) return Object::borrow(e.hint ? Py_True : Py_False);
    return check(PyLong_FromLongLong(e.hint));
  }
  Object number = new_number(ops::kind_of(e.kind));
  as_number(number.get())->capture = shared_from_this();
  as_number(number.get())->expr = id;
  as_number(number.get())->bits = e.kind == ops::ScalarKind::Bool ? 1 : kNoBound;
  return number;
}

Traced Capture::traced_of(ops::ExprId id) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return known->second;
  const ops::SymbolExpr& e = module_.symbols.exprs()[id];
  if (of_sizes(id)) return own(builder().size({e.hint, id}));
  Graph& entry = module_.graph(module_.entry);
  const ValueId param =
      entry.add_param("number" + std::to_string(computed_.size()), ops::Type::scalar(ops::kind_of(e.kind), id));
  computed_.push_back(param);
  return numbers_.emplace(id, Traced{levels_.front()->number, param}).first->second;
}

Object Capture::run_time(PyObject* symbolic) {
  Object number = new_number(as_number(symbolic)->kind);
  PyNumber* n = as_number(number.get());
  n->capture = shared_from_this();
  n->traced = traced_of(as_number(symbolic)->expr);
  n->bits = as_number(symbolic)->bits;
  return number;
}

Object Capture::bounded(PyObject* symbolic) {
  const ops::ExprId id = as_number(symbolic)->expr;
  if (as_number(symbolic)->kind != ops::Kind::Int) return Object::borrow(symbolic);
  ops::SymbolTable& table = module_.symbols;
  constexpr int64_t kBound = int64_t{1} << kIntBits;
  const int64_t hint = table.exprs()[id].hint;
  if (hint <= -kBound || hint >= kBound) {
    pin(id);
    return check(PyLong_FromLongLong(hint));
  }
  table.decide(table.binary(ops::SymbolOp::Less, table.constant(-kBound), id));
  table.decide(table.binary(ops::SymbolOp::Less, id, table.constant(kBound)));
  Object number = run_time(symbolic);
  as_number(number.get())->bits = kIntBits;
  return number;
}

std::vector<ops::Kind> Capture::computed_inputs() const {
  std::vector<ops::Kind> kinds;
  for (ValueId param : computed_) kinds.push_back(module_.graph(module_.entry).type(param).kind);
  return kinds;
}

// Arguments, what is hidden, numbers from outside, what is computed.
void Capture::order_params() {
  Graph& entry = module_.graph(module_.entry);
  const auto rank = [&](ValueId param) {
    if (std::ranges::find(computed_, param) != computed_.end()) return 2;
    return std::ranges::find(outside_, param, &OutsideValue::param) != outside_.end() ? 1 : 0;
  };
  std::vector<std::pair<ValueId, std::string>> params;
  for (size_t i = 0; i < entry.params.size(); ++i)
    params.emplace_back(entry.params[i], std::move(entry.param_names[i]));
  std::ranges::stable_sort(params, {}, [&](const auto& param) { return rank(param.first); });
  for (size_t i = 0; i < params.size(); ++i) {
    entry.params[i] = params[i].first;
    entry.param_names[i] = std::move(params[i].second);
  }
}

}  // namespace ember::python
