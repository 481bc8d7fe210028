// Number slots and comparisons of Tensor: each is an op of the table.
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

bool becomes_array(PyObject* o) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "__array__") && !PyUnicode_Check(o) &&
         !PyBytes_Check(o);
}

// A slot's operand: tensors and numbers as they are, arrays, lists and what has __array__ as tensors, anything else is
// not ours.
Object slot_operand(PyObject* o) {
  if (is_tensor(o) || is_scalar(o)) return Object::borrow(o);
  if (PyList_Check(o) || PyTuple_Check(o) || (PyObject_CheckBuffer(o) && !PyBytes_Check(o))) return tensor_of_data(o);
  return becomes_array(o) ? tensor_of_data(o) : Object();
}

// `theirs` is the right operand's own operator. It goes first where that is of another library, which may know Tensors.
template <class Theirs>
PyObject* binary(const ops::Op& op, PyObject* a, PyObject* b, Theirs&& theirs) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(b) && !is_scalar(b) && !PyObject_CheckBuffer(b) && becomes_array(b)) {
      Object result = check(theirs());
      if (result.get() != Py_NotImplemented) return result.release();
    }
    Object left = slot_operand(a), right = slot_operand(b);
    if (!left || !right) return Py_NewRef(Py_NotImplemented);
    return dispatch(op, {left.get(), right.get()}).release();
  });
}

PyObject* binary(const ops::Op& op, PyObject* a, PyObject* b, binaryfunc PyNumberMethods::*slot) {
  return binary(op, a, b, [&] {
    const PyNumberMethods* number = Py_TYPE(b)->tp_as_number;
    return number && number->*slot ? (number->*slot)(a, b) : Py_NewRef(Py_NotImplemented);
  });
}

PyObject* unary(const ops::Op& op, PyObject* a) {
  return guarded([&] { return dispatch(op, {a}).release(); });
}

#define BINARY(slot, name, member)                     \
  PyObject* slot(PyObject* a, PyObject* b) {           \
    static const ops::Op& op = ops::op(name);          \
    return binary(op, a, b, &PyNumberMethods::member); \
  }
#define UNARY(slot, name)                     \
  PyObject* slot(PyObject* a) {               \
    static const ops::Op& op = ops::op(name); \
    return unary(op, a);                      \
  }
BINARY(slot_add, "add", nb_add)
BINARY(slot_subtract, "sub", nb_subtract)
BINARY(slot_multiply, "mul", nb_multiply)
BINARY(slot_divide, "div", nb_true_divide)
BINARY(slot_floor_divide, "floor_div", nb_floor_divide)
BINARY(slot_remainder, "floor_mod", nb_remainder)
BINARY(slot_matmul, "matmul", nb_matrix_multiply)
UNARY(slot_negative, "neg")
UNARY(slot_absolute, "abs")

PyObject* slot_power(PyObject* a, PyObject* b, PyObject* modulus) {
  static const ops::Op& op = ops::op("pow");
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return binary(op, a, b, [&] {
    const PyNumberMethods* number = Py_TYPE(b)->tp_as_number;
    return number && number->nb_power ? number->nb_power(a, b, modulus) : Py_NewRef(Py_NotImplemented);
  });
}

bool boolean(PyObject* o) {
  if (is_tensor(o)) return type_of(o).dtype == ops::DType::Bool;
  return PyBool_Check(o) || (is_number(o) && as_number(o)->kind == ops::Kind::Bool);
}

PyObject* logical_or_bitwise(PyObject* a, PyObject* b, const char* logical, const char* bitwise,
                             binaryfunc PyNumberMethods::*slot) {
  return guarded([&] { return binary(ops::op(boolean(a) && boolean(b) ? logical : bitwise), a, b, slot); });
}
PyObject* slot_and(PyObject* a, PyObject* b) {
  return logical_or_bitwise(a, b, "logical_and", "bitwise_and", &PyNumberMethods::nb_and);
}
PyObject* slot_or(PyObject* a, PyObject* b) {
  return logical_or_bitwise(a, b, "logical_or", "bitwise_or", &PyNumberMethods::nb_or);
}
PyObject* slot_xor(PyObject* a, PyObject* b) {
  return logical_or_bitwise(a, b, "logical_xor", "bitwise_xor", &PyNumberMethods::nb_xor);
}
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
    note_elements_read(self);
    return PyNumber_Index(item(t).get());
  });
}

PyNumberMethods tensor_methods_table() {
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
  m.nb_matrix_multiply = slot_matmul;
  m.nb_bool = slot_bool;
  m.nb_int = slot_int;
  m.nb_float = slot_float;
  m.nb_index = slot_index;
  return m;
}

}  // namespace

PyNumberMethods tensor_number_methods = tensor_methods_table();

PyObject* tensor_compare(PyObject* a, PyObject* b, int comparison) {
  static const ops::Op* const table[] = {&ops::op("less"),      &ops::op("less_equal"), &ops::op("equal"),
                                         &ops::op("not_equal"), &ops::op("greater"),    &ops::op("greater_equal")};
  bool equality = comparison == Py_EQ || comparison == Py_NE;
  if (equality && (b == Py_None || PyUnicode_Check(b))) return PyBool_FromLong(comparison == Py_NE);
  return binary(*table[comparison], a, b, [&] {
    static const int swapped[] = {Py_GT, Py_GE, Py_EQ, Py_NE, Py_LT, Py_LE};
    const richcmpfunc compare = Py_TYPE(b)->tp_richcompare;
    return compare ? compare(b, a, swapped[comparison]) : Py_NewRef(Py_NotImplemented);
  });
}

}  // namespace ember::python
