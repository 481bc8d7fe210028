// Tensors that share memory: an op's result that is a view is in one ring with what it views, until either ends. A
// write goes to all of a ring. Where the memory itself may not be written, since others hold it (saved tensors of a
// tape, a gradient that is also somebody else's value), the whole ring moves to memory of its own first; while a tape
// records, the gradients of all others in the ring then flow through what was written.
//
// A Parameter is one variable to a tape, to which no write is a way: its gradient is that of all that reads it, before
// a write or after, and none flows to what has been written, which is how MindSpore has it and what graphs do
// (bytecode/transforms/differentiate.h). After a write its views are views of it again, but for the one that was
// written.
#pragma once

#include <span>

#include "python/src/tensor/tensor.h"

namespace ember::python {

inline bool shares_memory(PyObject* tensor) { return as_tensor(tensor)->next != nullptr; }
void leave_ring(PyTensor* tensor);

// Whether Tensors may have elements in common, if they have any in common with others.
bool has_aliases(PyObject* tensor);
bool may_alias(PyObject* a, PyObject* b);

void join(PyTensor* a, PyTensor* b);  // puts b in the ring of a

// Puts a result in the ring of the operands whose memory it has.
void join_rings(std::span<PyObject* const> operands, PyObject* result);

// Whether elements stand at several indices, as broadcast_to leaves them.
bool repeats_elements(const ops::Layout& layout);

// To be said before the elements of a Tensor are written in place. Not while a tape records.
void prepare_write(PyObject* tensor);

// Gives a Tensor, and those that share its memory, a copy of it. Returns what it was.
ops::Tensor give_own_storage(PyObject* tensor);

// To be said before an op or a graph assigns a Parameter; `saved`: tape_saves_tensors().
inline void prepare_assign(PyObject* parameter, bool saved) {
  if (saved || repeats_elements(real(parameter, "assign").layout())) give_own_storage(parameter);
}

// A recorded write: the Tensor gets new elements, of the given variable unless it is a Parameter.
void replace_elements(PyObject* tensor, const ops::Tensor& elements, uint64_t variable);
// The same where the elements have been written, after give_own_storage() returned `before`.
void track_written(PyObject* tensor, const ops::Tensor& before, uint64_t variable);

}  // namespace ember::python
