// A task has some tiles of rows and some panels of columns, one after the other: it multiplies the rows block by block
// of k, and puts the result in its place. The weights' panels are packed before, for all tasks, unless few need each:
// then a task packs the one that it takes next, which does not leave L2.
#include "ops/kernels/split_convolve.h"

#include <algorithm>
#include <mutex>

#include "ops/base/parallel.h"
#include "ops/kernels/packed.h"
#include "ops/kernels/split_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kBlockSteps = kSplitDepth / kSplitStep;
constexpr int64_t kTaskTiles = 16;  // of rows of a task
constexpr int64_t kFewBlocks = 2;   // of tasks that pack the weights themselves
constexpr int64_t kRows = kTaskTiles * kSplitTile;
constexpr int64_t kElements = 1 << 15;  // that are worth a thread; of whole vectors
constexpr int64_t kWork = 1 << 20;

// How an image's outputs are cut into tiles of rows, which read at one distance from each other. They are some of a
// line's or, where lines go on from one to the next, of all lines': then those behind a line's end read beyond it, and
// are dropped.
struct Tiling {
  int64_t stretches, length, line;  // of outputs; with those that are dropped
  int64_t tiles, height;            // of a stretch; outputs of a tile

  // outputs: of an image. steps: from output to output, in elements of a frame.
  Tiling(const int64_t (&outputs)[3], const int64_t (&steps)[3], const Frames& frames)
      : stretches(outputs[0] * outputs[1]), length(outputs[2]), line(outputs[2]) {
    cut();
    if (steps[1] != frames.distance[1] || steps[2] != frames.distance[2]) return;
    const int64_t pitch = frames.axes[2].cells;
    if (pitch < line) return;  // outputs that no tap reaches read nothing
    Tiling together = *this;
    together.stretches = outputs[0];
    together.length = (outputs[1] - 1) * pitch + line;
    together.line = pitch;
    together.cut();
    if (together.cost() < cost()) *this = together;
  }
  int64_t of_image() const { return stretches * tiles; }

 private:
  void cut() {
    tiles = std::max<int64_t>(1, ceil_div(length, kSplitTile));
    height = ceil_div(length, tiles);
  }
  // Lower tiles take as long to be loaded.
  int64_t cost() const { return of_image() * std::max<int64_t>(height, kSplitTile * 3 / 4); }
};

class SplitReading {
 public:
  // kept: the weights' storage, if packed copies of it may be kept.
  SplitReading(const Readings& readings, const Reading& reading, int parts, const float* weights,
               const gc::Storage* kept)
      : r_(readings),
        parts_(parts),
        weights_(weights),
        panels_(ceil_div(r_.channels.out, kSplitPanel)),
        channels_(ceil_div(r_.channels.in, kSplitStep) * kSplitStep),
        cells_(cells_of(reading.axes, r_.frames)),
        places_(places_of(reading.axes, r_.result)),
        outputs_{reading.axes[0].outputs, reading.axes[1].outputs, reading.axes[2].outputs},
        tiling_(outputs_, cells_.step, r_.frames) {
    for (const ReadingTap& tap : taps_of(reading.axes, r_.kernel)) {
      taps_.push_back(tap.weight);
      for (int64_t c = 0; c < channels_; c += kSplitStep) steps_.push_back((r_.frames.at(tap.cells) + c) * kBytes);
    }
    const Channels& ch = r_.channels;
    const PackedForm form{PackedForm::Of::ConvolutionParts,
                          weights,
                          {ch.groups, ch.out, ch.in, r_.taps(), r_.strides.column, r_.strides.channel, parts}};
    const int64_t bytes = ch.groups * panels_ * panel_words() * static_cast<int64_t>(sizeof(uint32_t));
    packed_ = packed_copy(kept, form, bytes, [&](void* memory) { pack_all(static_cast<uint32_t*>(memory)); });
  }

  // Elements behind the last frame that may be read.
  int64_t slack() const { return std::max(Frames::kSlack, kSplitTile * cells_.step[2] + kSplitStep); }

  // images: for each group, those to be done. y: of all images of the frames, by pixels if there is an epilogue, which
  // sees its first element as number `first_element`.
  void run(const std::vector<std::vector<int64_t>>& images, const SplitPlanes& frames, Images<float> y,
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
    const int64_t splits = std::clamp<int64_t>(ceil_div(4 * threads(), whole), 1, panels_);
    const int64_t work = kRows * r_.channels.out / splits * std::max<int64_t>(1, depth());
    parallel_for_throwing(r_.channels.groups * blocks * splits, ceil_div(kWork, work), [&](int64_t begin, int64_t end) {
      const Scratch<float> c(kRows * kSplitPanel);
      const PanelRoom room(packed ? 0 : panel_words(), packed ? 0 : turned_size());
      const SplitRunner runner(parts_, tiling_.height);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t split = t % splits, first = t / splits % blocks * kTaskTiles, group = t / splits / blocks;
        Rows rows;
        find_rows(images[static_cast<size_t>(group)], first, frames.bits() + group * r_.channels.in, y, &rows);
        for (int64_t j = panels_ * split / splits; j < panels_ * (split + 1) / splits; ++j) {
          const int64_t column = j * kSplitPanel, columns = std::min(kSplitPanel, r_.channels.out - column);
          const int64_t panel = group * panels_ + j;
          if (!packed) pack(panel, room.turned, room.panel);
          multiply(runner, rows, frames.plane(), packed ? packed + panel * panel_words() : room.panel,
                   ceil_div(columns, kSplitTile), c);
          const Images<float> to = y.at(0, group * r_.channels.out + column, 0, r_.plane());
          to.by_pixels() ? write_pixels(rows, c, columns, to.data) : write_planes(rows, c, columns, to.data);
        }
        if (!epilogue) continue;
        const int64_t column = panels_ * split / splits * kSplitPanel;
        const int64_t columns = std::min(panels_ * (split + 1) / splits * kSplitPanel, r_.channels.out) - column;
        each_run(rows, y.pixel, [&](int64_t row, int64_t count) {
          const int64_t element = first_element + rows.to[row] + group * r_.channels.out + column;
          epilogue->run({element, count, columns, y.pixel});
        });
      }
    });
  }

 private:
  static constexpr int64_t kBytes = sizeof(uint16_t);

  // Where the tiles of A begin, and where their rows stand in the result; -1 if nowhere.
  struct Rows {
    int64_t tiles;
    const uint16_t* from[kTaskTiles];
    int64_t to[kRows];
  };

  int64_t depth() const { return static_cast<int64_t>(steps_.size()) * kSplitStep; }
  int64_t panel_words() const { return split_panel_words(depth(), parts_); }

  int64_t turned_size() const { return kSplitPanel * r_.channels.in * r_.taps(); }

  // Where a task packs the panel that it multiplies next.
  struct PanelRoom {
    Scratch<uint32_t> panel;
    Scratch<float> turned;
    PanelRoom(int64_t words, int64_t size) : panel(words), turned(size) {}
  };

  void pack_all(uint32_t* out) const {
    const int64_t count = r_.channels.groups * panels_;
    parallel_for_throwing(count, ceil_div(kElements, kSplitPanel * std::max<int64_t>(1, depth())),
                          [&](int64_t begin, int64_t end) {
                            const Scratch<float> turned(turned_size());
                            for (int64_t i = begin; i < end; ++i) pack(i, turned, out + i * panel_words());
                          });
  }

  void pack(int64_t panel, float* turned, uint32_t* out) const {
    const int64_t group = panel / panels_, first = panel % panels_ * kSplitPanel;
    const int64_t columns = std::min(kSplitPanel, r_.channels.out - first);
    if (columns < kSplitPanel) std::fill_n(turned, turned_size(), 0.0f);
    turn(weights_ + group * r_.strides.group + first * r_.strides.column, columns, turned);
    for (int64_t tap : taps_) {
      split_pack_panel(turned + tap * kSplitPanel, kSplitPanel, 1, r_.taps() * kSplitPanel, r_.channels.in, parts_,
                       false, out);
      out += split_panel_words(channels_, parts_);
    }
  }

  // Columns to rows of them, for each channel and tap.
  void turn(const float* from, int64_t columns, float* out) const {
    const int64_t taps = r_.taps(), together = r_.strides.channel == taps ? r_.channels.in : 1;
    for (int64_t c = 0; c < r_.channels.in; c += together) {
      EMBER_KERNEL(transpose(columns, together * taps, from + c * r_.strides.channel, r_.strides.column,
                             out + c * taps * kSplitPanel, kSplitPanel));
    }
  }

  // Of the tiles from `first` on, of all images.
  void find_rows(const std::vector<int64_t>& images, int64_t first, const uint16_t* frames, Images<float> result,
                 Rows* rows) const {
    const int64_t all = static_cast<int64_t>(images.size()) * tiling_.of_image();
    rows->tiles = std::clamp<int64_t>(all - first, 0, kTaskTiles);
    for (int64_t t = 0; t < rows->tiles; ++t) {
      const int64_t image = images[static_cast<size_t>((first + t) / tiling_.of_image())];
      const int64_t tile = (first + t) % tiling_.of_image(), stretch = tile / tiling_.tiles;
      const int64_t to = image * r_.channels.groups * r_.channels.out * r_.plane();
      for (int64_t i = 0; i < tiling_.height; ++i) {
        const int64_t output = tile % tiling_.tiles * tiling_.height + i, x = output % tiling_.line;
        const int64_t line = stretch * (outputs_[0] * outputs_[1] / tiling_.stretches) + output / tiling_.line;
        const int64_t at[] = {line / outputs_[1], line % outputs_[1], x};
        if (i == 0) rows->from[t] = frames + image * r_.frames.size + place(cells_, at);
        const bool dropped = output >= tiling_.length || x >= outputs_[2];
        rows->to[t * tiling_.height + i] = dropped ? -1 : to + place(places_, at) * result.pixel_step();
      }
    }
  }
  static int64_t place(const Spacing& of, const int64_t (&at)[3]) {
    return of.first + at[0] * of.step[0] + at[1] * of.step[1] + at[2] * of.step[2];
  }

  // c: kRows rows of a panel of columns.
  void multiply(const SplitRunner& runner, const Rows& rows, int64_t plane, const uint32_t* panel, int64_t column_tiles,
                float* c) const {
    const auto steps = static_cast<int64_t>(steps_.size());
    if (steps == 0) std::fill_n(c, kRows * kSplitPanel, 0.0f);
    for (int64_t step = 0; step < steps; step += kBlockSteps) {
      for (int64_t t = 0; t < rows.tiles; t += 2) {
        const int64_t tall = std::min<int64_t>(2, rows.tiles - t);
        float* to = c + t * tiling_.height * kSplitPanel;
        runner.multiply({std::min(kBlockSteps, steps - step),
                         steps_.data() + step,
                         {rows.from[t], rows.from[t + tall - 1]},
                         cells_.step[2] * kBytes,
                         plane * kBytes,
                         panel + step * split_step_words(parts_),
                         {to, to + tiling_.height * kSplitPanel},
                         kSplitPanel,
                         tall,
                         column_tiles,
                         step > 0});
      }
    }
  }

  void write_pixels(const Rows& rows, const float* c, int64_t columns, float* y) const {
    for (int64_t i = 0; i < rows.tiles * tiling_.height; ++i)
      if (rows.to[i] >= 0) std::copy_n(c + i * kSplitPanel, columns, y + rows.to[i]);
  }

  void write_planes(const Rows& rows, const float* c, int64_t columns, float* y) const {
    each_run(rows, 1, [&](int64_t row, int64_t count) {
      EMBER_KERNEL(transpose(count, columns, c + row * kSplitPanel, kSplitPanel, y + rows.to[row], r_.plane()));
    });
  }

  // Calls f(first row, rows) for rows that stand one after the other, `distance` apart.
  template <class F>
  void each_run(const Rows& rows, int64_t distance, F f) const {
    const int64_t count = rows.tiles * tiling_.height;
    for (int64_t i = 0, run = 0; i < count; i += run) {
      for (run = 1; i + run < count && rows.to[i] >= 0 && rows.to[i + run] == rows.to[i] + run * distance;) ++run;
      if (rows.to[i] >= 0) f(i, run);
    }
  }

  const Readings& r_;
  const int parts_;
  const float* const weights_;
  const int64_t panels_;    // of columns of a group
  const int64_t channels_;  // of a group, filled up to whole steps
  const Spacing cells_, places_;
  const int64_t outputs_[3];
  const Tiling tiling_;
  std::vector<int64_t> taps_, steps_;  // the weights' numbers; where each step reads, in bytes from an output's first
  gc::Ref<gc::Storage> packed_;        // all panels; null if tasks pack them
};

}  // namespace

bool fills_steps(int64_t groups, int64_t channels) {
  const int64_t filled = ceil_div(channels, kSplitStep) * kSplitStep;
  return groups == 1 ? 4 * channels >= 3 * filled : channels == filled;
}

std::vector<SplitExtent> extents_of(Images<const float> x, int64_t images, int64_t groups, int64_t channels,
                                    int64_t pixels) {
  const int64_t items = images * groups, size = channels * pixels;
  const bool whole = groups == 1 || !x.by_pixels();  // nothing else lies between an item's elements
  std::vector<SplitExtent> out(static_cast<size_t>(items));
  std::mutex mutex;
  const int64_t blocks = whole ? ceil_div(size, kElements) : 1;
  parallel_for(items * blocks, ceil_div(kElements, std::max<int64_t>(1, size)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t item = i / blocks, first = i % blocks * kElements;
      const float* from = x.at(item / groups, item % groups * channels, groups * channels, pixels).data;
      SplitExtent extent;
      if (whole) EMBER_KERNEL(split_extent(from + first, std::min(kElements, size - first), &extent));
      for (int64_t p = 0; !whole && p < pixels; ++p) {
        SplitExtent of_pixel;
        EMBER_KERNEL(split_extent(from + p * x.pixel, channels, &of_pixel));
        add_extent(of_pixel, &extent);
      }
      const std::lock_guard lock(mutex);
      add_extent(extent, &out[static_cast<size_t>(item)]);
    }
  });
  return out;
}

bool item_fits(const SplitExtent& a, const SplitExtent& b) {
  return parts_fit(a) && parts_fit(b) && products_fit(a, b);
}

void convolve_split(Readings r, int parts, Images<const float> x, const float* weights, Images<float> y,
                    const gc::Storage* kept, const Epilogue* epilogue, const ItemChain& chain) {
  const Channels& ch = r.channels;
  r.frames = r.frames.spaced(ch.groups == 1 ? ceil_div(ch.in, kSplitStep) * kSplitStep : ch.groups * ch.in);
  const int64_t in = ch.groups * ch.in, out = ch.groups * ch.out, plane = r.frames.image() / in;
  const int64_t group_weights = ch.in * ch.out * r.taps(), together = r.frames.together(ch.images);
  const std::vector<SplitExtent> of_weights = extents_of({weights}, ch.groups, 1, group_weights, 1);
  std::vector<SplitReading> readings;
  for (const Reading& reading : r.all) readings.emplace_back(r, reading, parts, weights, kept);
  const Scratch<float> filled(together * r.frames.size + Frames::kSlack);
  int64_t slack = 0;
  for (const SplitReading& reading : readings) slack = std::max(slack, reading.slack());
  const Epilogue* const of_parts = readings.size() == 1 && y.by_pixels() ? epilogue : nullptr;
  const SplitPlanes planes(together * r.frames.size, parts, slack);
  for (int64_t first = 0; first < ch.images; first += together) {
    const int64_t count = std::min(together, ch.images - first);
    const Images<const float> images = x.at(first, 0, in, plane);
    const Images<float> results = y.at(first, 0, out, r.plane());
    const std::vector<SplitExtent> of_items = extents_of(images, count, ch.groups, ch.in, plane);
    std::vector<std::vector<int64_t>> fitting(static_cast<size_t>(ch.groups));
    for (int64_t i = 0; i < count * ch.groups; ++i) {
      const int64_t image = i / ch.groups, group = i % ch.groups;
      if (item_fits(of_items[static_cast<size_t>(i)], of_weights[static_cast<size_t>(group)])) {
        fitting[static_cast<size_t>(group)].push_back(image);
      } else {
        const Images<float> item = results.at(image, group * ch.out, out, r.plane());
        chain(images.at(image, group * ch.in, in, plane), weights + group * group_weights, item);
        if (of_parts) of_parts->run({item.data - y.data, r.plane(), ch.out, y.pixel});
      }
    }
    r.frames.fill<float>(images, count, filled);
    planes.fill(filled, count * r.frames.size);
    for (SplitReading& reading : readings) reading.run(fitting, planes, results, of_parts, results.data - y.data);
  }
  if (epilogue && !of_parts) epilogue->run_all();
}

}  // namespace ember::ops
