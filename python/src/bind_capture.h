// Captures as Python's front end sees them: what it records, and the entries that finished captures become.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_capture(pybind11::module_& m);

}  // namespace ember::python
