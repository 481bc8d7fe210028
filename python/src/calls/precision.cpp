#include "python/src/calls/precision.h"

#include <optional>
#include <utility>

#include "python/src/calls/dispatch.h"
#include "python/src/conversion/bridge.h"
#include "python/src/conversion/convert.h"

namespace py = pybind11;

namespace ember::python {
namespace {

thread_local PyObject* rules = nullptr;

bool is_sequence(PyObject* o) { return o && (PyTuple_CheckExact(o) || PyList_CheckExact(o)); }

template <class F>
void each_item(PyObject* sequence, F&& f) {
  const Recursion deeper(" in the arguments of a function");
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i)
    f(Object::borrow(PySequence_Fast_GET_ITEM(sequence, i)).get());
}

std::optional<ops::DType> float_of(PyObject* o) {
  if (!o || !is_tensor(o)) return {};
  const ops::DType dtype = type_of(o).dtype;
  return ops::is_float(dtype) ? std::optional(dtype) : std::nullopt;
}

void widen(PyObject* o, std::optional<ops::DType>* widest) {
  if (is_sequence(o)) return each_item(o, [&](PyObject* item) { widen(item, widest); });
  const std::optional<ops::DType> dtype = float_of(o);
  if (dtype) *widest = *widest ? ops::promote(**widest, *dtype) : *dtype;
}

Object converted(PyObject* o, ops::DType dtype) {
  if (is_sequence(o)) {
    Object list = check(PyList_New(0));
    each_item(o, [&](PyObject* item) { check(PyList_Append(list.get(), converted(item, dtype).get())); });
    return PyTuple_CheckExact(o) ? check(PyList_AsTuple(list.get())) : list;
  }
  const std::optional<ops::DType> own = float_of(o);
  if (!own || *own == dtype) return Object::borrow(o);
  return call("cast", {o}, {{"dtype", dtype}});
}

struct PyPrecision {
  py::object own_rules;
  std::vector<PyObject*> outer;
  void enter() {
    outer.push_back(rules);
    rules = own_rules.is_none() ? nullptr : own_rules.ptr();
  }
  void leave() {
    rules = outer.back();
    outer.pop_back();
  }
};

}  // namespace

PyObject* precision_rules() { return rules; }

PrecisionScope::PrecisionScope(PyObject* inner) : outer_(std::exchange(rules, inner)) {}
PrecisionScope::~PrecisionScope() { rules = outer_; }

PyObject* precision_rule(PyObject* target) {
  PyObject* rule = PyDict_GetItemWithError(rules, target);
  if (!rule && PyErr_Occurred()) throw PythonError();
  return rule;
}

std::vector<Object> in_precision(PyObject* rule, std::span<PyObject* const> arguments) {
  std::optional<ops::DType> dtype = dtype_of(rule);
  if (!dtype)
    for (PyObject* o : arguments) widen(o, &dtype);
  std::vector<Object> out;
  for (PyObject* o : arguments) out.push_back(dtype ? converted(o, *dtype) : Object::borrow(o));
  return out;
}

void bind_precision(py::module_& m) {
  py::class_<PyPrecision>(m, "Precision")
      .def(py::init([](const py::object& own_rules) {
        return PyPrecision{own_rules, {}};
      }))
      .def("__enter__", [](PyPrecision& scope) { scope.enter(); })
      .def("__exit__", [](PyPrecision& scope, py::args) { scope.leave(); });
  m.def("precision_rules", [] { return rules ? py::reinterpret_borrow<py::object>(rules) : py::none(); });
}

}  // namespace ember::python
