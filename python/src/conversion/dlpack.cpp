// DLPack (https://dmlc.github.io/dlpack): tensors to and from other libraries without copying. A Tensor may be written,
// so what comes read-only is copied, as are bools of other bytes than 0 and 1; where no copy is allowed it is refused.
#include <algorithm>
#include <cstring>
#include <functional>

#include "ops/program/strided.h"
#include "python/src/conversion/alignment.h"
#include "python/src/conversion/convert.h"

namespace ember::python {
namespace {

struct DLDevice {
  int32_t type, id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
// Of DLPack before 1.0, which cannot tell that memory is read-only.
struct Unversioned {
  static constexpr const char *kName = "dltensor", *kTaken = "used_dltensor";
  DLTensor tensor;
  void* context;
  void (*deleter)(Unversioned*);
};
struct Versioned {
  static constexpr const char *kName = "dltensor_versioned", *kTaken = "used_dltensor_versioned";
  uint32_t major, minor;
  void* context;
  void (*deleter)(Versioned*);
  uint64_t flags;
  DLTensor tensor;
};

constexpr uint32_t kMajor = 1, kMinor = 1;
constexpr uint64_t kReadOnly = 1, kIsCopied = 2;
constexpr int32_t kCpu = 1;
enum Code : uint8_t {
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12,
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6
};

DLDataType dl_type(ops::DType d) {
  auto bits = static_cast<uint8_t>(itemsize(d) * 8);
  if (d == ops::DType::Bool) return {kBool, 8, 1};
  if (d == ops::DType::BFloat16) return {kBfloat, bits, 1};
  if (d == ops::DType::Float8E4M3FN) return {kFloat8E4M3FN, bits, 1};
  if (d == ops::DType::Float8E5M2) return {kFloat8E5M2, bits, 1};
  if (d == ops::DType::Int4) return {kInt, 4, 1};
  if (is_complex(d)) return {kComplex, bits, 1};
  if (is_float(d)) return {kFloat, bits, 1};
  return {ops::is_signed_int(d) ? kInt : kUInt, bits, 1};
}

std::optional<ops::DType> dtype_of_dl(DLDataType t) {
  if (t.lanes != 1) return {};
  for (size_t i = 0; i < ops::kDTypes; ++i) {
    auto d = static_cast<ops::DType>(i);
    DLDataType known = dl_type(d);
    if (d != ops::DType::Int4 && known.code == t.code && known.bits == t.bits) return d;
  }
  return {};
}

template <class Managed>
struct Exported {
  Managed managed{};
  gc::Ref<gc::Storage> storage;
  int64_t shape[ops::kMaxRank];
  int64_t strides[ops::kMaxRank];
};

template <class Managed>
void release_exported(Managed* managed) {
  auto* exported = static_cast<Exported<Managed>*>(managed->context);
  exported->storage->unshare();
  delete exported;
}

template <class Managed>
void capsule_destructor(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, Managed::kName)) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, Managed::kName));
  if (managed->deleter) managed->deleter(managed);
}

template <class Managed>
Object capsule_over(const ops::Tensor& t, bool copied) {
  auto* exported = new Exported<Managed>();
  exported->storage = t.storage();
  t.storage()->share();
  for (size_t i = 0; i < t.rank(); ++i) {
    exported->shape[i] = t.shape()[i];
    exported->strides[i] = t.layout().strides[i];
  }
  Managed& managed = exported->managed;
  managed.tensor = {t.data(),          {kCpu, 0}, static_cast<int32_t>(t.rank()), dl_type(t.dtype()), exported->shape,
                    exported->strides, 0};
  managed.context = exported;
  managed.deleter = release_exported<Managed>;
  if constexpr (std::is_same_v<Managed, Versioned>) {
    managed.major = kMajor;
    managed.minor = kMinor;
    managed.flags = copied ? kIsCopied : 0;
  }
  PyObject* capsule = PyCapsule_New(&managed, Managed::kName, capsule_destructor<Managed>);
  if (!capsule) release_exported(&managed);
  return check(capsule);
}

}  // namespace

std::pair<int, int> pair_of_ints(PyObject* pair, const char* where) {
  int first = 0, second = 0;
  if (PyTuple_Check(pair) && PyArg_ParseTuple(pair, "ii", &first, &second)) return {first, second};
  PyErr_Clear();
  raise(PyExc_TypeError, std::string(where) + " must be a pair of ints, but is " + repr(pair));
}

// PyTorch ends the process where elements lie so (2.13).
static bool lies_backwards(const ops::Tensor& t) {
  for (size_t i = 0; i < t.rank(); ++i)
    if (t.shape()[i] > 1 && t.layout().strides[i] < 0) return t.numel() != 0;
  return false;
}

Object to_dlpack(PyObject* tensor, std::optional<bool> copy, bool versioned) {
  const ops::Tensor& shared = real(tensor, "__dlpack__");
  if (shared.dtype() == ops::DType::Int4) {
    raise(PyExc_BufferError, "DLPack's int4 has two numbers in a byte, a Tensor's one: convert it with astype(int8).");
  }
  const bool backwards = lies_backwards(shared);
  if (backwards && copy == false)
    raise(PyExc_BufferError,
          "__dlpack__: the elements lie backwards, which not all libraries take: asnumpy() shares them");
  const bool copied = backwards || copy == true;
  const ops::Tensor t = copied ? ops::clone(shared) : shared;
  return versioned ? capsule_over<Versioned>(t, copied) : capsule_over<Unversioned>(t, copied);
}

namespace {

// PyTorch hands out elements that it has yet to negate.
bool to_be_negated(PyObject* source) {
  if (!PyObject_HasAttrString(source, "is_neg")) return false;
  return PyObject_IsTrue(check(PyObject_CallMethod(source, "is_neg", nullptr)).get()) == 1;
}

void check_device(PyObject* source) {
  if (!PyObject_HasAttrString(source, "__dlpack_device__")) return;
  Object device = check(PyObject_CallMethod(source, "__dlpack_device__", nullptr));
  if (pair_of_ints(device.get(), "from_dlpack: __dlpack_device__()").first != kCpu)
    raise(PyExc_BufferError, "from_dlpack: the data is not in the CPU's memory");
}

// Null where an error is set. Libraries that know no DLPack 1.0 take no arguments.
Object exported_by(PyObject* source, std::optional<bool> copy) {
  Object function = check(PyObject_GetAttrString(source, "__dlpack__")), none = check(PyTuple_New(0)),
         options = check(Py_BuildValue("{s:(ii)}", "max_version", kMajor, kMinor));
  if (copy) check(PyDict_SetItemString(options.get(), "copy", *copy ? Py_True : Py_False));
  Object capsule = Object::own(PyObject_Call(function.get(), none.get(), options.get()));
  if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError)) return capsule;
  PyErr_Clear();
  return Object::own(PyObject_CallNoArgs(function.get()));
}

Object capsule_of(PyObject* source, std::optional<bool> copy) {
  if (PyCapsule_CheckExact(source)) return Object::borrow(source);
  if (!PyObject_HasAttrString(source, "__dlpack__"))
    raise(PyExc_RuntimeError, "from_dlpack: a capsule of DLPack or an object with __dlpack__ is needed, but got " +
                                  std::string(Py_TYPE(source)->tp_name) + ".");
  check_device(source);
  if (to_be_negated(source)) raise(PyExc_BufferError, "from_dlpack: the elements are yet to be negated: resolve_neg()");
  Object capsule = exported_by(source, copy);
  if (capsule) return capsule;
  raise_for(PyExc_BufferError, PyExc_BufferError, "from_dlpack:", source,
            "does not share these elements, which a copy of them may do (PyTorch's resolve_conj() or detach())");
}

// What a capsule holds, which is the capsule's until it is taken.
struct Content {
  DLTensor tensor;
  uint64_t flags;
  const char* taken;
  std::function<void()> release;
};

template <class Managed>
Content content(PyObject* capsule) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, Managed::kName));
  uint64_t flags = 0;
  if constexpr (std::is_same_v<Managed, Versioned>) {
    if (managed->major != kMajor)
      raise(PyExc_BufferError, "from_dlpack: the capsule is of DLPack " + std::to_string(managed->major) + ", not 1");
    flags = managed->flags;
  }
  return {managed->tensor, flags, Managed::kTaken, [managed] {
            if (managed->deleter) managed->deleter(managed);
          }};
}

Content content_of(PyObject* capsule) {
  for (const char* name : {Unversioned::kTaken, Versioned::kTaken})
    if (PyCapsule_IsValid(capsule, name))
      raise(PyExc_RuntimeError,
            "from_dlpack: the capsule's memory has been taken over already; ask for another capsule");
  if (PyCapsule_IsValid(capsule, Versioned::kName)) return content<Versioned>(capsule);
  if (PyCapsule_IsValid(capsule, Unversioned::kName)) return content<Unversioned>(capsule);
  raise(PyExc_RuntimeError, "from_dlpack: a capsule of DLPack is needed, but got " + repr(capsule));
}

// Whether a source, whose capsule does not tell, may be written: JAX's arrays tell by their buffer that they may not.
bool gives_writable_buffer(PyObject* source) {
  if (!PyObject_CheckBuffer(source)) return true;
  Py_buffer view;
  const bool writable = PyObject_GetBuffer(source, &view, PyBUF_RECORDS) == 0;
  if (writable) PyBuffer_Release(&view);
  PyErr_Clear();
  return writable;
}

// A Tensor over what a capsule holds, which is taken unless this raises.
ops::Tensor over_content(PyObject* capsule, const Content& from) {
  const DLTensor& d = from.tensor;
  std::optional<ops::DType> dtype = dtype_of_dl(d.dtype);
  if (d.device.type != kCpu) raise(PyExc_ValueError, "from_dlpack: the data is not in the CPU's memory");
  if (!dtype || d.ndim < 0 || d.ndim > static_cast<int32_t>(ops::kMaxRank))
    raise(PyExc_TypeError, "from_dlpack: the dtype or number of dimensions has no counterpart");
  ops::Shape shape, strides;
  for (int32_t i = 0; i < d.ndim; ++i) shape.push_back(d.shape[i]);
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  auto* data = static_cast<std::byte*>(d.data) + d.byte_offset;
  if (!empty && !d.data) raise(PyExc_BufferError, "from_dlpack: there are elements, but no memory of theirs");
  if (!empty && !is_aligned(data, *dtype))
    raise(PyExc_BufferError, "from_dlpack: the elements are not aligned; share a copy of them, which is: copy=True");
  strides = ops::layout(*dtype, shape)->strides;
  for (int32_t i = 0; d.strides && i < d.ndim; ++i) strides[static_cast<size_t>(i)] = d.strides[i];
  const ops::LayoutRef layout = ops::layout(*dtype, shape, strides);
  int64_t low = 0, high = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] > 0) (strides[i] < 0 ? low : high) += strides[i] * (shape[i] - 1);
  const auto item = static_cast<int64_t>(itemsize(*dtype));
  check(PyCapsule_SetName(capsule, from.taken));
  std::byte* const first = data + low * item;
  return ops::Tensor(gc::adopt(first, static_cast<size_t>((high - low) * item), from.release), layout, -low * item);
}

}  // namespace

ops::Tensor from_dlpack(PyObject* source, std::optional<bool> copy) {
  const Object capsule = capsule_of(source, copy);
  Content from = content_of(capsule.get());
  if (from.taken == Unversioned::kTaken && !gives_writable_buffer(source)) from.flags |= kReadOnly;
  ops::Tensor shared = over_content(capsule.get(), from);
  const char* const unusable = from.flags & kReadOnly    ? "the memory is read-only"
                               : !has_only_bools(shared) ? "there are bools of other bytes than 0 and 1"
                                                         : nullptr;
  if (unusable && copy == false) {
    shared = {};  // releases the memory before an error is set, which the exporter's code might meet
    raise(PyExc_BufferError, std::string("from_dlpack: ") + unusable + ", so a Tensor needs a copy, but copy is False");
  }
  return unusable || (copy == true && !(from.flags & kIsCopied)) ? copy_of(shared) : shared;
}

}  // namespace ember::python
