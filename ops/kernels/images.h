// Where images (N, C, sizes) of one to three sizes lie: plane by plane (contiguous), or channels-last, pixel by pixel
// with the channels beside each other.
#pragma once

#include "ops/table/op.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {

Shape channels_last_strides(const Shape& shape);
bool is_nhwc(const Layout& layout);
// By pixels, where that is another order than plane by plane.
inline bool channels_last(const Layout& layout) { return !layout.contiguous && is_nhwc(layout); }

// T may be const.
template <class T>
struct Images {
  T* data;
  int64_t pixel = 0;  // by pixels: elements from one to the next

  bool nhwc() const { return pixel != 0; }
  // Elements from a channel, and from a pixel, to the next.
  int64_t channel_stride(int64_t pixels) const { return nhwc() ? 1 : pixels; }
  int64_t pixel_stride() const { return nhwc() ? pixel : 1; }
  // An image's channels from `channel` on, of so many, with so many pixels.
  Images at(int64_t image, int64_t channel, int64_t channels, int64_t pixels) const {
    return {data + image * channels * pixels + channel * channel_stride(pixels), pixel};
  }
};

// Images as they lie if it is one of the two orders, else a contiguous copy.
Tensor dense_images(const Tensor& t);
// Images that lie in the order asked for, copied if they do not.
Tensor images_in_order(const Tensor& t, bool nhwc);

template <class T>
Images<T> images(const View& v) {
  return {v.as<T>(), channels_last(*v.layout) ? v.layout->shape[1] : 0};
}
template <class T>
Images<const T> images(const Tensor& t) {
  return {t.data_as<T>(), channels_last(t.layout()) ? t.shape()[1] : 0};
}

// A result that is computed in one of the orders, whichever the other end wants.
class ImagesResult {
 public:
  ImagesResult(const View& to, bool nhwc);
  template <class T>
  T* data_as() const {
    return static_cast<T*>(apart_.defined() ? apart_.data() : to_.data);
  }
  void finish() const;

 private:
  const View to_;
  Tensor apart_;
};

}  // namespace ember::ops
