// Elements, scalars and shapes as numbers of Python, alone, in lists and in tuples.
#include <cstring>

#include "ops/tensor/convert.h"
#include "python/src/conversion/convert.h"

namespace ember::python {

Object number(const ops::Value& scalar) {
  if (const bool* b = std::get_if<bool>(&scalar)) return Object::borrow(*b ? Py_True : Py_False);
  if (const int64_t* i = std::get_if<int64_t>(&scalar)) return check(PyLong_FromLongLong(*i));
  return check(PyFloat_FromDouble(std::get<double>(scalar)));
}

namespace {

template <class T>
Object element(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  if constexpr (std::is_same_v<T, bool>) return Object::borrow(value ? Py_True : Py_False);
  if constexpr (std::is_same_v<T, ops::Int4>)
    return check(PyLong_FromLong(value.value));
  else if constexpr (ops::is_half<T> || ops::is_float8<T>)
    return check(PyFloat_FromDouble(static_cast<float>(value)));
  else if constexpr (ops::is_complex_type<T>)
    return check(PyComplex_FromDoubles(value.real(), value.imag()));
  else if constexpr (std::is_floating_point_v<T>)
    return check(PyFloat_FromDouble(value));
  else if constexpr (std::is_signed_v<T>)
    return check(PyLong_FromLongLong(value));
  else
    return check(PyLong_FromUnsignedLongLong(value));
}

Object list_of(const ops::Tensor& t, size_t axis, const std::byte* data) {
  if (axis == t.rank()) return ops::dispatch_any(t.dtype(), [&]<class T>() { return element<T>(data); });
  Object list = check(PyList_New(t.shape()[axis]));
  int64_t step = t.layout().strides[axis] * static_cast<int64_t>(itemsize(t.dtype()));
  for (int64_t i = 0; i < t.shape()[axis]; ++i)
    PyList_SET_ITEM(list.get(), i, list_of(t, axis + 1, data + i * step).release());
  return list;
}

}  // namespace

Object item(const ops::Tensor& t) {
  if (t.numel() != 1)
    raise(PyExc_ValueError, "only a Tensor of one element can be converted to a Python number, but its shape is " +
                                to_string(t.shape()) + ".");
  return ops::dispatch_any(t.dtype(), [&]<class T>() { return element<T>(t.data()); });
}

Object to_list(const ops::Tensor& t) { return list_of(t, 0, t.data_as<std::byte>()); }

Object shape_tuple(const ops::Shape& shape) {
  Object tuple = check(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (size_t i = 0; i < shape.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), check(PyLong_FromLongLong(shape[i])).release());
  return tuple;
}

}  // namespace ember::python
