// The (N, H, W) pixels are rows and the channels columns. Each pass reads memory once, all channels together: blocks of
// few channels, as for NCHW, would read a part of each cache line.
#include "ops/kernels/batch_norm_nhwc.h"

#include <cmath>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/images.h"
#include "ops/kernels/widen.h"
#include "ops/program/program.h"
#include "ops/program/reduce.h"
#include "ops/program/strided.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kElements = 1 << 14;  // of a block
constexpr int64_t kColumns = 64;        // whose lanes stay in L1

template <class T>
const ColumnKernels<T>& column_kernels() {
  return *kernels().of<T>().columns;
}

struct Pixels {
  int64_t count, channels;
  explicit Pixels(const Layout& x) : count(x.numel / x.shape[1]), channels(x.shape[1]) {}

  // Calls f(first, pixels) block by block, each followed by the epilogue.
  template <class F>
  void each_block(const Epilogue* epilogue, F f) const {
    const int64_t together = ceil_div(kElements, channels);
    parallel_for_throwing(ceil_div(count, together), 1, [&](int64_t begin, int64_t end) {
      for (int64_t first = begin * together; first < std::min(end * together, count); first += together) {
        const int64_t some = std::min(together, count - first);
        f(first, some);
        if (epilogue) epilogue->run({first * channels, 1, some * channels, 0});
      }
    });
  }

  // Sums of each channel, in the order of simd/reduction.h. f(first, pixels, column, columns, lanes...) adds a chunk's
  // elements to lanes, one set for each result.
  template <class T, class... Out, class F>
  void sum(F f, Out... out) const {
    constexpr int64_t kSums = sizeof...(Out);
    const ReduceKernels& kernels = reduce_kernels(ReduceKind::Sum, dtype_of<T>);
    const int64_t chunks = ceil_div(count, kReduceChunk), blocks = ceil_div(channels, kColumns);
    const Scratch<T> partial(kSums * chunks * channels);
    parallel_for(chunks * blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        const int64_t chunk = task / blocks, column = task % blocks * kColumns, first = chunk * kReduceChunk;
        const int64_t columns = std::min(kColumns, channels - column);
        alignas(64) T lanes[kSums][kReduceLanes * kColumns]{};
        [&]<size_t... i>(std::index_sequence<i...>) {
          f(first, std::min(kReduceChunk, count - first), column, columns, lanes[i]...);
        }
        (std::index_sequence_for<Out...>());
        for (int64_t i = 0; i < kSums; ++i) {
          fold_lanes(kernels, lanes[i], columns, sizeof(T));
          std::copy_n(lanes[i], columns, partial + (chunk * kSums + i) * channels + column);
        }
      }
    });
    fold_chunks(kernels, partial, chunks, kSums * channels, sizeof(T));
    int64_t at = 0;
    (std::copy_n(partial + channels * at++, channels, out), ...);
  }
};

}  // namespace

template <class T>
void normalize_nhwc(const KernelCall& call) {
  const ColumnKernels<T>& kernels = column_kernels<T>();
  const Tensor in = images_in_order(borrow(call.in[0]), true);
  const Tensor weight = to_contiguous(borrow(call.in[1])), bias = to_contiguous(borrow(call.in[2]));
  const Pixels pixels(in.layout());
  const int64_t channels = pixels.channels;
  const T count = static_cast<T>(pixels.count), eps = static_cast<T>(call.attrs.number(3)), *x = in.data_as<T>();
  const Scratch<T> rstd(channels);
  T *y = call.out[0].as<T>(), *mean = call.out[1].as<T>(), *variance = call.out[2].as<T>();
  const LayoutRef rows = layout(dtype_of<T>, {pixels.count, channels});
  reduce(ReduceKind::Sum, {in.data(), rows.get()}, {0}, dtype_of<T>, mean);
  for (int64_t c = 0; c < channels; ++c) mean[c] /= count;
  pixels.sum<T>(
      [&](int64_t first, int64_t some, int64_t column, int64_t columns, T* lanes) {
        kernels.square_sums(x + first * channels + column, channels, some, columns, mean + column, lanes);
      },
      variance);
  for (int64_t c = 0; c < channels; ++c) {
    variance[c] /= count;
    rstd[c] = T{1} / std::sqrt(variance[c] + eps);
  }
  pixels.each_block(call.epilogue, [&](int64_t first, int64_t some) {
    kernels.normalize(x + first * channels, some, channels, mean, rstd, weight.data_as<T>(), bias.data_as<T>(),
                      y + first * channels);
  });
}

// See channel_gradients in ops/defs/batch_norm.cpp.
template <class T>
void gradients_nhwc(const KernelCall& call) {
  const ColumnKernels<T>& kernels = column_kernels<T>();
  const Tensor cotangent = images_in_order(borrow(call.in[0]), true), in = images_in_order(borrow(call.in[1]), true);
  const Tensor weight = to_contiguous(borrow(call.in[2])), means = to_contiguous(borrow(call.in[3])),
               variance = to_contiguous(borrow(call.in[4]));
  const Pixels pixels(in.layout());
  const int64_t channels = pixels.channels;
  const T count = static_cast<T>(pixels.count), eps = static_cast<T>(call.attrs.number(5));
  const T *ct = cotangent.data_as<T>(), *x = in.data_as<T>(), *mean = means.data_as<T>();
  const Scratch<T> numbers(4 * channels);
  T *rstd = numbers, *scale = rstd + channels, *of_total = scale + channels, *of_slope = of_total + channels;
  T *dx = call.out[0].as<T>(), *slope = call.out[1].as<T>(), *total = call.out[2].as<T>();
  for (int64_t c = 0; c < channels; ++c) {
    rstd[c] = T{1} / std::sqrt(variance.data_as<T>()[c] + eps);
    scale[c] = weight.data_as<T>()[c] * rstd[c];
  }
  pixels.sum<T>(
      [&](int64_t first, int64_t some, int64_t column, int64_t columns, T* slopes, T* totals) {
        const int64_t at = first * channels + column;
        kernels.slope_sums(ct + at, x + at, channels, some, columns, mean + column, rstd + column, slopes, totals);
      },
      slope, total);
  for (int64_t c = 0; c < channels; ++c) {
    of_total[c] = total[c] / count;
    of_slope[c] = slope[c] / count;
  }
  pixels.each_block(call.epilogue, [&](int64_t first, int64_t some) {
    const int64_t at = first * channels;
    kernels.unnormalize(ct + at, x + at, some, channels, mean, rstd, of_total, of_slope, scale, dx + at);
  });
}

template void normalize_nhwc<float>(const KernelCall&);
template void normalize_nhwc<double>(const KernelCall&);
template void gradients_nhwc<float>(const KernelCall&);
template void gradients_nhwc<double>(const KernelCall&);

}  // namespace ember::ops
