// A task has a few panels of rows: it packs a block of k of them, multiplies that with all its panels of columns, and
// goes on so with the next block; then the results are turned into planes. The weights' panels are packed before, for
// all tasks. In the weights' gradient it is the output's gradient that is packed before, and a task packs one panel of
// columns.
#include "ops/split_convolve.h"

#include <algorithm>
#include <mutex>
#include <span>

#include "ops/parallel.h"
#include "ops/split_panels.h"

namespace ember::ops {
namespace {

constexpr int64_t kBlockSteps = kSplitDepth / kSplitStep;
constexpr int64_t kTaskTiles = 16;     // of rows of a task
constexpr int64_t kColumnPanels = 16;  // of a task at most
constexpr int64_t kRows = kTaskTiles * kSplitTile;
constexpr int64_t kElements = 1 << 15;  // that are worth a thread; of whole vectors
constexpr int64_t kWork = 1 << 20;

// What k is in a lane, cut into steps.
class Pieces {
 public:
  void add(int64_t from, int64_t count) {
    while (count > 0) {
      const int64_t at = depth_ % kSplitStep, here = std::min(count, kSplitStep - at);
      if (at == 0) firsts_.push_back(pieces_.size());
      if (at > 0 && pieces_.back().from + pieces_.back().count == from) {
        pieces_.back().count += here;
      } else {
        pieces_.push_back({from, at, here});
      }
      depth_ += here;
      from += here;
      count -= here;
    }
  }
  int64_t depth() const { return depth_; }
  std::span<const SplitPiece> of(int64_t step) const {
    const auto s = static_cast<size_t>(step);
    const size_t first = firsts_[s], end = s + 1 < firsts_.size() ? firsts_[s + 1] : pieces_.size();
    return std::span(pieces_).subspan(first, end - first);
  }

 private:
  std::vector<SplitPiece> pieces_;
  std::vector<size_t> firsts_;  // of each step
  int64_t depth_ = 0;
};

// Numbers as planes of their parts.
class Planes {
 public:
  Planes(int64_t count, int parts, int64_t slack) : parts_(parts), plane_(count + slack), bits_(parts * plane_) {}

  void fill(const float* x, int64_t count) const {
    parallel_for(ceil_div(count, kElements), 1, [&](int64_t begin, int64_t end) {
      const int64_t first = begin * kElements, last = std::min(end * kElements, count);
      EMBER_KERNEL(split_planes(x + first, last - first, parts_, bits_ + first, plane_));
    });
  }
  const uint16_t* bits() const { return bits_; }
  int64_t plane() const { return plane_; }

 private:
  const int parts_;
  const int64_t plane_;  // from part to part
  const Scratch<uint16_t> bits_;
};

// Lanes, and steps of k, that are so far apart as a panel of B, or of A. At most kSplitPanel.
void pack_panel(const float* lanes, int64_t count, int64_t lane, int64_t step, int64_t depth, int parts,
                bool lanes_first, uint32_t* out) {
  SplitExtent known;
  for (int64_t tile = 0; tile * kSplitTile < count; ++tile) {
    SplitLanes<float> from{{}, step};
    for (int64_t i = 0; i < std::min(kSplitTile, count - tile * kSplitTile); ++i)
      from.lanes[i] = lanes + (tile * kSplitTile + i) * lane;
    EMBER_KERNEL(split_pack(from, depth, parts, lanes_first, out + tile * kSplitWords, &known));
  }
}

// How an image's outputs are cut into tiles of rows. Where a step is channels of one tap, A's tiles are read where they
// lie: then the outputs of a tile read at one distance from each other. They are some of a line's or, where lines go on
// from one to the next, of all lines': then those behind a line's end read beyond it, and are dropped.
struct Tiling {
  bool in_place;
  int64_t stretches, length, line;  // of outputs; with those that are dropped
  int64_t tiles, height;            // of a stretch; outputs of a tile

  // outputs, cells: of an image, and of the frame.
  Tiling(bool in_place, const int64_t (&outputs)[3], const int64_t (&steps)[3], const Frames& frames)
      : in_place(in_place), stretches(1), length(outputs[0] * outputs[1] * outputs[2]), line(outputs[2]) {
    if (in_place) {
      stretches = outputs[0] * outputs[1];
      length = line;
    }
    cut();
    const int64_t pitch = frames.axes[2].cells;
    if (!in_place || steps[1] != frames.distance[1] || steps[2] != frames.distance[2]) return;
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
    height = in_place ? ceil_div(length, tiles) : kSplitTile;
  }
  // Lower tiles take as long to be loaded.
  int64_t cost() const { return of_image() * std::max<int64_t>(height, kSplitTile * 3 / 4); }
};

class SplitReading {
 public:
  SplitReading(const Readings& readings, const Reading& reading, int parts, const float* weights)
      : r_(readings),
        parts_(parts),
        panels_(ceil_div(r_.channels.out, kSplitPanel)),
        cells_(cells_of(reading.axes, r_.frames)),
        places_(places_of(reading.axes, r_.result)),
        outputs_{reading.axes[0].outputs, reading.axes[1].outputs, reading.axes[2].outputs},
        tiling_(in_place(r_.channels), outputs_, cells_.step, r_.frames) {
    find_pieces(reading);
    pack_weights(weights);
  }

  static bool in_place(const Channels& channels) { return channels.in % kSplitStep == 0; }
  // Elements behind the last frame that may be read.
  int64_t slack() const { return std::max(Frames::kSlack, kSplitTile * cells_.step[2]); }

  // images: for each group, those to be done. y: of all images of the frames.
  void run(const std::vector<std::vector<int64_t>>& images, const Planes& frames, Images<float> y) const {
    size_t most = 0;
    for (const auto& of_group : images) most = std::max(most, of_group.size());
    const int64_t blocks = ceil_div(static_cast<int64_t>(most) * tiling_.of_image(), kTaskTiles);
    const int64_t whole = std::max<int64_t>(1, r_.channels.groups * blocks);
    const int64_t splits = std::clamp(ceil_div(4 * threads(), whole), ceil_div(panels_, kColumnPanels), panels_);
    const int64_t work = kRows * r_.channels.out / splits * std::max<int64_t>(1, pieces_.depth());
    parallel_for_throwing(r_.channels.groups * blocks * splits, ceil_div(kWork, work), [&](int64_t begin, int64_t end) {
      const Scratch<uint32_t> a(tiling_.in_place ? 0 : kTaskTiles / 2 * kBlockSteps * split_step_words(parts_));
      const Scratch<float> c(kRows * ceil_div(panels_, splits) * kSplitPanel);
      const SplitRunner runner(parts_, tiling_.height);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t split = t % splits, first = t / splits % blocks * kTaskTiles, group = t / splits / blocks;
        const auto& of_group = images[static_cast<size_t>(group)];
        const int64_t tiles = std::min(kTaskTiles, static_cast<int64_t>(of_group.size()) * tiling_.of_image() - first);
        if (tiles <= 0) continue;
        Rows rows;
        rows.tiles = tiles;
        for (int64_t i = 0; i < tiles; ++i) {
          const int64_t image = of_group[static_cast<size_t>((first + i) / tiling_.of_image())];
          find_rows(image, (first + i) % tiling_.of_image(), frames.bits() + group * r_.channels.in, y, i, &rows);
        }
        const int64_t panel = panels_ * split / splits, column = panel * kSplitPanel;
        const int64_t columns = std::min(panels_ * (split + 1) / splits * kSplitPanel, r_.channels.out) - column;
        multiply(runner, rows, frames.plane(), packed_ + (group * panels_ + panel) * panel_words(), columns, a, c);
        const Images<float> to = y.at(0, group * r_.channels.out + column, 0, r_.plane());
        to.by_pixels() ? write_pixels(rows, c, columns, to.data) : write_planes(rows, c, columns, to.data);
      }
    });
  }

 private:
  // Where rows of A read, and where they stand in the result; -1 if nowhere.
  struct Rows {
    int64_t tiles;
    const uint16_t* from[kRows];
    int64_t to[kRows];
  };

  void find_pieces(const Reading& reading) {
    for (const ReadingTap& tap : taps_of(reading.axes, r_.kernel)) {
      pieces_.add(r_.frames.at(tap.cells), r_.channels.in);
      taps_.push_back(tap.weight);
    }
    const int64_t steps = tiling_.in_place ? split_steps(pieces_.depth()) : 0;
    for (int64_t s = 0; s < steps; ++s) at_.push_back(pieces_.of(s)[0].from * static_cast<int64_t>(sizeof(uint16_t)));
  }

  int64_t panel_words() const { return split_panel_words(pieces_.depth(), parts_); }

  void pack_weights(const float* weights) {
    const int64_t depth = pieces_.depth(), count = r_.channels.groups * panels_;
    packed_ = Scratch<uint32_t>(count * panel_words());
    parallel_for_throwing(count, ceil_div(kElements, kSplitPanel * std::max<int64_t>(1, depth)),
                          [&](int64_t begin, int64_t end) {
                            const Scratch<float> lanes(kSplitPanel * depth);
                            for (int64_t i = begin; i < end; ++i) {
                              const int64_t group = i / panels_, first = i % panels_ * kSplitPanel;
                              const int64_t count = std::min(kSplitPanel, r_.channels.out - first);
                              const float* from = weights + group * r_.strides.group + first * r_.strides.column;
                              for (int64_t j = 0; j < count; ++j)
                                arrange(from + j * r_.strides.column, lanes + j * depth);
                              pack_panel(lanes, count, depth, 1, depth, parts_, false, packed_ + i * panel_words());
                            }
                          });
  }

  // A column's weights in the order of k.
  void arrange(const float* column, float* lane) const {
    for (int64_t tap : taps_) {
      for (int64_t c = 0; c < r_.channels.in; ++c) *lane++ = column[c * r_.strides.channel + tap];
    }
  }

  // Of a tile of an image, the `index`th of a task.
  void find_rows(int64_t image, int64_t tile, const uint16_t* frames, Images<float> result, int64_t index,
                 Rows* rows) const {
    const int64_t stretch = tile / tiling_.tiles, first = tile % tiling_.tiles * tiling_.height;
    const int64_t to_image = image * r_.channels.groups * r_.channels.out * r_.plane();
    frames += image * r_.frames.size + cells_.first;
    for (int64_t i = 0; i < tiling_.height; ++i) {
      const int64_t output = first + i, x = output % tiling_.line, line = stretch_line(stretch) + output / tiling_.line;
      const int64_t y = line % outputs_[1], z = line / outputs_[1], row = index * tiling_.height + i;
      const bool dropped = output >= tiling_.length || x >= outputs_[2];
      rows->from[row] = dropped && !tiling_.in_place
                            ? rows->from[row - i]
                            : frames + z * cells_.step[0] + y * cells_.step[1] + x * cells_.step[2];
      rows->to[row] =
          dropped ? -1
                  : to_image + (places_.first + z * places_.step[0] + y * places_.step[1] + x * places_.step[2]) *
                                   result.pixel_step();
    }
  }
  int64_t stretch_line(int64_t stretch) const { return stretch * (outputs_[0] * outputs_[1] / tiling_.stretches); }

  // c: for each panel of columns, kRows rows of it.
  void multiply(const SplitRunner& runner, const Rows& rows, int64_t plane, const uint32_t* panels, int64_t columns,
                uint32_t* a, float* c) const {
    const int64_t steps = split_steps(pieces_.depth()), step_words = split_step_words(parts_);
    if (steps == 0) std::fill_n(c, ceil_div(columns, kSplitPanel) * kRows * kSplitPanel, 0.0f);
    for (int64_t step = 0; step < steps; step += kBlockSteps) {
      const int64_t count = std::min(kBlockSteps, steps - step);
      if (!tiling_.in_place) pack_rows(rows, plane, step, count, a);
      for (int64_t j = 0; j * kSplitPanel < columns; ++j) {
        const int64_t across = ceil_div(std::min(kSplitPanel, columns - j * kSplitPanel), kSplitTile);
        const uint32_t* b = panels + j * panel_words() + step * step_words;
        for (int64_t t = 0; t < rows.tiles; t += 2) {
          const int64_t tall = std::min<int64_t>(2, rows.tiles - t), row = t * tiling_.height;
          float* to = c + (j * kRows + row) * kSplitPanel;
          if (tiling_.in_place) {
            constexpr int64_t kBytes = sizeof(uint16_t);
            runner.multiply({count,
                             at_.data() + step,
                             {rows.from[row], rows.from[row + (tall - 1) * tiling_.height]},
                             cells_.step[2] * kBytes,
                             plane * kBytes,
                             b,
                             {to, to + tiling_.height * kSplitPanel},
                             kSplitPanel,
                             tall,
                             across,
                             step > 0});
          } else {
            runner.multiply(count, a + t / 2 * count * step_words, b, to, kSplitPanel, tall * kSplitTile,
                            across * kSplitTile, step > 0);
          }
        }
      }
    }
  }

  void pack_rows(const Rows& rows, int64_t plane, int64_t step, int64_t count, uint32_t* a) const {
    const int64_t step_words = split_step_words(parts_);
    for (int64_t t = 0; t < rows.tiles; ++t) {
      uint32_t* tile = a + t / 2 * count * step_words + t % 2 * kSplitWords;
      for (int64_t s = 0; s < count; ++s) {
        const std::span<const SplitPiece> pieces = pieces_.of(step + s);
        EMBER_KERNEL(split_pack_pieces(rows.from + t * kSplitTile, plane, pieces.data(),
                                       static_cast<int64_t>(pieces.size()), parts_, tile + s * step_words));
      }
    }
  }

  void write_pixels(const Rows& rows, const float* c, int64_t columns, float* y) const {
    for (int64_t i = 0; i < rows.tiles * tiling_.height; ++i) {
      if (rows.to[i] < 0) continue;
      for (int64_t first = 0; first < columns; first += kSplitPanel) {
        std::copy_n(c + first * kRows + i * kSplitPanel, std::min(kSplitPanel, columns - first),
                    y + rows.to[i] + first);
      }
    }
  }

  void write_planes(const Rows& rows, const float* c, int64_t columns, float* y) const {
    const int64_t count = rows.tiles * tiling_.height;
    for (int64_t i = 0, run = 0; i < count; i += run) {
      for (run = 1; i + run < count && rows.to[i] >= 0 && rows.to[i + run] == rows.to[i] + run;) ++run;
      if (rows.to[i] < 0) continue;
      for (int64_t first = 0; first < columns; first += kSplitPanel) {
        EMBER_KERNEL(transpose(run, std::min(kSplitPanel, columns - first), c + first * kRows + i * kSplitPanel,
                               kSplitPanel, y + first * r_.plane() + rows.to[i], r_.plane()));
      }
    }
  }

  const Readings& r_;
  const int parts_;
  const int64_t panels_;  // of columns of a group
  const Spacing cells_, places_;
  const int64_t outputs_[3];
  const Tiling tiling_;
  Pieces pieces_;
  std::vector<int64_t> taps_, at_;
  Scratch<uint32_t> packed_;
};

}  // namespace

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
                    const Epilogue* epilogue, const ItemChain& chain) {
  const Channels& ch = r.channels;
  if (SplitReading::in_place(ch)) r.frames = r.frames.dense();
  const int64_t in = ch.groups * ch.in, out = ch.groups * ch.out, plane = r.frames.image() / in;
  const int64_t group_weights = ch.in * ch.out * r.taps(), together = r.frames.together(ch.images);
  const std::vector<SplitExtent> of_weights = extents_of({weights}, ch.groups, 1, group_weights, 1);
  std::vector<SplitReading> readings;
  for (const Reading& reading : r.all) readings.emplace_back(r, reading, parts, weights);
  const Scratch<float> filled(together * r.frames.size + Frames::kSlack);
  int64_t slack = 0;
  for (const SplitReading& reading : readings) slack = std::max(slack, reading.slack());
  const Planes planes(together * r.frames.size, parts, slack);
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
        chain(images.at(image, group * ch.in, in, plane), weights + group * group_weights,
              results.at(image, group * ch.out, out, r.plane()));
      }
    }
    r.frames.fill<float>(images, count, filled);
    planes.fill(filled, count * r.frames.size);
    for (const SplitReading& reading : readings) reading.run(fitting, planes, results);
  }
  if (epilogue) epilogue->run_all();
}

void multiply_split(const GradientReading& r, int parts, const std::vector<int64_t>& items, int64_t images,
                    const float* frames, Images<const float> dy, float* c) {
  const Channels& ch = r.channels;
  const auto outputs = static_cast<int64_t>(r.places.size()), stretches = static_cast<int64_t>(r.stretches.size());
  const int64_t rows = ceil_div(ch.out, kSplitPanel), columns = ceil_div(r.lanes, kSplitPanel);
  const int64_t step_words = split_step_words(parts), panel = split_panel_words(outputs, parts);
  const auto count = static_cast<int64_t>(items.size());
  const Planes planes(images * r.frame, parts, Frames::kSlack);
  planes.fill(frames, images * r.frame);
  const Scratch<uint32_t> packed(count * rows * panel);
  parallel_for(count * rows, ceil_div(kElements, kSplitPanel * outputs), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t item = items[static_cast<size_t>(i / rows)], first = i % rows * kSplitPanel;
      const float* from = dy.at(item / ch.groups, item % ch.groups * ch.out + first, ch.groups * ch.out, outputs).data;
      pack_panel(from, std::min(kSplitPanel, ch.out - first), dy.channel_step(outputs), dy.pixel_step(), outputs, parts,
                 true, packed + i * panel);
    }
  });
  const int64_t work = ch.out * kSplitPanel * outputs;
  parallel_for_throwing(count * stretches * columns, ceil_div(kWork, work), [&](int64_t begin, int64_t end) {
    const Scratch<uint32_t> b(kBlockSteps * step_words);
    const SplitRunner runner(parts);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t lane = t % columns * kSplitPanel, stretch = t / columns % stretches, i = t / columns / stretches;
      const int64_t item = items[static_cast<size_t>(i)], wide = std::min(kSplitPanel, r.lanes - lane);
      const uint16_t* from = planes.bits() + item / ch.groups * r.frame + item % ch.groups * ch.in +
                             r.stretches[static_cast<size_t>(stretch)] + lane;
      float* to = c + (item * stretches + stretch) * ch.out * r.lanes + lane;
      for (int64_t k = 0; k < outputs; k += kSplitDepth) {
        const int64_t depth = std::min(kSplitDepth, outputs - k), step = k / kSplitStep;
        for (int64_t tile = 0; tile * kSplitTile < wide; ++tile) {
          EMBER_KERNEL(split_pack_places(from + tile * kSplitTile, planes.plane(), r.places.data() + k, depth, parts,
                                         b + tile * kSplitWords));
        }
        for (int64_t m = 0; m < ch.out; m += kSplitPanel) {
          runner.multiply(split_steps(depth), packed + (i * rows + m / kSplitPanel) * panel + step * step_words, b,
                          to + m * r.lanes, r.lanes, std::min(kSplitPanel, ch.out - m), wide, k > 0);
        }
      }
    }
  });
}

}  // namespace ember::ops
