// Calls a function when it dies (as what has it does), at the latest at the end of the process, or when it is called;
// once. Python's own ways run code of Python where an exception is printed and forgotten, and so an interrupt is.
// Here one that arrives while the function runs is raised in the main thread soon after, and the function is called
// again for what it has not done. So it is with all exceptions that no `except Exception` is meant to hold; the
// rest is what the function did wrong, and is printed.
#pragma once

#include "python/src/conversion/object.h"

namespace ember::python {

void add_finalizers(PyObject* module);  // its Finalizer(function)

}  // namespace ember::python
