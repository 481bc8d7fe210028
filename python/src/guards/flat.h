// The arguments of one call of a jitted function, taken apart: leaves, which are Tensors and numbers, and a signature
// of all else.
//
// Tuples, lists and dicts are taken apart always; instances of classes that are `unfolded` likewise, into their class
// and their dict, because each call makes them anew. Other objects are constants. capture/session/unfolding.py makes
// copies of what is unfolded, part by part in the same order.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "python/src/conversion/object.h"
#include "vm/exec/prologue.h"

namespace ember::python {

// What lists, dicts and objects hold is held here too, for anybody may change these while the call runs; the others lie
// in tuples.
struct Flat {
  explicit Flat(PyObject* unfolded);
  bool instrumented() const { return structure.starts_with('w'); }
  bool recorded() const { return structure[instrumented()] == 'n'; }
  Object unfolded;        // a tuple of classes
  std::string structure;  // one character a leaf or bracket; before them 'w' if instrumented, 'n' if a tape records
  std::vector<PyObject*> leaves;                  // borrowed from the arguments, or from `held`
  std::vector<PyObject*> constants;               // so are these
  uint32_t depth = 0;                             // of objects that are unfolded
  std::unordered_map<PyObject*, size_t> numbers;  // of containers, once they are many
  std::vector<PyObject*> containers;  // borrowed: lists, dicts and what is unfolded, once each; a further occurrence is
                                      // part of the structure
  std::vector<Object> held;           // items of containers
};
void flatten(PyObject* o, Flat* flat);
void flatten_keyword(PyObject* name, PyObject* value, Flat* flat);

vm::Argument argument(PyObject* o);  // a Tensor or a number

}  // namespace ember::python
