// Making and copying tensors. A copy drops dimensions of size one and joins neighbours that both sides step through
// evenly; then rows of the innermost dimension go through one typed loop, or memcpy where nothing changes. Large copies
// are split over the outermost dimension.
#include "ops/tensor.h"

#include <cstring>
#include <stdexcept>

#include "ops/convert.h"
#include "ops/parallel.h"

namespace ember::ops {
namespace {

struct Copy {
  Shape shape, from, to;  // sizes, and strides in elements
};

Copy plan(const Layout& from, const Layout& to) {
  Copy copy;
  for (size_t i = 0; i < to.shape.size(); ++i) {
    int64_t size = to.shape[i];
    if (size == 1) continue;
    bool joins =
        !copy.shape.empty() && copy.from.back() == from.strides[i] * size && copy.to.back() == to.strides[i] * size;
    if (joins) {
      copy.shape.back() *= size;
      copy.from.back() = from.strides[i];
      copy.to.back() = to.strides[i];
    } else {
      copy.shape.push_back(size);
      copy.from.push_back(from.strides[i]);
      copy.to.push_back(to.strides[i]);
    }
  }
  if (copy.shape.empty()) {
    copy.shape.push_back(1);
    copy.from.push_back(1);
    copy.to.push_back(1);
  }
  return copy;
}

template <class From, class To>
void copy_row(const From* from, int64_t from_step, To* to, int64_t to_step, int64_t count) {
  if (from_step == 1 && to_step == 1) {
    if constexpr (std::is_same_v<From, To>) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(To));
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = convert_value<To>(from[i]);
    }
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_step] = convert_value<To>(from[i * from_step]);
  }
}

template <class From, class To>
void copy_rows(const Copy& copy, const From* from, To* to) {
  size_t inner = copy.shape.size() - 1;
  Shape at(inner, 0);
  while (true) {
    copy_row(from, copy.from[inner], to, copy.to[inner], copy.shape[inner]);
    size_t i = inner;
    while (i-- > 0) {
      from += copy.from[i];
      to += copy.to[i];
      if (++at[i] < copy.shape[i]) break;
      from -= copy.from[i] * at[i];
      to -= copy.to[i] * at[i];
      at[i] = 0;
    }
    if (i == static_cast<size_t>(-1)) return;
  }
}

void copy_disjoint(const Tensor& from, const Tensor& to) {
  constexpr int64_t kElementsPerPiece = 1 << 16;
  Copy copy = plan(from.layout(), to.layout());
  int64_t per_index = to.numel() / copy.shape[0];
  dispatch(from.dtype(), [&]<class From>() {
    dispatch(to.dtype(), [&]<class To>() {
      parallel_for(copy.shape[0], kElementsPerPiece / per_index + 1, [&](int64_t begin, int64_t end) {
        Copy piece = copy;
        piece.shape[0] = end - begin;
        copy_rows(piece, from.data_as<From>() + begin * copy.from[0], to.data_as<To>() + begin * copy.to[0]);
      });
    });
  });
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
