// Images of bytes as pipelines of data have them: rows of pixels of adjacent channels, anywhere in memory. One thread's
// work each.
#pragma once

#include <cstdint>
#include <span>

namespace ember::ops {

struct Pixels {
  const uint8_t* data;
  int64_t rows, columns, channels;
  int64_t row, pixel;  // strides in bytes, of either sign

  const uint8_t* at(int64_t r) const { return data + r * row; }
};

// `to` is contiguous.
void copy_pixels(const Pixels& from, uint8_t* to);

// In another size by the two nearest pixels of each axis, as OpenCV does: in fixed point of 11 bits, first across, then
// down. `by_area`: weights of INTER_AREA, where an axis grows.
void resize_pixels(const Pixels& from, int64_t rows, int64_t columns, bool by_area, uint8_t* to);

// Pixels at places (x, y), of `taps` squared neighbours each: places are in 32nds, with a table of weights in 2^15ths,
// [y & 31][x & 31][down][across], or of one tap whole. Beyond the image is `fill`, of each channel. As OpenCV does.
struct Places {
  int64_t count;
  const int64_t *x, *y;
  int64_t taps;
  const int32_t* weights;  // not of one tap
  const uint8_t* fill;
};
void remap_pixels(const Pixels& from, const Places& places, uint8_t* to);

// Smoothed across, then down, by weights in 2^8ths, as many as are odd; beyond the border the image is mirrored.
struct Smoothing {
  std::span<const int32_t> across, down;
};
void smooth_pixels(const Pixels& from, const Smoothing& weights, uint8_t* to);

// Of RGB, hues turned by 255ths of a turn: to HSV in 12 bits of fixed point, back in float32, as OpenCV does.
void turn_hues(const Pixels& from, int64_t turn, uint8_t* to);

// Every byte by a table of its channel, [channels][256]; as (rows, columns, channels) or in planes, channels first.
void look_up_pixels(const Pixels& from, const float* tables, bool planes, float* to);

}  // namespace ember::ops
