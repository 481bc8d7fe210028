// Convolution as matrix multiplication whose right operand is packed straight from the image: rows are taps and
// channels, columns are output pixels. Where the window steps by one, each channel is copied into a frame of zeros
// first, and a row of the matrix is a stretch of it; else columns are cut from the image, of a few images together.
// Groups of one input channel go without a matrix: each tap of the frame adds to whole rows of the output.
#include "ops/convolve.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "ops/gemm.h"
#include "ops/parallel.h"
#include "ops/rows.h"

namespace ember::ops {
namespace {

constexpr int64_t kColumns = 2048;  // output pixels of one product
constexpr int64_t kWidestPanel = 64;
constexpr int64_t kPartials = 1 << 20;  // elements of weight gradients of several images at once

// One group's input as a matrix: row (tap, channel), column (image, od, oh, ow).
template <class T>
struct Patches {
  const Window& window;
  const T* x;            // the group's first channel of the first image
  int64_t channels;      // of the group
  int64_t image_stride;  // elements from image to image

  // Elements of one tap for the columns from n0 on: calls f(first column, count, where in the image, step), where -1 is
  // zeros.
  template <class F>
  void runs(int64_t tap, int64_t n0, int64_t count, F f) const {
    const Window& w = window;
    const int64_t tap_row = tap / w.kernel[2], kw = tap - tap_row * w.kernel[2];
    const int64_t kd = tap_row / w.kernel[1], kh = tap_row - kd * w.kernel[1];
    const int64_t first_row = n0 / w.out[2], first_slab = first_row / w.out[1];
    int64_t image = first_slab / w.out[0], od = first_slab - image * w.out[0];
    int64_t oh = first_row - first_slab * w.out[1], ow = n0 - first_row * w.out[2], slab = w.source(0, od, kd);
    for (int64_t j = 0; j < count;) {
      const int64_t length = std::min(w.out[2] - ow, count - j);
      const int64_t row = slab < 0 ? -1 : w.source(1, oh, kh);
      if (row < 0) {
        f(j, length, -1, 0);
      } else {
        row_runs(j, ow, length, kw, image * image_stride + (slab * w.in[1] + row) * w.in[2], f);
      }
      j += length;
      ow = 0;
      if (++oh < w.out[1]) continue;
      oh = 0;
      if (++od == w.out[0]) {
        od = 0;
        ++image;
      }
      slab = w.source(0, od, kd);
    }
  }

  template <class F>
  void row_runs(int64_t j, int64_t ow, int64_t length, int64_t kw, int64_t line, F f) const {
    const int64_t step = window.stride[2], shift = kw * window.dilation[2] - window.pad[2];
    const auto first_at = [&](int64_t column) {
      const int64_t room = column - shift;
      return std::clamp<int64_t>(room <= 0 ? 0 : (room + step - 1) / step, ow, ow + length);
    };
    const int64_t begin = first_at(0), end = first_at(window.in[2]);
    if (begin > ow) f(j, begin - ow, -1, 0);
    if (end > begin) f(j + begin - ow, end - begin, line + begin * step + shift, step);
    if (ow + length > end) f(j + end - ow, ow + length - end, -1, 0);
  }

  void pack(int64_t k0, int64_t k1, int64_t n0, int64_t n1, int64_t width, T* out) const {
    struct Run {
      int64_t first, count, at, step;
    };
    Run found[3 * kWidestPanel];
    for (int64_t k = k0; k < k1;) {
      const int64_t tap = k / channels;
      const int64_t last = std::min(k1, (tap + 1) * channels);
      size_t size = 0;
      runs(tap, n0, n1 - n0, [&](int64_t j, int64_t count, int64_t at, int64_t step) {
        found[size++] = {j, count, at, step};
      });
      for (; k < last; ++k, out += width) {
        const T* plane = x + k % channels * window.in_size();
        for (size_t r = 0; r < size; ++r)
          copy_run(plane, found[r].at, found[r].step, found[r].count, out + found[r].first, 1);
        std::fill(out + (n1 - n0), out + width, T{0});
      }
    }
  }

  // The same matrix turned: row (image, od, oh, ow), column (channel, tap), as the gradient of the weights needs it.
  void pack_turned(int64_t k0, int64_t k1, int64_t n0, int64_t n1, int64_t width, T* out) const {
    for (int64_t j = 0; j < width; ++j) {
      if (n0 + j >= n1) {
        copy_run(nullptr, -1, 0, k1 - k0, out + j, width);
        continue;
      }
      const T* plane = x + (n0 + j) / window.taps() * window.in_size();
      runs((n0 + j) % window.taps(), k0, k1 - k0, [&](int64_t k, int64_t count, int64_t at, int64_t step) {
        copy_run(plane, at, step, count, out + k * width + j, width);
      });
    }
  }

  // Runs are a dozen elements long: two copies of one size that may overlap, not a call.
  static void copy_few(const T* from, int64_t count, T* to) {
    const auto both_ends = [&]<int64_t N>(std::integral_constant<int64_t, N>) {
      std::array<T, N> head, tail;
      std::memcpy(head.data(), from, sizeof head);
      std::memcpy(tail.data(), from + count - N, sizeof tail);
      std::memcpy(to, head.data(), sizeof head);
      std::memcpy(to + count - N, tail.data(), sizeof tail);
    };
    if (count > 16) {
      std::copy_n(from, count, to);
    } else if (count >= 8) {
      both_ends(std::integral_constant<int64_t, 8>());
    } else if (count >= 4) {
      both_ends(std::integral_constant<int64_t, 4>());
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] = from[i];
    }
  }

  static void copy_run(const T* plane, int64_t at, int64_t step, int64_t count, T* out, int64_t out_step) {
    if (at < 0) {
      for (int64_t i = 0; i < count; ++i) out[i * out_step] = T{0};
    } else if (step == 1 && out_step == 1) {
      copy_few(plane + at, count, out);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i * out_step] = plane[at + i * step];
    }
  }
};

// One channel of an image with the zeros around it that the window reads.
template <class T>
struct Frame {
  const Window& window;
  int64_t depth, rows, columns;

  explicit Frame(const Window& w) : window(w), depth(extent(0)), rows(extent(1)), columns(extent(2)) {}

  int64_t extent(int d) const {
    return (window.out[d] - 1) * window.stride[d] + (window.kernel[d] - 1) * window.dilation[d] + 1;
  }
  int64_t size() const { return depth * rows * columns; }
  // Where a tap of the first window reads.
  int64_t tap(int64_t kd, int64_t kh, int64_t kw) const {
    return (kd * window.dilation[0] * rows + kh * window.dilation[1]) * columns + kw * window.dilation[2];
  }
  // The stretch from the first output's place to the last one's, when the window steps by one.
  int64_t stretch() const { return ((window.out[0] - 1) * rows + window.out[1] - 1) * columns + window.out[2]; }
  bool is_the_image() const {
    for (int d = 0; d < 3; ++d) {
      if (window.pad[d] != 0 || extent(d) != window.in[d]) return false;
    }
    return true;
  }

  // Into a frame that is zero, or held another channel.
  void fill(const T* image, T* out) const {
    const Window& w = window;
    const int64_t begin = std::max<int64_t>(0, -w.pad[2]), end = std::min(w.in[2], columns - w.pad[2]);
    for (int64_t line = 0; line < w.in[0] * w.in[1]; ++line, image += w.in[2]) {
      const int64_t slab = line / w.in[1] + w.pad[0], row = line % w.in[1] + w.pad[1];
      if (slab < 0 || slab >= depth || row < 0 || row >= rows) continue;
      std::copy(image + begin, image + std::max(begin, end), out + (slab * rows + row) * columns + w.pad[2] + begin);
    }
  }
};

// The matrix of a convolution that steps by one, over frames: row (tap, channel) is the channel's frame from the tap's
// place on, column n its element n, so nothing has to be cut into rows. Columns that lie in no output are computed and
// dropped.
template <class T>
struct Framed {
  const Frame<T>& frame;
  const T* frames;  // by channel
  int64_t channels;

  void pack(int64_t k0, int64_t k1, int64_t n0, int64_t n1, int64_t width, T* out) const {
    const Window& w = frame.window;
    for (int64_t k = k0, last = 0; k < k1; out += (last - k) * width, k = last) {
      const int64_t tap = k / channels, channel = k % channels;
      last = std::min(k1, (tap + 1) * channels);
      const int64_t row = tap / w.kernel[2];
      const int64_t at = frame.tap(row / w.kernel[1], row % w.kernel[1], tap % w.kernel[2]);
      pack_panel(last - k, n1 - n0, width, frames + channel * frame.size() + at + n0, frame.size(), out);
    }
  }

  static void pack_panel(int64_t depth, int64_t lanes, int64_t width, const T* from, int64_t step, T* out) {
    if constexpr (std::is_same_v<T, float>) {
      EMBER_KERNEL(gemm_pack(depth, lanes, width, from, step, 1, out));
    } else {
      for (int64_t p = 0; p < depth; ++p) {
        std::copy_n(from + p * step, lanes, out + p * width);
        std::fill(out + p * width + lanes, out + (p + 1) * width, T{0});
      }
    }
  }
};

// C (m, n) = A (m, k) B, with A's rows contiguous and B packed by pack(k0, k1, n0, n1, width, out).
template <class T, class Pack>
void multiply(const Pack& pack, int64_t m, int64_t n, int64_t k, const T* a, T* c, int64_t ldc) {
  if constexpr (std::is_same_v<T, float>) {
    const auto call = [](const void* p, int64_t k0, int64_t k1, int64_t n0, int64_t n1, int nr, float* out) {
      (*static_cast<const Pack*>(p))(k0, k1, n0, n1, nr, out);
    };
    run_gemm({m, n, k, a, k, 1, {&pack, call}, c, ldc});
  } else {
    const Scratch<T> b(k * std::min(n, kWidestPanel));
    for (int64_t n0 = 0; n0 < n; n0 += kWidestPanel) {
      const int64_t n1 = std::min(n, n0 + kWidestPanel);
      pack(0, k, n0, n1, n1 - n0, b.data());
      EMBER_KERNEL(gemm_direct(m, n1 - n0, k, a, k, 1, b.data(), n1 - n0, c + n0, ldc));
    }
  }
}

// Whether a convolution is done over frames: it steps by one, and few columns are dropped.
template <class T>
bool suits_frames(const Frame<T>& frame) {
  const Window& w = frame.window;
  const bool steps_by_one = w.stride[0] == 1 && w.stride[1] == 1 && w.stride[2] == 1;
  return steps_by_one && ((w.out[0] - 1) * frame.rows + w.out[1]) * frame.columns <= w.out_size() * 5 / 4;
}

// One group of one image.
template <class T>
void convolve_framed(const Frame<T>& frame, const Channels& ch, const T* x, const T* weights, T* frames, T* product,
                     T* y) {
  const Window& w = frame.window;
  if (!frame.is_the_image()) {
    parallel_for(ch.in, std::max<int64_t>(1, (1 << 15) / frame.size()), [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) frame.fill(x + c * w.in_size(), frames + c * frame.size());
    });
  }
  const Framed<T> framed{frame, frame.is_the_image() ? x : frames, ch.in};
  const auto pack = [&](auto... range) { framed.pack(range...); };
  const int64_t columns = frame.stretch();
  const bool direct = columns == w.out_size();
  multiply(pack, ch.out, columns, w.taps() * ch.in, weights, direct ? y : product, columns);
  if (direct) return;
  parallel_for(ch.out, std::max<int64_t>(1, (1 << 15) / columns), [&](int64_t begin, int64_t end) {
    for (int64_t m = begin; m < end; ++m) {
      T* to = y + m * w.out_size();
      for (int64_t row = 0; row < w.out[0] * w.out[1]; ++row, to += w.out[2]) {
        const int64_t line = row / w.out[1] * frame.rows + row % w.out[1];
        std::copy_n(product + m * columns + line * frame.columns, w.out[2], to);
      }
    }
  });
}

template <class T>
void convolve_all_framed(const Frame<T>& frame, const Channels& ch, const T* x, const T* weights, T* y) {
  const Window& w = frame.window;
  const int64_t elements = frame.is_the_image() ? 0 : ch.in * frame.size();
  const Scratch<T> frames(elements);
  std::fill_n(frames.data(), elements, T{0});
  const Scratch<T> product(ch.out * frame.stretch());
  for (int64_t image = 0; image < ch.images; ++image) {
    for (int64_t g = 0; g < ch.groups; ++g) {
      const int64_t part = image * ch.groups + g;
      convolve_framed(frame, ch, x + part * ch.in * w.in_size(), weights + g * ch.out * w.taps() * ch.in, frames.data(),
                      product.data(), y + part * ch.out * w.out_size());
    }
  }
}

// Several small images make one product, whose rows are then cut into images.
template <class T>
void convolve_matrix(const Window& w, const Channels& ch, const T* x, const T* weights, T* y) {
  const int64_t together = std::clamp<int64_t>(kColumns / w.out_size(), 1, ch.images);
  const int64_t k = w.taps() * ch.in;
  const Scratch<T> product(together > 1 ? ch.out * together * w.out_size() : 0);
  for (int64_t image = 0; image < ch.images; image += together) {
    const int64_t count = std::min(together, ch.images - image);
    for (int64_t g = 0; g < ch.groups; ++g) {
      const T* from = x + (image * ch.groups + g) * ch.in * w.in_size();
      T* to = y + (image * ch.groups + g) * ch.out * w.out_size();
      const Patches<T> patches{w, from, ch.in, ch.groups * ch.in * w.in_size()};
      T* c = count > 1 ? product.data() : to;
      const int64_t columns = count * w.out_size();
      const auto pack = [&](auto... range) { patches.pack(range...); };
      multiply(pack, ch.out, columns, k, weights + g * ch.out * k, c, columns);
      if (count == 1) continue;
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t m = 0; m < ch.out; ++m) {
          std::copy_n(c + m * columns + i * w.out_size(), w.out_size(),
                      to + (i * ch.groups * ch.out + m) * w.out_size());
        }
      }
    }
  }
}

template <class T>
void convolve_channel(const Frame<T>& frame, const T* from, const T* weights, T* y) {
  const Window& w = frame.window;
  const RowKernels<T>& row = row_kernels<T>();
  std::fill_n(y, w.out_size(), T{0});
  for (int64_t line = 0; line < w.out[0] * w.out[1]; ++line, y += w.out[2]) {
    const int64_t od = line / w.out[1], oh = line % w.out[1];
    const T* start = from + (od * w.stride[0] * frame.rows + oh * w.stride[1]) * frame.columns;
    const T* weight = weights;
    for (int64_t kd = 0; kd < w.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < w.kernel[1]; ++kh) {
        const T* read = start + frame.tap(kd, kh, 0);
        for (int64_t kw = 0; kw < w.kernel[2]; ++kw) {
          row.multiply_add(read + kw * w.dilation[2], w.stride[2], *weight++, y, w.out[2]);
        }
      }
    }
  }
}

template <class T>
void convolve_depthwise(const Window& w, const Channels& ch, const T* x, const T* weights, T* y) {
  const Frame<T> frame(w);
  const int64_t channels = ch.images * ch.groups;
  const int64_t parts = std::min<int64_t>(channels, 4 * threads());
  const int64_t size = frame.size();
  const Scratch<T> frames(parts * size);
  std::fill_n(frames.data(), parts * size, T{0});
  const int64_t cost = std::max<int64_t>(1, channels / parts * ch.out * w.out_size() * w.taps());
  parallel_for(parts, std::max<int64_t>(1, (1 << 16) / cost), [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* space = frames.data() + part * size;
      for (int64_t p = channels * part / parts; p < channels * (part + 1) / parts; ++p) {
        frame.fill(x + p * w.in_size(), space);
        for (int64_t m = 0; m < ch.out; ++m) {
          const int64_t channel = p % ch.groups * ch.out + m;
          convolve_channel(frame, space, weights + channel * w.taps(), y + (p * ch.out + m) * w.out_size());
        }
      }
    }
  });
}

template <class T>
void image_weights(const Window& w, const Channels& ch, const T* x, const T* dy, T* dw) {
  for (int64_t g = 0; g < ch.groups; ++g) {
    const Patches<T> patches{w, x + g * ch.in * w.in_size(), ch.in, 0};
    const int64_t n = ch.in * w.taps();
    const auto pack = [&](auto... range) { patches.pack_turned(range...); };
    multiply(pack, ch.out, n, w.out_size(), dy + g * ch.out * w.out_size(), dw + g * ch.out * n, n);
  }
}

}  // namespace

template <class T>
void convolve(const Window& w, const Channels& ch, const T* x, const T* weights, T* y) {
  if (ch.images * ch.groups * ch.out * w.out_size() == 0) return;
  if (ch.in == 1 && ch.groups > 1) {
    convolve_depthwise(w, ch, x, weights, y);
  } else if (const Frame<T> frame(w); suits_frames(frame)) {
    convolve_all_framed(frame, ch, x, weights, y);
  } else {
    convolve_matrix(w, ch, x, weights, y);
  }
}

// Images are done in groups of a power of two, all of a group at once; groups then fold as a binary counter counts.
template <class T>
void convolve_weights(const Window& w, const Channels& ch, const T* x, const T* dy, T* dw) {
  const int64_t size = ch.groups * ch.out * ch.in * w.taps();
  if (size == 0) return;
  if (ch.images == 0) {
    std::fill_n(dw, size, T{0});
    return;
  }
  const ReduceKernels& add = reduce_kernels(ReduceKind::Sum, dtype_of<T>);
  int64_t group = 1;
  while (group < 64 && group < ch.images && 2 * group * size <= kPartials) group *= 2;
  std::vector<Scratch<T>> stack;
  for (int64_t done = 0, number = 0; done < ch.images; done += group, ++number) {
    const int64_t count = std::min(group, ch.images - done);
    stack.emplace_back(count * size);
    T* parts = stack.back().data();
    const auto images = [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        image_weights(w, ch, x + (done + i) * ch.groups * ch.in * w.in_size(),
                      dy + (done + i) * ch.groups * ch.out * w.out_size(), parts + i * size);
      }
    };
    count > 1 ? parallel_for_throwing(count, 1, images) : images(0, count);
    for (int64_t step = 1; step < count; step *= 2) {
      for (int64_t i = 0; i + step < count; i += 2 * step) add.merge(parts + i * size, parts + (i + step) * size, size);
    }
    for (int64_t bit = number; bit & 1; bit >>= 1) {
      add.merge(stack[stack.size() - 2].data(), stack.back().data(), size);
      stack.pop_back();
    }
  }
  while (stack.size() > 1) {
    add.merge(stack[stack.size() - 2].data(), stack.back().data(), size);
    stack.pop_back();
  }
  std::copy_n(stack[0].data(), size, dw);
}

template void convolve(const Window&, const Channels&, const float*, const float*, float*);
template void convolve(const Window&, const Channels&, const double*, const double*, double*);
template void convolve_weights(const Window&, const Channels&, const float*, const float*, float*);
template void convolve_weights(const Window&, const Channels&, const double*, const double*, double*);

}  // namespace ember::ops
