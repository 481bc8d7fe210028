// dtype objects. They compare by identity, hash, and print as MindSpore's do ("Float32").
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

struct PyDType {
  PyObject_HEAD ops::DType dtype;
};

PyObject* objects[ops::kDTypes];

PyObject* dtype_repr(PyObject* self) {
  std::string_view text = name(reinterpret_cast<PyDType*>(self)->dtype);
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

// Pickles have a dtype by its name in the package.
PyObject* dtype_module(PyObject*, void*) { return PyUnicode_FromString("emberjit"); }

PyObject* dtype_reduce(PyObject* self, PyObject*) {
  return guarded([&] {
    const std::string name = attribute_of(dtype_of(self).value());
    return PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
  });
}

PyMethodDef methods[] = {{"__reduce__", dtype_reduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyGetSetDef getset[] = {{"__module__", dtype_module, nullptr, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "emberjit.dtype";
  type.tp_basicsize = sizeof(PyDType);
  type.tp_repr = dtype_repr;
  type.tp_str = dtype_repr;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_doc =
      "The type of a Tensor's elements, such as ms.float32.\n\n"
      "Examples:\n"
      "    >>> Tensor([1.0]).dtype == ms.float32, isinstance(ms.int8, ms.Type)\n"
      "    (True, True)";
  type.tp_methods = methods;
  type.tp_getset = getset;
  return type;
}

}  // namespace

// "float32"; NumPy's and MindSpore's names of formats of 8 bits have an underscore.
std::string attribute_of(ops::DType dtype) {
  if (dtype == ops::DType::Bool) return "bool_";
  std::string lower;
  for (char c : name(dtype)) {
    lower += static_cast<char>(tolower(c));
    if (lower == "float8") lower += '_';
  }
  return lower;
}

namespace {

// "float32" of a NumPy dtype or scalar type; empty if it is neither.
std::string numpy_name_of(PyObject* o) {
  Object name = Object::own(PyObject_GetAttrString(o, PyType_Check(o) ? "__name__" : "name"));
  if (!name || !PyUnicode_Check(name.get())) {
    PyErr_Clear();
    return {};
  }
  return text(name.get());
}

}  // namespace

PyTypeObject DTypeType = make_type();

Object dtype_object(ops::DType dtype) { return Object::borrow(objects[static_cast<size_t>(dtype)]); }

std::optional<ops::DType> dtype_of(PyObject* o) {
  if (Py_TYPE(o) == &DTypeType) return reinterpret_cast<PyDType*>(o)->dtype;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return ops::DType::Bool;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return ops::DType::Int64;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return ops::DType::Float32;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return ops::DType::Complex64;
  ops::DType dtype;
  if (ops::parse_dtype(numpy_name_of(o), &dtype)) return dtype;
  return {};
}

void add_dtypes(PyObject* module) {
  check(PyType_Ready(&DTypeType));
  for (size_t i = 0; i < ops::kDTypes; ++i) {
    objects[i] = check(DTypeType.tp_alloc(&DTypeType, 0)).release();
    auto dtype = static_cast<ops::DType>(i);
    reinterpret_cast<PyDType*>(objects[i])->dtype = dtype;
    check(PyModule_AddObjectRef(module, attribute_of(dtype).c_str(), objects[i]));
  }
}

}  // namespace ember::python
