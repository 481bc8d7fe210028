#pragma once

#include <pybind11/pybind11.h>

namespace ember::python {

void bind_pixels(pybind11::module_& m);  // what transforms of images call, of NumPy's arrays and Pillow's images

}  // namespace ember::python
