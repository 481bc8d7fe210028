// Captures as Python's front end sees them: what they record, and the entries that finished captures become.
#pragma once

#include <pybind11/pybind11.h>

#include "python/src/guards/flat.h"
#include "python/src/guards/guards.h"

namespace ember::python {

// `expected` of kind "empty" does not matter.
Guard make_guard(const std::string& kind, pybind11::object owner, pybind11::object key, pybind11::object expected);

// The arguments of a call of a jitted function.
Flat flattened(pybind11::tuple args, pybind11::dict kwargs, PyObject* unfolded);

void bind_capture(pybind11::module_& m);

}  // namespace ember::python
