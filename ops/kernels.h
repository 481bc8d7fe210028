// Declares what kernels.inc defines for each instruction set, and chooses among them.
#pragma once

#include "ops/gemm.h"
#include "ops/isa.h"
#include "ops/reduce.h"

namespace ember::ops {

// gemm_direct: C = A B with B's rows contiguous and nothing packed.
#define EMBER_DECLARE_KERNELS(set)                                                                                  \
  namespace set {                                                                                                   \
  extern const GemmKernel gemm_kernel;                                                                              \
  void gemm_direct(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_row, int64_t a_col, const float* b,   \
                   int64_t b_row, float* c, int64_t ldc);                                                           \
  void gemm_direct(int64_t m, int64_t n, int64_t k, const double* a, int64_t a_row, int64_t a_col, const double* b, \
                   int64_t b_row, double* c, int64_t ldc);                                                          \
  const ReduceKernels* reduce_kernels(ReduceKind kind, DType compute);                                              \
  }
EMBER_DECLARE_KERNELS(portable)
EMBER_DECLARE_KERNELS(avx2)
EMBER_DECLARE_KERNELS(avx512)
#undef EMBER_DECLARE_KERNELS

// The expression for the current instruction set, its names looked up in that set's namespace.
#define EMBER_KERNEL(expression)                                         \
  (::ember::ops::isa() == ::ember::ops::Isa::Avx512 ? avx512::expression \
   : ::ember::ops::isa() == ::ember::ops::Isa::Avx2 ? avx2::expression   \
                                                    : portable::expression)

}  // namespace ember::ops
