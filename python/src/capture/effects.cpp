#include "python/src/capture/effects.h"

#include <map>

namespace ember::python {
namespace {

using Replaced = std::vector<Object>;

PyObject* operand(PyObject* operands, Py_ssize_t i) { return PyTuple_GET_ITEM(operands, i); }

Py_ssize_t position(PyObject* operands) {
  const Py_ssize_t value = PyLong_AsSsize_t(operand(operands, 0));
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

// Calls a method of Python's own; what it returns is what it has taken away.
template <class... Arguments>
void method(PyObject* owner, const char* name, Replaced* replaced, Arguments... arguments) {
  const Object spelled = check(PyUnicode_FromString(name));
  replaced->push_back(check(PyObject_CallMethodObjArgs(owner, spelled.get(), arguments..., nullptr)));
}

void keep_item(PyObject* dict, PyObject* key, Replaced* replaced) {
  replaced->push_back(Object::borrow(PyDict_GetItemWithError(dict, key)));
  if (PyErr_Occurred()) throw PythonError();
}

void store_item(PyObject* dict, PyObject* operands, Replaced* replaced) {
  keep_item(dict, operand(operands, 0), replaced);
  check(PyDict_SetItem(dict, operand(operands, 0), operand(operands, 1)));
}

void delete_item(PyObject* dict, PyObject* operands, Replaced* replaced) {
  keep_item(dict, operand(operands, 0), replaced);
  check(PyDict_DelItem(dict, operand(operands, 0)));
}

void clear_dict(PyObject* dict, PyObject*, Replaced* replaced) {
  replaced->push_back(check(PyDict_Values(dict)));
  PyDict_Clear(dict);
}

void store_cell(PyObject* cell, PyObject* operands, Replaced* replaced) {
  replaced->push_back(Object::borrow(PyCell_GET(cell)));
  check(PyCell_Set(cell, operand(operands, 0)));
}

void delete_cell(PyObject* cell, PyObject*, Replaced* replaced) {
  replaced->push_back(Object::borrow(PyCell_GET(cell)));
  check(PyCell_Set(cell, nullptr));
}

void append(PyObject* list, PyObject* operands, Replaced*) { check(PyList_Append(list, operand(operands, 0))); }

void insert(PyObject* list, PyObject* operands, Replaced*) {
  check(PyList_Insert(list, position(operands), operand(operands, 1)));
}

void store_position(PyObject* list, PyObject* operands, Replaced* replaced) {
  const Py_ssize_t at = position(operands);
  replaced->push_back(Object::borrow(PyList_GetItem(list, at)));
  if (!replaced->back()) throw PythonError();
  check(PyList_SetItem(list, at, Py_NewRef(operand(operands, 1))));
}

// From a position on so many items, in whose place others come.
void store_slice(PyObject* list, PyObject* operands, Replaced* replaced) {
  const Py_ssize_t first = position(operands);
  const Py_ssize_t last = first + PyLong_AsSsize_t(operand(operands, 1));
  replaced->push_back(check(PyList_GetSlice(list, first, last)));
  check(PyList_SetSlice(list, first, last, operand(operands, 2)));
}

void clear_list(PyObject* list, PyObject*, Replaced* replaced) {
  replaced->push_back(check(PyList_AsTuple(list)));
  check(PyList_SetSlice(list, 0, PyList_GET_SIZE(list), nullptr));
}

void add(PyObject* set, PyObject* operands, Replaced*) { check(PySet_Add(set, operand(operands, 0))); }
void discard(PyObject* set, PyObject* operands, Replaced*) { check(PySet_Discard(set, operand(operands, 0))); }

void clear_set(PyObject* set, PyObject*, Replaced* replaced) {
  replaced->push_back(check(PySet_New(set)));
  check(PySet_Clear(set));
}

// A deque that is full gives up what is at its other end.
void append_to_deque(PyObject* deque, PyObject* operands, Replaced* replaced, const char* name, Py_ssize_t lost) {
  const Object most = check(PyObject_GetAttrString(deque, "maxlen"));
  const Py_ssize_t size = PySequence_Size(deque), limit = most.get() == Py_None ? -1 : PyLong_AsSsize_t(most.get());
  if (size == limit && size > 0) replaced->push_back(check(PySequence_GetItem(deque, lost)));
  method(deque, name, replaced, operand(operands, 0));
}

void append_right(PyObject* deque, PyObject* operands, Replaced* replaced) {
  append_to_deque(deque, operands, replaced, "append", 0);
}

void append_left(PyObject* deque, PyObject* operands, Replaced* replaced) {
  append_to_deque(deque, operands, replaced, "appendleft", -1);
}

void pop_right(PyObject* deque, PyObject*, Replaced* replaced) { method(deque, "pop", replaced); }
void pop_left(PyObject* deque, PyObject*, Replaced* replaced) { method(deque, "popleft", replaced); }

void clear_deque(PyObject* deque, PyObject*, Replaced* replaced) {
  replaced->push_back(check(PySequence_Tuple(deque)));
  method(deque, "clear", replaced);
}

Replay replay_of(const std::string& kind) {
  static const std::map<std::string, Replay> kinds = {
      {"store item", store_item},
      {"delete item", delete_item},
      {"clear dict", clear_dict},
      {"store cell", store_cell},
      {"delete cell", delete_cell},
      {"append", append},
      {"insert", insert},
      {"store position", store_position},
      {"store slice", store_slice},
      {"clear list", clear_list},
      {"add", add},
      {"discard", discard},
      {"clear set", clear_set},
      {"append right", append_right},
      {"append left", append_left},
      {"pop right", pop_right},
      {"pop left", pop_left},
      {"clear deque", clear_deque},
  };
  return kinds.at(kind);
}

// While one lives, the collector waits, whose finalizers are the program's.
class WithoutCollector {
 public:
  WithoutCollector() : enabled_(PyGC_Disable()) {}
  ~WithoutCollector() {
    if (enabled_) PyGC_Enable();
  }
  WithoutCollector(const WithoutCollector&) = delete;
  WithoutCollector& operator=(const WithoutCollector&) = delete;

 private:
  int enabled_;
};

}  // namespace

Effect::Effect(const std::string& kind, ResultTree owner, ResultTree operands, Object words)
    : replay(replay_of(kind)), owner(std::move(owner)), operands(std::move(operands)), words(std::move(words)) {}

void replay(std::span<const Effect> effects, std::span<const Change> changes) {
  Replaced replaced;
  const WithoutCollector undisturbed;
  for (size_t i = 0; i < effects.size(); ++i)
    effects[i].replay(changes[i].first.get(), changes[i].second.get(), &replaced);
}

}  // namespace ember::python
