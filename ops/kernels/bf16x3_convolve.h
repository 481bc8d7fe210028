// Convolutions as bf16x3 products (bf16x3_gemm.h), one for each group:
//             M (rows of A)          N (columns of B)         K, in this order
//   forward   outputs of all images  output channels          taps, input channels
//   input     elements of the input  input channels           flipped taps that reach the element, output channels
//   weights   output channels        taps, input channels     images, outputs
// Padding is zeros. In the first two each tap's channels are padded with zeros to whole steps of 32: 3x3 over 48
// channels is K = 9 * 64. Sizes decide for all groups at once, the input's gradient with M = outputs and K of all taps,
// whatever the stride; channels that fill too little of a step, in the weights' gradient of a tile, are sequential FMA.
// Magnitudes out of range (terms_fit, products_fit) make an item, one group of one image, sequential FMA; in the
// weights' gradient all. Where rows or columns would share what they read, the smallest largest magnitude is taken over
// parts of them, which is never more: in the first two a row's parts are pixels, and in the second a column's are taps;
// in the third a row's parts are images.
//
// The padded input is split into terms once, not for each tap: tiles of A are loaded from it (implicit GEMM).
#pragma once

#include <functional>
#include <vector>

#include "ops/kernels/access_map.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

// Lanes of elements, of which one of the two strides is 1.
struct Lanes {
  int64_t count, stride, elements, element_stride;
};
// Of items that begin there.
std::vector<MagnitudeRange> magnitude_ranges(const std::vector<const float*>& items, const Lanes& lanes);

// Where groups of images begin, image by image.
std::vector<const float*> groups_of(Images<const float> x, int64_t images, int64_t groups, int64_t channels,
                                    int64_t pixels);

// Whether a group's channels, over which k goes, fill enough of their steps.
bool fills_steps(int64_t groups, int64_t channels);

// Whether the magnitudes of a product over k allow bf16x3.
bool item_fits(const MagnitudeRange& a, const MagnitudeRange& b, int64_t k);

// by_fma: an item as sequential FMA. cacheable: the weights' storage, if packed copies may be cached (packed_cache.h)
// and there is one access map.
using ConvolveItem = std::function<void(Images<const float> x, const float* weights, Images<float> y)>;
void convolve_bf16x3(ConvolutionAccess access, int terms, Images<const float> x, const float* weights, Images<float> y,
                     const gc::Storage* cacheable, const Epilogue* epilogue, const ConvolveItem& by_fma);

// False, and dw unwritten, if magnitudes are out of range.
bool convolve_weights_bf16x3(const Window& window, const Channels& channels, int terms, Images<const float> x,
                             Images<const float> dy, float* dw);

}  // namespace ember::ops
