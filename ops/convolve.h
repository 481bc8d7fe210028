// Two-dimensional convolution of contiguous tensors, the kernel of the ops in ops/conv.cpp. Each output is one fma
// chain over kh, kw, input channel; padding and inserted zeros take part as zeros.
#pragma once

#include <cstdint>

namespace ember::ops {

// Index 0 is the height, 1 the width. Output o and tap k read the input at o * stride + k * dilation - pad, where the
// input has insert - 1 zeros between its elements; the pad may be negative.
struct Window {
  int64_t in[2], out[2], kernel[2];
  int64_t stride[2], dilation[2], pad[2];
  int64_t insert[2] = {1, 1};

  int64_t taps() const { return kernel[0] * kernel[1]; }
  int64_t in_size() const { return in[0] * in[1]; }
  int64_t out_size() const { return out[0] * out[1]; }
  // The input's index along one dimension, or -1 for a zero.
  int64_t source(int d, int64_t o, int64_t k) const {
    const int64_t at = o * stride[d] + k * dilation[d] - pad[d];
    if (at < 0 || at >= in[d] * insert[d] || at % insert[d] != 0) return -1;
    return at / insert[d];
  }
};

struct Channels {
  int64_t images, groups, in, out;  // in and out per group
};

// y (images, groups * out, OH, OW) from x (images, groups * in, H, W) and weights (groups * out, taps, in).
template <class T>
void convolve(const Window& window, const Channels& channels, const T* x, const T* weights, T* y);

// The gradient of the weights (groups * out, in, taps) from x and the output's gradient: per image a chain over oh, ow;
// images fold as a tree.
template <class T>
void convolve_weights(const Window& window, const Channels& channels, const T* x, const T* dy, T* dw);

}  // namespace ember::ops
