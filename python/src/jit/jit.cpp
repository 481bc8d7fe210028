#include "python/src/jit/jit.h"

#include "python/src/frames/break_driver.h"
#include "python/src/frames/frame_eval.h"
#include "python/src/jit/run.h"

namespace ember::python {
namespace {

PyObject* plainly;  // what a miss returns that leaves the call to the function

PyJit* as_jit(PyObject* o) { return reinterpret_cast<PyJit*>(o); }

Object pack(PyObject* callable, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  const WithoutFrames unwatched;
  Object tuple = check(PyTuple_New(positional));
  for (Py_ssize_t i = 0; i < positional; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  Object kwargs = check(PyDict_New());
  for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
    check(PyDict_SetItem(kwargs.get(), PyTuple_GET_ITEM(keyword_names, k), args[positional + k]));
  return check(PyObject_CallFunctionObjArgs(callable, tuple.get(), kwargs.get(), nullptr));
}

// What a graph gives for a call; NULL if none serves it, or if it is to run `op_by_op`.
Object by_graph(PyJit* jit, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names, bool* op_by_op) {
  if (jit->entries->all().empty()) return {};
  Flat flat(jit->unfolded);
  flat.leaves.reserve(static_cast<size_t>(positional));
  for (Py_ssize_t i = 0; i < positional; ++i) flatten(args[i], &flat);
  for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
    flatten_keyword(PyTuple_GET_ITEM(keyword_names, k), args[positional + k], &flat);
  const auto serve = [&](const std::shared_ptr<Entry>& entry) -> Object {
    if (!admits(*entry, flat) || !entry->guards.hold()) return {};
    Object result = run(entry, flat, op_by_op);
    if (!result || *op_by_op) return {};
    ++jit->hits;
    if (entry->used) jit->entries->use(entry);
    return result;
  };
  if (const std::shared_ptr<Entry> latest = jit->entries->latest())
    if (Object result = serve(latest); result || *op_by_op) return result;
  Entries::Candidates others;
  jit->entries->find(flat, &others);
  for (const std::shared_ptr<Entry>& entry : others)
    if (Object result = serve(entry); result || *op_by_op) return result;
  return {};
}

PyObject* call(PyObject* self, PyObject* const* args, size_t nargs, PyObject* keyword_names) {
  return guarded([&] {
    check_stack(" in a jitted function");
    PyJit* jit = as_jit(self);
    Py_ssize_t positional = PyVectorcall_NARGS(nargs);
    if (current_capture()) return pack(jit->inner, args, positional, keyword_names).release();
    const bool plain = jit->plain_calls > 0;
    jit->plain_calls -= plain;
    if (plain || (jit->in_python && is_traced(jit->function))) {
      ++jit->python_calls;
      return PyObject_Vectorcall(jit->function, args, nargs, keyword_names);
    }
    bool op_by_op = false;
    Object result = by_graph(jit, args, positional, keyword_names, &op_by_op);
    if (const Object driver = Object::borrow(jit->driver); !result && !op_by_op && driver.get() != Py_None)
      result = by_driver(driver.get(), args, positional, keyword_names);
    if (result) return result.release();
    result = pack(op_by_op ? jit->inner : jit->miss, args, positional, keyword_names);
    if (result.get() != plainly) return result.release();
    ++jit->python_calls;
    return PyObject_Vectorcall(jit->function, args, nargs, keyword_names);
  });
}

PyObject* jit_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *miss, *inner, *function;
  int in_python = false;
  if (!PyArg_ParseTuple(args, "OOO|p", &miss, &inner, &function, &in_python)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  PyJit* jit = as_jit(self);
  jit->vectorcall = call;
  jit->entries = new Entries;
  jit->miss = Py_NewRef(miss);
  jit->inner = Py_NewRef(inner);
  jit->function = Py_NewRef(function);
  jit->unfolded = check(PyTuple_New(0)).release();
  jit->driver = Py_NewRef(Py_None);
  jit->in_python = in_python != 0;
  return self;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  PyJit* jit = as_jit(self);
  Py_VISIT(jit->miss);
  Py_VISIT(jit->inner);
  Py_VISIT(jit->function);
  Py_VISIT(jit->unfolded);
  Py_VISIT(jit->driver);
  Py_VISIT(jit->dict);
  if (!jit->entries) return 0;
  for (const std::shared_ptr<Entry>& e : jit->entries->all()) {
    for (const Object& o : e->constants) Py_VISIT(o.get());
    Py_VISIT(e->unfolded.get());
    for (const Object& o : e->hidden) Py_VISIT(o.get());
    for (const OutsideValue& outside : e->outside) Py_VISIT(outside.place.owner.get());
    for (const OutsideAlias& alias : e->aliases) Py_VISIT(alias.place.owner.get());
    for (const auto& [leaf, value] : e->pinned) Py_VISIT(value.get());
    for (const auto& [leaf, value] : e->held) Py_VISIT(value.get());
    Py_VISIT(e->precision.get());
    Py_VISIT(e->op_by_op.get());
    if (const int stopped = e->guards.visit(visit, arg)) return stopped;
    if (const int stopped = e->results.visit(visit, arg)) return stopped;
    Py_VISIT(e->errors.get());
    Py_VISIT(e->lines.get());
    for (const Object& o : e->apart) Py_VISIT(o.get());
    for (const Effect& effect : e->effects) {
      for (const ResultTree* tree : {&effect.owner, &effect.operands})
        if (const int stopped = tree->visit(visit, arg)) return stopped;
    }
  }
  return 0;
}

int clear(PyObject* self) {
  PyJit* jit = as_jit(self);
  if (jit->entries) {
    const Entries dropped = std::exchange(*jit->entries, Entries());
  }
  Py_CLEAR(jit->miss);
  Py_CLEAR(jit->inner);
  Py_CLEAR(jit->function);
  Py_CLEAR(jit->unfolded);
  Py_CLEAR(jit->driver);
  Py_CLEAR(jit->dict);
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (as_jit(self)->weakrefs) PyObject_ClearWeakRefs(self);
  clear(self);
  delete as_jit(self)->entries;
  Py_TYPE(self)->tp_free(self);
}

PyObject* bind_method(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyObject* get_hits(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->hits); }
PyObject* get_python_calls(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->python_calls); }
int set_python_calls(PyObject* self, PyObject* value, void*) {
  as_jit(self)->python_calls = value ? PyLong_AsUnsignedLongLong(value) : 0;
  return PyErr_Occurred() ? -1 : 0;
}
PyObject* get_plain_calls(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_jit(self)->plain_calls); }
int set_plain_calls(PyObject* self, PyObject* value, void*) {
  const int64_t calls = value ? PyLong_AsLongLong(value) : 0;
  if (PyErr_Occurred()) return -1;
  as_jit(self)->plain_calls = static_cast<uint64_t>(calls);
  return 0;
}

PyObject* get_unfolded(PyObject* self, void*) { return Py_NewRef(as_jit(self)->unfolded); }
int set_unfolded(PyObject* self, PyObject* value, void*) {
  if (!value || !PyTuple_CheckExact(value)) return PyErr_SetString(PyExc_TypeError, "a tuple of classes"), -1;
  Py_SETREF(as_jit(self)->unfolded, Py_NewRef(value));
  return 0;
}

PyObject* get_driver(PyObject* self, void*) { return Py_NewRef(as_jit(self)->driver); }
int set_driver(PyObject* self, PyObject* value, void*) {
  if (!value || (value != Py_None && !is_driver(value)))
    return PyErr_SetString(PyExc_TypeError, "a Driver, or None"), -1;
  Py_SETREF(as_jit(self)->driver, Py_NewRef(value));
  return 0;
}

// What a function of emberjit.capture.jit.explain makes of a jitted function.
PyObject* shown(PyObject* self, const char* function) {
  return guarded([&] {
    const WithoutFrames unwatched;
    const Object explain = check(PyImport_ImportModule("emberjit.capture.jit.explain"));
    return check(PyObject_CallMethod(explain.get(), function, "O", self)).release();
  });
}
PyObject* repr(PyObject* self) { return shown(self, "text_of"); }
PyObject* repr_html(PyObject* self, PyObject*) { return shown(self, "html_of"); }

PyMethodDef methods[] = {{"_repr_html_", repr_html, METH_NOARGS, "The report, as a notebook shows it."},
                         {nullptr, nullptr, 0, nullptr}};

PyGetSetDef getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"hits", get_hits, nullptr, "How many calls a graph ran.", nullptr},
    {"python_calls", get_python_calls, set_python_calls, "How many calls ran in Python.", nullptr},
    {"plain_calls", get_plain_calls, set_plain_calls, "How many calls to come only call the function; negative: all.",
     nullptr},
    {"unfolded", get_unfolded, set_unfolded, "A tuple: the classes of arguments that are taken apart (flat.h).",
     nullptr},
    {"driver", get_driver, set_driver, "What runs it between graphs, if it breaks, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Jit";
  type.tp_basicsize = sizeof(PyJit);
  type.tp_vectorcall_offset = offsetof(PyJit, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_repr = repr;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dictoffset = offsetof(PyJit, dict);
  type.tp_weaklistoffset = offsetof(PyJit, weakrefs);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL |
                  Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_descr_get = bind_method;
  type.tp_methods = methods;
  type.tp_getset = getset;
  type.tp_new = jit_new;
  return type;
}

}  // namespace

PyTypeObject JitType = make_type();

void add_jit(PyObject* module) {
  check(PyType_Ready(&JitType));
  check(PyModule_AddObjectRef(module, "Jit", reinterpret_cast<PyObject*>(&JitType)));
  plainly = check(PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type))).release();
  check(PyModule_AddObjectRef(module, "PLAINLY", plainly));
}

}  // namespace ember::python
