#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_timeline(pybind11::module_& m);

}  // namespace ember::python
