// The contract of the bf16x3 micro-kernel (matmul/bf16x3_gemm.h): a table entry, vector code until tiers installs one
// of tile instructions.
#pragma once

#include <cstdint>

namespace ember::ops {

constexpr int64_t kBf16Tile = 16;                              // lanes (rows of A or columns of B) of a tile
constexpr int64_t kBf16Panel = 32;                             // lanes of a panel: two tiles
constexpr int64_t kBf16Step = 32;                              // k of a step
constexpr int64_t kBf16TileWords = kBf16Tile * kBf16Step / 2;  // pairs of bfloat16 in a tile
constexpr int kMaxTerms = 3;

// Which terms (0 is h, 1 is m, 2 is l) are multiplied, in order.
struct TermProduct {
  int a, b;
};
inline constexpr TermProduct kBf16Products[] = {{0, 0}};
inline constexpr TermProduct kBf16x3Products[] = {{1, 1}, {0, 1}, {0, 2}, {0, 0}, {1, 0}, {2, 0}};

// Packed panels, of pairs of consecutive k (VNNI): A [step][term h, m, l][tile][lane][pair], B
// [step][term][tile][pair][lane]. Tiles of A may also be loaded unpacked, from rows of 32 bfloat16 at one stride.
struct Bf16x3Rows {
  int64_t steps;
  const int64_t* at;         // byte offset of each step in its tiles
  const uint16_t* tiles[2];  // the first rows of one or two tiles
  int64_t row, term;         // strides in bytes
  const uint32_t* b;
  float* c[2];  // of each tile
  int64_t ldc, row_tiles, column_tiles, accumulate;
};

struct Bf16x3Kernel {
  // C[0..16 row_tiles, 0..16 column_tiles] of a panel of A and one of B. ldc in elements. accumulate: from C,
  // else from +0.
  using Run = void (*)(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t row_tiles,
                       int64_t column_tiles, bool accumulate);
  using RunRows = void (*)(const Bf16x3Rows& rows, int64_t height);
  void (*begin)(int64_t height);  // in each thread, before runs: rows of A's and C's tiles, 16 of packed ones
  void (*end)();
  Run bf16;    // one term
  Run bf16x3;  // three terms
  RunRows bf16_rows, bf16x3_rows;

  Run run(int terms) const { return terms == 1 ? bf16 : bf16x3; }
  RunRows run_rows(int terms) const { return terms == 1 ? bf16_rows : bf16x3_rows; }
};

}  // namespace ember::ops
