#include "python/src/guards/flat.h"

#include <cstring>

#include <algorithm>

#include "ops/eager/float_status.h"
#include "python/src/calls/dispatch.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

constexpr const char* kReading = " while the arguments of a jitted function are read";

void flatten_tuple(PyObject* tuple, char open, Flat* flat) {
  const Recursion deeper(kReading);
  flat->structure += open;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) flatten(PyTuple_GET_ITEM(tuple, i), flat);
  flat->structure += ')';
}

PyObject* hold(PyObject* item, Flat* flat) { return flat->held.emplace_back(Object::borrow(item)).get(); }

void flatten_list(PyObject* list, Flat* flat) {
  const Recursion deeper(kReading);
  flat->structure += '[';
  if (flat->held.empty()) flat->held.reserve(static_cast<size_t>(PyList_GET_SIZE(list)));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) flatten(hold(PyList_GET_ITEM(list, i), flat), flat);
  flat->structure += ')';
}

void flatten_dict(PyObject* dict, Flat* flat) {
  const Recursion deeper(kReading);
  flat->structure += '{';
  if (flat->held.empty()) flat->held.reserve(2 * static_cast<size_t>(PyDict_GET_SIZE(dict)));
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
    PyObject* const held = hold(value, flat);
    flat->constants.push_back(hold(key, flat));
    flatten(held, flat);
  }
  flat->structure += '}';
}

constexpr size_t kFew = 16;        // containers that are looked through
constexpr uint32_t kDeepest = 32;  // objects within each other that are unfolded

// Whether it occurred before, which then is part of the structure; else it is one of the containers.
bool is_known(PyObject* o, Flat* flat) {
  size_t number = flat->containers.size();
  if (flat->numbers.empty()) {
    number = static_cast<size_t>(std::ranges::find(flat->containers, o) - flat->containers.begin());
  } else if (const auto known = flat->numbers.find(o); known != flat->numbers.end()) {
    number = known->second;
  }
  if (number < flat->containers.size()) {
    flat->structure += '@' + std::to_string(number) + ';';
    return true;
  }
  flat->containers.push_back(o);
  if (number + 1 >= kFew)
    for (size_t i = flat->numbers.size(); i <= number; ++i) flat->numbers.emplace(flat->containers[i], i);
  return false;
}

void flatten_container(PyObject* o, Flat* flat) {
  if (is_known(o, flat)) return;
  if (PyDict_CheckExact(o))
    flatten_dict(o, flat);
  else
    flatten_list(o, flat);
}

void add_constant(PyObject* o, Flat* flat) {
  flat->structure += 'c';
  flat->constants.push_back(o);
}

bool is_unfolded(PyObject* o, const Flat& flat) {
  PyObject* classes = flat.unfolded.get();
  if (!classes || PyTuple_GET_SIZE(classes) == 0 || flat.depth >= kDeepest) return false;
  PyObject* const* first = &PyTuple_GET_ITEM(classes, 0);
  PyObject* const* last = first + PyTuple_GET_SIZE(classes);
  return std::find(first, last, reinterpret_cast<PyObject*>(Py_TYPE(o))) != last;
}

void flatten_unfolded(PyObject* o, Flat* flat) {
  if (is_known(o, flat)) return;
  flat->structure += 'o';
  flat->constants.push_back(reinterpret_cast<PyObject*>(Py_TYPE(o)));
  ++flat->depth;
  flatten_container(flat->held.emplace_back(check(PyObject_GenericGetDict(o, nullptr))).get(), flat);
  --flat->depth;
}

}  // namespace

Flat::Flat(PyObject* unfolded) : unfolded(Object::borrow(unfolded)), structure(ops::watching_floats() ? "w" : "") {
  if (recording()) structure += 'n';
}

void flatten(PyObject* o, Flat* flat) {
  auto leaf = [&](char kind) {
    flat->structure += kind;
    flat->leaves.push_back(o);
  };
  if (Py_IS_TYPE(o, &TensorType)) return leaf(has_hooks(o) ? 'T' : 't');
  if (Py_IS_TYPE(o, &ParameterType)) return leaf(has_hooks(o) ? 'P' : 'p');
  if (PyBool_Check(o)) return leaf('b');
  if (PyFloat_CheckExact(o)) return leaf('f');
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return leaf('i');
  }
  if (PyTuple_Check(o) && !PyTuple_CheckExact(o) && PyObject_HasAttrString(o, "_fields")) {
    flat->constants.push_back(reinterpret_cast<PyObject*>(Py_TYPE(o)));
    return flatten_tuple(o, '<', flat);
  }
  if (PyTuple_CheckExact(o)) return flatten_tuple(o, '(', flat);
  if (PyList_CheckExact(o) || PyDict_CheckExact(o)) return flatten_container(o, flat);
  if (is_unfolded(o, *flat)) return flatten_unfolded(o, flat);
  add_constant(o, flat);
}

void flatten_keyword(PyObject* name, PyObject* value, Flat* flat) {
  flat->structure += '=';
  flat->constants.push_back(name);
  flatten(value, flat);
}

vm::Argument argument(PyObject* o) {
  vm::Argument a;
  if (is_tensor(o)) {
    a.tensor = &real(o, "an argument of a jitted function");
  } else if (PyBool_Check(o)) {
    a.bits = o == Py_True;
  } else if (PyFloat_Check(o)) {
    double d = PyFloat_AS_DOUBLE(o);
    std::memcpy(&a.bits, &d, sizeof d);
  } else {
    a.bits = static_cast<uint64_t>(PyLong_AsLongLong(o));
    if (PyErr_Occurred()) throw PythonError();
  }
  return a;
}

}  // namespace ember::python
