// Number slots and comparisons of Tensor and of captured numbers: each is an op of the table.
#include <algorithm>

#include "python/src/capture.h"
#include "python/src/convert.h"
#include "python/src/dispatch.h"

namespace ember::python {
namespace {

bool numeric(PyObject* o) { return is_tensor(o) || PyFloat_Check(o) || PyLong_Check(o) || is_number(o); }

// A slot's operand: tensors and numbers as they are, arrays and lists as tensors, anything else is not ours.
Object slot_operand(PyObject* o) {
  if (numeric(o)) return Object::borrow(o);
  if (PyList_Check(o) || PyTuple_Check(o) || (PyObject_CheckBuffer(o) && !PyBytes_Check(o))) return tensor_of_data(o);
  return {};
}

// What Python would compute of two numbers that are known, but a graph's 64 bits might not.
enum class Exact { Sum, Product, Divide, Power, Other };

bool known(PyObject* o) { return !is_number(o) || as_number(o)->known; }
bool integral(PyObject* o) { return is_number(o) ? as_number(o)->kind != ops::Kind::Float : PyLong_Check(o); }
size_t bits_of(PyObject* o) { return is_number(o) ? as_number(o)->bits : _PyLong_NumBits(o); }

// The value now; from then on the arguments it is computed from are pinned.
Object consumed_value(PyObject* o) { return is_number(o) ? check(PyNumber_Positive(o)) : Object::borrow(o); }

size_t result_bits(PyObject* a, PyObject* b, Exact exact) {
  if (exact == Exact::Sum) return std::max(bits_of(a), bits_of(b)) + 1;
  return exact == Exact::Product ? bits_of(a) + bits_of(b) : std::max(bits_of(a), bits_of(b));
}

// Numbers stay run-time values where 64 bits hold what Python would compute: their magnitude has a bound, which calls
// check, and divisors are pinned. Otherwise Python computes, which pins both.
Object scalar(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc python, Exact exact) {
  const bool integers = integral(a) && integral(b);
  const size_t bits = integers ? result_bits(a, b, exact) : kNoBound;
  if (exact == Exact::Divide && !known(b))
    raise(capture_error,
          "a number is divided by one that is computed from a Tensor, which a graph does not check for zero: divide "
          "Tensors instead.");
  Object divisor;
  if (exact == Exact::Divide) {
    divisor = consumed_value(b);
    b = divisor.get();
    if (PyObject_IsTrue(b) == 0) raise(PyExc_ZeroDivisionError, "division by zero");
  }
  const size_t limit = exact == Exact::Divide ? 53 : 62;
  if (known(a) && known(b) && (exact == Exact::Power || (integers && bits > limit)))
    return check(python(consumed_value(a).get(), consumed_value(b).get()));
  if (!is_number(a) && !is_number(b)) return check(python(a, b));
  Object result = dispatch(op, {a, b});
  if (!integers || bits > limit || !is_number(result.get())) return result;
  as_number(result.get())->bits = static_cast<uint8_t>(bits);
  for (PyObject* o : {a, b})
    if (is_number(o)) as_number(o)->capture->bound(as_number(o)->inputs);
  return result;
}

PyObject* binary(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc python = nullptr, Exact exact = Exact::Other) {
  return guarded([&]() -> PyObject* {
    if (python && !is_tensor(a) && !is_tensor(b) && numeric(a) && numeric(b))
      return scalar(op, a, b, python, exact).release();
    Object left = slot_operand(a), right = slot_operand(b);
    if (!left || !right) return Py_NewRef(Py_NotImplemented);
    return dispatch(op, {left.get(), right.get()}).release();
  });
}

PyObject* unary(const ops::Op& op, PyObject* a, unaryfunc python = nullptr) {
  return guarded([&] {
    if (python && is_number(a) && as_number(a)->kind == ops::Kind::Int && as_number(a)->known && bits_of(a) > 62)
      return check(python(consumed_value(a).get())).release();
    Object result = dispatch(op, {a});
    if (is_number(a) && is_number(result.get())) as_number(result.get())->bits = as_number(a)->bits;
    return result.release();
  });
}

#define BINARY(slot, name, ...)                         \
  PyObject* slot(PyObject* a, PyObject* b) {            \
    static const ops::Op& op = ops::op(name);           \
    return binary(op, a, b __VA_OPT__(, ) __VA_ARGS__); \
  }
#define UNARY(slot, name, python)             \
  PyObject* slot(PyObject* a) {               \
    static const ops::Op& op = ops::op(name); \
    return unary(op, a, python);              \
  }
BINARY(slot_add, "add", PyNumber_Add, Exact::Sum)
BINARY(slot_subtract, "sub", PyNumber_Subtract, Exact::Sum)
BINARY(slot_multiply, "mul", PyNumber_Multiply, Exact::Product)
BINARY(slot_divide, "div", PyNumber_TrueDivide, Exact::Divide)
BINARY(slot_floor_divide, "floor_div", PyNumber_FloorDivide, Exact::Divide)
BINARY(slot_remainder, "floor_mod", PyNumber_Remainder, Exact::Divide)
BINARY(slot_matmul, "matmul")
UNARY(slot_negative, "neg", PyNumber_Negative)
UNARY(slot_absolute, "abs", PyNumber_Absolute)

PyObject* slot_power(PyObject* a, PyObject* b, PyObject*) {
  static const ops::Op& op = ops::op("pow");
  return binary(
      op, a, b, [](PyObject* x, PyObject* y) { return PyNumber_Power(x, y, Py_None); }, Exact::Power);
}

bool boolean(PyObject* o) {
  if (is_tensor(o)) return type_of(o).dtype == ops::DType::Bool;
  return PyBool_Check(o) || (is_number(o) && as_number(o)->kind == ops::Kind::Bool);
}

PyObject* logical_or_bitwise(PyObject* a, PyObject* b, const char* logical, const char* bitwise) {
  return guarded([&] { return binary(ops::op(boolean(a) && boolean(b) ? logical : bitwise), a, b); });
}
PyObject* slot_and(PyObject* a, PyObject* b) { return logical_or_bitwise(a, b, "logical_and", "bitwise_and"); }
PyObject* slot_or(PyObject* a, PyObject* b) { return logical_or_bitwise(a, b, "logical_or", "bitwise_or"); }
PyObject* slot_xor(PyObject* a, PyObject* b) { return logical_or_bitwise(a, b, "logical_xor", "bitwise_xor"); }
PyObject* slot_invert(PyObject* a) {
  return guarded([&] { return unary(ops::op(boolean(a) ? "logical_not" : "invert"), a); });
}

PyObject* slot_positive(PyObject* a) { return Py_NewRef(a); }

int slot_bool(PyObject* self) {
  return guarded_int([&] {
    const ops::Tensor& t = real(self, "bool()");
    if (t.numel() != 1)
      raise(PyExc_ValueError,
            "The truth value of a Tensor of shape " + to_string(t.shape()) + " is ambiguous. Use all() or any().");
    return PyObject_IsTrue(item(t).get());
  });
}

PyObject* slot_int(PyObject* self) {
  return guarded([&] { return PyNumber_Long(item(real(self, "int()")).get()); });
}
PyObject* slot_float(PyObject* self) {
  return guarded([&] { return PyNumber_Float(item(real(self, "float()")).get()); });
}
PyObject* slot_index(PyObject* self) {
  return guarded([&]() -> PyObject* {
    const ops::Tensor& t = real(self, "index()");
    if (!is_int(t.dtype()) && t.dtype() != ops::DType::Bool)
      raise(PyExc_TypeError, "only an integer Tensor of one element can be used as an index");
    return PyNumber_Index(item(t).get());
  });
}

PyNumberMethods arithmetic() {
  PyNumberMethods m = {};
  m.nb_add = slot_add;
  m.nb_subtract = slot_subtract;
  m.nb_multiply = slot_multiply;
  m.nb_true_divide = slot_divide;
  m.nb_floor_divide = slot_floor_divide;
  m.nb_remainder = slot_remainder;
  m.nb_power = slot_power;
  m.nb_negative = slot_negative;
  m.nb_positive = slot_positive;
  m.nb_absolute = slot_absolute;
  m.nb_and = slot_and;
  m.nb_or = slot_or;
  m.nb_xor = slot_xor;
  m.nb_invert = slot_invert;
  return m;
}

PyNumberMethods tensor_methods_table() {
  PyNumberMethods m = arithmetic();
  m.nb_matrix_multiply = slot_matmul;
  m.nb_bool = slot_bool;
  m.nb_int = slot_int;
  m.nb_float = slot_float;
  m.nb_index = slot_index;
  return m;
}

// Python consumes a captured number: its value becomes a guard on the arguments it came from.
PyNumber* consumed(PyObject* self) {
  PyNumber* n = as_number(self);
  if (!n->known)
    raise(
        capture_error,
        "a number that depends on the elements of a Tensor was used where Python needs its value while the function is "
        "being captured into a graph.");
  n->capture->pin(n->inputs);
  return n;
}

PyObject* number_value(PyObject* self) {
  return guarded([&] { return number(consumed(self)->now).release(); });
}
int number_bool(PyObject* self) {
  Object value = Object::own(number_value(self));
  return value ? PyObject_IsTrue(value.get()) : -1;
}
PyObject* number_int(PyObject* self) {
  Object value = Object::own(number_value(self));
  return value ? PyNumber_Long(value.get()) : nullptr;
}
PyObject* number_float(PyObject* self) {
  Object value = Object::own(number_value(self));
  return value ? PyNumber_Float(value.get()) : nullptr;
}
PyObject* number_index(PyObject* self) {
  if (as_number(self)->kind == ops::Kind::Float) {
    PyErr_SetString(PyExc_TypeError, "'float' object cannot be interpreted as an integer");
    return nullptr;
  }
  return number_value(self);
}
PyObject* number_repr(PyObject* self) {
  Object value = Object::own(number_value(self));
  return value ? PyObject_Repr(value.get()) : nullptr;
}
PyObject* number_format(PyObject* self, PyObject* spec) {
  Object value = Object::own(number_value(self));
  return value ? PyObject_Format(value.get(), spec) : nullptr;
}
Py_hash_t number_hash(PyObject* self) {
  Object value = Object::own(number_value(self));
  return value ? PyObject_Hash(value.get()) : -1;
}

PyNumberMethods number_methods_table() {
  PyNumberMethods m = arithmetic();
  m.nb_positive = number_value;
  m.nb_bool = number_bool;
  m.nb_int = number_int;
  m.nb_float = number_float;
  m.nb_index = number_index;
  return m;
}
PyNumberMethods number_methods = number_methods_table();

void number_dealloc(PyObject* self) {
  as_number(self)->capture.~shared_ptr();
  as_number(self)->now.~variant();
  Py_TYPE(self)->tp_free(self);
}

PyObject* get_known(PyObject* self, void*) { return PyBool_FromLong(as_number(self)->known); }
PyObject* get_kind(PyObject* self, void*) {
  static const char* const names[] = {"bool", "int", "float"};
  return PyUnicode_FromString(names[static_cast<int>(as_number(self)->kind) - static_cast<int>(ops::Kind::Bool)]);
}
PyObject* get_class(PyObject* self, void*) {
  PyTypeObject* const types[] = {&PyBool_Type, &PyLong_Type, &PyFloat_Type};
  return Py_NewRef(types[static_cast<int>(as_number(self)->kind) - static_cast<int>(ops::Kind::Bool)]);
}
PyGetSetDef number_getset[] = {{"__class__", get_class, nullptr, "The type that isinstance() sees.", nullptr},
                               {"known", get_known, nullptr, "Whether Python may consume it.", nullptr},
                               {"kind", get_kind, nullptr, "bool, int or float.", nullptr},
                               {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef number_methods_by_name[] = {{"__format__", number_format, METH_O, "format() of its value."},
                                        {nullptr, nullptr, 0, nullptr}};

PyTypeObject number_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Number";
  type.tp_basicsize = sizeof(PyNumber);
  type.tp_dealloc = number_dealloc;
  type.tp_repr = number_repr;
  type.tp_as_number = &number_methods;
  type.tp_hash = number_hash;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_doc = "A number of a function that is being captured.";
  type.tp_richcompare = tensor_compare;
  type.tp_methods = number_methods_by_name;
  type.tp_getset = number_getset;
  return type;
}

}  // namespace

PyNumberMethods tensor_number_methods = tensor_methods_table();
PyTypeObject NumberType = number_type();

PyObject* tensor_compare(PyObject* a, PyObject* b, int comparison) {
  static const ops::Op* const table[] = {&ops::op("less"),      &ops::op("less_equal"), &ops::op("equal"),
                                         &ops::op("not_equal"), &ops::op("greater"),    &ops::op("greater_equal")};
  bool equality = comparison == Py_EQ || comparison == Py_NE;
  if (equality && (b == Py_None || PyUnicode_Check(b))) return PyBool_FromLong(comparison == Py_NE);
  return binary(*table[comparison], a, b);
}

}  // namespace ember::python
