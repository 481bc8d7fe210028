// Max pooling of a row of outputs, tap by tap over the whole row. The first of equals wins, of NaNs too; a window
// without elements has none.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/base/division.h"
#include "ops/base/interrupt.h"
#include "ops/kernels/convolve.h"
#include "ops/program/rows.h"

namespace ember::ops {

// Leaves out the taps that no window reads an element by: a kernel may be longer than its input by far.
inline void clip_taps(Window& w, size_t d) {
  const int64_t last = (w.out[d] - 1) * w.stride[d], dilation = w.dilation[d];
  const int64_t begin = std::min(ceil_div(std::max<int64_t>(w.pad[d] - last, 0), dilation), w.kernel[d] - 1);
  const int64_t end = std::clamp<int64_t>((w.pad[d] + w.in[d] - 1) / dilation + 1, begin + 1, w.kernel[d]);
  w.pad[d] -= begin * dilation;
  w.kernel[d] = end - begin;
}

template <class T>
class MaxPoolRows {
 public:
  explicit MaxPoolRows(const Window& window) : w_(window) {
    for (int64_t w = 0; w < w_.kernel[2]; ++w) {
      const int64_t column = w * w_.dilation[2] - w_.pad[2], begin = first_at(-column);
      columns_.push_back({column + begin * w_.stride[2], begin, first_at(w_.in[2] - column) - begin});
    }
    for (int64_t z = 0; z < w_.kernel[0]; ++z)
      for (int64_t y = 0; y < w_.kernel[1]; ++y)
        for (int64_t x = 0; x < w_.kernel[2]; ++x)
          offsets_.push_back(element(z * w_.dilation[0], y * w_.dilation[1], x * w_.dilation[2]));
  }

  int64_t taps() const { return w_.taps(); }
  int64_t lines() const { return w_.out[0] * w_.out[1]; }
  int64_t width() const { return w_.out[2]; }

  // from: a channel's elements. best, at: buffers for a row. to, index: the row's values and their indices in `from`.
  void run(int64_t line, const T* from, T* best, IndexOf<T>* at, T* to, int64_t* index) const {
    const int64_t z = start(0, line / w_.out[1]), y = start(1, line % w_.out[1]);
    std::fill_n(at, width(), IndexOf<T>{-1});
    std::fill_n(best, width(), T{0});
    const bool short_line = width() < kShort;
    for (int64_t row = 0; row < w_.kernel[0] * w_.kernel[1]; ++row) {
      const int64_t slab_at = z + row / w_.kernel[1] * w_.dilation[0], row_at = y + row % w_.kernel[1] * w_.dilation[1];
      if (slab_at < 0 || slab_at >= w_.in[0] || row_at < 0 || row_at >= w_.in[1]) continue;
      const T* elements = from + element(slab_at, row_at, 0);
      short_line ? scan(elements, row, best, at) : take(elements, row, best, at);
    }
    const int64_t first = element(z, y, start(2, 0));
    for (int64_t o = 0; o < width(); ++o) {
      to[o] = at[o] < 0 ? std::numeric_limits<T>::lowest() : best[o];
      index[o] = at[o] < 0 ? -1 : first + o * w_.stride[2] + offsets_[static_cast<size_t>(at[o])];
    }
  }

  // Merges n elements at stride `step`, which a tap reads for as many windows.
  static void maximum(const T* x, int64_t step, IndexOf<T> tap, T* best, IndexOf<T>* at, int64_t n) {
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

 private:
  int64_t start(int d, int64_t o) const { return o * w_.stride[d] - w_.pad[d]; }
  int64_t element(int64_t z, int64_t y, int64_t x) const { return (z * w_.in[1] + y) * w_.in[2] + x; }
  // The first output of a row whose window starts at `position` or later, counted from the first window.
  int64_t first_at(int64_t position) const {
    return position <= 0 ? 0 : std::min(width(), ceil_div(position, w_.stride[2]));
  }

  void take(const T* x, int64_t row, T* best, IndexOf<T>* at) const {
    auto tap = static_cast<IndexOf<T>>(row * w_.kernel[2]);
    Pace pace;
    for (const Column& column : columns_) {
      pace.worked(column.count);
      if (column.count > 0) {
        maximum(x + column.first, w_.stride[2], tap, best + column.begin, at + column.begin, column.count);
      }
      ++tap;
    }
  }

  void scan(const T* x, int64_t row, T* best, IndexOf<T>* at) const {
    Pace pace;
    for (int64_t o = 0; o < width(); ++o) {
      const int64_t first = start(2, o), dilation = w_.dilation[2];
      const int64_t begin = first >= 0 ? 0 : std::min(w_.kernel[2], ceil_div(-first, dilation));
      const int64_t end = first >= w_.in[2] ? 0 : std::min(w_.kernel[2], ceil_div(w_.in[2] - first, dilation));
      T most = best[o];
      IndexOf<T> where = at[o];
      for (int64_t k = begin; k < end; ++k) {
        const T element = x[first + k * dilation];
        const bool greater = (element > most || element != element) && most == most;
        if (where >= 0 && !greater) continue;
        most = element;
        where = static_cast<IndexOf<T>>(row * w_.kernel[2] + k);
      }
      best[o] = most;
      at[o] = where;
      pace.worked(end - begin);
    }
  }

  static constexpr int64_t kShort = 8;

  // The outputs of a row that read an element by a tap, and the first such element.
  struct Column {
    int64_t first, begin, count;
  };

  const Window w_;
  std::vector<Column> columns_;   // by the taps of a row
  std::vector<int64_t> offsets_;  // of the elements that taps read, from a window's first
};

}  // namespace ember::ops
