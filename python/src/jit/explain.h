// What jitted functions tell about themselves: bytecode, machine code, specialisations, deopts; saving to a file.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_explain(pybind11::module_& m);

}  // namespace ember::python
