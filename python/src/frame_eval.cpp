// All that depends on how CPython 3.11 lays out and evaluates frames; other versions call as they are told, and no
// more.
//
// `call_with_frames(handler, function, *args, **kwargs)` calls a function. While it runs, frames of this thread that
// are functions' are offered to handler(function, *parameters), which returns (result,) in place of running one, None
// to let Python run it, False to let Python run it and all that it calls, or what to call once Python has. While a
// graph is captured these are all frames; else those with Tensors among the arguments, unless the thread traces,
// profiles or records gradients. The handler itself and what it calls run without; a call from there nests. The
// evaluator is installed only meanwhile; frames that it does not take go to the one that it found, which comes back
// afterwards. `call_without_frames(function, ...)` leaves the extent for a call. `give_recursions(count)` lets this
// thread nest deeper, or less deep again by -count; the limit itself, which is all threads', stays as it is.
//
// In 3.11 the caller of an evaluator clears and pops the frame, run or not; until it is run it is linked to no other.
#include "python/src/frame_eval.h"

#include <algorithm>
#include <vector>

#include "python/src/capture.h"
#include "python/src/dispatch.h"
#include "python/src/object.h"
#include "python/src/tensor.h"

#define EMBER_FRAMES (PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000)
#if EMBER_FRAMES
#include <internal/pycore_frame.h>
#endif

namespace ember::python {
namespace {

// What pass_frames is told of code whose frames are never offered; of kLibrary not while a graph is captured, either.
constexpr intptr_t kForever = -1, kLibrary = -2;

// What this thread does with its frames.
struct Watch {
  PyObject* handler = nullptr;
  bool capturing = false;
  int depth = 0;        // of extents
  int recursions = -1;  // of Python, nested where the library was entered from the user's code
  int given = 0;        // recursions, by give_recursions
};
thread_local Watch watch;

#if EMBER_FRAMES

constexpr int kDeepest = 16;         // each takes much of C's stack; captures limit their depth themselves
constexpr int kReserve = 200;        // recursions that a handler may need
constexpr Py_ssize_t kLookedAt = 8;  // items of a container

int extents = 0;                                              // of all threads, under the GIL
_PyFrameEvalFunction found = _PyEval_EvalFrameDefault;        // which evaluates the frames that are not taken
thread_local const _PyInterpreterFrame* passed_on = nullptr;  // the latest that was given to it
Py_ssize_t passes;

bool holds_tensor(PyObject* o, int depth);

bool items_hold_tensor(PyObject* dict, int depth) {
  PyObject *key, *value;
  Py_ssize_t at = 0;
  for (Py_ssize_t i = 0; i < kLookedAt && PyDict_Next(dict, &at, &key, &value); ++i)
    if (holds_tensor(value, depth)) return true;
  return false;
}

bool holds_tensor(PyObject* o, int depth) {
  if (is_tensor(o)) return true;
  if (depth == 0) return false;
  if (PyDict_Check(o)) return items_hold_tensor(o, depth - 1);
  if (PyTuple_Check(o) || PyList_Check(o)) {
    for (Py_ssize_t i = 0; i < std::min(kLookedAt, PySequence_Fast_GET_SIZE(o)); ++i)
      if (holds_tensor(PySequence_Fast_GET_ITEM(o, i), depth - 1)) return true;
    return false;
  }
  if (!PyType_HasFeature(Py_TYPE(o), Py_TPFLAGS_HEAPTYPE) || PyType_Check(o)) return false;
  PyObject** fields = _PyObject_GetDictPtr(o);
  return fields && *fields && items_hold_tensor(*fields, depth - 1);
}

int parameters(const PyCodeObject& code) {
  return code.co_argcount + code.co_kwonlyargcount + !!(code.co_flags & CO_VARARGS) +
         !!(code.co_flags & CO_VARKEYWORDS);
}

bool has_tensors(const _PyInterpreterFrame& frame) {
  constexpr int kDepth = 2;
  for (int i = 0; i < parameters(*frame.f_code); ++i)
    if (holds_tensor(frame.localsplus[i], kDepth)) return true;
  PyObject* closure = frame.f_func->func_closure;
  for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(closure); ++i) {
    PyObject* content = PyCell_GET(PyTuple_GET_ITEM(closure, i));
    if (content && holds_tensor(content, kDepth)) return true;
  }
  return false;
}

intptr_t frames_to_pass(PyObject* code) {
  void* left = nullptr;
  if (_PyCode_GetExtra(code, passes, &left)) PyErr_Clear();
  return reinterpret_cast<intptr_t>(left);
}

bool passed(PyObject* code) {
  const intptr_t count = frames_to_pass(code);
  if (count > 0 && _PyCode_SetExtra(code, passes, reinterpret_cast<void*>(count - 1))) PyErr_Clear();
  return count != 0;
}

bool offered(const PyThreadState& thread, const _PyInterpreterFrame& frame) {
  constexpr int kFunction = CO_OPTIMIZED | CO_NEWLOCALS;
  constexpr int kSuspends = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;
  if (!watch.handler || (frame.f_code->co_flags & (kFunction | kSuspends)) != kFunction) return false;
  auto* code = reinterpret_cast<PyObject*>(frame.f_code);
  if (watch.capturing) return current_capture() && frames_to_pass(code) != kLibrary;
  return !thread.c_tracefunc && !thread.c_profilefunc && thread.recursion_remaining > kReserve && !current_capture() &&
         !recording() && !passed(code) && has_tensors(frame);
}

Object ask(const _PyInterpreterFrame& frame) {
  Object handler = Object::borrow(watch.handler);
  const WithoutFrames unwatched;
  std::vector<PyObject*> call = {reinterpret_cast<PyObject*>(frame.f_func)};
  call.insert(call.end(), frame.localsplus, frame.localsplus + parameters(*frame.f_code));
  return Object::own(PyObject_Vectorcall(handler.get(), call.data(), call.size(), nullptr));
}

// An evaluator installed over ours gives frames back to it: those are Python's then.
PyObject* pass_on(PyThreadState* thread, _PyInterpreterFrame* frame, int throwing) {
  if (found == _PyEval_EvalFrameDefault || passed_on == frame) return _PyEval_EvalFrameDefault(thread, frame, throwing);
  const _PyInterpreterFrame* outer = std::exchange(passed_on, frame);
  PyObject* result = found(thread, frame, throwing);
  passed_on = outer;
  return result;
}

PyObject* evaluate(PyThreadState* thread, _PyInterpreterFrame* frame, int throwing) {
  if (throwing || passed_on == frame || !offered(*thread, *frame)) return pass_on(thread, frame, throwing);
  return guarded([&]() -> PyObject* {
    Object answer = ask(*frame);
    if (!answer) return nullptr;
    if (PyTuple_CheckExact(answer.get())) return Py_NewRef(PyTuple_GET_ITEM(answer.get(), 0));
    if (answer.get() == Py_False) {
      const WithoutFrames unwatched;
      return pass_on(thread, frame, 0);
    }
    Object result = Object::own(pass_on(thread, frame, 0));
    if (result && answer.get() != Py_None) check(PyObject_CallNoArgs(answer.get()));
    return result.release();
  });
}

// call_handling(error, function, *args) calls a function as from the handler of an exception.
PyObject* call_handling(PyObject*, PyObject* const* args, Py_ssize_t count) {
  const Object outer = Object::own(PyErr_GetHandledException());
  PyErr_SetHandledException(args[0]);
  PyObject* result = PyObject_Vectorcall(args[1], args + 2, count - 2, nullptr);
  PyErr_SetHandledException(outer.get());
  return result;
}

// Not by what is left, which changes with the limit.
int recursions() {
  const PyThreadState* thread = PyThreadState_Get();
  return thread->recursion_limit - thread->recursion_remaining + watch.given;
}

// The evaluator, under which calls from Python to Python take C's stack, is there while a thread watches.
void set_watching(bool on) {
  PyInterpreterState* interpreter = PyInterpreterState_Get();
  if (on && ++extents == 1) {
    _PyFrameEvalFunction installed = _PyInterpreterState_GetEvalFrameFunc(interpreter);
    if (installed != evaluate) found = installed;
    _PyInterpreterState_SetEvalFrameFunc(interpreter, evaluate);
  }
  const bool last = !on && --extents == 0;
  if (last && _PyInterpreterState_GetEvalFrameFunc(interpreter) == evaluate)
    _PyInterpreterState_SetEvalFrameFunc(interpreter, found);
}

// An extent in which frames are offered. The library's own recursions on the way to it do not count.
class Extent {
 public:
  explicit Extent(PyObject* handler) : outer_(watch), thread_(PyThreadState_Get()) {
    const bool deep = watch.depth >= kDeepest && !current_capture();
    if (!deep && watch.recursions >= 0) library_ = std::max(0, recursions() - watch.recursions);
    thread_->recursion_remaining += library_;
    watch = {deep ? nullptr : handler, current_capture() != nullptr, watch.depth + 1, -1, watch.given + library_};
    if (watch.handler) set_watching(true);
  }
  ~Extent() {
    if (watch.handler) set_watching(false);
    thread_->recursion_remaining -= library_;
    watch = outer_;
  }
  Extent(const Extent&) = delete;
  Extent& operator=(const Extent&) = delete;

 private:
  Watch outer_;
  PyThreadState* thread_;
  int library_ = 0;  // recursions of its own
};

// The next `count` frames of a code object are passed to Python.
PyObject* pass_frames(PyObject*, PyObject* args) {
  PyObject* code;
  Py_ssize_t count;
  if (!PyArg_ParseTuple(args, "O!n", &PyCode_Type, &code, &count)) return nullptr;
  if (_PyCode_SetExtra(code, passes, reinterpret_cast<void*>(count))) return nullptr;
  Py_RETURN_NONE;
}

void start() {
  passes = _PyEval_RequestCodeExtraIndex(nullptr);
  if (passes < 0) raise(PyExc_RuntimeError, "no place is left in CPython's code objects");
}

#else

struct Extent {
  explicit Extent(PyObject*) {}
};

PyObject* pass_frames(PyObject*, PyObject*) { Py_RETURN_NONE; }

PyObject* call_handling(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return PyObject_Vectorcall(args[1], args + 2, count - 2, nullptr);
}

int recursions() { return -1; }

void set_watching(bool) {}

void start() {}

#endif

PyObject* call_with_frames(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  if (count < 2) {
    PyErr_SetString(PyExc_TypeError, "call_with_frames() takes a handler, a function and its arguments");
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    if (watch.handler == args[0] && watch.capturing) return PyObject_Vectorcall(args[1], args + 2, count - 2, keywords);
    const Extent extent(args[0]);
    return PyObject_Vectorcall(args[1], args + 2, count - 2, keywords);
  });
}

// call_without_frames(function, *args, **kwargs): within the extent of another call, offers no frames.
PyObject* call_without_frames(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "call_without_frames() takes a function and its arguments");
    return nullptr;
  }
  const WithoutFrames unwatched;
  return PyObject_Vectorcall(args[0], args + 1, count - 1, keywords);
}

PyObject* give_recursions(PyObject*, PyObject* number) {
  const int count = static_cast<int>(PyLong_AsLong(number));
  if (PyErr_Occurred()) return nullptr;
  PyThreadState* thread = PyThreadState_Get();
#if PY_VERSION_HEX >= 0x030C0000
  thread->py_recursion_remaining += count;
#elif EMBER_FRAMES
  thread->recursion_remaining += count;
#else
  thread->recursion_depth -= count;
#endif
  watch.given += count;
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"call_without_frames", reinterpret_cast<PyCFunction>(call_without_frames), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"call_with_frames", reinterpret_cast<PyCFunction>(call_with_frames), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"call_handling", reinterpret_cast<PyCFunction>(call_handling), METH_FASTCALL, nullptr},
    {"give_recursions", give_recursions, METH_O, nullptr},
    {"pass_frames", pass_frames, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

WithoutFrames::WithoutFrames()
    : handler_(std::exchange(watch.handler, nullptr)), recursions_(std::exchange(watch.recursions, recursions())) {
  if (handler_) set_watching(false);
}

WithoutFrames::~WithoutFrames() {
  if (handler_) set_watching(true);
  watch.handler = handler_;
  watch.recursions = recursions_;
}

void add_frame_evaluation(PyObject* module) {
  start();
  check(PyModule_AddFunctions(module, functions));
  check(PyModule_AddIntConstant(module, "FOREVER", kForever));
  check(PyModule_AddIntConstant(module, "LIBRARY", kLibrary));
  check(PyModule_AddObjectRef(module, "EVALUATES_FRAMES", EMBER_FRAMES ? Py_True : Py_False));
}

}  // namespace ember::python
