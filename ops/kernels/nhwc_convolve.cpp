// Outputs are cut into row blocks of some 96, k into blocks that fit L1; a task is a row block by some panels of
// columns.
#include "ops/kernels/nhwc_convolve.h"

#include <algorithm>
#include <utility>

#include "ops/base/parallel.h"
#include "ops/matmul/packed_cache.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kSteps = 384;        // of a block
constexpr int64_t kOutputs = 96;       // of a row block
constexpr int64_t kPanels = 8;         // that are packed together
constexpr int64_t kTransposed = 1024;  // elements of a column that are packed at once
constexpr int64_t kFew = 8;            // elements that are copied at once
constexpr int64_t kWork = 1 << 18;

template <class T>
constexpr int64_t kWidest = 256 / sizeof(T);  // panel

}  // namespace

template <class T>
PackedWeights<T>::PackedWeights(const T* weights, const WeightStrides& strides, const Channels& channels, int64_t taps,
                                const gc::Storage* cacheable)
    : channels_(channels), nr_(tile_kernel<T>().nr), taps_(taps), size_(taps * tap_size()) {
  const PackedKey form{
      PackedKey::Of::Convolution,
      weights,
      {nr_, sizeof(T), taps, channels.groups, channels.in, channels.out, strides.column, strides.channel}};
  const int64_t bytes = slices() * panels() * size_ * static_cast<int64_t>(sizeof(T));
  packed_ = find_or_pack(cacheable, form, bytes, [&](void* out) { pack(weights, strides, static_cast<T*>(out)); });
  if (packed_) return;
  packed_ = gc::allocate(static_cast<size_t>(bytes));
  pack(weights, strides, static_cast<T*>(packed_->data()));
}

template <class T>
void PackedWeights<T>::pack(const T* weights, const WeightStrides& strides, T* all) const {
  const bool oihw = strides.column > strides.channel;
  const int64_t together = depthwise() || oihw ? 1 : kPanels, groups = ceil_div(panels(), together);
  const int64_t grain = std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, size_));
  parallel_for_throwing(slices() * groups, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t slice = i / groups, index = i % groups * together, first = index * nr_;
      const int64_t count = std::min(together * nr_, columns() - first);
      T* out = all + (slice * panels() + index) * size_;
      if (depthwise()) {
        pack_depthwise(weights + first * strides.group + slice * strides.column, strides, count, out);
      } else if (oihw) {
        pack_oihw(weights + slice * strides.group + first * strides.column, strides, count, out);
      } else {
        pack_iohw(weights + slice * strides.group + first * strides.column, strides, count, out);
      }
    }
  });
}

// One panel of weights (column, channel, tap): transposed some channels at a time, then [channel][tap] to
// [tap][channel].
template <class T>
void PackedWeights<T>::pack_oihw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const {
  const int64_t together = std::max<int64_t>(1, kTransposed / taps_);
  const Scratch<T> transposed(together * taps_ * nr_);
  std::fill_n(static_cast<T*>(transposed), together * taps_ * nr_, T{0});
  for (int64_t first = 0; first < channels_.in; first += together) {
    const int64_t count = std::min(together, channels_.in - first);
    const T* source = from + first * strides.channel;
    kernels().of<T>().transpose(columns, count * taps_, source, strides.column, static_cast<T*>(transposed), nr_);
    for (int64_t tap = 0; tap < taps_; ++tap) {
      T* to = out + tap * tap_size() + first * nr_;
      for (int64_t c = 0; c < count; ++c) std::copy_n(transposed + (c * taps_ + tap) * nr_, nr_, to + c * nr_);
    }
  }
}

// Several panels of weights (channel, column, tap), so that reads of a channel are long.
template <class T>
void PackedWeights<T>::pack_iohw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const {
  if (columns % nr_ != 0) std::fill_n(out + columns / nr_ * size_, size_, T{0});
  for (int64_t c = 0; c < channels_.in; ++c, from += strides.channel) {
    for (int64_t first = 0; first < columns; first += nr_) {
      T* to = out + first / nr_ * size_ + c * nr_;
      kernels().of<T>().transpose(std::min(nr_, columns - first), taps_, from + first * strides.column, strides.column,
                                  to, tap_size());
    }
  }
}

template <class T>
void PackedWeights<T>::pack_depthwise(const T* from, const WeightStrides& strides, int64_t columns, T* out) const {
  for (int64_t tap = 0; tap < taps_; ++tap, out += nr_) {
    for (int64_t j = 0; j < nr_; ++j) out[j] = j < columns ? from[j * strides.group + tap] : T{0};
  }
}

template <class T>
NhwcConvolution<T>::NhwcConvolution(const PaddedInput& padded, const AccessAxis (&axes)[3], const Channels& channels,
                                    const PackedWeights<T>& weights, const int64_t (&kernel)[3],
                                    const int64_t (&result)[3])
    : padded_(padded),
      channels_(channels),
      weights_(weights),
      kernel_(tile_kernel<T>()),
      input_offsets_(input_offsets_of(axes, padded)),
      output_offsets_(output_offsets_of(axes, result)),
      plane_(result[0] * result[1] * result[2]) {
  for (int d = 0; d < 3; ++d) outputs_[d] = axes[d].outputs;
  contiguous_ = output_offsets_.step[2] == 1 && output_offsets_.step[1] == outputs_[2] &&
                output_offsets_.step[0] == outputs_[1] * outputs_[2];
  find_items(axes, kernel);
  find_blocks();
  find_row_blocks();
}

// A row of taps is one batch element where its pixels, and its weights, are contiguous.
template <class T>
void NhwcConvolution<T>::find_items(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]) {
  const AccessAxis& width = axes[2];
  const auto row = static_cast<int64_t>(width.taps.size());
  const bool whole_rows = channels_.groups == 1 && padded_.stride[2] == channels_.in && width.tap_step == 1 &&
                          row == kernel[2] && width.taps.front() == 0;
  depth_ = whole_rows ? row * channels_.in : channels_.in;
  for (const Tap& tap : taps_of(axes, kernel)) {
    if (whole_rows && tap.offset[2] != 0) continue;
    items_.push_back({padded_.at(tap.offset), tap.weight * weights_.tap_size()});
  }
}

template <class T>
void NhwcConvolution<T>::find_blocks() {
  if (depth_ == 0) return;
  const int64_t chunk = ceil_div(depth_, ceil_div(depth_, kSteps)), together = std::max<int64_t>(1, kSteps / depth_);
  const auto items = static_cast<int64_t>(items_.size());
  for (int64_t item = 0; item < items; item += together) {
    for (int64_t step = 0; step < depth_; step += chunk) {
      blocks_.push_back({item, std::min(together, items - item), step, std::min(chunk, depth_ - step)});
    }
  }
}

template <class T>
void NhwcConvolution<T>::find_row_blocks() {
  line_ = outputs_[2];
  lines_ = outputs_[1];
  slabs_ = outputs_[0];
  if (input_offsets_.step[1] == line_ * input_offsets_.step[2]) {
    line_ *= lines_;
    lines_ = 1;
    if (input_offsets_.step[0] == line_ * input_offsets_.step[2]) line_ *= std::exchange(slabs_, 1);
  }
  const int64_t all = lines_ * slabs_;
  line_parts_ = ceil_div(line_, kOutputs);
  lines_together_ = line_parts_ > 1 ? 1 : ceil_div(all, ceil_div(all, kOutputs / line_));
  row_blocks_ = ceil_div(all, lines_together_) * line_parts_;
}

template <class T>
auto NhwcConvolution<T>::rows_of(int64_t row_block) const -> std::vector<Rows> {
  std::vector<Rows> rows;
  const EvenParts of_line{line_, line_parts_};
  const int64_t begin = of_line.begin(row_block % line_parts_), end = of_line.end(row_block % line_parts_);
  const int64_t first = row_block / line_parts_ * lines_together_,
                last = std::min(first + lines_together_, lines_ * slabs_);
  const EvenParts tiles{end - begin, ceil_div(end - begin, kernel_.mr)};
  for (int64_t line = first; line < last; ++line) {
    const int64_t at =
        input_offsets_.first + line / lines_ * input_offsets_.step[0] + line % lines_ * input_offsets_.step[1];
    for (int64_t t = 0; t < tiles.count; ++t) {
      const int64_t from = begin + tiles.begin(t), to = begin + tiles.end(t);
      rows.push_back({at + from * input_offsets_.step[2], line * line_ + from, to - from});
    }
  }
  return rows;
}

template <class T>
bool NhwcConvolution<T>::supports_epilogue(Images<T> y) const {
  return y.nhwc() && contiguous_ && (!weights_.depthwise() || channels_.out == 1);
}

template <class T>
void NhwcConvolution<T>::run(int64_t images, const T* padded, Images<T> y, const Epilogue* epilogue,
                             int64_t first) const {
  const int64_t whole = images * row_blocks_ * weights_.slices(), wanted = 4 * threads();
  const EvenParts panels{weights_.panels(), whole >= wanted ? 1 : std::min(weights_.panels(), ceil_div(wanted, whole))};
  const int64_t splits = panels.count;
  const auto steps = std::max<int64_t>(1, static_cast<int64_t>(items_.size()) * depth_);
  const int64_t work = kOutputs * steps * std::max<int64_t>(1, weights_.columns() / splits);
  parallel_for_throwing(whole * splits, std::max<int64_t>(1, kWork / work), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t split = task % splits, slice = task / splits % weights_.slices();
      const int64_t row_block = task / splits / weights_.slices() % row_blocks_,
                    image = task / splits / weights_.slices() / row_blocks_;
      const int64_t panel = panels.begin(split), last = panels.end(split);
      const Images<T> to = y.at(image, 0, channels_.groups * channels_.out, plane_);
      const std::vector<Rows> rows = rows_of(row_block);
      run_row_block(rows, slice, panel, last, padded + image * padded_.size, to);
      if (!epilogue) continue;
      Epilogue::Region done = region_of(rows, slice, panel, last, to);
      done.first += first + (to.data - y.data);
      epilogue->run(done);
    }
  });
}

template <class T>
void NhwcConvolution<T>::run_row_block(const std::vector<Rows>& rows, int64_t slice, int64_t panel_begin,
                                       int64_t panel_end, const T* padded_image, Images<T> y) const {
  alignas(64) T block[kOutputs * kWidest<T>];
  for (int64_t index = panel_begin; index < panel_end; ++index) {
    const int64_t column = index * kernel_.nr;
    const int64_t columns = std::min<int64_t>(kernel_.nr, weights_.columns() - column);
    const int64_t channel = weights_.depthwise() ? column * channels_.out + slice : slice * channels_.out + column;
    const Images<T> to = y.at(0, channel, 0, plane_);
    const T* from = padded_image + (weights_.depthwise() ? column : slice * channels_.in);
    if (y.nhwc() && contiguous_ && !weights_.depthwise()) {
      multiply(rows, slice, index, from, to.data + output_offset(rows.front().first) * y.pixel, y.pixel, columns);
      continue;
    }
    multiply(rows, slice, index, from, block, kernel_.nr, kernel_.nr);
    to.nhwc() ? write_nhwc(rows, block, columns, to) : write_nchw(rows, block, columns, to.data);
  }
}

template <class T>
Epilogue::Region NhwcConvolution<T>::region_of(const std::vector<Rows>& rows, int64_t slice, int64_t panel_begin,
                                               int64_t panel_end, Images<T> y) const {
  const int64_t output = rows.front().first, column = panel_begin * kernel_.nr;
  const int64_t columns = std::min(panel_end * kernel_.nr, weights_.columns()) - column;
  return {output_offset(output) * y.pixel + slice * channels_.out + column,
          rows.back().first + rows.back().count - output, columns, y.pixel};
}

template <class T>
void NhwcConvolution<T>::multiply(const std::vector<Rows>& rows, int64_t slice, int64_t index, const T* padded_image,
                                  T* out, int64_t row, int64_t columns) const {
  const int64_t nr = kernel_.nr;
  const int64_t count = rows.back().first + rows.back().count - rows.front().first;
  for (int64_t i = 0; blocks_.empty() && i < count; ++i) std::fill_n(out + i * row, columns, T{0});
  for (const Block& b : blocks_) {
    T* c = out;
    for (const Rows& r : rows) {
      const Tile<T> tile{b.batch,
                         b.depth,
                         items_.data() + b.item,
                         padded_image + r.input + b.step,
                         input_offsets_.step[2],
                         1,
                         weights_.panel(slice, index) + b.step * nr,
                         nr,
                         c,
                         row,
                         r.count,
                         columns,
                         &b != blocks_.data()};
      weights_.depthwise() ? kernels().of<T>().depthwise_tile(tile) : kernel_.run(tile);
      c += r.count * row;
    }
  }
}

template <class T>
int64_t NhwcConvolution<T>::output_offset(int64_t output) const {
  if (contiguous_) return output_offsets_.first + output;
  const int64_t line = output / outputs_[2];
  return output_offsets_.first + line / outputs_[1] * output_offsets_.step[0] +
         line % outputs_[1] * output_offsets_.step[1] + output % outputs_[2] * output_offsets_.step[2];
}

template <class T>
void NhwcConvolution<T>::write_nchw(const std::vector<Rows>& rows, const T* block, int64_t columns, T* y) const {
  const int64_t first = rows.front().first, count = rows.back().first + rows.back().count - first;
  const int64_t column = (weights_.depthwise() ? channels_.out : 1) * plane_;
  if (contiguous_) {
    kernels().of<T>().transpose(count, columns, block, kernel_.nr, y + output_offsets_.first + first, column);
    return;
  }
  T transposed[kOutputs * kWidest<T>];
  kernels().of<T>().transpose(count, columns, block, kernel_.nr, transposed, kOutputs);
  for (int64_t i = 0, run = 0; i < count; i += run) {
    run = std::min(count - i, outputs_[2] - (first + i) % outputs_[2]);
    T* to = y + output_offset(first + i);
    for (int64_t c = 0; c < columns; ++c, to += column) {
      for (int64_t j = 0; j < run; ++j) to[j * output_offsets_.step[2]] = transposed[c * kOutputs + i + j];
    }
  }
}

template <class T>
void NhwcConvolution<T>::write_nhwc(const std::vector<Rows>& rows, const T* block, int64_t columns, Images<T> y) const {
  const int64_t column = weights_.depthwise() ? channels_.out : 1;
  for (const Rows& r : rows) {
    for (int64_t i = 0; i < r.count; ++i, block += kernel_.nr) {
      T* to = y.data + output_offset(r.first + i) * y.pixel;
      int64_t c = 0;
      for (; column == 1 && c + kFew <= columns; c += kFew) std::copy_n(block + c, kFew, to + c);
      for (; c < columns; ++c) to[c * column] = block[c];
    }
  }
}

template class PackedWeights<float>;
template class PackedWeights<double>;
template class NhwcConvolution<float>;
template class NhwcConvolution<double>;

}  // namespace ember::ops
