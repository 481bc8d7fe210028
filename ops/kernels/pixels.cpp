#include "ops/kernels/pixels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ember::ops {
namespace {

constexpr int kBits = 11;  // of weights

// Calls `f` with the number of channels as a constant, of the usual numbers; else with 0.
template <class F>
void with_channels(int64_t channels, F&& f) {
  switch (channels) {
    case 1:
      return f(std::integral_constant<int64_t, 1>{});
    case 3:
      return f(std::integral_constant<int64_t, 3>{});
    case 4:
      return f(std::integral_constant<int64_t, 4>{});
    default:
      return f(std::integral_constant<int64_t, 0>{});
  }
}

// The two neighbours that each new pixel is of, which are one at the borders, and their weights.
struct Taps {
  std::vector<int64_t> first, second;
  std::vector<int16_t> weight, other;

  Taps(int64_t source, int64_t target, bool by_area) {
    const double scale = static_cast<double>(source) / static_cast<double>(target);
    for (auto* places : {&first, &second}) places->reserve(static_cast<size_t>(target));
    for (auto* weights : {&weight, &other}) weights->reserve(static_cast<size_t>(target));
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

// Rows in the new width, in fixed point without the 4 lowest bits. The last two are kept.
class Lines {
 public:
  Lines(const Pixels& from, const Taps& across) : from_(from) {
    taps_.reserve(across.first.size());
    for (size_t i = 0; i < across.first.size(); ++i)
      taps_.push_back({across.first[i] * from.pixel, across.second[i] * from.pixel, across.weight[i], across.other[i]});
    for (auto& line : lines_) line.resize(taps_.size() * static_cast<size_t>(from.channels) + 1);
  }

  // `kept`: of the row that is needed beside it.
  const int16_t* line(int64_t row, int64_t kept) {
    for (int k = 0; k < 2; ++k)
      if (rows_[k] == row) return lines_[k].data();
    const int free = rows_[0] == kept ? 1 : 0;
    rows_[free] = row;
    with_channels(from_.channels, [&](auto channels) { make<channels>(from_.at(row), lines_[free].data()); });
    return lines_[free].data();
  }

 private:
  struct Tap {
    int64_t first, second;  // in bytes
    int16_t weight, other;
  };

  template <int64_t kChannels>
  void make(const uint8_t* row, int16_t* line) const {
    const int64_t channels = kChannels ? kChannels : from_.channels;
    const Tap *tap = taps_.data(), *end = tap + taps_.size();
    if constexpr (kChannels == 3) tap = make_words(row, line);
    for (line += (tap - taps_.data()) * channels; tap < end; ++tap, line += channels)
      for (int64_t k = 0; k < channels; ++k)
        line[k] = static_cast<int16_t>((row[tap->first + k] * tap->weight + row[tap->second + k] * tap->other) >> 4);
  }

  // Of three channels, with pixels as words of four bytes while these end within the row. Returns the first tap that is
  // left.
  const Tap* make_words(const uint8_t* row, int16_t* line) const {
    const Tap *tap = taps_.data(), *end = tap + taps_.size();
#if defined(__SSE2__)
    const auto word = [](const void* from) {
      int32_t bits;
      std::memcpy(&bits, from, sizeof bits);
      return _mm_cvtsi32_si128(bits);
    };
    for (const int64_t last = (from_.columns - 1) * from_.pixel; tap < end && tap->second < last; ++tap, line += 3) {
      const __m128i bytes = _mm_unpacklo_epi8(word(row + tap->first), word(row + tap->second));
      const __m128i weights = _mm_shuffle_epi32(word(&tap->weight), 0);
      const __m128i sums = _mm_madd_epi16(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()), weights);
      const __m128i shifted = _mm_srai_epi32(sums, 4);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(line), _mm_packs_epi32(shifted, shifted));
    }
#endif
    return tap;
  }

  const Pixels& from_;
  std::vector<Tap> taps_;
  std::vector<int16_t> lines_[2];
  int64_t rows_[2] = {-1, -1};
};

void combine_lines(const int16_t* upper, int16_t weight, const int16_t* lower, int16_t other, int64_t n, uint8_t* to) {
  int64_t i = 0;
#if defined(__SSE2__)
  const __m128i weights = _mm_set1_epi16(weight), others = _mm_set1_epi16(other), half = _mm_set1_epi16(2);
  for (; i + 8 <= n; i += 8) {
    const __m128i above = _mm_mulhi_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(upper + i)), weights);
    const __m128i below = _mm_mulhi_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(lower + i)), others);
    const __m128i sums = _mm_srai_epi16(_mm_add_epi16(_mm_add_epi16(above, below), half), 2);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + i), _mm_packus_epi16(sums, sums));
  }
#endif
  for (; i < n; ++i) to[i] = static_cast<uint8_t>((((upper[i] * weight) >> 16) + ((lower[i] * other) >> 16) + 2) >> 2);
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
