// A transposed convolution as convolutions that step by one. Output o of an axis is reached by the taps for which
// o - k * dilation + pad is a multiple of stride, which are the same ones for all o of one remainder: the outputs of
// each remainder are a convolution of the input with those taps, turned, and lie `stride` apart in the result.
#include <numeric>
#include <vector>

#include "ops/convolve.h"
#include "ops/parallel.h"

namespace ember::ops {
namespace {

// One axis of such a part: the outputs `first`, `first` + stride, ... and the turned taps `tap`, `tap` + step, ...
struct Part {
  int64_t first, outputs, tap, step, taps, dilation, pad;
};

Part part_of(const Window& forward, int d, int64_t first) {
  const int64_t stride = forward.stride[d], dilation = forward.dilation[d], kernel = forward.kernel[d];
  const int64_t common = std::gcd(stride, dilation), step = stride / common;
  const int64_t start = first + forward.pad[d] - (kernel - 1) * dilation;
  int64_t tap = 0;
  while (tap < std::min(step, kernel) && (start + tap * dilation) % stride != 0) ++tap;
  const int64_t taps = tap < std::min(step, kernel) ? (kernel - 1 - tap) / step + 1 : 0;
  const int64_t outputs = (forward.in[d] - 1 - first) / stride + 1, pad = -(start + tap * dilation) / stride;
  return {first, outputs, tap, step, taps, dilation / common, pad};
}

// Weights (groups * out, in, taps) as (groups * in, taps, out), with the taps of the parts alone.
template <class T>
void gather_weights(const T* from, const Channels& ch, const Window& forward, const Part (&parts)[3], T* to) {
  std::vector<int64_t> taps;
  const auto turned = [&](int d, int64_t i) { return forward.kernel[d] - 1 - (parts[d].tap + i * parts[d].step); };
  for (int64_t i = 0; i < parts[0].taps; ++i) {
    for (int64_t j = 0; j < parts[1].taps; ++j) {
      for (int64_t k = 0; k < parts[2].taps; ++k) {
        taps.push_back((turned(0, i) * forward.kernel[1] + turned(1, j)) * forward.kernel[2] + turned(2, k));
      }
    }
  }
  const auto count = static_cast<int64_t>(taps.size());
  for (int64_t m = 0; m < ch.groups * ch.out; ++m) {
    for (int64_t c = 0; c < ch.in; ++c) {
      const T* weight = from + (m * ch.in + c) * forward.taps();
      T* row = to + (m / ch.out * ch.in + c) * count * ch.out + m % ch.out;
      for (int64_t t = 0; t < count; ++t) row[t * ch.out] = weight[taps[static_cast<size_t>(t)]];
    }
  }
}

// A part's outputs, of all channels, to their places.
template <class T>
void scatter(const Window& forward, const Part (&parts)[3], int64_t channels, const T* from, T* dx) {
  const int64_t rows = parts[0].outputs * parts[1].outputs, columns = parts[2].outputs;
  parallel_for(channels * rows, std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, columns)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t d = parts[0].first + i % rows / parts[1].outputs * forward.stride[0];
                   const int64_t h = parts[1].first + i % parts[1].outputs * forward.stride[1];
                   T* row = dx + ((i / rows * forward.in[0] + d) * forward.in[1] + h) * forward.in[2] + parts[2].first;
                   for (int64_t k = 0; k < columns; ++k) row[k * forward.stride[2]] = from[i * columns + k];
                 }
               });
}

template <class T>
void convolve_part(const Window& forward, const Part (&parts)[3], const Channels& ch, const T* dy, const T* weights,
                   T* dx) {
  Window window;
  for (int d = 0; d < 3; ++d) {
    window.in[d] = forward.out[d];
    window.out[d] = parts[d].outputs;
    window.kernel[d] = parts[d].taps;
    window.dilation[d] = parts[d].dilation;
    window.pad[d] = parts[d].pad;
  }
  const int64_t channels = ch.images * ch.groups * ch.in;
  if (channels * window.out_size() == 0) return;
  const bool whole = window.out_size() == forward.in_size();
  const Scratch<T> taps(ch.groups * ch.in * window.taps() * ch.out), outputs(whole ? 0 : channels * window.out_size());
  gather_weights(weights, ch, forward, parts, taps.data());
  T* y = whole ? dx : outputs.data();
  if (window.taps() == 0) {
    std::fill_n(y, channels * window.out_size(), T{0});
  } else {
    convolve(window, {ch.images, ch.groups, ch.out, ch.in}, dy, taps.data(), y);
  }
  if (!whole) scatter(forward, parts, channels, y, dx);
}

}  // namespace

template <class T>
void convolve_transposed(const Window& forward, const Channels& ch, const T* dy, const T* weights, T* dx) {
  const auto remainders = [&](int axis) { return std::min(forward.stride[axis], forward.in[axis]); };
  for (int64_t d = 0; d < remainders(0); ++d) {
    for (int64_t h = 0; h < remainders(1); ++h) {
      for (int64_t w = 0; w < remainders(2); ++w) {
        const Part parts[3] = {part_of(forward, 0, d), part_of(forward, 1, h), part_of(forward, 2, w)};
        convolve_part(forward, parts, ch, dy, weights, dx);
      }
    }
  }
}

template void convolve_transposed(const Window&, const Channels&, const float*, const float*, float*);
template void convolve_transposed(const Window&, const Channels&, const double*, const double*, double*);

}  // namespace ember::ops
