// Between the raw layer and pybind11: errors, references, arguments.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "python/src/conversion/object.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {

// A Tensor among the arguments of what pybind11 binds, which refuses all else.
class TensorArgument : public pybind11::object {
  PYBIND11_OBJECT(TensorArgument, object, is_tensor)
};

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

template <>
struct pybind11::detail::handle_type_name<ember::python::TensorArgument> {
  static constexpr auto name = const_name("Tensor");
};
