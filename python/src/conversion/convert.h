// Conversions between Python data and tensors: numbers, nested lists, NumPy arrays and whatever has the buffer protocol
// or __array__; DLPack both ways. NumPy is imported only when it is first needed.
#pragma once

#include <optional>
#include <span>

#include "ops/tensor/attr.h"
#include "ops/tensor/value.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {

// dtype objects: one static object a dtype (float32, int64, ...), printed as MindSpore prints them.
extern PyTypeObject DTypeType;
Object dtype_object(ops::DType dtype);
std::optional<ops::DType> dtype_of(PyObject* o);  // a dtype object, a NumPy dtype or type, bool, int, float
std::string attribute_of(ops::DType dtype);       // "float32", "bool_": the name in the module
void add_dtypes(PyObject* module);

// Of Tensor(input_data, dtype, shape, init), and its variable: a copy of a Tensor is the same to a tape.
std::pair<vm::Value, uint64_t> tensor_from_arguments(PyObject* args, PyObject* kwargs);
// Of what is rounded where it is written: floats and complex numbers of Python keep all their bits.
Object exact_tensor_of_data(PyObject* data);
ops::Tensor copy_of_data(PyObject* data, std::optional<ops::DType> dtype = {});  // raises TypeError
Object tensor_of_data(PyObject* data, std::optional<ops::DType> dtype = {});     // also of numbers of a graph
std::optional<ops::Tensor> memory_of_array(PyObject* array);                     // none for what has no counterpart
ops::Tensor copy_of(const ops::Tensor& shared, std::optional<ops::DType> dtype = {});  // with bools of 0 and 1
bool has_only_bools(const ops::Tensor& t);  // bools are 0 or 1, or it has none
ops::Tensor share_buffer(PyObject* array);  // from_numpy: no copy, but of bools of other bytes; foreign for life
Object to_numpy(PyObject* tensor);          // over the same memory, but where shared_by_numpy() says no
bool shared_by_numpy(ops::DType dtype);     // bfloat16 is copied to float32 where ml_dtypes is not installed
Object to_bytes(const ops::Tensor& t);      // of the elements in row-major order
Object item(const ops::Tensor& t);          // of one element, as a Python number
Object to_list(const ops::Tensor& t);
Object shape_tuple(const ops::Shape& shape);
Object number(const ops::Value& scalar);

Object to_dlpack(PyObject* tensor, std::optional<bool> copy, bool versioned);  // versioned: a capsule of DLPack 1
ops::Tensor from_dlpack(PyObject* source, std::optional<bool> copy);           // copy none: only where it must be
std::pair<int, int> pair_of_ints(PyObject* pair, const char* where);

int get_buffer(PyObject* self, Py_buffer* view, int flags);
void release_buffer(PyObject* self, Py_buffer* view);

}  // namespace ember::python
