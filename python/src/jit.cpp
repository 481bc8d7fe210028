#include "python/src/jit.h"

#include <cstring>

#include "python/src/convert.h"
#include "python/src/dispatch.h"
#include "vm/profile.h"

namespace ember::python {
namespace {

PyJit* as_jit(PyObject* o) { return reinterpret_cast<PyJit*>(o); }

bool same(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  bool plain = PyLong_Check(a) || PyFloat_Check(a) || PyUnicode_Check(a) || PyBytes_Check(a) || PyTuple_Check(a);
  if (!plain) return false;
  int equal = PyObject_RichCompareBool(a, b, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

void flatten_items(PyObject* sequence, char open, Flat* flat) {
  flat->structure += open;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i)
    flatten(PySequence_Fast_GET_ITEM(sequence, i), flat);
  flat->structure += ')';
}

bool matches(const Entry& entry, const Flat& flat) {
  if (entry.structure != flat.structure) return false;
  for (size_t i = 0; i < entry.constants.size(); ++i)
    if (!same(entry.constants[i].get(), flat.constants[i])) return false;
  for (const auto& [leaf, value] : entry.pinned)
    if (!same(value.get(), flat.leaves[leaf])) return false;
  for (const PythonGuard& guard : entry.guards)
    if (!guard.holds()) return false;
  return true;
}

vm::Argument argument(PyObject* o) {
  vm::Argument a;
  if (is_tensor(o)) {
    a.tensor = &real(o, "an argument of a jitted function");
  } else if (PyBool_Check(o)) {
    a.bits = o == Py_True;
  } else if (PyFloat_Check(o)) {
    double d = PyFloat_AS_DOUBLE(o);
    std::memcpy(&a.bits, &d, sizeof d);
  } else {
    a.bits = static_cast<uint64_t>(PyLong_AsLongLong(o));
    if (PyErr_Occurred()) throw PythonError();
  }
  return a;
}

Object result_object(vm::Result& r) {
  if (r.kind == ops::Kind::Bool) return Object::borrow(r.bits & 1 ? Py_True : Py_False);
  if (r.kind == ops::Kind::Int) return check(PyLong_FromLongLong(static_cast<int64_t>(r.bits)));
  if (r.kind == ops::Kind::Float) {
    double d;
    std::memcpy(&d, &r.bits, sizeof d);
    return check(PyFloat_FromDouble(d));
  }
  return wrap(std::move(r.tensor));
}

Object build(PyObject* tree, std::vector<vm::Result>& results) {
  if (PyLong_Check(tree)) return result_object(results[PyLong_AsSize_t(tree)]);
  std::string kind = text(PyTuple_GET_ITEM(tree, 0));
  PyObject* content = PyTuple_GET_ITEM(tree, 1);
  if (kind == "const") return Object::borrow(content);
  if (kind == "dict") {
    Object dict = check(PyDict_New());
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(content, &at, &key, &value);)
      check(PyDict_SetItem(dict.get(), key, build(value, results).get()));
    return dict;
  }
  Py_ssize_t n = PyTuple_GET_SIZE(content);
  Object made = check(kind == "list" ? PyList_New(n) : PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = build(PyTuple_GET_ITEM(content, i), results).release();
    if (kind == "list")
      PyList_SET_ITEM(made.get(), i, item);
    else
      PyTuple_SET_ITEM(made.get(), i, item);
  }
  return made;
}

// Null if the entry's shapes or guards do not admit the arguments.
Object run(const Entry& entry, const Flat& flat) {
  std::vector<vm::Argument> arguments;
  arguments.reserve(flat.leaves.size() + entry.hidden.size());
  for (PyObject* leaf : flat.leaves) arguments.push_back(argument(leaf));
  for (const Object& hidden : entry.hidden) arguments.push_back(argument(hidden.get()));
  std::vector<vm::Result> results;
  bool ran;
  {
    WithoutGil unlocked;
    ran = entry.function->call(arguments, &results);
  }
  return ran ? build(entry.results.get(), results) : Object();
}

Object pack(PyObject* callable, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
  Object tuple = check(PyTuple_New(positional));
  for (Py_ssize_t i = 0; i < positional; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  Object kwargs = check(PyDict_New());
  for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
    check(PyDict_SetItem(kwargs.get(), PyTuple_GET_ITEM(keyword_names, k), args[positional + k]));
  return check(PyObject_CallFunctionObjArgs(callable, tuple.get(), kwargs.get(), nullptr));
}

PyObject* call(PyObject* self, PyObject* const* args, size_t nargs, PyObject* keyword_names) {
  return guarded([&] {
    PyJit* jit = as_jit(self);
    Py_ssize_t positional = PyVectorcall_NARGS(nargs);
    if (current_capture() || recording()) return pack(jit->inner, args, positional, keyword_names).release();
    Flat flat;
    for (Py_ssize_t i = 0; i < positional; ++i) flatten(args[i], &flat);
    for (Py_ssize_t k = 0; keyword_names && k < PyTuple_GET_SIZE(keyword_names); ++k)
      flatten_keyword(PyTuple_GET_ITEM(keyword_names, k), args[positional + k], &flat);
    for (size_t i = 0; i < jit->entries->size(); ++i) {
      std::shared_ptr<Entry> entry = (*jit->entries)[i];
      if (!matches(*entry, flat)) continue;
      Object result = run(*entry, flat);
      if (!result) continue;
      if (i > 0 && i < jit->entries->size()) std::swap((*jit->entries)[i], (*jit->entries)[i - 1]);
      return result.release();
    }
    return pack(jit->miss, args, positional, keyword_names).release();
  });
}

PyObject* jit_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *miss, *inner, *function;
  if (!PyArg_ParseTuple(args, "OOO", &miss, &inner, &function)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  PyJit* jit = as_jit(self);
  jit->vectorcall = call;
  jit->entries = new std::vector<std::shared_ptr<Entry>>();
  jit->miss = Py_NewRef(miss);
  jit->inner = Py_NewRef(inner);
  jit->function = Py_NewRef(function);
  return self;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  PyJit* jit = as_jit(self);
  Py_VISIT(jit->miss);
  Py_VISIT(jit->inner);
  Py_VISIT(jit->function);
  Py_VISIT(jit->dict);
  if (!jit->entries) return 0;
  for (const std::shared_ptr<Entry>& e : *jit->entries) {
    for (const Object& o : e->constants) Py_VISIT(o.get());
    for (const Object& o : e->hidden) Py_VISIT(o.get());
    for (const PythonGuard& g : e->guards) {
      Py_VISIT(g.owner.get());
      Py_VISIT(g.expected.get());
    }
    Py_VISIT(e->results.get());
  }
  return 0;
}

int clear(PyObject* self) {
  PyJit* jit = as_jit(self);
  if (jit->entries) {
    std::vector<std::shared_ptr<Entry>> dropped = std::move(*jit->entries);
    jit->entries->clear();
  }
  Py_CLEAR(jit->miss);
  Py_CLEAR(jit->inner);
  Py_CLEAR(jit->function);
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

PyGetSetDef getset[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Jit";
  type.tp_basicsize = sizeof(PyJit);
  type.tp_vectorcall_offset = offsetof(PyJit, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dictoffset = offsetof(PyJit, dict);
  type.tp_weaklistoffset = offsetof(PyJit, weakrefs);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL |
                  Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_descr_get = bind_method;
  type.tp_getset = getset;
  type.tp_new = jit_new;
  return type;
}

}  // namespace

PyTypeObject JitType = make_type();

bool PythonGuard::holds() const {
  Object now;
  if (kind == Kind::Attribute) now = Object::own(PyObject_GetAttr(owner.get(), key.get()));
  if (kind == Kind::Item) now = Object::borrow(PyDict_GetItemWithError(owner.get(), key.get()));
  if (kind == Kind::Cell) now = Object::borrow(PyCell_GET(owner.get()));
  if (!now) PyErr_Clear();
  return now && same(now.get(), expected.get());
}

void flatten(PyObject* o, Flat* flat) {
  auto leaf = [&](char kind) {
    flat->structure += kind;
    flat->leaves.push_back(o);
  };
  if (is_tensor(o)) return leaf(is_parameter(o) ? 'p' : 't');
  if (PyBool_Check(o)) return leaf('b');
  if (PyFloat_CheckExact(o)) return leaf('f');
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return leaf('i');
  }
  if (PyTuple_CheckExact(o)) return flatten_items(o, '(', flat);
  if (PyList_CheckExact(o)) return flatten_items(o, '[', flat);
  if (PyDict_CheckExact(o)) {
    flat->structure += '{';
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(o, &at, &key, &value);) {
      flat->constants.push_back(key);
      flatten(value, flat);
    }
    flat->structure += '}';
    return;
  }
  flat->structure += 'c';
  flat->constants.push_back(o);
}

void flatten_keyword(PyObject* name, PyObject* value, Flat* flat) {
  flat->structure += '=';
  flat->constants.push_back(name);
  flatten(value, flat);
}

void add_jit(PyObject* module) {
  check(PyType_Ready(&JitType));
  check(PyModule_AddObjectRef(module, "Jit", reinterpret_cast<PyObject*>(&JitType)));
}

}  // namespace ember::python
