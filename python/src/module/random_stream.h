#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_random(pybind11::module_& m);  // RandomStream and StreamScope

}  // namespace ember::python
