#include "python/src/flat.h"

#include <algorithm>

#include "ops/eager/float_status.h"
#include "python/src/convert.h"
#include "python/src/dispatch.h"

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

bool is_known(PyObject* o, Flat* flat) {
  const auto known = std::find(flat->containers.begin(), flat->containers.end(), o);
  if (known == flat->containers.end()) return false;
  flat->structure += '@' + std::to_string(known - flat->containers.begin()) + ';';
  return true;
}

void flatten_container(PyObject* o, Flat* flat) {
  if (is_known(o, flat)) return;
  flat->containers.push_back(o);
  if (PyDict_CheckExact(o))
    flatten_dict(o, flat);
  else
    flatten_list(o, flat);
}

void add_constant(PyObject* o, Flat* flat) {
  flat->structure += 'c';
  flat->constants.push_back(o);
}

void flatten_function(PyObject* o, Flat* flat) {
  flat->containers.push_back(o);
  const auto* function = reinterpret_cast<PyFunctionObject*>(o);
  flat->constants.push_back(hold(function->func_code, flat));
  flat->constants.push_back(function->func_globals);
  flatten(function->func_defaults ? hold(function->func_defaults, flat) : Py_None, flat);
  for (Py_ssize_t i = 0; function->func_closure && i < PyTuple_GET_SIZE(function->func_closure); ++i) {
    PyObject* value = PyCell_GET(PyTuple_GET_ITEM(function->func_closure, i));
    if (value)
      flatten(hold(value, flat), flat);
    else
      flat->structure += 'e';
  }
}

void flatten_bound(PyObject* o, std::initializer_list<const char*> parts, Flat* flat) {
  for (const char* name : parts) flatten(flat->held.emplace_back(check(PyObject_GetAttrString(o, name))).get(), flat);
  flat->containers.push_back(o);
}

bool is_partial(PyObject* o) {
  static PyObject* const partial =
      check(PyObject_GetAttrString(check(PyImport_ImportModule("functools")).get(), "partial")).release();
  return Py_IS_TYPE(o, reinterpret_cast<PyTypeObject*>(partial));
}

bool has_fields(PyObject* dict) { return dict && PyDict_GET_SIZE(dict) != 0; }

void flatten_unfolded(PyObject* o, Flat* flat) {
  if (is_known(o, flat)) return;
  const Recursion deeper(kReading);
  flat->structure += 'o';
  flat->constants.push_back(reinterpret_cast<PyObject*>(Py_TYPE(o)));
  if (PyFunction_Check(o)) {
    flatten_function(o, flat);
  } else if (PyMethod_Check(o)) {
    flatten_bound(o, {"__func__", "__self__"}, flat);
  } else if (is_partial(o)) {
    flatten_bound(o, {"func", "args", "keywords"}, flat);
  } else {
    flat->containers.push_back(o);
    flatten_dict(flat->held.emplace_back(check(PyObject_GenericGetDict(o, nullptr))).get(), flat);
  }
  flat->structure += ')';
}

bool is_unfolded(PyObject* o, const Flat& flat) {
  PyObject* classes = flat.unfolded.get();
  if (!classes || PyTuple_GET_SIZE(classes) == 0) return false;
  PyObject* const* first = &PyTuple_GET_ITEM(classes, 0);
  PyObject* const* last = first + PyTuple_GET_SIZE(classes);
  if (std::find(first, last, reinterpret_cast<PyObject*>(Py_TYPE(o))) == last) return false;
  if (!PyFunction_Check(o)) return true;
  const auto* function = reinterpret_cast<PyFunctionObject*>(o);
  const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  const bool inner = (code->co_flags & CO_NESTED) || PyUnicode_CompareWithASCIIString(code->co_name, "<lambda>") == 0;
  return inner && !has_fields(function->func_dict) && !has_fields(function->func_kwdefaults);
}

bool has_hooks(PyObject* tensor) {
  PyObject* hooks = as_tensor(tensor)->hooks;
  return hooks && PyDict_GET_SIZE(hooks) != 0;
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

}  // namespace ember::python
