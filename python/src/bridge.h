// Between the raw layer and pybind11: errors and references.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "python/src/object.h"

namespace ember::python {

inline pybind11::object steal(Object o) { return pybind11::reinterpret_steal<pybind11::object>(o.release()); }

// Calls of the raw layer under pybind11: a PythonError is the error that is already set.
template <class F>
auto bridged(F&& f) {
  try {
    return f();
  } catch (const PythonError&) {
    throw pybind11::error_already_set();
  } catch (...) {
    set_python_error();
    throw pybind11::error_already_set();
  }
}

// Calls of Python by the raw layer.
template <class F>
auto calling_python(F&& f) {
  try {
    return f();
  } catch (pybind11::error_already_set& e) {
    e.restore();
    throw PythonError();
  }
}

}  // namespace ember::python
