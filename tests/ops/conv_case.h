// A convolution's sizes, and what follows from them; for the tests that compute one by its definition.
#pragma once

#include <array>

#include "ops/tensor/layout.h"

namespace ember::ops::testing {

// Depth, height and width.
using Three = std::array<int64_t, 3>;

// Of images with `axes` sizes; those that they lack are the outer ones.
struct ConvCase {
  size_t axes;
  int64_t n, c, oc, groups;
  Three in, kernel, stride = {1, 1, 1}, dilation = {1, 1, 1}, before = {0, 0, 0}, after = {0, 0, 0};

  int64_t ic() const { return c / groups; }
  int64_t columns() const { return oc / groups; }
  Three out() const {
    Three sizes;
    for (size_t d = 0; d < 3; ++d) {
      sizes[d] = (in[d] + before[d] + after[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
    }
    return sizes;
  }
  Shape shape(int64_t first, int64_t second, const Three& sizes) const {
    Shape all{first, second};
    for (size_t d = 3 - axes; d < 3; ++d) all.push_back(sizes[d]);
    return all;
  }
  Shape x() const { return shape(n, c, in); }
  Shape w() const { return shape(oc, ic(), kernel); }
  Shape y() const { return shape(n, oc, out()); }
};

inline int64_t volume(const Three& sizes) { return sizes[0] * sizes[1] * sizes[2]; }
inline Three position(int64_t index, const Three& sizes) {
  return {index / sizes[2] / sizes[1], index / sizes[2] % sizes[1], index % sizes[2]};
}

}  // namespace ember::ops::testing
