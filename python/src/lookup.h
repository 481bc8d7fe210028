// What a capture asks of classes and values at every step.
#pragma once

#include "python/src/object.h"

namespace ember::python {

void add_lookup(PyObject* module);

}  // namespace ember::python
