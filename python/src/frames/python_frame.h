// How the versions of CPython lay out and evaluate frames, and what else frame_eval.cpp takes from inside them.
//
// What depends on the version is a column of python_frame.cpp. Up to 3.11 the caller of an evaluator clears and pops
// the frame, run or not; later whoever evaluates it does. Until it is run it is linked to no other.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

#include <vector>

#include "python/src/conversion/object.h"

#define EMBER_FRAMES (PY_VERSION_HEX < 0x030E0000)

namespace ember::python {

#if EMBER_FRAMES

using Frame = struct _PyInterpreterFrame;

PyCodeObject* code_of(const Frame& frame);
PyObject* closure_of(const Frame& frame);

Object function_of(const Frame& frame);

// The values of a function's parameters.
std::vector<PyObject*> arguments(const Frame& frame);

// Whether it is of a generator that has been made already.
bool is_resumed(const Frame& frame);

// Leaves a frame that is not run: with a result, or the error that is set.
PyObject* without_running(PyThreadState* thread, Frame* frame, PyObject* result);

int recursions_of(const PyThreadState& thread);  // not by what is left, which changes with the limit
int recursions_left(const PyThreadState& thread);

// Gives a thread more recursions, or takes them back.
void give(PyThreadState& thread, int recursions);
void give_calls_of_c(PyThreadState& thread, int calls);  // no more, where these are counted apart

// Keeps what a thread does from its tracers and profilers, or shows it to them again.
void hide_from_tracers(PyThreadState& thread);
void show_to_tracers(PyThreadState& thread);

// Whether code has instructions that are not its own, but of a tracer's or of CPython's optimizer.
bool is_written_into(const PyCodeObject& code);

// Whether a tool of sys.monitoring is told what code does.
bool is_monitored(const PyThreadState& thread, const PyCodeObject& code);

// Whether a tracer, or such a tool that is no profiler, is to see what code does, which may be not known.
bool is_traced(const PyThreadState& thread, const PyCodeObject* code);

Py_ssize_t request_code_extra();
void* code_extra(PyCodeObject* code, Py_ssize_t index);
bool set_code_extra(PyCodeObject* code, Py_ssize_t index, void* extra);

// While one lives, what is called has no frame further out.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  Frame* outer_;
};

// While one lives, an exception is being handled.
class Handling {
 public:
  explicit Handling(PyObject* error);
  ~Handling();
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;

 private:
  Object outer_;
};

#else

struct Alone {};
struct Handling {
  explicit Handling(PyObject*) {}
};

#endif

}  // namespace ember::python
