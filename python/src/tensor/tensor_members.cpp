// Properties and methods of Tensor and Parameter that are not ops; emberjit/tensors/methods.py adds those that are.
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"
#include "python/src/tensor/shared_memory.h"
#include "python/src/tensor/tensor_docs.h"

namespace ember::python {

ops::Shape pinned_shape(PyObject* tensor) {
  ops::Shape shape;
  for (ops::Dim d : type_of(tensor).dims) shape.push_back(ops::pinned(d));
  return shape;
}

void refuse_recorded(PyObject* tensor, PyObject* error) {
  if (recorded(tensor))
    raise(error,
          "a Tensor that gradients are recorded of would become an array, through which no gradient flows: use ops; if "
          "none is to flow, stop_gradient(x) or asnumpy().");
}

namespace {

Object number_of(ops::Dim dim) {
  Capture* capture = dim.symbolic() ? current_capture() : nullptr;
  return capture ? capture->number_of(dim.expr) : check(PyLong_FromLongLong(dim.hint()));
}

PyObject* get_shape(PyObject* self, void*) {
  return guarded([&] {
    const ops::Dims dims = type_of(self).dims;
    Object shape = check(PyTuple_New(static_cast<Py_ssize_t>(dims.size())));
    for (size_t i = 0; i < dims.size(); ++i)
      PyTuple_SET_ITEM(shape.get(), static_cast<Py_ssize_t>(i), number_of(dims[i]).release());
    return shape.release();
  });
}
PyObject* get_dtype(PyObject* self, void*) {
  return guarded([&] { return dtype_object(type_of(self).dtype).release(); });
}
PyObject* get_ndim(PyObject* self, void*) {
  return guarded([&] { return PyLong_FromSize_t(type_of(self).dims.size()); });
}
ops::Dim count(PyObject* self) {
  ops::Dim n = 1;
  for (ops::Dim d : type_of(self).dims) n = n * d;
  return n;
}
PyObject* get_size(PyObject* self, void*) {
  return guarded([&] { return number_of(count(self)).release(); });
}
PyObject* get_itemsize(PyObject* self, void*) {
  return guarded([&] { return PyLong_FromSize_t(itemsize(type_of(self).dtype)); });
}
PyObject* get_nbytes(PyObject* self, void*) {
  return guarded(
      [&] { return number_of(count(self) * ops::Dim(static_cast<int64_t>(itemsize(type_of(self).dtype)))).release(); });
}
PyObject* get_strides(PyObject* self, void*) {
  return guarded([&] {
    const ops::Tensor& t = real(self, "strides");
    ops::Shape bytes;
    for (int64_t s : t.layout().strides) bytes.push_back(s * static_cast<int64_t>(itemsize(t.dtype())));
    return shape_tuple(bytes).release();
  });
}
PyObject* get_transposed(PyObject* self, void*) {
  static const ops::Op& op = ops::op("transpose");
  return guarded([&] {
    ops::Ints permutation;
    for (size_t i = type_of(self).dims.size(); i-- > 0;) permutation.push_back(static_cast<int64_t>(i));
    return dispatch(op, std::span<PyObject* const>(&self, 1), ops::make_attrs(op, {{"dims", permutation}})).release();
  });
}
PyObject* get_captured(PyObject* self, void*) { return PyBool_FromLong(as_tensor(self)->value.pending()); }

PyObject* asnumpy(PyObject* self, PyObject*) {
  return guarded([&] { return to_numpy(self).release(); });
}
PyObject* array(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"dtype", "copy", nullptr};
  return guarded([&] {
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:__array__", const_cast<char**>(names), &dtype, &copy))
      throw PythonError();
    refuse_recorded(self, PyExc_TypeError);
    const bool repeated = repeats_elements(real(self, "__array__").layout());
    const bool shared = !repeated && shared_by_numpy(type_of(self).dtype);
    if (copy == Py_False && !shared)
      raise(PyExc_ValueError, repeated ? "elements stand at several indices, so an array of them is a copy"
                                       : "a Tensor of bfloat16 becomes an array of float32 only by a copy");
    Object array = to_numpy(self);
    Object numpy = check(PyImport_ImportModule("numpy"));
    if (copy == Py_None || (copy == Py_True && !shared && dtype == Py_None))
      return check(PyObject_CallMethod(numpy.get(), "asarray", "OO", array.get(), dtype)).release();
    Object function = check(PyObject_GetAttrString(numpy.get(), "array"));
    Object operands = check(Py_BuildValue("(O)", array.get())),
           options = check(Py_BuildValue("{s:O,s:O}", "dtype", dtype, "copy", copy));
    return check(PyObject_Call(function.get(), operands.get(), options.get())).release();
  });
}
PyObject* get_bytes(PyObject* self, PyObject*) {
  return guarded([&] { return to_bytes(real(self, "get_bytes")).release(); });
}
PyObject* to_complex(PyObject* self, PyObject*) {
  return guarded([&] {
    const Object number = item(real(self, "complex()"));
    return check(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyComplex_Type), number.get(), nullptr))
        .release();
  });
}

PyObject* item_method(PyObject* self, PyObject* args) {
  return guarded([&] {
    PyObject* index = nullptr;
    if (!PyArg_ParseTuple(args, "|O", &index)) throw PythonError();
    if (!index) return item(real(self, "item")).release();
    Object element = check(PyObject_GetItem(self, index));
    return item(real(element.get(), "item")).release();
  });
}
PyObject* tolist(PyObject* self, PyObject*) {
  return guarded([&] { return to_list(real(self, "tolist")).release(); });
}
PyObject* is_contiguous(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(real(self, "is_contiguous").contiguous()); });
}
PyObject* contiguous(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    static const ops::Op& copied = ops::op("identity");
    const bool dense =
        captured(self) ? !current_capture()->view_of(self).reordered : real(self, "contiguous").contiguous();
    return dense ? Py_NewRef(self) : dispatch(copied, {self}).release();
  });
}
PyObject* storage_offset(PyObject* self, PyObject*) {
  return guarded([&] {
    const ops::Tensor& t = real(self, "storage_offset");
    return PyLong_FromLongLong(t.offset() / static_cast<int64_t>(itemsize(t.dtype())));
  });
}

PyObject* data_ptr(PyObject* self, PyObject*) {
  return guarded([&] {
    const auto& tensor = real(self, "data_ptr");
    tensor.storage()->share();  // for life: whoever has the address may write there
    return PyLong_FromVoidPtr(tensor.data());
  });
}
PyObject* dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
  return guarded([&] {
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$OOO:__dlpack__", const_cast<char**>(names), &stream, &version,
                                     &device, &copy))
      throw PythonError();
    if (stream != Py_None) raise(PyExc_BufferError, "__dlpack__: the CPU has no streams, so stream must be None");
    if (device != Py_None && pair_of_ints(device, "__dlpack__: dl_device") != std::pair(1, 0))
      raise(PyExc_BufferError, "__dlpack__: the data is in the memory of the CPU, device (1, 0)");
    const bool versioned = version != Py_None && pair_of_ints(version, "__dlpack__: max_version").first >= 1;
    refuse_recorded(self, PyExc_BufferError);
    std::optional<bool> copied;
    if (copy != Py_None) {
      const int truth = PyObject_IsTrue(copy);
      check(truth);
      copied = truth != 0;
    }
    return to_dlpack(self, copied, versioned).release();
  });
}
PyObject* dlpack_device(PyObject*, PyObject*) { return Py_BuildValue("(ii)", 1, 0); }

Py_ssize_t tensor_length(PyObject* self) {
  Py_ssize_t n = -1;
  guarded_int([&] {
    const ops::Dims dims = type_of(self).dims;
    if (dims.empty()) raise(PyExc_TypeError, "len() of a 0-d tensor");
    n = ops::pinned(dims[0]);
    return 0;
  });
  return n;
}

// Replaces what the Tensor holds; for functional updates of x[i] = v and for set_data.
PyObject* assign_from(PyObject* self, PyObject* other) {
  return guarded([&] {
    if (!is_tensor(other)) raise(PyExc_TypeError, "expected a Tensor, but got " + repr(other));
    for (PyObject* tensor : {self, other})
      if (is_unknown(as_tensor(tensor)->value)) real(tensor, "a write");
    as_tensor(self)->value = as_tensor(other)->value;
    if (!is_parameter(self)) as_tensor(self)->variable = as_tensor(other)->variable;
    return Py_NewRef(self);
  });
}

PyObject* get_name(PyObject* self, void*) { return Py_NewRef(as_parameter(self)->name); }
int set_name(PyObject* self, PyObject* value, void*) {
  if (!value || !PyUnicode_Check(value)) {
    PyErr_SetString(PyExc_ValueError, "For 'Parameter', the 'name' must be a str.");
    return -1;
  }
  Py_SETREF(as_parameter(self)->name, Py_NewRef(value));
  return 0;
}
PyObject* get_requires_grad(PyObject* self, void*) { return PyBool_FromLong(as_parameter(self)->requires_grad); }
int set_requires_grad(PyObject* self, PyObject* value, void*) {
  int truth = value ? PyObject_IsTrue(value) : -1;
  if (truth < 0) return -1;
  as_parameter(self)->requires_grad = truth != 0;
  return 0;
}

}  // namespace

Py_ssize_t tensor_length_slot(PyObject* self) { return tensor_length(self); }

PyMethodDef tensor_methods[] = {{"asnumpy", asnumpy, METH_NOARGS, docs::kAsNumpy},
                                {"numpy", asnumpy, METH_NOARGS, docs::kNumpy},
                                {"__array__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(array)),
                                 METH_VARARGS | METH_KEYWORDS, nullptr},
                                {"get_bytes", get_bytes, METH_NOARGS, docs::kGetBytes},
                                {"item", item_method, METH_VARARGS, docs::kItem},
                                {"__complex__", to_complex, METH_NOARGS, nullptr},
                                {"tolist", tolist, METH_NOARGS, docs::kToList},
                                {"is_contiguous", is_contiguous, METH_NOARGS, docs::kIsContiguous},
                                {"contiguous", contiguous, METH_NOARGS, docs::kContiguous},
                                {"storage_offset", storage_offset, METH_NOARGS, docs::kStorageOffset},
                                {"data_ptr", data_ptr, METH_NOARGS, docs::kDataPtr},
                                {"_replace", assign_from, METH_O, nullptr},
                                {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(dlpack)),
                                 METH_VARARGS | METH_KEYWORDS, nullptr},
                                {"__dlpack_device__", dlpack_device, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

PyGetSetDef tensor_getset[] = {{"shape", get_shape, nullptr, docs::kShape, nullptr},
                               {"dtype", get_dtype, nullptr, docs::kDType, nullptr},
                               {"ndim", get_ndim, nullptr, docs::kNDim, nullptr},
                               {"size", get_size, nullptr, docs::kSize, nullptr},
                               {"itemsize", get_itemsize, nullptr, docs::kItemSize, nullptr},
                               {"nbytes", get_nbytes, nullptr, docs::kNBytes, nullptr},
                               {"strides", get_strides, nullptr, docs::kStrides, nullptr},
                               {"T", get_transposed, nullptr, docs::kT, nullptr},
                               {"_captured", get_captured, nullptr, nullptr, nullptr},
                               {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyGetSetDef parameter_getset[] = {
    {"name", get_name, set_name, "The name in checkpoints.", nullptr},
    {"requires_grad", get_requires_grad, set_requires_grad, "Whether optimizers train it.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace ember::python
