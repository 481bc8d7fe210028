// One column for each version of CPython; a new version is one more, of the same members:
//
//   code closure function locals   of a frame; `locals` begin with the parameters
//   is_resumed                     whether its generator has been made already
//   kEvaluatorPops                 whether who evaluates a frame also clears and pops it
//   limit remaining                recursions of a thread; `give` adds to what remains, `give_calls_of_c` to that of
//   C's alone set_hidden                     hides a thread from its tracers and profilers, or shows it again
//   request_extra get_extra set_extra   what code objects hold for others
//   handled set_handled            the exception that is being handled
//   current                        the innermost frame of a thread
//   is_written_into                whether a tracer, or CPython's optimizer, has put instructions of its own into code
//   watching                       a bit for each tool of sys.monitoring that is told what code does
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "python/src/frames/python_frame.h"

#if EMBER_FRAMES

#undef HAVE_STD_ATOMIC  // C's, which C++ lacks; the compiler's own are laid out alike
#undef _PyGC_FINALIZED
#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#if PY_MINOR_VERSION >= 12
#include <internal/pycore_instruments.h>
#include <internal/pycore_interp.h>
#endif
#undef Py_BUILD_CORE

namespace ember::python {
namespace {

#if PY_MINOR_VERSION >= 12

// Of all code, and of this. sys.settrace and sys.setprofile are told of for each thread (c_tracefunc, c_profilefunc).
unsigned tools_watching(const PyThreadState& thread, const PyCodeObject* code) {
  constexpr unsigned kOfThreads = 1U << PY_MONITORING_SYS_PROFILE_ID | 1U << PY_MONITORING_SYS_TRACE_ID;
  unsigned tools = 0;
  for (const uint8_t mask : thread.interp->monitors.tools) tools |= mask;
  if (code && code->_co_monitoring)
    for (const uint8_t mask : code->_co_monitoring->local_monitors.tools) tools |= mask;
  return tools & ~kOfThreads;
}

#endif

#if PY_MINOR_VERSION == 11

struct Layout311 {
  static PyCodeObject* code(const Frame& frame) { return frame.f_code; }
  static PyObject* closure(const Frame& frame) { return frame.f_func->func_closure; }
  static Object function(const Frame& frame) { return Object::borrow(reinterpret_cast<PyObject*>(frame.f_func)); }
  static PyObject* const* locals(const Frame& frame) { return frame.localsplus; }
  static bool is_resumed(const Frame& frame) { return frame.owner == FRAME_OWNED_BY_GENERATOR; }
  static constexpr bool kEvaluatorPops = false;
  static int limit(const PyThreadState& thread) { return thread.recursion_limit; }
  static int remaining(const PyThreadState& thread) { return thread.recursion_remaining; }
  static void give(PyThreadState& thread, int recursions) { thread.recursion_remaining += recursions; }
  static void give_calls_of_c(PyThreadState&, int) {}
  static void set_hidden(PyThreadState& thread, bool hidden) {
    (hidden ? PyThreadState_EnterTracing : PyThreadState_LeaveTracing)(&thread);
  }
  static constexpr auto request_extra = _PyEval_RequestCodeExtraIndex;
  static constexpr auto get_extra = _PyCode_GetExtra;
  static constexpr auto set_extra = _PyCode_SetExtra;
  static Object handled() { return Object::own(PyErr_GetHandledException()); }
  static constexpr auto set_handled = PyErr_SetHandledException;
  static Frame*& current(PyThreadState& thread) { return thread.cframe->current_frame; }
  static bool is_written_into(const PyCodeObject&) { return false; }
  static unsigned watching(const PyThreadState&, const PyCodeObject*) { return 0; }
};
using Layout = Layout311;

#elif PY_MINOR_VERSION == 12

struct Layout312 {
  static PyCodeObject* code(const Frame& frame) { return frame.f_code; }
  static PyObject* closure(const Frame& frame) {
    return reinterpret_cast<PyFunctionObject*>(frame.f_funcobj)->func_closure;
  }
  static Object function(const Frame& frame) { return Object::borrow(frame.f_funcobj); }
  static PyObject* const* locals(const Frame& frame) { return frame.localsplus; }
  static bool is_resumed(const Frame& frame) { return frame.owner == FRAME_OWNED_BY_GENERATOR; }
  static constexpr bool kEvaluatorPops = true;
  static int limit(const PyThreadState& thread) { return thread.py_recursion_limit; }
  static int remaining(const PyThreadState& thread) { return thread.py_recursion_remaining; }
  static void give(PyThreadState& thread, int recursions) {
    thread.py_recursion_remaining += recursions;
    thread.c_recursion_remaining += recursions;  // nor the C stack's: `stack_is_short` looks at what is left of it
  }
  static void give_calls_of_c(PyThreadState& thread, int calls) { thread.c_recursion_remaining += calls; }
  static void set_hidden(PyThreadState& thread, bool hidden) {
    (hidden ? PyThreadState_EnterTracing : PyThreadState_LeaveTracing)(&thread);
  }
  static constexpr auto request_extra = PyUnstable_Eval_RequestCodeExtraIndex;
  static constexpr auto get_extra = PyUnstable_Code_GetExtra;
  static constexpr auto set_extra = PyUnstable_Code_SetExtra;
  static Object handled() { return Object::own(PyErr_GetHandledException()); }
  static constexpr auto set_handled = PyErr_SetHandledException;
  static Frame*& current(PyThreadState& thread) { return thread.cframe->current_frame; }
  static bool is_written_into(const PyCodeObject& code) { return code._co_monitoring; }
  static constexpr auto watching = tools_watching;
};
using Layout = Layout312;

#elif PY_MINOR_VERSION == 13

struct Layout313 {
  static PyCodeObject* code(const Frame& frame) { return reinterpret_cast<PyCodeObject*>(frame.f_executable); }
  static PyObject* closure(const Frame& frame) {
    return reinterpret_cast<PyFunctionObject*>(frame.f_funcobj)->func_closure;
  }
  static Object function(const Frame& frame) { return Object::borrow(frame.f_funcobj); }
  static PyObject* const* locals(const Frame& frame) { return frame.localsplus; }
  static bool is_resumed(const Frame& frame) { return frame.owner == FRAME_OWNED_BY_GENERATOR; }
  static constexpr bool kEvaluatorPops = true;
  static int limit(const PyThreadState& thread) { return thread.py_recursion_limit; }
  static int remaining(const PyThreadState& thread) { return thread.py_recursion_remaining; }
  static void give(PyThreadState& thread, int recursions) {
    thread.py_recursion_remaining += recursions;
    thread.c_recursion_remaining += recursions;  // as in 3.12
  }
  static void give_calls_of_c(PyThreadState& thread, int calls) { thread.c_recursion_remaining += calls; }
  static void set_hidden(PyThreadState& thread, bool hidden) {
    (hidden ? PyThreadState_EnterTracing : PyThreadState_LeaveTracing)(&thread);
  }
  static constexpr auto request_extra = PyUnstable_Eval_RequestCodeExtraIndex;
  static constexpr auto get_extra = PyUnstable_Code_GetExtra;
  static constexpr auto set_extra = PyUnstable_Code_SetExtra;
  static Object handled() { return Object::own(PyErr_GetHandledException()); }
  static constexpr auto set_handled = PyErr_SetHandledException;
  static Frame*& current(PyThreadState& thread) { return thread.current_frame; }
  static bool is_written_into(const PyCodeObject& code) { return code._co_monitoring || code.co_executors; }
  static constexpr auto watching = tools_watching;
};
using Layout = Layout313;

#endif

// As if the frame had raised at once, but that no traceback shows it.
void leave(PyThreadState* thread, Frame* frame, bool returns) {
  if (returns) PyErr_SetNone(PyExc_GeneratorExit);
  PyObject *type, *error, *traceback;
  PyErr_Fetch(&type, &error, &traceback);
  const Object original = Object::borrow(traceback);
  PyErr_Restore(type, error, traceback);
  _PyEval_EvalFrameDefault(thread, frame, 1);
  if (returns) return PyErr_Clear();
  PyErr_Fetch(&type, &error, &traceback);
  Py_XDECREF(traceback);
  PyErr_NormalizeException(&type, &error, &traceback);
  PyException_SetTraceback(error, original ? original.get() : Py_None);
  PyErr_Restore(type, error, Py_XNewRef(original.get()));
}

}  // namespace

PyCodeObject* code_of(const Frame& frame) { return Layout::code(frame); }
PyObject* closure_of(const Frame& frame) { return Layout::closure(frame); }
Object function_of(const Frame& frame) { return Layout::function(frame); }
bool is_resumed(const Frame& frame) { return Layout::is_resumed(frame); }

std::vector<PyObject*> arguments(const Frame& frame) {
  const PyCodeObject& code = *code_of(frame);
  const int count =
      code.co_argcount + code.co_kwonlyargcount + !!(code.co_flags & CO_VARARGS) + !!(code.co_flags & CO_VARKEYWORDS);
  return {Layout::locals(frame), Layout::locals(frame) + count};
}

PyObject* without_running(PyThreadState* thread, Frame* frame, PyObject* result) {
  const Object held = Object::borrow(result);
  if (Layout::kEvaluatorPops) leave(thread, frame, result != nullptr);
  return Py_XNewRef(result);
}

int recursions_of(const PyThreadState& thread) { return Layout::limit(thread) - Layout::remaining(thread); }
int recursions_left(const PyThreadState& thread) { return Layout::remaining(thread); }
void give(PyThreadState& thread, int recursions) { Layout::give(thread, recursions); }
void give_calls_of_c(PyThreadState& thread, int calls) { Layout::give_calls_of_c(thread, calls); }

void hide_from_tracers(PyThreadState& thread) { Layout::set_hidden(thread, true); }
void show_to_tracers(PyThreadState& thread) { Layout::set_hidden(thread, false); }

bool is_written_into(const PyCodeObject& code) { return Layout::is_written_into(code); }

bool is_monitored(const PyThreadState& thread, const PyCodeObject& code) { return Layout::watching(thread, &code); }

bool is_traced(const PyThreadState& thread, const PyCodeObject* code) {
  constexpr unsigned kProfiler = 1U << 2;  // sys.monitoring.PROFILER_ID
  return thread.c_tracefunc || (Layout::watching(thread, code) & ~kProfiler);
}

Py_ssize_t request_code_extra() { return Layout::request_extra(nullptr); }

void* code_extra(PyCodeObject* code, Py_ssize_t index) {
  void* extra = nullptr;
  if (Layout::get_extra(reinterpret_cast<PyObject*>(code), index, &extra)) PyErr_Clear();
  return extra;
}

bool set_code_extra(PyCodeObject* code, Py_ssize_t index, void* extra) {
  return !Layout::set_extra(reinterpret_cast<PyObject*>(code), index, extra);
}

Alone::Alone() : outer_(std::exchange(Layout::current(*PyThreadState_Get()), nullptr)) {}
Alone::~Alone() { Layout::current(*PyThreadState_Get()) = outer_; }

Handling::Handling(PyObject* error) : outer_(Layout::handled()) { Layout::set_handled(error); }
Handling::~Handling() { Layout::set_handled(outer_.get()); }

}  // namespace ember::python

#endif
