// Eager gradients: tapes of this thread, as Python's grad and value_and_grad use them.
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_grad(pybind11::module_& m);

}  // namespace ember::python
