// Matrix multiplication for matmul and convolution in every tier. This layer packs, blocks and splits among threads;
// the micro-kernel in the middle is a table entry, portable C++ until tiers installs one made for the machine. Whatever
// the kernel, each element of C is one fma chain over k ascending, started at +0 (numerics.md), so all give the same
// bits: when k is split into blocks, C carries the chain from block to block.
#pragma once

#include <cstdint>

namespace ember::ops {

// C[m0..m0+mr, 0..nr] of a packed panel of A (k rows of mr elements) and one of B (k rows of nr). ldc in elements.
// accumulate: the chain goes on from C; else it starts at +0. rows <= mr and cols <= nr are what of C may be touched.
// mr and nr are the same for all kernels of an instruction set.
template <class T>
struct TileKernel {
  int mr = 0;
  int nr = 0;
  void (*run)(int64_t k, const T* a, const T* b, T* c, int64_t ldc, int64_t rows, int64_t cols,
              bool accumulate) = nullptr;
};
using GemmKernel = TileKernel<float>;

const GemmKernel& gemm_kernel();
void install_gemm_kernel(const GemmKernel& kernel);  // by tiers, at start and when the ISA changes

// Writes panels of B: rows k0..k1, columns n0..n1 (at most nr, the rest zero). Convolution packs straight from the
// image.
struct PackB {
  const void* context;
  void (*pack)(const void* context, int64_t k0, int64_t k1, int64_t n0, int64_t n1, int nr, float* out);
};

struct Gemm {
  int64_t m, n, k;
  const float* a;
  int64_t a_row, a_col;  // strides of A in elements
  PackB b;
  float* c;
  int64_t ldc;  // C is row-major
};
void run_gemm(const Gemm& gemm);  // uses the pool

// B as a strided matrix.
struct StridedB {
  const float* data;
  int64_t row, col;
};
PackB pack_strided(const StridedB* b);

}  // namespace ember::ops
