#include "python/src/capture/symbolic.h"

#include <bit>
#include <map>
#include <memory>

#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

using ops::ExprId;
using ops::ScalarKind;
using ops::SymbolOp;
using ops::SymbolTable;

constexpr int64_t kExactFloat = int64_t{1} << 53;

std::optional<ScalarKind> kind_of(PyObject* o) {
  if (PyBool_Check(o)) return ScalarKind::Bool;
  if (PyFloat_CheckExact(o)) return ScalarKind::Float;
  if (PyLong_CheckExact(o)) return ScalarKind::Int;
  return {};
}

// False where 64 bits do not hold it.
bool bits_of(PyObject* o, int64_t* bits) {
  if (PyFloat_CheckExact(o)) {
    *bits = std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(o));
    return true;
  }
  int overflow = 0;
  *bits = PyLong_AsLongLongAndOverflow(o, &overflow);
  return overflow == 0;
}

Object from_bits(ScalarKind kind, int64_t bits) {
  if (kind == ScalarKind::Bool) return Object::borrow(bits ? Py_True : Py_False);
  if (kind == ScalarKind::Int) return check(PyLong_FromLongLong(bits));
  return check(PyFloat_FromDouble(std::bit_cast<double>(bits)));
}

class PythonFunction final : public ops::NumberFunction {
 public:
  explicit PythonFunction(PyObject* function) : function_(Object::borrow(function)) {
    const Object module = Object::own(PyObject_GetAttrString(function, "__module__"));
    const Object name = Object::own(PyObject_GetAttrString(function, "__qualname__"));
    PyErr_Clear();
    const bool known = module && name && PyUnicode_Check(module.get()) && PyUnicode_Check(name.get());
    const std::string prefix = known ? text(module.get()) : "";
    name_ = !known ? "a function" : prefix == "builtins" ? text(name.get()) : prefix + "." + text(name.get());
    if (name_.starts_with("_")) name_.erase(0, 1);
  }
  const std::string& name() const override { return name_; }
  bool compute(std::span<const std::pair<ScalarKind, int64_t>> operands, ScalarKind kind, int64_t* out) const override {
    Object boxed[2];
    PyObject* arguments[2];
    for (size_t i = 0; i < operands.size(); ++i) {
      boxed[i] = from_bits(operands[i].first, operands[i].second);
      arguments[i] = boxed[i].get();
    }
    const Object result = Object::own(PyObject_Vectorcall(function_.get(), arguments, operands.size(), nullptr));
    if (!result) PyErr_Clear();
    return result && kind_of(result.get()) == kind && bits_of(result.get(), out);
  }

 private:
  Object function_;
  std::string name_;
};

// They live for ever, as what captured graphs call.
const PythonFunction& number_function(PyObject* function) {
  static auto& all = *new std::map<PyObject*, std::unique_ptr<PythonFunction>>;
  std::unique_ptr<PythonFunction>& entry = all[function];
  if (!entry) entry = std::make_unique<PythonFunction>(function);
  return *entry;
}

Capture& capture_of(std::span<PyObject* const> operands) {
  for (PyObject* o : operands)
    if (is_symbolic(o)) return *as_number(o)->capture;
  throw std::logic_error("no symbolic number among the operands");
}

ExprId expr_of(SymbolTable& table, PyObject* o) {
  if (is_number(o)) return as_number(o)->expr;
  int64_t bits = 0;
  bits_of(o, &bits);
  return table.constant(*kind_of(o), bits);
}

ScalarKind kind_in(const SymbolTable& table, ExprId id) { return table.exprs()[id].kind; }

// As an int or a float, of a bool or an int of up to 53 bits.
ExprId as_kind(SymbolTable& table, ExprId id, ScalarKind kind) {
  if (kind_in(table, id) == ScalarKind::Bool) id = table.unary(SymbolOp::ToInt, id);
  return kind_in(table, id) == kind ? id : table.unary(SymbolOp::ToFloat, id);
}

bool is_exact(const SymbolTable& table, ExprId id) {
  const int64_t hint = table.exprs()[id].hint;
  return kind_in(table, id) != ScalarKind::Int || (hint >= -kExactFloat && hint <= kExactFloat);
}

// What both are computed as; nothing if that would not be exact.
std::optional<ScalarKind> common_kind(const SymbolTable& table, ExprId a, ExprId b) {
  const bool floats = kind_in(table, a) == ScalarKind::Float || kind_in(table, b) == ScalarKind::Float;
  if (!floats) return ScalarKind::Int;
  if (!is_exact(table, a) || !is_exact(table, b)) return {};
  return ScalarKind::Float;
}

// By an operation of the table on operands of the kind that they have in common, or as floats; nothing if that has no
// such operation, or gives not what Python does.
Object natively(SymbolOp op, PyObject* a, PyObject* b, bool as_floats = false) {
  if (!(is_number(a) || is_plain_number(a)) || !(is_number(b) || is_plain_number(b))) return {};
  Capture& capture = capture_of(std::array{a, b});
  SymbolTable& table = capture.symbols();
  const ExprId x = expr_of(table, a), y = expr_of(table, b);
  std::optional<ScalarKind> kind = common_kind(table, x, y);
  if (kind && as_floats)
    kind = is_exact(table, x) && is_exact(table, y) ? std::optional(ScalarKind::Float) : std::nullopt;
  if (!kind || !takes(op, *kind)) return {};
  try {
    return capture.number_of(table.binary(op, as_kind(table, x, *kind), as_kind(table, y, *kind)));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

bool is_float(PyObject* o) { return is_number(o) ? as_number(o)->kind == ops::Kind::Float : PyFloat_Check(o); }

PyObject* operator_named(const char* name) {
  static auto& all = *new std::map<std::string, Object>;
  Object& function = all[name];
  if (!function) function = check(PyObject_GetAttrString(check(PyImport_ImportModule("_operator")).get(), name));
  return function.get();
}

}  // namespace

bool is_symbolic(PyObject* o) { return is_number(o) && as_number(o)->expr != 0; }

bool is_plain_number(PyObject* o) {
  int64_t bits = 0;
  return kind_of(o) && bits_of(o, &bits);
}

Object hint_of(PyObject* o) {
  if (!is_symbolic(o)) return Object::borrow(o);
  const ops::SymbolExpr& e = as_number(o)->capture->symbols().exprs()[as_number(o)->expr];
  return from_bits(e.kind, e.hint);
}

Object pinned_value(PyObject* o) {
  if (is_symbolic(o)) as_number(o)->capture->pin(as_number(o)->expr);
  return hint_of(o);
}

Object compute_number(PyObject* function, std::span<PyObject* const> operands) {
  Capture& capture = capture_of(operands);
  std::vector<Object> hints;
  std::vector<ExprId> exprs;
  bool plain = operands.size() <= 2;
  for (PyObject* o : operands) {
    hints.push_back(hint_of(o));
    plain = plain && is_plain_number(hints.back().get());
  }
  const Object result = Object::own(PyObject_Vectorcall(function, pointers(hints).data(), hints.size(), nullptr));
  int64_t bits = 0;
  if (!plain || !result || !is_plain_number(result.get()) || !bits_of(result.get(), &bits)) {
    for (PyObject* o : operands) pinned_value(o);
    return check(Object(result).release());
  }
  for (PyObject* o : operands) exprs.push_back(expr_of(capture.symbols(), o));
  return capture.number_of(capture.symbols().call(number_function(function), exprs, *kind_of(result.get()), bits));
}

Object by_operator(const char* name, std::initializer_list<PyObject*> operands) {
  return compute_number(operator_named(name), std::span<PyObject* const>(operands.begin(), operands.size()));
}

Object add_numbers(PyObject* a, PyObject* b) {
  Object number = natively(SymbolOp::Add, a, b);
  return number ? number : by_operator("add", {a, b});
}
Object subtract_numbers(PyObject* a, PyObject* b) {
  Object number = natively(SymbolOp::Sub, a, b);
  return number ? number : by_operator("sub", {a, b});
}
Object multiply_numbers(PyObject* a, PyObject* b) {
  Object number = natively(SymbolOp::Mul, a, b);
  return number ? number : by_operator("mul", {a, b});
}
Object divide_numbers(PyObject* a, PyObject* b) {
  Object number = natively(SymbolOp::Div, a, b, true);
  return number ? number : by_operator("truediv", {a, b});
}
Object floor_divide_numbers(PyObject* a, PyObject* b) {
  Object number = is_float(a) || is_float(b) ? Object() : natively(SymbolOp::Div, a, b);
  return number ? number : by_operator("floordiv", {a, b});
}
Object remainder_of_numbers(PyObject* a, PyObject* b) {
  Object number = natively(SymbolOp::Mod, a, b);
  return number ? number : by_operator("mod", {a, b});
}
Object negated_number(PyObject* a) {
  PyNumber* n = as_number(a);
  SymbolTable& table = n->capture->symbols();
  try {
    const ExprId id = n->kind == ops::Kind::Bool ? table.unary(SymbolOp::ToInt, n->expr) : n->expr;
    return n->capture->number_of(table.unary(SymbolOp::Neg, id));
  } catch (const std::invalid_argument&) {
    return by_operator("neg", {a});
  }
}

Object least_or_greatest(PyObject* a, PyObject* b, bool least) {
  return natively(least ? SymbolOp::Min : SymbolOp::Max, a, b);
}

Object compare_numbers(PyObject* a, PyObject* b, int comparison) {
  const bool swapped = comparison == Py_GT || comparison == Py_GE;
  const SymbolOp op = comparison == Py_EQ || comparison == Py_NE   ? SymbolOp::Equal
                      : comparison == Py_LT || comparison == Py_GT ? SymbolOp::Less
                                                                   : SymbolOp::LessEqual;
  Object number = natively(op, swapped ? b : a, swapped ? a : b);
  if (!number) {
    static constexpr const char* kNames[] = {"lt", "le", "eq", "ne", "gt", "ge"};
    return by_operator(kNames[comparison], {a, b});
  }
  if (comparison != Py_NE) return number;
  if (!is_symbolic(number.get())) return Object::borrow(number.get() == Py_True ? Py_False : Py_True);
  Capture& capture = *as_number(number.get())->capture;
  return capture.number_of(capture.symbols().unary(SymbolOp::Not, as_number(number.get())->expr));
}

Object number_as(ops::Kind kind, PyObject* o) {
  if (as_number(o)->kind == kind) return Object::borrow(o);
  Capture& capture = *as_number(o)->capture;
  SymbolTable& table = capture.symbols();
  const ExprId id = as_number(o)->expr;
  if (kind == ops::Kind::Bool) {
    const ScalarKind own = kind_in(table, id);
    const ExprId zero = table.constant(own, 0);  // that of floats is 0.0
    return capture.number_of(table.unary(SymbolOp::Not, table.binary(SymbolOp::Equal, id, zero)));
  }
  const bool integral = as_number(o)->kind != ops::Kind::Float;
  if (integral && (kind == ops::Kind::Int || is_exact(table, id)))
    return capture.number_of(as_kind(table, id, kind == ops::Kind::Int ? ScalarKind::Int : ScalarKind::Float));
  return compute_number(reinterpret_cast<PyObject*>(kind == ops::Kind::Int ? &PyLong_Type : &PyFloat_Type),
                        std::array{o});
}

bool decide_truth(PyObject* o) {
  const Object truth = number_as(ops::Kind::Bool, o);
  if (!is_symbolic(truth.get())) return truth.get() == Py_True;
  return as_number(truth.get())->capture->symbols().decide(as_number(truth.get())->expr);
}

}  // namespace ember::python
