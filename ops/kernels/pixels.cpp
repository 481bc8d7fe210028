#include "ops/kernels/pixels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace ember::ops {
namespace {

constexpr int kBits = 11;  // of weights

// Calls `f` with the number of channels as a constant, of the usual numbers; else with 0.
template <class F>
void with_channels(int64_t channels, F&& f) {
  switch (channels) {
    case 1: return f(std::integral_constant<int64_t, 1>{});
    case 3: return f(std::integral_constant<int64_t, 3>{});
    case 4: return f(std::integral_constant<int64_t, 4>{});
    default: return f(std::integral_constant<int64_t, 0>{});
  }
}

// The two neighbours that each new pixel is of, which are one at the borders, and their weights.
struct Taps {
  std::vector<int64_t> first, second;
  std::vector<int16_t> weight, other;

  Taps(int64_t source, int64_t target, bool by_area) {
    const double scale = static_cast<double>(source) / static_cast<double>(target);
    for (int64_t i = 0; i < target; ++i) {
      const auto [place, rest] = by_area ? area_place(static_cast<double>(i), scale) : place_of(i, scale);
      first.push_back(std::clamp<int64_t>(place, 0, source - 1));
      second.push_back(std::clamp<int64_t>(place + 1, 0, source - 1));
      weight.push_back(fixed(1.0f - rest));
      other.push_back(fixed(rest));
    }
  }

 private:
  using Place = std::pair<int64_t, float>;  // a pixel, and how far beyond it

  static Place place_of(int64_t i, double scale) {
    const auto exact = static_cast<float>((static_cast<double>(i) + 0.5) * scale - 0.5);
    const float floor = std::floor(exact);
    return {static_cast<int64_t>(floor), exact - floor};
  }
  static Place area_place(double i, double scale) {
    const double floor = std::floor(i * scale);
    const auto rest = static_cast<float>((i + 1) - (floor + 1) / scale);
    return {static_cast<int64_t>(floor), rest <= 0 ? 0 : rest - std::floor(rest)};
  }
  static int16_t fixed(float weight) { return static_cast<int16_t>(std::nearbyint(weight * (1 << kBits))); }
};

std::vector<int16_t> for_channels(const std::vector<int16_t>& weights, int64_t channels) {
  std::vector<int16_t> out;
  out.reserve(weights.size() * static_cast<size_t>(channels));
  for (const int16_t weight : weights) out.insert(out.end(), static_cast<size_t>(channels), weight);
  return out;
}

// Rows in the new width, in fixed point without the 4 lowest bits. The last two are kept.
class Lines {
 public:
  Lines(const Pixels& from, const Taps& across)
      : from_(from),
        weight_(for_channels(across.weight, from.channels)),
        other_(for_channels(across.other, from.channels)),
        left_(weight_.size() + 1),
        right_(weight_.size() + 1) {
    for (auto& line : lines_) line.resize(weight_.size());
    for (size_t i = 0; i < across.first.size(); ++i)
      offsets_.push_back({across.first[i] * from.pixel, across.second[i] * from.pixel});
  }

  // `kept`: of the row that is needed beside it.
  const int16_t* line(int64_t row, int64_t kept) {
    for (int k = 0; k < 2; ++k)
      if (rows_[k] == row) return lines_[k].data();
    const int free = rows_[0] == kept ? 1 : 0;
    rows_[free] = row;
    with_channels(from_.channels, [&](auto channels) { gather<channels>(from_.at(row)); });
    combine(lines_[free].data());
    return lines_[free].data();
  }

 private:
  template <int64_t kChannels>
  void gather(const uint8_t* row) {
    const auto channels = static_cast<size_t>(kChannels ? kChannels : from_.channels), count = offsets_.size();
    const auto* offset = offsets_.data();
    uint8_t *left = left_.data(), *right = right_.data();
    size_t i = 0;
    const auto copy = [&](size_t bytes) {
      std::memcpy(left + i * channels, row + offset[i].first, bytes);
      std::memcpy(right + i * channels, row + offset[i].second, bytes);
      ++i;
    };
    if constexpr (kChannels == 3)  // as words, while these end within the row
      for (const int64_t end = (from_.columns - 1) * from_.pixel - 1; i < count && offset[i].second <= end;)
        copy(sizeof(uint32_t));
    while (i < count) copy(channels);
  }

  void combine(int16_t* line) const {
    const uint8_t *left = left_.data(), *right = right_.data();
    const int16_t *weight = weight_.data(), *other = other_.data();
    for (size_t i = 0; i < weight_.size(); ++i)
      line[i] = static_cast<int16_t>((left[i] * weight[i] + right[i] * other[i]) >> 4);
  }

  const Pixels& from_;
  std::vector<std::pair<int64_t, int64_t>> offsets_;
  std::vector<int16_t> weight_, other_;  // for each channel of each pixel
  std::vector<uint8_t> left_, right_;
  std::vector<int16_t> lines_[2];
  int64_t rows_[2] = {-1, -1};
};

void combine_lines(const int16_t* upper, int16_t weight, const int16_t* lower, int16_t other, int64_t n, uint8_t* to) {
  for (int64_t i = 0; i < n; ++i) {
    const auto above = static_cast<int16_t>((upper[i] * weight) >> 16);
    const auto below = static_cast<int16_t>((lower[i] * other) >> 16);
    to[i] = static_cast<uint8_t>((above + below + 2) >> 2);
  }
}

}  // namespace

void copy_pixels(const Pixels& from, uint8_t* to) {
  with_channels(from.channels, [&](auto constant) {
    const auto channels = static_cast<size_t>(constant ? constant : from.channels);
    for (int64_t r = 0; r < from.rows; ++r) {
      const uint8_t* pixel = from.at(r);
      int64_t c = 0;
      const auto copy = [&](int64_t end, size_t bytes) {
        for (; c < end; ++c, pixel += from.pixel, to += channels) std::memcpy(to, pixel, bytes);
      };
      if (constant == 3 && from.pixel != 0) {  // as words, which end in a neighbour
        copy(1, channels);
        copy(from.columns - 1, sizeof(uint32_t));
      }
      copy(from.columns, channels);
    }
  });
}

void resize_pixels(const Pixels& from, int64_t rows, int64_t columns, bool by_area, uint8_t* to) {
  const Taps across(from.columns, columns, by_area), down(from.rows, rows, by_area);
  Lines lines(from, across);
  const int64_t n = columns * from.channels;
  for (size_t r = 0; r < down.first.size(); ++r, to += n) {
    const int16_t* upper = lines.line(down.first[r], down.second[r]);
    const int16_t* lower = lines.line(down.second[r], down.first[r]);
    combine_lines(upper, down.weight[r], lower, down.other[r], n, to);
  }
}

void look_up_pixels(const Pixels& from, const float* tables, bool planes, float* to) {
  const int64_t step = planes ? 1 : from.channels, plane = planes ? from.rows * from.columns : 1;
  with_channels(from.channels, [&](auto constant) {
    const int64_t channels = constant ? constant : from.channels;
    for (int64_t r = 0; r < from.rows; ++r) {
      const uint8_t* pixel = from.at(r);
      for (int64_t c = 0; c < from.columns; ++c, pixel += from.pixel, to += step)
        for (int64_t k = 0; k < channels; ++k) to[k * plane] = tables[k * 256 + pixel[k]];
    }
  });
}

}  // namespace ember::ops
