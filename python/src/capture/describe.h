// Captured modules as Python's values.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_describe(pybind11::module_& m);

}  // namespace ember::python
