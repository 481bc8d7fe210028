// Direct convolution of NHWC padded input: a batch-reduce GEMM for each block of outputs,
//   y[o, n] = sum over taps t, channels c of padded[index(o, t), c] * packed[t, c, n]
// whose rows are outputs of a row (their channel vectors have one stride), whose columns are output channels, and whose
// batch elements are the taps. Kernel 3x3 over 64 channels: 9 batch elements of depth 64. An NCHW result is transposed
// as it is written. Depthwise, n is the group, c vanishes and the sum is elementwise.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/kernels/access_map.h"
#include "ops/matmul/gemm.h"
#include "ops/program/program.h"

namespace ember::ops {

// Weights packed in panels of a tile's columns, [slice][panel][tap][channel][nr]. A slice is a group; depthwise, where
// columns are groups, it is an output channel of each. cacheable: the weights' storage, if packed copies may be cached
// (packed_cache.h).
template <class T>
class PackedWeights {
 public:
  PackedWeights(const T* weights, const WeightStrides& strides, const Channels& channels, int64_t taps,
                const gc::Storage* cacheable);

  bool depthwise() const { return channels_.in == 1 && channels_.groups > 1; }
  int64_t columns() const { return depthwise() ? channels_.groups : channels_.out; }
  int64_t slices() const { return depthwise() ? channels_.out : channels_.groups; }
  int64_t panels() const { return ceil_div(columns(), nr_); }
  const T* panel(int64_t slice, int64_t index) const {
    return static_cast<const T*>(packed_->data()) + (slice * panels() + index) * size_;
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

// The outputs of one access map.
template <class T>
class NhwcConvolution {
 public:
  NhwcConvolution(const PaddedInput& padded, const AccessAxis (&axes)[3], const Channels& channels,
                  const PackedWeights<T>& weights, const int64_t (&kernel)[3], const int64_t (&result)[3]);

  // An epilogue numbers y's elements from `first`.
  void run(int64_t images, const T* padded, Images<T> y, const Epilogue* epilogue, int64_t first) const;
  bool supports_epilogue(Images<T> y) const;

 private:
  // Consecutive outputs: the offset that the first reads, its index, how many.
  struct Rows {
    int64_t input, first, count;
  };
  // A block of k, so that its part of a panel stays in L1.
  struct Block {
    int64_t item, batch, step, depth;
  };

  void find_items(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]);
  void find_blocks();
  void find_row_blocks();
  std::vector<Rows> rows_of(int64_t row_block) const;
  void run_row_block(const std::vector<Rows>& rows, int64_t slice, int64_t panel_begin, int64_t panel_end,
                     const T* padded_image, Images<T> y) const;
  Epilogue::Region region_of(const std::vector<Rows>& rows, int64_t slice, int64_t panel_begin, int64_t panel_end,
                             Images<T> y) const;
  void multiply(const std::vector<Rows>& rows, int64_t slice, int64_t index, const T* padded_image, T* out, int64_t row,
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
  const int64_t plane_;                               // elements of a channel of the result
  bool contiguous_;                                   // outputs, in a channel of the result
  int64_t line_, lines_, slabs_;                      // rows of outputs, merged where input offsets allow
  int64_t line_parts_, lines_together_, row_blocks_;  // a row block is a part of a line, or several lines
  int64_t depth_;                                     // of an item
  std::vector<TileItem> items_;
  std::vector<Block> blocks_;
};

}  // namespace ember::ops
