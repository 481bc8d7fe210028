// in_class(cls, name, default=None): what a class or its bases define by a name, as it is defined; else the default.
// Neither the class nor its metaclass is asked.
// class_version(cls): a number that no other class has, nor this one once it or a base has changed; 0: there is none.
// can_change(cls), is_captured(value), same(a, b): as their functions here.
#include "python/src/lookup.h"

#include "python/src/capture.h"
#include "python/src/guards.h"

namespace ember::python {
namespace {

bool expect(bool fits, const char* said) {
  if (!fits) PyErr_SetString(PyExc_TypeError, said);
  return fits;
}

PyObject* in_class(PyObject*, PyObject* const* args, Py_ssize_t count) {
  const bool fits = (count == 2 || count == 3) && PyType_Check(args[0]) && PyUnicode_Check(args[1]);
  if (!expect(fits, "in_class() takes a class, a name and a default")) return nullptr;
  PyObject* found = _PyType_Lookup(reinterpret_cast<PyTypeObject*>(args[0]), args[1]);
  return Py_NewRef(found ? found : count == 3 ? args[2] : Py_None);
}

PyObject* version_of(PyObject*, PyObject* cls) {
  if (!expect(PyType_Check(cls), "class_version() takes a class")) return nullptr;
  return PyLong_FromUnsignedLongLong(class_version(cls));
}

PyObject* may_change(PyObject*, PyObject* cls) {
  if (!expect(PyType_Check(cls), "can_change() takes a class")) return nullptr;
  return PyBool_FromLong(can_change(cls));
}

PyObject* is_captured(PyObject*, PyObject* value) { return PyBool_FromLong(captured(value)); }

PyObject* are_same(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (!expect(count == 2, "same() takes two values")) return nullptr;
  return guarded([&] { return PyBool_FromLong(same(args[0], args[1])); });
}

PyMethodDef functions[] = {{"in_class", reinterpret_cast<PyCFunction>(in_class), METH_FASTCALL, nullptr},
                           {"class_version", version_of, METH_O, nullptr},
                           {"can_change", may_change, METH_O, nullptr},
                           {"is_captured", is_captured, METH_O, nullptr},
                           {"same", reinterpret_cast<PyCFunction>(are_same), METH_FASTCALL, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_lookup(PyObject* module) { check(PyModule_AddFunctions(module, functions)); }

}  // namespace ember::python
