// Convolution where a group has few outputs: a tile of the micro-kernel has output channels as its rows and outputs of
// a line as its columns. So weights are read and results written as they lie, and nothing is turned. Each channel of an
// image is a frame (frames.h) of its own; where outputs are some cells apart in a line, there is a frame for each
// remainder, in which consecutive outputs read consecutive cells.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/convolve.h"
#include "ops/frames.h"
#include "ops/gemm.h"
#include "ops/reading.h"
#include "ops/scratch.h"

namespace ember::ops {

template <class T>
class PlaneConvolution {
 public:
  // Whether outputs of a line fill tiles better than output channels do.
  static bool suits(const Readings& readings);

  PlaneConvolution(const Readings& readings, const Reading& reading, const T* weights);

  void run(const T* x, T* y) const;

 private:
  // Outputs along the axis that is cut for tasks.
  struct Block {
    int64_t begin, end;
  };

  // What the tasks of a block share.
  struct Work {
    Work(const PlaneConvolution& of, const Block& block);
    const Block block;
    const Frames frames;
    const std::vector<TileItem> items;  // that the first output of a line reads
    const Scratch<T> filled;
  };

  Frames frames_of(const Block& block, int64_t phase) const;
  std::vector<TileItem> items_of(const Frames& frames) const;
  int64_t lines_together() const;
  void run_block(const Work& work, const T* weights, const T* x, T* y) const;
  void run_line(const Work& work, const T* weights, const T* line, T* y) const;

  const TileKernel<T> kernel_;
  const Channels channels_;
  const FrameAxis (&frame_)[3];
  const ReadingAxis (&axes_)[3];
  const T* const weights_;
  const WeightStrides strides_;
  const int64_t (&taps_)[3];
  const int64_t plane_;
  const int64_t phases_;  // frames of a channel
  const int cut_;         // axis
  const Spacing places_;
};

}  // namespace ember::ops
