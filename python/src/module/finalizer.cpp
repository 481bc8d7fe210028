// Those that live are in a list, for the end of the process that made them.
#include "python/src/module/finalizer.h"

#include <unistd.h>

namespace ember::python {
namespace {

struct Finalizer {
  PyObject_HEAD PyObject* function;  // null once it was called
  pid_t process;
  Finalizer *before, *after;
};

Finalizer ends = {};  // of the list

Finalizer* as_finalizer(PyObject* self) { return reinterpret_cast<Finalizer*>(self); }

Object take_function(Finalizer& self) {
  if (!self.function) return {};
  self.before->after = self.after;
  self.after->before = self.before;
  return Object::own(std::exchange(self.function, nullptr));
}

int raise_again(void* exception) {
  const Object value = Object::own(static_cast<PyObject*>(exception));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value.get())), value.get());
  return -1;
}

bool must_be_raised() { return !PyErr_ExceptionMatches(PyExc_Exception) && getpid() == gettid(); }

// The exception that stopped the function, if the main thread must raise it; others are printed.
Object call_once(PyObject* function) {
  if (Object::own(PyObject_CallNoArgs(function))) return {};
  if (must_be_raised()) return take_error();
  PyErr_WriteUnraisable(function);
  return {};
}

// Called last of all: what Python runs before it returns to the program would raise it.
void raise_later(Object exception) {
  if (Py_AddPendingCall(raise_again, exception.get()) == 0) {
    exception.release();
    return;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
  PyErr_WriteUnraisable(nullptr);
}

void finalize(PyObject* self) {
  Object function = take_function(*as_finalizer(self));
  if (!function) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Object interrupt = call_once(function.get());
  if (interrupt) call_once(function.get());
  function = {};
  if (interrupt) raise_later(std::move(interrupt));
  PyErr_Restore(type, value, traceback);
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* function;
  if (!PyArg_ParseTuple(args, "O:Finalizer", &function)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  Finalizer& finalizer = *as_finalizer(self);
  finalizer.function = Py_NewRef(function);
  finalizer.process = getpid();
  finalizer.before = &ends;
  finalizer.after = std::exchange(ends.after, &finalizer);
  finalizer.after->before = &finalizer;
  return self;
}

PyObject* call(PyObject* self, PyObject* args, PyObject*) {
  if (!PyArg_ParseTuple(args, ":Finalizer")) return nullptr;
  const Object function = take_function(*as_finalizer(self));
  if (!function) return Py_NewRef(Py_None);
  Object result = Object::own(PyObject_CallNoArgs(function.get()));
  if (result || PyErr_ExceptionMatches(PyExc_Exception)) return result.release();
  Object interrupt = take_error();
  call_once(function.get());
  raise_again(interrupt.release());
  return nullptr;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_finalizer(self)->function);
  return 0;
}

int clear(PyObject* self) {
  take_function(*as_finalizer(self));
  return 0;
}

void dealloc(PyObject* self) {
  if (PyObject_CallFinalizerFromDealloc(self) < 0) return;
  PyObject_GC_UnTrack(self);
  clear(self);
  Py_TYPE(self)->tp_free(self);
}

PyObject* call_all(PyObject*, PyObject*) {
  while (ends.after != &ends) {
    const Object one = Object::borrow(reinterpret_cast<PyObject*>(ends.after));
    if (ends.after->process == getpid())
      finalize(one.get());
    else
      clear(one.get());
  }
  Py_RETURN_NONE;
}
PyMethodDef call_all_method = {"call_finalizers", call_all, METH_NOARGS, "Calls all functions of Finalizers."};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit._emberjit.Finalizer";
  type.tp_doc = "Calls a function when it dies.";
  type.tp_basicsize = sizeof(Finalizer);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  type.tp_new = make;
  type.tp_call = call;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_finalize = finalize;
  type.tp_dealloc = dealloc;
  return type;
}

PyTypeObject finalizer_type = make_type();

}  // namespace

void add_finalizers(PyObject* module) {
  ends.before = ends.after = &ends;
  check(PyType_Ready(&finalizer_type));
  check(PyModule_AddObjectRef(module, "Finalizer", reinterpret_cast<PyObject*>(&finalizer_type)));
  const Object at_exit = check(PyImport_ImportModule("atexit"));
  const Object all = check(PyCFunction_New(&call_all_method, nullptr));
  check(PyObject_CallMethod(at_exit.get(), "register", "O", all.get()));
}

}  // namespace ember::python
