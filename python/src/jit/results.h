// The value of a jitted call, made of what its graph returns by the tree of capture/state/results.py.
#pragma once

#include <span>
#include <vector>

#include "python/src/conversion/object.h"
#include "python/src/jit/result_tree.h"
#include "vm/autograd/differentiable_function.h"

namespace ember::python {

struct Entry;
struct Flat;

// What a graph returned; the variables are a tape's, 0 for results that it has not recorded.
struct Results {
  std::vector<vm::Result> values;
  std::vector<vm::VariableId> variables;
  std::vector<Object> memo;  // parts of the function's value that occur in it again
  const Entry& entry;
  const Flat& arguments;
  std::span<PyObject* const> operands;
  std::vector<Object> sharing;  // results whose memory somebody else has, too
  vm::VariableId variable(size_t i) const { return variables.empty() ? 0 : variables[i]; }
  // Whether an operand or another result has the memory of a Tensor.
  bool has(const ops::Tensor& tensor) const;
};

// The value that a tree makes of results.
Object build(const ResultTree& tree, Results& results);

const gc::Storage* memory_of(PyObject* o);  // null for what is no Tensor

}  // namespace ember::python
