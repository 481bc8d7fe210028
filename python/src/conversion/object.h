// Python references and error translation. Nothing of Python leaves python/src; nothing else of emberjit enters Python
// without passing one of the conversions declared here.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#ifdef Py_GIL_DISABLED
#error "emberjit relies on the GIL: build it for a Python that has one"
#endif

#include <cxxabi.h>

#include <atomic>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gc/fork.h"
#include "ops/base/error.h"

namespace ember::python {

// An owned reference.
class Object {
 public:
  Object() = default;
  static Object own(PyObject* p) { return Object(p); }
  static Object borrow(PyObject* p) {
    Py_XINCREF(p);
    return Object(p);
  }
  Object(const Object& other) : p_(other.p_) { Py_XINCREF(p_); }
  Object(Object&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  ~Object() { Py_XDECREF(p_); }
  Object& operator=(Object other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  PyObject* get() const { return p_; }
  PyObject* release() { return std::exchange(p_, nullptr); }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  explicit Object(PyObject* p) : p_(p) {}
  PyObject* p_ = nullptr;
};

inline std::vector<PyObject*> pointers(const std::vector<Object>& objects) {
  std::vector<PyObject*> out;
  out.reserve(objects.size());
  for (const Object& o : objects) out.push_back(o.get());
  return out;
}

// A Python error that is already set.
struct PythonError : std::exception {};

// A RecursionError where little is left of the thread's stack: Python's own limit may be set to more than it holds.
void check_stack(const char* where);

// A level of nested values: a RecursionError where they are too deep, as lists are that contain themselves.
class Recursion {
 public:
  explicit Recursion(const char* where) {
    check_stack(where);
    if (Py_EnterRecursiveCall(where)) throw PythonError();
  }
  ~Recursion() { Py_LeaveRecursiveCall(); }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
};

// Throws PythonError if `p` is null; else owns it.
inline Object check(PyObject* p) {
  if (!p) throw PythonError();
  return Object::own(p);
}
inline void check(int status) {
  if (status < 0) throw PythonError();
}

extern PyObject* index_error;  // of ops' positions; made with the module
PyObject* error_class(const ops::OpError& error);

// Sets the Python error for the C++ exception in flight: OpError becomes ValueError, TypeError or IndexError,
// OutOfMemory MemoryError, Interrupted leaves what the signal handler set.
void set_python_error() noexcept;

// While Python finalises, a daemon thread that takes the GIL is ended by unwinding its stack, which would pass frames
// that must not be left so. It waits for the end of the process instead.
[[noreturn]] void wait_for_exit() noexcept;
using ThreadExit = abi::__forced_unwind;

// Runs f, which returns a new reference, and turns exceptions into Python errors.
template <class F>
PyObject* guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const ThreadExit&) {
    wait_for_exit();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}
template <class F>
int guarded_int(F&& f) noexcept {
  try {
    return f();
  } catch (const ThreadExit&) {
    wait_for_exit();
  } catch (...) {
    set_python_error();
    return -1;
  }
}

[[noreturn]] void raise(PyObject* type, const std::string& message);
// In place of the error that is set, if that is of class `other` itself: "before CLASS OF SOURCE after: its text", with
// it as cause.
[[noreturn]] void raise_for(PyObject* other, PyObject* type, const char* before, PyObject* source, const char* after);
std::string text(PyObject* str);  // of a str; throws PythonError for another type
std::string repr(PyObject* object);

// The exception that is set, with its traceback, without its being so; and the way back.
Object take_error();
void restore(const Object& error);

// A list, or a tuple, of what make(position) returns.
template <class F>
Object make_sequence(bool list, Py_ssize_t count, F&& make) {
  Object sequence = check(list ? PyList_New(count) : PyTuple_New(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = make(i).release();
    if (list)
      PyList_SET_ITEM(sequence.get(), i, item);
    else
      PyTuple_SET_ITEM(sequence.get(), i, item);
  }
  return sequence;
}

// Sets an attribute; none is deleted, so that what is complete stays so (tp_setattro).
int set_attribute(PyObject* self, PyObject* name, PyObject* value);

// Releases the GIL for its lifetime. A fork waits a moment until no thread is in such a section, or each waits for the
// GIL, so that what is done soon is done in its child too.
class WithoutGil {
 public:
  WithoutGil() {
    sections_.fetch_add(1, std::memory_order_relaxed);
    released_ = true;
    state_ = PyEval_SaveThread();
  }
  ~WithoutGil() {
    sections_.fetch_sub(1, std::memory_order_release);
    gc::check_lock_order(gc::ForkRank::Gil);
    try {
      PyEval_RestoreThread(state_);
    } catch (const ThreadExit&) {
      wait_for_exit();
    }
    released_ = false;
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  static bool released() { return released_; }  // by this thread

  // Called once, after all that take locks in such sections have registered their own handlers: those run later.
  static void watch_forks();

  // While one lives, this thread waits for the GIL, or has it.
  class Waiting {
   public:
    Waiting() {
      gc::check_lock_order(gc::ForkRank::Gil);
      if (released_) sections_.fetch_sub(1, std::memory_order_release);
    }
    ~Waiting() {
      if (released_) sections_.fetch_add(1, std::memory_order_relaxed);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
  };

 private:
  static void wait_for_sections();

  static std::atomic<int> sections_;
  static inline thread_local bool released_ = false;
  PyThreadState* state_;
};

// What f returns, with the GIL taken, on any thread that holds no lock of gc/fork.h. f throws nothing.
template <class F>
auto with_gil(F&& f) {
  const WithoutGil::Waiting waiting;
  try {
    const PyGILState_STATE state = PyGILState_Ensure();
    if constexpr (std::is_void_v<decltype(f())>) {
      f();
      PyGILState_Release(state);
    } else {
      const auto result = f();
      PyGILState_Release(state);
      return result;
    }
  } catch (const ThreadExit&) {
    wait_for_exit();
  }
}

}  // namespace ember::python
