// Loops over and copies of strided memory, for kernels of ops that move elements. A loop nest drops dimensions of size
// one and coalesces neighbours where the strides of every operand allow it. Offsets and strides are in elements;
// nothing here allocates or throws, and zero-size shapes do nothing.
#pragma once

#include <array>

#include "ops/tensor/convert.h"
#include "ops/tensor/tensor.h"
#include "ops/tensor/view.h"

namespace ember::ops {

// The loops over N strided operands, outermost first.
template <size_t N>
struct LoopNest {
  Shape shape;
  std::array<Shape, N> strides;
  bool empty = false;

  LoopNest(const Shape& sizes, const std::array<const Shape*, N>& steps) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 0) empty = true;
      if (sizes[d] == 1) continue;
      if (joins(sizes[d], steps, d)) {
        shape.back() *= sizes[d];
        for (size_t i = 0; i < N; ++i) strides[i].back() = (*steps[i])[d];
      } else {
        shape.push_back(sizes[d]);
        for (size_t i = 0; i < N; ++i) strides[i].push_back((*steps[i])[d]);
      }
    }
    if (shape.empty()) {
      shape.push_back(1);
      for (size_t i = 0; i < N; ++i) strides[i].push_back(1);
    }
  }

  // Calls f(offsets) for each row of the innermost dimension; a row has `shape.back()` elements.
  template <class F>
  void rows(F&& f) const {
    if (empty) return;
    size_t inner = shape.size() - 1;
    Shape at(inner, 0);
    std::array<int64_t, N> offset{};
    while (true) {
      f(offset);
      size_t d = inner;
      while (d-- > 0) {
        bool carry = ++at[d] == shape[d];
        for (size_t i = 0; i < N; ++i) offset[i] += strides[i][d] * (carry ? 1 - shape[d] : 1);
        if (!carry) break;
        at[d] = 0;
      }
      if (d == static_cast<size_t>(-1)) return;
    }
  }

  // Calls f(offsets) for each element, in row-major order.
  template <class F>
  void elements(F&& f) const {
    size_t inner = shape.size() - 1;
    rows([&](std::array<int64_t, N> offset) {
      for (int64_t j = 0; j < shape[inner]; ++j) {
        f(offset);
        for (size_t i = 0; i < N; ++i) offset[i] += strides[i][inner];
      }
    });
  }

 private:
  bool joins(int64_t size, const std::array<const Shape*, N>& steps, size_t d) const {
    if (shape.empty()) return false;
    for (size_t i = 0; i < N; ++i) {
      if (strides[i].back() != (*steps[i])[d] * size) return false;
    }
    return true;
  }
};

// Calls f.template operator()<U>() with a type as wide as the element: for ops that only move elements.
template <class F>
void dispatch_width(size_t itemsize, F&& f) {
  switch (itemsize) {
    case 1:
      return f.template operator()<uint8_t>();
    case 2:
      return f.template operator()<uint16_t>();
    case 4:
      return f.template operator()<uint32_t>();
    case 8:
      return f.template operator()<uint64_t>();
    default:
      return f.template operator()<std::complex<double>>();
  }
}

// Copies elements of one dtype between strided blocks of one shape that do not overlap. Made once, run for many blocks.
class StridedCopy {
 public:
  StridedCopy(DType dtype, const Shape& shape, const Shape& from_strides, const Shape& to_strides);
  void run(const void* from, void* to) const;           // on this thread
  void run_parallel(const void* from, void* to) const;  // the same, split along the outermost dimension

 private:
  LoopNest<2> nest_;
  size_t itemsize_;
};

// Elements of `from`, converted to to's dtype where they differ. from's layout may be broadcast to to's shape.
void copy_view(const View& from, const View& to);

Tensor clone(const Tensor& t, DType dtype);  // a row-major copy, converted
inline Tensor clone(const Tensor& t) { return clone(t, t.dtype()); }
Tensor to_contiguous(const Tensor& t);                 // itself if it already is
void copy_into(const Tensor& from, const Tensor& to);  // same shape; converts the dtype; any strides

// The elements of a view in row-major order and in a dtype: themselves, or a copy, which lives as long as `copy`.
View row_major(const View& view, DType dtype, Tensor* copy);

// Indices as int64: themselves if that is what they are, else converted, so that kernels are made for one index type.
class Indices {
 public:
  explicit Indices(const View& view);
  const int64_t* data() const { return view_.as<const int64_t>(); }
  const Layout& layout() const { return *view_.layout; }

 private:
  Tensor converted_;
  View view_;
};

// Sets every element of a contiguous view to `value`, converted to its dtype.
void fill(const View& out, double value);

// The strides of a view of `layout` broadcast to `shape`: zero along the axes that are stretched.
Shape broadcast_strides(const Layout& layout, const Shape& shape);

// The one element of a 0-d view, be it a tensor or a scalar's slot.
template <class T>
T scalar_of(const View& view) {
  return dispatch(view.layout->dtype, [&]<class From>() { return convert_value<T>(*view.as<From>()); });
}

// a + b in T: the half types round from float32, integers wrap, and bools are ored.
template <class T>
T sum_of(T a, T b) {
  if constexpr (is_half<T>) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  } else if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

// a * b, likewise; bools are anded. Complex: (ac - bd) + (ad + bc)i.
template <class T>
T product_of(T a, T b) {
  if constexpr (is_half<T>) {
    return T(static_cast<float>(a) * static_cast<float>(b));
  } else if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else if constexpr (is_complex_type<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}

// Whether any byte of one may lie within the other.
bool overlap(const View& a, const View& b);

}  // namespace ember::ops
