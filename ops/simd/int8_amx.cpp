// Tiles of products of 8-bit integers by AMX (simd/int8.h), which multiplies bytes of either kind: a tile of C is two
// by two tiles of 16 rows by 16 columns, and a step multiplies 64 consecutive k.
#include <immintrin.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "ops/simd/int8.h"

namespace ember::ops {
namespace {

constexpr int64_t kInt8Rows = 32, kInt8Columns = 32, kInt8Step = 64, kInt8Sums = 0;
constexpr int64_t kTile = 16, kRowBytes = 64;
constexpr int64_t kPanelRow = 4 * kInt8Columns;  // bytes of four k of all columns

#include "ops/simd/int8_quads.inc"

// What LDTILECFG reads: a palette of eight tiles of 16 rows of 64 bytes.
struct Configuration {
  uint8_t palette = 1, start_row = 0, zeros[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Configuration) == 64);

void begin() {
  alignas(64) static constexpr Configuration kConfiguration;
  _tile_loadconfig(&kConfiguration);
}
void end() { _tile_release(); }

// C's are tiles 0 to 3, A's 4 and 5, B's 6 and 7.
template <bool A, bool B>
void multiply(bool two_rows, bool two_columns) {
#define EMBER_MULTIPLY(c, a, b) \
  if constexpr (A && B) {       \
    _tile_dpbssd(c, a, b);      \
  } else if constexpr (A) {     \
    _tile_dpbsud(c, a, b);      \
  } else if constexpr (B) {     \
    _tile_dpbusd(c, a, b);      \
  } else {                      \
    _tile_dpbuud(c, a, b);      \
  }
  EMBER_MULTIPLY(0, 4, 6)
  if (two_columns) {
    EMBER_MULTIPLY(1, 4, 7)
  }
  if (two_rows) {
    EMBER_MULTIPLY(2, 5, 6)
  }
  if (two_rows && two_columns) {
    EMBER_MULTIPLY(3, 5, 7)
  }
#undef EMBER_MULTIPLY
}

// Of A's tiles and B's one or two of each. Strides in bytes.
template <bool A, bool B>
void run(const Int8Tile& tile, char* c, int64_t c_row) {
  const bool down = tile.rows > kTile, across = tile.columns > kTile;
  char* const below = c + kTile * c_row;
  if (tile.accumulate) {
    _tile_loadd(0, c, c_row);
    if (across) _tile_loadd(1, c + kRowBytes, c_row);
    if (down) _tile_loadd(2, below, c_row);
    if (down && across) _tile_loadd(3, below + kRowBytes, c_row);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const auto* a = static_cast<const char*>(tile.a);
  const uint8_t* b = tile.b;
  for (int64_t p = 0; p < tile.depth; p += kInt8Step, a += kInt8Step, b += kInt8Step * kInt8Columns) {
    _tile_loadd(4, a, tile.a_row);
    if (down) _tile_loadd(5, a + kTile * tile.a_row, tile.a_row);
    _tile_loadd(6, b, kPanelRow);
    if (across) _tile_loadd(7, b + kRowBytes, kPanelRow);
    multiply<A, B>(down, across);
  }
  _tile_stored(0, c, c_row);
  if (across) _tile_stored(1, c + kRowBytes, c_row);
  if (down) _tile_stored(2, below, c_row);
  if (down && across) _tile_stored(3, below + kRowBytes, c_row);
}

// Edges go through a staging buffer. The fence is for the compiler: to GCC, loading a tile reads no memory.
template <bool A, bool B>
void run(const Int8Tile& tile) {
  if (tile.rows % kTile == 0 && tile.columns % kTile == 0)
    return run<A, B>(tile, reinterpret_cast<char*>(tile.c), tile.c_row * 4);
  alignas(64) int32_t staging[kInt8Rows * kInt8Columns] = {};
  const auto bytes = static_cast<size_t>(tile.columns) * sizeof(int32_t);
  for (int64_t i = 0; tile.accumulate && i < tile.rows; ++i)
    std::memcpy(staging + i * kInt8Columns, tile.c + i * tile.c_row, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  run<A, B>(tile, reinterpret_cast<char*>(staging), kInt8Columns * 4);
  for (int64_t i = 0; i < tile.rows; ++i) std::memcpy(tile.c + i * tile.c_row, staging + i * kInt8Columns, bytes);
}

void run_tile(const Int8Tile& tile) {
  if (tile.a_signed) {
    tile.b_signed ? run<true, true>(tile) : run<true, false>(tile);
  } else {
    tile.b_signed ? run<false, true>(tile) : run<false, false>(tile);
  }
}

void fill(bool, bool, const uint8_t* from, int64_t step, int64_t count, void* to) {
  if (step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count));
    return;
  }
  for (int64_t i = 0; i < count; ++i) static_cast<uint8_t*>(to)[i] = from[i * step];
}

void pack(bool, const uint8_t* from, int64_t row, int64_t depth, int64_t columns, uint8_t* out) {
  pack_quads(from, row, depth, columns, out);
}
void pack_columns(bool, const uint8_t* from, int64_t step, int64_t column, int64_t depth, int64_t columns,
                  uint8_t* out) {
  pack_quad_columns(from, step, column, depth, columns, out);
}

}  // namespace

extern const Int8Kernels kInt8TileKernels{kInt8Rows, kInt8Columns, kInt8Step, kInt8Sums, {1, &fill},
                                          &begin,    &end,         &run_tile, &pack,     &pack_columns};

}  // namespace ember::ops
