// Collectives in Python: a thread of Python takes the requests that ops make and carries them
// (emberjit/distributed/serving.py).
#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_communication(pybind11::module_& m);

}  // namespace ember::python
