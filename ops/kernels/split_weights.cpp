// The gradient of a convolution's weights in products of parts. The output's gradient is packed before, for all tasks.
// A task has some panels of columns, a tap's input channels: block by block of k it packs one after the other from the
// frames' parts, and multiplies it with the panels of rows, which stay in L2 meanwhile.
#include <algorithm>
#include <numeric>
#include <vector>

#include "ops/base/parallel.h"
#include "ops/kernels/split_convolve.h"
#include "ops/kernels/split_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kRowPanels = 8;       // of a task
constexpr int64_t kElements = 1 << 15;  // that are worth a thread
constexpr int64_t kTogether = 1 << 21;  // elements of the frames of images that are done together

// So many images that their outputs are whole steps, unless they are all.
int64_t images_together(const Window& w, const Channels& ch, int64_t frame) {
  const int64_t whole = kSplitStep / std::gcd(kSplitStep, w.out_size());
  return std::min(ch.images, ceil_div(std::max<int64_t>(1, kTogether / frame), whole) * whole);
}

class WeightGradient {
 public:
  WeightGradient(const Window& window, const Channels& channels, int parts)
      : w_(window),
        ch_(channels),
        parts_(parts),
        frames_(frames_of(window, ch_.groups * ch_.in).spaced(ceil_div(ch_.groups * ch_.in, kSplitStep) * kSplitStep)),
        rows_(ceil_div(ch_.out, kSplitPanel)),
        lanes_(ceil_div(ch_.in, kSplitPanel)),
        together_(images_together(w_, ch_, frames_.size)),
        packed_(ch_.groups * rows_ * split_panel_words(together_ * w_.out_size(), parts)),
        sums_(ch_.groups * w_.taps() * ch_.out * ch_.in) {
    int64_t step[3], tap_step[3];
    for (int d = 0; d < 3; ++d) {
      const ReadingAxis axis = axis_of(w_, d);
      step[d] = axis.step * frames_.distance[d];
      tap_step[d] = axis.tap_step * frames_.distance[d];
    }
    const auto at = [](int64_t i, const int64_t(&sizes)[3], const int64_t(&steps)[3]) {
      const int64_t row = i / sizes[2];
      return row / sizes[1] * steps[0] + row % sizes[1] * steps[1] + i % sizes[2] * steps[2];
    };
    for (int64_t tap = 0; tap < w_.taps(); ++tap) taps_.push_back(at(tap, w_.kernel, tap_step));
    places_.reserve(static_cast<size_t>(together_ * w_.out_size()));
    for (int64_t k = 0; k < together_ * w_.out_size(); ++k)
      places_.push_back(k / w_.out_size() * frames_.size + at(k % w_.out_size(), w_.out, step));
  }

  void run(Images<const float> x, Images<const float> dy, float* dw) const {
    const Scratch<float> filled(together_ * frames_.size + Frames::kSlack);
    const SplitPlanes planes(together_ * frames_.size, parts_, Frames::kSlack);
    for (int64_t first = 0; first < ch_.images; first += together_) {
      const int64_t count = std::min(together_, ch_.images - first);
      frames_.fill<float>(x.at(first, 0, 1, frames_.image()), count, filled);
      planes.fill(filled, count * frames_.size);
      pack(dy.at(first, 0, ch_.groups * ch_.out, w_.out_size()), count * w_.out_size());
      multiply(planes, count * w_.out_size(), first > 0);
    }
    arrange(dw);
  }

 private:
  int64_t panel_words(int64_t depth) const { return split_panel_words(depth, parts_); }

  // The output's gradient in panels, for each group, over k as it goes from image to image.
  void pack(Images<const float> dy, int64_t depth) const {
    const int64_t blocks = ceil_div(depth, kSplitDepth);
    parallel_for_throwing(
        ch_.groups * rows_ * blocks, ceil_div(kElements, kSplitPanel * kSplitDepth), [&](int64_t begin, int64_t end) {
          const Scratch<float> room(dy.by_pixels() ? 0 : kSplitPanel * kSplitDepth);
          for (int64_t i = begin; i < end; ++i) {
            const int64_t k = i % blocks * kSplitDepth, panel = i / blocks, first = panel % rows_ * kSplitPanel;
            const int64_t channel = panel / rows_ * ch_.out + first, count = std::min(kSplitPanel, ch_.out - first);
            const int64_t here = std::min(kSplitDepth, depth - k);
            uint32_t* out = packed_ + panel * panel_words(depth) + panel_words(k);
            if (dy.by_pixels()) {
              split_pack_panel(dy.data + k * dy.pixel + channel, count, 1, dy.pixel, here, parts_, true, out);
            } else {
              gather(dy, channel, count, k, here, room);
              split_pack_panel(room, count, kSplitDepth, 1, here, parts_, true, out);
            }
          }
        });
  }

  // Of planes, which k leaves for the next image's.
  void gather(Images<const float> dy, int64_t channel, int64_t count, int64_t k, int64_t depth, float* out) const {
    const int64_t pixels = w_.out_size();
    for (int64_t done = 0, here = 0; done < depth; done += here) {
      const int64_t image = (k + done) / pixels, pixel = (k + done) % pixels;
      here = std::min(depth - done, pixels - pixel);
      const float* from = dy.at(image, channel, ch_.groups * ch_.out, pixels).data + pixel;
      for (int64_t m = 0; m < count; ++m) std::copy_n(from + m * pixels, here, out + m * kSplitDepth + done);
    }
  }

  // Columns go on from tap to tap with the same channels.
  void multiply(const SplitPlanes& planes, int64_t depth, bool accumulate) const {
    const int64_t tall = ceil_div(rows_, kRowPanels), columns = ch_.groups * tall * lanes_ * w_.taps();
    const int64_t of_task = ceil_div(columns, 2 * threads());
    parallel_for_throwing(ceil_div(columns, of_task), 1, [&](int64_t begin, int64_t end) {
      const Scratch<uint32_t> b(panel_words(kSplitDepth));
      const SplitRunner runner(parts_);
      for (int64_t first = begin * of_task; first < std::min(end * of_task, columns); first += of_task) {
        for (int64_t k = 0; k < depth; k += kSplitDepth) {
          const int64_t here = std::min(kSplitDepth, depth - k);
          for (int64_t i = first; i < std::min(first + of_task, columns); ++i) {
            const int64_t tap = i % w_.taps(), n = i / w_.taps() % lanes_ * kSplitPanel, rest = i / w_.taps() / lanes_;
            const int64_t group = rest / tall, row = rest % tall * kRowPanels, wide = std::min(kSplitPanel, ch_.in - n);
            const uint16_t* from = planes.bits() + taps_[static_cast<size_t>(tap)] + group * ch_.in + n;
            EMBER_KERNEL(split_pack_places(from, ceil_div(wide, kSplitTile), planes.plane(), places_.data() + k, here,
                                           parts_, b));
            for (int64_t r = row; r < std::min(row + kRowPanels, rows_); ++r) {
              const int64_t m = r * kSplitPanel;
              runner.multiply(split_steps(here), packed_ + (group * rows_ + r) * panel_words(depth) + panel_words(k), b,
                              sums_ + ((group * w_.taps() + tap) * ch_.out + m) * ch_.in + n, ch_.in,
                              std::min(kSplitPanel, ch_.out - m), wide, accumulate || k > 0);
            }
          }
        }
      }
    });
  }

  // From (group, tap, output channel, input channel) to (group, output channel, input channel, tap).
  void arrange(float* dw) const {
    const int64_t taps = w_.taps(), row = ch_.out * ch_.in;
    parallel_for(ch_.groups * ch_.out, ceil_div(kElements, ch_.in * taps), [&](int64_t begin, int64_t end) {
      for (int64_t m = begin; m < end; ++m) {
        const float* from = sums_ + (m / ch_.out * taps * ch_.out + m % ch_.out) * ch_.in;
        EMBER_KERNEL(transpose(taps, ch_.in, from, row, dw + m * ch_.in * taps, taps));
      }
    });
  }

  const Window& w_;
  const Channels& ch_;
  const int parts_;
  const Frames frames_;
  const int64_t rows_, lanes_;  // panels of a group, of a tap
  const int64_t together_;      // images
  const Scratch<uint32_t> packed_;
  const Scratch<float> sums_;
  std::vector<int64_t> taps_, places_;  // where taps, and outputs, begin in the frames
};

}  // namespace

bool convolve_weights_split(const Window& w, const Channels& ch, int parts, Images<const float> x,
                            Images<const float> dy, float* dw) {
  const std::vector<SplitExtent> a = extents_of(dy, ch.images, ch.groups, ch.out, w.out_size());
  const std::vector<SplitExtent> b = extents_of(x, ch.images, ch.groups, ch.in, w.in_size());
  for (size_t i = 0; i < a.size(); ++i)
    if (!item_fits(a[i], b[i])) return false;
  WeightGradient(w, ch, parts).run(x, dy, dw);
  return true;
}

}  // namespace ember::ops
