// The bf16x3 gradient of a convolution's weights. The output's gradient is packed once, for all tasks. A task has some
// panels of columns, which are a tap's input channels: block by block of k it gathers and packs them from the split
// padded input, and multiplies them with panels of rows, which stay in L2.
#include <algorithm>
#include <numeric>
#include <vector>

#include "ops/base/parallel.h"
#include "ops/kernels/bf16x3_convolve.h"
#include "ops/matmul/bf16x3_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kRowPanels = 8;            // of a task
constexpr int64_t kElements = 1 << 15;       // that are worth a thread
constexpr int64_t kBlockElements = 1 << 21;  // padded elements of the images of a block

// Images of a block: their outputs are whole steps, unless they are all.
int64_t images_together(const Window& w, const Channels& ch, int64_t padded_size) {
  const int64_t whole = kBf16Step / std::gcd(kBf16Step, w.out_size());
  return std::min(ch.images, ceil_div(std::max<int64_t>(1, kBlockElements / padded_size), whole) * whole);
}

class WeightGradient {
 public:
  WeightGradient(const Window& window, const Channels& channels, int terms)
      : w_(window),
        ch_(channels),
        terms_(terms),
        padded_(padded_input_of(window, ch_.groups * ch_.in)
                    .with_pixel_stride(ceil_div(ch_.groups * ch_.in, kBf16Step) * kBf16Step)),
        rows_(ceil_div(ch_.out, kBf16Panel)),
        lanes_(ceil_div(ch_.in, kBf16Panel)),
        tall_(ceil_div(rows_, kRowPanels)),
        columns_(ch_.groups * tall_ * lanes_ * w_.taps()),
        together_(images_together(w_, ch_, padded_.size)),
        packed_(ch_.groups * rows_ * bf16_panel_words(together_ * w_.out_size(), terms)),
        sums_(ch_.groups * w_.taps() * ch_.out * ch_.in),
        most_(static_cast<size_t>(columns_ * kBf16Panel)) {
    int64_t step[3], tap_step[3];
    for (int d = 0; d < 3; ++d) {
      const AccessAxis axis = access_axis(w_, d);
      step[d] = axis.step * padded_.stride[d];
      tap_step[d] = axis.tap_step * padded_.stride[d];
    }
    const auto at = [](int64_t i, const int64_t(&sizes)[3], const int64_t(&steps)[3]) {
      const int64_t row = i / sizes[2];
      return row / sizes[1] * steps[0] + row % sizes[1] * steps[1] + i % sizes[2] * steps[2];
    };
    for (int64_t tap = 0; tap < w_.taps(); ++tap) taps_.push_back(at(tap, w_.kernel, tap_step));
    output_offsets_.reserve(static_cast<size_t>(together_ * w_.out_size()));
    for (int64_t k = 0; k < together_ * w_.out_size(); ++k)
      output_offsets_.push_back(k / w_.out_size() * padded_.size + at(k % w_.out_size(), w_.out, step));
  }

  // False, and dw unwritten, if a column of a group is too small for a row of the gradient's, of which these are the
  // ranges.
  bool run(Images<const float> x, Images<const float> dy, const std::vector<MagnitudeRange>& rows, float* dw) {
    const Scratch<float> filled(together_ * padded_.size + PaddedInput::kSlack);
    const Bf16Terms input(together_ * padded_.size, terms_, PaddedInput::kSlack);
    for (int64_t first = 0; first < ch_.images; first += together_) {
      const int64_t count = std::min(together_, ch_.images - first);
      padded_.fill<float>(x.at(first, 0, 1, padded_.image()), count, filled);
      input.fill(filled, count * padded_.size);
      pack(dy.at(first, 0, ch_.groups * ch_.out, w_.out_size()), count * w_.out_size());
      multiply(input, count * w_.out_size(), first > 0);
    }
    for (int64_t g = 0; g < ch_.groups; ++g) {
      MagnitudeRange range;
      merge_lanes(most_.data() + g * columns_ / ch_.groups * kBf16Panel, columns_ / ch_.groups * kBf16Panel, &range);
      if (!products_fit(rows[static_cast<size_t>(g)], range, 1)) return false;
    }
    arrange(dw);
    return true;
  }

 private:
  int64_t panel_words(int64_t depth) const { return bf16_panel_words(depth, terms_); }

  // The output's gradient in panels for each group, k over the outputs of all images of the block.
  void pack(Images<const float> dy, int64_t depth) const {
    const int64_t blocks = ceil_div(depth, kBf16Depth);
    parallel_for_throwing(
        ch_.groups * rows_ * blocks, ceil_div(kElements, kBf16Panel * kBf16Depth), [&](int64_t begin, int64_t end) {
          const Scratch<float> room(dy.nhwc() ? 0 : kBf16Panel * kBf16Depth);
          for (int64_t i = begin; i < end; ++i) {
            const int64_t k = i % blocks * kBf16Depth, panel = i / blocks, first = panel % rows_ * kBf16Panel;
            const int64_t channel = panel / rows_ * ch_.out + first, count = std::min(kBf16Panel, ch_.out - first);
            const int64_t here = std::min(kBf16Depth, depth - k);
            uint32_t* out = packed_ + panel * panel_words(depth) + panel_words(k);
            if (dy.nhwc()) {
              pack_bf16_panel(dy.data + k * dy.pixel + channel, count, 1, dy.pixel, here, terms_, true, out);
            } else {
              gather(dy, channel, count, k, here, room);
              pack_bf16_panel(room, count, kBf16Depth, 1, here, terms_, true, out);
            }
          }
        });
  }

  // From NCHW, where k goes on in the next image.
  void gather(Images<const float> dy, int64_t channel, int64_t count, int64_t k, int64_t depth, float* out) const {
    const int64_t pixels = w_.out_size();
    for (int64_t done = 0, here = 0; done < depth; done += here) {
      const int64_t image = (k + done) / pixels, pixel = (k + done) % pixels;
      here = std::min(depth - done, pixels - pixel);
      const float* from = dy.at(image, channel, ch_.groups * ch_.out, pixels).data + pixel;
      for (int64_t m = 0; m < count; ++m) std::copy_n(from + m * pixels, here, out + m * kBf16Depth + done);
    }
  }

  // Taps are innermost, so that consecutive tasks read the same channels.
  void multiply(const Bf16Terms& input, int64_t depth, bool accumulate) {
    const int64_t of_task = ceil_div(columns_, 2 * threads());
    parallel_for_throwing(ceil_div(columns_, of_task), 1, [&](int64_t begin, int64_t end) {
      const Scratch<uint32_t> b(panel_words(kBf16Depth));
      const Bf16x3Runner runner(terms_);
      for (int64_t first = begin * of_task; first < std::min(end * of_task, columns_); first += of_task) {
        for (int64_t k = 0; k < depth; k += kBf16Depth) {
          const int64_t here = std::min(kBf16Depth, depth - k);
          for (int64_t i = first; i < std::min(first + of_task, columns_); ++i) {
            const int64_t tap = i % w_.taps(), n = i / w_.taps() % lanes_ * kBf16Panel, rest = i / w_.taps() / lanes_;
            const int64_t group = rest / tall_, row = rest % tall_ * kRowPanels,
                          wide = std::min(kBf16Panel, ch_.in - n);
            const uint16_t* from = input.bits() + taps_[static_cast<size_t>(tap)] + group * ch_.in + n;
            uint32_t most[kBf16Panel] = {};
            kernels().gather_bf16_terms(from, ceil_div(wide, kBf16Tile), input.term_stride(),
                                        output_offsets_.data() + k, here, terms_, b, most);
            for (int64_t j = 0; j < wide; ++j) {
              uint32_t& so_far = most_[static_cast<size_t>(i * kBf16Panel + j)];
              so_far = std::max(so_far, most[j]);
            }
            for (int64_t r = row; r < std::min(row + kRowPanels, rows_); ++r) {
              const int64_t m = r * kBf16Panel;
              runner.multiply(bf16_steps(here), packed_ + (group * rows_ + r) * panel_words(depth) + panel_words(k), b,
                              sums_ + ((group * w_.taps() + tap) * ch_.out + m) * ch_.in + n, ch_.in,
                              std::min(kBf16Panel, ch_.out - m), wide, accumulate || k > 0);
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
        kernels().of<float>().transpose(taps, ch_.in, from, row, dw + m * ch_.in * taps, taps);
      }
    });
  }

  const Window& w_;
  const Channels& ch_;
  const int terms_;
  const PaddedInput padded_;
  const int64_t rows_, lanes_;    // panels of a group, of a tap
  const int64_t tall_, columns_;  // parts of rows; panels of columns of all groups, for each part
  const int64_t together_;        // images
  const Scratch<uint32_t> packed_;
  const Scratch<float> sums_;
  std::vector<uint32_t> most_;                  // the largest magnitude of each column
  std::vector<int64_t> taps_, output_offsets_;  // in the padded input
};

// Of each group's channels, over all images.
std::vector<MagnitudeRange> ranges_of_groups(Images<const float> x, const Channels& ch, int64_t channels,
                                             int64_t pixels) {
  const std::vector<MagnitudeRange> of_items =
      magnitude_ranges(groups_of(x, ch.images, ch.groups, channels, pixels),
                       {channels, x.channel_stride(pixels), pixels, x.pixel_stride()});
  std::vector<MagnitudeRange> out(static_cast<size_t>(ch.groups));
  for (size_t i = 0; i < of_items.size(); ++i) merge_range(of_items[i], &out[i % out.size()]);
  return out;
}

}  // namespace

bool convolve_weights_bf16x3(const Window& w, const Channels& ch, int terms, Images<const float> x,
                             Images<const float> dy, float* dw) {
  const std::vector<MagnitudeRange> rows = ranges_of_groups(dy, ch, ch.out, w.out_size());
  const std::vector<MagnitudeRange> channels = ranges_of_groups(x, ch, ch.in, w.in_size());
  for (size_t g = 0; g < rows.size(); ++g)
    if (!item_fits(rows[g], channels[g], ch.images * w.out_size())) return false;
  return WeightGradient(w, ch, terms).run(x, dy, rows, dw);
}

}  // namespace ember::ops
