// The padded input of convolutions: images in NHWC order with their halo of zeros, so that a kernel needs no bounds
// checks and what a tap reads for consecutive outputs are channel vectors at one stride. Along each axis
//   padded[i] = x[first + i * step] where that is an element of the image, else 0     for i in [0, size)
// A convolution with pad 1 and kernel 3 over x of 5 elements: first = -1, step = 1, size = 7 give 0 x0 x1 x2 x3 x4 0,
// whose interior is [1, 6). With kernel 1 and stride 2: first = 0, step = 2, size = 3 give x0 x2 x4.
#pragma once

#include <cstdint>

#include "ops/kernels/images.h"

namespace ember::ops {

// image: the elements of the unpadded axis.
struct PaddedAxis {
  int64_t image, first, step, size;

  // The positions that hold elements of the image.
  struct Interior {
    int64_t begin, end;
    bool contains(int64_t i) const { return i >= begin && i < end; }
  };
  Interior interior() const;
};

struct PaddedInput {
  static constexpr int64_t kSlack = 64;  // elements that may be read past the last padded image

  PaddedAxis axes[3];
  int64_t channels;
  int64_t stride[3];  // of each axis, in elements
  int64_t size;       // of a padded image, in elements

  PaddedInput(const PaddedAxis& depth, const PaddedAxis& height, const PaddedAxis& width, int64_t channels);

  // The same with another stride of axis 2.
  PaddedInput with_pixel_stride(int64_t pixel) const;

  // x: images of `channels` each. out: as many padded images, and the slack.
  template <class T>
  void fill(Images<const T> x, int64_t images, T* out) const;

  int64_t at(const int64_t (&i)[3]) const { return i[0] * stride[0] + i[1] * stride[1] + i[2] * stride[2]; }
  int64_t image() const { return channels * axes[0].image * axes[1].image * axes[2].image; }

  // How many of `images` are padded at once: some megabytes.
  int64_t images_per_block(int64_t images) const;

 private:
  void set_strides(int64_t pixel);
};

}  // namespace ember::ops
