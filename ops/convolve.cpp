// A convolution is one reading of the frames of its input. A transposed one is a reading for each remainder of the
// result's places by the stride: place o of an axis is reached by the taps for which o - k * dilation + pad is a
// multiple of the stride, the same ones for all places of one remainder, which are a convolution that steps by one with
// those taps turned.
#include "ops/convolve.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "ops/parallel.h"
#include "ops/reading.h"

namespace ember::ops {
namespace {

constexpr int64_t kParallelWork = 1 << 18;
constexpr int64_t kProductWork = 1 << 22;  // of a product that is worth all threads

// The places `remainder`, `remainder` + stride, ... of an axis. `first` is an element of dy, not yet a cell.
ReadingAxis transposed_axis(const Window& forward, int d, int64_t remainder) {
  const int64_t stride = forward.stride[d], dilation = forward.dilation[d], kernel = forward.kernel[d];
  const int64_t common = std::gcd(stride, dilation), period = stride / common;
  const int64_t start = remainder + forward.pad[d] - (kernel - 1) * dilation;
  const int64_t outputs = (forward.in[d] - 1 - remainder) / stride + 1;
  ReadingAxis axis{outputs, 0, 1, dilation / common, {}, remainder, outputs > 1 ? stride : 1};
  for (int64_t turned = 0; turned < kernel; ++turned) {
    if ((start + turned * dilation) % stride != 0) continue;
    if (axis.taps.empty()) axis.first = (start + turned * dilation) / stride;
    axis.taps.push_back(kernel - 1 - turned);
    turned += period - 1;
  }
  return axis;
}

std::vector<ReadingAxis> transposed_axes(const Window& forward, int d) {
  std::vector<ReadingAxis> axes;
  for (int64_t i = 0; i < std::min(forward.stride[d], forward.in[d]); ++i)
    axes.push_back(transposed_axis(forward, d, i));
  return axes;
}

// The elements that some reading reads; the readings' `first` become cells.
FrameAxis transposed_frame(const Window& forward, int d, std::vector<ReadingAxis>& axes) {
  int64_t begin = 0, end = 0;
  for (const ReadingAxis& axis : axes) {
    if (axis.taps.empty()) continue;
    const auto taps = static_cast<int64_t>(axis.taps.size());
    const int64_t last = axis.first + axis.outputs - 1 + (taps - 1) * axis.tap_step;
    const bool none = begin == end;
    begin = none ? axis.first : std::min(begin, axis.first);
    end = none ? last + 1 : std::max(end, last + 1);
  }
  for (ReadingAxis& axis : axes) axis.first -= begin;
  return {forward.out[d], begin, 1, end - begin};
}

template <class T>
void run_readings(const Frames& frames, const std::vector<FrameConvolution<T>>& readings, int64_t images, const T* x,
                  int64_t result, T* y) {
  const int64_t together = frames.together(images);
  const Scratch<T> filled(together * frames.size + Frames::kSlack);
  for (int64_t first = 0; first < images; first += together) {
    const int64_t count = std::min(together, images - first);
    frames.fill<T>(x + first * frames.image(), count, filled);
    for (const FrameConvolution<T>& reading : readings) reading.run(count, filled, y + first * result);
  }
}

// Whether output o reads element o, and nothing else, and there are enough of them to be the columns of products.
bool is_product(const Window& w) {
  constexpr int64_t kColumns = 128;
  if (w.out_size() < kColumns) return false;
  for (int d = 0; d < 3; ++d) {
    if (w.kernel[d] != 1 || w.stride[d] != 1 || w.pad[d] != 0 || w.in[d] != w.out[d]) return false;
  }
  return true;
}

// The products of each group's weights, (out, in) at these strides, with the planes of its input.
void multiply_planes(const Channels& ch, int64_t plane, const float* x, const float* weights, int64_t row,
                     int64_t column, float* y) {
  const int64_t count = ch.images * ch.groups, work = std::max<int64_t>(1, ch.out * plane * ch.in);
  const auto products = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* group = weights + i % ch.groups * ch.out * ch.in;
      run_gemm(
          {ch.out, plane, ch.in, group, row, column, x + i * ch.in * plane, plane, 1, y + i * ch.out * plane, plane});
    }
  };
  if (work < kProductWork) {
    parallel_for_throwing(count, std::max<int64_t>(1, kParallelWork / work), products);
  } else {
    products(0, count);
  }
}

}  // namespace

template <class T>
void convolve(const Window& w, const Channels& ch, const T* x, const T* weights, T* y) {
  const int64_t result = ch.groups * ch.out * w.out_size();
  if (ch.images * result == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (is_product(w)) return multiply_planes(ch, w.out_size(), x, weights, ch.in, 1, y);
  }
  const Frames frames = frames_of(w, ch.groups * ch.in);
  const PanelWeights<T> panels(weights, {ch.out * ch.in * w.taps(), ch.in * w.taps(), w.taps()}, ch, w.taps());
  const ReadingAxis axes[3] = {axis_of(w, 0), axis_of(w, 1), axis_of(w, 2)};
  std::vector<FrameConvolution<T>> readings;
  readings.emplace_back(frames, axes, ch, panels, w.kernel, w.out);
  run_readings(frames, readings, ch.images, x, result, y);
}

template <class T>
void convolve_transposed(const Window& forward, const Channels& ch, const T* dy, const T* weights, T* dx) {
  const int64_t result = ch.groups * ch.in * forward.in_size(), taps = forward.taps();
  if (ch.images * result == 0) return;
  const Channels turned{ch.images, ch.groups, ch.out, ch.in};
  if constexpr (std::is_same_v<T, float>) {
    if (is_product(forward)) return multiply_planes(turned, forward.in_size(), dy, weights, 1, ch.in, dx);
  }
  std::vector<ReadingAxis> axes[3];
  for (int d = 0; d < 3; ++d) axes[d] = transposed_axes(forward, d);
  const FrameAxis depth = transposed_frame(forward, 0, axes[0]), height = transposed_frame(forward, 1, axes[1]),
                  width = transposed_frame(forward, 2, axes[2]);
  const Frames frames(depth, height, width, ch.groups * ch.out);
  const PanelWeights<T> panels(weights, {ch.out * ch.in * taps, taps, ch.in * taps}, turned, taps);
  std::vector<FrameConvolution<T>> readings;
  for (const ReadingAxis& d : axes[0]) {
    for (const ReadingAxis& h : axes[1]) {
      for (const ReadingAxis& w : axes[2]) {
        const ReadingAxis reading[3] = {d, h, w};
        readings.emplace_back(frames, reading, turned, panels, forward.kernel, forward.in);
      }
    }
  }
  run_readings(frames, readings, ch.images, dy, result, dx);
}

template void convolve(const Window&, const Channels&, const float*, const float*, float*);
template void convolve(const Window&, const Channels&, const double*, const double*, double*);
template void convolve_transposed(const Window&, const Channels&, const float*, const float*, float*);
template void convolve_transposed(const Window&, const Channels&, const double*, const double*, double*);

}  // namespace ember::ops
