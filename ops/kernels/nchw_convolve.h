// Direct convolution of NCHW images for groups with few output channels: the micro-kernel's rows are output channels
// and its columns consecutive outputs of a row, so that weights are read and results written without a transposition,
//   y[n, o] = sum over taps t, channels c of w[n, c, t] * padded_c[o + offset(t)]
// Each channel is padded on its own. Outputs at step s would read every s-th element; so the row is padded in s phases,
// phase_p[i] = padded[s * i + p], and tap t reads phase_(t % s)[o + t / s]. With s = 2 taps 0 1 2 read phase_0[o],
// phase_1[o], phase_0[o + 1]. Very few output channels are computed one by one, several rows of outputs at once.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/base/scratch.h"
#include "ops/kernels/access_map.h"
#include "ops/kernels/convolve.h"
#include "ops/kernels/padded_input.h"
#include "ops/simd/kernels.h"

namespace ember::ops {

template <class T>
class NchwConvolution {
 public:
  // Whether a row of outputs fills a tile better than output channels do.
  static bool suits(const ConvolutionAccess& access);

  NchwConvolution(const ConvolutionAccess& access, const AccessMap& map, const T* weights);

  void run(const T* x, T* y) const;

 private:
  // Outputs along the axis that is cut for tasks.
  struct Block {
    int64_t begin, end;
  };

  // What the tasks of a block share.
  struct Work {
    Work(const NchwConvolution& of, const Block& block);
    const Block block;
    const PaddedInput padded;
    const std::vector<TileItem> items;  // of the first output of a row
    const std::vector<CopyRun> runs;    // of a channel, inside its padded input
    const Scratch<T> filled;
    const Scratch<T> staging;  // rows of one channel's outputs, where they are not contiguous in the result
  };

  PaddedInput padded_input_of(const Block& block, int64_t phase) const;
  std::vector<TileItem> items_of(const PaddedInput& padded) const;
  std::vector<CopyRun> runs_of(const Block& block) const;
  int64_t lines_together() const;
  int64_t lines_of(const Block& block) const { return cut_ == 1 ? block.end - block.begin : axes_[1].outputs; }
  void run_block(const Work& work, const T* weights, const T* x, T* y) const;
  void fill(const Work& work, const T* x) const;
  void convolve_rows(const Work& work, int64_t lines, const T* weights, const T* first, T* y) const;
  void convolve_row(const Work& work, const T* weights, const T* line, T* y) const;

  const TileKernel<T> kernel_;
  const Channels channels_;
  const PaddedAxis (&padded_axes_)[3];
  const AccessAxis (&axes_)[3];
  const T* const weights_;
  const WeightStrides strides_;
  const int64_t (&taps_)[3];
  const int64_t plane_;
  const int64_t phases_;  // of a channel
  const int cut_;         // axis
  const AffineOffsets output_offsets_;
};

}  // namespace ember::ops
