// Evaluation of frames, on the versions of CPython whose frames python_frame.h knows; others call as they are told, and
// no more.
//
// `call_with_frames(handler, function, *args, **kwargs)` calls a function. While it runs, frames of this thread that
// are functions' are offered to handler(function, *parameters), which returns (result,) in place of running one, None
// to let Python run it, False to let Python run it and all that it calls, or what to call once Python has. While a
// graph is captured these are all frames, also those that make a generator; else those with Tensors among the
// arguments, unless the thread traces, profiles or records gradients. The handler itself and what it calls run without;
// a call from there nests. The evaluator is installed only meanwhile; frames that it does not take go to the one that
// it found, which comes back afterwards. `call_without_frames(function, ...)` leaves the extent for a call.
//
// What tracers and profilers of the thread see is the user's code: what the library does from an entry on is hidden
// from them, in a capture also what it calls. `call_traced(function, ...)` shows a call of the user's code that no
// extent begins with; `traced()` tells whether there is a tracer, which is to see each frame.
//
// `give_recursions(count)` lets this thread nest deeper, or less deep again by -count; the limit itself, which is all
// threads', stays as it is.
#include "python/src/frames/frame_eval.h"

#include <algorithm>
#include <vector>

#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/object.h"
#include "python/src/frames/callee_frames.h"
#include "python/src/frames/python_frame.h"
#include "python/src/tensor/tensor.h"
#include "vm/exec/depth.h"

namespace ember::python {
namespace {

// What pass_frames is told of code whose frames are never offered; of kLibrary not while a graph is captured, either.
constexpr intptr_t kForever = -1, kLibrary = -2;

// What this thread does with its frames.
struct Watch {
  PyObject* handler = nullptr;
  bool capturing = false;
  bool hidden = false;       // from tracers and profilers
  int depth = 0;             // of extents
  int recursions = -1;       // of Python, nested where the library was entered from the user's code
  int extra_recursions = 0;  // recursions, by give_recursions
};
thread_local Watch watch;

#if EMBER_FRAMES

constexpr int kDeepest = 16;         // each takes much of C's stack; captures limit their depth themselves
constexpr int kReserve = 200;        // recursions that a handler may need
constexpr Py_ssize_t kLookedAt = 8;  // items of a container

int extents = 0;                                                     // of all threads, under the GIL
_PyFrameEvalFunction previous_evaluator = _PyEval_EvalFrameDefault;  // which evaluates the frames that are not taken
thread_local const Frame* passed_on = nullptr;                       // the latest that was given to it
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

bool has_tensors(const Frame& frame) {
  constexpr int kDepth = 2;
  for (PyObject* value : arguments(frame))
    if (value && holds_tensor(value, kDepth)) return true;
  PyObject* closure = closure_of(frame);
  for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(closure); ++i) {
    PyObject* content = PyCell_GET(PyTuple_GET_ITEM(closure, i));
    if (content && holds_tensor(content, kDepth)) return true;
  }
  return false;
}

intptr_t frames_to_pass(PyCodeObject* code) { return reinterpret_cast<intptr_t>(code_extra(code, passes)); }

bool passed(PyCodeObject* code) {
  const intptr_t count = frames_to_pass(code);
  if (count > 0 && !set_code_extra(code, passes, reinterpret_cast<void*>(count - 1))) PyErr_Clear();
  return count != 0;
}

bool offered(const PyThreadState& thread, const Frame& frame) {
  constexpr int kFunction = CO_OPTIMIZED | CO_NEWLOCALS;
  constexpr int kSuspends = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;
  if (!watch.handler) return false;
  PyCodeObject* code = code_of(frame);
  if ((code->co_flags & kFunction) != kFunction || is_resumed(frame)) return false;
  if (watch.capturing) return current_capture() && frames_to_pass(code) != kLibrary;
  return !(code->co_flags & kSuspends) && !thread.c_tracefunc && !thread.c_profilefunc &&
         !is_monitored(thread, *code) && recursions_left(thread) > kReserve && !current_capture() && !recording() &&
         !passed(code) && has_tensors(frame);
}

PyObject* ask(const Frame& frame) {
  return guarded([&]() -> PyObject* {
    Object handler = Object::borrow(watch.handler);
    const WithoutFrames unwatched;
    const Object function = function_of(frame);
    const std::vector<PyObject*> values = arguments(frame);
    if (is_callees(handler.get())) return answer(handler.get(), function.get(), values).release();
    std::vector<PyObject*> call = {function.get()};
    call.insert(call.end(), values.begin(), values.end());
    return PyObject_Vectorcall(handler.get(), call.data(), call.size(), nullptr);
  });
}

// An evaluator installed over ours gives frames back to it: those are Python's then.
PyObject* pass_on(PyThreadState* thread, Frame* frame, int throwing) {
  if (previous_evaluator == _PyEval_EvalFrameDefault || passed_on == frame)
    return _PyEval_EvalFrameDefault(thread, frame, throwing);
  const Frame* outer = std::exchange(passed_on, frame);
  PyObject* result = previous_evaluator(thread, frame, throwing);
  passed_on = outer;
  return result;
}

PyObject* evaluate_next(PyThreadState* thread, Frame* frame, int throwing) {
  if (throwing || passed_on == frame || !offered(*thread, *frame)) return pass_on(thread, frame, throwing);
  const Object answer = Object::own(ask(*frame));
  if (!answer) return without_running(thread, frame, nullptr);
  if (PyTuple_CheckExact(answer.get())) return without_running(thread, frame, PyTuple_GET_ITEM(answer.get(), 0));
  return guarded([&]() -> PyObject* {
    if (answer.get() == Py_False) {
      const WithoutFrames unwatched(/*hidden=*/false);
      return pass_on(thread, frame, 0);
    }
    Object result = Object::own(pass_on(thread, frame, 0));
    if (result && answer.get() != Py_None) check(PyObject_CallNoArgs(answer.get()));
    return result.release();
  });
}

// Frames that Python's own evaluator would have run within that of their callers take C's stack here. They count as no
// calls of C: what is left of the stack does.
PyObject* evaluate(PyThreadState* thread, Frame* frame, int throwing) {
  if (vm::stack_is_short()) {
    PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded");
    return throwing ? pass_on(thread, frame, throwing) : without_running(thread, frame, nullptr);
  }
  give_calls_of_c(*thread, 1);
  PyObject* result = evaluate_next(thread, frame, throwing);
  give_calls_of_c(*thread, -1);
  return result;
}

// Not by what is left, which changes with the limit.
int recursions() { return recursions_of(*PyThreadState_Get()) + watch.extra_recursions; }

// The evaluator, under which calls from Python to Python take C's stack, is there while a thread watches.
void set_watching(bool on) {
  PyInterpreterState* interpreter = PyInterpreterState_Get();
  if (on && ++extents == 1) {
    _PyFrameEvalFunction installed = _PyInterpreterState_GetEvalFrameFunc(interpreter);
    if (installed != evaluate) previous_evaluator = installed;
    _PyInterpreterState_SetEvalFrameFunc(interpreter, evaluate);
  }
  const bool last = !on && --extents == 0;
  if (last && _PyInterpreterState_GetEvalFrameFunc(interpreter) == evaluate)
    _PyInterpreterState_SetEvalFrameFunc(interpreter, previous_evaluator);
}

void set_hidden(bool hidden) {
  if (watch.hidden == hidden) return;
  watch.hidden = hidden;
  (hidden ? hide_from_tracers : show_to_tracers)(*PyThreadState_Get());
}

bool shows_lines(PyObject* function) {
  while (PyMethod_Check(function)) function = PyMethod_GET_FUNCTION(function);
  PyObject* code = PyFunction_Check(function) ? PyFunction_GET_CODE(function) : nullptr;
  return is_traced(*PyThreadState_Get(), reinterpret_cast<PyCodeObject*>(code));
}

// An extent in which frames are offered. The library's own recursions on the way to it do not count.
class Extent {
 public:
  explicit Extent(PyObject* handler) : outer_(watch), thread_(PyThreadState_Get()) {
    const bool deep = watch.depth >= kDeepest && !current_capture();
    if (!deep && watch.recursions >= 0) library_ = std::max(0, recursions() - watch.recursions);
    give(*thread_, library_);
    watch = {deep ? nullptr : handler,         current_capture() != nullptr, watch.hidden, watch.depth + 1, -1,
             watch.extra_recursions + library_};
    if (watch.handler) set_watching(true);
    set_hidden(watch.hidden && watch.capturing);
  }
  ~Extent() {
    set_hidden(outer_.hidden);
    if (watch.handler) set_watching(false);
    give(*thread_, -library_);
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
  if (!set_code_extra(reinterpret_cast<PyCodeObject*>(code), passes, reinterpret_cast<void*>(count))) return nullptr;
  Py_RETURN_NONE;
}

// is_written_into(code)
PyObject* is_code_written_into(PyObject*, PyObject* code) {
  return PyBool_FromLong(is_written_into(*reinterpret_cast<PyCodeObject*>(code)));
}

void start() {
  passes = request_code_extra();
  if (passes < 0) raise(PyExc_RuntimeError, "no place is left in CPython's code objects");
}

#else

struct Extent {
  explicit Extent(PyObject*) {}
};

PyObject* pass_frames(PyObject*, PyObject*) { Py_RETURN_NONE; }

PyObject* is_code_written_into(PyObject*, PyObject*) { Py_RETURN_TRUE; }

int recursions() { return -1; }

void set_watching(bool) {}
void set_hidden(bool) {}
bool shows_lines(PyObject*) { return PyThreadState_Get()->c_tracefunc; }
void give(PyThreadState&, int) {}

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

// call_handling(error, function, *args) calls a function as from the handler of an exception.
PyObject* call_handling(PyObject*, PyObject* const* args, Py_ssize_t count) {
  const Object error = Object::borrow(args[0]);
  const Handling handling(error.get());
  return PyObject_Vectorcall(args[1], args + 2, count - 2, nullptr);
}

// call_alone(function) calls a function as if nothing had called it: frames that outlive the call lead to none further
// out.
PyObject* call_alone(PyObject*, PyObject* function) {
  [[maybe_unused]] const Alone alone;
  return PyObject_CallNoArgs(function);
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

// call_traced(function, *args, **kwargs)
PyObject* call_traced(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  if (count < 1) {
    PyErr_SetString(PyExc_TypeError, "call_traced() takes a function and its arguments");
    return nullptr;
  }
  const bool hidden = watch.hidden;
  set_hidden(false);
  PyObject* result = PyObject_Vectorcall(args[0], args + 1, count - 1, keywords);
  set_hidden(hidden);
  return result;
}

PyObject* give_recursions(PyObject*, PyObject* number) {
  const int count = static_cast<int>(PyLong_AsLong(number));
  if (PyErr_Occurred()) return nullptr;
  PyThreadState* thread = PyThreadState_Get();
  give(*thread, count);
  watch.extra_recursions += count;
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"call_without_frames", reinterpret_cast<PyCFunction>(call_without_frames), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"call_traced", reinterpret_cast<PyCFunction>(call_traced), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"call_with_frames", reinterpret_cast<PyCFunction>(call_with_frames), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"call_handling", reinterpret_cast<PyCFunction>(call_handling), METH_FASTCALL, nullptr},
    {"call_alone", call_alone, METH_O, nullptr},
    {"give_recursions", give_recursions, METH_O, nullptr},
    {"is_written_into", is_code_written_into, METH_O, nullptr},
    {"pass_frames", pass_frames, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

WithoutFrames::WithoutFrames(bool hidden)
    : handler_(std::exchange(watch.handler, nullptr)),
      recursions_(std::exchange(watch.recursions, recursions())),
      hidden_(watch.hidden) {
  if (handler_) set_watching(false);
  set_hidden(hidden);
}

WithoutFrames::~WithoutFrames() {
  set_hidden(hidden_);
  if (handler_) set_watching(true);
  watch.handler = handler_;
  watch.recursions = recursions_;
}

PyObject* evaluate_with_frames(PyObject* handler, PyObject* code, PyObject* global_names, PyObject* variables) {
  const Extent extent(handler);
  return PyEval_EvalCode(code, global_names, variables);
}

bool is_traced(PyObject* function) { return shows_lines(function); }

void add_frame_evaluation(PyObject* module) {
  start();
  check(PyModule_AddFunctions(module, functions));
  check(PyModule_AddIntConstant(module, "FOREVER", kForever));
  check(PyModule_AddIntConstant(module, "LIBRARY", kLibrary));
  check(PyModule_AddObjectRef(module, "EVALUATES_FRAMES", EMBER_FRAMES ? Py_True : Py_False));
}

}  // namespace ember::python
