#include "ops/kernels/padded_input.h"

#include <algorithm>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kElements = 1 << 20;  // of the frames that are made together
constexpr int64_t kLine = 16;
constexpr int64_t kCells = 256;  // of a line that are filled at once, from all planes

// Pixels with many channels are an odd number of cache lines apart, so that a column of them has its set_strides in L1.
int64_t pixel(int64_t channels) {
  if (channels < kLine) return channels;
  return channels < 4 * kLine ? ceil_div(channels, 8) * 8 : (ceil_div(channels, kLine) | 1) * kLine;
}

// Pixels with their channels, `step` elements apart.
template <class T>
void copy_nhwc(const T* from, int64_t step, int64_t channels, T* to, int64_t to_step, int64_t count) {
  if (step == channels && to_step == channels) {
    std::copy_n(from, count * channels, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i, from += step, to += to_step) {
    std::copy_n(from, channels, to);
    std::fill_n(to + channels, to_step - channels, T{0});
  }
}

}  // namespace

PaddedAxis::Filled PaddedAxis::filled() const {
  const auto from = [&](int64_t element) {
    const int64_t room = element - first;
    return std::clamp<int64_t>(room <= 0 ? 0 : ceil_div(room, unit), 0, cells);
  };
  const int64_t begin = from(0);
  return {begin, std::max(begin, from(image))};
}

PaddedInput::PaddedInput(const PaddedAxis& depth, const PaddedAxis& height, const PaddedAxis& width, int64_t channels)
    : axes{depth, height, width}, channels(channels) {
  set_strides(pixel(channels));
}

void PaddedInput::set_strides(int64_t pixel) {
  distance[2] = pixel;
  distance[1] = distance[2] * axes[2].cells;
  distance[0] = distance[1] * axes[1].cells;
  size = distance[0] * axes[0].cells;
}

PaddedInput PaddedInput::with_pixel_stride(int64_t pixel) const {
  PaddedInput frames = *this;
  frames.set_strides(pixel);
  return frames;
}

template <class T>
void PaddedInput::fill(Images<const T> x, int64_t images, T* out) const {
  const auto& [depth, height, width] = axes;
  const PaddedAxis::Filled slabs = depth.filled(), lines = height.filled(), pixels = width.filled();
  const int64_t plane = depth.image * height.image * width.image, per_image = depth.cells * height.cells;
  const auto fill_cells = [&](int64_t i, int64_t begin, int64_t end) {
    T* line = out + i * distance[1];
    const int64_t slab = i % per_image / height.cells, row = i % height.cells;
    const bool zeros = !slabs.contains(slab) || !lines.contains(row);
    const int64_t first = zeros ? end : std::clamp(pixels.begin, begin, end);
    const int64_t last = zeros ? end : std::clamp(pixels.end, first, end);
    std::fill(line + begin * distance[2], line + first * distance[2], T{0});
    if (first < last) {
      const int64_t z = depth.first + slab * depth.unit, y = height.first + row * height.unit;
      const int64_t from = (z * height.image + y) * width.image + width.first + first * width.unit;
      const T* image = x.data + i / per_image * channels * plane;
      T* to = line + first * distance[2];
      if (x.nhwc()) {
        copy_nhwc(image + from * x.pixel, width.unit * x.pixel, channels, to, distance[2], last - first);
      } else if (channels == 1) {
        const CopyRun whole{0, 0, last - first};
        EMBER_KERNEL(copy_runs(&whole, 1, width.unit, image + from, to));
      } else {
        EMBER_KERNEL(gemm_pack(last - first, channels, distance[2], image + from, width.unit, plane, to));
      }
    }
    std::fill(line + last * distance[2], line + end * distance[2], T{0});
  };
  const int64_t parts = ceil_div(width.cells, kCells);
  const int64_t grain =
      std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, std::min(kCells * distance[2], distance[1])));
  parallel_for(images * per_image * parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i % parts * kCells;
      fill_cells(i / parts, part, std::min(part + kCells, width.cells));
    }
  });
  std::fill_n(out + images * size, kSlack, T{0});
}

int64_t PaddedInput::together(int64_t images) const {
  return std::clamp<int64_t>(kElements / std::max<int64_t>(1, size), 1, std::max<int64_t>(1, images));
}

template void PaddedInput::fill(Images<const float>, int64_t, float*) const;
template void PaddedInput::fill(Images<const double>, int64_t, double*) const;

}  // namespace ember::ops
