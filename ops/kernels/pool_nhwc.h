// Pooling of NHWC images, all channels of a pixel at once. Each channel's elements combine in the order of NCHW
// (pool.cpp).
#pragma once

#include <algorithm>
#include <vector>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/max_pool_rows.h"
#include "ops/kernels/pool_windows.h"
#include "ops/program/strided.h"

namespace ember::ops {

inline constexpr int64_t kPixelWork = 1 << 15;  // elements read, worth a thread
inline constexpr int64_t kChannelBlock = 16;    // channels that a task adds to

template <class T>
void max_nhwc(const Window& w, int64_t images, int64_t channels, const T* x, T* y, int64_t* index) {
  const auto inside = [&](int d, int64_t o, int64_t k) {
    const int64_t at = o * w.stride[d] - w.pad[d] + k * w.dilation[d];
    return at >= 0 && at < w.in[d] ? at : -1;
  };
  const int64_t lines = w.out[0] * w.out[1], cost = std::max<int64_t>(1, w.out[2] * w.taps() * channels);
  const auto line = [&](int64_t i, IndexOf<T>* at, std::vector<int64_t>& positions) {
    const int64_t depth = i % lines / w.out[1], height = i % w.out[1];
    const T* image = x + i / lines * w.in_size() * channels;
    for (int64_t o = 0; o < w.out[2]; ++o) {
      T* best = y + (i * w.out[2] + o) * channels;
      int64_t* to = index + (i * w.out[2] + o) * channels;
      std::fill_n(best, channels, T{0});
      std::fill_n(at, channels, IndexOf<T>{-1});
      for (int64_t tap = 0; tap < w.taps(); ++tap) {
        const int64_t row = tap / w.kernel[2];
        const int64_t z = inside(0, depth, row / w.kernel[1]), h = inside(1, height, row % w.kernel[1]);
        const int64_t v = inside(2, o, tap % w.kernel[2]);
        if (z < 0 || h < 0 || v < 0) continue;
        const int64_t position = positions[static_cast<size_t>(tap)] = (z * w.in[1] + h) * w.in[2] + v;
        MaxPoolRows<T>::maximum(image + position * channels, 1, static_cast<IndexOf<T>>(tap), best, at, channels);
      }
      for (int64_t c = 0; c < channels; ++c) {
        to[c] = at[c] < 0 ? -1 : positions[static_cast<size_t>(at[c])];
        if (at[c] < 0) best[c] = std::numeric_limits<T>::lowest();
      }
    }
  };
  parallel_for_throwing(images * lines, std::max<int64_t>(1, kPixelWork / cost), [&](int64_t begin, int64_t end) {
    const Scratch<IndexOf<T>> at(channels);
    std::vector<int64_t> positions(static_cast<size_t>(w.taps()));
    for (int64_t i = begin; i < end; ++i) line(i, at, positions);
  });
}

// NCHW to NHWC: rows of a few channels at a time, transposed.
template <class T>
void max_nchw_to_nhwc(const Window& w, int64_t images, int64_t channels, const T* x, T* y, int64_t* index) {
  const MaxPoolRows<T> pool(w);
  const int64_t lines = pool.lines(), width = pool.width(), blocks = ceil_div(channels, kChannelBlock);
  const int64_t cost = std::max<int64_t>(1, kChannelBlock * width * pool.taps());
  struct TransposedCopies {
    StridedCopy most, positions;
  };
  const auto transposed = [&](int64_t count) {
    const Shape shape{width, count}, from{1, width}, to{channels, 1};
    return TransposedCopies{{dtype_of<T>, shape, from, to}, {DType::Int64, shape, from, to}};
  };
  const TransposedCopies whole = transposed(kChannelBlock), last = transposed(channels - (blocks - 1) * kChannelBlock);
  parallel_for_throwing(
      images * blocks * lines, std::max<int64_t>(1, kPixelWork / cost), [&](int64_t begin, int64_t end) {
        const Scratch<T> best(width), most(kChannelBlock * width);
        const Scratch<IndexOf<T>> at(width);
        const Scratch<int64_t> positions(kChannelBlock * width);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t line = i % lines, block = i / lines % blocks, image = i / lines / blocks;
          const int64_t first = block * kChannelBlock, count = std::min(kChannelBlock, channels - first);
          for (int64_t c = 0; c < count; ++c) {
            const T* plane = x + (image * channels + first + c) * w.in_size();
            pool.run(line, plane, best, at, most + c * width, positions + c * width);
          }
          const int64_t to = (image * lines + line) * width * channels + first;
          const TransposedCopies& copies = block + 1 < blocks ? whole : last;
          copies.most.run(most, y + to);
          copies.positions.run(positions, index + to);
        }
      });
}

// Calls f(image, first channel, end) for blocks of an image's channels.
template <class F>
void for_channel_blocks(int64_t images, int64_t channels, int64_t cost, F f) {
  const int64_t blocks = ceil_div(channels, kChannelBlock);
  const int64_t work = std::max<int64_t>(1, cost * kChannelBlock);
  parallel_for(images * blocks, std::max<int64_t>(1, kPixelWork / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % blocks * kChannelBlock;
      f(i / blocks, first, std::min(first + kChannelBlock, channels));
    }
  });
}

template <class T>
void clear_block(T* image, int64_t pixels, int64_t channels, int64_t begin, int64_t end) {
  for (int64_t p = 0; p < pixels; ++p) std::fill(image + p * channels + begin, image + p * channels + end, T{0});
}

template <class T>
void max_backward_nhwc(int64_t images, int64_t channels, int64_t in, int64_t out, const T* dy, const int64_t* index,
                       T* dx) {
  for_channel_blocks(images, channels, in + out, [&](int64_t image, int64_t begin, int64_t end) {
    T* to = dx + image * in * channels;
    clear_block(to, in, channels, begin, end);
    for (int64_t o = image * out; o < (image + 1) * out; ++o) {
      for (int64_t c = begin; c < end; ++c) {
        const int64_t at = index[o * channels + c];
        if (at < 0 || at >= in) continue;
        T& sum = to[at * channels + c];
        sum = static_cast<T>(sum + dy[o * channels + c]);
      }
    }
  });
}

// divisor(spans of a window): what its sum is divided by.
template <class T, class Divisor>
void average_nhwc(const PoolWindows& windows, int64_t images, int64_t channels, Divisor divisor, const T* x, T* y) {
  for_channel_blocks(images, channels, windows.reads(), [&](int64_t image, int64_t begin, int64_t end) {
    const T* from = x + image * windows.in_size() * channels;
    windows.for_each_window([&](int64_t o, const PoolSpan& d, const PoolSpan& h, const PoolSpan& w) {
      T* to = y + (image * windows.out_size() + o) * channels;
      std::fill(to + begin, to + end, T{0});
      windows.for_each_row(d, h, w, [&](int64_t at, int64_t last) {
        for (; at < last; ++at) {
          for (int64_t c = begin; c < end; ++c) to[c] = static_cast<T>(to[c] + from[at * channels + c]);
        }
      });
      const T by = divisor(d, h, w);
      for (int64_t c = begin; c < end; ++c) to[c] = static_cast<T>(to[c] / by);
    });
  });
}

template <class T, class Divisor>
void average_backward_nhwc(const PoolWindows& windows, int64_t images, int64_t channels, Divisor divisor, const T* dy,
                           T* dx) {
  for_channel_blocks(images, channels, windows.in_size() + windows.reads(),
                     [&](int64_t image, int64_t begin, int64_t end) {
                       T* to = dx + image * windows.in_size() * channels;
                       clear_block(to, windows.in_size(), channels, begin, end);
                       windows.for_each_window([&](int64_t o, const PoolSpan& d, const PoolSpan& h, const PoolSpan& w) {
                         const T* from = dy + (image * windows.out_size() + o) * channels;
                         const T by = divisor(d, h, w);
                         T share[kChannelBlock];
                         for (int64_t c = begin; c < end; ++c) share[c - begin] = static_cast<T>(from[c] / by);
                         windows.for_each_row(d, h, w, [&](int64_t at, int64_t last) {
                           for (; at < last; ++at) {
                             T* sums = to + at * channels;
                             for (int64_t c = begin; c < end; ++c) sums[c] = static_cast<T>(sums[c] + share[c - begin]);
                           }
                         });
                       });
                     });
}

}  // namespace ember::ops
