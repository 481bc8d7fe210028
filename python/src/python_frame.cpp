#define PY_SSIZE_T_CLEAN
#include <Python.h>
#if PY_VERSION_HEX >= 0x030B0000
#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#endif

#include "python/src/python_frame.h"

namespace ember::python {

void give(PyThreadState& thread, int recursions) {
#if PY_VERSION_HEX >= 0x030C0000
  thread.py_recursion_remaining += recursions;
  thread.c_recursion_remaining += recursions;  // nor the C stack's: `stack_is_short` looks at what is left of it
#elif PY_VERSION_HEX >= 0x030B0000
  thread.recursion_remaining += recursions;
#else
  thread.recursion_depth -= recursions;
#endif
}

#if EMBER_FRAMES

#if PY_VERSION_HEX >= 0x030C0000

PyCodeObject* code_of(const Frame& frame) {
#if PY_VERSION_HEX >= 0x030D0000
  return reinterpret_cast<PyCodeObject*>(frame.f_executable);
#else
  return frame.f_code;
#endif
}

PyObject* closure_of(const Frame& frame) { return reinterpret_cast<PyFunctionObject*>(frame.f_funcobj)->func_closure; }
Object function_of(const Frame& frame) { return Object::borrow(frame.f_funcobj); }
bool is_resumed(const Frame& frame) { return frame.owner == FRAME_OWNED_BY_GENERATOR; }

// As if the frame had raised at once.
PyObject* without_running(PyThreadState* thread, Frame* frame, PyObject* result) {
  const Object kept = Object::borrow(result);
  if (result) PyErr_SetNone(PyExc_GeneratorExit);
  _PyEval_EvalFrameDefault(thread, frame, 1);
  if (result) PyErr_Clear();
  return Py_XNewRef(result);
}

int recursions_of(const PyThreadState& thread) { return thread.py_recursion_limit - thread.py_recursion_remaining; }
int recursions_left(const PyThreadState& thread) { return thread.py_recursion_remaining; }

#elif PY_VERSION_HEX >= 0x030B0000

PyCodeObject* code_of(const Frame& frame) { return frame.f_code; }
PyObject* closure_of(const Frame& frame) { return frame.f_func->func_closure; }
Object function_of(const Frame& frame) { return Object::borrow(reinterpret_cast<PyObject*>(frame.f_func)); }
bool is_resumed(const Frame& frame) { return frame.owner == FRAME_OWNED_BY_GENERATOR; }
PyObject* without_running(PyThreadState*, Frame*, PyObject* result) { return Py_XNewRef(result); }
int recursions_of(const PyThreadState& thread) { return thread.recursion_limit - thread.recursion_remaining; }
int recursions_left(const PyThreadState& thread) { return thread.recursion_remaining; }

#else

namespace {

Py_ssize_t cells(const PyCodeObject& code) { return PyTuple_GET_SIZE(code.co_cellvars); }

}  // namespace

PyCodeObject* code_of(const Frame& frame) { return frame.f_code; }
PyObject* closure_of(const Frame&) { return nullptr; }

Object function_of(const Frame& frame) {
  const PyCodeObject& code = *frame.f_code;
  Object function = check(PyFunction_New(reinterpret_cast<PyObject*>(frame.f_code), frame.f_globals));
  const Py_ssize_t count = PyTuple_GET_SIZE(code.co_freevars);
  Object closure = check(PyTuple_New(count));
  for (Py_ssize_t i = 0; i < count; ++i)
    PyTuple_SET_ITEM(closure.get(), i, Py_NewRef(frame.f_localsplus[code.co_nlocals + cells(code) + i]));
  if (count) check(PyFunction_SetClosure(function.get(), closure.get()));
  return function;
}

bool is_resumed(const Frame&) { return false; }  // a generator is made without a frame's being evaluated
PyObject* without_running(PyThreadState*, Frame*, PyObject* result) { return Py_XNewRef(result); }
int recursions_of(const PyThreadState& thread) { return thread.recursion_depth; }
int recursions_left(const PyThreadState& thread) { return Py_GetRecursionLimit() - thread.recursion_depth; }

#endif

std::vector<PyObject*> arguments(const Frame& frame) {
  const PyCodeObject& code = *code_of(frame);
  const int count =
      code.co_argcount + code.co_kwonlyargcount + !!(code.co_flags & CO_VARARGS) + !!(code.co_flags & CO_VARKEYWORDS);
#if PY_VERSION_HEX >= 0x030B0000
  return {frame.localsplus, frame.localsplus + count};
#else
  std::vector<PyObject*> values(frame.f_localsplus, frame.f_localsplus + count);
  for (Py_ssize_t i = 0; code.co_cell2arg && i < cells(code); ++i)
    if (code.co_cell2arg[i] != CO_CELL_NOT_AN_ARG)
      values[code.co_cell2arg[i]] = PyCell_GET(frame.f_localsplus[code.co_nlocals + i]);
  return values;
#endif
}

#if PY_VERSION_HEX >= 0x030C0000
Py_ssize_t request_code_extra() { return PyUnstable_Eval_RequestCodeExtraIndex(nullptr); }
#define EMBER_CODE(verb) PyUnstable_Code_##verb##Extra
#else
Py_ssize_t request_code_extra() { return _PyEval_RequestCodeExtraIndex(nullptr); }
#define EMBER_CODE(verb) _PyCode_##verb##Extra
#endif

void* code_extra(PyCodeObject* code, Py_ssize_t index) {
  void* extra = nullptr;
  if (EMBER_CODE(Get)(reinterpret_cast<PyObject*>(code), index, &extra)) PyErr_Clear();
  return extra;
}

bool set_code_extra(PyCodeObject* code, Py_ssize_t index, void* extra) {
  return !EMBER_CODE(Set)(reinterpret_cast<PyObject*>(code), index, extra);
}

Object exchange_handled(const Object& error) {
#if PY_VERSION_HEX >= 0x030B0000
  Object outer = Object::own(PyErr_GetHandledException());
  PyErr_SetHandledException(error.get());
  return outer;
#else
  PyObject *type, *value, *traceback;
  PyErr_GetExcInfo(&type, &value, &traceback);
  PyObject* now = error.get();
  if (!now || now == Py_None)
    PyErr_SetExcInfo(nullptr, nullptr, nullptr);
  else
    PyErr_SetExcInfo(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(now))), Py_NewRef(now),
                     PyException_GetTraceback(now));
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return Object::own(value);
#endif
}

#endif

}  // namespace ember::python
