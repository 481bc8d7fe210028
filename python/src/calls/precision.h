// Automatic mixed precision: rules, by op and composition, to which dtype a call converts its Tensors of floating
// point. They hold on a thread for an extent. What a call runs inside follows none, unless the rule says that its parts
// do.
#pragma once

#include <span>
#include <vector>

#include "python/src/conversion/object.h"

namespace pybind11 {
class module_;
}

namespace ember::python {

// The rules that hold: a dict by op or function; null: none. A rule is a dtype, "widest": that of the operands, or
// None: the parts of a composition have rules of their own.
PyObject* precision_rules();

// Replaces them for its lifetime; the caller keeps them alive.
class PrecisionScope {
 public:
  explicit PrecisionScope(PyObject* rules);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  PyObject* const outer_;
};

// What the rules that hold say of an op or function; null: nothing.
PyObject* precision_rule(PyObject* target);

// Arguments with the Tensors of floating point among them, also in tuples and lists, in the dtype of a rule.
std::vector<Object> in_precision(PyObject* rule, std::span<PyObject* const> arguments);

void bind_precision(pybind11::module_& m);

}  // namespace ember::python
