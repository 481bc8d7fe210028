// Images as convolutions read them: the channels of a pixel beside each other, and around the image the zeros that are
// read as well. So what a tap takes for consecutive outputs are vectors of channels at one distance from each other,
// wherever the window stands.
#pragma once

#include <cstdint>

#include "ops/kernels/images.h"

namespace ember::ops {

// Cell i holds the image's element `first` + i * `unit`, or zero where the image has none.
struct PaddedAxis {
  int64_t image, first, unit, cells;

  // The cells that hold elements.
  struct Filled {
    int64_t begin, end;
    bool contains(int64_t cell) const { return cell >= begin && cell < end; }
  };
  Filled filled() const;
};

struct PaddedInput {
  static constexpr int64_t kSlack = 64;  // elements behind the last frame that may be read

  PaddedAxis axes[3];
  int64_t channels;
  int64_t distance[3];  // from cell to cell of each axis, in elements
  int64_t size;         // of a frame, in elements

  PaddedInput(const PaddedAxis& depth, const PaddedAxis& height, const PaddedAxis& width, int64_t channels);

  // The same, with pixels so many elements apart.
  PaddedInput with_pixel_stride(int64_t pixel) const;

  // x: images of `channels` each. out: `images` frames and the slack.
  template <class T>
  void fill(Images<const T> x, int64_t images, T* out) const;

  int64_t at(const int64_t (&cells)[3]) const {
    return cells[0] * distance[0] + cells[1] * distance[1] + cells[2] * distance[2];
  }
  int64_t image() const { return channels * axes[0].image * axes[1].image * axes[2].image; }

  // How many of `images` make up no more than some megabytes.
  int64_t together(int64_t images) const;

 private:
  void set_strides(int64_t pixel);  // cells that are so many elements apart
};

}  // namespace ember::ops
