// The callable behind jit: a cache of captured graphs, found by the arguments. A call flattens its arguments into
// leaves and a signature of what is fixed, and runs the first of its entries that serves it (guards/entry.h). A miss
// calls back into Python to capture.
#pragma once

#include "python/src/guards/entry.h"

namespace ember::python {

struct PyJit {
  PyObject_HEAD vectorcallfunc vectorcall;
  Entries* entries;
  PyObject* miss;         // miss(args, kwargs) -> result, or PLAINLY: captures, and adds an entry
  PyObject* inner;        // inner(args, kwargs): called inside a capture, or op by op for a tape
  PyObject* function;     // what was decorated
  PyObject* unfolded;     // a tuple of classes, see flat.h
  PyObject* driver;       // a Driver that runs it, or None
  uint64_t hits;          // calls that an entry ran
  uint64_t python_calls;  // calls that ran `function` in Python
  uint64_t plain_calls;   // how many calls to come only call `function`
  bool in_python;         // whether to call just that while the thread is traced, so that a debugger sees its lines
  PyObject* dict;
  PyObject* weakrefs;
};
extern PyTypeObject JitType;

void add_jit(PyObject* module);

}  // namespace ember::python
