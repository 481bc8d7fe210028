// Instruction and Frame: the canonical instructions of a function that is being executed (capture/bytecode), and the
// loop over them. Those that ask nothing of a capture are executed here; all others by their handlers in Python. Between
// an instruction of the former and the next no handler of a signal runs.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace ember::python {

void add_frames(PyObject* module);

}  // namespace ember::python
