#include "python/src/conversion/convert.h"

#include <array>
#include <cstring>

#include "ops/program/strided.h"
#include "ops/tensor/bools.h"
#include "python/src/calls/dispatch.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/alignment.h"
#include "python/src/tensor/shared_memory.h"

namespace ember::python {
namespace {

std::optional<ops::DType> dtype_of_format(const char* format, Py_ssize_t itemsize) {
  if (!format) return ops::DType::UInt8;
  if (std::strchr("<=@|>!", *format) && *format) ++format;
  if (format[0] == 'Z' && format[1] == 'f' && itemsize == 8) return ops::DType::Complex64;
  if (format[0] == 'Z' && format[1] == 'd' && itemsize == 16) return ops::DType::Complex128;
  if (format[0] == '\0' || format[1] != '\0') return {};
  switch (format[0]) {
    case '?':
      return ops::DType::Bool;
    case 'e':
      return ops::DType::Float16;
    case 'f':
      return ops::DType::Float32;
    case 'd':
      return ops::DType::Float64;
    default:
      break;
  }
  bool is_signed = std::strchr("bhilq", format[0]), is_unsigned = std::strchr("BHILQ", format[0]);
  if (!is_signed && !is_unsigned) return {};
  int log = itemsize == 1 ? 0 : itemsize == 2 ? 1 : itemsize == 4 ? 2 : itemsize == 8 ? 3 : -1;
  if (log < 0) return {};
  return static_cast<ops::DType>(static_cast<int>(is_signed ? ops::DType::Int8 : ops::DType::UInt8) + log);
}

const char* format_of(ops::DType dtype) {
  static const char* const formats[] = {"?", "b", "h", "i", "q",  "B",  "H", "I", "Q",
                                        "e", "H", "f", "d", "Zf", "Zd", "B", "B", "b"};
  return formats[static_cast<size_t>(dtype)];
}

// Whether the buffer protocol has a format for it.
bool by_buffer(ops::DType dtype) { return dtype != ops::DType::BFloat16 && !is_storage(dtype); }

Object import(const char* name) { return check(PyImport_ImportModule(name)); }

// Nested lists and mixed sequences take NumPy's way.
Object as_array(PyObject* data) {
  Object numpy = import("numpy");
  return check(PyObject_CallMethod(numpy.get(), "asarray", "O", data));
}

// Of what has __array__, which may refuse.
Object array_of(PyObject* data) {
  try {
    return as_array(data);
  } catch (const PythonError&) {
    raise_for(PyExc_RuntimeError, PyExc_TypeError, "For Tensor, the input_data, of", data, "does not become an array");
  }
}

// The dtype of an array of ml_dtypes', which the buffer protocol does not know.
std::optional<ops::DType> extended_dtype(PyObject* array) {
  Object dtype = check(PyObject_GetAttrString(array, "dtype"));
  ops::DType extended;
  const std::string name = text(check(PyObject_GetAttrString(dtype.get(), "name")).get());
  if (ops::parse_dtype(name, &extended) && !by_buffer(extended)) return extended;
  return {};
}

Object in_native_order(PyObject* data) {
  Object array = as_array(data);
  Object dtype = check(PyObject_GetAttrString(array.get(), "dtype"));
  Object native = check(PyObject_CallMethod(dtype.get(), "newbyteorder", "s", "="));
  return check(PyObject_CallMethod(array.get(), "astype", "O", native.get()));
}

ops::Tensor over_buffer(PyObject* array, bool writable);

constexpr const char* kNoCounterpart =
    "the array's dtype has no counterpart; convert it to a number type first, as by astype, or by pandas' "
    "to_numpy(dtype, na_value=...).";

// What the buffer protocol cannot export, by the integers of its bits.
ops::Tensor over_extended(PyObject* data, bool writable) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  Object error[] = {Object::own(type), Object::own(value), Object::own(traceback)};
  const Object array = as_array(data);
  const std::optional<ops::DType> dtype = extended_dtype(array.get());
  if (!dtype) {
    if (!writable && PyErr_GivenExceptionMatches(type, PyExc_ValueError))
      raise(PyExc_TypeError, std::string("Tensor: ") + kNoCounterpart);
    PyErr_Restore(error[0].release(), error[1].release(), error[2].release());
    throw PythonError();
  }
  const Object bits = check(PyObject_CallMethod(array.get(), "view", "s", itemsize(*dtype) == 1 ? "uint8" : "uint16"));
  const ops::Tensor t = over_buffer(bits.get(), writable);
  return t.view(ops::layout(*dtype, t.shape(), t.layout().strides));
}

// Why the elements of a buffer cannot be used where they lie; null if they can.
const char* unusable(const Py_buffer& view, ops::DType dtype) {
  if (view.format && (*view.format == '>' || *view.format == '!') && view.itemsize > 1)
    return "the array's bytes are swapped";
  for (int i = 0; view.strides && i < view.ndim; ++i)
    if (view.shape[i] > 1 && view.strides[i] % view.itemsize != 0)
      return "the array's strides are no multiple of its item size";
  return view.len == 0 || is_aligned(view.buf, dtype) ? nullptr : "the array's elements are not aligned";
}

// A tensor over the buffer of `array`, exported while the storage lives; or, if not `writable`, over a usable copy.
ops::Tensor over_buffer(PyObject* array, bool writable) {
  auto view = std::make_shared<Py_buffer>();
  if (PyObject_GetBuffer(array, view.get(), writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO) < 0)
    return over_extended(array, writable);
  auto fail = [&](const std::string& why) {
    PyBuffer_Release(view.get());
    raise(PyExc_TypeError, "Tensor: " + why);
  };
  std::optional<ops::DType> dtype = dtype_of_format(view->format, view->itemsize);
  if (!dtype) fail(kNoCounterpart);
  if (const char* const why = unusable(*view, *dtype)) {
    if (writable) fail(std::string(why) + ", so its memory cannot be shared; pass a copy, as by astype.");
    PyBuffer_Release(view.get());
    return over_buffer(in_native_order(array).get(), false);
  }
  if (view->ndim > static_cast<int>(ops::kMaxRank)) fail("the array has more than 8 dimensions.");
  ops::Shape shape, strides;
  int64_t low = 0, high = view->itemsize;
  for (int i = 0; i < view->ndim; ++i) shape.push_back(view->shape[i]);
  strides = ops::layout(*dtype, shape)->strides;  // of arrays of ctypes, which do not tell
  for (int i = 0; view->strides && i < view->ndim; ++i)
    strides[static_cast<size_t>(i)] = view->strides[i] / view->itemsize;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t reach = strides[i] * view->itemsize * (shape[i] - 1);
    if (shape[i] > 0) (reach < 0 ? low : high) += reach;
  }
  auto release = [view] { with_gil([&] { PyBuffer_Release(view.get()); }); };
  auto* first = static_cast<std::byte*>(view->buf) + low;
  gc::Ref<gc::Storage> storage = gc::adopt(first, static_cast<size_t>(high - low), release);
  return ops::Tensor(std::move(storage), ops::layout(*dtype, shape, strides), -low);
}

// Whole numbers are int64, from 2**63 on uint64.
ops::Tensor of_int(PyObject* data, std::optional<ops::DType> dtype) {
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(data, &overflow);
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  ops::Tensor t = ops::Tensor::scalar<int64_t>(value);
  if (overflow != 0) {
    const uint64_t large = overflow > 0 ? PyLong_AsUnsignedLongLong(data) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      raise(PyExc_RuntimeError, "For 'Tensor', an int must be in [-2**63, 2**64), but got one of " +
                                    std::to_string(_PyLong_NumBits(data)) + " bits.");
    }
    t = ops::clone(ops::Tensor::scalar<int64_t>(static_cast<int64_t>(large)), ops::DType::UInt64);
  }
  const ops::DType wanted = dtype.value_or(t.dtype());
  return wanted != t.dtype() ? ops::clone(t, wanted) : t;
}

ops::Tensor of_number(PyObject* data, std::optional<ops::DType> dtype) {
  if (PyFloat_Check(data)) {
    double value = PyFloat_AS_DOUBLE(data);
    return ops::Tensor::full(dtype.value_or(ops::DType::Float32), {}, value);
  }
  if (PyComplex_Check(data)) {
    if (dtype && !is_complex(*dtype))
      raise(PyExc_TypeError,
            "For Tensor, a complex number cannot become " + std::string(name(*dtype)) + ": take its real part.");
    const std::complex<double> value(PyComplex_RealAsDouble(data), PyComplex_ImagAsDouble(data));
    return ops::clone(ops::Tensor::scalar(value), dtype.value_or(ops::DType::Complex64));
  }
  if (PyBool_Check(data)) return ops::Tensor::full(dtype.value_or(ops::DType::Bool), {}, data == Py_True);
  return of_int(data, dtype);
}

// NumPy's float64 is a Python float too, but knows its dtype.
bool plain_number(PyObject* o) {
  if (PyFloat_CheckExact(o) || PyLong_Check(o) || PyComplex_CheckExact(o)) return true;
  return PyFloat_Check(o) && !PyObject_HasAttrString(o, "__array__");
}

constexpr const char* kNested = " in nested lists";

bool is_list(PyObject* data) { return PyList_Check(data) || PyTuple_Check(data); }

// Whether something in nested lists is so.
bool any_in(PyObject* data, bool (*so)(PyObject*)) {
  if (!is_list(data)) return so(data);
  const Recursion deeper(kNested);
  Object items = check(PySequence_Fast(data, "a sequence"));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    if (any_in(Object::borrow(PySequence_Fast_GET_ITEM(items.get(), i)).get(), so)) return true;
  return false;
}

// Python floats become float32 and complex numbers complex64, as MindSpore makes them; arrays keep their dtype.
bool holds_floats(PyObject* data) {
  return any_in(data, [](PyObject* o) -> bool { return PyFloat_Check(o) || PyComplex_CheckExact(o); });
}

// What Tensors in lists, with arrays, numbers and others, become together: numbers promote weakly.
struct Elements {
  std::optional<ops::DType> dtype;
  std::optional<ops::Kind> numbers;
  bool complex = false;  // a Python complex number is among them

  void add(PyObject* data) {
    if (is_list(data)) {
      const Recursion deeper(kNested);
      Object items = check(PySequence_Fast(data, "a sequence"));
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
        add(Object::borrow(PySequence_Fast_GET_ITEM(items.get(), i)).get());
    } else if (PyComplex_CheckExact(data)) {
      complex = true;
    } else if (plain_number(data)) {
      const ops::Kind kind = PyBool_Check(data)    ? ops::Kind::Bool
                             : PyFloat_Check(data) ? ops::Kind::Float
                                                   : ops::Kind::Int;
      numbers = std::max(numbers.value_or(kind), kind);
    } else {
      const ops::DType known = is_tensor(data) ? type_of(data).dtype : over_buffer(as_array(data).get(), false).dtype();
      dtype = dtype ? ops::promote(*dtype, known) : known;
    }
  }
};

ops::DType promoted(PyObject* list) {
  Elements elements;
  elements.add(list);
  const ops::DType dtype =
      elements.numbers ? ops::promote(*elements.dtype, ops::scalar_kind(*elements.numbers)) : *elements.dtype;
  return elements.complex ? ops::complex_dtype(dtype) : dtype;
}

// NumPy does not say what it was asked to make of a ragged list.
Object array_of_list(PyObject* list) {
  try {
    return as_array(list);
  } catch (const PythonError&) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) throw;
    PyErr_Clear();
    std::string shown = repr(list);
    if (shown.size() > 200) shown = shown.substr(0, 200) + "...";
    raise(PyExc_TypeError,
          "For Tensor, the input_data is " + shown + ", whose rows differ in length or hold no numbers.");
  }
}

}  // namespace

namespace {

// The Tensor by which a graph takes an array from outside; null if it does not.
PyObject* taken_array(PyObject* data) {
  const Capture* capture = current_capture();
  return capture ? capture->find_array(data) : nullptr;
}

// Whether a graph or a tape follows it: numbers of a graph, Tensors of it or from outside it, arrays that it takes,
// Tensors that are recorded.
bool followed(PyObject* data) {
  const Capture* capture = current_capture();
  return captured(data) || taken_array(data) ||
         (is_tensor(data) && (recorded(data) || (capture && !capture->made_here(data))));
}

// The lists with known elements, zero, of the same types and shapes.
Object known_alike(PyObject* data) {
  if (is_list(data)) {
    const Recursion deeper(kNested);
    Object list = check(PySequence_List(data));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i)
      PyList_SetItem(list.get(), i, known_alike(PyList_GET_ITEM(list.get(), i)).release());
    return list;
  }
  if (is_tensor(data)) return wrap(ops::Tensor::full(type_of(data).dtype, pinned_shape(data), 0));
  if (!is_number(data)) return Object::borrow(data);
  if (as_number(data)->kind == ops::Kind::Float) return check(PyFloat_FromDouble(0));
  return as_number(data)->kind == ops::Kind::Int ? check(PyLong_FromLong(0)) : Object::borrow(Py_False);
}

Object converted(PyObject* tensor, ops::DType dtype) {
  static const ops::Op& cast = ops::op("cast");
  if (type_of(tensor).dtype == dtype) return Object::borrow(tensor);
  return dispatch(cast, std::array{tensor}, ops::make_attrs(cast, {{"dtype", dtype}}));
}

Object array_of_sequence(PyObject* data) {
  Object list = check(PySequence_List(data));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) {
    PyObject* item = PyList_GET_ITEM(list.get(), i);
    if (is_tensor(item)) PyList_SetItem(list.get(), i, to_numpy(item).release());
  }
  return array_of_list(list.get());
}

// Stacked by ops, for a graph or a tape to follow.
Object stacked(PyObject* data, ops::DType dtype) {
  static const ops::Op& stack = ops::op("stack");
  if (is_list(data) && PySequence_Size(data) != 0) {
    const Recursion deeper(kNested);
    Object list = check(PySequence_List(data));
    std::vector<Object> rows;
    std::vector<PyObject*> operands;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) {
      rows.push_back(stacked(PyList_GET_ITEM(list.get(), i), dtype));
      operands.push_back(rows.back().get());
    }
    return dispatch(stack, operands, ops::make_attrs(stack, {{"axis", int64_t{0}}}));
  }
  if (is_tensor(data)) return converted(data, dtype);
  if (PyObject* array = taken_array(data)) {
    static const ops::Op& identity = ops::op("identity");
    return converted(dispatch(identity, {array}).get(), dtype);
  }
  if (!is_number(data)) return wrap(copy_of_data(data, dtype));
  return current_capture()->convert(data, ops::Type::tensor(dtype, {}));
}

}  // namespace

ops::Tensor copy_of(const ops::Tensor& shared, std::optional<ops::DType> dtype) {
  if (shared.dtype() != ops::DType::Bool) return ops::clone(shared, dtype.value_or(shared.dtype()));
  const ops::Tensor copy = ops::clone(shared);
  ops::make_bools(copy);
  return dtype.value_or(ops::DType::Bool) == ops::DType::Bool ? copy : ops::clone(copy, *dtype);
}

bool has_only_bools(const ops::Tensor& t) {
  return t.dtype() != ops::DType::Bool || ops::only_bools(t.contiguous() ? t : ops::clone(t));
}

// In two steps where a dtype is asked for, as an array of the data has one of its own.
Object tensor_of_data(PyObject* data, std::optional<ops::DType> dtype) {
  if (!any_in(data, followed)) return wrap(copy_of_data(data, dtype));
  const Object alike = known_alike(data);
  if (!dtype || !is_list(data)) return stacked(data, dtype ? *dtype : copy_of_data(alike.get()).dtype());
  const Object array = array_of_sequence(alike.get());
  return converted(stacked(data, over_buffer(array.get(), false).dtype()).get(), *dtype);
}

Object exact_tensor_of_data(PyObject* data) {
  if (PyFloat_CheckExact(data)) return wrap(ops::Tensor::scalar(PyFloat_AS_DOUBLE(data)));
  if (!is_list(data) && !plain_number(data)) return tensor_of_data(data);
  const Object known = any_in(data, followed) ? known_alike(data) : Object::borrow(data);
  if (!holds_floats(known.get())) return tensor_of_data(data);
  switch (copy_of_data(known.get()).dtype()) {
    case ops::DType::Float32:
      return tensor_of_data(data, ops::DType::Float64);
    case ops::DType::Complex64:
      return tensor_of_data(data, ops::DType::Complex128);
    default:
      return tensor_of_data(data);
  }
}

ops::Tensor copy_of_data(PyObject* data, std::optional<ops::DType> dtype) {
  if (is_tensor(data)) {
    const ops::Tensor& t = real(data, "Tensor(...)");
    return ops::clone(t, dtype.value_or(t.dtype()));
  }
  if (plain_number(data)) return of_number(data, dtype);
  bool sequence = PyList_Check(data) || PyTuple_Check(data);
  if (sequence) {
    Object array = array_of_sequence(data);
    ops::Tensor shared = over_buffer(array.get(), false);
    ops::DType natural = shared.dtype();
    if (any_in(data, is_tensor))
      natural = promoted(data);
    else if (natural == ops::DType::Float64 && (holds_floats(data) || shared.numel() == 0))
      natural = ops::DType::Float32;
    else if (natural == ops::DType::Complex128 && holds_floats(data))
      natural = ops::DType::Complex64;
    return ops::clone(shared, dtype.value_or(natural));
  }
  if (!PyObject_CheckBuffer(data)) {
    if (!PyObject_HasAttrString(data, "__array__"))
      raise(PyExc_TypeError,
            "For Tensor, the input_data must be a Tensor, number, list, tuple or numpy.ndarray, but got " +
                std::string(Py_TYPE(data)->tp_name) + "." +
                (PyObject_HasAttrString(data, "toarray")
                     ? " Take toarray() of a sparse matrix, or make a CSRTensor or COOTensor of its parts."
                     : ""));
    if (current_capture()) raise(capture_error, "__array__ gives elements that nothing guards: call it outside.");
    Object array = array_of(data);
    return copy_of(over_buffer(array.get(), false), dtype);
  }
  return copy_of(over_buffer(data, false), dtype);
}

std::optional<ops::Tensor> memory_of_array(PyObject* array) {
  try {
    return over_buffer(array, false);
  } catch (const PythonError&) {
    PyErr_Clear();
    return {};
  }
}

ops::Tensor share_buffer(PyObject* array) {
  if (!PyObject_CheckBuffer(array) || is_tensor(array))
    raise(PyExc_TypeError, "For 'from_numpy', the argument must be a numpy.ndarray, but got " +
                               std::string(Py_TYPE(array)->tp_name) + ".");
  ops::Tensor shared = over_buffer(array, true);
  return has_only_bools(shared) ? shared : copy_of(shared);
}

namespace {

// The sizes of a shape of which all are known.
std::optional<ops::Shape> known_sizes(PyObject* shape) {
  if (shape == Py_None) return {};
  ops::Shape sizes;
  Object list = check(PyLong_Check(shape) ? Py_BuildValue("(O)", shape) : PySequence_Tuple(shape));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list.get()); ++i) {
    PyObject* size = PyTuple_GET_ITEM(list.get(), i);
    if (!PyIndex_Check(size)) return {};
    sizes.push_back(PyLong_AsLongLong(check(PyNumber_Index(size)).get()));
    if (PyErr_Occurred()) throw PythonError();
    if (sizes.back() < 0) return {};
  }
  return sizes;
}

ops::Tensor filled(ops::DType dtype, const ops::Shape& sizes, PyObject* init) {
  if (PyFloat_Check(init) || PyLong_Check(init)) {
    const double number = PyFloat_AsDouble(init);
    if (PyErr_Occurred()) throw PythonError();
    return ops::Tensor::full(dtype, sizes, number);
  }
  if (init == Py_None) return ops::Tensor::full(dtype, sizes, 0);
  Object tensor = wrap(ops::Tensor::full(dtype, sizes, 0));
  check(PyObject_CallFunctionObjArgs(init, tensor.get(), nullptr));
  return real(tensor.get(), "Tensor(init=...)");
}

}  // namespace

std::pair<vm::Value, uint64_t> tensor_from_arguments(PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"input_data", "dtype", "shape", "init", "const_arg", "device", "internal", nullptr};
  PyObject *data = Py_None, *dtype = Py_None, *shape = Py_None, *init = Py_None, *constant = nullptr;
  PyObject *device = nullptr, *internal = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOOOOO:Tensor", const_cast<char**>(names), &data, &dtype, &shape,
                                   &init, &constant, &device, &internal))
    throw PythonError();
  take_options("Tensor", names + 4, std::array{constant, device, internal});
  std::optional<ops::DType> wanted;
  if (dtype != Py_None) {
    wanted = dtype_of(dtype);
    if (!wanted) raise(PyExc_TypeError, "For Tensor, the dtype must be a dtype, but got " + repr(dtype) + ".");
  }
  if (data == Py_None) {
    if (shape == Py_None && !wanted) raise(PyExc_TypeError, "For Tensor, input_data and shape can't both be None.");
    const std::optional<ops::Shape> sizes = known_sizes(shape);
    return {sizes ? filled(wanted.value_or(ops::DType::Float32), *sizes, init) : unknown(), 0};
  }
  if (!is_tensor(data)) {
    const Object tensor = tensor_of_data(data, wanted);
    return {as_tensor(tensor.get())->value, as_tensor(tensor.get())->variable};
  }
  static const ops::Op& identity = ops::op("identity");
  Object source = wanted ? converted(data, *wanted) : Object::borrow(data);
  if (current_capture() && !captured(source.get()) && followed(source.get()))
    source = dispatch(identity, {source.get()});
  const PyTensor* t = as_tensor(source.get());
  if (t->value.pending() && !is_unknown(t->value)) return {t->value, 0};
  return {copy_of_data(source.get()), t->variable};
}

namespace {

// ml_dtypes' dtype, or null where that package is not installed; looked for once.
PyObject* extended_numpy_dtype(ops::DType dtype) {
  static PyObject* dtypes[ops::kDTypes];
  static bool looked[ops::kDTypes];
  const auto at = static_cast<size_t>(dtype);
  if (looked[at]) return dtypes[at];
  Object module = Object::own(PyImport_ImportModule("ml_dtypes"));
  Object named = Object::own(module ? PyObject_GetAttrString(module.get(), attribute_of(dtype).c_str()) : nullptr);
  PyErr_Clear();
  if (!dtypes[at]) dtypes[at] = named.release();
  looked[at] = true;
  return dtypes[at];
}

}  // namespace

bool shared_by_numpy(ops::DType dtype) { return by_buffer(dtype) || extended_numpy_dtype(dtype); }

Object to_numpy(PyObject* tensor) {
  const ops::Tensor& t = real(tensor, "asnumpy");
  if (repeats_elements(t.layout())) return to_numpy(wrap(ops::to_contiguous(t)).get());
  if (by_buffer(t.dtype())) return as_array(recorded(tensor) ? wrap(t).get() : tensor);
  PyObject* const dtype = extended_numpy_dtype(t.dtype());
  if (!dtype) return as_array(wrap(ops::clone(t, compute_dtype(t.dtype()))).get());
  const ops::DType bits = itemsize(t.dtype()) == 1 ? ops::DType::UInt8 : ops::DType::UInt16;
  Object integers = wrap(t.view(ops::layout(bits, t.shape(), t.layout().strides)));
  return check(PyObject_CallMethod(as_array(integers.get()).get(), "view", "O", dtype));
}

Object to_bytes(const ops::Tensor& t) {
  const ops::Tensor dense = ops::to_contiguous(t);
  return check(PyBytes_FromStringAndSize(dense.data_as<char>(), static_cast<Py_ssize_t>(dense.layout().bytes())));
}

// The view's `internal` holds shape, strides and a reference on the storage.
struct Exported {
  gc::Ref<gc::Storage> storage;
  Py_ssize_t shape[ops::kMaxRank];
  Py_ssize_t strides[ops::kMaxRank];
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  return guarded_int([&] {
    refuse_recorded(self, PyExc_BufferError);
    const ops::Tensor& t = real(self, "the buffer protocol");
    if ((flags & PyBUF_FORMAT) && !by_buffer(t.dtype()))
      raise(PyExc_BufferError,
            "the buffer protocol has no " + attribute_of(t.dtype()) + ": use asnumpy() or get_bytes()");
    bool wants_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    if (!wants_strides && !t.contiguous()) raise(PyExc_BufferError, "the Tensor is not contiguous");
    auto exported = std::make_unique<Exported>();
    exported->storage = t.storage();
    for (size_t i = 0; i < t.rank(); ++i) {
      exported->shape[i] = t.shape()[i];
      exported->strides[i] = t.layout().strides[i] * static_cast<Py_ssize_t>(itemsize(t.dtype()));
    }
    t.storage()->share();
    view->buf = t.data();
    view->obj = Py_NewRef(self);
    view->len = static_cast<Py_ssize_t>(t.layout().bytes());
    view->itemsize = static_cast<Py_ssize_t>(itemsize(t.dtype()));
    view->readonly = 0;
    view->ndim = static_cast<int>(t.rank());
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format_of(t.dtype())) : nullptr;
    view->shape = flags & PyBUF_ND ? exported->shape : nullptr;
    view->strides = wants_strides ? exported->strides : nullptr;
    view->suboffsets = nullptr;
    view->internal = exported.release();
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* view) {
  std::unique_ptr<Exported> exported(static_cast<Exported*>(view->internal));
  exported->storage->unshare();
}

}  // namespace ember::python
