#include "ops/kernels/nchw_convolve.h"

#include <algorithm>
#include <optional>

#include "ops/base/division.h"
#include "ops/base/parallel.h"

namespace ember::ops {
namespace {

constexpr int64_t kFrame = 1 << 15;                   // elements of the frames of a task
constexpr int64_t kWork = 1 << 18;                    // multiplications that are worth a thread
constexpr int64_t kRows = 4;                          // that keep the micro-kernel busy
constexpr int64_t kLongLine = 10;                     // outputs, where groups have one channel
constexpr int64_t kMostRows = 16, kMostColumns = 64;  // of a tile

double filled(int64_t count, int64_t step) {
  return static_cast<double>(count) / static_cast<double>(ceil_div(count, step) * step);
}

}  // namespace

template <class T>
bool NchwConvolution<T>::suits(const ConvolutionAccess& readings) {
  const Channels& channels = readings.channels;
  const int64_t nr = tile_kernel<T>().nr, line = readings.all.front().axes[2].outputs;
  if (channels.in == 1 && channels.groups > 1) return line >= kLongLine;
  return filled(line, nr) * std::min(1.0, static_cast<double>(channels.out) / kRows) > filled(channels.out, nr);
}

template <class T>
NchwConvolution<T>::NchwConvolution(const ConvolutionAccess& readings, const AccessMap& reading, const T* weights)
    : kernel_(tile_kernel<T>()),
      channels_(readings.channels),
      padded_axes_(readings.frames.axes),
      axes_(reading.axes),
      weights_(weights),
      strides_(readings.strides),
      taps_(readings.kernel),
      plane_(readings.plane()),
      phases_(std::max<int64_t>(1, axes_[2].step)),
      cut_(axes_[0].outputs > 1 ? 0 : 1),
      output_offsets_(output_offsets_of(axes_, readings.result)) {}

template <class T>
PaddedInput NchwConvolution<T>::padded_input_of(const Block& block, int64_t phase) const {
  PaddedAxis cut = padded_axes_[cut_], width = padded_axes_[2];
  const AccessAxis& axis = axes_[cut_];
  const auto taps = static_cast<int64_t>(axis.taps.size());
  cut.first += block.begin * axis.step * cut.unit;
  const int64_t last = axis.first + (block.end - block.begin - 1) * axis.step + (taps - 1) * axis.tap_step;
  cut.cells = taps == 0 ? 1 : last + 1;
  width.first += phase * width.unit;
  width.unit *= phases_;
  width.cells = ceil_div(width.cells, phases_);
  return {cut_ == 0 ? cut : padded_axes_[0], cut_ == 1 ? cut : padded_axes_[1], width, 1};
}

// What the first output of a line reads.
template <class T>
std::vector<TileItem> NchwConvolution<T>::items_of(const PaddedInput& frames) const {
  std::vector<TileItem> items;
  for (const Tap& tap : taps_of(axes_, taps_)) {
    const int64_t cell = axes_[2].first + tap.cells[2];
    const int64_t line = frames.at({axes_[0].first + tap.cells[0], axes_[1].first + tap.cells[1], cell / phases_});
    items.push_back({tap.weight, cell % phases_ * channels_.in * frames.size + line});
  }
  return items;
}

template <class T>
std::vector<CopyRun> NchwConvolution<T>::runs_of(const Block& block) const {
  std::vector<PaddedInput> frames;
  for (int64_t phase = 0; phase < phases_; ++phase) frames.push_back(padded_input_of(block, phase));
  const PaddedAxis &depth = frames.front().axes[0], &height = frames.front().axes[1];
  const PaddedAxis::Filled slabs = depth.filled(), lines = height.filled();
  std::vector<CopyRun> out;
  for (int64_t slab = slabs.begin; slab < slabs.end; ++slab) {
    for (int64_t line = lines.begin; line < lines.end; ++line) {
      const int64_t z = depth.first + slab * depth.unit, y = height.first + line * height.unit;
      for (int64_t phase = 0; phase < phases_; ++phase) {
        const PaddedAxis& width = frames[phase].axes[2];
        const PaddedAxis::Filled cells = width.filled();
        if (cells.begin == cells.end) continue;
        out.push_back({(z * height.image + y) * width.image + width.first + cells.begin * width.unit,
                       phase * channels_.in * frames[phase].size + frames[phase].at({slab, line, cells.begin}),
                       cells.end - cells.begin});
      }
    }
  }
  return out;
}

template <class T>
int64_t NchwConvolution<T>::lines_together() const {
  const int64_t outputs = axes_[cut_].outputs, tasks = channels_.images * channels_.groups;
  const int64_t whole = padded_input_of({0, outputs}, 0).size * phases_ * channels_.in;
  const int64_t parts = std::max(ceil_div(4 * threads(), tasks), ceil_div(whole, kFrame));
  return ceil_div(outputs, std::min(parts, outputs));
}

template <class T>
NchwConvolution<T>::Work::Work(const NchwConvolution& of, const Block& block)
    : block(block),
      frames(of.padded_input_of(block, 0)),
      items(of.items_of(frames)),
      runs(of.runs_of(block)),
      filled(of.phases_ * of.channels_.in * frames.size + PaddedInput::kSlack),
      aside(of.output_offsets_.step[2] == 1 ? 0 : of.lines_of(block) * of.axes_[2].outputs) {
  std::fill_n(static_cast<T*>(filled), of.phases_ * of.channels_.in * frames.size + PaddedInput::kSlack, T{0});
}

template <class T>
void NchwConvolution<T>::run(const T* x, T* y) const {
  const int64_t in = channels_.in * padded_axes_[0].image * padded_axes_[1].image * padded_axes_[2].image,
                out = channels_.out * plane_;
  const int64_t outputs = axes_[cut_].outputs, together = lines_together(), blocks = ceil_div(outputs, together);
  const int64_t planes = channels_.images * channels_.groups;
  const int64_t work = ceil_div(out, blocks) * channels_.in * taps_[0] * taps_[1] * taps_[2];
  const int64_t grain = std::max<int64_t>(1, kWork / std::max<int64_t>(1, work));
  parallel_for_throwing(planes * blocks, grain, [&](int64_t begin, int64_t end) {
    std::optional<Work> work;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t i = task % planes, first = task / planes * together;
      if (!work || work->block.begin != first) work.emplace(*this, Block{first, std::min(first + together, outputs)});
      run_block(*work, weights_ + i % channels_.groups * strides_.group, x + i * in, y + i * out);
    }
  });
}

// x, y: the group's planes of an image.
template <class T>
void NchwConvolution<T>::run_block(const Work& work, const T* weights, const T* x, T* y) const {
  const auto& [begin, end] = work.block;
  fill(work, x);
  const int64_t slabs = cut_ == 0 ? end - begin : 1;
  T* const first = y + output_offsets_.first + begin * output_offsets_.step[cut_];
  for (int64_t z = 0; z < slabs; ++z) {
    const T* slab = work.filled + z * axes_[0].step * work.frames.distance[0];
    convolve_rows(work, lines_of(work.block), weights, slab, first + z * output_offsets_.step[0]);
  }
}

template <class T>
void NchwConvolution<T>::fill(const Work& work, const T* x) const {
  const int64_t unit = padded_axes_[2].unit * phases_,
                image = padded_axes_[0].image * padded_axes_[1].image * padded_axes_[2].image;
  for (int64_t channel = 0; channel < channels_.in; ++channel) {
    EMBER_KERNEL(copy_runs(work.runs.data(), static_cast<int64_t>(work.runs.size()), unit, x + channel * image,
                           work.filled + channel * work.frames.size));
  }
}

template <class T>
void NchwConvolution<T>::convolve_rows(const Work& work, int64_t lines, const T* weights, const T* first, T* y) const {
  const int64_t distance = axes_[1].step * work.frames.distance[1], outputs = axes_[2].outputs;
  if (channels_.out >= kRows) {
    for (int64_t l = 0; l < lines; ++l)
      convolve_row(work, weights, first + l * distance, y + l * output_offsets_.step[1]);
    return;
  }
  for (int64_t channel = 0; channel < channels_.out; ++channel, weights += strides_.column, y += plane_) {
    const bool in_order = output_offsets_.step[2] == 1;
    const ConvolutionRows<T> all{static_cast<int64_t>(work.items.size()),
                                 channels_.in,
                                 work.items.data(),
                                 weights,
                                 strides_.channel,
                                 first,
                                 distance,
                                 work.frames.size,
                                 in_order ? y : work.aside,
                                 in_order ? output_offsets_.step[1] : outputs,
                                 lines,
                                 outputs};
    EMBER_KERNEL(convolve_rows(all));
    for (int64_t l = 0; !in_order && l < lines; ++l) {
      const T* from = work.aside + l * outputs;
      T* to = y + l * output_offsets_.step[1];
      for (int64_t i = 0; i < outputs; ++i) to[i * output_offsets_.step[2]] = from[i];
    }
  }
}

template <class T>
void NchwConvolution<T>::convolve_row(const Work& work, const T* weights, const T* line, T* y) const {
  const bool in_order = output_offsets_.step[2] == 1;
  const int64_t tiles = ceil_div(channels_.out, kernel_.mr), nr = kernel_.nr, outputs = axes_[2].outputs;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t row = channels_.out * t / tiles, rows = channels_.out * (t + 1) / tiles - row;
    for (int64_t j = 0; j < outputs; j += nr) {
      alignas(64) T aside[kMostRows * kMostColumns];
      T* const to = y + row * plane_ + j * output_offsets_.step[2];
      const Tile<T> tile{static_cast<int64_t>(work.items.size()),
                         channels_.in,
                         work.items.data(),
                         weights + row * strides_.column,
                         strides_.column,
                         strides_.channel,
                         line + j,
                         work.frames.size,
                         in_order ? to : aside,
                         in_order ? plane_ : nr,
                         rows,
                         std::min(nr, outputs - j),
                         false};
      kernel_.run(tile);
      for (int64_t r = 0; !in_order && r < rows; ++r) {
        for (int64_t c = 0; c < tile.columns; ++c) to[r * plane_ + c * output_offsets_.step[2]] = aside[r * nr + c];
      }
    }
  }
}

template class NchwConvolution<float>;
template class NchwConvolution<double>;

}  // namespace ember::ops
