// Convolution of images of up to three sizes, the kernel of the ops in ops/defs/conv.cpp. Each output is a
// sequential FMA over kd, kh, kw, input channel, with padding as zeros; large ones are bf16x3 products
// (bf16x3_convolve.h) where bf16_terms says so, by the logical sizes of the whole convolution and `of`, the dtype of
// the operands before widening.
#pragma once

#include <cstdint>

#include "gc/storage.h"
#include "ops/kernels/images.h"
#include "ops/tensor/dtype.h"

namespace ember::ops {

// Index 0 is the depth, 1 the height, 2 the width; axes that an image lacks are of size 1. Output o and tap k read the
// input at o * stride + k * dilation - pad; the pad may be negative.
struct Window {
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1}, dilation[3] = {1, 1, 1}, pad[3] = {0, 0, 0};

  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
};

struct Channels {
  int64_t images, groups, in, out;  // in and out per group
};

class Epilogue;

// All weights are (groups * out, in, taps), contiguous. cacheable: their storage, if packed copies may be
// cached (packed_cache.h).

// y (images, groups * out, OD, OH, OW) from x (images, groups * in, D, H, W).
template <class T>
void convolve(const Window& window, const Channels& channels, DType of, Images<const T> x, const T* weights,
              Images<T> y, const gc::Storage* cacheable, const Epilogue* epilogue);

// The gradient of the input, dx (images, groups * in, D, H, W), of the convolution `forward`, from the output's: each
// element is a sequential FMA over the flipped taps by which outputs could read it, then over the output channels; dy
// is padded with zeros.
template <class T>
void convolve_transposed(const Window& forward, const Channels& channels, DType of, Images<const T> dy,
                         const T* weights, Images<T> dx, const Epilogue* epilogue);

// The gradient of the weights from x and the output's gradient: per image a sequential FMA over od, oh, ow; images
// are summed as a binary tree.
template <class T>
void convolve_weights(const Window& window, const Channels& channels, DType of, Images<const T> x, Images<const T> dy,
                      T* dw);

}  // namespace ember::ops
