// Kernels of products of 8-bit integers. They multiply pairs: two numbers with consecutive k side by side, widened to
// int16, whose products one instruction adds into an int32, exactly. Sums wrap, so no order of them changes a bit.
#pragma once

#include <cstdint>

namespace ember::ops {

// C[r][j] (+)= the sum over s < 2 * pairs of A[r * a_row + s] * B[s / 2][j][s % 2], of a panel B[pair][columns][2].
// Bytes are int8 where they are signed, else uint8. Strides in elements. Of C no more than rows <= Int8Kernels::rows by
// columns <= Int8Kernels::columns is read or written.
struct Int8Tile {
  int64_t pairs;
  const int16_t* a;
  int64_t a_row;
  const uint8_t* b;
  bool b_signed;
  int32_t* c;
  int64_t c_row;
  int64_t rows, columns;
  bool accumulate;
};

struct Int8Kernels {
  int rows, columns;  // of a tile
  void (*tile)(const Int8Tile& tile);
  void (*widen)(bool is_signed, const uint8_t* from, int64_t step, int64_t count, int16_t* to);
  // Panels of B, whose rows are contiguous, one after the other; zeros behind the last row and column.
  void (*pack)(const uint8_t* from, int64_t row, int64_t depth, int64_t columns, uint8_t* out);
  // One panel of a B whose columns are contiguous, or neither.
  void (*pack_columns)(const uint8_t* from, int64_t row, int64_t column, int64_t depth, int64_t columns, uint8_t* out);
  // C = A B for at most kInt8DirectRows rows of pairs, B unpacked: its rows are contiguous, or its columns.
  void (*direct)(bool b_signed, int64_t m, int64_t n, int64_t k, const int16_t* a, int64_t a_row, const uint8_t* b,
                 int64_t b_row, int32_t* c, int64_t c_row);
  void (*dots)(bool b_signed, int64_t m, int64_t n, int64_t k, const int16_t* a, int64_t a_row, const uint8_t* b,
               int64_t b_column, int32_t* c, int64_t c_row);
};

inline constexpr int64_t kInt8DirectRows = 4;

}  // namespace ember::ops
