#include "python/src/tensor/tensor_class.h"

namespace ember::python {
namespace {

uint64_t version = 0;

bool is_special(PyObject* name) {
  return PyUnicode_GET_LENGTH(name) > 4 && PyUnicode_READ_CHAR(name, 0) == '_' && PyUnicode_READ_CHAR(name, 1) == '_';
}

// Subclasses, which class statements make, are as any other class.
int set_attribute(PyObject* cls, PyObject* name, PyObject* value) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  if (!(type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) || is_special(name))
    return PyType_Type.tp_setattro(cls, name, value);
  if ((value ? PyDict_SetItem(type->tp_dict, name, value) : PyDict_DelItem(type->tp_dict, name)) < 0) {
    if (!value && PyErr_ExceptionMatches(PyExc_KeyError)) PyErr_SetObject(PyExc_AttributeError, name);
    return -1;
  }
  PyType_Modified(type);
  ++version;
  return 0;
}

PyTypeObject class_type() {
  PyTypeObject type{PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.TensorClass";
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_doc = "The class of Tensor and Parameter, which may be given attributes.";
  type.tp_base = &PyType_Type;
  type.tp_setattro = set_attribute;
  return type;
}

}  // namespace

PyTypeObject TensorClassType = class_type();

uint64_t tensor_class_version() { return version; }

}  // namespace ember::python
