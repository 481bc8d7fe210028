// Access maps of convolutions: which element of the padded input an output reads by a tap, an affine function along
// each axis (depth, height, width),
//   padded index(o, t) = first + o * step + t * tap_step         result index(o) = result_first + o * result_step
// for outputs o in [0, outputs) and taps t in the order of accumulation, whose weights are taps[t].
//
// Forward, kernel 3, stride 2, pad 1, 5 elements: {3 outputs, first 0, step 2, tap_step 1, taps 0 1 2, result 0 1}:
// output 1 reads 2 3 4 of 0 x0 x1 x2 x3 x4 0. Its input's gradient has stride many maps over dy0 dy1 dy2, one for each
// remainder of the result index, with step 1 and the kernel flipped: {3, 0, 1, 1, taps 1, result 0 2}: dx0 dx2 dx4 = w1
// dy[o]; {2, 0, 1, 1, taps 2 0, result 1 2}: dx1 dx3 = w2 dy[o] + w0 dy[o + 1].
#pragma once

#include <cstdint>
#include <vector>

#include "ops/kernels/convolve.h"
#include "ops/kernels/padded_input.h"

namespace ember::ops {

struct AccessAxis {
  int64_t outputs;
  int64_t first, step, tap_step;
  std::vector<int64_t> taps;
  int64_t result_first, result_step;
};

struct AccessMap {
  AccessAxis axes[3];
};

// A tap: its index in the weights, and the offset of what it reads from what the first tap reads, by axis.
struct Tap {
  int64_t weight, offset[3];
};
std::vector<Tap> taps_of(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]);  // in the order of accumulation

// Element offsets of outputs (i, j, k): first + i * step[0] + j * step[1] + k * step[2].
struct AffineOffsets {
  int64_t first = 0, step[3];
};
AffineOffsets output_offsets_of(const AccessAxis (&axes)[3], const int64_t (&result)[3]);  // in a channel of the result
AffineOffsets input_offsets_of(const AccessAxis (&axes)[3],
                               const PaddedInput& padded);  // of the first tap

// Of the forward convolution.
PaddedInput padded_input_of(const Window& window, int64_t channels);
AccessAxis access_axis(const Window& window, int d);

// Of weights seen as (group, column, channel, tap), where taps are contiguous.
struct WeightStrides {
  int64_t group, column, channel;
};

// A convolution over the padded input of its operand: sizes, and one access map, or several that write disjoint
// outputs.
struct ConvolutionAccess {
  Channels channels;  // in: of the operand; out: of the result, the columns of the weights
  PaddedInput padded;
  WeightStrides strides;
  int64_t kernel[3], result[3];
  std::vector<AccessMap> maps;

  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t plane() const { return result[0] * result[1] * result[2]; }
};
ConvolutionAccess access_of(const Window& window, const Channels& channels);
ConvolutionAccess transposed_access_of(const Window& forward, const Channels& channels);

}  // namespace ember::ops
