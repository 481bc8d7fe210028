#include "ops/matmul/bf16x3_panels.h"

#include <algorithm>
#include <bit>

#include "ops/base/parallel.h"

namespace ember::ops {

bool terms_fit(const MagnitudeRange& extent) {
  constexpr uint32_t kTooLarge = 0x7F7F8000;
  constexpr uint32_t kSmallest = std::bit_cast<uint32_t>(0x1p-102f);
  return extent.most < kTooLarge && extent.least >= kSmallest - 1;
}

// Zeros give +0 either way.
bool products_fit(const MagnitudeRange& a, const MagnitudeRange& b, int64_t k) {
  const auto product = [](uint32_t x, uint32_t y) { return double{std::bit_cast<float>(x)} * std::bit_cast<float>(y); };
  const double most = product(a.most, b.most);
  return most == 0 || (product(a.lane, b.lane) >= 0x1p-100 && static_cast<double>(k) * most < 0x1p127);
}

void merge_range(const MagnitudeRange& part, MagnitudeRange* all) {
  all->most = std::max(all->most, part.most);
  all->least = std::min(all->least, part.least);
  all->lane = std::min(all->lane, part.lane);
}

void merge_lanes(const uint32_t* most, int64_t lanes, MagnitudeRange* all) {
  for (int64_t i = 0; i < lanes; ++i) {
    all->most = std::max(all->most, most[i]);
    if (most[i] > 0) all->lane = std::min(all->lane, most[i]);
  }
}

void Bf16Terms::fill(const float* x, int64_t count) const {
  constexpr int64_t kElements = 1 << 15;  // that are worth a thread; of whole vectors
  parallel_for(ceil_div(count, kElements), 1, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * kElements, last = std::min(end * kElements, count);
    kernels().split_bf16_terms(x + first, last - first, terms_, bits_ + first, term_stride_);
  });
}

void pack_bf16_panel(const float* lanes, int64_t count, int64_t lane, int64_t step, int64_t depth, int terms,
                     bool lanes_first, uint32_t* out) {
  uint32_t most[kBf16Tile] = {}, least = 0;
  for (int64_t tile = 0; tile * kBf16Tile < count; ++tile) {
    Bf16x3Lanes<float> from{{}, step};
    for (int64_t i = 0; i < std::min(kBf16Tile, count - tile * kBf16Tile); ++i)
      from.lanes[i] = lanes + (tile * kBf16Tile + i) * lane;
    kernels().pack_terms(from, depth, terms, lanes_first, out + tile * kBf16TileWords, most, &least);
  }
}

// Partial tiles go through a staging buffer.
void Bf16x3Runner::multiply(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t rows,
                            int64_t columns, bool accumulate) const {
  const int64_t down = ceil_div(rows, kBf16Tile), across = ceil_div(columns, kBf16Tile);
  if (rows % kBf16Tile == 0 && columns % kBf16Tile == 0) {
    return kernel_.run(terms_)(steps, a, b, c, ldc, down, across, accumulate);
  }
  alignas(64) float staging[kBf16Panel * kBf16Panel] = {};
  for (int64_t r = 0; accumulate && r < rows; ++r) std::copy_n(c + r * ldc, columns, staging + r * kBf16Panel);
  kernel_.run(terms_)(steps, a, b, staging, kBf16Panel, down, across, accumulate);
  for (int64_t r = 0; r < rows; ++r) std::copy_n(staging + r * kBf16Panel, columns, c + r * ldc);
}

}  // namespace ember::ops
