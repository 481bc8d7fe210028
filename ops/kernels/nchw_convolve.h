// Convolution where a group has few outputs: a tile of the micro-kernel has output channels as its rows and outputs of
// a line as its columns; of very few output channels each is computed apart, several lines at once. So weights are read
// and results written as they lie, and nothing is turned. Each channel of an image is a frame (padded_input.h) of its
// own; where outputs are some cells apart in a line, there is a frame for each remainder, in which consecutive outputs
// read consecutive cells. A thread fills the same frames for one image after the other, and writes their zeros once.
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
  // Whether outputs of a line fill tiles better than output channels do.
  static bool suits(const ConvolutionAccess& readings);

  NchwConvolution(const ConvolutionAccess& readings, const AccessMap& reading, const T* weights);

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
    const PaddedInput frames;
    const std::vector<TileItem> items;  // that the first output of a line reads
    const std::vector<CopyRun> runs;    // of a plane, that lie in the frames of its channel
    const Scratch<T> filled;
    const Scratch<T> aside;  // lines of one channel's outputs, for results where they stand apart
  };

  PaddedInput padded_input_of(const Block& block, int64_t phase) const;
  std::vector<TileItem> items_of(const PaddedInput& frames) const;
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
  const int64_t phases_;  // frames of a channel
  const int cut_;         // axis
  const AffineOffsets output_offsets_;
};

}  // namespace ember::ops
