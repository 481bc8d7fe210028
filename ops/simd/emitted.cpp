#include "ops/simd/emitted.h"

#include "ops/simd/kernels.h"

namespace ember::ops {

constinit EmittedKernels emitted_table;

const GemmKernel& gemm_kernel() {
  const GemmKernel* kernel = emitted_kernels().gemm[static_cast<size_t>(isa())].load(std::memory_order_acquire);
  return kernel && !WithoutEmitted::active() ? *kernel : kernels().of_float.tile;
}

const Bf16x3Kernel& bf16x3_kernel() {
  const Bf16x3Kernel* kernel = emitted_kernels().bf16x3.load(std::memory_order_acquire);
  return kernel && !WithoutEmitted::active() ? *kernel : kernels().bf16x3;
}

}  // namespace ember::ops
