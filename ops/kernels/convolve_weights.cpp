// The gradient of a convolution's weights, a batch-reduce GEMM for each image, group and tap,
//   dw[n, t, c] = sum over outputs o of dy[n, o] * padded[index(o, t), c]
// whose batch elements are rows of outputs: over 7x7 outputs 7 of them, of depth 7.
// Depthwise, the product is elementwise over groups. Images are summed as a binary tree: a power of two of them at
// once, and these as a binary counter merges. bf16x3 is elsewhere (bf16x3_convolve.h).
#include <algorithm>
#include <vector>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/access_map.h"
#include "ops/kernels/bf16x3_convolve.h"
#include "ops/program/reduce.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kPartials = 1 << 20;  // elements of weight gradients of several images at once
constexpr int64_t kSteps = 256;         // outputs of a block, so that what is read of a panel stays in L1
constexpr int64_t kPanels = 4;          // of a task
constexpr int64_t kWork = 1 << 18;

PaddedInput unpadded_input_of(const Window& w, int64_t channels) {
  return {{w.out[0], 0, 1, w.out[0]}, {w.out[1], 0, 1, w.out[1]}, {w.out[2], 0, 1, w.out[2]}, channels};
}

// The gradients of single images, (group, run, output channel, lane). A run is contiguous input: a tap's channels, or
// those of a row of taps where pixels are contiguous. Depthwise (tap, group).
template <class T>
class ImageGradients {
 public:
  ImageGradients(const Window& window, const Channels& channels, bool slopes_nhwc)
      : w_(window),
        ch_(channels),
        kernel_(tile_kernel<T>()),
        depthwise_(channels.in == 1 && channels.out == 1 && channels.groups > 1),
        padded_(padded_input_of(window, channels.groups * channels.in)),
        gradients_(unpadded_input_of(window, channels.groups * channels.out)) {
    for (int d = 0; d < 3; ++d) {
      const AccessAxis axis = access_axis(w_, d);
      step_[d] = axis.step * padded_.stride[d];
      tap_step_[d] = axis.tap_step * padded_.stride[d];
    }
    const bool rows = ch_.groups == 1 && padded_.stride[2] == ch_.in && tap_step_[2] == ch_.in;
    lanes_ = rows ? w_.kernel[2] * ch_.in : ch_.in;
    for (int64_t tap = 0; tap < w_.taps(); tap += rows || depthwise_ ? w_.kernel[2] : 1)
      runs_.push_back(tap_offset(tap));
    by_panels_ = slopes_nhwc && !depthwise_;
    slope_channel_ = by_panels_ ? 1 : w_.out_size();
    slope_pixel_ = depthwise_ ? gradients_.stride[2] : by_panels_ ? kernel_.mr : 1;
    slopes_ = (by_panels_ ? ceil_div(ch_.out, kernel_.mr) * kernel_.mr : ch_.out) * w_.out_size();
    for (int64_t line = 0; line < w_.out[0] * w_.out[1]; ++line) {
      const int64_t gradient = line * w_.out[2] * slope_pixel_;
      lines_.push_back({line / w_.out[1] * step_[0] + line % w_.out[1] * step_[1], gradient});
      if (!depthwise_) std::swap(lines_.back().a, lines_.back().b);
    }
    padded_groups_ = ceil_div(ch_.groups, kernel_.nr) * kernel_.nr;
  }

  int64_t size() const { return depthwise_ ? w_.taps() * padded_groups_ : ch_.groups * ch_.out * ch_.in * w_.taps(); }

  void run(int64_t images, Images<const T> x, Images<const T> dy, T* partial) const {
    const int64_t together = padded_.images_per_block(images);
    const Scratch<T> padded(together * padded_.size + PaddedInput::kSlack);
    const Scratch<T> gradients(depthwise_   ? together * gradients_.size + PaddedInput::kSlack
                               : by_panels_ ? together * ch_.groups * slopes_
                                            : 0);
    for (int64_t done = 0; done < images; done += together) {
      const int64_t count = std::min(together, images - done);
      const Images<const T> inputs = x.at(done, 0, 1, padded_.image()), slopes = dy.at(done, 0, 1, gradients_.image());
      padded_.fill<T>(inputs, count, padded);
      if (depthwise_) {
        gradients_.fill<T>(slopes, count, gradients);
        run_depthwise(count, padded, gradients, partial + done * size());
      } else {
        if (by_panels_) pack(count, slopes, gradients);
        run_dense(count, padded, by_panels_ ? gradients : slopes.data, partial + done * size());
      }
    }
  }

  // As (group, output channel, input channel, tap).
  void arrange(const T* partial, T* dw) const {
    const int64_t taps = w_.taps();
    if (depthwise_) {
      kernels().of<T>().transpose(taps, ch_.groups, partial, padded_groups_, dw, taps);
      return;
    }
    const auto runs = static_cast<int64_t>(runs_.size()), wide = lanes_ / ch_.in;
    parallel_for(
        ch_.groups * ch_.out, std::max<int64_t>(1, (1 << 15) / (ch_.in * taps)), [&](int64_t begin, int64_t end) {
          for (int64_t m = begin; m < end; ++m) {
            const T* from = partial + (m / ch_.out * runs * ch_.out + m % ch_.out) * lanes_;
            T* to = dw + m * ch_.in * taps;
            if (wide == 1) {
              kernels().of<T>().transpose(runs, ch_.in, from, ch_.out * lanes_, to, taps);
            } else {
              for (int64_t s = 0; s < runs; ++s) {
                kernels().of<T>().transpose(wide, ch_.in, from + s * ch_.out * lanes_, ch_.in, to + s * wide, taps);
              }
            }
          }
        });
  }

 private:
  int64_t tap_offset(int64_t tap) const {
    const int64_t row = tap / w_.kernel[2];
    return row / w_.kernel[1] * tap_step_[0] + row % w_.kernel[1] * tap_step_[1] + tap % w_.kernel[2] * tap_step_[2];
  }

  // Calls f(first line, lines, first output of them, outputs) in the order of accumulation.
  template <class F>
  void blocks(F f) const {
    const int64_t width = w_.out[2], together = std::max<int64_t>(1, kSteps / width);
    const auto lines = static_cast<int64_t>(lines_.size());
    for (int64_t line = 0; line < lines; line += together) {
      for (int64_t at = 0; at < width; at += 2 * kSteps) {
        f(line, std::min(together, lines - line), at, std::min(2 * kSteps, width - at));
      }
    }
  }

  // The output's gradient, NHWC to panels of mr channels.
  void pack(int64_t images, Images<const T> dy, T* panels) const {
    const int64_t mr = kernel_.mr, tiles = ceil_div(ch_.out, mr), pixels = w_.out_size();
    parallel_for(images * ch_.groups * tiles, ceil_div(int64_t{1} << 15, mr * pixels), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t m = t % tiles * mr, g = t / tiles % ch_.groups, image = t / tiles / ch_.groups;
        const T* from = dy.at(image, g * ch_.out + m, ch_.groups * ch_.out, pixels).data;
        kernels().of<T>().gemm_pack(pixels, std::min(mr, ch_.out - m), mr, from, dy.pixel, 1, panels + t * mr * pixels);
      }
    });
  }

  void run_dense(int64_t images, const T* padded, const T* dy, T* partial) const {
    const int64_t wide = kPanels * kernel_.nr, across = ceil_div(lanes_, wide);
    const auto runs = static_cast<int64_t>(runs_.size());
    const int64_t work = std::max<int64_t>(1, w_.out_size() * ch_.out * std::min(lanes_, wide));
    parallel_for(images * ch_.groups * runs * across, std::max<int64_t>(1, kWork / work),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t t = begin; t < end; ++t) {
                     const int64_t lane = t % across * wide, s = t / across % runs;
                     const int64_t plane = t / across / runs, image = plane / ch_.groups, g = plane % ch_.groups;
                     multiply_run(lane, std::min(lane + wide, lanes_), dy + plane * slopes_,
                                  padded + image * padded_.size + runs_[static_cast<size_t>(s)] + g * ch_.in,
                                  partial + (plane * runs + s) * ch_.out * lanes_);
                   }
                 });
  }

  void multiply_run(int64_t begin, int64_t end, const T* dy, const T* padded_image, T* partial) const {
    const int64_t mr = kernel_.mr, nr = kernel_.nr;
    blocks([&](int64_t line, int64_t lines, int64_t at, int64_t width) {
      for (int64_t lane = begin; lane < end; lane += nr) {
        for (int64_t m = 0; m < ch_.out; m += mr) {
          kernel_.run({lines, width, lines_.data() + line, dy + m * w_.out_size() + at * slope_pixel_, slope_channel_,
                       slope_pixel_, padded_image + lane + at * step_[2], step_[2], partial + m * lanes_ + lane, lanes_,
                       std::min(mr, ch_.out - m), std::min(nr, end - lane), line + at > 0});
        }
      }
    });
  }

  void run_depthwise(int64_t images, const T* padded, const T* gradients, T* partials) const {
    const int64_t nr = kernel_.nr, mr = kernel_.mr, panels = padded_groups_ / nr;
    const int64_t rows = w_.kernel[2], row = tap_step_[2], pixel = slope_pixel_;
    const auto runs = static_cast<int64_t>(runs_.size());
    const int64_t work = std::max<int64_t>(1, w_.out_size() * rows * nr);
    parallel_for(images * runs * panels, std::max<int64_t>(1, kWork / work), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t lane = t % panels * nr, s = t / panels % runs, image = t / panels / runs;
        const T* padded_image = padded + image * padded_.size + runs_[static_cast<size_t>(s)] + lane;
        const T* gradient = gradients + image * gradients_.size + lane;
        T* partial = partials + image * size() + s * rows * padded_groups_ + lane;
        blocks([&](int64_t line, int64_t lines, int64_t at, int64_t width) {
          for (int64_t i = 0; i < rows; i += mr) {
            kernels().of<T>().depthwise_tile({lines, width, lines_.data() + line,
                                              padded_image + i * row + at * step_[2], row, step_[2],
                                              gradient + at * pixel, pixel, partial + i * padded_groups_,
                                              padded_groups_, std::min(mr, rows - i), nr, line + at > 0});
          }
        });
      }
    });
  }

  const Window& w_;
  const Channels& ch_;
  const TileKernel<T> kernel_;
  const bool depthwise_;
  const PaddedInput padded_, gradients_;  // of the input; depthwise, of the output's gradient
  int64_t lanes_, padded_groups_;         // of a run; groups, padded to whole panels
  int64_t step_[3], tap_step_[3];
  bool by_panels_;                       // the output's gradient is packed
  int64_t slope_channel_, slope_pixel_;  // its strides
  int64_t slopes_;                       // of a group
  std::vector<int64_t> runs_;            // offsets in a padded image
  std::vector<TileItem> lines_;
};

int terms_of(DType of, const Window& w, const Channels& ch) {
  constexpr int64_t kColumns = kBf16Tile * 3 / 4;  // of a tap
  const double elements = static_cast<double>(ch.in * w.in_size()) + static_cast<double>(ch.out * w.out_size());
  if (ch.in < kColumns) return 0;
  return bf16_terms(of, ch.out, ch.in * w.taps(), ch.images * w.out_size(), static_cast<double>(ch.images) * elements);
}

}  // namespace

template <class T>
void convolve_weights(const Window& w, const Channels& ch, DType of, Images<const T> x, Images<const T> dy, T* dw) {
  const int64_t all = ch.groups * ch.out * ch.in * w.taps();
  if (all == 0) return;
  if (ch.images == 0 || w.out_size() == 0) {
    std::fill_n(dw, all, T{0});
    return;
  }
  if constexpr (std::is_same_v<T, float>) {
    const int terms = terms_of(of, w, ch);
    if (terms > 0 && convolve_weights_bf16x3(w, ch, terms, x, dy, dw)) return;
  }
  const ImageGradients<T> gradients(w, ch, dy.nhwc());
  const int64_t size = gradients.size();
  const ReduceKernels& add = reduce_kernels(ReduceKind::Sum, dtype_of<T>);
  const auto fold = [&](T* into, const T* other) {
    parallel_for(size, 1 << 15,
                 [&](int64_t begin, int64_t end) { add.merge(into + begin, other + begin, end - begin); });
  };
  int64_t group = 1;
  while (group < 64 && group < ch.images && 2 * group * size <= kPartials) group *= 2;
  std::vector<Scratch<T>> stack;
  for (int64_t done = 0, number = 0; done < ch.images; done += group, ++number) {
    const int64_t count = std::min(group, ch.images - done);
    stack.emplace_back(count * size);
    T* partial = stack.back();
    gradients.run(count, x.at(done, 0, ch.groups * ch.in, w.in_size()),
                  dy.at(done, 0, ch.groups * ch.out, w.out_size()), partial);
    for (int64_t step = 1; step < count; step *= 2) {
      for (int64_t i = 0; i + step < count; i += 2 * step) fold(partial + i * size, partial + (i + step) * size);
    }
    for (int64_t bit = number; bit & 1; bit >>= 1) {
      fold(stack[stack.size() - 2], stack.back());
      stack.pop_back();
    }
  }
  while (stack.size() > 1) {
    fold(stack[stack.size() - 2], stack.back());
    stack.pop_back();
  }
  gradients.arrange(stack[0], dw);
}

template void convolve_weights(const Window&, const Channels&, DType, Images<const float>, Images<const float>, float*);
template void convolve_weights(const Window&, const Channels&, DType, Images<const double>, Images<const double>,
                               double*);

}  // namespace ember::ops
