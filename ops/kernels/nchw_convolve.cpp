#include "ops/kernels/nchw_convolve.h"

#include <algorithm>
#include <optional>

#include "ops/base/division.h"
#include "ops/base/parallel.h"

namespace ember::ops {
namespace {

constexpr int64_t kPaddedElements = 1 << 15;        // padded elements of a task
constexpr int64_t kWork = 1 << 18;                  // multiplications that are worth a thread
constexpr int64_t kRows = 4;                        // that keep the micro-kernel busy
constexpr int64_t kLongLine = 10;                   // outputs, where groups have one channel
constexpr int64_t kMaxRows = 16, kMaxColumns = 64;  // of a tile

double filled(int64_t count, int64_t step) {
  return static_cast<double>(count) / static_cast<double>(ceil_div(count, step) * step);
}

}  // namespace

template <class T>
bool NchwConvolution<T>::suits(const ConvolutionAccess& access) {
  const Channels& channels = access.channels;
  const int64_t nr = tile_kernel<T>().nr, line = access.maps.front().axes[2].outputs;
  if (channels.in == 1 && channels.groups > 1) return line >= kLongLine;
  return filled(line, nr) * std::min(1.0, static_cast<double>(channels.out) / kRows) > filled(channels.out, nr);
}

template <class T>
NchwConvolution<T>::NchwConvolution(const ConvolutionAccess& access, const AccessMap& map, const T* weights)
    : kernel_(tile_kernel<T>()),
      channels_(access.channels),
      padded_axes_(access.padded.axes),
      axes_(map.axes),
      weights_(weights),
      strides_(access.strides),
      taps_(access.kernel),
      plane_(access.plane()),
      phases_(std::max<int64_t>(1, axes_[2].step)),
      cut_(axes_[0].outputs > 1 ? 0 : 1),
      output_offsets_(output_offsets_of(axes_, access.result)) {}

template <class T>
PaddedInput NchwConvolution<T>::padded_input_of(const Block& block, int64_t phase) const {
  PaddedAxis cut = padded_axes_[cut_], width = padded_axes_[2];
  const AccessAxis& axis = axes_[cut_];
  const auto taps = static_cast<int64_t>(axis.taps.size());
  cut.first += block.begin * axis.step * cut.step;
  const int64_t last = axis.first + (block.end - block.begin - 1) * axis.step + (taps - 1) * axis.tap_step;
  cut.size = taps == 0 ? 1 : last + 1;
  width.first += phase * width.step;
  width.step *= phases_;
  width.size = ceil_div(width.size, phases_);
  return {cut_ == 0 ? cut : padded_axes_[0], cut_ == 1 ? cut : padded_axes_[1], width, 1};
}

// What the first output of a line reads.
template <class T>
std::vector<TileItem> NchwConvolution<T>::items_of(const PaddedInput& padded) const {
  std::vector<TileItem> items;
  for (const Tap& tap : taps_of(axes_, taps_)) {
    const int64_t position = axes_[2].first + tap.offset[2];
    const int64_t line =
        padded.at({axes_[0].first + tap.offset[0], axes_[1].first + tap.offset[1], position / phases_});
    items.push_back({tap.weight, position % phases_ * channels_.in * padded.size + line});
  }
  return items;
}

template <class T>
std::vector<CopyRun> NchwConvolution<T>::runs_of(const Block& block) const {
  std::vector<PaddedInput> padded;
  for (int64_t phase = 0; phase < phases_; ++phase) padded.push_back(padded_input_of(block, phase));
  const PaddedAxis &depth = padded.front().axes[0], &height = padded.front().axes[1];
  const PaddedAxis::Interior slabs = depth.interior(), lines = height.interior();
  std::vector<CopyRun> out;
  for (int64_t slab = slabs.begin; slab < slabs.end; ++slab) {
    for (int64_t line = lines.begin; line < lines.end; ++line) {
      const int64_t z = depth.first + slab * depth.step, y = height.first + line * height.step;
      for (int64_t phase = 0; phase < phases_; ++phase) {
        const PaddedAxis& width = padded[phase].axes[2];
        const PaddedAxis::Interior interior = width.interior();
        if (interior.begin == interior.end) continue;
        out.push_back({(z * height.image + y) * width.image + width.first + interior.begin * width.step,
                       phase * channels_.in * padded[phase].size + padded[phase].at({slab, line, interior.begin}),
                       interior.end - interior.begin});
      }
    }
  }
  return out;
}

template <class T>
int64_t NchwConvolution<T>::lines_together() const {
  const int64_t outputs = axes_[cut_].outputs, tasks = channels_.images * channels_.groups;
  const int64_t whole = padded_input_of({0, outputs}, 0).size * phases_ * channels_.in;
  const int64_t parts = std::max(ceil_div(4 * threads(), tasks), ceil_div(whole, kPaddedElements));
  return ceil_div(outputs, std::min(parts, outputs));
}

template <class T>
NchwConvolution<T>::Work::Work(const NchwConvolution& of, const Block& block)
    : block(block),
      padded(of.padded_input_of(block, 0)),
      items(of.items_of(padded)),
      runs(of.runs_of(block)),
      filled(of.phases_ * of.channels_.in * padded.size + PaddedInput::kSlack),
      staging(of.output_offsets_.step[2] == 1 ? 0 : of.lines_of(block) * of.axes_[2].outputs) {
  std::fill_n(static_cast<T*>(filled), of.phases_ * of.channels_.in * padded.size + PaddedInput::kSlack, T{0});
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
    const T* slab = work.filled + z * axes_[0].step * work.padded.stride[0];
    convolve_rows(work, lines_of(work.block), weights, slab, first + z * output_offsets_.step[0]);
  }
}

template <class T>
void NchwConvolution<T>::fill(const Work& work, const T* x) const {
  const int64_t step = padded_axes_[2].step * phases_,
                image = padded_axes_[0].image * padded_axes_[1].image * padded_axes_[2].image;
  for (int64_t channel = 0; channel < channels_.in; ++channel) {
    kernels().of<T>().copy_runs(work.runs.data(), static_cast<int64_t>(work.runs.size()), step, x + channel * image,
                                work.filled + channel * work.padded.size);
  }
}

template <class T>
void NchwConvolution<T>::convolve_rows(const Work& work, int64_t lines, const T* weights, const T* first, T* y) const {
  const int64_t row_stride = axes_[1].step * work.padded.stride[1], outputs = axes_[2].outputs;
  if (channels_.out >= kRows) {
    for (int64_t l = 0; l < lines; ++l)
      convolve_row(work, weights, first + l * row_stride, y + l * output_offsets_.step[1]);
    return;
  }
  for (int64_t channel = 0; channel < channels_.out; ++channel, weights += strides_.column, y += plane_) {
    const bool contiguous = output_offsets_.step[2] == 1;
    const ConvolutionRows<T> all{static_cast<int64_t>(work.items.size()),
                                 channels_.in,
                                 work.items.data(),
                                 weights,
                                 strides_.channel,
                                 first,
                                 row_stride,
                                 work.padded.size,
                                 contiguous ? y : work.staging,
                                 contiguous ? output_offsets_.step[1] : outputs,
                                 lines,
                                 outputs};
    kernels().of<T>().convolve_rows(all);
    for (int64_t l = 0; !contiguous && l < lines; ++l) {
      const T* from = work.staging + l * outputs;
      T* to = y + l * output_offsets_.step[1];
      for (int64_t i = 0; i < outputs; ++i) to[i * output_offsets_.step[2]] = from[i];
    }
  }
}

template <class T>
void NchwConvolution<T>::convolve_row(const Work& work, const T* weights, const T* line, T* y) const {
  const bool contiguous = output_offsets_.step[2] == 1;
  const int64_t nr = kernel_.nr, outputs = axes_[2].outputs;
  const EvenParts tiles{channels_.out, ceil_div(channels_.out, kernel_.mr)};
  for (int64_t t = 0; t < tiles.count; ++t) {
    const int64_t row = tiles.begin(t), rows = tiles.end(t) - row;
    for (int64_t j = 0; j < outputs; j += nr) {
      alignas(64) T staging[kMaxRows * kMaxColumns];
      T* const to = y + row * plane_ + j * output_offsets_.step[2];
      const Tile<T> tile{static_cast<int64_t>(work.items.size()),
                         channels_.in,
                         work.items.data(),
                         weights + row * strides_.column,
                         strides_.column,
                         strides_.channel,
                         line + j,
                         work.padded.size,
                         contiguous ? to : staging,
                         contiguous ? plane_ : nr,
                         rows,
                         std::min(nr, outputs - j),
                         false};
      kernel_.run(tile);
      for (int64_t r = 0; !contiguous && r < rows; ++r) {
        for (int64_t c = 0; c < tile.columns; ++c) to[r * plane_ + c * output_offsets_.step[2]] = staging[r * nr + c];
      }
    }
  }
}

template class NchwConvolution<float>;
template class NchwConvolution<double>;

}  // namespace ember::ops
