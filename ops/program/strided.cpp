// Copies of strided memory. Where source and destination run along different dimensions (a transposition), the copy
// goes by square tiles, so that both sides stay within the cache.
#include "ops/program/strided.h"

#include <cstring>
#include <stdexcept>

#include "ops/base/parallel.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kTile = 32;
constexpr int64_t kGrain = 1 << 16;  // elements worth a thread

struct Plane {
  int64_t rows, cols;
  int64_t from_row, from_col, to_row, to_col;
};

template <class From, class To>
void copy_row(const From* from, int64_t from_step, To* to, int64_t to_step, int64_t count) {
  if (from_step == 1 && to_step == 1) {
    if constexpr (std::is_same_v<From, To>) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(To));
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = convert_value<To>(from[i]);
    }
  } else if (from_step == 0 && to_step == 1) {
    std::fill_n(to, count, convert_value<To>(*from));
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_step] = convert_value<To>(from[i * from_step]);
  }
}

template <class From, class To>
void copy_plane(const Plane& p, const From* from, To* to) {
  if (p.from_row != 1 || p.from_col == 1) {
    for (int64_t r = 0; r < p.rows; ++r)
      copy_row(from + r * p.from_row, p.from_col, to + r * p.to_row, p.to_col, p.cols);
    return;
  }
  for (int64_t r0 = 0; r0 < p.rows; r0 += kTile) {
    for (int64_t c0 = 0; c0 < p.cols; c0 += kTile) {
      const int64_t rows = std::min(kTile, p.rows - r0), cols = std::min(kTile, p.cols - c0);
      if constexpr (std::is_same_v<From, To> && std::is_same_v<To, uint32_t>) {
        if (p.to_col == 1) {
          EMBER_KERNEL(transpose(cols, rows, reinterpret_cast<const float*>(from + r0 + c0 * p.from_col), p.from_col,
                                 reinterpret_cast<float*>(to + r0 * p.to_row + c0), p.to_row));
          continue;
        }
      }
      for (int64_t r = r0; r < r0 + rows; ++r) {
        copy_row(from + r * p.from_row + c0 * p.from_col, p.from_col, to + r * p.to_row + c0 * p.to_col, p.to_col,
                 cols);
      }
    }
  }
}

template <class From, class To>
void copy_walk(StridedWalk<2> walk, const From* from, To* to) {
  Plane plane{1, walk.shape.back(), 0, walk.strides[0].back(), 0, walk.strides[1].back()};
  auto pop = [&] {
    walk.shape.erase(walk.shape.size() - 1);
    for (Shape& s : walk.strides) s.erase(s.size() - 1);
  };
  pop();
  if (!walk.shape.empty()) {
    plane.rows = walk.shape.back();
    plane.from_row = walk.strides[0].back();
    plane.to_row = walk.strides[1].back();
    pop();
  }
  if (walk.shape.empty()) {
    if (!walk.empty) copy_plane(plane, from, to);
    return;
  }
  walk.elements([&](const std::array<int64_t, 2>& at) { copy_plane(plane, from + at[0], to + at[1]); });
}

// Split along the outermost dimension.
template <class From, class To>
void copy_in_parallel(const StridedWalk<2>& walk, const From* from, To* to) {
  if (walk.empty) return;
  int64_t each = 1;
  for (size_t d = 1; d < walk.shape.size(); ++d) each *= walk.shape[d];
  parallel_for(walk.shape[0], std::max<int64_t>(1, kGrain / each), [&](int64_t begin, int64_t end) {
    StridedWalk<2> part = walk;
    part.shape[0] = end - begin;
    copy_walk(part, from + begin * walk.strides[0][0], to + begin * walk.strides[1][0]);
  });
}

void move_dimension(StridedWalk<2>& walk, size_t from, size_t to) {
  for (Shape* s : {&walk.shape, &walk.strides[0], &walk.strides[1]}) {
    int64_t item = (*s)[from];
    s->erase(from);
    s->insert(to, item);
  }
}

// The source's unit stride, where another dimension has it, next to the innermost.
StridedWalk<2> walk_of(const Shape& shape, const Shape& from_strides, const Shape& to_strides) {
  StridedWalk<2> walk(shape, {&from_strides, &to_strides});
  const size_t last = walk.shape.size() - 1;
  if (walk.strides[0][last] == 1) return walk;
  for (size_t d = 0; d < last; ++d) {
    if (walk.strides[0][d] != 1) continue;
    move_dimension(walk, d, last - 1);
    break;
  }
  return walk;
}

std::pair<const char*, const char*> extent(const View& v) {
  const char* low = v.as<char>();
  const char* high = low;
  auto item = static_cast<int64_t>(itemsize(v.layout->dtype));
  if (v.layout->numel == 0) return {low, low};
  for (size_t d = 0; d < v.layout->rank(); ++d) {
    int64_t reach = (v.layout->shape[d] - 1) * v.layout->strides[d] * item;
    (reach < 0 ? low : high) += reach;
  }
  return {low, high + item};
}

}  // namespace

StridedCopy::StridedCopy(DType dtype, const Shape& shape, const Shape& from_strides, const Shape& to_strides)
    : walk_(walk_of(shape, from_strides, to_strides)), itemsize_(itemsize(dtype)) {}

void StridedCopy::run(const void* from, void* to) const {
  dispatch_width(itemsize_, [&]<class U>() { copy_walk(walk_, static_cast<const U*>(from), static_cast<U*>(to)); });
}

void StridedCopy::run_parallel(const void* from, void* to) const {
  dispatch_width(itemsize_,
                 [&]<class U>() { copy_in_parallel(walk_, static_cast<const U*>(from), static_cast<U*>(to)); });
}

Shape broadcast_strides(const Layout& layout, const Shape& shape) {
  Shape strides;
  size_t lead = shape.size() - layout.rank();
  for (size_t d = 0; d < shape.size(); ++d) {
    strides.push_back(d < lead || layout.shape[d - lead] == 1 ? 0 : layout.strides[d - lead]);
  }
  return strides;
}

void copy_view(const View& from, const View& to) {
  Shape strides = broadcast_strides(*from.layout, to.layout->shape);
  if (from.layout->dtype == to.layout->dtype) {
    StridedCopy(to.layout->dtype, to.layout->shape, strides, to.layout->strides).run_parallel(from.data, to.data);
    return;
  }
  const StridedWalk<2> walk = walk_of(to.layout->shape, strides, to.layout->strides);
  dispatch(from.layout->dtype, [&]<class From>() {
    dispatch(to.layout->dtype, [&]<class To>() { copy_in_parallel(walk, from.as<const From>(), to.as<To>()); });
  });
}

void fill(const View& out, double value) {
  dispatch(out.layout->dtype, [&]<class T>() {
    T element = convert_value<T>(value);
    parallel_for(out.layout->numel, kGrain,
                 [&](int64_t begin, int64_t end) { std::fill(out.as<T>() + begin, out.as<T>() + end, element); });
  });
}

bool overlap(const View& a, const View& b) {
  auto [a_low, a_high] = extent(a);
  auto [b_low, b_high] = extent(b);
  return a_low < b_high && b_low < a_high;
}

namespace {

void copy_disjoint(const Tensor& from, const Tensor& to) {
  copy_view({from.data(), &from.layout()}, {to.data(), &to.layout()});
}

}  // namespace

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
