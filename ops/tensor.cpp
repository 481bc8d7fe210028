// Making and copying tensors; what copies memory is strided.h.
#include "ops/tensor.h"

#include <algorithm>
#include <stdexcept>

#include "ops/convert.h"
#include "ops/strided.h"

namespace ember::ops {
namespace {

void copy_disjoint(const Tensor& from, const Tensor& to) {
  copy_view({from.data(), &from.layout()}, {to.data(), &to.layout()});
}

}  // namespace

Tensor Tensor::empty(const LayoutRef& layout) { return Tensor(gc::allocate(layout->bytes()), layout); }

Tensor Tensor::empty(DType dtype, const Shape& shape) { return empty(ops::layout(dtype, shape)); }

Tensor Tensor::full(DType dtype, const Shape& shape, double value) {
  Tensor t = empty(dtype, shape);
  dispatch(dtype, [&]<class T>() { std::fill_n(t.data_as<T>(), t.numel(), convert_value<T>(value)); });
  return t;
}

Tensor to_contiguous(const Tensor& t) {
  if (t.contiguous()) return t;
  Tensor out = Tensor::empty(t.dtype(), t.shape());
  copy_disjoint(t, out);
  return out;
}

void copy_into(const Tensor& from, const Tensor& to) {
  if (!(from.shape() == to.shape())) {
    throw std::invalid_argument("a tensor of shape " + to_string(from.shape()) +
                                " cannot be copied into one of shape " + to_string(to.shape()));
  }
  if (to.numel() == 0) return;
  if (from.storage() != to.storage()) return copy_disjoint(from, to);
  if (from.offset() == to.offset() && &from.layout() == &to.layout()) return;
  Tensor apart = Tensor::empty(from.dtype(), from.shape());
  copy_disjoint(from, apart);
  copy_disjoint(apart, to);
}

}  // namespace ember::ops
