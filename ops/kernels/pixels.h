// Images of bytes as pipelines of data have them: rows of pixels of adjacent channels, anywhere in memory. One thread's
// work each.
#pragma once

#include <cstdint>

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

// Every byte by a table of its channel, [channels][256]; as (rows, columns, channels) or in planes, channels first.
void look_up_pixels(const Pixels& from, const float* tables, bool planes, float* to);

}  // namespace ember::ops
