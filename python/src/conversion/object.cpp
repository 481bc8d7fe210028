#include "python/src/conversion/object.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "bytecode/graph/verify.h"
#include "gc/storage.h"
#include "ops/base/interrupt.h"
#include "ops/table/op.h"
#include "python/src/capture/capture.h"
#include "vm/exec/depth.h"
#include "vm/exec/function.h"

namespace ember::python {

PyObject* index_error = nullptr;

PyObject* error_class(const ops::OpError& error) {
  PyObject* types[] = {PyExc_ValueError, PyExc_TypeError, index_error, PyExc_OverflowError};
  return types[static_cast<int>(error.kind)];
}

void set_python_error() noexcept {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const ops::OpError& e) {
    refuse_current_capture();  // what is wrong may be so for these shapes alone
    PyErr_SetString(error_class(e), e.what());
  } catch (const std::bad_alloc& e) {
    PyErr_SetString(PyExc_MemoryError, e.what());
  } catch (const ops::Interrupted&) {
    if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::length_error& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::out_of_range& e) {
    PyErr_SetString(index_error, e.what());
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "emberjit: unknown error");
  }
}

void wait_for_exit() noexcept {
  while (true) pause();
}

std::atomic<int> WithoutGil::sections_{0};

void WithoutGil::watch_forks() {
  pthread_atfork(wait_for_sections, nullptr, [] { sections_ = 0; });
}

void WithoutGil::wait_for_sections() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (sections_.load(std::memory_order_acquire) != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void raise(PyObject* type, const std::string& message) {
  if (type != PyExc_AttributeError) refuse_current_capture();
  PyErr_SetString(type, message.c_str());
  throw PythonError();
}

void check_stack(const char* where) {
  if (!vm::stack_is_short()) return;
  raise(PyExc_RecursionError, std::string("maximum recursion depth exceeded") + where +
                                  ": the thread's stack has no room for more. Run it in a thread with a larger stack.");
}

void raise_for(PyObject* other, PyObject* type, const char* before, PyObject* source, const char* after) {
  PyObject *raised, *value, *traceback;
  PyErr_Fetch(&raised, &value, &traceback);
  if (raised != other) {
    PyErr_Restore(raised, value, traceback);
    throw PythonError();
  }
  PyErr_NormalizeException(&raised, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  const Object error[] = {Object::own(raised), Object::own(traceback)};
  Object cause = Object::own(value);
  const Object said = check(PyObject_Str(cause.get()));
  Object new_error = check(PyUnicode_FromFormat("%s %R %s: %U", before, Py_TYPE(source), after, said.get()));
  new_error = check(PyObject_CallOneArg(type, new_error.get()));
  PyException_SetCause(new_error.get(), cause.release());
  refuse_current_capture();
  PyErr_SetObject(type, new_error.get());
  throw PythonError();
}

std::string text(PyObject* str) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(str, &size);
  if (!data) throw PythonError();
  return std::string(data, static_cast<size_t>(size));
}

std::string repr(PyObject* object) {
  Object r = check(PyObject_Repr(object));
  return text(r.get());
}

Object take_error() {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return Object::own(value);
}

void restore(const Object& error) {
  PyErr_Restore(Py_NewRef(Py_TYPE(error.get())), Py_NewRef(error.get()), PyException_GetTraceback(error.get()));
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  if (value) return PyObject_GenericSetAttr(self, name, value);
  PyErr_Format(PyExc_TypeError, "'%U' of a %s cannot be deleted", name, Py_TYPE(self)->tp_name);
  return -1;
}

}  // namespace ember::python
