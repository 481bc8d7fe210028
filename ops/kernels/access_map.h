// How a convolution goes over frames (padded_input.h): outputs at constant distances along each axis read the frame at
// constant distances, tap by tap, and stand at constant distances in a plane of the result. A transposed convolution is
// several such readings of the same frames.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/kernels/convolve.h"
#include "ops/kernels/gemm.h"
#include "ops/kernels/padded_input.h"
#include "ops/program/program.h"

namespace ember::ops {

struct AccessAxis {
  int64_t outputs;
  int64_t first, step;        // the cell that the first output reads by the first tap; cells from output to output
  int64_t tap_step;           // cells from tap to tap
  std::vector<int64_t> taps;  // of the weights, in the order of the chain
  int64_t result_first, result_step;  // of the first output in the result; from output to output
};

struct AccessMap {
  AccessAxis axes[3];
};

// A tap: its number among the weights', and how many cells behind the first it reads.
struct Tap {
  int64_t weight, cells[3];
};
std::vector<Tap> taps_of(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]);  // in the order of the chain

// Where the first output is, and how far outputs are apart along each axis, in elements.
struct AffineOffsets {
  int64_t first = 0, step[3];
};
AffineOffsets output_offsets_of(const AccessAxis (&axes)[3], const int64_t (&result)[3]);  // in a plane of the result
AffineOffsets input_offsets_of(const AccessAxis (&axes)[3],
                               const PaddedInput& frames);  // what they read by the first tap

// How the convolution of a window reads.
PaddedInput padded_input_of(const Window& window, int64_t channels);
AccessAxis access_axis(const Window& window, int d);

// Of weights seen as (group, column, channel, tap); the taps are beside each other.
struct WeightStrides {
  int64_t group, column, channel;
};

// All that a convolution reads of the frames of its operand.
struct ConvolutionAccess {
  Channels channels;  // in: of the operand; out: of the result, the columns of the weights
  PaddedInput frames;
  WeightStrides strides;
  int64_t kernel[3], result[3];
  std::vector<AccessMap> all;

  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t plane() const { return result[0] * result[1] * result[2]; }
};
ConvolutionAccess access_of(const Window& window, const Channels& channels);
ConvolutionAccess transposed_access_of(const Window& forward, const Channels& channels);

// Weights packed in panels of a tile's columns: for each tap, for each channel, nr columns. Where a group has one
// channel, columns are groups and there is a panel of every column of them: "by lanes". cacheable: the weights'
// storage, if packed copies of it may be cacheable (packed_cache.h).
template <class T>
class PackedWeights {
 public:
  PackedWeights(const T* weights, const WeightStrides& strides, const Channels& channels, int64_t taps,
                const gc::Storage* cacheable);

  bool depthwise() const { return channels_.in == 1 && channels_.groups > 1; }
  int64_t columns() const { return depthwise() ? channels_.groups : channels_.out; }  // that are cut into panels
  int64_t parts() const { return depthwise() ? channels_.out : channels_.groups; }
  int64_t panels() const { return ceil_div(columns(), nr_); }
  const T* panel(int64_t part, int64_t index) const {
    return static_cast<const T*>(packed_->data()) + (part * panels() + index) * size_;
  }
  int64_t tap_size() const { return channels_.in * nr_; }

 private:
  void pack(const T* weights, const WeightStrides& strides, T* all) const;
  void pack_oihw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const;
  void pack_iohw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const;
  void pack_depthwise(const T* from, const WeightStrides& strides, int64_t columns, T* out) const;

  const Channels channels_;
  const int64_t nr_, taps_, size_;  // of a panel
  gc::Ref<gc::Storage> packed_;
};

// The outputs of one reading. A tile of the micro-kernel has some of a line of outputs as its rows and columns of
// weights as its columns, its items are what the taps read; so it is computed a panel of columns at a time and, for
// a result that lies by planes, turned when it is written. Where a group has one channel, a tile's columns are groups
// instead, each with its own vector.
template <class T>
class NhwcConvolution {
 public:
  // The result has planes of result[0] * result[1] * result[2] pixels.
  NhwcConvolution(const PaddedInput& frames, const AccessAxis (&axes)[3], const Channels& channels,
                  const PackedWeights<T>& weights, const int64_t (&kernel)[3], const int64_t (&result)[3]);

  // frames, y: those of `images` images. An epilogue, where it may have parts, sees y's first element as number
  // `first`.
  void run(int64_t images, const T* frames, Images<T> y, const Epilogue* epilogue, int64_t first) const;
  // Whether all channels of consecutive outputs may be a part for an epilogue.
  bool supports_epilogue(Images<T> y) const;

 private:
  // A stretch of a line of outputs: what the first reads first, its number, how many.
  struct Rows {
    int64_t frame, first, count;
  };
  // Steps of the chains that are done at once, so that the weights' part of them stays in L1.
  struct Block {
    int64_t item, batch, step, depth;
  };

  void find_items(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]);
  void find_blocks();
  void find_pieces();
  std::vector<Rows> rows_of(int64_t piece) const;
  void run_piece(const std::vector<Rows>& rows, int64_t part, int64_t panel_begin, int64_t panel_end, const T* frame,
                 Images<T> y) const;
  Epilogue::Region region_of(const std::vector<Rows>& rows, int64_t part, int64_t panel_begin, int64_t panel_end,
                             Images<T> y) const;
  void multiply(const std::vector<Rows>& rows, int64_t part, int64_t index, const T* frame, T* out, int64_t row,
                int64_t columns) const;
  int64_t output_offset(int64_t output) const;
  void write_nchw(const std::vector<Rows>& rows, const T* block, int64_t columns, T* y) const;
  void write_nhwc(const std::vector<Rows>& rows, const T* block, int64_t columns, Images<T> y) const;

  const PaddedInput& padded_;
  const Channels channels_;
  const PackedWeights<T>& weights_;
  const TileKernel<T> kernel_;
  int64_t outputs_[3];
  const AffineOffsets input_offsets_, output_offsets_;
  const int64_t plane_;                           // of the result
  bool in_order_;                                 // they stand one after the other
  int64_t line_, lines_, slabs_;                  // lines of outputs that go on from one to the next are one
  int64_t line_parts_, lines_together_, pieces_;  // a piece is a part of a line, or several lines
  int64_t depth_;                                 // of an item
  std::vector<TileItem> items_;
  std::vector<Block> blocks_;
};

}  // namespace ember::ops
