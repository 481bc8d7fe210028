// Tensor and Parameter as Python types. A Tensor is a vm::Value, the id of its tape variable and nothing else;
// Parameter adds a name, requires_grad and a dict for whatever users hang on it. Tensors made by ops come from a free
// list. The garbage collector looks at a plain Tensor only once it has hooks, which may refer to it.
#pragma once

#include <span>

#include "python/src/conversion/object.h"
#include "vm/state/value.h"

namespace ember::python {

// What captured code knows a Tensor to be: an object from outside, what stands for an argument, what an op has made, or
// what may be one of several.
enum class Origin : uint8_t { Outside, Input, Made, Chosen };

struct PyTensor {
  PyObject_HEAD vm::Value value;
  uint64_t variable;  // of the tape that recorded it; 0: none
  uint64_t born;      // number of the level of a capture during which it was made eagerly; 0: none
  Origin origin;
  PyObject* weakrefs;
  PyObject* hooks;            // of its gradient, called by what differentiates; null: none
  PyTensor *next, *previous;  // of those that share its memory (shared_memory.h); null: none
};

struct PyParameter {
  PyTensor base;
  PyObject* name;
  PyObject* dict;
  bool requires_grad;
};

extern PyTypeObject TensorType;
extern PyTypeObject ParameterType;

inline bool is_tensor(PyObject* o) { return Py_TYPE(o) == &TensorType || PyObject_TypeCheck(o, &TensorType); }
inline bool is_parameter(PyObject* o) { return Py_TYPE(o) == &ParameterType || PyObject_TypeCheck(o, &ParameterType); }
inline PyTensor* as_tensor(PyObject* o) { return reinterpret_cast<PyTensor*>(o); }
inline PyParameter* as_parameter(PyObject* o) { return reinterpret_cast<PyParameter*>(o); }

// Whether two Tensors are one object, and the hash; captured code is refused what it cannot know (tensor_identity.cpp).
bool identical(PyObject* a, PyObject* b);
Py_hash_t tensor_hash(PyObject* self);

Object wrap(vm::Value value, uint64_t variable = 0);

// What MindSpore's options of a constructor do here: emberjit.options.take with those that are given, the values not
// null.
void take_options(const char* interface, const char* const* names, std::span<PyObject* const> values);

// What a Tensor of unknown shape holds, which only describes arguments: whoever asks it for more has made a mistake.
vm::Value unknown();
bool is_unknown(const vm::Value& value);

// The real tensor; raises for one that a capture is still building or whose shape is unknown, naming what was asked of
// it.
const ops::Tensor& real(PyObject* tensor, const char* wanted);
ops::Type type_of(PyObject* tensor);  // without forcing
bool has_hooks(PyObject* tensor);
void hold_hooks(PyObject* tensor, PyObject* hooks);
ops::Shape pinned_shape(PyObject* tensor);  // inside a capture: guards that the shape stays

// A Tensor that gradients are recorded of becomes an array by asnumpy() alone: there the user knows that none flows.
void refuse_recorded(PyObject* tensor, PyObject* error);

// Number slots (tensor_number.cpp), members and methods (tensor_members.cpp), indexing (tensor_index.cpp).
extern PyNumberMethods tensor_number_methods;
extern PyMappingMethods tensor_mapping_methods;
extern PySequenceMethods tensor_sequence_methods;
extern PyBufferProcs tensor_buffer_procs;
extern PyMethodDef tensor_methods[];
extern PyGetSetDef tensor_getset[];
extern PyGetSetDef parameter_getset[];
PyObject* tensor_compare(PyObject* a, PyObject* b, int comparison);
Py_ssize_t tensor_length_slot(PyObject* self);

void add_tensor_types(PyObject* module);

}  // namespace ember::python
