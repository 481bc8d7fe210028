#include "python/src/frames/callee_frames.h"

#include <structmember.h>

#include <vector>

#include "python/src/conversion/gc_type.h"
#include "python/src/frames/break_driver.h"
#include "python/src/frames/recipe.h"

namespace ember::python {
namespace {

struct CalleesObject {
  PyObject_HEAD PyObject* by_code;  // a dict: Callee by the ids of code and globals
};

struct CalleeObject {
  PyObject_HEAD PyObject *graph, *drivers;  // a Jit; a dict: Driver by the ids of the function's cells
  PyObject* names;                          // a tuple: of parameters, then of free variables
  Py_ssize_t frames, runs;                  // how many there have been, how many the graph was asked about
  Py_ssize_t graph_calls;                   // how many frames to come need not be asked about
  char broken;                              // whether no one graph has all of it
};

extern PyTypeObject CalleesType, CalleeType;

CalleesObject& as_callees(PyObject* o) { return *reinterpret_cast<CalleesObject*>(o); }
CalleeObject& as_callee(PyObject* o) { return *reinterpret_cast<CalleeObject*>(o); }

Object key_of(PyObject* function) {
  const Object code = check(PyLong_FromVoidPtr(PyFunction_GET_CODE(function)));
  const Object names = check(PyLong_FromVoidPtr(PyFunction_GET_GLOBALS(function)));
  return check(PyTuple_Pack(2, code.get(), names.get()));
}

Object ids_of(PyObject* cells) {
  const Py_ssize_t count = cells ? PyTuple_GET_SIZE(cells) : 0;
  return make_sequence(/*list=*/false, count,
                       [&](Py_ssize_t i) { return check(PyLong_FromVoidPtr(PyTuple_GET_ITEM(cells, i))); });
}

// The functions from here on return nothing where Python is to run the frame.

Object by_graph(CalleeObject& callee, PyObject* function, std::span<PyObject* const> values) {
  std::vector<PyObject*> args(values.begin(), values.end());
  PyObject* cells = PyFunction_GET_CLOSURE(function);
  for (Py_ssize_t i = 0; cells && i < PyTuple_GET_SIZE(cells); ++i) {
    args.push_back(PyCell_GET(PyTuple_GET_ITEM(cells, i)));
    if (!args.back()) return {};
  }
  ++callee.runs;
  const Object graph = Object::borrow(callee.graph);
  const Object inputs = make_sequence(/*list=*/false, static_cast<Py_ssize_t>(args.size()),
                                      [&](Py_ssize_t i) { return Object::borrow(args[static_cast<size_t>(i)]); });
  const Object results = check(PyObject_CallObject(graph.get(), inputs.get()));
  return results.get() == eager ? Object() : resumed(results.get(), inputs.get());
}

Object by_driver(PyObject* self, PyObject* function, std::span<PyObject* const> values) {
  const Object names = Object::borrow(as_callee(self).names);
  const Object key = ids_of(PyFunction_GET_CLOSURE(function));
  Object driver = Object::borrow(PyDict_GetItemWithError(as_callee(self).drivers, key.get()));
  if (!driver && PyErr_Occurred()) throw PythonError();
  if (!driver || is_spent(driver.get())) driver = check(PyObject_CallMethod(self, "driver", "O", function));
  if (driver.get() == Py_None) return {};
  const Object variables = check(PyDict_New());
  for (size_t i = 0; i < values.size(); ++i) {
    PyObject* name = PyTuple_GetItem(names.get(), static_cast<Py_ssize_t>(i));
    if (!name) throw PythonError();
    check(PyDict_SetItem(variables.get(), name, values[i]));
  }
  Object result = run_driver(driver.get(), variables.get());
  return result.get() == eager ? Object() : result;
}

Object run(PyObject* self, PyObject* function, std::span<PyObject* const> values) {
  CalleeObject& callee = as_callee(self);
  if (!callee.graph || !callee.drivers || !callee.names || !PyDict_CheckExact(callee.drivers))
    raise(PyExc_TypeError, "a Callee lacks what it runs");
  if (!callee.broken) {
    Object result = by_graph(callee, function, values);
    if (result || !callee.broken) return result;
  }
  return by_driver(self, function, values);
}

Object as_answer(const Object& result) {
  return result ? check(PyTuple_Pack(1, result.get())) : Object::borrow(Py_None);
}

// callee.run(function, *values): what `answer` returns.
PyObject* callee_run(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  return guarded([&] {
    if (count < 1 || !PyFunction_Check(args[0])) raise(PyExc_TypeError, "run() takes a function and its values");
    return as_answer(run(self, args[0], {args + 1, static_cast<size_t>(count - 1)})).release();
  });
}

Object ask(PyObject* callees, PyObject* function, std::span<PyObject* const> values) {
  const Object known = Object::borrow(PyDict_GetItemWithError(as_callees(callees).by_code, key_of(function).get()));
  if (!known && PyErr_Occurred()) throw PythonError();
  if (known && PyObject_TypeCheck(known.get(), &CalleeType) && as_callee(known.get()).graph_calls > 0) {
    CalleeObject& callee = as_callee(known.get());
    ++callee.frames;
    --callee.graph_calls;
    const Object result = run(known.get(), function, values);
    if (!result) callee.graph_calls = 0;
    return as_answer(result);
  }
  std::vector<PyObject*> args = {function};
  args.insert(args.end(), values.begin(), values.end());
  return check(PyObject_Vectorcall(callees, args.data(), args.size(), nullptr));
}

int callees_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_callees(self).by_code);
  return 0;
}

int callees_clear(PyObject* self) {
  Py_CLEAR(as_callees(self).by_code);
  return 0;
}

int callee_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_callee(self).graph);
  Py_VISIT(as_callee(self).drivers);
  Py_VISIT(as_callee(self).names);
  return 0;
}

int callee_clear(PyObject* self) {
  Py_CLEAR(as_callee(self).graph);
  Py_CLEAR(as_callee(self).drivers);
  Py_CLEAR(as_callee(self).names);
  return 0;
}

PyMemberDef callees_members[] = {{"by_code", T_OBJECT_EX, offsetof(CalleesObject, by_code), 0, nullptr},
                                 {nullptr, 0, 0, 0, nullptr}};
PyMemberDef callee_members[] = {{"graph", T_OBJECT_EX, offsetof(CalleeObject, graph), 0, nullptr},
                                {"drivers", T_OBJECT_EX, offsetof(CalleeObject, drivers), 0, nullptr},
                                {"names", T_OBJECT_EX, offsetof(CalleeObject, names), 0, nullptr},
                                {"frames", T_PYSSIZET, offsetof(CalleeObject, frames), 0, nullptr},
                                {"runs", T_PYSSIZET, offsetof(CalleeObject, runs), 0, nullptr},
                                {"graph_calls", T_PYSSIZET, offsetof(CalleeObject, graph_calls), 0, nullptr},
                                {"broken", T_BOOL, offsetof(CalleeObject, broken), 0, nullptr},
                                {nullptr, 0, 0, 0, nullptr}};
PyMethodDef callee_methods[] = {{"run", reinterpret_cast<PyCFunction>(callee_run), METH_FASTCALL, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_callee_type() {
  PyTypeObject type = base_type<callee_clear>("emberjit.Callee", sizeof(CalleeObject), callee_traverse, callee_members);
  type.tp_methods = callee_methods;
  return type;
}

PyTypeObject CalleesType =
    base_type<callees_clear>("emberjit.Callees", sizeof(CalleesObject), callees_traverse, callees_members);
PyTypeObject CalleeType = make_callee_type();

}  // namespace

bool is_callees(PyObject* o) { return PyObject_TypeCheck(o, &CalleesType); }

Object answer(PyObject* callees, PyObject* function, std::span<PyObject* const> values) {
  if (!as_callees(callees).by_code || !PyDict_CheckExact(as_callees(callees).by_code))
    raise(PyExc_TypeError, "Callees lack what they hold");
  try {
    return ask(callees, function, values);
  } catch (const ThreadExit&) {
    throw;
  } catch (...) {
    set_python_error();
  }
  const Object error = take_error();
  check(PyObject_CallMethod(callees, "show", "O", error.get()));
  restore(error);
  throw PythonError();
}

void add_callee_frames(PyObject* module) { add_types(module, {{"Callees", &CalleesType}, {"Callee", &CalleeType}}); }

}  // namespace ember::python
