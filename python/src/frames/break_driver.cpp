#include "python/src/frames/break_driver.h"

#include <structmember.h>

#include <algorithm>
#include <array>

#include "python/src/conversion/gc_type.h"
#include "python/src/frames/frame_acts.h"
#include "python/src/frames/frame_eval.h"
#include "python/src/frames/hiding.h"
#include "python/src/frames/python_frame.h"
#include "python/src/frames/recipe.h"
#include "python/src/jit/graph_errors.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {
namespace {

struct ContinuationObject {
  PyObject_HEAD PyObject *graph, *hiding;  // a Jit, a Hiding
  char immediate;                          // whether its first instruction is for Python
};

struct DriverObject {
  PyObject_HEAD PyObject* continuations;  // a list: by the instruction where they begin; None where there is none yet
  PyObject* wanted;                       // a list: for each instruction the variables that may be read from there on
  PyObject *function, *plain_code;        // the Python function, the code of it that is run
  PyObject* prototype;                    // a Frame of it that has not begun
  PyObject* receiver;                     // a tuple: what the function is bound to, if it is
  PyObject* parameters;                   // a tuple of names; None if binding arguments takes more than their number
  unsigned long long calls;
  Py_ssize_t graph_calls;  // how many calls to come need not be asked about
  char whole;              // whether the last call was one graph
  char spent;              // whether all calls are Python's from now on
  char names_tensors;      // whether its code names what makes or holds Tensors
};

extern PyTypeObject ContinuationType;

DriverObject& as_driver(PyObject* o) { return *reinterpret_cast<DriverObject*>(o); }
ContinuationObject& as_continuation(PyObject* o) { return *reinterpret_cast<ContinuationObject*>(o); }
PyObject* object(FrameObject& frame) { return reinterpret_cast<PyObject*>(&frame); }

PyObject* item(PyObject* list, Py_ssize_t at) {
  if (!list || !PyList_Check(list)) raise(PyExc_TypeError, "a Driver lacks what it runs");
  PyObject* element = PyList_GetItem(list, at);
  if (!element) throw PythonError();
  return element;
}

// One call of a function.
class Run {
 public:
  Run(PyObject* driver, FrameObject& frame)
      : self_(driver), driver_(as_driver(driver)), frame_(frame), function_(Object::borrow(driver_.function)) {
    find_ids_of_items(frame.names, &argument_ids_);
  }
  ~Run() {
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    try {
      let_go();
    } catch (const PythonError&) {  // they are nested too deep to look through
      PyErr_Clear();
    }
    PyErr_Restore(type, error, traceback);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Object result() {
    ++driver_.calls;
    for (;;) {
      try {
        while (!result_) advance();
        driver_.whole = whole_ && result_.get() != eager;
        return result_;
      } catch (const ThreadExit&) {
        throw;
      } catch (...) {
        set_python_error();
      }
      if (!catches()) throw PythonError();
    }
  }

 private:
  // Runs a graph, and the instruction that follows it in Python.
  void advance() {
    if (!finishing_ && frame_.pending == Py_None && frame_.handled == Py_None && !is_traced(function_.get()))
      run_graph();
    if (!result_) execute();
  }

  // Runs the graph from where the function is, if there is one.
  void run_graph() {
    const Object object = continuation();
    ContinuationObject& continuation = as_continuation(object.get());
    if (continuation.immediate) return;
    forget_graph_error();
    before_ = {check(PyList_AsTuple(frame_.stack)), check(PyDict_Copy(frame_.names)), Object::borrow(frame_.handled)};
    const Object wanted = Object::borrow(item(driver_.wanted, frame_.at));
    const Object hiding = Object::borrow(continuation.hiding), graph = Object::borrow(continuation.graph);
    const Position seen = hidden(hiding.get(), before_, wanted.get(), driver_.calls, argument_ids_);
    PyObject* const args[] = {seen.stack.get(), seen.variables.get(), seen.handled.get()};
    Object results = check(PyObject_Vectorcall(graph.get(), args, 3, nullptr));
    if (results.get() != eager) {
      results_ = std::move(results);
      return follow();
    }
    before_ = {};
    if (continuation.immediate) return;
    if (begun_) return finish();
    result_ = std::move(results);
  }

  Object continuation() {
    Object object = Object::borrow(item(driver_.continuations, frame_.at));
    if (object.get() == Py_None) object = check(PyObject_CallMethod(self_, "begin", "n", frame_.at));
    if (!PyObject_TypeCheck(object.get(), &ContinuationType)) raise(PyExc_TypeError, "begin() makes a Continuation");
    const ContinuationObject& continuation = as_continuation(object.get());
    if (!continuation.graph || !continuation.hiding || !Py_IS_TYPE(continuation.hiding, &HidingType))
      raise(PyExc_TypeError, "a Continuation lacks what it runs");
    return object;
  }

  // Goes to where a graph has led. If a `try` has been left since the last call before, what the handlers of signals
  // raise belongs there yet.
  void follow() {
    const Object inputs = check(PyTuple_Pack(3, before_.stack.get(), before_.variables.get(), before_.handled.get()));
    Object state = resumed(results_.get(), inputs.get());
    const auto& point = *reinterpret_cast<ResumePointObject*>(PyTuple_GET_ITEM(results_.get(), 0));
    begun_ = true;
    if (point.at == kEnd) {
      result_ = std::move(state);
    } else {
      if (!has_left_handler()) frame_.before = frame_.at;
      frame_.by_graph = true;
      go_on(point, state.get());
    }
    results_ = {};
    before_ = {};
  }

  bool has_left_handler() {
    if (frame_.before < 0 || item(frame_.handlers, frame_.before) == Py_None) return false;
    return check(PyObject_CallMethod(frame_.code, "left", "nn", frame_.before, frame_.at)).get() != Py_None;
  }

  // Also with the variables that nobody will read, but whose values live on. What is replaced ends behind all changes.
  void go_on(const ResumePointObject& point, PyObject* state) {
    if (!PyTuple_CheckExact(state) || PyTuple_GET_SIZE(state) != 3 || !PyDict_CheckExact(PyTuple_GET_ITEM(state, 1)))
      raise(PyExc_TypeError, "a function goes on with a stack, variables and an exception");
    Object stack = Object::borrow(PyTuple_GET_ITEM(state, 0));
    if (!PyList_CheckExact(stack.get())) raise(PyExc_TypeError, "a frame's stack is a list");
    PyObject* variables = PyTuple_GET_ITEM(state, 1);
    PyObject *name, *value;
    for (Py_ssize_t at = 0; PyDict_Next(before_.variables.get(), &at, &name, &value);) {
      const int kept = PyDict_Contains(variables, name), changed = PySet_Contains(point.changed, name);
      check(std::min(kept, changed));
      if (changed && !kept) check(PyDict_DelItem(frame_.names, name));
    }
    for (Py_ssize_t at = 0; PyDict_Next(variables, &at, &name, &value);)
      check(PyDict_SetItem(frame_.names, name, value));
    const Object dropped = Object::own(std::exchange(frame_.stack, stack.release()));
    const Object handled = Object::own(std::exchange(frame_.handled, Py_NewRef(PyTuple_GET_ITEM(state, 2))));
    frame_.at = point.at;
  }

  void finish() {
    finishing_ = true;
    check(PyObject_CallMethod(self_, "finish", "O", object(frame_)));
  }

  // Executes an instruction in Python, or all that follow.
  void execute() {
    whole_ = false;
    begun_ = executing_ = true;
    const Object end = run(frame_, finishing_ ? -1 : frame_.steps + 1, false);
    executing_ = false;
    if (end.get() != Py_None)
      result_ = check(PyObject_GetAttrString(end.get(), "value"));
    else if (finishing_)
      result_ = end;
  }

  // Goes to the handler of an exception that has come out of a graph, of an instruction, or between them, if the
  // function has one there. Else it stays set.
  bool catches() {
    const Object error = take_error();
    const bool outside = !std::exchange(executing_, false);
    if (results_) follow();
    before_ = {};
    begun_ = true;
    const bool refused = result_ || (outside && is_graph_error(error.get()));
    const Handling handling(error.get());
    const Object caught =
        check(PyObject_CallMethod(self_, "catches", "OOi", object(frame_), error.get(), static_cast<int>(!refused)));
    if (caught.get() != Py_True) restore(error);
    return caught.get() == Py_True;
  }

  // What errors lead to keeps nothing but the variables, if they lead there. Those end in the order of the function's.
  void let_go() {
    Py_SETREF(frame_.stack, PyList_New(0));
    Py_SETREF(frame_.handled, Py_NewRef(Py_None));
    Ids ids;
    find_ids_of_items(frame_.names, &ids);
    if (ids.empty() || Py_REFCNT(frame_.names) > 1 || !PyFunction_Check(function_.get())) return;
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function_.get()));
    for (const Object& names : {Object::own(PyCode_GetVarnames(code)), Object::own(PyCode_GetCellvars(code))}) {
      for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names.get()); ++i)
        if (PyDict_DelItem(frame_.names, PyTuple_GET_ITEM(names.get(), i)) < 0) PyErr_Clear();
    }
  }

  PyObject* self_;
  DriverObject& driver_;
  FrameObject& frame_;
  const Object function_;
  Ids argument_ids_;
  Position before_;  // where a graph that runs began
  Object results_;   // of a graph, until the function is where that led
  Object result_;    // of the function
  bool finishing_ = false, executing_ = false;
  bool begun_ = false;  // whether anything has been done that must not be done again
  bool whole_ = true;   // whether no instruction has been executed in Python
};

// driver.run(variables): calls the function, whose parameters have these values. EAGER if all of it is for Python.
PyObject* driver_run(PyObject* self, PyObject* variables) {
  return guarded([&] {
    if (!PyDict_Check(variables)) raise(PyExc_TypeError, "variables are a dict");
    return run_driver(self, variables).release();
  });
}

std::array<PyObject**, 7> references(DriverObject& driver) {
  return {&driver.continuations, &driver.wanted,   &driver.function,  &driver.plain_code,
          &driver.prototype,     &driver.receiver, &driver.parameters};
}

int driver_traverse(PyObject* self, visitproc visit, void* arg) {
  for (PyObject** held : references(as_driver(self))) Py_VISIT(*held);
  return 0;
}

int driver_clear(PyObject* self) {
  for (PyObject** held : references(as_driver(self))) Py_CLEAR(*held);
  return 0;
}

int continuation_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_continuation(self).graph);
  Py_VISIT(as_continuation(self).hiding);
  return 0;
}

int continuation_clear(PyObject* self) {
  Py_CLEAR(as_continuation(self).graph);
  Py_CLEAR(as_continuation(self).hiding);
  return 0;
}

PyMemberDef driver_members[] = {{"continuations", T_OBJECT_EX, offsetof(DriverObject, continuations), 0, nullptr},
                                {"wanted", T_OBJECT_EX, offsetof(DriverObject, wanted), 0, nullptr},
                                {"function", T_OBJECT_EX, offsetof(DriverObject, function), 0, nullptr},
                                {"plain_code", T_OBJECT_EX, offsetof(DriverObject, plain_code), 0, nullptr},
                                {"prototype", T_OBJECT_EX, offsetof(DriverObject, prototype), 0, nullptr},
                                {"receiver", T_OBJECT_EX, offsetof(DriverObject, receiver), 0, nullptr},
                                {"parameters", T_OBJECT_EX, offsetof(DriverObject, parameters), 0, nullptr},
                                {"calls", T_ULONGLONG, offsetof(DriverObject, calls), READONLY, nullptr},
                                {"graph_calls", T_PYSSIZET, offsetof(DriverObject, graph_calls), 0, nullptr},
                                {"whole", T_BOOL, offsetof(DriverObject, whole), 0, nullptr},
                                {"spent", T_BOOL, offsetof(DriverObject, spent), 0, nullptr},
                                {"names_tensors", T_BOOL, offsetof(DriverObject, names_tensors), 0, nullptr},
                                {nullptr, 0, 0, 0, nullptr}};
PyMemberDef continuation_members[] = {{"graph", T_OBJECT_EX, offsetof(ContinuationObject, graph), 0, nullptr},
                                      {"hiding", T_OBJECT_EX, offsetof(ContinuationObject, hiding), 0, nullptr},
                                      {"immediate", T_BOOL, offsetof(ContinuationObject, immediate), 0, nullptr},
                                      {nullptr, 0, 0, 0, nullptr}};
PyMethodDef driver_methods[] = {
    {"run", driver_run, METH_O,
     "run(variables): calls the function, whose parameters have these values; EAGER if all of it is for Python."},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_driver_type() {
  PyTypeObject type = base_type<driver_clear>("emberjit.Driver", sizeof(DriverObject), driver_traverse, driver_members);
  type.tp_methods = driver_methods;
  return type;
}

PyTypeObject DriverType = make_driver_type();
PyTypeObject ContinuationType = base_type<continuation_clear>("emberjit.Continuation", sizeof(ContinuationObject),
                                                              continuation_traverse, continuation_members);

}  // namespace

PyObject* eager;

Object run_driver(PyObject* self, PyObject* variables) {
  const Object prototype = Object::borrow(as_driver(self).prototype);
  if (!prototype || !as_driver(self).function) raise(PyExc_TypeError, "a Driver lacks what it runs");
  const Object frame = begin(complete_frame(prototype.get()), variables);
  return Run(self, complete_frame(frame.get())).result();
}

bool is_spent(PyObject* driver) { return is_driver(driver) && as_driver(driver).spent; }

Object by_driver(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  DriverObject& driver = as_driver(self);
  if (driver.graph_calls <= 0 || driver.whole || keyword_names) return {};
  if (!driver.function || !PyFunction_Check(driver.function) ||
      PyFunction_GET_CODE(driver.function) != driver.plain_code)
    return {};
  const Object names = Object::borrow(driver.parameters), receiver = Object::borrow(driver.receiver);
  if (!names || !PyTuple_CheckExact(names.get()) || !receiver || !PyTuple_CheckExact(receiver.get())) return {};
  const Py_ssize_t bound = PyTuple_GET_SIZE(receiver.get());
  if (PyTuple_GET_SIZE(names.get()) != bound + positional) return {};
  if (!driver.names_tensors && !std::any_of(args, args + positional, is_tensor)) return {};
  --driver.graph_calls;
  const WithoutFrames unwatched;
  const Object variables = check(PyDict_New());
  for (Py_ssize_t i = 0; i < bound + positional; ++i) {
    PyObject* value = i < bound ? PyTuple_GET_ITEM(receiver.get(), i) : args[i - bound];
    check(PyDict_SetItem(variables.get(), PyTuple_GET_ITEM(names.get(), i), value));
  }
  Object result = run_driver(self, variables.get());
  if (result.get() != eager) return result;
  driver.graph_calls = 0;
  return {};
}

bool is_driver(PyObject* o) { return PyObject_TypeCheck(o, &DriverType); }

void add_break_driver(PyObject* module) {
  add_types(module, {{"Driver", &DriverType}, {"Continuation", &ContinuationType}});
  eager = check(PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type))).release();
  check(PyModule_AddObjectRef(module, "EAGER", eager));
}

}  // namespace ember::python
