// Layout: dtype, shape and strides of a tensor, interned. Two tensors of the same layout share one object, so guards
// and inline caches compare one number. Ids are counted and never used again: a stale guard can't match. Strides are in
// elements and may be zero (broadcast) or negative.
#pragma once

#include <cstdint>
#include <string>

#include "gc/ref.h"
#include "ops/base/inline_vector.h"
#include "ops/tensor/dim.h"
#include "ops/tensor/dtype.h"

namespace ember::ops {

using Shape = InlineVector<int64_t, kMaxRank>;
using Dims = InlineVector<Dim, kMaxRank>;

inline bool operator==(const Shape& a, const Shape& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

class Layout final : public gc::Counted {
 public:
  const uint64_t id;
  const DType dtype;
  const Shape shape;
  const Shape strides;
  const int64_t numel;
  const bool contiguous;  // row-major without gaps; true for zero elements

  size_t bytes() const { return static_cast<size_t>(numel) * itemsize(dtype); }
  size_t rank() const { return shape.size(); }

 private:
  friend class LayoutTable;
  Layout(uint64_t id, DType dtype, const Shape& shape, const Shape& strides, int64_t numel, bool contiguous)
      : id(id), dtype(dtype), shape(shape), strides(strides), numel(numel), contiguous(contiguous) {}
  void destroy() const noexcept override;
};

using LayoutRef = gc::Ref<const Layout>;

// Both throw std::invalid_argument for negative or overflowing sizes (more than 2^48 elements).
LayoutRef layout(DType dtype, const Shape& shape);
LayoutRef layout(DType dtype, const Shape& shape, const Shape& strides);
size_t live_layouts();

int64_t element_count(const Shape& shape);  // throws as layout() does
Shape row_major_strides(const Shape& shape);
Shape part_strides(const Shape& strides);  // of the parts of complex numbers, in parts
Shape broadcast_shapes(const Shape& a, const Shape& b);
bool broadcasts_to(const Shape& from, const Shape& to);
std::string to_string(const Shape& shape);  // "(2, 3)", "(4,)", "()"

}  // namespace ember::ops
