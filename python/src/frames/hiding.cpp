// What one continuation has been given so far is kept by the path to it among its values: (0, item of the stack, ...),
// (1, variable, ...), (2,). Of objects it is a weak reference, where these are possible.
#include "python/src/frames/hiding.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "python/src/capture/lookup.h"
#include "python/src/conversion/convert.h"
#include "python/src/conversion/gc_type.h"
#include "python/src/frames/frame_acts.h"
#include "python/src/jit/jit.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {
namespace {

constexpr int kSightings = 8;
constexpr Py_ssize_t kDeepest = 16;  // of containers within each other that captured code may look into

// Which object has been at a path, without a reference at first: others may count these.
struct Sighting {
  PyObject* id = nullptr;
  Object reference;
  uint64_t call = 0;
  int times = 0;
};

struct Place {
  Object object;  // that was there first: a reference, or itself
  bool itself = false;
  bool changes = false;  // each call has another one
  Sighting seen;
};

struct HidingObject {
  PyObject_HEAD PyObject* numbers;  // of places, by path
  std::deque<Place>* places;
};

HidingObject& as_hiding(PyObject* o) { return *reinterpret_cast<HidingObject*>(o); }

PyObject* leads_to_end;                                   // of capture/guards/ends.py
PyTypeObject *seen_reference, *cell_marker, *deque;       // its SeenReference, that of values/cells.py, of collections
PyObject *del_name, *next_name;                           // "__del__", "__next__"
std::vector<Object>& opaques = *new std::vector<Object>;  // as many as have been needed at once; they outlive Python

bool is_method_of_object(PyObject* o) {
  if (!PyCFunction_Check(o)) return false;
  PyObject* owner = PyCFunction_GET_SELF(o);
  return owner && !is_lasting(owner) && !is_tensor(owner);
}

// What nothing can be told of, and what lasts; the most common values.
bool is_plain(PyObject* o) {
  return Py_IS_TYPE(o, &TensorType) || Py_IS_TYPE(o, &ParameterType) || PyLong_CheckExact(o) || PyFloat_CheckExact(o) ||
         PyBool_Check(o) || PyUnicode_CheckExact(o) || o == Py_None;
}

bool is_sequence(PyObject* o) { return PyTuple_CheckExact(o) || PyList_CheckExact(o); }
bool is_container(PyObject* o) { return is_sequence(o) || PyDict_CheckExact(o); }

bool all_plain(PyObject* container) {
  if (is_sequence(container)) {
    PyObject** items = PySequence_Fast_ITEMS(container);
    return std::all_of(items, items + PySequence_Fast_GET_SIZE(container), is_plain);
  }
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(container, &at, &key, &value);)
    if (!is_plain(value)) return false;
  return PyDict_CheckExact(container);
}

bool is_cell(PyObject* o) { return PyObject_TypeCheck(o, cell_marker); }

// Whether somebody has a weak reference to it, but the library.
bool is_watched(PyObject* o) {
  if (!PyType_SUPPORTS_WEAKREFS(Py_TYPE(o)) || is_cell(o) || PyFunction_Check(o) || PyObject_TypeCheck(o, &JitType))
    return false;
  const auto* reference = reinterpret_cast<PyWeakReference*>(*PyObject_GET_WEAKREFS_LISTPTR(o));
  while (reference && Py_IS_TYPE(reinterpret_cast<PyObject*>(const_cast<PyWeakReference*>(reference)), seen_reference))
    reference = reference->wr_next;
  return reference;
}

bool may_contain(PyObject* o) {
  return PyTuple_Check(o) || PyList_Check(o) || PyDict_Check(o) || PyAnySet_Check(o) || PyObject_TypeCheck(o, deque);
}

// Whether somebody is told when a value ends.
bool has_told_end(PyObject* o) {
  if (is_plain(o) || (is_container(o) && all_plain(o))) return false;
  if (!may_contain(o)) return defines(o, del_name) || is_watched(o);
  return check(PyObject_CallOneArg(leads_to_end, o)).get() == Py_True;
}

bool is_fleeting(PyObject* o) {
  if (is_container(o)) return true;  // too deep, or with keys that are the user's to hash
  return (!is_lasting(o) && has_told_end(o)) || defines(o, next_name) || PyExceptionInstance_Check(o);
}

bool has_constant_keys(PyObject* dict) {
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
    const bool exact = PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyBool_Check(key) || key == Py_None ||
                       PyFloat_CheckExact(key) || PyBytes_CheckExact(key) || PyComplex_CheckExact(key) ||
                       PyRange_Check(key) || key == Py_Ellipsis || key == Py_NotImplemented;
    if (!exact) return false;
  }
  return true;
}

// A path to a value: the keys from the outermost on.
struct Path {
  const Path* outer;
  PyObject* key;
  Py_ssize_t number;  // instead of a key
  Py_ssize_t depth = outer ? outer->depth + 1 : 1;

  Object keys() const {
    Object keys = check(PyTuple_New(depth));
    for (const Path* part = this; part; part = part->outer)
      PyTuple_SET_ITEM(keys.get(), part->depth - 1,
                       part->key ? Py_NewRef(part->key) : check(PyLong_FromSsize_t(part->number)).release());
    return keys;
  }
};

// One call's look at what it goes on with.
class Look {
 public:
  Look(PyObject* hiding, uint64_t call, const Ids& argument_ids)
      : hiding_(as_hiding(hiding)), call_(call), argument_ids_(argument_ids) {}

  Object of(PyObject* value, const Path& path) {
    if (is_plain(value)) return Object::borrow(value);
    if (const auto known = once_.find(value); known != once_.end()) return known->second;
    if (intercepts(Py_TYPE(value)) || is_method_of_object(value)) return once_[value] = next_opaque();
    if (is_lasting(value) && !is_local(value)) return Object::borrow(value);
    if (is_container(value)) once_[value] = next_opaque();  // where it holds itself
    const Object kept = Object::borrow(value);
    Object seen = of_once(value, path);
    return once_[value] = std::move(seen);
  }

  Object next_opaque() {
    if (used_ == opaques.size()) opaques.push_back(check(PyObject_CallNoArgs(reinterpret_cast<PyObject*>(opaque))));
    return opaques[used_++];
  }

 private:
  Object of_once(PyObject* value, const Path& path) {
    if (path.depth < kDeepest && is_sequence(value)) return of_items(value, path);
    if (path.depth < kDeepest && PyDict_CheckExact(value) && has_constant_keys(value)) return of_fields(value, path);
    if (is_fleeting(value)) return next_opaque();
    Place& place = this->place(path);
    if (!argument_ids_.contains(value) && !is_cell(value) && !is_familiar(value, &place.seen)) return next_opaque();
    if (!place.object) refer(value, &place);
    if (!is_of(place, value)) place.changes = true;
    return place.changes ? next_opaque() : Object::borrow(value);
  }

  Object of_items(PyObject* value, const Path& path) {
    if (all_plain(value)) return Object::borrow(value);
    const Object items = check(PySequence_Tuple(value));
    const Py_ssize_t count = PyTuple_GET_SIZE(items.get());
    const Object seen = check(PyList_New(0));
    bool same = true;
    for (Py_ssize_t i = 0; i < count; ++i) {
      const Object item = of(PyTuple_GET_ITEM(items.get(), i), {&path, nullptr, i});
      same = same && item.get() == PyTuple_GET_ITEM(items.get(), i);
      check(PyList_Append(seen.get(), item.get()));
    }
    if (same) return Object::borrow(value);
    return PyList_CheckExact(value) ? seen : check(PyList_AsTuple(seen.get()));
  }

  Object of_fields(PyObject* value, const Path& path) {
    if (all_plain(value)) return Object::borrow(value);
    const Object fields = check(PyDict_Copy(value)), seen = check(PyDict_New());
    bool same = true;
    PyObject *key, *field;
    for (Py_ssize_t at = 0; PyDict_Next(fields.get(), &at, &key, &field);) {
      const Object item = of(field, {&path, key, 0});
      same = same && item.get() == field;
      check(PyDict_SetItem(seen.get(), key, item.get()));
    }
    return same ? Object::borrow(value) : seen;
  }

  Place& place(const Path& path) {
    const Object keys = path.keys();
    PyObject* number = PyDict_GetItemWithError(hiding_.numbers, keys.get());
    if (number) return (*hiding_.places)[PyLong_AsSize_t(number)];
    if (PyErr_Occurred()) throw PythonError();
    const Object next = check(PyLong_FromSize_t(hiding_.places->size()));
    check(PyDict_SetItem(hiding_.numbers, keys.get(), next.get()));
    return hiding_.places->emplace_back();
  }

  static Object reference_to(PyObject* value) {
    Object reference = Object::own(PyObject_CallOneArg(reinterpret_cast<PyObject*>(seen_reference), value));
    if (!reference && !PyErr_ExceptionMatches(PyExc_TypeError)) throw PythonError();
    PyErr_Clear();
    return reference;
  }

  static void refer(PyObject* value, Place* place) {
    Object reference = reference_to(value);
    place->itself = !reference;
    place->object = reference ? std::move(reference) : Object::borrow(value);
  }

  static bool is_of(const Place& place, PyObject* value) {
    return place.itself ? place.object.get() == value : check(PyObject_CallNoArgs(place.object.get())).get() == value;
  }

  // Whether an object has been there often, so that captured code may rely on it and so keep it alive: it outlives
  // calls, or is there often in this one.
  bool is_familiar(PyObject* value, Sighting* seen) const {
    const bool known =
        seen->id == value && (!seen->reference || check(PyObject_CallNoArgs(seen->reference.get())).get() == value);
    if (!known) {
      *seen = {value, {}, call_, 0};
      return false;
    }
    if (seen->call == call_) return ++seen->times >= kSightings;
    if (seen->reference) return true;
    seen->reference = reference_to(value);
    seen->call = call_;
    seen->times = 0;
    return false;
  }

  HidingObject& hiding_;
  const uint64_t call_;
  const Ids& argument_ids_;
  size_t used_ = 0;                             // of opaques
  std::unordered_map<PyObject*, Object> once_;  // what is seen of a value
};

PyObject* hiding_new(PyTypeObject* type, PyObject*, PyObject*) {
  return guarded([&] {
    if (!leads_to_end) raise(PyExc_TypeError, "what Hiding asks is not provided yet");
    Object object = check(type->tp_alloc(type, 0));
    as_hiding(object.get()).places = new std::deque<Place>;
    as_hiding(object.get()).numbers = check(PyDict_New()).release();
    return object.release();
  });
}

int hiding_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_hiding(self).numbers);
  if (!as_hiding(self).places) return 0;
  for (const Place& place : *as_hiding(self).places) {
    Py_VISIT(place.object.get());
    Py_VISIT(place.seen.reference.get());
  }
  return 0;
}

int hiding_clear(PyObject* self) {
  Py_CLEAR(as_hiding(self).numbers);
  delete std::exchange(as_hiding(self).places, nullptr);
  return 0;
}

// provide_hiding(leads_to_end, SeenReference, CellMarker, deque)
PyObject* provide(PyObject*, PyObject* args) {
  PyObject *ends, *classes[3];
  if (!PyArg_ParseTuple(args, "OO!O!O!", &ends, &PyType_Type, &classes[0], &PyType_Type, &classes[1], &PyType_Type,
                        &classes[2]))
    return nullptr;
  leads_to_end = Py_NewRef(ends);
  seen_reference = reinterpret_cast<PyTypeObject*>(Py_NewRef(classes[0]));
  cell_marker = reinterpret_cast<PyTypeObject*>(Py_NewRef(classes[1]));
  deque = reinterpret_cast<PyTypeObject*>(Py_NewRef(classes[2]));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"provide_hiding", provide, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject HidingType = gc_type<hiding_clear>("emberjit.Hiding", sizeof(HidingObject), hiding_new, hiding_traverse);

void find_ids(PyObject* value, Ids* ids) {
  if (is_plain(value) || !ids->insert(value).second || !is_container(value)) return;
  const Recursion deeper(" while what a function is given is looked through");
  if (PyDict_CheckExact(value)) return find_ids_of_items(value, ids);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i) find_ids(PySequence_Fast_GET_ITEM(value, i), ids);
}

void find_ids_of_items(PyObject* dict, Ids* ids) {
  PyObject *key, *item;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &item);) find_ids(item, ids);
}

Position hidden(PyObject* hiding, const Position& position, PyObject* wanted, uint64_t call, const Ids& argument_ids) {
  Look look(hiding, call, argument_ids);
  Position seen = {check(PyTuple_New(PyTuple_GET_SIZE(position.stack.get()))), check(PyDict_New()), {}};
  const Path stack = {nullptr, nullptr, 0}, variables = {nullptr, nullptr, 1}, handled = {nullptr, nullptr, 2};
  PyObject *name, *value;
  for (Py_ssize_t at = 0; PyDict_Next(position.variables.get(), &at, &name, &value);) {
    const int read = PySet_Contains(wanted, name);
    check(read);
    if (!read && !intercepts(Py_TYPE(value)) && !has_told_end(value)) continue;
    const Object shown = read ? look.of(value, {&variables, name, 0}) : look.next_opaque();
    check(PyDict_SetItem(seen.variables.get(), name, shown.get()));
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(position.stack.get()); ++i)
    PyTuple_SET_ITEM(seen.stack.get(), i,
                     look.of(PyTuple_GET_ITEM(position.stack.get(), i), {&stack, nullptr, i}).release());
  seen.handled = look.of(position.handled.get(), handled);
  return seen;
}

void add_hiding(PyObject* module) {
  check(PyType_Ready(&HidingType));
  check(PyModule_AddObjectRef(module, "Hiding", reinterpret_cast<PyObject*>(&HidingType)));
  check(PyModule_AddFunctions(module, functions));
  del_name = check(PyUnicode_InternFromString("__del__")).release();
  next_name = check(PyUnicode_InternFromString("__next__")).release();
}

}  // namespace ember::python
