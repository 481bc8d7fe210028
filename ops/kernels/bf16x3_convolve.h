// Convolution in products of bfloat16 terms, by the definition of bf16x3_gemm.h. There is a product for each group:
//   forward  A's rows are the outputs of all images, B's columns the output channels; k goes over the taps in row-major
//            order, and for each over the input channels, filled up with zeros to whole steps
//   input    rows are the input's elements, columns the input channels; k goes over the turned taps by which an output
//            could read the element, and for each over the output channels, filled up as well
//   weights  rows are the output channels, columns the taps of the input channels; k goes over the images, and for each
//            over the outputs
// Padding is zeros. Sizes decide once for all groups, so for the input's gradient M is the number of outputs and K that
// of all taps, whatever the stride. Channels that would fill too little of their steps,
// and in the weights' gradient too little of a tile, are chains. What falls back to
// the by_fma is an item, one group of one image, by the numbers of that and of what it is multiplied with; in the
// weights' gradient it is all.
//
// The frames (padded_input.h) are split once, not for each tap: the tiles that read them are read where they lie.
#pragma once

#include <functional>
#include <vector>

#include "ops/kernels/access_map.h"
#include "ops/kernels/bf16x3_gemm.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

// Of each group of each image.
std::vector<MagnitudeRange> magnitude_ranges(Images<const float> x, int64_t images, int64_t groups, int64_t channels,
                                             int64_t pixels);

// Whether a group's channels, over which k goes, fill enough of their steps.
bool fills_steps(int64_t groups, int64_t channels);

// Whether an item may be of terms.
bool item_fits(const MagnitudeRange& a, const MagnitudeRange& b);

// by_fma: does one item. cacheable: the weights' storage, if packed copies of it may be cacheable (packed_cache.h) and
// there is one reading.
using ConvolveItem = std::function<void(Images<const float> x, const float* weights, Images<float> y)>;
void convolve_bf16x3(ConvolutionAccess readings, int terms, Images<const float> x, const float* weights,
                     Images<float> y, const gc::Storage* cacheable, const Epilogue* epilogue,
                     const ConvolveItem& by_fma);

// False if some numbers forbid terms: then dw is not written, and the whole is of chains.
bool convolve_weights_bf16x3(const Window& window, const Channels& channels, int terms, Images<const float> x,
                             Images<const float> dy, float* dw);

}  // namespace ember::ops
