// Public functions, as ops.add, Tensor.sum or mint.max: a name and its overloads, which emberjit/publish reads from
// their declarations when the function is first used. The overload of a call is found by the number, keywords and types
// of its arguments; the resolutions of the forms that calls had last are kept, so that a further call of one of them
// costs a compare.
//
// A composition, which is a Python function over ops, runs op by op the first time and as one graph from then on,
// unless it is declared to run in Python.
#pragma once

#include "python/src/conversion/object.h"

namespace ember::python {

extern PyTypeObject FunctionType;
void add_functions(PyObject* module);

}  // namespace ember::python
