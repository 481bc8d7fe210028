#include "ops/kernels/split_panels.h"

#include <algorithm>
#include <bit>

#include "ops/base/parallel.h"

namespace ember::ops {

bool parts_fit(const SplitExtent& extent) {
  constexpr uint32_t kTooLarge = 0x7F7F8000;
  constexpr uint32_t kSmallest = std::bit_cast<uint32_t>(0x1p-102f);
  return extent.most < kTooLarge && extent.least >= kSmallest - 1;
}

// Zeros give +0 either way.
bool products_fit(const SplitExtent& a, const SplitExtent& b) {
  const double most = double{std::bit_cast<float>(a.most)} * std::bit_cast<float>(b.most);
  return most == 0 || most >= 0x1p-100;
}

void add_extent(const SplitExtent& part, SplitExtent* all) {
  all->most = std::max(all->most, part.most);
  all->least = std::min(all->least, part.least);
}

void SplitPlanes::fill(const float* x, int64_t count) const {
  constexpr int64_t kElements = 1 << 15;  // that are worth a thread; of whole vectors
  parallel_for(ceil_div(count, kElements), 1, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * kElements, last = std::min(end * kElements, count);
    EMBER_KERNEL(split_planes(x + first, last - first, parts_, bits_ + first, plane_));
  });
}

void split_pack_panel(const float* lanes, int64_t count, int64_t lane, int64_t step, int64_t depth, int parts,
                      bool lanes_first, uint32_t* out) {
  SplitExtent known;
  for (int64_t tile = 0; tile * kSplitTile < count; ++tile) {
    SplitLanes<float> from{{}, step};
    for (int64_t i = 0; i < std::min(kSplitTile, count - tile * kSplitTile); ++i)
      from.lanes[i] = lanes + (tile * kSplitTile + i) * lane;
    EMBER_KERNEL(split_pack(from, depth, parts, lanes_first, out + tile * kSplitWords, &known));
  }
}

// What is not made of whole tiles is done aside.
void SplitRunner::multiply(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t rows,
                           int64_t columns, bool accumulate) const {
  const int64_t down = ceil_div(rows, kSplitTile), across = ceil_div(columns, kSplitTile);
  if (rows % kSplitTile == 0 && columns % kSplitTile == 0) {
    return kernel_.run(parts_)(steps, a, b, c, ldc, down, across, accumulate);
  }
  alignas(64) float aside[kSplitPanel * kSplitPanel] = {};
  for (int64_t r = 0; accumulate && r < rows; ++r) std::copy_n(c + r * ldc, columns, aside + r * kSplitPanel);
  kernel_.run(parts_)(steps, a, b, aside, kSplitPanel, down, across, accumulate);
  for (int64_t r = 0; r < rows; ++r) std::copy_n(aside + r * kSplitPanel, columns, c + r * ldc);
}

}  // namespace ember::ops
