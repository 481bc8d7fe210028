// What a frame calls outside of captures is called from a Python frame at the user's line, which tracebacks show. That
// frame's variables are the function's own.
#pragma once

#include "python/src/frames/frame_acts.h"

namespace ember::python {

// args: a tuple; keywords: a dict
Object call_at_line(FrameObject& frame, PyObject* function, PyObject* args, PyObject* keywords);

// Executes a call of what does not look at the frame that it is called from. Whether it has been done.
bool call(FrameObject& frame, const InstructionObject& ins);

void add_frame_calls(PyObject* module);

}  // namespace ember::python
