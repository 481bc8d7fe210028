// Which Python object a Tensor is. Captured code has stand-ins for the arguments, and one Tensor for what a condition,
// a loop or a call has chosen among several; what an op has made is like no other. So whether two are one, and the hash
// by which dicts find them, is known of Tensors from outside and of what ops have made, and refused otherwise.
#include "python/src/capture/capture.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {
namespace {

[[noreturn]] void refuse_identity() {
  raise(capture_error,
        "which object a Tensor is (by `is`, id(), hash(), or as a key of a dict or set) is asked of an argument, or of "
        "what a "
        "condition on a Tensor or a loop has chosen: a graph does not know.");
}

Origin origin(PyObject* tensor) { return as_tensor(tensor)->origin; }

}  // namespace

bool identical(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (origin(a) == Origin::Outside && origin(b) == Origin::Outside) return false;
  const bool chosen = origin(a) == Origin::Chosen || origin(b) == Origin::Chosen;
  if (chosen || (origin(a) != Origin::Made && origin(b) != Origin::Made)) refuse_identity();
  return false;
}

Py_hash_t tensor_hash(PyObject* self) {
  if (origin(self) != Origin::Outside && origin(self) != Origin::Made && current_capture()) {
    guarded([]() -> PyObject* { refuse_identity(); });
    return -1;
  }
  return _Py_HashPointer(self);
}

}  // namespace ember::python
