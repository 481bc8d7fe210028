#include "ops/simd/int8.h"

#include "ops/simd/kernels.h"

namespace ember::ops {

const Int8Kernels& int8_kernels() {
  const Isa set = isa();
  if (set == Isa::Avx512 && amx()) return kInt8TileKernels;
  if (!has_vnni(set)) return *kernels().int8;
  return set == Isa::Avx512 ? avx512vnni::kInt8Kernels : avxvnni::kInt8Kernels;
}

}  // namespace ember::ops
