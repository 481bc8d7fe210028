#include "ops/kernels/padded_input.h"

#include <algorithm>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kElements = 1 << 20;  // of the padded images of a block
constexpr int64_t kLine = 16;
constexpr int64_t kPixels = 256;  // of a row that are filled at once, from all channels

// Of many channels an odd number of cache lines, so that the pixels of a column fall into distinct sets of L1.
int64_t pixel_stride(int64_t channels) {
  if (channels < kLine) return channels;
  return channels < 4 * kLine ? ceil_div(channels, 8) * 8 : (ceil_div(channels, kLine) | 1) * kLine;
}

// `count` pixels of `channels` elements, from one pixel stride to another, whose excess is filled with zeros.
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

PaddedAxis::Interior PaddedAxis::interior() const {
  const auto from = [&](int64_t element) {
    const int64_t room = element - first;
    return std::clamp<int64_t>(room <= 0 ? 0 : ceil_div(room, step), 0, size);
  };
  const int64_t begin = from(0);
  return {begin, std::max(begin, from(image))};
}

PaddedInput::PaddedInput(const PaddedAxis& depth, const PaddedAxis& height, const PaddedAxis& width, int64_t channels)
    : axes{depth, height, width}, channels(channels) {
  set_strides(pixel_stride(channels));
}

void PaddedInput::set_strides(int64_t pixel) {
  stride[2] = pixel;
  stride[1] = stride[2] * axes[2].size;
  stride[0] = stride[1] * axes[1].size;
  size = stride[0] * axes[0].size;
}

PaddedInput PaddedInput::with_pixel_stride(int64_t pixel) const {
  PaddedInput out = *this;
  out.set_strides(pixel);
  return out;
}

template <class T>
void PaddedInput::fill(Images<const T> x, int64_t images, T* out) const {
  const auto& [depth, height, width] = axes;
  const PaddedAxis::Interior slabs = depth.interior(), lines = height.interior(), pixels = width.interior();
  const int64_t plane = depth.image * height.image * width.image, per_image = depth.size * height.size;
  const auto fill_row = [&](int64_t i, int64_t begin, int64_t end) {
    T* line = out + i * stride[1];
    const int64_t slab = i % per_image / height.size, row = i % height.size;
    const bool zeros = !slabs.contains(slab) || !lines.contains(row);
    const int64_t first = zeros ? end : std::clamp(pixels.begin, begin, end);
    const int64_t last = zeros ? end : std::clamp(pixels.end, first, end);
    std::fill(line + begin * stride[2], line + first * stride[2], T{0});
    if (first < last) {
      const int64_t z = depth.first + slab * depth.step, y = height.first + row * height.step;
      const int64_t from = (z * height.image + y) * width.image + width.first + first * width.step;
      const T* image = x.data + i / per_image * channels * plane;
      T* to = line + first * stride[2];
      if (x.nhwc()) {
        copy_nhwc(image + from * x.pixel, width.step * x.pixel, channels, to, stride[2], last - first);
      } else if (channels == 1) {
        const CopyRun whole{0, 0, last - first};
        kernels().of<T>().copy_runs(&whole, 1, width.step, image + from, to);
      } else {
        kernels().of<T>().gemm_pack(last - first, channels, stride[2], image + from, width.step, plane, to);
      }
    }
    std::fill(line + last * stride[2], line + end * stride[2], T{0});
  };
  const int64_t parts = ceil_div(width.size, kPixels);
  const int64_t grain =
      std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, std::min(kPixels * stride[2], stride[1])));
  parallel_for(images * per_image * parts, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t part = i % parts * kPixels;
      fill_row(i / parts, part, std::min(part + kPixels, width.size));
    }
  });
  std::fill_n(out + images * size, kSlack, T{0});
}

int64_t PaddedInput::images_per_block(int64_t images) const {
  return std::clamp<int64_t>(kElements / std::max<int64_t>(1, size), 1, std::max<int64_t>(1, images));
}

template void PaddedInput::fill(Images<const float>, int64_t, float*) const;
template void PaddedInput::fill(Images<const double>, int64_t, double*) const;

}  // namespace ember::ops
