// Hiding: what a continuation may not see of the values that it goes on with. An Opaque stands for iterators, and for
// objects that are others in each call, or that nobody may hold but the call itself.
#pragma once

#include <unordered_set>

#include "python/src/conversion/object.h"

namespace ember::python {

using Ids = std::unordered_set<PyObject*>;  // of objects, which need not live any more

extern PyTypeObject HidingType;

// The ids of a value and of what is in it, but for numbers, texts and Tensors.
void find_ids(PyObject* value, Ids* ids);
void find_ids_of_items(PyObject* dict, Ids* ids);

// Where a function is: its stack, its variables and the exception that it handles.
struct Position {
  Object stack, variables, handled;  // a tuple, a dict
};

// The same as the call of this number sees it, whose arguments have `argument_ids`: its stack, the variables that are
// `wanted` (a frozenset), and the exception. Other variables whose values somebody is told the end of are Opaque.
Position hidden(PyObject* hiding, const Position& position, PyObject* wanted, uint64_t call, const Ids& argument_ids);

void add_hiding(PyObject* module);

}  // namespace ember::python
