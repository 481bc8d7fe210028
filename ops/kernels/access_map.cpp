// A convolution is one reading of the frames of its input. A transposed one is a reading for each remainder of the
// result's places by the stride: result_first o of an axis is reached by the taps for which o - k * dilation + pad is a
// multiple of the stride, the same ones for all places of one remainder, which are a convolution that steps by one with
// those taps transposed.
#include "ops/kernels/access_map.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ops/base/parallel.h"
#include "ops/kernels/packed_cache.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kSteps = 384;        // of a block
constexpr int64_t kOutputs = 96;       // of a piece
constexpr int64_t kWidest = 64;        // panel
constexpr int64_t kPanels = 8;         // that are packed together
constexpr int64_t kTransposed = 1024;  // elements of a column that are packed at once
constexpr int64_t kFew = 8;            // elements that are copied at once
constexpr int64_t kWork = 1 << 18;

// What cells of an axis are apart: all that is read lies at multiples of it.
int64_t common_step(const Window& w, int d) {
  if (w.kernel[d] == 1) return w.stride[d];
  return w.out[d] == 1 ? w.dilation[d] : std::gcd(w.stride[d], w.dilation[d]);
}

PaddedAxis padded_axis(const Window& w, int d) {
  const AccessAxis axis = access_axis(w, d);
  return {w.in[d], -w.pad[d], common_step(w, d),
          (axis.outputs - 1) * axis.step + (w.kernel[d] - 1) * axis.tap_step + 1};
}

// The places `remainder`, `remainder` + stride, ... of an axis. `first` is an element of dy, not yet a cell.
AccessAxis transposed_axis(const Window& forward, int d, int64_t remainder) {
  const int64_t stride = forward.stride[d], dilation = forward.dilation[d], kernel = forward.kernel[d];
  const int64_t common = std::gcd(stride, dilation), period = stride / common;
  const int64_t start = remainder + forward.pad[d] - (kernel - 1) * dilation;
  const int64_t outputs = (forward.in[d] - 1 - remainder) / stride + 1;
  AccessAxis axis{outputs, 0, 1, dilation / common, {}, remainder, outputs > 1 ? stride : 1};
  for (int64_t transposed = 0; transposed < kernel; ++transposed) {
    if ((start + transposed * dilation) % stride != 0) continue;
    if (axis.taps.empty()) axis.first = (start + transposed * dilation) / stride;
    axis.taps.push_back(kernel - 1 - transposed);
    transposed += period - 1;
  }
  return axis;
}

std::vector<AccessAxis> transposed_axes(const Window& forward, int d) {
  std::vector<AccessAxis> axes;
  for (int64_t i = 0; i < std::min(forward.stride[d], forward.in[d]); ++i)
    axes.push_back(transposed_axis(forward, d, i));
  return axes;
}

// The elements that some reading reads; the readings' `first` become cells.
PaddedAxis transposed_padded_axis(const Window& forward, int d, std::vector<AccessAxis>& axes) {
  int64_t begin = 0, end = 0;
  for (const AccessAxis& axis : axes) {
    if (axis.taps.empty()) continue;
    const auto taps = static_cast<int64_t>(axis.taps.size());
    const int64_t last = axis.first + axis.outputs - 1 + (taps - 1) * axis.tap_step;
    const bool none = begin == end;
    begin = none ? axis.first : std::min(begin, axis.first);
    end = none ? last + 1 : std::max(end, last + 1);
  }
  for (AccessAxis& axis : axes) axis.first -= begin;
  return {forward.out[d], begin, 1, end - begin};
}

}  // namespace

PaddedInput padded_input_of(const Window& w, int64_t channels) {
  return {padded_axis(w, 0), padded_axis(w, 1), padded_axis(w, 2), channels};
}

AccessAxis access_axis(const Window& w, int d) {
  std::vector<int64_t> taps(static_cast<size_t>(w.kernel[d]));
  std::iota(taps.begin(), taps.end(), 0);
  const int64_t unit = common_step(w, d);
  const int64_t step = w.out[d] == 1 ? 0 : w.stride[d] / unit, tap_step = w.kernel[d] == 1 ? 1 : w.dilation[d] / unit;
  return {w.out[d], 0, step, tap_step, taps, 0, 1};
}

std::vector<Tap> taps_of(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]) {
  const auto& [depth, height, width] = axes;
  std::vector<Tap> taps;
  for (size_t z = 0; z < depth.taps.size(); ++z) {
    for (size_t y = 0; y < height.taps.size(); ++y) {
      for (size_t x = 0; x < width.taps.size(); ++x) {
        taps.push_back({(depth.taps[z] * kernel[1] + height.taps[y]) * kernel[2] + width.taps[x],
                        {static_cast<int64_t>(z) * depth.tap_step, static_cast<int64_t>(y) * height.tap_step,
                         static_cast<int64_t>(x) * width.tap_step}});
      }
    }
  }
  return taps;
}

AffineOffsets output_offsets_of(const AccessAxis (&axes)[3], const int64_t (&result)[3]) {
  const int64_t elements[3] = {result[1] * result[2], result[2], 1};
  AffineOffsets out;
  for (int d = 0; d < 3; ++d) {
    out.first += axes[d].result_first * elements[d];
    out.step[d] = axes[d].result_step * elements[d];
  }
  return out;
}

AffineOffsets input_offsets_of(const AccessAxis (&axes)[3], const PaddedInput& frames) {
  AffineOffsets out;
  for (int d = 0; d < 3; ++d) {
    out.first += axes[d].first * frames.distance[d];
    out.step[d] = axes[d].step * frames.distance[d];
  }
  return out;
}

ConvolutionAccess access_of(const Window& w, const Channels& ch) {
  ConvolutionAccess out{ch,
                        padded_input_of(w, ch.groups * ch.in),
                        {ch.out * ch.in * w.taps(), ch.in * w.taps(), w.taps()},
                        {w.kernel[0], w.kernel[1], w.kernel[2]},
                        {w.out[0], w.out[1], w.out[2]},
                        {}};
  out.all.push_back({{access_axis(w, 0), access_axis(w, 1), access_axis(w, 2)}});
  return out;
}

ConvolutionAccess transposed_access_of(const Window& forward, const Channels& ch) {
  std::vector<AccessAxis> axes[3];
  for (int d = 0; d < 3; ++d) axes[d] = transposed_axes(forward, d);
  const PaddedAxis depth = transposed_padded_axis(forward, 0, axes[0]),
                   height = transposed_padded_axis(forward, 1, axes[1]),
                   width = transposed_padded_axis(forward, 2, axes[2]);
  const int64_t taps = forward.taps();
  ConvolutionAccess out{
      {ch.images, ch.groups, ch.out, ch.in},         {depth, height, width, ch.groups * ch.out},
      {ch.out * ch.in * taps, taps, ch.in * taps},   {forward.kernel[0], forward.kernel[1], forward.kernel[2]},
      {forward.in[0], forward.in[1], forward.in[2]}, {}};
  for (const AccessAxis& d : axes[0]) {
    for (const AccessAxis& h : axes[1]) {
      for (const AccessAxis& w : axes[2]) out.all.push_back({{d, h, w}});
    }
  }
  return out;
}

template <class T>
PackedWeights<T>::PackedWeights(const T* weights, const WeightStrides& strides, const Channels& channels, int64_t taps,
                                const gc::Storage* cacheable)
    : channels_(channels), nr_(tile_kernel<T>().nr), taps_(taps), size_(taps * tap_size()) {
  const PackedKey form{
      PackedKey::Of::Convolution,
      weights,
      {nr_, sizeof(T), taps, channels.groups, channels.in, channels.out, strides.column, strides.channel}};
  const int64_t bytes = parts() * panels() * size_ * static_cast<int64_t>(sizeof(T));
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
  parallel_for_throwing(parts() * groups, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i / groups, index = i % groups * together, first = index * nr_;
      const int64_t count = std::min(together * nr_, columns() - first);
      T* out = all + (part * panels() + index) * size_;
      if (depthwise()) {
        pack_depthwise(weights + first * strides.group + part * strides.column, strides, count, out);
      } else if (oihw) {
        pack_oihw(weights + part * strides.group + first * strides.column, strides, count, out);
      } else {
        pack_iohw(weights + part * strides.group + first * strides.column, strides, count, out);
      }
    }
  });
}

// One panel: turns some channels of it, then puts each step's row in its result_first.
template <class T>
void PackedWeights<T>::pack_oihw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const {
  const int64_t together = std::max<int64_t>(1, kTransposed / taps_);
  const Scratch<T> transposed(together * taps_ * nr_);
  std::fill_n(static_cast<T*>(transposed), together * taps_ * nr_, T{0});
  for (int64_t first = 0; first < channels_.in; first += together) {
    const int64_t count = std::min(together, channels_.in - first);
    const T* stretch = from + first * strides.channel;
    EMBER_KERNEL(transpose(columns, count * taps_, stretch, strides.column, static_cast<T*>(transposed), nr_));
    for (int64_t tap = 0; tap < taps_; ++tap) {
      T* to = out + tap * tap_size() + first * nr_;
      for (int64_t c = 0; c < count; ++c) std::copy_n(transposed + (c * taps_ + tap) * nr_, nr_, to + c * nr_);
    }
  }
}

// Several panels, so that what is read of a channel is a long stretch.
template <class T>
void PackedWeights<T>::pack_iohw(const T* from, const WeightStrides& strides, int64_t columns, T* out) const {
  if (columns % nr_ != 0) std::fill_n(out + columns / nr_ * size_, size_, T{0});
  for (int64_t c = 0; c < channels_.in; ++c, from += strides.channel) {
    for (int64_t first = 0; first < columns; first += nr_) {
      T* to = out + first / nr_ * size_ + c * nr_;
      EMBER_KERNEL(transpose(std::min(nr_, columns - first), taps_, from + first * strides.column, strides.column, to,
                             tap_size()));
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
NhwcConvolution<T>::NhwcConvolution(const PaddedInput& frames, const AccessAxis (&axes)[3], const Channels& channels,
                                    const PackedWeights<T>& weights, const int64_t (&kernel)[3],
                                    const int64_t (&result)[3])
    : padded_(frames),
      channels_(channels),
      weights_(weights),
      kernel_(tile_kernel<T>()),
      input_offsets_(input_offsets_of(axes, frames)),
      output_offsets_(output_offsets_of(axes, result)),
      plane_(result[0] * result[1] * result[2]) {
  for (int d = 0; d < 3; ++d) outputs_[d] = axes[d].outputs;
  in_order_ = output_offsets_.step[2] == 1 && output_offsets_.step[1] == outputs_[2] &&
              output_offsets_.step[0] == outputs_[1] * outputs_[2];
  find_items(axes, kernel);
  find_blocks();
  find_pieces();
}

// A row of taps is one stretch if its pixels, and its weights, stand beside each other.
template <class T>
void NhwcConvolution<T>::find_items(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]) {
  const AccessAxis& width = axes[2];
  const auto row = static_cast<int64_t>(width.taps.size());
  const bool whole_rows = channels_.groups == 1 && padded_.distance[2] == channels_.in && width.tap_step == 1 &&
                          row == kernel[2] && width.taps.front() == 0;
  depth_ = whole_rows ? row * channels_.in : channels_.in;
  for (const Tap& tap : taps_of(axes, kernel)) {
    if (whole_rows && tap.cells[2] != 0) continue;
    items_.push_back({padded_.at(tap.cells), tap.weight * weights_.tap_size()});
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
void NhwcConvolution<T>::find_pieces() {
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
  pieces_ = ceil_div(all, lines_together_) * line_parts_;
}

template <class T>
auto NhwcConvolution<T>::rows_of(int64_t piece) const -> std::vector<Rows> {
  std::vector<Rows> rows;
  const int64_t part = piece % line_parts_, begin = line_ * part / line_parts_, end = line_ * (part + 1) / line_parts_;
  const int64_t first = piece / line_parts_ * lines_together_,
                last = std::min(first + lines_together_, lines_ * slabs_);
  const int64_t tiles = ceil_div(end - begin, kernel_.mr);
  for (int64_t line = first; line < last; ++line) {
    const int64_t at =
        input_offsets_.first + line / lines_ * input_offsets_.step[0] + line % lines_ * input_offsets_.step[1];
    for (int64_t t = 0; t < tiles; ++t) {
      const int64_t from = begin + (end - begin) * t / tiles, to = begin + (end - begin) * (t + 1) / tiles;
      rows.push_back({at + from * input_offsets_.step[2], line * line_ + from, to - from});
    }
  }
  return rows;
}

template <class T>
bool NhwcConvolution<T>::supports_epilogue(Images<T> y) const {
  return y.nhwc() && in_order_ && (!weights_.depthwise() || channels_.out == 1);
}

template <class T>
void NhwcConvolution<T>::run(int64_t images, const T* frames, Images<T> y, const Epilogue* epilogue,
                             int64_t first) const {
  const int64_t whole = images * pieces_ * weights_.parts(), wanted = 4 * threads();
  const int64_t splits = whole >= wanted ? 1 : std::min(weights_.panels(), ceil_div(wanted, whole));
  const auto steps = std::max<int64_t>(1, static_cast<int64_t>(items_.size()) * depth_);
  const int64_t work = kOutputs * steps * std::max<int64_t>(1, weights_.columns() / splits);
  parallel_for_throwing(whole * splits, std::max<int64_t>(1, kWork / work), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t split = task % splits, part = task / splits % weights_.parts();
      const int64_t piece = task / splits / weights_.parts() % pieces_,
                    image = task / splits / weights_.parts() / pieces_;
      const int64_t panel = weights_.panels() * split / splits, last = weights_.panels() * (split + 1) / splits;
      const Images<T> to = y.at(image, 0, channels_.groups * channels_.out, plane_);
      const std::vector<Rows> rows = rows_of(piece);
      run_piece(rows, part, panel, last, frames + image * padded_.size, to);
      if (!epilogue) continue;
      Epilogue::Region done = region_of(rows, part, panel, last, to);
      done.first += first + (to.data - y.data);
      epilogue->run(done);
    }
  });
}

template <class T>
void NhwcConvolution<T>::run_piece(const std::vector<Rows>& rows, int64_t part, int64_t panel_begin, int64_t panel_end,
                                   const T* frame, Images<T> y) const {
  alignas(64) T block[kOutputs * kWidest];
  for (int64_t index = panel_begin; index < panel_end; ++index) {
    const int64_t column = index * kernel_.nr;
    const int64_t columns = std::min<int64_t>(kernel_.nr, weights_.columns() - column);
    const int64_t channel = weights_.depthwise() ? column * channels_.out + part : part * channels_.out + column;
    const Images<T> to = y.at(0, channel, 0, plane_);
    const T* from = frame + (weights_.depthwise() ? column : part * channels_.in);
    if (y.nhwc() && in_order_ && !weights_.depthwise()) {
      multiply(rows, part, index, from, to.data + output_offset(rows.front().first) * y.pixel, y.pixel, columns);
      continue;
    }
    multiply(rows, part, index, from, block, kernel_.nr, kernel_.nr);
    to.nhwc() ? write_nhwc(rows, block, columns, to) : write_nchw(rows, block, columns, to.data);
  }
}

// As element numbers of an image.
template <class T>
Epilogue::Region NhwcConvolution<T>::region_of(const std::vector<Rows>& rows, int64_t part, int64_t panel_begin,
                                               int64_t panel_end, Images<T> y) const {
  const int64_t output = rows.front().first, column = panel_begin * kernel_.nr;
  const int64_t columns = std::min(panel_end * kernel_.nr, weights_.columns()) - column;
  return {output_offset(output) * y.pixel + part * channels_.out + column,
          rows.back().first + rows.back().count - output, columns, y.pixel};
}

template <class T>
void NhwcConvolution<T>::multiply(const std::vector<Rows>& rows, int64_t part, int64_t index, const T* frame, T* out,
                                  int64_t row, int64_t columns) const {
  const int64_t nr = kernel_.nr;
  const int64_t count = rows.back().first + rows.back().count - rows.front().first;
  for (int64_t i = 0; blocks_.empty() && i < count; ++i) std::fill_n(out + i * row, columns, T{0});
  for (const Block& b : blocks_) {
    T* c = out;
    for (const Rows& r : rows) {
      const Tile<T> tile{b.batch,
                         b.depth,
                         items_.data() + b.item,
                         frame + r.frame + b.step,
                         input_offsets_.step[2],
                         1,
                         weights_.panel(part, index) + b.step * nr,
                         nr,
                         c,
                         row,
                         r.count,
                         columns,
                         &b != blocks_.data()};
      weights_.depthwise() ? EMBER_KERNEL(depthwise_tile(tile)) : kernel_.run(tile);
      c += r.count * row;
    }
  }
}

template <class T>
int64_t NhwcConvolution<T>::output_offset(int64_t output) const {
  if (in_order_) return output_offsets_.first + output;
  const int64_t line = output / outputs_[2];
  return output_offsets_.first + line / outputs_[1] * output_offsets_.step[0] +
         line % outputs_[1] * output_offsets_.step[1] + output % outputs_[2] * output_offsets_.step[2];
}

template <class T>
void NhwcConvolution<T>::write_nchw(const std::vector<Rows>& rows, const T* block, int64_t columns, T* y) const {
  const int64_t first = rows.front().first, count = rows.back().first + rows.back().count - first;
  const int64_t column = (weights_.depthwise() ? channels_.out : 1) * plane_;
  if (in_order_) {
    EMBER_KERNEL(transpose(count, columns, block, kernel_.nr, y + output_offsets_.first + first, column));
    return;
  }
  T transposed[kOutputs * kWidest];
  EMBER_KERNEL(transpose(count, columns, block, kernel_.nr, transposed, kOutputs));
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
