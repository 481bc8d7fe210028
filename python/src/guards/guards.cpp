#include "python/src/guards/guards.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "python/src/tensor/tensor.h"

namespace ember::python {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// From 3.13 on the fields of an instance are stored without counting, also into the dict that is its __dict__.
uint64_t dict_version([[maybe_unused]] PyObject* dict) {
#if PY_VERSION_HEX < 0x030D0000
  return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag;
#elif PY_VERSION_HEX < 0x030E0000
  const auto* table = reinterpret_cast<PyDictObject*>(dict);
  return table->ma_values ? 0 : table->ma_version_tag;
#else
  return 0;
#endif
}
#pragma GCC diagnostic pop

PyTypeObject* as_type(PyObject* o) { return reinterpret_cast<PyTypeObject*>(o); }

uint64_t type_version(PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030C0000
  if (!(type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return type->tp_version_tag;
}

void give_type_version(PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030C0000
  static PyObject* name = PyUnicode_InternFromString("__class__");
  _PyType_Lookup(type, name);
#else
  PyUnstable_Type_AssignVersionTag(type);
#endif
}

Object dict_content(PyObject* dict) {
  const Py_ssize_t size = PyDict_GET_SIZE(dict);
  Object items = check(PyTuple_New(2 * size));
  if (PyDict_GET_SIZE(dict) != size) return dict_content(dict);  // a finalizer, at the allocation, changed it
  PyObject *key, *value;
  Py_ssize_t i = 0;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
    PyTuple_SET_ITEM(items.get(), i++, Py_NewRef(key));
    PyTuple_SET_ITEM(items.get(), i++, Py_NewRef(value));
  }
  return items;
}

bool is_in(PyObject* key, PyObject* set) { return set && set != Py_None && PySet_Contains(set, key) == 1; }

// A dict's items in their order; those whose keys are `ignored` may be anything.
bool same_dict(PyObject* dict, PyObject* expected, PyObject* ignored) {
  PyObject *key, *value;
  Py_ssize_t i = 0, at = 0;
  const Py_ssize_t size = PyTuple_GET_SIZE(expected);
  const auto skip = [&] {
    while (i < size && is_in(PyTuple_GET_ITEM(expected, i), ignored)) i += 2;
  };
  while (PyDict_Next(dict, &at, &key, &value)) {
    const Object held[] = {Object::borrow(key), Object::borrow(value)};  // a key's own hash may change the dict
    if (is_in(key, ignored)) continue;
    skip();
    if (i >= size || !same(key, PyTuple_GET_ITEM(expected, i)) || !same(value, PyTuple_GET_ITEM(expected, i + 1)))
      return false;
    i += 2;
  }
  skip();
  return i >= size;
}

bool same_list(PyObject* list, PyObject* expected) {
  if (PyList_GET_SIZE(list) != PyTuple_GET_SIZE(expected)) return false;
  const auto* items = reinterpret_cast<PyListObject*>(list)->ob_item;
  const auto* before = reinterpret_cast<PyTupleObject*>(expected)->ob_item;
  if (items && !std::memcmp(items, before, sizeof *items * static_cast<size_t>(PyList_GET_SIZE(list)))) return true;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i)
    if (!same(PyList_GET_ITEM(list, i), PyTuple_GET_ITEM(expected, i))) return false;
  return true;
}

bool same_set(PyObject* set, PyObject* expected) {
  if (PySet_GET_SIZE(set) != PyTuple_GET_SIZE(expected)) return false;
  Object now = Object::own(PySequence_Tuple(set));
  return now && same(now.get(), expected);
}

bool same_content(PyObject* container, PyObject* expected, PyObject* ignored) {
  if (PyDict_Check(container) && !PyODict_Check(container)) return same_dict(container, expected, ignored);
  if (PyList_Check(container)) return same_list(container, expected);
  if (PyAnySet_CheckExact(container)) return same_set(container, expected);
  Object now = content(container);
  return now && same(now.get(), expected);
}

// Names in a class that Python, or a look at it, sets without a change of behaviour.
bool is_bookkeeping(PyObject* name) {
  static constexpr const char* kNames[] = {"__annotations__",     "__annotations_cache__", "__doc__",
                                           "__abstractmethods__", "__static_attributes__", "__firstlineno__",
                                           "__parameters__"};
  const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
  if (!text) PyErr_Clear();
  return text &&
         std::any_of(std::begin(kNames), std::end(kNames), [&](const char* n) { return !std::strcmp(n, text); });
}

bool is_dunder(PyObject* name) {
  const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
  if (!text) PyErr_Clear();
  return !text || !std::strncmp(text, "__", 2);
}

bool is_plain(PyObject* value) {
  return !value || value == Py_None || PyBool_Check(value) || PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
         PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) || PyComplex_CheckExact(value);
}

// Whether a class attribute may change: nobody has read it, and Python itself looks for none of that name and kind.
bool may_change(PyObject* name, PyObject* before, PyObject* now, PyObject* read) {
  if (!read || read == Py_None || is_in(name, read)) return false;
  return is_bookkeeping(name) || (!is_dunder(name) && is_plain(before) && is_plain(now));
}

bool same_namespace(PyObject* names, PyObject* expected, PyObject* read) {
  if (same_dict(names, expected, nullptr)) return true;
  Py_ssize_t present = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(expected); i += 2) {
    PyObject* name = PyTuple_GET_ITEM(expected, i);
    PyObject* before = PyTuple_GET_ITEM(expected, i + 1);
    PyObject* now = PyDict_GetItemWithError(names, name);
    present += now != nullptr;
    if (!(now && same(now, before)) && !may_change(name, before, now, read)) return false;
  }
  if (present == PyDict_GET_SIZE(names)) return true;
  Object before = check(PyDict_New());
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(expected); i += 2)
    check(PyDict_SetItem(before.get(), PyTuple_GET_ITEM(expected, i), PyTuple_GET_ITEM(expected, i + 1)));
  PyObject *name, *now;
  for (Py_ssize_t at = 0; PyDict_Next(names, &at, &name, &now);)
    if (PyDict_Contains(before.get(), name) == 0 && !may_change(name, nullptr, now, read)) return false;
  return true;
}

bool same_class(PyObject* cls, PyObject* expected, PyObject* read) {
  if (as_type(cls)->tp_mro != PyTuple_GET_ITEM(expected, 0)) return false;
  for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(expected); ++i) {
    PyObject* part = PyTuple_GET_ITEM(expected, i);
    if (!same_namespace(as_type(PyTuple_GET_ITEM(part, 0))->tp_dict, PyTuple_GET_ITEM(part, 1), read)) return false;
  }
  return true;
}

bool same_function(PyObject* o, PyObject* expected) {
  const auto* function = reinterpret_cast<PyFunctionObject*>(o);
  const auto is = [&](PyObject* now, Py_ssize_t i) { return (now ? now : Py_None) == PyTuple_GET_ITEM(expected, i); };
  return is(function->func_code, 0) && is(function->func_defaults, 1) && is(function->func_kwdefaults, 2);
}

struct Buffer {
  explicit Buffer(PyObject* owner) {
    for (int flags : {PyBUF_FULL_RO, PyBUF_STRIDED_RO}) {  // bfloat16 has no format
      acquired = PyObject_GetBuffer(owner, &view, flags) == 0;
      if (acquired) break;
      PyErr_Clear();
    }
  }
  ~Buffer() {
    if (acquired) PyBuffer_Release(&view);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Object sizes(const Py_ssize_t* values) const {
    Object out = check(PyTuple_New(values ? view.ndim : 0));
    for (int i = 0; values && i < view.ndim; ++i)
      PyTuple_SET_ITEM(out.get(), i, check(PyLong_FromSsize_t(values[i])).release());
    return out;
  }
  Object type() const { return check(Py_BuildValue("(Oz)", sizes(view.shape).get(), view.format)); }
  Object place() const { return check(Py_BuildValue("(NO)", PyLong_FromVoidPtr(view.buf), sizes(view.strides).get())); }
  Object bytes() const {
    Object out = check(PyBytes_FromStringAndSize(nullptr, view.len));
    check(PyBuffer_ToContiguous(PyBytes_AS_STRING(out.get()), const_cast<Py_buffer*>(&view), view.len, 'C'));
    return out;
  }

  Py_buffer view;
  bool acquired = false;
};

bool same_bytes(const Buffer& buffer, PyObject* bytes) {
  if (buffer.view.len != PyBytes_GET_SIZE(bytes)) return false;
  const size_t size = static_cast<size_t>(buffer.view.len);
  if (PyBuffer_IsContiguous(&buffer.view, 'C')) return !std::memcmp(buffer.view.buf, PyBytes_AS_STRING(bytes), size);
  return !std::memcmp(PyBytes_AS_STRING(buffer.bytes().get()), PyBytes_AS_STRING(bytes), size);
}

bool same_buffer(PyObject* owner, PyObject* expected) {
  const Buffer buffer(owner);
  PyObject* content = PyTuple_GET_ITEM(expected, 1);
  return buffer.acquired && same(buffer.type().get(), PyTuple_GET_ITEM(expected, 0)) &&
         (PyBytes_Check(content) ? same_bytes(buffer, content) : same(buffer.place().get(), content));
}

// By Python's own rules: a __getattr__ is not asked.
bool is_missing(PyObject* owner, PyObject* name) {
  if (Object::own(PyObject_GenericGetAttr(owner, name))) return false;
  return PyErr_ExceptionMatches(PyExc_AttributeError);
}

Object element(PyObject* list, PyObject* index) {
  const Py_ssize_t at = PyLong_AsSsize_t(index);
  return at < 0 || at >= PyList_GET_SIZE(list) ? Object() : Object::borrow(PyList_GET_ITEM(list, at));
}

// Of NumPy's numbers, which nobody can change.
bool is_numpy_number(PyObject* o) {
  static PyTypeObject* number = nullptr;
  if (!number) {
    PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    const Object type = numpy ? Object::own(PyObject_GetAttrString(numpy, "number")) : Object();
    PyErr_Clear();
    if (!type || !PyType_Check(type.get())) return false;
    number = as_type(Object(type).release());
  }
  return !can_change(reinterpret_cast<PyObject*>(Py_TYPE(o))) && PyType_IsSubtype(Py_TYPE(o), number);
}

// Of one class. A NaN is in a list if it is the same object.
bool same_numbers(PyObject* a, PyObject* b) {
  const Buffer x(a), y(b);
  const bool equal =
      x.acquired && y.acquired && same_bytes(x, y.bytes().get()) && PyObject_RichCompareBool(a, b, Py_EQ) == 1;
  PyErr_Clear();
  return equal;
}

bool is_same(Object now, PyObject* expected) { return now && same(now.get(), expected); }

}  // namespace

bool same(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  if (PyFloat_CheckExact(a)) {
    const double x = PyFloat_AS_DOUBLE(a), y = PyFloat_AS_DOUBLE(b);  // a NaN is in a list if it is the same object
    return x == x && std::memcmp(&x, &y, sizeof x) == 0;
  }
  if (PyTuple_CheckExact(a)) {
    if (PyTuple_GET_SIZE(a) != PyTuple_GET_SIZE(b) || Py_EnterRecursiveCall(" in a comparison")) return false;
    bool equal = true;
    for (Py_ssize_t i = 0; equal && i < PyTuple_GET_SIZE(a); ++i)
      equal = same(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i));
    Py_LeaveRecursiveCall();
    return equal;
  }
  if (!PyLong_CheckExact(a) && !PyUnicode_CheckExact(a) && !PyBytes_CheckExact(a))
    return is_numpy_number(a) && same_numbers(a, b);
  int equal = PyObject_RichCompareBool(a, b, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

// What Python's own class of the container iterates over, whatever a subclass says.
Object items_of(PyObject* container) {
  PyTypeObject* type = Py_TYPE(container);
  while (can_change(reinterpret_cast<PyObject*>(type))) type = type->tp_base;
  return Object::own(PySequence_Tuple(check(type->tp_iter(container)).get()));
}

Object content(PyObject* container) {
  if (!PyDict_Check(container)) return items_of(container);
  if (!PyODict_Check(container)) return dict_content(container);
  const Object keys = check(PySequence_Tuple(check(PyODict_Type.tp_iter(container)).get()));
  Object items = check(PyTuple_New(2 * PyTuple_GET_SIZE(keys.get())));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keys.get()); ++i) {
    PyObject* key = PyTuple_GET_ITEM(keys.get(), i);
    PyTuple_SET_ITEM(items.get(), 2 * i, Py_NewRef(key));
    PyTuple_SET_ITEM(items.get(), 2 * i + 1, Object::borrow(PyDict_GetItemWithError(container, key)).release());
    if (!PyTuple_GET_ITEM(items.get(), 2 * i + 1)) throw PythonError();
  }
  return items;
}

bool can_change(PyObject* cls) {
  return (as_type(cls)->tp_flags & Py_TPFLAGS_HEAPTYPE) && !(as_type(cls)->tp_flags & Py_TPFLAGS_IMMUTABLETYPE);
}

uint64_t class_version(PyObject* cls) {
  if (!type_version(as_type(cls))) give_type_version(as_type(cls));
  return type_version(as_type(cls));
}

Object class_content(PyObject* cls) { return dict_content(as_type(cls)->tp_dict); }

Object buffer_state(PyObject* owner, bool with_bytes) {
  const Buffer buffer(owner);
  if (!buffer.acquired) return Object::borrow(Py_None);
  return check(PyTuple_Pack(2, buffer.type().get(), (with_bytes ? buffer.bytes() : buffer.place()).get()));
}

Guard::Kind Guard::kind_of(const std::string& name) {
  static const std::map<std::string, Kind> kinds = {
      {"class", Kind::Class},         {"type", Kind::Type},       {"function", Kind::Function},
      {"fields", Kind::Fields},       {"item", Kind::Item},       {"absent", Kind::Absent},
      {"cell", Kind::Cell},           {"empty", Kind::Cell},      {"content", Kind::Content},
      {"buffer", Kind::Buffer},       {"missing", Kind::Missing}, {"call", Kind::Call},
      {"attribute", Kind::Attribute}, {"element", Kind::Element},
  };
  return kinds.at(name);
}

const char* Guard::name_of(Kind kind) {
  static constexpr const char* kNames[] = {"class", "type",    "function", "fields",    "item",    "absent", "element",
                                           "cell",  "content", "buffer",   "attribute", "missing", "call"};
  return kNames[static_cast<size_t>(kind)];
}

bool FailedGuard::of_numbers() const {
  const bool plain = expected && (PyLong_CheckExact(expected.get()) || PyFloat_CheckExact(expected.get()));
  return plain && now && Py_TYPE(now.get()) == Py_TYPE(expected.get());
}

std::vector<FailedGuard> Guard::failures() const {
  if (holds()) return {};
  std::vector<FailedGuard> items;
  for (const auto& [key, value] : items_) {
    const Object now = Object::borrow(PyDict_GetItemWithError(owner.get(), key.get()));
    if (!(value ? now && same(now.get(), value.get()) : !now))
      items.push_back({value ? "item" : "absent", owner, key, value, now});
  }
  if (!items.empty()) return items;
  FailedGuard failed{kind_name(), owner, key_, expected_, Object()};
  if (kind == Kind::Cell) failed.now = Object::borrow(PyCell_GET(owner.get()));
  if (kind == Kind::Element) failed.now = element(owner.get(), key_.get());
  if (kind == Kind::Content) failed.now = content(owner.get());
  if (kind == Kind::Attribute) failed.now = Object::own(PyObject_GetAttr(owner.get(), key_.get()));
  if (kind == Kind::Class) failed.now = Object::borrow(reinterpret_cast<PyObject*>(Py_TYPE(owner.get())));
  PyErr_Clear();
  return {failed};
}

Guard::Guard(Kind kind, Object owner, Object key, Object expected)
    : kind(kind), owner(std::move(owner)), key_(std::move(key)), expected_(std::move(expected)) {
  if (of_items()) items_.emplace_back(std::exchange(key_, Object()), kind == Kind::Item ? expected_ : Object());
}

void Guard::add(const Guard& item) { items_.insert(items_.end(), item.items_.begin(), item.items_.end()); }

uint64_t Guard::mark() const {
  const bool content = kind == Kind::Content && PyDict_Check(owner.get()) && !PyODict_Check(owner.get());
  if (content || of_items()) return dict_version(owner.get());
  if (kind == Kind::Type) return class_version(owner.get());
  const bool pointer = kind == Kind::Class || kind == Kind::Fields || kind == Kind::Cell;
  return pointer ? reinterpret_cast<uint64_t>(expected_.get()) : 0;
}

bool Guards::Mark::is_new() const {
  switch (kind) {
    case Guard::Kind::Class:
      return reinterpret_cast<uint64_t>(Py_TYPE(owner)) != seen;
    case Guard::Kind::Type:
      return type_version(as_type(owner)) != seen || !seen;
    case Guard::Kind::Fields: {
      PyObject** fields = _PyObject_GetDictPtr(owner);
      return !fields || reinterpret_cast<uint64_t>(*fields) != seen;
    }
    case Guard::Kind::Item:
    case Guard::Kind::Absent:
      return dict_version(owner) != seen || !seen;
    case Guard::Kind::Cell:
      return reinterpret_cast<uint64_t>(PyCell_GET(owner)) != seen;
    case Guard::Kind::Content:
      return !seen || dict_version(owner) != seen;
    default:
      return true;
  }
}

bool Guard::holds() const {
  const bool held = as_before();
  if (PyErr_Occurred()) PyErr_Clear();
  return held;
}

bool Guard::items_as_before() const {
  return std::all_of(items_.begin(), items_.end(), [&](const auto& item) {
    const Object now = Object::borrow(PyDict_GetItemWithError(owner.get(), item.first.get()));
    return item.second ? now && same(now.get(), item.second.get()) : !now && !PyErr_Occurred();
  });
}

bool Guard::as_before() const {
  switch (kind) {
    case Kind::Class:
      return reinterpret_cast<PyObject*>(Py_TYPE(owner.get())) == expected_.get();
    case Kind::Type:
      return same_class(owner.get(), expected_.get(), key_.get());
    case Kind::Function:
      return same_function(owner.get(), expected_.get());
    case Kind::Fields: {
      PyObject** fields = _PyObject_GetDictPtr(owner.get());
      return fields && *fields == expected_.get();
    }
    case Kind::Item:
    case Kind::Absent:
      return items_as_before();
    case Kind::Element:
      return is_same(element(owner.get(), key_.get()), expected_.get());
    case Kind::Cell: {
      PyObject* now = PyCell_GET(owner.get());
      return now ? expected_ && same(now, expected_.get()) : !expected_;
    }
    case Kind::Content:
      return same_content(owner.get(), expected_.get(), key_.get());
    case Kind::Buffer:
      return same_buffer(owner.get(), expected_.get());
    case Kind::Attribute:
      return is_same(Object::own(PyObject_GetAttr(owner.get(), key_.get())), expected_.get());
    case Kind::Missing:
      return is_missing(owner.get(), key_.get());
    case Kind::Call:
      return is_same(Object::own(PyObject_CallNoArgs(owner.get())), expected_.get());
  }
  return false;
}

int Guard::visit(visitproc visit, void* arg) const {
  Py_VISIT(owner.get());
  Py_VISIT(expected_.get());
  for (const auto& [key, value] : items_) Py_VISIT(value.get());
  return 0;
}

Object OutsidePlace::read(PyTypeObject* like) const {
  Object value;
  if (kind == Guard::Kind::Item)
    value = Object::borrow(PyDict_GetItemWithError(owner.get(), key.get()));
  else if (kind == Guard::Kind::Element)
    value = element(owner.get(), key.get());
  else if (kind == Guard::Kind::Cell)
    value = Object::borrow(PyCell_GET(owner.get()));
  else
    value = Object::own(PyObject_GetAttr(owner.get(), key.get()));
  if (!value) PyErr_Clear();
  if (!value || Py_TYPE(value.get()) != like) return {};
  if (is_tensor(value.get()) && has_hooks(value.get())) return {};
  int overflow = 0;
  if (PyLong_CheckExact(value.get())) PyLong_AsLongLongAndOverflow(value.get(), &overflow);
  return overflow ? Object() : value;
}

void Guards::add(Guard guard) {
  ++count_;
  if (guard.of_items()) {
    const auto dict = std::find_if(guards_.begin(), guards_.end(),
                                   [&](const Guard& g) { return g.of_items() && g.owner.get() == guard.owner.get(); });
    if (dict != guards_.end()) return dict->add(guard);
  }
  guards_.push_back(std::move(guard));
}

void Guards::finish() {
  std::stable_sort(guards_.begin(), guards_.end(), [](const Guard& a, const Guard& b) { return a.kind < b.kind; });
  for (const Guard& guard : guards_) marks_.push_back({guard.kind, guard.owner.get(), 0});
}

bool Guards::hold() {
  for (size_t i = 0; i < marks_.size(); ++i) {
    if (!marks_[i].is_new()) continue;
    const uint64_t seen = guards_[i].mark();
    if (!guards_[i].holds()) return false;
    marks_[i].seen = seen;
  }
  return true;
}

std::vector<FailedGuard> Guards::failures() const {
  std::vector<FailedGuard> all;
  for (const Guard& guard : guards_) {
    for (FailedGuard& failed : guard.failures()) all.push_back(std::move(failed));
    if (!std::ranges::all_of(all, &FailedGuard::of_numbers)) break;
  }
  return all;
}

int Guards::visit(visitproc visit, void* arg) const {
  for (const Guard& guard : guards_)
    if (const int stopped = guard.visit(visit, arg)) return stopped;
  return 0;
}

}  // namespace ember::python
