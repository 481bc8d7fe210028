// The forward convolution has one map. For its input's gradient, position i of an axis gets dy[o] w[k] of all o, k with
// i = o * stride + k * dilation - pad: the same taps for all i of one remainder modulo stride, which form a map of step
// 1 over the flipped kernel.
#include "ops/kernels/access_map.h"

#include <algorithm>
#include <numeric>

namespace ember::ops {
namespace {

// All that is read along an axis is at multiples of it.
int64_t common_step(const Window& w, int d) {
  if (w.kernel[d] == 1) return w.stride[d];
  return w.out[d] == 1 ? w.dilation[d] : std::gcd(w.stride[d], w.dilation[d]);
}

PaddedAxis padded_axis(const Window& w, int d) {
  const AccessAxis axis = access_axis(w, d);
  return {w.in[d], -w.pad[d], common_step(w, d),
          (axis.outputs - 1) * axis.step + (w.kernel[d] - 1) * axis.tap_step + 1};
}

// Of the result indices remainder, remainder + stride, ... `first` is still an index of dy, not of the padded input.
AccessAxis transposed_axis(const Window& forward, int d, int64_t remainder) {
  const int64_t stride = forward.stride[d], dilation = forward.dilation[d], kernel = forward.kernel[d];
  const int64_t common = std::gcd(stride, dilation), period = stride / common;
  const int64_t start = remainder + forward.pad[d] - (kernel - 1) * dilation;
  const int64_t outputs = (forward.in[d] - 1 - remainder) / stride + 1;
  AccessAxis axis{outputs, 0, 1, dilation / common, {}, remainder, outputs > 1 ? stride : 1};
  for (int64_t flipped = 0; flipped < kernel; ++flipped) {
    if ((start + flipped * dilation) % stride != 0) continue;
    if (axis.taps.empty()) axis.first = (start + flipped * dilation) / stride;
    axis.taps.push_back(kernel - 1 - flipped);
    flipped += period - 1;
  }
  return axis;
}

std::vector<AccessAxis> transposed_axes(const Window& forward, int d) {
  std::vector<AccessAxis> axes;
  for (int64_t i = 0; i < std::min(forward.stride[d], forward.in[d]); ++i)
    axes.push_back(transposed_axis(forward, d, i));
  return axes;
}

// What the maps read in all; their `first` become indices of that.
PaddedAxis transposed_padded_axis(const Window& forward, int d, std::vector<AccessAxis>& axes) {
  int64_t begin = 0, end = 0;
  for (const AccessAxis& axis : axes) {
    if (axis.taps.empty()) continue;
    const auto taps = static_cast<int64_t>(axis.taps.size());
    const int64_t last = axis.first + axis.outputs - 1 + (taps - 1) * axis.tap_step;
    const bool none = begin == end;
    begin = none ? axis.first : std::min(begin, axis.first);
    end = none ? last + 1 : std::max(end, last + 1);
  }
  for (AccessAxis& axis : axes) axis.first -= begin;
  return {forward.out[d], begin, 1, end - begin};
}

}  // namespace

PaddedInput padded_input_of(const Window& w, int64_t channels) {
  return {padded_axis(w, 0), padded_axis(w, 1), padded_axis(w, 2), channels};
}

AccessAxis access_axis(const Window& w, int d) {
  std::vector<int64_t> taps(static_cast<size_t>(w.kernel[d]));
  std::iota(taps.begin(), taps.end(), 0);
  const int64_t common = common_step(w, d);
  const int64_t step = w.out[d] == 1 ? 0 : w.stride[d] / common,
                tap_step = w.kernel[d] == 1 ? 1 : w.dilation[d] / common;
  return {w.out[d], 0, step, tap_step, taps, 0, 1};
}

std::vector<Tap> taps_of(const AccessAxis (&axes)[3], const int64_t (&kernel)[3]) {
  const auto& [depth, height, width] = axes;
  std::vector<Tap> taps;
  for (size_t z = 0; z < depth.taps.size(); ++z) {
    for (size_t y = 0; y < height.taps.size(); ++y) {
      for (size_t x = 0; x < width.taps.size(); ++x) {
        taps.push_back({(depth.taps[z] * kernel[1] + height.taps[y]) * kernel[2] + width.taps[x],
                        {static_cast<int64_t>(z) * depth.tap_step, static_cast<int64_t>(y) * height.tap_step,
                         static_cast<int64_t>(x) * width.tap_step}});
      }
    }
  }
  return taps;
}

AffineOffsets output_offsets_of(const AccessAxis (&axes)[3], const int64_t (&result)[3]) {
  const int64_t elements[3] = {result[1] * result[2], result[2], 1};
  AffineOffsets out;
  for (int d = 0; d < 3; ++d) {
    out.first += axes[d].result_first * elements[d];
    out.step[d] = axes[d].result_step * elements[d];
  }
  return out;
}

AffineOffsets input_offsets_of(const AccessAxis (&axes)[3], const PaddedInput& padded) {
  AffineOffsets out;
  for (int d = 0; d < 3; ++d) {
    out.first += axes[d].first * padded.stride[d];
    out.step[d] = axes[d].step * padded.stride[d];
  }
  return out;
}

ConvolutionAccess access_of(const Window& w, const Channels& ch) {
  ConvolutionAccess out{ch,
                        padded_input_of(w, ch.groups * ch.in),
                        {ch.out * ch.in * w.taps(), ch.in * w.taps(), w.taps()},
                        {w.kernel[0], w.kernel[1], w.kernel[2]},
                        {w.out[0], w.out[1], w.out[2]},
                        {}};
  out.maps.push_back({{access_axis(w, 0), access_axis(w, 1), access_axis(w, 2)}});
  return out;
}

ConvolutionAccess transposed_access_of(const Window& forward, const Channels& ch) {
  std::vector<AccessAxis> axes[3];
  for (int d = 0; d < 3; ++d) axes[d] = transposed_axes(forward, d);
  const PaddedAxis depth = transposed_padded_axis(forward, 0, axes[0]),
                   height = transposed_padded_axis(forward, 1, axes[1]),
                   width = transposed_padded_axis(forward, 2, axes[2]);
  const int64_t taps = forward.taps();
  ConvolutionAccess out{
      {ch.images, ch.groups, ch.out, ch.in},         {depth, height, width, ch.groups * ch.out},
      {ch.out * ch.in * taps, taps, ch.in * taps},   {forward.kernel[0], forward.kernel[1], forward.kernel[2]},
      {forward.in[0], forward.in[1], forward.in[2]}, {}};
  for (const AccessAxis& d : axes[0]) {
    for (const AccessAxis& h : axes[1]) {
      for (const AccessAxis& w : axes[2]) out.maps.push_back({{d, h, w}});
    }
  }
  return out;
}

}  // namespace ember::ops
