// Numbers of a function that is being captured, which behave as Python's numbers do, of class bool, int or float. Most
// are expressions of sizes and other numbers that come with a call: these are as if known, and what Python decides by
// them becomes a guard (symbolic.h). What comes from the elements of a Tensor is a run-time value of the graph: an
// operation stays in the graph where 64 bits hold what Python computes, and Python cannot consume it.
#include <algorithm>
#include <string_view>

#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/capture/symbolic.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

bool plain(PyObject* o) { return is_number(o) || PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyBool_Check(o); }

// Of an object that has its own idea of what operators do, and has had its turn or will have it.
bool of_users_class(PyObject* o) {
  return PyType_HasFeature(Py_TYPE(o), Py_TPFLAGS_HEAPTYPE) && !PyLong_Check(o) && !PyFloat_Check(o) &&
         !PyObject_CheckBuffer(o);
}

[[noreturn]] void refuse_value() {
  raise(
      capture_error,
      "a number that depends on the elements of a Tensor, or is mutable(), was used where Python needs its value while "
      "the function is being captured into a graph: compute with Tensors there, or do it outside the function.");
}
Object value_of(PyObject* o) {
  if (!is_number(o)) return Object::borrow(o);
  if (!is_symbolic(o)) refuse_value();
  return pinned_value(o);
}

enum class Rule { Sum, Product, Divide, Floor, Power, Bits, Compare };

bool known(PyObject* o) { return !is_number(o) || is_symbolic(o); }
bool integral(PyObject* o) { return is_number(o) ? as_number(o)->kind != ops::Kind::Float : PyLong_Check(o); }
bool boolean(PyObject* o) { return is_number(o) ? as_number(o)->kind == ops::Kind::Bool : PyBool_Check(o); }
size_t bits_of(PyObject* o) { return is_number(o) ? as_number(o)->bits : _PyLong_NumBits(o); }

size_t result_bits(PyObject* a, PyObject* b, Rule rule) {
  if (rule == Rule::Sum) return std::max(bits_of(a), bits_of(b)) + 1;
  return rule == Rule::Product ? bits_of(a) + bits_of(b) : std::max(bits_of(a), bits_of(b));
}

// Whether 64 bits hold what Python computes. Integers of up to 53 bits are float64s.
bool exact(PyObject* a, PyObject* b, Rule rule) {
  for (PyObject* o : {a, b})
    if (!is_number(o) && integral(o) && bits_of(o) > 62) return false;
  if (rule == Rule::Power) return false;
  if (integral(a) && integral(b)) {
    if (boolean(a) && boolean(b) && rule < Rule::Bits) return false;
    return result_bits(a, b, rule) <= (rule == Rule::Divide ? 53 : 62);
  }
  if (rule == Rule::Compare) return (!integral(a) || bits_of(a) <= 53) && (!integral(b) || bits_of(b) <= 53);
  return rule < Rule::Floor;
}

bool is_large(PyObject* o) { return !is_number(o) && bits_of(o) > 62; }

// A symbolic int as one of few bits, or pinned.
Object bounded_number(PyObject* o) { return is_symbolic(o) ? as_number(o)->capture->bounded(o) : Object::borrow(o); }

using SymbolicRule = Object (*)(PyObject* a, PyObject* b);

// What a loop, a condition or a function that calls itself carries has no bound. A small number may be added to it all
// the same, as counters do, which take ages to come to 2^63; where another sum or product takes it, or it becomes a
// float, it is checked.
Object bounded(PyObject* o, PyObject* other, Rule rule) {
  constexpr size_t kSmall = 16;
  const bool counts = rule == Rule::Sum && !is_number(other) && bits_of(other) <= kSmall;
  if (!is_number(o) || !integral(o) || bits_of(o) <= (rule <= Rule::Product ? 62 : 53) || counts)
    return Object::borrow(o);
  return known(o) ? value_of(o) : as_number(o)->capture->to_int(o);
}

// Why a graph does not compute what Python does; nullptr if it does.
const char* refusal(PyObject* a, PyObject* b, Rule rule) {
  const bool integers = integral(a) && integral(b);
  if (rule == Rule::Power) return "a number that is known at run time alone is one of a `**`";
  if (rule == Rule::Floor && !integers) return "a float that is known at run time alone is one of a `//` or `%`";
  if (rule == Rule::Compare && !integers)
    return exact(a, b, rule) ? nullptr : "an integer of more than 53 bits is compared with a float";
  if (rule >= Rule::Bits || !integers || exact(a, b, rule)) return nullptr;
  return is_large(a) || is_large(b) || std::max(bits_of(a), bits_of(b)) <= 62
             ? "an integer that is known at run time alone may take more than 64 bits"
             : nullptr;
}

// The divisor's value, which is pinned: a graph does not raise ZeroDivisionError.
Object divisor(PyObject* a, PyObject* b, binaryfunc python) {
  if (!known(b))
    raise(capture_error,
          "a number is divided by one that is computed from a Tensor, which a graph does not check for zero: divide "
          "Tensors instead.");
  Object value = value_of(b);
  if (PyObject_IsTrue(value.get()) == 0) check(python(value_of(a).get(), value.get()));
  return value;
}

// A number that has been, or is, an operand of what a graph computes.
Object of_graph(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc python, Rule rule) {
  const Object held[] = {bounded_number(a), bounded_number(b)};
  a = held[0].get(), b = held[1].get();
  Object left, right, divides;
  if (integral(a) && integral(b) ? rule <= Rule::Divide : rule == Rule::Compare) {
    left = bounded(a, b, rule);
    right = bounded(b, a, rule);
    a = left.get(), b = right.get();
  }
  if (const char* why = refusal(a, b, rule))
    raise(capture_error, std::string(why) + ", which Python does in steps of its own: compute with Tensors.");
  if (rule == Rule::Divide || rule == Rule::Floor) b = (divides = divisor(a, b, python)).get();
  if (!is_number(a) && !is_number(b)) return check(python(a, b));
  Object result = dispatch(op, {a, b});
  if (!integral(a) || !integral(b) || !is_number(result.get()) || rule >= Rule::Bits) return result;
  const size_t bits = result_bits(a, b, rule);
  if (bits <= 62) as_number(result.get())->bits = static_cast<uint8_t>(bits);
  return result;
}

Object of_numbers(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc python, Rule rule, SymbolicRule symbolic) {
  if (!known(a) || !known(b)) return of_graph(op, a, b, python, rule);
  if (!is_symbolic(a) && !is_symbolic(b)) return check(python(a, b));
  return symbolic(a, b);
}

// Where Python's classes have no such operation either, the statement that asks for it says so, in its own words.
template <class Compute>
PyObject* operation(Compute compute) {
  PyObject* result = guarded(compute);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  const Object text = Object::own(PyObject_Str(value));
  const char* said = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  const std::string_view words = said ? said : "";
  if (words.starts_with("unsupported operand type(s) for") || words.find("not supported between instances of") < 8) {
    for (PyObject* part : {type, value, traceback}) Py_XDECREF(part);
    return Py_NewRef(Py_NotImplemented);
  }
  PyErr_Restore(type, value, traceback);
  return nullptr;
}

PyObject* binary(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc python, Rule rule, SymbolicRule symbolic) {
  return operation([&]() -> PyObject* {
    if (is_tensor(a) || is_tensor(b)) return dispatch(op, {a, b}).release();
    if (plain(a) && plain(b)) return of_numbers(op, a, b, python, rule, symbolic).release();
    if (of_users_class(a) || of_users_class(b)) return Py_NewRef(Py_NotImplemented);
    return check(python(value_of(a).get(), value_of(b).get())).release();
  });
}

#define BINARY(slot, name, python, rule, symbolic)   \
  PyObject* slot(PyObject* a, PyObject* b) {         \
    static const ops::Op& op = ops::op(name);        \
    return binary(op, a, b, python, rule, symbolic); \
  }
BINARY(slot_add, "add", PyNumber_Add, Rule::Sum, add_numbers)
BINARY(slot_subtract, "sub", PyNumber_Subtract, Rule::Sum, subtract_numbers)
BINARY(slot_multiply, "mul", PyNumber_Multiply, Rule::Product, multiply_numbers)
BINARY(slot_divide, "div", PyNumber_TrueDivide, Rule::Divide, divide_numbers)
BINARY(slot_floor_divide, "floor_div", PyNumber_FloorDivide, Rule::Floor, floor_divide_numbers)
BINARY(slot_remainder, "floor_mod", PyNumber_Remainder, Rule::Floor, remainder_of_numbers)

PyObject* python_power(PyObject* a, PyObject* b) { return PyNumber_Power(a, b, Py_None); }

PyObject* slot_power(PyObject* a, PyObject* b, PyObject* modulus) {
  static const ops::Op& op = ops::op("pow");
  if (modulus != Py_None)
    return operation(
        [&] { return check(PyNumber_Power(value_of(a).get(), value_of(b).get(), value_of(modulus).get())).release(); });
  return binary(op, a, b, python_power, Rule::Power, [](PyObject* x, PyObject* y) {
    return by_operator("pow", {x, y});
  });
}

template <const char* kName>
Object by_operator_named(PyObject* a, PyObject* b) {
  return by_operator(kName, {a, b});
}
constexpr char kAnd[] = "and_", kOr[] = "or_", kXor[] = "xor", kLeft[] = "lshift", kRight[] = "rshift";

PyObject* bitwise(PyObject* a, PyObject* b, const char* logical_name, const char* name, binaryfunc python,
                  SymbolicRule symbolic) {
  return guarded([&] {
    return binary(ops::op(boolean(a) && boolean(b) ? logical_name : name), a, b, python, Rule::Bits, symbolic);
  });
}
PyObject* slot_and(PyObject* a, PyObject* b) {
  return bitwise(a, b, "logical_and", "bitwise_and", PyNumber_And, by_operator_named<kAnd>);
}
PyObject* slot_or(PyObject* a, PyObject* b) {
  return bitwise(a, b, "logical_or", "bitwise_or", PyNumber_Or, by_operator_named<kOr>);
}
PyObject* slot_xor(PyObject* a, PyObject* b) {
  return bitwise(a, b, "logical_xor", "bitwise_xor", PyNumber_Xor, by_operator_named<kXor>);
}

template <int kComparison>
PyObject* rich_compare(PyObject* a, PyObject* b) {
  return PyObject_RichCompare(a, b, kComparison);
}
template <int kComparison>
Object compare_symbolic(PyObject* a, PyObject* b) {
  return compare_numbers(a, b, kComparison);
}
PyObject* slot_compare(PyObject* a, PyObject* b, int comparison) {
  static const ops::Op* const table[] = {&ops::op("less"),      &ops::op("less_equal"), &ops::op("equal"),
                                         &ops::op("not_equal"), &ops::op("greater"),    &ops::op("greater_equal")};
  static constexpr binaryfunc python[] = {rich_compare<0>, rich_compare<1>, rich_compare<2>,
                                          rich_compare<3>, rich_compare<4>, rich_compare<5>};
  const bool equality = comparison == Py_EQ || comparison == Py_NE;
  if (equality && (b == Py_None || PyUnicode_Check(b))) return PyBool_FromLong(comparison == Py_NE);
  static constexpr SymbolicRule symbolic[] = {compare_symbolic<0>, compare_symbolic<1>, compare_symbolic<2>,
                                              compare_symbolic<3>, compare_symbolic<4>, compare_symbolic<5>};
  return binary(*table[comparison], a, b, python[comparison], Rule::Compare, symbolic[comparison]);
}

// What Python computes always.
template <auto kPython>
PyObject* by_python(PyObject* operand) {
  return guarded([&] { return check(kPython(value_of(operand).get())).release(); });
}

// Shifts, which a graph has not.
template <auto kPython, const char* kName>
PyObject* shift(PyObject* a, PyObject* b) {
  return operation([&] {
    if (plain(a) && plain(b) && known(a) && known(b)) return by_operator(kName, {a, b}).release();
    return check(kPython(value_of(a).get(), value_of(b).get())).release();
  });
}

PyObject* slot_divmod(PyObject* a, PyObject* b) {
  return operation([&]() -> PyObject* {
    if (!plain(a) || !plain(b) || !known(a) || !known(b))
      return check(PyNumber_Divmod(value_of(a).get(), value_of(b).get())).release();
    try {
      const Object quotient = floor_divide_numbers(a, b), remainder = remainder_of_numbers(a, b);
      return check(PyTuple_Pack(2, quotient.get(), remainder.get())).release();
    } catch (const PythonError&) {
      if (!PyErr_ExceptionMatches(PyExc_ZeroDivisionError)) throw;
      PyErr_Clear();
      return check(PyNumber_Divmod(value_of(a).get(), value_of(b).get())).release();  // whose words are its own
    }
  });
}

PyObject* unary(const ops::Op& op, PyObject* a, const char* name) {
  return guarded([&] {
    if (is_symbolic(a)) return by_operator(name, {a}).release();
    Object result = dispatch(op, {a});
    if (is_number(result.get())) as_number(result.get())->bits = as_number(a)->bits;
    return result.release();
  });
}
PyObject* slot_negative(PyObject* a) {
  if (!is_symbolic(a)) return unary(ops::op("neg"), a, "neg");
  return guarded([&] { return negated_number(a).release(); });
}
PyObject* slot_absolute(PyObject* a) { return unary(ops::op("abs"), a, "abs"); }
PyObject* slot_invert(PyObject* a) {
  if (!is_symbolic(a) && as_number(a)->kind == ops::Kind::Float) return by_python<PyNumber_Invert>(a);
  return guarded([&] { return unary(ops::op("invert"), a, "invert"); });
}
PyObject* slot_positive(PyObject* a) {
  if (!is_symbolic(a)) return by_python<PyNumber_Positive>(a);
  return guarded(
      [&] { return as_number(a)->kind == ops::Kind::Float ? Py_NewRef(a) : number_as(ops::Kind::Int, a).release(); });
}

PyObject* get_value(PyObject* self, void*) {
  return guarded([&] { return value_of(self).release(); });
}
int slot_bool(PyObject* self) {
  return guarded_int([&] {
    if (!is_symbolic(self)) refuse_value();
    return decide_truth(self) ? 1 : 0;
  });
}
PyNumberMethods slots() {
  PyNumberMethods m = {};
  m.nb_add = slot_add;
  m.nb_subtract = slot_subtract;
  m.nb_multiply = slot_multiply;
  m.nb_true_divide = slot_divide;
  m.nb_floor_divide = slot_floor_divide;
  m.nb_remainder = slot_remainder;
  m.nb_divmod = slot_divmod;
  m.nb_power = slot_power;
  m.nb_lshift = shift<PyNumber_Lshift, kLeft>;
  m.nb_rshift = shift<PyNumber_Rshift, kRight>;
  m.nb_negative = slot_negative;
  m.nb_positive = slot_positive;
  m.nb_absolute = slot_absolute;
  m.nb_and = slot_and;
  m.nb_or = slot_or;
  m.nb_xor = slot_xor;
  m.nb_invert = slot_invert;
  m.nb_bool = slot_bool;
  m.nb_int = by_python<PyNumber_Long>;
  m.nb_float = by_python<PyNumber_Float>;
  return m;
}
PyNumberMethods number_slots = slots();

PyNumberMethods index_slot() {
  PyNumberMethods m = {};
  m.nb_index = by_python<PyNumber_Index>;
  return m;
}
PyNumberMethods integer_slots = index_slot();
PyNumberMethods float_slots = {};

Py_hash_t number_hash(PyObject* self) {
  Object value = Object::own(get_value(self, nullptr));
  return value ? PyObject_Hash(value.get()) : -1;
}

constexpr size_t index_of(ops::Kind kind) { return static_cast<size_t>(kind) - static_cast<size_t>(ops::Kind::Bool); }

PyTypeObject* class_of(PyObject* self) {
  PyTypeObject* const types[] = {&PyBool_Type, &PyLong_Type, &PyFloat_Type};
  return types[index_of(as_number(self)->kind)];
}

// Other attributes are those of the value; so are special methods that are not asked for by operators.
PyObject* get_attribute(PyObject* self, PyObject* name) {
  static const Object of_class = check(PyUnicode_InternFromString("__class__"));
  const char* text = PyUnicode_AsUTF8(name);
  if (!text) return nullptr;
  const bool special = std::string_view(text).starts_with("__") && name != of_class.get();
  PyObject* attribute = special ? nullptr : PyObject_GenericGetAttr(self, name);
  if (attribute || (!special && !PyErr_ExceptionMatches(PyExc_AttributeError))) return attribute;
  if (!PyObject_HasAttr(reinterpret_cast<PyObject*>(class_of(self)), name)) {
    PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%U'", class_of(self)->tp_name, name);
    return nullptr;
  }
  PyErr_Clear();
  Object value = Object::own(get_value(self, nullptr));
  return value ? PyObject_GetAttr(value.get(), name) : nullptr;
}

void number_dealloc(PyObject* self) {
  as_number(self)->capture.~shared_ptr();
  Py_TYPE(self)->tp_free(self);
}

PyObject* get_known(PyObject* self, void*) { return PyBool_FromLong(is_symbolic(self)); }
PyObject* get_expression(PyObject* self, void*) { return PyLong_FromUnsignedLong(as_number(self)->expr); }
PyObject* get_hint(PyObject* self, void*) {
  return guarded([&] {
    if (!is_symbolic(self)) refuse_value();
    return hint_of(self).release();
  });
}
PyObject* get_kind(PyObject* self, void*) { return PyUnicode_FromString(class_of(self)->tp_name); }
PyObject* get_class(PyObject* self, void*) { return Py_NewRef(class_of(self)); }
PyGetSetDef number_getset[] = {{"__class__", get_class, nullptr, "The type that isinstance() sees.", nullptr},
                               {"known", get_known, nullptr, "Whether Python may consume it.", nullptr},
                               {"expression", get_expression, nullptr, "Its number in the table of symbols.", nullptr},
                               {"hint", get_hint, nullptr, "Its value in this call, for no decision.", nullptr},
                               {"kind", get_kind, nullptr, "bool, int or float.", nullptr},
                               {"value", get_value, nullptr, "Its value in this call, which is pinned.", nullptr},
                               {nullptr, nullptr, nullptr, nullptr, nullptr}};

// A special method that Python looks up on the type.
template <const char* kName>
PyObject* method_of_value(PyObject* self, PyObject* args) {
  return guarded([&] {
    Object method = check(PyObject_GetAttrString(value_of(self).get(), kName));
    return check(PyObject_CallObject(method.get(), args)).release();
  });
}
constexpr char kFormat[] = "__format__", kTrunc[] = "__trunc__", kFloor[] = "__floor__", kCeil[] = "__ceil__";

PyObject* round_number(PyObject* self, PyObject* digits) {
  return guarded([&] {
    static PyObject* const function =
        check(PyObject_GetAttrString(check(PyImport_ImportModule("builtins")).get(), "round")).release();
    if (PyTuple_GET_SIZE(digits) > 1) raise(PyExc_TypeError, "round() takes a number and its digits");
    PyObject* const operands[] = {self, PyTuple_GET_SIZE(digits) ? PyTuple_GET_ITEM(digits, 0) : nullptr};
    const std::span<PyObject* const> arguments(operands, operands[1] && operands[1] != Py_None ? 2 : 1);
    if (is_symbolic(self) && (arguments.size() == 1 || known(operands[1])))
      return compute_number(function, arguments).release();
    std::vector<Object> values;
    for (PyObject* o : arguments) values.push_back(value_of(o));
    return check(PyObject_Vectorcall(function, pointers(values).data(), values.size(), nullptr)).release();
  });
}

// The same number, of which the graph does not know the value.
PyObject* run_time(PyObject* self, PyObject*) {
  return guarded(
      [&] { return is_symbolic(self) ? as_number(self)->capture->run_time(self).release() : Py_NewRef(self); });
}

// NumPy's functions see the values: __array_ufunc__(function, method, *inputs, **options).
PyObject* array_ufunc(PyObject*, PyObject* args, PyObject* options) {
  return guarded([&] {
    const Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (count < 2) raise(PyExc_TypeError, "__array_ufunc__ takes a function and the name of its method");
    Object inputs = check(PyTuple_New(count - 2));
    for (Py_ssize_t i = 2; i < count; ++i)
      PyTuple_SET_ITEM(inputs.get(), i - 2, value_of(PyTuple_GET_ITEM(args, i)).release());
    Object method = check(PyObject_GetAttr(PyTuple_GET_ITEM(args, 0), PyTuple_GET_ITEM(args, 1)));
    return check(PyObject_Call(method.get(), inputs.get(), options)).release();
  });
}

#define METHOD(name) \
  { name, method_of_value<name>, METH_VARARGS, "That of its value." }
PyMethodDef number_methods[] = {METHOD(kFormat),
                                {"__round__", round_number, METH_VARARGS, "What round() gives."},
                                METHOD(kTrunc),
                                METHOD(kFloor),
                                METHOD(kCeil),
                                {"run_time", run_time, METH_NOARGS, "The same number, which is not pinned."},
                                {"__array_ufunc__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(array_ufunc)),
                                 METH_VARARGS | METH_KEYWORDS, "Calls a function of NumPy with values."},
                                {nullptr, nullptr, 0, nullptr}};

PyTypeObject number_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Number";
  type.tp_basicsize = sizeof(PyNumber);
  type.tp_dealloc = number_dealloc;
  type.tp_repr = by_python<PyObject_Repr>;
  type.tp_str = by_python<PyObject_Str>;
  type.tp_as_number = &number_slots;
  type.tp_hash = number_hash;
  type.tp_getattro = get_attribute;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_doc = "A number of a function that is being captured.";
  type.tp_richcompare = slot_compare;
  type.tp_methods = number_methods;
  type.tp_getset = number_getset;
  return type;
}

// One for each kind, so that Python's messages name the class that the user knows, and floats are no indices.
PyTypeObject type_of_kind(const char* name, PyNumberMethods& slots) {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = name;
  type.tp_base = &NumberType;
  type.tp_as_number = &slots;
  type.tp_basicsize = sizeof(PyNumber);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  return type;
}
PyTypeObject types_of_kinds[] = {type_of_kind("bool", integer_slots), type_of_kind("int", integer_slots),
                                 type_of_kind("float", float_slots)};

}  // namespace

PyTypeObject NumberType = number_type();

Object new_number(ops::Kind kind) {
  PyTypeObject& type = types_of_kinds[index_of(kind)];
  Object number = check(type.tp_alloc(&type, 0));
  PyNumber* n = as_number(number.get());
  new (&n->capture) std::shared_ptr<Capture>();
  n->kind = kind;
  return number;
}

// The module's Number and, of its subclasses, NUMBERS.
void add_numbers(PyObject* module) {
  check(PyType_Ready(&NumberType));
  for (PyTypeObject& type : types_of_kinds) check(PyType_Ready(&type));
  check(PyModule_AddObjectRef(module, "Number", reinterpret_cast<PyObject*>(&NumberType)));
  const Object all = check(PyTuple_Pack(3, &types_of_kinds[0], &types_of_kinds[1], &types_of_kinds[2]));
  check(PyModule_AddObjectRef(module, "NUMBERS", all.get()));
}

}  // namespace ember::python
