// Chooses among the algorithms: pointwise convolutions (1x1, stride 1) are products of matrices, large ones bf16x3
// (bf16x3_convolve.h), the others direct, over NCHW (nchw_convolve.h) or padded NHWC input (nhwc_convolve.h). Packed
// weights are cached where outputs are few (packed_cache.h): of 49 that saves 27 to 33% of the time, of 196 8 to 15%.
#include "ops/kernels/convolve.h"

#include <algorithm>
#include <type_traits>

#include "ops/base/parallel.h"
#include "ops/kernels/access_map.h"
#include "ops/kernels/bf16x3_convolve.h"
#include "ops/kernels/nchw_convolve.h"
#include "ops/kernels/nhwc_convolve.h"
#include "ops/program/program.h"

namespace ember::ops {
namespace {

constexpr int64_t kParallelWork = 1 << 18;
constexpr int64_t kProductWork = 1 << 22;  // of a product that is worth all threads
constexpr int64_t kCachedOutputs = 256;    // at most, of all images

template <class T>
void convolve_direct(const ConvolutionAccess& r, Images<const T> x, const T* weights, Images<T> y,
                     const gc::Storage* cacheable, const Epilogue* epilogue) {
  if (!x.nhwc() && !y.nhwc() && NchwConvolution<T>::suits(r)) {
    for (const AccessMap& map : r.maps) NchwConvolution<T>(r, map, weights).run(x.data, y.data);
    if (epilogue) epilogue->run_all();
    return;
  }
  const PaddedInput& padded = r.padded;
  const bool few = r.channels.images * r.plane() <= kCachedOutputs;
  const PackedWeights<T> panels(weights, r.strides, r.channels, r.taps(), few ? cacheable : nullptr);
  std::vector<NhwcConvolution<T>> convolutions;
  for (const AccessMap& map : r.maps)
    convolutions.emplace_back(padded, map.axes, r.channels, panels, r.kernel, r.result);
  const int64_t images = r.channels.images, channels = r.channels.groups * r.channels.out;
  const int64_t together = padded.images_per_block(images), image = channels * r.plane();
  const bool supports_epilogue = convolutions.size() == 1 && convolutions[0].supports_epilogue(y);
  const Scratch<T> filled(together * padded.size + PaddedInput::kSlack);
  for (int64_t first = 0; first < images; first += together) {
    const int64_t count = std::min(together, images - first);
    padded.fill<T>(x.at(first, 0, 1, padded.image()), count, filled);
    for (const NhwcConvolution<T>& convolution : convolutions)
      convolution.run(count, filled, y.at(first, 0, channels, r.plane()), supports_epilogue ? epilogue : nullptr,
                      first * image);
  }
  if (epilogue && !supports_epilogue) epilogue->run_all();
}

// 1x1, stride 1, no padding, and outputs enough to be the columns of a product.
bool is_pointwise(const Window& w) {
  constexpr int64_t kColumns = 128;
  if (w.out_size() < kColumns) return false;
  for (int d = 0; d < 3; ++d) {
    if (w.kernel[d] != 1 || w.stride[d] != 1 || w.pad[d] != 0 || w.in[d] != w.out[d]) return false;
  }
  return true;
}

// For each group y = x w' (NHWC) or y = w x (NCHW), with weights (out, in) at these strides.
void convolve_pointwise(const Channels& ch, int64_t plane, Images<const float> x, const float* weights, int64_t row,
                        int64_t column, Images<float> y, const Epilogue* epilogue) {
  if (ch.groups == 1 && ch.images > 1 && x.nhwc() && y.nhwc()) {
    return convolve_pointwise({1, 1, ch.in, ch.out}, ch.images * plane, x, weights, row, column, y, epilogue);
  }
  const int64_t count = ch.images * ch.groups, work = std::max<int64_t>(1, ch.out * plane * ch.in);
  const int64_t channel = x.channel_stride(plane), pixel = x.pixel_stride();
  const auto products = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t image = i / ch.groups, group = i % ch.groups;
      const float* w = weights + group * ch.out * ch.in;
      const float* from = x.at(image, group * ch.in, ch.groups * ch.in, plane).data;
      float* to = y.at(image, group * ch.out, ch.groups * ch.out, plane).data;
      if (y.nhwc()) {
        run_gemm({plane, ch.out, ch.in, from, pixel, channel, w, column, row, to, y.pixel, epilogue, to - y.data});
      } else {
        run_gemm({ch.out, plane, ch.in, w, row, column, from, channel, pixel, to, plane, epilogue, to - y.data});
      }
    }
  };
  if (work < kProductWork) {
    parallel_for_throwing(count, std::max<int64_t>(1, kParallelWork / work), products);
  } else {
    products(0, count);
  }
}

template <class T>
void convolve_fma(const Window& w, const Channels& ch, Images<const T> x, const T* weights, Images<T> y,
                  const gc::Storage* cacheable, const Epilogue* epilogue) {
  if constexpr (std::is_same_v<T, float>) {
    if (is_pointwise(w)) return convolve_pointwise(ch, w.out_size(), x, weights, ch.in, 1, y, epilogue);
  }
  convolve_direct(access_of(w, ch), x, weights, y, cacheable, epilogue);
}

template <class T>
void convolve_transposed_fma(const Window& forward, const Channels& ch, Images<const T> dy, const T* weights,
                             Images<T> dx, const Epilogue* epilogue) {
  if constexpr (std::is_same_v<T, float>) {
    if (is_pointwise(forward)) {
      return convolve_pointwise({ch.images, ch.groups, ch.out, ch.in}, forward.in_size(), dy, weights, 1, ch.in, dx,
                                epilogue);
    }
  }
  convolve_direct<T>(transposed_access_of(forward, ch), dy, weights, dx, nullptr, epilogue);
}

// Of an operand with so many channels per group and `plane` elements each, and of weights with so many columns.
int terms_of(DType of, const Window& w, int64_t images, int64_t groups, int64_t channels, int64_t plane,
             int64_t columns) {
  if (!fills_steps(groups, channels)) return 0;
  const int64_t depth = w.taps() * channels;
  const double elements = static_cast<double>(images * channels * plane) + static_cast<double>(columns * depth);
  return bf16_terms(of, images * w.out_size(), columns, depth, elements);
}

}  // namespace

template <class T>
void convolve(const Window& w, const Channels& ch, DType of, Images<const T> x, const T* weights, Images<T> y,
              const gc::Storage* cacheable, const Epilogue* epilogue) {
  if (ch.images * ch.groups * ch.out * w.out_size() == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (const int terms = terms_of(of, w, ch.images, ch.groups, ch.in, w.in_size(), ch.out)) {
      return convolve_bf16x3(access_of(w, ch), terms, x, weights, y, cacheable, epilogue,
                             [&](Images<const float> x, const float* weights, Images<float> y) {
                               convolve_fma<float>(w, {1, 1, ch.in, ch.out}, x, weights, y, nullptr, nullptr);
                             });
    }
  }
  convolve_fma(w, ch, x, weights, y, cacheable, epilogue);
}

template <class T>
void convolve_transposed(const Window& forward, const Channels& ch, DType of, Images<const T> dy, const T* weights,
                         Images<T> dx, const Epilogue* epilogue) {
  if (ch.images * ch.groups * ch.in * forward.in_size() == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (const int terms = terms_of(of, forward, ch.images, ch.groups, ch.out, forward.out_size(), ch.in)) {
      return convolve_bf16x3(transposed_access_of(forward, ch), terms, dy, weights, dx, nullptr, epilogue,
                             [&](Images<const float> dy, const float* weights, Images<float> dx) {
                               convolve_transposed_fma(forward, {1, 1, ch.in, ch.out}, dy, weights, dx, nullptr);
                             });
    }
  }
  convolve_transposed_fma(forward, ch, dy, weights, dx, epilogue);
}

template void convolve(const Window&, const Channels&, DType, Images<const float>, const float*, Images<float>,
                       const gc::Storage*, const Epilogue*);
template void convolve(const Window&, const Channels&, DType, Images<const double>, const double*, Images<double>,
                       const gc::Storage*, const Epilogue*);
template void convolve_transposed(const Window&, const Channels&, DType, Images<const float>, const float*,
                                  Images<float>, const Epilogue*);
template void convolve_transposed(const Window&, const Channels&, DType, Images<const double>, const double*,
                                  Images<double>, const Epilogue*);

}  // namespace ember::ops
