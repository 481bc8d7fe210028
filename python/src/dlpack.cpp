// DLPack (https://dmlc.github.io/dlpack): tensors to and from other libraries without copying.
#include <algorithm>
#include <cstring>

#include "ops/program/strided.h"
#include "python/src/alignment.h"
#include "python/src/convert.h"

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
struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};

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

struct Exported {
  DLManagedTensor managed;
  gc::Ref<gc::Storage> storage;
  int64_t shape[ops::kMaxRank];
  int64_t strides[ops::kMaxRank];
};

void release_exported(DLManagedTensor* managed) {
  auto* exported = static_cast<Exported*>(managed->context);
  exported->storage->unshare();
  delete exported;
}

void capsule_destructor(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

}  // namespace

Object to_dlpack(PyObject* tensor, bool copy) {
  const ops::Tensor& shared = real(tensor, "__dlpack__");
  if (shared.dtype() == ops::DType::Int4) {
    raise(PyExc_BufferError, "DLPack's int4 has two numbers in a byte, a Tensor's one: convert it with astype(int8).");
  }
  const ops::Tensor t = copy ? ops::clone(shared) : shared;
  auto* exported = new Exported();
  exported->storage = t.storage();
  t.storage()->share();
  for (size_t i = 0; i < t.rank(); ++i) {
    exported->shape[i] = t.shape()[i];
    exported->strides[i] = t.layout().strides[i];
  }
  exported->managed.tensor = {
      t.data(), {kCpu, 0}, static_cast<int32_t>(t.rank()), dl_type(t.dtype()), exported->shape, exported->strides, 0};
  exported->managed.context = exported;
  exported->managed.deleter = release_exported;
  PyObject* capsule = PyCapsule_New(&exported->managed, "dltensor", capsule_destructor);
  if (!capsule) release_exported(&exported->managed);
  return check(capsule);
}

// PyTorch hands out elements that it has yet to negate.
static bool to_be_negated(PyObject* source) {
  if (!PyObject_HasAttrString(source, "is_neg")) return false;
  return PyObject_IsTrue(check(PyObject_CallMethod(source, "is_neg", nullptr)).get()) == 1;
}

static Object capsule_of(PyObject* source) {
  if (PyCapsule_CheckExact(source)) return Object::borrow(source);
  if (to_be_negated(source)) raise(PyExc_BufferError, "from_dlpack: the elements are yet to be negated: resolve_neg()");
  Object capsule = Object::own(PyObject_CallMethod(source, "__dlpack__", nullptr));
  if (capsule) return capsule;
  raise_for(PyExc_BufferError, PyExc_BufferError, "from_dlpack:", source,
            "does not share these elements, which a copy of them may do (PyTorch's resolve_conj() or detach())");
}

ops::Tensor from_dlpack(PyObject* source) {
  if (!PyCapsule_CheckExact(source) && PyObject_HasAttrString(source, "__dlpack_device__")) {
    Object device = check(PyObject_CallMethod(source, "__dlpack_device__", nullptr));
    int type, id;
    if (!PyArg_ParseTuple(device.get(), "ii", &type, &id)) throw PythonError();
    if (type != kCpu) raise(PyExc_BufferError, "from_dlpack: the data is not in the CPU's memory");
  }
  const Object capsule = capsule_of(source);
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.get(), "dltensor"));
  if (!managed) throw PythonError();
  const DLTensor& d = managed->tensor;
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
    raise(PyExc_BufferError, "from_dlpack: the elements are not aligned; share a copy of them, which is");
  strides = ops::row_major_strides(shape);
  for (int32_t i = 0; d.strides && i < d.ndim; ++i) strides[static_cast<size_t>(i)] = d.strides[i];
  int64_t low = 0, high = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] > 0) (strides[i] < 0 ? low : high) += strides[i] * (shape[i] - 1);
  auto item = static_cast<int64_t>(itemsize(*dtype));
  ops::LayoutRef layout = ops::layout(*dtype, shape, strides);
  check(PyCapsule_SetName(capsule.get(), "used_dltensor"));
  std::byte* const first = data + low * item;
  auto release = [managed] {
    if (managed->deleter) managed->deleter(managed);
  };
  return ops::Tensor(gc::adopt(first, static_cast<size_t>((high - low) * item), release), layout, -low * item);
}

}  // namespace ember::python
