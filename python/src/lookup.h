// What a capture asks of classes and values at every step.
#pragma once

#include "python/src/object.h"

namespace ember::python {

// Whether the class of a value has an attribute.
bool defines(PyObject* value, PyObject* name);

// Whether even to look at an instance of a class runs code of the user's.
bool intercepts(PyTypeObject* cls);

void add_lookup(PyObject* module);

}  // namespace ember::python
