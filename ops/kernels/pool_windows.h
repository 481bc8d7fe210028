// Which elements the windows of average pooling read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ops/base/interrupt.h"

namespace ember::ops {

// Along one axis: the first element that a window reads and how many, and how many count in its size.
struct PoolSpan {
  int64_t first, count, counted;
};

// The windows of an image. The axes that it lacks are the outer ones, of size 1.
struct PoolWindows {
  std::array<std::vector<PoolSpan>, 3> spans{{{{0, 1, 1}}, {{0, 1, 1}}, {{0, 1, 1}}}};
  int64_t in[3] = {1, 1, 1};

  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return static_cast<int64_t>(spans[0].size() * spans[1].size() * spans[2].size()); }
  // The elements that all windows read.
  int64_t reads() const {
    int64_t product = 1;
    for (const auto& axis : spans) {
      int64_t sum = 0;
      for (const PoolSpan& s : axis) sum += s.count;
      product *= sum;
    }
    return product;
  }

  // Calls f(output's index, its spans) for all windows.
  template <class F>
  void for_each_window(F f) const {
    int64_t o = 0;
    Pace pace;
    for (const PoolSpan& d : spans[0]) {
      for (const PoolSpan& h : spans[1]) {
        for (const PoolSpan& w : spans[2]) {
          f(o++, d, h, w);
          pace.worked(1 + d.count * h.count * w.count);
        }
      }
    }
  }
  // Calls f(first element, end) for the rows of a window.
  template <class F>
  void for_each_row(const PoolSpan& d, const PoolSpan& h, const PoolSpan& w, F f) const {
    for (int64_t i = 0; i < d.count; ++i) {
      const int64_t slab = (d.first + i) * in[1];
      for (int64_t j = 0; j < h.count; ++j) {
        const int64_t line = (slab + h.first + j) * in[2] + w.first;
        f(line, line + w.count);
      }
    }
  }
};

}  // namespace ember::ops
