// Convolution in products of bfloat16 parts, by the definition of split_gemm.h. There is a product for each group:
//   forward  A's rows are the outputs of all images, B's columns the output channels; k goes over the taps in row-major
//            order, and for each over the input channels
//   input    rows are the input's elements, columns the input channels; k goes over the turned taps by which an output
//            could read the element, and for each over the output channels
//   weights  one for each image: rows are the output channels, columns the taps of the input channels, k goes over the
//            outputs; images then fold as those of chains do
// 32 consecutive k are a step, also where a tap ends among them; padding is zeros. Sizes decide once for all groups, so
// for the input's gradient M is the number of outputs and K that of all taps, whatever the stride. What falls back to
// the chain is an item, one group of one image, by the numbers of that and of what it is multiplied with.
//
// The frames (frames.h) are split once, not for each tap; where the channels of a group are whole steps, A's tiles are
// read from there, else packing copies.
#pragma once

#include <functional>
#include <vector>

#include "ops/kernels.h"
#include "ops/reading.h"

namespace ember::ops {

// Of each group of each image.
std::vector<SplitExtent> extents_of(Images<const float> x, int64_t images, int64_t groups, int64_t channels,
                                    int64_t pixels);

// Whether an item may be of parts.
bool item_fits(const SplitExtent& a, const SplitExtent& b);

// chain: does one item.
using ItemChain = std::function<void(Images<const float> x, const float* weights, Images<float> y)>;
void convolve_split(Readings readings, int parts, Images<const float> x, const float* weights, Images<float> y,
                    const Epilogue* epilogue, const ItemChain& chain);

// The products of the weights' gradient: columns are the lanes of stretches of a frame, each read from all places.
struct GradientReading {
  Channels channels;
  std::vector<int64_t> places;     // of the outputs, in their order, in elements of a frame
  std::vector<int64_t> stretches;  // where each begins
  int64_t lanes;                   // of a stretch
  int64_t frame;                   // elements of one
};

// items: groups of images, by number. frames, dy, c: of `images` images; c is (image, group, stretch, output channel,
// lane).
void multiply_split(const GradientReading& reading, int parts, const std::vector<int64_t>& items, int64_t images,
                    const float* frames, Images<const float> dy, float* c);

}  // namespace ember::ops
