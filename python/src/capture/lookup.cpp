// in_class(cls, name, default=None): what a class or its bases define by a name, as it is defined; else the default.
// Neither the class nor its metaclass is asked.
// class_version(cls): a number that no other class has, nor this one once it or a base has changed; 0: there is none.
// can_change(cls), is_captured(value), same(a, b), intercepts(cls), is_constant(value), is_lasting(value),
// is_local(value): as their functions here. provide_lookup(renames): what capture/code/lookup.py knows of a
// __getattribute__.
#include "python/src/capture/lookup.h"

#include <algorithm>

#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"
#include "python/src/frames/frame_acts.h"
#include "python/src/guards/guards.h"
#include "python/src/jit/jit.h"

namespace ember::python {
namespace {

PyObject* locals_part;  // "<locals>"

bool is_static(PyObject* o) {
  return PyType_Check(o) || PyFunction_Check(o) || PyModule_Check(o) || PyCFunction_Check(o) ||
         PyObject_TypeCheck(o, &DTypeType) || o == null;
}

bool expect(bool fits, const char* said) {
  if (!fits) PyErr_SetString(PyExc_TypeError, said);
  return fits;
}

PyObject* in_class(PyObject*, PyObject* const* args, Py_ssize_t count) {
  const bool fits = (count == 2 || count == 3) && PyType_Check(args[0]) && PyUnicode_Check(args[1]);
  if (!expect(fits, "in_class() takes a class, a name and a default")) return nullptr;
  PyObject* attribute = _PyType_Lookup(reinterpret_cast<PyTypeObject*>(args[0]), args[1]);
  return Py_NewRef(attribute ? attribute : count == 3 ? args[2] : Py_None);
}

PyObject *renames, *read_elements;
struct {
  PyObject *access, *shown, *fallback, *equal, *hashed;
} names;
struct {
  PyObject *shown, *equal, *hashed;
} of_object;  // what `object` has by these names

PyObject* find(PyTypeObject* cls, PyObject* name) { return _PyType_Lookup(cls, name); }

// Whether the instances of a class are classes which say themselves what they are equal to, or what their hash is.
bool makes_classes_that_compare(PyTypeObject* kind) {
  return kind != &PyType_Type && PyType_IsSubtype(kind, &PyType_Type) &&
         (find(kind, names.equal) != of_object.equal || find(kind, names.hashed) != of_object.hashed);
}

// Whether what is found in place of an attribute that is missing can be followed.
bool is_method(PyObject* attribute) {
  PyTypeObject* const kinds[] = {&PyFunction_Type,    &PyWrapperDescr_Type, &PyMethodDescr_Type,      &PyCFunction_Type,
                                 &PyGetSetDescr_Type, &PyMemberDescr_Type,  &PyClassMethodDescr_Type, &JitType};
  return std::ranges::any_of(kinds, [&](PyTypeObject* kind) { return PyObject_TypeCheck(attribute, kind); });
}

PyObject* does_intercept(PyObject*, PyObject* cls) {
  if (!expect(PyType_Check(cls), "intercepts() takes a class")) return nullptr;
  return guarded([&] { return PyBool_FromLong(intercepts(reinterpret_cast<PyTypeObject*>(cls))); });
}

PyObject* provide(PyObject*, PyObject* function) {
  renames = Py_NewRef(function);
  Py_RETURN_NONE;
}

PyObject* provide_reader(PyObject*, PyObject* function) {
  read_elements = Py_NewRef(function);
  Py_RETURN_NONE;
}

PyObject* version_of(PyObject*, PyObject* cls) {
  if (!expect(PyType_Check(cls), "class_version() takes a class")) return nullptr;
  return PyLong_FromUnsignedLongLong(class_version(cls));
}

PyObject* may_change(PyObject*, PyObject* cls) {
  if (!expect(PyType_Check(cls), "can_change() takes a class")) return nullptr;
  return PyBool_FromLong(can_change(cls));
}

PyObject* are_same(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (!expect(count == 2, "same() takes two values")) return nullptr;
  return guarded([&] { return PyBool_FromLong(same(args[0], args[1])); });
}

template <bool (*is)(PyObject*)>
PyObject* answer(PyObject*, PyObject* value) {
  return guarded([&] { return PyBool_FromLong(is(value)); });
}

PyMethodDef functions[] = {{"in_class", reinterpret_cast<PyCFunction>(in_class), METH_FASTCALL, nullptr},
                           {"class_version", version_of, METH_O, nullptr},
                           {"can_change", may_change, METH_O, nullptr},
                           {"is_captured", answer<captured>, METH_O, nullptr},
                           {"is_constant", answer<is_constant>, METH_O, nullptr},
                           {"is_lasting", answer<is_lasting>, METH_O, nullptr},
                           {"is_local", answer<is_local>, METH_O, nullptr},
                           {"same", reinterpret_cast<PyCFunction>(are_same), METH_FASTCALL, nullptr},
                           {"intercepts", does_intercept, METH_O, nullptr},
                           {"provide_lookup", provide, METH_O, nullptr},
                           {"provide_reader", provide_reader, METH_O, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool defines(PyObject* value, PyObject* name) {
  PyObject* attribute = find(Py_TYPE(value), name);
  return attribute && attribute != Py_None;
}

bool intercepts(PyTypeObject* cls) {
  if (makes_classes_that_compare(cls) || makes_classes_that_compare(Py_TYPE(cls))) return true;
  if (cls == &_PyWeakref_ProxyType || cls == &_PyWeakref_CallableProxyType) return true;
  if (find(cls, names.shown) != of_object.shown) return true;
  PyObject* fallback = find(cls, names.fallback);
  if (fallback && fallback != Py_None && !is_method(fallback)) return true;
  const Object access = Object::borrow(find(cls, names.access));
  if (access && Py_IS_TYPE(access.get(), &PyWrapperDescr_Type)) return false;
  return !access || check(PyObject_CallOneArg(renames, access.get())).get() != Py_True;
}

void note_elements_read(PyObject* tensor) {
  if (current_capture() && read_elements) check(PyObject_CallOneArg(read_elements, tensor));
}

bool is_constant(PyObject* o) {
  return PyLong_Check(o) || PyUnicode_Check(o) || PyFloat_Check(o) || o == Py_None || PyBytes_Check(o) ||
         PyComplex_Check(o) || PyRange_Check(o) || o == Py_Ellipsis || o == Py_NotImplemented;
}

bool is_lasting(PyObject* o) { return is_constant(o) || is_static(o); }

bool is_local(PyObject* o) {
  PyObject* name = nullptr;
  if (PyFunction_Check(o)) name = reinterpret_cast<PyFunctionObject*>(o)->func_qualname;
  if (PyType_Check(o) && PyType_HasFeature(reinterpret_cast<PyTypeObject*>(o), Py_TPFLAGS_HEAPTYPE))
    name = reinterpret_cast<PyHeapTypeObject*>(o)->ht_qualname;
  if (!name) return false;
  const int local = PyUnicode_Contains(name, locals_part);
  check(local);
  return local;
}

void add_lookup(PyObject* module) {
  const auto name = [](const char* spelled) { return check(PyUnicode_InternFromString(spelled)).release(); };
  locals_part = name("<locals>");
  names = {name("__getattribute__"), name("__class__"), name("__getattr__"), name("__eq__"), name("__hash__")};
  const auto plain = [](PyObject* name) { return Py_NewRef(find(&PyBaseObject_Type, name)); };
  of_object = {plain(names.shown), plain(names.equal), plain(names.hashed)};
  check(PyModule_AddFunctions(module, functions));
}

}  // namespace ember::python
