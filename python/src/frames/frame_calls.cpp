#include "python/src/frames/frame_calls.h"

#include <algorithm>
#include <array>

#include "python/src/frames/frame_eval.h"

namespace ember::python {
namespace {

PyObject* call_site;             // a function of code and a position: code that makes a call and looks like the user's
PyObject* looking;               // a tuple: what looks at the frame that it is called from
std::array<PyObject*, 3> reads;  // the names that such code reads: the function, its arguments, its keywords
PyObject* globals_name;

// What the code of a call reads, among the variables of a frame while it runs.
class Reads {
 public:
  Reads(PyObject* variables, const std::array<PyObject*, 3>& values) : variables_(Object::borrow(variables)) {
    for (size_t i = 0; i < reads.size(); ++i) check(PyDict_SetItem(variables, reads[i], values[i]));
  }
  ~Reads() {
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    for (PyObject* name : reads)
      if (PyDict_DelItem(variables_.get(), name) < 0) PyErr_Clear();
    PyErr_Restore(type, error, traceback);
  }
  Reads(const Reads&) = delete;
  Reads& operator=(const Reads&) = delete;

 private:
  Object variables_;
};

PyObject* site_of(FrameObject& frame) {
  InstructionObject& ins = instruction(PyList_GetItem(frame.instructions, frame.here));
  if (!ins.site) {
    Object site = check(PyObject_CallFunction(call_site, "On", frame.code, frame.here));
    if (!ins.site) ins.site = site.release();
  }
  return ins.site;
}

bool looks_at_frames(PyObject* function) {
  PyObject* const* first = &PyTuple_GET_ITEM(looking, 0);
  PyObject* const* last = first + PyTuple_GET_SIZE(looking);
  return std::find(first, last, function) != last;
}

// provide_calls(call_site, names, looking)
PyObject* provide(PyObject*, PyObject* args) {
  PyObject *site, *names, *functions;
  if (!PyArg_ParseTuple(args, "OO!O!", &site, &PyTuple_Type, &names, &PyTuple_Type, &functions)) return nullptr;
  return guarded([&]() -> PyObject* {
    if (PyTuple_GET_SIZE(names) != static_cast<Py_ssize_t>(reads.size())) raise(PyExc_ValueError, "three names");
    for (size_t i = 0; i < reads.size(); ++i) reads[i] = Py_NewRef(PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i)));
    call_site = Py_NewRef(site);
    looking = Py_NewRef(functions);
    Py_RETURN_NONE;
  });
}

PyMethodDef functions[] = {{"provide_calls", provide, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

}  // namespace

Object call_at_line(FrameObject& frame, PyObject* function, PyObject* args, PyObject* keywords) {
  if (!call_site || !PyTuple_Check(args) || !PyDict_Check(keywords))
    raise(PyExc_TypeError, "call_at_line() takes a function, a tuple and a dict");
  const Object site = Object::borrow(site_of(frame)), variables = Object::borrow(frame.names);
  const Object global_names = check(PyObject_GetAttr(variables.get(), globals_name));
  const Object callees = Object::borrow(frame.callees);
  const Reads among(variables.get(), {function, args, keywords});
  frame.called = true;
  return check(evaluate_with_frames(callees.get(), site.get(), global_names.get(), variables.get()));
}

bool call(FrameObject& frame, const InstructionObject& ins) {
  if (!PyTuple_CheckExact(ins.operand)) return false;  // a CALL_SPREAD
  const Stack stack(frame);
  PyObject* names = PyTuple_GET_SIZE(ins.operand) == 2 ? PyTuple_GET_ITEM(ins.operand, 1) : nullptr;
  if (!names || !PyTuple_CheckExact(names) || PyTuple_GET_SIZE(names) > ins.takes - 2)
    raise(PyExc_TypeError, "the operand of a CALL is how many arguments it has, and the names of the last of them");
  const bool plain = stack.top(ins.takes) == null;
  Object function = Object::borrow(stack.top(plain ? ins.takes - 1 : ins.takes));
  if (looks_at_frames(function.get())) return false;
  const Py_ssize_t count = plain ? ins.takes - 2 : ins.takes - 1, positional = count - PyTuple_GET_SIZE(names);
  const Object args = check(PyTuple_New(positional)), keywords = check(PyDict_New());
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* value = stack.top(count - i);
    if (i < positional)
      PyTuple_SET_ITEM(args.get(), i, Py_NewRef(value));
    else
      check(PyDict_SetItem(keywords.get(), PyTuple_GET_ITEM(names, i - positional), value));
  }
  stack.drop(ins.takes);
  stack.push(call_at_line(frame, function.get(), args.get(), keywords.get()).get());
  return true;
}

void add_frame_calls(PyObject* module) {
  globals_name = check(PyUnicode_InternFromString("global_names")).release();
  check(PyModule_AddFunctions(module, functions));
}

}  // namespace ember::python
