#include "python/src/jit/graph_errors.h"

#include <algorithm>

#include "python/src/conversion/convert.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {
namespace {

thread_local PyObject* latest;  // that a graph of this thread has raised, to be compared only

[[noreturn]] void raise_latest(const Object& error) {
  latest = error.get();
  restore(error);
  throw PythonError();
}

}  // namespace

void raise_with_lines(const Entry& entry, const ops::OpError& raised) {
  if (raised.path == 0) raise_latest(check(PyObject_CallFunction(error_class(raised), "s", raised.what())));
  const std::string_view said = raised.what();
  const size_t end = std::min(said.find("\n  at "), said.size());
  PyObject* lines = PyList_GetItem(entry.lines.get(), raised.path - 1);
  if (!lines) throw PythonError();
  const Object module = check(PyImport_ImportModule("emberjit.capture.state.raised"));
  raise_latest(check(PyObject_CallMethod(module.get(), "error_of_op", "Os#O", error_class(raised), said.data(),
                                         static_cast<Py_ssize_t>(end), lines)));
}

void raise_user_error(const Entry& entry, const ops::RaisedError& raised, const Flat& flat) {
  Object operands = check(PyTuple_New(static_cast<Py_ssize_t>(raised.operands.size())));
  for (size_t i = 0; i < raised.operands.size(); ++i)
    PyTuple_SET_ITEM(operands.get(), static_cast<Py_ssize_t>(i), wrap(raised.operands[i]).release());
  Object make = Object::borrow(PyList_GetItem(entry.errors.get(), raised.number));
  if (!make) throw PythonError();
  Object leaves = check(PyTuple_New(static_cast<Py_ssize_t>(flat.leaves.size())));
  for (size_t i = 0; i < flat.leaves.size(); ++i)
    PyTuple_SET_ITEM(leaves.get(), static_cast<Py_ssize_t>(i), Py_NewRef(flat.leaves[i]));
  raise_latest(check(PyObject_CallFunctionObjArgs(make.get(), operands.get(), leaves.get(), nullptr)));
}

void forget_graph_error() { latest = nullptr; }
bool is_graph_error(const PyObject* error) { return error == latest; }

}  // namespace ember::python
