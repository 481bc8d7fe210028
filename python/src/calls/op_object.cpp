// The ops of the table as callables, with their documentation and signature: what public functions are made of.
#include <vector>

#include "python/src/calls/dispatch.h"
#include "python/src/calls/op_doc.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

struct PyOp {
  PyObject_HEAD const ops::Op* op;
  vectorcallfunc vectorcall;
};

std::vector<PyObject*> objects;  // by op number

PyObject* call(PyObject* self, PyObject* const* args, size_t nargs, PyObject* keyword_names) {
  return guarded([&] {
    const ops::Op& op = op_of(self);
    Arguments parsed = parse(op, args, PyVectorcall_NARGS(nargs), keyword_names);
    return dispatch(op, pointers(parsed.operands), parsed.attrs).release();
  });
}

PyObject* bind_method(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyObject* string(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* op_repr(PyObject* self) { return PyUnicode_FromFormat("<op %s>", std::string(op_of(self).name).c_str()); }
PyObject* get_name(PyObject* self, void*) { return string(op_of(self).name); }
PyObject* get_primitive(PyObject* self, void*) { return string(op_of(self).primitive); }
PyObject* get_doc(PyObject* self, void*) { return string(documentation(op_of(self))); }
PyObject* get_text_signature(PyObject* self, void*) { return string(text_signature(op_of(self))); }
PyObject* get_numpy(PyObject* self, void*) { return string(op_of(self).numpy); }
PyObject* get_flags(PyObject* self, void*) {
  const ops::Op& op = op_of(self);
  const auto truth = [](bool value) { return value ? Py_True : Py_False; };
  return Py_BuildValue("{s:O,s:O,s:O}", "differentiable",
                       truth(!op.flags.has(ops::Flag::NoGradient) && !op.flags.has(ops::Flag::Io)), "effect",
                       truth(op.has_effect()), "elementwise", truth(op.elementwise()));
}

Object attribute_object(const ops::Attr& attr) {
  if (const bool* b = std::get_if<bool>(&attr)) return Object::borrow(*b ? Py_True : Py_False);
  if (const ops::Dim* d = std::get_if<ops::Dim>(&attr)) return check(PyLong_FromLongLong(d->hint()));
  if (const double* d = std::get_if<double>(&attr)) return check(PyFloat_FromDouble(*d));
  if (const std::string* s = std::get_if<std::string>(&attr)) return check(string(*s));
  if (const ops::DType* t = std::get_if<ops::DType>(&attr)) return dtype_object(*t);
  if (const ops::Ints* ints = std::get_if<ops::Ints>(&attr)) {
    Object tuple = check(PyTuple_New(static_cast<Py_ssize_t>(ints->size())));
    for (size_t i = 0; i < ints->size(); ++i)
      PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                       check(PyLong_FromLongLong((*ints)[i].hint())).release());
    return tuple;
  }
  return Object::borrow(Py_None);
}

const char* kind_name(ops::ParamKind kind) {
  static const char* const names[] = {"tensor", "tensors", "number", "ref",   "random", "int",
                                      "float",  "bool",    "str",    "dtype", "ints"};
  return names[static_cast<size_t>(kind)];
}

// [(name, kind, optional, has_default, default), ...], for declarations.
PyObject* get_params(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    Object list = check(PyList_New(0));
    for (const ops::Param& p : op_of(self).signature.params) {
      if (p.kind == ops::ParamKind::Random) continue;
      Object row =
          check(Py_BuildValue("(ssOON)", p.name.c_str(), kind_name(p.kind), p.optional ? Py_True : Py_False,
                              p.has_default ? Py_True : Py_False, attribute_object(p.default_value).release()));
      check(PyList_Append(list.get(), row.get()));
    }
    return list.release();
  });
}

PyGetSetDef getset[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__doc__", get_doc, nullptr, nullptr, nullptr},
    {"__text_signature__", get_text_signature, nullptr, nullptr, nullptr},
    {"primitive", get_primitive, nullptr, "The name in graphs and files.", nullptr},
    {"numpy", get_numpy, nullptr, "The reference expression of the tests.", nullptr},
    {"flags", get_flags, nullptr, "What the op may be used for.", nullptr},
    {"params", get_params, nullptr, "(name, kind, optional, has default, default) of each parameter.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.Op";
  type.tp_basicsize = sizeof(PyOp);
  type.tp_vectorcall_offset = offsetof(PyOp, vectorcall);
  type.tp_call = PyVectorcall_Call;
  type.tp_repr = op_repr;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_descr_get = bind_method;
  type.tp_getset = getset;
  return type;
}

}  // namespace

const ops::Op& op_of(PyObject* object) { return *reinterpret_cast<PyOp*>(object)->op; }

PyTypeObject OpType = make_type();

Object op_object(const ops::Op& op) { return Object::borrow(objects[op.number]); }

void add_ops(PyObject* module) {
  check(PyType_Ready(&OpType));
  Object table = check(PyDict_New()), by_attribute = check(PyModule_New("emberjit._emberjit.ops"));
  for (const ops::Op& op : ops::all_ops()) {
    if (objects.size() <= op.number) objects.resize(op.number + 1u);
    PyObject* object = check(OpType.tp_alloc(&OpType, 0)).release();
    reinterpret_cast<PyOp*>(object)->op = &op;
    reinterpret_cast<PyOp*>(object)->vectorcall = call;
    objects[op.number] = object;
    check(PyDict_SetItemString(table.get(), std::string(op.name).c_str(), object));
    check(PyModule_AddObjectRef(by_attribute.get(), std::string(op.name).c_str(), object));
  }
  check(PyModule_AddObjectRef(module, "ops", by_attribute.get()));
  check(PyModule_AddObjectRef(module, "op_table", table.get()));
  check(PyModule_AddObjectRef(module, "Op", reinterpret_cast<PyObject*>(&OpType)));
}

}  // namespace ember::python
