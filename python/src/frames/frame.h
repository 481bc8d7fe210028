// Instruction and Frame: the canonical instructions of a function that is being executed (capture/bytecode), and the
// loop over them. What only moves values, or computes without code of the program's, is done here (frame_acts.h), so
// that no handler of a signal runs between; all else by handlers in Python.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace ember::python {

void add_frames(PyObject* module);

}  // namespace ember::python
