// PEP 523: what evaluates the frames of Python functions while Python runs an instruction that no graph holds.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace ember::python {

// Entry of the library from the user's code: for its lifetime the calling thread's frames are evaluated by Python
// alone, and hidden from its tracers and profilers.
class WithoutFrames {
 public:
  explicit WithoutFrames(bool hidden = true);
  ~WithoutFrames();
  WithoutFrames(const WithoutFrames&) = delete;
  WithoutFrames& operator=(const WithoutFrames&) = delete;

 private:
  PyObject* handler_;
  int recursions_;
  bool hidden_;
};

// What code returns that is run within an extent in which frames are offered to a handler.
PyObject* evaluate_with_frames(PyObject* handler, PyObject* code, PyObject* global_names, PyObject* variables);

// Whether a tracer of the thread, or a debugger or what measures coverage by sys.monitoring, is to see what a
// function does.
bool is_traced(PyObject* function);

void add_frame_evaluation(PyObject* module);

}  // namespace ember::python
