// Callees and Callee: what answers the evaluator of frames (frame_eval.h) while the instructions of one function run
// (capture/graph_breaks/callee_frames.py), and how frames of one code object run. Python is asked about a frame that
// nobody knows yet, or whose ways are being timed.
#pragma once

#include <span>

#include "python/src/conversion/object.h"

namespace ember::python {

bool is_callees(PyObject* o);

// What is to become of a frame of a function, whose parameters have these values: (result,), None to let Python run it,
// or what to call once it has.
Object answer(PyObject* callees, PyObject* function, std::span<PyObject* const> values);

void add_callee_frames(PyObject* module);

}  // namespace ember::python
