// The contract of the micro-kernel of products and convolutions: a table entry, portable C++ until tiers installs one
// made for the machine.
#pragma once

#include <cstdint>

namespace ember::ops {

// Where an item of a batch begins, in elements from the operands' first.
struct TileItem {
  int64_t a, b;
};

// A tile of C = A B, the chains of the items' steps one after the other. An item has `depth` steps, a_step and b_step
// apart; a step reads `rows` elements of A, a_row apart, and nr consecutive ones of B. accumulate: the chains go on
// from C; else they start at +0. rows <= mr and columns <= nr are what of C may be touched. Strides in elements.
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
  const T* next = nullptr;  // C of the tile after this one, whose rows are c_row apart too: brought nearer meanwhile
};

// mr and nr are the same for all kernels of an instruction set.
template <class T>
struct TileKernel {
  int mr = 0;
  int nr = 0;
  void (*run)(const Tile<T>& tile) = nullptr;

  // Of panels: for each step mr elements of A and nr of B.
  void run_panels(int64_t depth, const T* a, const T* b, T* c, int64_t c_row, int64_t rows, int64_t columns,
                  bool accumulate) const {
    static constexpr TileItem kWhole{0, 0};
    run({1, depth, &kWhole, a, 1, mr, b, nr, c, c_row, rows, columns, accumulate});
  }
};
using GemmKernel = TileKernel<float>;

const GemmKernel& gemm_kernel();
void install_gemm_kernel(const GemmKernel& kernel);  // by tiers, at start and when the ISA changes

}  // namespace ember::ops
