// The samples of the op table for Python's tests.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_samples(pybind11::module_& m);

}  // namespace ember::python
