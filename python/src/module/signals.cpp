#include "python/src/module/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <vector>

#include "python/src/conversion/object.h"

namespace ember::python {
namespace {

struct Kept {
  int signal;
  PyObject* handler;  // owned
};

// What one thread, the main one, holds. It outlives Python.
struct Held {
  int depth = 0;
  pthread_t thread = {};
  std::vector<Kept> handlers;  // in whose place is `note`
  std::vector<int> arrived;
  bool stoppable = false;  // Ctrl-C has no handler of the program's
  PyObject* stop =
      nullptr;  // class of the error that Ctrl-C raises then; borrowed from the innermost extent that has one
  bool interrupted = false;
} held;

// The garbage collector calls finalizers, so it rests while any thread captures.
int without_collector = 0;
thread_local int of_thread = 0;
bool collects = false;

PyObject* note;  // the handler of signals that are held

PyObject* note_signal(PyObject*, PyObject* args) {
  int signal;
  PyObject* frame;
  if (!PyArg_ParseTuple(args, "iO", &signal, &frame)) return nullptr;
  if (signal == SIGINT && held.stoppable && held.stop) {
    held.interrupted = true;
    PyErr_SetString(std::exchange(held.stop, nullptr), "a capture is interrupted.");
    return nullptr;
  }
  held.arrived.push_back(signal);
  Py_RETURN_NONE;
}

Object signals_module() { return check(PyImport_ImportModule("_signal")); }

// As signal.signal, but whether a signal interrupts system calls stays as it is.
bool set_handler(PyObject* module, int signal, PyObject* handler) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  const Object before = Object::own(PyObject_CallMethod(module, "signal", "iO", signal, handler));
  if (before) sigaction(signal, &action, nullptr);
  return static_cast<bool>(before);
}

// Puts the handlers back. What one of them raises meanwhile, as of a signal that has arrived just now, stays set; it
// may capture, too.
void put_back(PyObject* module) {
  constexpr int kTries = 100;  // each runs the handlers of what has arrived
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  held.depth = 0;
  for (const Kept& entry : std::exchange(held.handlers, {})) {
    for (int i = 0; i < kTries && !set_handler(module, entry.signal, entry.handler); ++i) {
      Py_XDECREF(type);
      Py_XDECREF(value);
      Py_XDECREF(traceback);
      PyErr_Fetch(&type, &value, &traceback);
    }
    Py_DECREF(entry.handler);
  }
  PyErr_Restore(type, value, traceback);
}

// Takes the place of each handler of the program's.
bool take_places(PyObject* module) {
  if (PyErr_CheckSignals()) return false;
  held.depth = 1;
  held.thread = pthread_self();
  const Object interrupt = check(PyObject_GetAttrString(module, "default_int_handler"));
  for (int signal = 1; signal < NSIG; ++signal) {
    Object handler = Object::own(PyObject_CallMethod(module, "getsignal", "i", signal));
    if (!handler) PyErr_Clear();  // of the C library's own
    if (!handler || !PyCallable_Check(handler.get())) continue;
    if (signal == SIGINT) held.stoppable = handler.get() == interrupt.get();
    if (!set_handler(module, signal, note)) {
      put_back(module);
      if (!PyErr_ExceptionMatches(PyExc_ValueError)) return false;
      PyErr_Clear();  // not Python's main thread: no handler runs here
      return true;
    }
    held.handlers.push_back({signal, handler.release()});
  }
  return true;
}

bool holds() { return held.depth > 0 && pthread_equal(held.thread, pthread_self()); }

void rest_collector() {
  if (without_collector++ == 0) collects = PyGC_Disable();
  ++of_thread;
}

void wake_collector() {
  --of_thread;
  if (--without_collector == 0 && collects) PyGC_Enable();
}

// Undisturbed(stop): a context manager. `stop` is the class of the error that Ctrl-C raises, or None if it is held,
// too.
struct Undisturbed {
  PyObject_HEAD PyObject *stop, *outer;  // of which the outer one is borrowed
};

Undisturbed* as_undisturbed(PyObject* self) { return reinterpret_cast<Undisturbed*>(self); }

PyObject* undisturbed_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* stop = nullptr;
  if (!PyArg_ParseTuple(args, "O", &stop)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (self && stop != Py_None) as_undisturbed(self)->stop = Py_NewRef(stop);
  return self;
}

void undisturbed_dealloc(PyObject* self) {
  Py_XDECREF(as_undisturbed(self)->stop);
  Py_TYPE(self)->tp_free(self);
}

PyObject* enter(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    if (holds()) {
      ++held.depth;
    } else if (getpid() == gettid()) {
      if (!take_places(signals_module().get())) return nullptr;
    }
    rest_collector();
    if (holds()) as_undisturbed(self)->outer = std::exchange(held.stop, as_undisturbed(self)->stop);
    Py_RETURN_NONE;
  });
}

PyObject* leave(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    if (of_thread == 0) Py_RETURN_NONE;  // forgotten in a child
    wake_collector();
    if (!holds()) Py_RETURN_NONE;
    held.stop = as_undisturbed(self)->outer;
    if (--held.depth > 0) Py_RETURN_NONE;
    put_back(signals_module().get());
    if (std::exchange(held.interrupted, false)) held.arrived.push_back(SIGINT);
    for (int signal : std::exchange(held.arrived, {})) PyErr_SetInterruptEx(signal);
    return PyErr_Occurred() ? nullptr : Py_NewRef(Py_None);
  });
}

PyMethodDef methods[] = {{"__enter__", enter, METH_NOARGS, nullptr},
                         {"__exit__", leave, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Undisturbed";
  type.tp_basicsize = sizeof(Undisturbed);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = undisturbed_new;
  type.tp_dealloc = undisturbed_dealloc;
  type.tp_methods = methods;
  return type;
}

PyTypeObject UndisturbedType = make_type();

// Whether Ctrl-C has ended a capture: told once.
PyObject* take_interrupt(PyObject*, PyObject*) {
  return PyBool_FromLong(holds() && std::exchange(held.interrupted, false));
}

// In a forked child: what other threads held is free.
PyObject* renew_signals(PyObject*, PyObject*) {
  return guarded([&]() -> PyObject* {
    if (std::exchange(without_collector, of_thread) > 0 && of_thread == 0 && collects) PyGC_Enable();
    if (held.depth == 0 || holds()) Py_RETURN_NONE;
    held.interrupted = false;
    held.arrived.clear();
    put_back(signals_module().get());
    return PyErr_Occurred() ? nullptr : Py_NewRef(Py_None);
  });
}

PyMethodDef handler = {"note_signal", note_signal, METH_VARARGS, nullptr};
PyMethodDef functions[] = {{"take_interrupt", take_interrupt, METH_NOARGS, nullptr},
                           {"renew_signals", renew_signals, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_signals(PyObject* module) {
  note = check(PyCFunction_New(&handler, nullptr)).release();
  check(PyType_Ready(&UndisturbedType));
  check(PyModule_AddObjectRef(module, "Undisturbed", reinterpret_cast<PyObject*>(&UndisturbedType)));
  check(PyModule_AddFunctions(module, functions));
}

}  // namespace ember::python
