// Writing the elements of a Tensor in place: at once, or, where gradients are recorded or a graph is captured, by
// giving it another value. x.add_(y) runs an elementwise op into the Tensor's own memory; what else gives its elements
// is copied.
#pragma once

#include <span>

#include "ops/table/op.h"
#include "python/src/conversion/object.h"

namespace ember::python {

bool writes_at_once();  // no graph is captured, no gradient recorded

void overwrite(const ops::Tensor& target, const ops::Tensor& elements);  // at once

// Gives a Tensor the elements of another of its type, where writes are not at once.
void replace_written(PyObject* tensor, PyObject* updated);

// Writes a result, which broadcasts to the Tensor and whose dtype converts to the Tensor's without loss of its kind.
void write_result(PyObject* tensor, PyObject* result);

// Runs an op, with its arguments by position, into the Tensor; false, with nothing done, where that cannot be.
bool run_in_place(const ops::Op& op, std::span<PyObject* const> arguments, PyObject* tensor);

}  // namespace ember::python
