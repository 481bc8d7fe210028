// Types of objects that CPython's collector looks through.
#pragma once

#include <initializer_list>
#include <utility>

#include "python/src/conversion/object.h"

namespace ember::python {

// A tp_dealloc. What leads to itself in long chains is taken apart without taking the stack.
template <inquiry clear>
void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_TRASHCAN_BEGIN(self, dealloc<clear>);
  clear(self);
  Py_TYPE(self)->tp_free(self);
  Py_TRASHCAN_END;
}

template <inquiry clear>
PyTypeObject gc_type(const char* name, Py_ssize_t size, newfunc create, traverseproc traverse) {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = name;
  type.tp_basicsize = size;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  type.tp_new = create;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dealloc = dealloc<clear>;
  return type;
}

// One that classes of Python's derive from, whose members are attributes of theirs.
template <inquiry clear>
PyTypeObject base_type(const char* name, Py_ssize_t size, traverseproc traverse, PyMemberDef* members) {
  PyTypeObject type = gc_type<clear>(name, size, PyType_GenericNew, traverse);
  type.tp_flags |= Py_TPFLAGS_BASETYPE;
  type.tp_setattro = set_attribute;
  type.tp_members = members;
  return type;
}

// Makes types ready, and attributes of a module.
inline void add_types(PyObject* module, std::initializer_list<std::pair<const char*, PyTypeObject*>> types) {
  for (const auto& [name, type] : types) {
    check(PyType_Ready(type));
    check(PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(type)));
  }
}

}  // namespace ember::python
