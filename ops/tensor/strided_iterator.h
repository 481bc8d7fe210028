// Iteration over strided elements, for kernels that take any layout: coalesced dimensions and an iterator over them in
// row-major order. Sizes (2, 3, 4) with strides (12, 4, 1) coalesce to (24) with (1), with (3, 1, 6) to (6, 4) with (1,
// 6).
#pragma once

#include "ops/tensor/layout.h"

namespace ember::ops {

// Dimensions, outermost first, with strides in elements.
struct StridedDims {
  Shape sizes;
  Shape strides;

  int64_t count() const {
    int64_t n = 1;
    for (int64_t size : sizes) n *= size;
    return n;
  }
  // Adds an inner dimension, merged with the last one where one stride spans both; sizes of 1 vanish.
  void add(int64_t size, int64_t stride) {
    if (size == 1) return;
    if (!sizes.empty() && strides.back() == size * stride) {
      sizes.back() *= size;
      strides.back() = stride;
    } else {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  }
  int64_t inner_size() const { return sizes.empty() ? 1 : sizes.back(); }
  int64_t inner_stride() const { return strides.empty() ? 1 : strides.back(); }
};

// The offset of the element at a logical index, kept while the index counts up.
class StridedIterator {
 public:
  explicit StridedIterator(const StridedDims& dims) : dims_(dims), position_(dims.sizes.size(), 0) {}

  // Counting up one by one costs no division.
  void move_to(int64_t index) {
    if (index == index_) return;
    index == index_ + 1 ? advance(1) : seek(index);
  }
  void seek(int64_t index) {
    index_ = index;
    offset_ = 0;
    for (size_t d = dims_.sizes.size(); d-- > 0;) {
      position_[d] = index % dims_.sizes[d];
      index /= dims_.sizes[d];
      offset_ += position_[d] * dims_.strides[d];
    }
  }
  // Elements left in the current inner run.
  int64_t run() const { return dims_.sizes.empty() ? 1 : dims_.sizes.back() - position_.back(); }
  void advance(int64_t within_run) {
    index_ += within_run;
    size_t d = dims_.sizes.size();
    if (d == 0) return;
    --d;
    position_[d] += within_run;
    offset_ += within_run * dims_.strides[d];
    while (position_[d] == dims_.sizes[d] && d > 0) {
      offset_ -= dims_.sizes[d] * dims_.strides[d];
      position_[d] = 0;
      --d;
      ++position_[d];
      offset_ += dims_.strides[d];
    }
  }
  int64_t offset() const { return offset_; }

 private:
  const StridedDims& dims_;
  Shape position_;
  int64_t index_ = 0;
  int64_t offset_ = 0;
};

}  // namespace ember::ops
