#include "ops/frames.h"

#include <algorithm>

#include "ops/kernels.h"
#include "ops/parallel.h"

namespace ember::ops {
namespace {

constexpr int64_t kElements = 1 << 20;  // of the frames that are made together
constexpr int64_t kLine = 16;

// Pixels with many channels are an odd number of cache lines apart, so that a column of them has its place in L1.
int64_t pixel(int64_t channels) { return channels < kLine ? channels : ((channels + kLine - 1) / kLine | 1) * kLine; }

// The cells of an axis that hold elements of the image.
struct Filled {
  int64_t begin, end;

  explicit Filled(const FrameAxis& axis) {
    const auto from = [&](int64_t element) {
      const int64_t room = element - axis.first;
      return std::clamp<int64_t>(room <= 0 ? 0 : (room + axis.unit - 1) / axis.unit, 0, axis.cells);
    };
    begin = from(0);
    end = std::max(begin, from(axis.image));
  }
  bool contains(int64_t cell) const { return cell >= begin && cell < end; }
};

}  // namespace

Frames::Frames(const FrameAxis& depth, const FrameAxis& height, const FrameAxis& width, int64_t channels)
    : axes{depth, height, width}, channels(channels) {
  distance[2] = pixel(channels);
  distance[1] = distance[2] * width.cells;
  distance[0] = distance[1] * height.cells;
  size = distance[0] * depth.cells;
}

template <class T>
void Frames::fill(const T* x, int64_t images, T* out) const {
  const auto& [depth, height, width] = axes;
  const Filled slabs(depth), lines(height), pixels(width);
  const int64_t plane = depth.image * height.image * width.image, per_image = depth.cells * height.cells;
  const auto fill_line = [&](int64_t i) {
    T* line = out + i * distance[1];
    const int64_t slab = i % per_image / height.cells, row = i % height.cells;
    if (!slabs.contains(slab) || !lines.contains(row) || pixels.begin == pixels.end) {
      std::fill_n(line, distance[1], T{0});
      return;
    }
    const int64_t z = depth.first + slab * depth.unit, y = height.first + row * height.unit;
    const T* from = x + i / per_image * channels * plane + (z * height.image + y) * width.image + width.first +
                    pixels.begin * width.unit;
    std::fill_n(line, pixels.begin * distance[2], T{0});
    EMBER_KERNEL(gemm_pack(pixels.end - pixels.begin, channels, distance[2], from, width.unit, plane,
                           line + pixels.begin * distance[2]));
    std::fill(line + pixels.end * distance[2], line + distance[1], T{0});
  };
  const int64_t grain = std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, distance[1]));
  parallel_for(images * per_image, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) fill_line(i);
  });
  std::fill_n(out + images * size, kSlack, T{0});
}

int64_t Frames::together(int64_t images) const {
  return std::clamp<int64_t>(kElements / std::max<int64_t>(1, size), 1, std::max<int64_t>(1, images));
}

template void Frames::fill(const float*, int64_t, float*) const;
template void Frames::fill(const double*, int64_t, double*) const;

}  // namespace ember::ops
