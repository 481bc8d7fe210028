// Kernels of products of 8-bit integers, of tiles of C and of a few rows. An instruction multiplies numbers with
// consecutive k that lie side by side, a group of two widened to int16 or of four bytes, and adds their products into
// an int32, exactly. Sums wrap, so no order of them changes a bit.
#pragma once

#include <cstdint>

namespace ember::ops {

// How a kernel reads rows of A.
struct Int8Rows {
  int64_t element;  // bytes that a number takes
  void (*fill)(bool a_signed, bool b_signed, const uint8_t* from, int64_t step, int64_t count, void* to);
};

// C[r][j] (+)= the sum over s < depth of A[r][s] * B[s / group][j][s % group], of a panel B[group of
// k][columns][group]. Bytes are int8 where they are signed, else uint8. a_row in bytes, c_row in elements. Of C no more
// than rows <= Int8Kernels::rows by columns <= Int8Kernels::columns is read or written; Int8Kernels::rows of A may be
// read.
struct Int8Tile {
  int64_t depth;
  const void* a;
  int64_t a_row;
  bool a_signed;
  const uint8_t* b;
  bool b_signed;
  int32_t* c;
  int64_t c_row;
  int64_t rows, columns;
  bool accumulate;
};

struct Int8Kernels {
  int64_t rows, columns;  // of a tile
  int64_t step;           // depth is a multiple of it: rows of A may hold anything behind k
  int64_t sums;           // bytes of a number for each column, behind a panel
  Int8Rows a;
  void (*begin)();  // in each thread, before tiles
  void (*end)();
  void (*tile)(const Int8Tile& tile);
  // Panels of B, whose rows are contiguous, one after the other; zeros behind the last row and column.
  void (*pack)(bool b_signed, const uint8_t* from, int64_t row, int64_t depth, int64_t columns, uint8_t* out);
  // One panel of a B whose columns are contiguous, or neither.
  void (*pack_columns)(bool b_signed, const uint8_t* from, int64_t row, int64_t column, int64_t depth, int64_t columns,
                       uint8_t* out);

  int64_t padded(int64_t depth) const { return (depth + step - 1) / step * step; }
  int64_t panel_bytes(int64_t depth) const { return columns * (padded(depth) + sums); }
};

// C = A B for at most kInt8FewRows rows, B unpacked: its rows are contiguous, or its columns.
struct Int8FewRows {
  using Run = void (*)(bool b_signed, int64_t m, int64_t n, int64_t k, const void* a, int64_t a_row, const uint8_t* b,
                       int64_t b_stride, int32_t* c, int64_t c_row);
  Int8Rows a;
  Run by_rows, by_columns;
};
inline constexpr int64_t kInt8FewRows = 4;

// The fastest of the current instruction set: kernels().int8, of pairs, or by instructions for bytes, which not every
// CPU of a set has.
const Int8Kernels& int8_kernels();

namespace avxvnni {
extern const Int8Kernels kInt8Kernels;
}
namespace avx512vnni {
extern const Int8Kernels kInt8Kernels;
}
extern const Int8Kernels kInt8TileKernels;  // AMX

}  // namespace ember::ops
