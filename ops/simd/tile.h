// The contract of the micro-kernel of products and convolutions: a table entry, portable C++ until tiers installs one
// made for the machine.
#pragma once

#include <cstdint>

namespace ember::ops {

// The offsets of a batch element (item) in A and in B.
struct TileItem {
  int64_t a, b;
};

// A tile of a batch-reduce GEMM, each element a sequential FMA over items, then steps:
//   C[r][j] (+)= sum over i < batch, s < depth of A[items[i].a + r * a_row + s * a_step] * B[items[i].b + s * b_step +
//   j]
// A 3x3 convolution of 64 channels: batch 9, depth 64, an item for each tap. accumulate: from C, else from +0. Of C no
// more than rows <= mr by columns <= nr is read or written. Strides in elements.
template <class T>
struct Tile {
  int64_t batch, depth;
  const TileItem* items;
  const T* a;
  int64_t a_row, a_step;
  const T* b;
  int64_t b_step;
  T* c;
  int64_t c_row;
  int64_t rows, columns;
  bool accumulate;
  const T* next = nullptr;  // C of the next tile, of the same row stride: prefetched
};

// mr and nr are the same for all kernels of an instruction set.
template <class T>
struct TileKernel {
  int mr = 0;
  int nr = 0;
  void (*run)(const Tile<T>& tile) = nullptr;

  // Of packed panels, [step][mr] of A and [step][nr] of B.
  void run_panels(int64_t depth, const T* a, const T* b, T* c, int64_t c_row, int64_t rows, int64_t columns,
                  bool accumulate) const {
    static constexpr TileItem kWhole{0, 0};
    run({1, depth, &kWhole, a, 1, mr, b, nr, c, c_row, rows, columns, accumulate});
  }
};
using GemmKernel = TileKernel<float>;

}  // namespace ember::ops
