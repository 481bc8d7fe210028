// The contract of the kernel that multiplies panels of bfloat16 terms (kernels/bf16x3_gemm.h): a table entry, vector
// code until tiers installs one made of tile instructions.
#pragma once

#include <cstdint>

namespace ember::ops {

constexpr int64_t kBf16Tile = 16;                              // lanes (rows of A or columns of B) of a tile
constexpr int64_t kBf16Panel = 32;                             // lanes of a panel: two tiles
constexpr int64_t kBf16Step = 32;                              // k of a step
constexpr int64_t kBf16TileWords = kBf16Tile * kBf16Step / 2;  // pairs of bfloat16 in a tile
constexpr int kMostTerms = 3;

// Which terms (0 is h, 1 is m, 2 is l) are multiplied, in order.
struct TermProduct {
  int a, b;
};
inline constexpr TermProduct kBf16Products[] = {{0, 0}};
inline constexpr TermProduct kBf16x3Products[] = {{1, 1}, {0, 1}, {0, 2}, {0, 0}, {1, 0}, {2, 0}};

// Packed panels are, for each step, for each part (h, m, l), two tiles of pairs of consecutive k: in those of A a row
// of pairs for each lane, in those of B a row of lanes for each pair.
//
// A's tiles may also be read where they lie, in planes of the terms: rows of a step's bfloat16 at one distance.
struct Bf16x3Rows {
  int64_t steps;
  const int64_t* at;         // of each step: bytes from where its tiles begin
  const uint16_t* tiles[2];  // the first rows of one or two tiles
  int64_t row, plane;        // bytes from row to row, and from part to part
  const uint32_t* b;
  float* c[2];  // of each tile
  int64_t ldc, row_tiles, column_tiles, accumulate;
};

struct Bf16x3Kernel {
  // C[0..16 row_tiles, 0..16 column_tiles] of a panel of A and one of B. ldc in elements. accumulate: the sums go on
  // from C; else they start at +0.
  using Run = void (*)(int64_t steps, const uint32_t* a, const uint32_t* b, float* c, int64_t ldc, int64_t row_tiles,
                       int64_t column_tiles, bool accumulate);
  using RunRows = void (*)(const Bf16x3Rows& rows, int64_t height);
  void (*begin)(int64_t height);  // in each thread, before runs: the rows of A's and C's tiles, of packed ones 16
  void (*end)();
  Run bf16;    // of one part
  Run bf16x3;  // of three
  RunRows bf16_rows, bf16x3_rows;

  Run run(int terms) const { return terms == 1 ? bf16 : bf16x3; }
  RunRows run_rows(int terms) const { return terms == 1 ? bf16_rows : bf16x3_rows; }
};
const Bf16x3Kernel& bf16x3_kernel();
void install_bf16x3_kernel(
    const Bf16x3Kernel* kernel);  // by tiers, where AMX is used; lives for ever. Null: there is none

}  // namespace ember::ops
