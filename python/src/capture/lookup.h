// What a capture asks of classes and values at every step.
#pragma once

#include "python/src/conversion/object.h"

namespace ember::python {

// Whether the class of a value has an attribute.
bool defines(PyObject* value, PyObject* name);

// Whether even to look at an instance of a class runs code of the user's.
bool intercepts(PyTypeObject* cls);

// Whether a value is one that its object alone says; also one that no call makes anew, as a module or a function.
bool is_constant(PyObject* value);
bool is_lasting(PyObject* value);

// Whether it is a class or a function that a call of a function has made, so that each call may have another.
bool is_local(PyObject* value);

void add_lookup(PyObject* module);

}  // namespace ember::python
