// Implicit GEMM: a task multiplies some tiles of rows, block by block of k, with panels of columns. Weights are packed
// once for all tasks, or, where few tasks need a panel, by each task into L2 before it is multiplied.
#include "ops/kernels/bf16x3_convolve.h"

#include <algorithm>

#include "gc/fork.h"
#include "ops/base/parallel.h"
#include "ops/matmul/bf16x3_panels.h"
#include "ops/matmul/packed_cache.h"
#include "ops/program/program.h"

namespace ember::ops {
namespace {

constexpr int64_t kBlockSteps = kBf16Depth / kBf16Step;
constexpr int64_t kTaskTiles = 16;  // of rows of a task
constexpr int64_t kFewBlocks = 2;   // of tasks that pack the weights themselves
constexpr int64_t kRows = kTaskTiles * kBf16Tile;
constexpr int64_t kElements = 1 << 15;  // that are worth a thread; of whole vectors
constexpr int64_t kLanesAtOnce = 2048;  // of which magnitudes are found
constexpr int64_t kWork = 1 << 20;

// How an image's outputs are cut into tiles of rows at one input stride: within a row of outputs, or across all rows of
// a depth, where the input's row pitch allows: then the pitch - width outputs past a row's end are computed and
// dropped. 7x7 outputs in rows of 9: 7 tiles of 7 outputs, or one run of 61 in 4 tiles of 16, which is less.
struct Tiling {
  int64_t runs, length, line;  // of outputs; with dropped ones
  int64_t tiles, height;       // of a run; outputs of a tile

  // outputs: of an image. steps: input strides from output to output.
  Tiling(const int64_t (&outputs)[3], const int64_t (&steps)[3], const PaddedInput& padded)
      : runs(outputs[0] * outputs[1]), length(outputs[2]), line(outputs[2]) {
    cut();
    if (steps[1] != padded.stride[1] || steps[2] != padded.stride[2]) return;
    const int64_t pitch = padded.axes[2].size;
    if (pitch < line) return;  // outputs that no tap reaches read nothing
    Tiling merged = *this;
    merged.runs = outputs[0];
    merged.length = (outputs[1] - 1) * pitch + line;
    merged.line = pitch;
    merged.cut();
    if (merged.cost() < cost()) *this = merged;
  }
  int64_t of_image() const { return runs * tiles; }

 private:
  void cut() {
    tiles = std::max<int64_t>(1, ceil_div(length, kBf16Tile));
    height = ceil_div(length, tiles);
  }
  // Lower tiles take as long to load.
  int64_t cost() const { return of_image() * std::max<int64_t>(height, kBf16Tile * 3 / 4); }
};

class Bf16x3Convolution {
 public:
  Bf16x3Convolution(const ConvolutionAccess& access, const AccessMap& map, int terms, const float* weights,
                    const gc::Storage* cacheable)
      : r_(access),
        terms_(terms),
        weights_(weights),
        panels_(ceil_div(r_.channels.out, kBf16Panel)),
        channels_(ceil_div(r_.channels.in, kBf16Step) * kBf16Step),
        input_offsets_(input_offsets_of(map.axes, r_.padded)),
        output_offsets_(output_offsets_of(map.axes, r_.result)),
        outputs_{map.axes[0].outputs, map.axes[1].outputs, map.axes[2].outputs},
        tiling_(outputs_, input_offsets_.step, r_.padded) {
    for (const Tap& tap : taps_of(map.axes, r_.kernel)) {
      taps_.push_back(tap.weight);
      for (int64_t c = 0; c < channels_; c += kBf16Step) steps_.push_back((r_.padded.at(tap.offset) + c) * kBytes);
    }
    const Channels& ch = r_.channels;
    const PackedKey form{PackedKey::Of::Bf16x3Weights,
                         weights,
                         {ch.groups, ch.out, ch.in, r_.taps(), r_.strides.column, r_.strides.channel, terms}};
    const int64_t bytes = ch.groups * panels_ * panel_words() * static_cast<int64_t>(sizeof(uint32_t));
    packed_ = find_or_pack(cacheable, form, bytes, [&](void* memory) { pack_all(static_cast<uint32_t*>(memory)); });
  }

  // Elements that may be read past the last padded image.
  int64_t slack() const { return std::max(PaddedInput::kSlack, kBf16Tile * input_offsets_.step[2] + kBf16Step); }

  // images: for each group, those to be done. y: of all padded images, NHWC if there is an epilogue, which numbers its
  // elements from `first_element`.
  void run(const std::vector<std::vector<int64_t>>& images, const Bf16Terms& input, Images<float> y,
           const Epilogue* epilogue, int64_t first_element) {
    size_t most = 0;
    for (const auto& of_group : images) most = std::max(most, of_group.size());
    const int64_t blocks = ceil_div(static_cast<int64_t>(most) * tiling_.of_image(), kTaskTiles);
    if (!packed_ && blocks > kFewBlocks && !steps_.empty()) {
      packed_ = gc::allocate(static_cast<size_t>(r_.channels.groups * panels_ * panel_words()) * sizeof(uint32_t));
      pack_all(static_cast<uint32_t*>(packed_->data()));
    }
    const auto* packed = packed_ ? static_cast<const uint32_t*>(packed_->data()) : nullptr;
    const int64_t whole = std::max<int64_t>(1, r_.channels.groups * blocks);
    const EvenParts of_task{panels_, std::clamp<int64_t>(ceil_div(4 * threads(), whole), 1, panels_)};
    const int64_t splits = of_task.count;
    const int64_t work = kRows * r_.channels.out / splits * std::max<int64_t>(1, depth());
    parallel_for_throwing(r_.channels.groups * blocks * splits, ceil_div(kWork, work), [&](int64_t begin, int64_t end) {
      const Scratch<float> c(kRows * kBf16Panel);
      const PanelRoom room(packed ? 0 : panel_words(), packed ? 0 : transposed_size());
      const Bf16x3Runner runner(terms_, tiling_.height);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t split = t % splits, first = t / splits % blocks * kTaskTiles, group = t / splits / blocks;
        Rows rows;
        find_rows(images[static_cast<size_t>(group)], first, input.bits() + group * r_.channels.in, y, &rows);
        for (int64_t j = of_task.begin(split); j < of_task.end(split); ++j) {
          const int64_t column = j * kBf16Panel, columns = std::min(kBf16Panel, r_.channels.out - column);
          const int64_t panel = group * panels_ + j;
          if (!packed) pack(panel, room.transposed, room.panel);
          multiply(runner, rows, input.term_stride(), packed ? packed + panel * panel_words() : room.panel,
                   ceil_div(columns, kBf16Tile), c);
          const Images<float> to = y.at(0, group * r_.channels.out + column, 0, r_.plane());
          to.nhwc() ? write_nhwc(rows, c, columns, to.data) : write_nchw(rows, c, columns, to.data);
        }
        if (!epilogue) continue;
        const int64_t column = of_task.begin(split) * kBf16Panel;
        const int64_t columns = std::min(of_task.end(split) * kBf16Panel, r_.channels.out) - column;
        each_run(rows, y.pixel, [&](int64_t row, int64_t count) {
          const int64_t element = first_element + rows.to[row] + group * r_.channels.out + column;
          epilogue->run({element, count, columns, y.pixel});
        });
      }
    });
  }

 private:
  static constexpr int64_t kBytes = sizeof(uint16_t);

  // Where the tiles of A begin, and the offset of each row in the result; -1 if dropped.
  struct Rows {
    int64_t tiles;
    const uint16_t* from[kTaskTiles];
    int64_t to[kRows];
  };

  int64_t depth() const { return static_cast<int64_t>(steps_.size()) * kBf16Step; }
  int64_t panel_words() const { return bf16_panel_words(depth(), terms_); }

  int64_t transposed_size() const { return kBf16Panel * r_.channels.in * r_.taps(); }

  // The panel that a task packs before it multiplies it.
  struct PanelRoom {
    Scratch<uint32_t> panel;
    Scratch<float> transposed;
    PanelRoom(int64_t words, int64_t size) : panel(words), transposed(size) {}
  };

  void pack_all(uint32_t* out) const {
    const int64_t count = r_.channels.groups * panels_;
    parallel_for_throwing(count, ceil_div(kElements, kBf16Panel * std::max<int64_t>(1, depth())),
                          [&](int64_t begin, int64_t end) {
                            const Scratch<float> transposed(transposed_size());
                            for (int64_t i = begin; i < end; ++i) pack(i, transposed, out + i * panel_words());
                          });
  }

  void pack(int64_t panel, float* transposed, uint32_t* out) const {
    const int64_t group = panel / panels_, first = panel % panels_ * kBf16Panel;
    const int64_t columns = std::min(kBf16Panel, r_.channels.out - first);
    if (columns < kBf16Panel) std::fill_n(transposed, transposed_size(), 0.0f);
    transpose_weights(weights_ + group * r_.strides.group + first * r_.strides.column, columns, transposed);
    for (int64_t tap : taps_) {
      pack_bf16_panel(transposed + tap * kBf16Panel, kBf16Panel, 1, r_.taps() * kBf16Panel, r_.channels.in, terms_,
                      false, out);
      out += bf16_panel_words(channels_, terms_);
    }
  }

  // (column, channel, tap) to (channel, tap, column).
  void transpose_weights(const float* from, int64_t columns, float* out) const {
    const int64_t taps = r_.taps(), together = r_.strides.channel == taps ? r_.channels.in : 1;
    for (int64_t c = 0; c < r_.channels.in; c += together) {
      kernels().of<float>().transpose(columns, together * taps, from + c * r_.strides.channel, r_.strides.column,
                                      out + c * taps * kBf16Panel, kBf16Panel);
    }
  }

  // Of the tiles from `first` on, counted over all images.
  void find_rows(const std::vector<int64_t>& images, int64_t first, const uint16_t* padded, Images<float> result,
                 Rows* rows) const {
    const int64_t all = static_cast<int64_t>(images.size()) * tiling_.of_image();
    rows->tiles = std::clamp<int64_t>(all - first, 0, kTaskTiles);
    for (int64_t t = 0; t < rows->tiles; ++t) {
      const int64_t image = images[static_cast<size_t>((first + t) / tiling_.of_image())];
      const int64_t tile = (first + t) % tiling_.of_image(), run = tile / tiling_.tiles;
      const int64_t to = image * r_.channels.groups * r_.channels.out * r_.plane();
      for (int64_t i = 0; i < tiling_.height; ++i) {
        const int64_t output = tile % tiling_.tiles * tiling_.height + i, x = output % tiling_.line;
        const int64_t line = run * (outputs_[0] * outputs_[1] / tiling_.runs) + output / tiling_.line;
        const int64_t at[] = {line / outputs_[1], line % outputs_[1], x};
        if (i == 0) rows->from[t] = padded + image * r_.padded.size + offset_at(input_offsets_, at);
        const bool dropped = output >= tiling_.length || x >= outputs_[2];
        rows->to[t * tiling_.height + i] = dropped ? -1 : to + offset_at(output_offsets_, at) * result.pixel_stride();
      }
    }
  }
  static int64_t offset_at(const AffineOffsets& of, const int64_t (&at)[3]) {
    return of.first + at[0] * of.step[0] + at[1] * of.step[1] + at[2] * of.step[2];
  }

  // c: kRows rows of a panel of columns.
  void multiply(const Bf16x3Runner& runner, const Rows& rows, int64_t plane, const uint32_t* panel,
                int64_t column_tiles, float* c) const {
    const auto steps = static_cast<int64_t>(steps_.size());
    if (steps == 0) std::fill_n(c, kRows * kBf16Panel, 0.0f);
    for (int64_t step = 0; step < steps; step += kBlockSteps) {
      for (int64_t t = 0; t < rows.tiles; t += 2) {
        const int64_t tall = std::min<int64_t>(2, rows.tiles - t);
        float* to = c + t * tiling_.height * kBf16Panel;
        runner.multiply({std::min(kBlockSteps, steps - step),
                         steps_.data() + step,
                         {rows.from[t], rows.from[t + tall - 1]},
                         input_offsets_.step[2] * kBytes,
                         plane * kBytes,
                         panel + step * bf16_step_words(terms_),
                         {to, to + tiling_.height * kBf16Panel},
                         kBf16Panel,
                         tall,
                         column_tiles,
                         step > 0});
      }
    }
  }

  void write_nhwc(const Rows& rows, const float* c, int64_t columns, float* y) const {
    for (int64_t i = 0; i < rows.tiles * tiling_.height; ++i)
      if (rows.to[i] >= 0) std::copy_n(c + i * kBf16Panel, columns, y + rows.to[i]);
  }

  void write_nchw(const Rows& rows, const float* c, int64_t columns, float* y) const {
    each_run(rows, 1, [&](int64_t row, int64_t count) {
      kernels().of<float>().transpose(count, columns, c + row * kBf16Panel, kBf16Panel, y + rows.to[row], r_.plane());
    });
  }

  // Calls f(first row, rows) for rows whose offsets differ by `distance`.
  template <class F>
  void each_run(const Rows& rows, int64_t distance, F f) const {
    const int64_t count = rows.tiles * tiling_.height;
    for (int64_t i = 0, run = 0; i < count; i += run) {
      for (run = 1; i + run < count && rows.to[i] >= 0 && rows.to[i + run] == rows.to[i] + run * distance;) ++run;
      if (rows.to[i] >= 0) f(i, run);
    }
  }

  const ConvolutionAccess& r_;
  const int terms_;
  const float* const weights_;
  const int64_t panels_;    // of columns of a group
  const int64_t channels_;  // of a group, padded to whole steps
  const AffineOffsets input_offsets_, output_offsets_;
  const int64_t outputs_[3];
  const Tiling tiling_;
  std::vector<int64_t> taps_, steps_;  // indices of weights; byte offset of each step's input
  gc::Ref<gc::Storage> packed_;        // all panels; null if tasks pack them
};

}  // namespace

bool fills_steps(int64_t groups, int64_t channels) {
  const int64_t filled = ceil_div(channels, kBf16Step) * kBf16Step;
  return groups == 1 ? 4 * channels >= 3 * filled : channels == filled;
}

std::vector<MagnitudeRange> magnitude_ranges(const std::vector<const float*>& items, const Lanes& lanes) {
  std::vector<MagnitudeRange> out(items.size());
  gc::LocalMutex mutex;
  const int64_t together = std::clamp<int64_t>(kElements / std::max<int64_t>(1, lanes.elements), 16, kLanesAtOnce);
  const int64_t blocks = ceil_div(lanes.count, together), size = std::min(together, lanes.count) * lanes.elements;
  const int64_t tasks = static_cast<int64_t>(items.size()) * blocks;
  parallel_for(tasks, ceil_div(kElements, std::max<int64_t>(1, size)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto item = static_cast<size_t>(i / blocks);
      const int64_t first = i % blocks * together, count = std::min(together, lanes.count - first);
      uint32_t most[kLanesAtOnce] = {};
      MagnitudeRange range;
      kernels().lane_magnitudes(items[item] + first * lanes.stride, count, lanes.stride, lanes.elements,
                                lanes.element_stride, most, &range.least);
      merge_lanes(most, count, &range);
      const std::lock_guard lock(mutex);
      merge_range(range, &out[item]);
    }
  });
  return out;
}

std::vector<const float*> groups_of(Images<const float> x, int64_t images, int64_t groups, int64_t channels,
                                    int64_t pixels) {
  std::vector<const float*> out;
  for (int64_t i = 0; i < images * groups; ++i)
    out.push_back(x.at(i / groups, i % groups * channels, groups * channels, pixels).data);
  return out;
}

bool item_fits(const MagnitudeRange& a, const MagnitudeRange& b, int64_t k) {
  return terms_fit(a) && terms_fit(b) && products_fit(a, b, k);
}

namespace {

// One for each group.
std::vector<MagnitudeRange> ranges_of_weights(const ConvolutionAccess& r, const float* weights) {
  const Channels& ch = r.channels;
  const int64_t depth = ch.in * r.taps();
  std::vector<const float*> groups;
  for (int64_t g = 0; g < ch.groups; ++g) groups.push_back(weights + g * r.strides.group);
  const bool whole = r.strides.channel == r.taps();  // a column's elements are contiguous
  return magnitude_ranges(groups, whole ? Lanes{ch.out, r.strides.column, depth, 1}
                                        : Lanes{ch.out * r.taps(), 1, ch.in, r.strides.channel});
}

}  // namespace

void convolve_bf16x3(ConvolutionAccess r, int terms, Images<const float> x, const float* weights, Images<float> y,
                     const gc::Storage* cacheable, const Epilogue* epilogue, const ConvolveItem& by_fma) {
  const Channels& ch = r.channels;
  r.padded = r.padded.with_pixel_stride(ch.groups == 1 ? ceil_div(ch.in, kBf16Step) * kBf16Step : ch.groups * ch.in);
  const int64_t in = ch.groups * ch.in, out = ch.groups * ch.out, plane = r.padded.image() / in;
  const int64_t group_weights = ch.in * ch.out * r.taps(), together = r.padded.images_per_block(ch.images);
  const std::vector<MagnitudeRange> of_weights = ranges_of_weights(r, weights);
  std::vector<Bf16x3Convolution> convolutions;
  for (const AccessMap& map : r.maps) convolutions.emplace_back(r, map, terms, weights, cacheable);
  const Scratch<float> filled(together * r.padded.size + PaddedInput::kSlack);
  int64_t slack = 0;
  for (const Bf16x3Convolution& convolution : convolutions) slack = std::max(slack, convolution.slack());
  const Epilogue* const of_tiles = convolutions.size() == 1 && y.nhwc() ? epilogue : nullptr;
  const Bf16Terms split_input(together * r.padded.size, terms, slack);
  for (int64_t first = 0; first < ch.images; first += together) {
    const int64_t count = std::min(together, ch.images - first);
    const Images<const float> images = x.at(first, 0, in, plane);
    const Images<float> results = y.at(first, 0, out, r.plane());
    const std::vector<MagnitudeRange> of_items =
        magnitude_ranges(groups_of(images, count, ch.groups, ch.in, plane),
                         {plane, images.pixel_stride(), ch.in, images.channel_stride(plane)});
    std::vector<std::vector<int64_t>> fitting(static_cast<size_t>(ch.groups));
    for (int64_t i = 0; i < count * ch.groups; ++i) {
      const int64_t image = i / ch.groups, group = i % ch.groups;
      if (item_fits(of_items[static_cast<size_t>(i)], of_weights[static_cast<size_t>(group)], r.taps() * ch.in)) {
        fitting[static_cast<size_t>(group)].push_back(image);
      } else {
        const Images<float> item = results.at(image, group * ch.out, out, r.plane());
        by_fma(images.at(image, group * ch.in, in, plane), weights + group * group_weights, item);
        if (of_tiles) of_tiles->run({item.data - y.data, r.plane(), ch.out, y.pixel});
      }
    }
    r.padded.fill<float>(images, count, filled);
    split_input.fill(filled, count * r.padded.size);
    for (Bf16x3Convolution& convolution : convolutions)
      convolution.run(fitting, split_input, results, of_tiles, results.data - y.data);
  }
  if (epilogue && !of_tiles) epilogue->run_all();
}

}  // namespace ember::ops
