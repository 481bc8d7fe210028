#include "python/src/object.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "bytecode/graph/verify.h"
#include "gc/storage.h"
#include "ops/base/interrupt.h"
#include "ops/table/op.h"
#include "python/src/capture.h"
#include "vm/exec/function.h"

namespace ember::python {

PyObject* error_class(const ops::OpError& error) {
  PyObject* types[] = {PyExc_ValueError, PyExc_TypeError, PyExc_IndexError, PyExc_OverflowError};
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
    PyErr_SetString(PyExc_IndexError, e.what());
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

}  // namespace ember::python
