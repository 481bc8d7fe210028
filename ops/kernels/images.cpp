#include "ops/kernels/images.h"

#include "ops/program/strided.h"

namespace ember::ops {

Shape channels_last_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  int64_t step = shape[1];
  for (size_t d = shape.size(); d-- > 2;) {
    strides[d] = step;
    step *= shape[d];
  }
  strides[0] = step;
  return strides;
}

bool is_nhwc(const Layout& layout) {
  if (layout.rank() < 3) return false;
  const Shape wanted = channels_last_strides(layout.shape);
  for (size_t d = 0; d < wanted.size(); ++d) {
    if (layout.shape[d] != 1 && layout.strides[d] != wanted[d]) return false;
  }
  return true;
}

namespace {

bool has_order(const Layout& layout, bool nhwc) { return nhwc ? is_nhwc(layout) : layout.contiguous; }

Tensor empty(const Layout& like, bool nhwc) {
  const Shape strides = nhwc ? channels_last_strides(like.shape) : row_major_strides(like.shape);
  return Tensor::empty(layout(like.dtype, like.shape, strides));
}

}  // namespace

Tensor dense_images(const Tensor& t) { return channels_last(t.layout()) ? t : to_contiguous(t); }

Tensor images_in_order(const Tensor& t, bool nhwc) {
  if (has_order(t.layout(), nhwc)) return t;
  const Tensor copy = empty(t.layout(), nhwc);
  copy_view({t.data(), &t.layout()}, {copy.data(), &copy.layout()});
  return copy;
}

ImagesResult::ImagesResult(const View& to, bool nhwc) : to_(to) {
  if (!has_order(*to.layout, nhwc)) staging_ = empty(*to.layout, nhwc);
}

void ImagesResult::finish() const {
  if (staging_.defined()) copy_view({staging_.data(), &staging_.layout()}, to_);
}

}  // namespace ember::ops
