// Pixels of other pixels than those at the same place, and hues.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/kernels/pixels.h"

namespace ember::ops {
namespace {

uint8_t saturated(int64_t x) { return static_cast<uint8_t>(std::clamp<int64_t>(x, 0, 255)); }

// Where one that is mirrored at the first and last of n is.
int64_t mirrored(int64_t i, int64_t n) {
  if (n == 1) return 0;
  const int64_t period = 2 * (n - 1), at = ((i % period) + period) % period;
  return std::min(at, period - at);
}

std::vector<int64_t> mirrored_places(int64_t n, int64_t taps) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < n + taps - 1; ++i) out.push_back(mirrored(i - taps / 2, n));
  return out;
}

// Hue, saturation and value, each from 0 to 255.
struct Hsv {
  int hue, share, value;
};

class ToHsv {
 public:
  ToHsv() {
    for (size_t i = 1; i < 256; ++i) {
      by_value_[i] = static_cast<int>(std::nearbyint((255 << kBits) / static_cast<double>(i)));
      by_spread_[i] = static_cast<int>(std::nearbyint((256 << kBits) / (6.0 * static_cast<double>(i))));
    }
  }
  Hsv operator()(int red, int green, int blue) const {
    const int value = std::max({red, green, blue}), spread = value - std::min({red, green, blue});
    const int turned = value == red     ? green - blue
                       : value == green ? blue - red + 2 * spread
                                        : red - green + 4 * spread;
    const int hue = (turned * by_spread_[static_cast<size_t>(spread)] + kHalf) >> kBits;
    return {hue & 255, (spread * by_value_[static_cast<size_t>(value)] + kHalf) >> kBits, value};
  }

 private:
  static constexpr int kBits = 12, kHalf = 1 << (kBits - 1);
  std::array<int, 256> by_value_{}, by_spread_{};
};

void to_rgb(const Hsv& of, uint8_t* to) {
  const float turns = static_cast<float>(of.hue) * static_cast<float>(6.0 / 255);
  const float s = static_cast<float>(of.share) * static_cast<float>(1.0 / 255);
  const float v = static_cast<float>(of.value) * static_cast<float>(1.0 / 255);
  const float sector = std::floor(turns), rest = turns - sector;
  const float tab[] = {v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))};
  static constexpr int kOrder[6][3] = {{0, 3, 1}, {2, 0, 1}, {1, 0, 3}, {1, 2, 0}, {3, 1, 0}, {0, 1, 2}};
  for (int k = 0; k < 3; ++k)
    to[k] = saturated(static_cast<int64_t>(std::nearbyint(tab[kOrder[static_cast<int>(sector) % 6][k]] * 255.0f)));
}

}  // namespace

void remap_pixels(const Pixels& from, const Places& places, uint8_t* to) {
  const int64_t taps = places.taps, before = taps == 4 ? 1 : 0;
  const auto pixel = [&](int64_t x, int64_t y) {
    const bool inside = x >= 0 && x < from.columns && y >= 0 && y < from.rows;
    return inside ? from.at(y) + x * from.pixel : places.fill;
  };
  for (int64_t i = 0; i < places.count; ++i, to += from.channels) {
    const int64_t x = places.x[i], y = places.y[i];
    if (taps == 1) {
      std::copy_n(pixel(x, y), from.channels, to);
      continue;
    }
    const int64_t first = (x >> 5) - before, top = (y >> 5) - before;
    const int32_t* weights = places.weights + ((y & 31) * 32 + (x & 31)) * taps * taps;
    const uint8_t* near[16];
    for (int64_t t = 0; t < taps * taps; ++t) near[t] = pixel(first + t % taps, top + t / taps);
    for (int64_t k = 0; k < from.channels; ++k) {
      int32_t sum = 1 << 14;
      for (int64_t t = 0; t < taps * taps; ++t) sum += near[t][k] * weights[t];
      to[k] = saturated(sum >> 15);
    }
  }
}

void smooth_pixels(const Pixels& from, const Smoothing& weights, uint8_t* to) {
  const auto across = static_cast<int64_t>(weights.across.size()), down = static_cast<int64_t>(weights.down.size());
  const std::vector<int64_t> columns = mirrored_places(from.columns, across), rows = mirrored_places(from.rows, down);
  const int64_t line = from.columns * from.channels;
  std::vector<int32_t> smooth(static_cast<size_t>(from.rows * line)), sums(static_cast<size_t>(line));
  for (int64_t r = 0; r < from.rows; ++r) {
    int32_t* out = smooth.data() + r * line;
    for (int64_t t = 0; t < across; ++t) {
      const int32_t weight = weights.across[static_cast<size_t>(t)];
      for (int64_t c = 0; c < from.columns; ++c) {
        const uint8_t* pixel = from.at(r) + columns[static_cast<size_t>(c + t)] * from.pixel;
        for (int64_t k = 0; k < from.channels; ++k) out[c * from.channels + k] += pixel[k] * weight;
      }
    }
  }
  for (int64_t r = 0; r < from.rows; ++r, to += line) {
    std::fill(sums.begin(), sums.end(), 1 << 15);
    for (int64_t t = 0; t < down; ++t) {
      const int32_t weight = weights.down[static_cast<size_t>(t)];
      const int32_t* row = smooth.data() + rows[static_cast<size_t>(r + t)] * line;
      for (int64_t i = 0; i < line; ++i) sums[static_cast<size_t>(i)] += row[i] * weight;
    }
    for (int64_t i = 0; i < line; ++i) to[i] = static_cast<uint8_t>(sums[static_cast<size_t>(i)] >> 16);
  }
}

void turn_hues(const Pixels& from, int64_t turn, uint8_t* to) {
  static const ToHsv to_hsv;
  for (int64_t r = 0; r < from.rows; ++r) {
    const uint8_t* pixel = from.at(r);
    for (int64_t c = 0; c < from.columns; ++c, pixel += from.pixel, to += 3) {
      Hsv hsv = to_hsv(pixel[0], pixel[1], pixel[2]);
      hsv.hue = static_cast<int>((hsv.hue + turn) & 255);
      to_rgb(hsv, to);
    }
  }
}

}  // namespace ember::ops
