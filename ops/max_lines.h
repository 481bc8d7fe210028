// The maximum of the windows of a line of outputs, tap by tap over the whole line. Of equals the first is taken, of
// NaNs too; a window that holds no element has none.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/convolve.h"
#include "ops/rows.h"

namespace ember::ops {

template <class T>
class MaxLines {
 public:
  explicit MaxLines(const Window& window) : w_(window) {
    for (int64_t d = 0; d < w_.kernel[0]; ++d) {
      for (int64_t h = 0; h < w_.kernel[1]; ++h) {
        for (int64_t w = 0; w < w_.kernel[2]; ++w) {
          offsets_.push_back(element(d * w_.dilation[0], h * w_.dilation[1], w * w_.dilation[2]));
        }
      }
    }
  }

  int64_t taps() const { return w_.taps(); }
  int64_t lines() const { return w_.out[0] * w_.out[1]; }
  int64_t width() const { return w_.out[2]; }

  // from: a channel's elements. best, at: room for a line. to, index: the line's values and where they are in `from`.
  void run(int64_t line, const T* from, T* best, IndexOf<T>* at, T* to, int64_t* index) const {
    const int64_t z = start(0, line / w_.out[1]), y = start(1, line % w_.out[1]);
    std::fill_n(at, width(), IndexOf<T>{-1});
    std::fill_n(best, width(), T{0});
    for (int64_t tap = 0; tap < taps(); ++tap) {
      const int64_t row = tap / w_.kernel[2], column = tap % w_.kernel[2] * w_.dilation[2] - w_.pad[2];
      const int64_t slab_at = z + row / w_.kernel[1] * w_.dilation[0], row_at = y + row % w_.kernel[1] * w_.dilation[1];
      if (slab_at < 0 || slab_at >= w_.in[0] || row_at < 0 || row_at >= w_.in[1]) continue;
      const int64_t begin = first_at(-column), count = first_at(w_.in[2] - column) - begin;
      if (count <= 0) continue;
      take(from + element(slab_at, row_at, column + begin * w_.stride[2]), static_cast<IndexOf<T>>(tap), best + begin,
           at + begin, count);
    }
    for (int64_t o = 0; o < width(); ++o) {
      to[o] = at[o] < 0 ? std::numeric_limits<T>::lowest() : best[o];
      index[o] = at[o] < 0 ? -1 : element(z, y, start(2, o)) + offsets_[static_cast<size_t>(at[o])];
    }
  }

 private:
  int64_t start(int d, int64_t o) const { return o * w_.stride[d] - w_.pad[d]; }
  int64_t element(int64_t z, int64_t y, int64_t x) const { return (z * w_.in[1] + y) * w_.in[2] + x; }
  // The first output of a line that starts `place` elements or more from the first one's start.
  int64_t first_at(int64_t place) const {
    return place <= 0 ? 0 : std::min(width(), (place + w_.stride[2] - 1) / w_.stride[2]);
  }

  void take(const T* x, IndexOf<T> tap, T* best, IndexOf<T>* at, int64_t n) const {
    const int64_t step = w_.stride[2];
    if constexpr (std::is_floating_point_v<T>) {
      row_kernels<T>().maximum(x, step, tap, best, at, n);
    } else {
      for (int64_t i = 0; i < n; ++i) {
        if (at[i] >= 0 && x[i * step] <= best[i]) continue;
        best[i] = x[i * step];
        at[i] = tap;
      }
    }
  }

  const Window w_;
  std::vector<int64_t> offsets_;  // of the taps from the window's start
};

}  // namespace ember::ops
