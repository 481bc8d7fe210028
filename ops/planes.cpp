#include "ops/planes.h"

#include <algorithm>
#include <optional>

#include "ops/division.h"
#include "ops/kernels.h"
#include "ops/parallel.h"

namespace ember::ops {
namespace {

constexpr int64_t kFrame = 1 << 15;                   // elements of the frames of a task
constexpr int64_t kWork = 1 << 18;                    // multiplications that are worth a thread
constexpr int64_t kRows = 4;                          // that keep the micro-kernel busy
constexpr int64_t kLongLine = 24;                     // outputs, where groups have one channel
constexpr int64_t kMostRows = 16, kMostColumns = 64;  // of a tile

double filled(int64_t count, int64_t step) {
  return static_cast<double>(count) / static_cast<double>(ceil_div(count, step) * step);
}

}  // namespace

template <class T>
bool PlaneConvolution<T>::suits(const Readings& readings) {
  const Channels& channels = readings.channels;
  const int64_t nr = tile_kernel<T>().nr, line = readings.all.front().axes[2].outputs;
  if (channels.in == 1 && channels.groups > 1) return line >= kLongLine;
  return filled(line, nr) * std::min(1.0, static_cast<double>(channels.out) / kRows) > filled(channels.out, nr);
}

template <class T>
PlaneConvolution<T>::PlaneConvolution(const Readings& readings, const Reading& reading, const T* weights)
    : kernel_(tile_kernel<T>()),
      channels_(readings.channels),
      frame_(readings.frames.axes),
      axes_(reading.axes),
      weights_(weights),
      strides_(readings.strides),
      taps_(readings.kernel),
      plane_(readings.plane()),
      phases_(std::max<int64_t>(1, axes_[2].step)),
      cut_(axes_[0].outputs > 1 ? 0 : 1),
      places_(places_of(axes_, readings.result)) {}

template <class T>
Frames PlaneConvolution<T>::frames_of(const Block& block, int64_t phase) const {
  FrameAxis cut = frame_[cut_], width = frame_[2];
  const ReadingAxis& axis = axes_[cut_];
  const auto taps = static_cast<int64_t>(axis.taps.size());
  cut.first += block.begin * axis.step * cut.unit;
  const int64_t last = axis.first + (block.end - block.begin - 1) * axis.step + (taps - 1) * axis.tap_step;
  cut.cells = taps == 0 ? 1 : last + 1;
  width.first += phase * width.unit;
  width.unit *= phases_;
  width.cells = ceil_div(width.cells, phases_);
  return {cut_ == 0 ? cut : frame_[0], cut_ == 1 ? cut : frame_[1], width, 1};
}

// What the first output of a line reads.
template <class T>
std::vector<TileItem> PlaneConvolution<T>::items_of(const Frames& frames) const {
  std::vector<TileItem> items;
  for (const ReadingTap& tap : taps_of(axes_, taps_)) {
    const int64_t cell = axes_[2].first + tap.cells[2];
    const int64_t line = frames.at({axes_[0].first + tap.cells[0], axes_[1].first + tap.cells[1], cell / phases_});
    items.push_back({tap.weight, cell % phases_ * channels_.in * frames.size + line});
  }
  return items;
}

template <class T>
int64_t PlaneConvolution<T>::lines_together() const {
  const int64_t outputs = axes_[cut_].outputs, tasks = channels_.images * channels_.groups;
  const int64_t whole = frames_of({0, outputs}, 0).size * phases_ * channels_.in;
  const int64_t parts = std::max(ceil_div(4 * threads(), tasks), ceil_div(whole, kFrame));
  return ceil_div(outputs, std::min(parts, outputs));
}

template <class T>
PlaneConvolution<T>::Work::Work(const PlaneConvolution& of, const Block& block)
    : block(block),
      frames(of.frames_of(block, 0)),
      items(of.items_of(frames)),
      filled(of.phases_ * of.channels_.in * frames.size + Frames::kSlack) {}

template <class T>
void PlaneConvolution<T>::run(const T* x, T* y) const {
  const int64_t in = channels_.in * frame_[0].image * frame_[1].image * frame_[2].image, out = channels_.out * plane_;
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
void PlaneConvolution<T>::run_block(const Work& work, const T* weights, const T* x, T* y) const {
  const auto& [begin, end] = work.block;
  for (int64_t phase = 0; phase < phases_; ++phase) {
    frames_of(work.block, phase)
        .template fill<T>({x}, channels_.in, work.filled + phase * channels_.in * work.frames.size);
  }
  const int64_t slabs = cut_ == 0 ? end - begin : 1, lines = cut_ == 1 ? end - begin : axes_[1].outputs;
  T* const first = y + places_.first + begin * places_.step[cut_];
  for (int64_t z = 0; z < slabs; ++z) {
    for (int64_t l = 0; l < lines; ++l) {
      const T* line = work.filled + z * axes_[0].step * work.frames.distance[0];
      run_line(work, weights, line + l * axes_[1].step * work.frames.distance[1],
               first + z * places_.step[0] + l * places_.step[1]);
    }
  }
}

template <class T>
void PlaneConvolution<T>::run_line(const Work& work, const T* weights, const T* line, T* y) const {
  const bool in_order = places_.step[2] == 1;
  const int64_t tiles = ceil_div(channels_.out, kernel_.mr), nr = kernel_.nr, outputs = axes_[2].outputs;
  const int64_t step = channels_.out == 1 && in_order ? outputs : nr;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t row = channels_.out * t / tiles, rows = channels_.out * (t + 1) / tiles - row;
    for (int64_t j = 0; j < outputs; j += step) {
      alignas(64) T aside[kMostRows * kMostColumns];
      T* const to = y + row * plane_ + j * places_.step[2];
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
                         std::min(step, outputs - j),
                         false};
      step == nr ? kernel_.run(tile) : EMBER_KERNEL(row_tile(tile));
      for (int64_t r = 0; !in_order && r < rows; ++r) {
        for (int64_t c = 0; c < tile.columns; ++c) to[r * plane_ + c * places_.step[2]] = aside[r * nr + c];
      }
    }
  }
}

template class PlaneConvolution<float>;
template class PlaneConvolution<double>;

}  // namespace ember::ops
