// Signals that arrive while a graph is captured, which their handlers, being Python's, must not run into. They are kept
// until the end of the outermost `hold_signals`, and arrive then. Ctrl-C, unless the program has a handler for it, ends
// the capture: it raises an error that captured code does not catch, and `take_interrupt` tells of it. Nothing but the
// handlers that the program has is called in Python here, so no signal comes in between.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace ember::python {

void add_signals(PyObject* module);

}  // namespace ember::python
