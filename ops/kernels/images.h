// Memory formats of images (N, C, sizes) of one to three sizes, "NCHW" and "NHWC" whatever their number: NCHW is
// contiguous, NHWC (channels-last) has strides (H W C, 1, W C, C). A (2, 3, 4, 5): NCHW 60 20 5 1, NHWC 60 1 15 3.
#pragma once

#include "ops/table/call.h"
#include "ops/tensor/tensor.h"

namespace ember::ops {

Shape channels_last_strides(const Shape& shape);
bool is_nhwc(const Layout& layout);
// NHWC and not NCHW too, as with one channel or one pixel.
inline bool channels_last(const Layout& layout) { return !layout.contiguous && is_nhwc(layout); }

// T may be const.
template <class T>
struct Images {
  T* data;
  int64_t pixel = 0;  // NHWC: the stride of pixels; NCHW: 0

  bool nhwc() const { return pixel != 0; }
  int64_t channel_stride(int64_t pixels) const { return nhwc() ? 1 : pixels; }
  int64_t pixel_stride() const { return nhwc() ? pixel : 1; }
  // From `channel` of `image` on, of images of `channels` and `pixels`.
  Images at(int64_t image, int64_t channel, int64_t channels, int64_t pixels) const {
    return {data + image * channels * pixels + channel * channel_stride(pixels), pixel};
  }
};

// Themselves if they have one of the two formats, else an NCHW copy.
Tensor dense_images(const Tensor& t);
// Themselves if they have the format, else a copy that has.
Tensor images_in_order(const Tensor& t, bool nhwc);

template <class T>
Images<T> images(const View& v) {
  return {v.as<T>(), channels_last(*v.layout) ? v.layout->shape[1] : 0};
}
template <class T>
Images<const T> images(const Tensor& t) {
  return {t.data_as<T>(), channels_last(t.layout()) ? t.shape()[1] : 0};
}

// A result computed in one format and copied to another where needed.
class ImagesResult {
 public:
  ImagesResult(const View& to, bool nhwc);
  template <class T>
  T* data_as() const {
    return static_cast<T*>(staging_.defined() ? staging_.data() : to_.data);
  }
  void finish() const;

 private:
  const View to_;
  Tensor staging_;
};

}  // namespace ember::ops
