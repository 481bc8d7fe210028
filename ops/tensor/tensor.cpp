#include "ops/tensor/tensor.h"

#include <algorithm>

#include "ops/tensor/convert.h"

namespace ember::ops {
Tensor Tensor::empty(const LayoutRef& layout) { return Tensor(gc::allocate(layout->bytes()), layout); }

Tensor Tensor::empty(DType dtype, const Shape& shape) { return empty(ops::layout(dtype, shape)); }

Tensor Tensor::full(DType dtype, const Shape& shape, double value) {
  Tensor t = empty(dtype, shape);
  dispatch_any(dtype, [&]<class T>() { std::fill_n(t.data_as<T>(), t.numel(), convert_value<T>(value)); });
  return t;
}

}  // namespace ember::ops
