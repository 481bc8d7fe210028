// The one table through which tiers reaches into ops: code made for this machine, of the same bits, which every tier
// uses then, eager ops too. What is stored lives for ever, since another thread may be in it.
#pragma once

#include <array>
#include <atomic>
#include <iterator>

#include "ops/base/isa.h"
#include "ops/simd/bf16x3_tile.h"
#include "ops/simd/tile.h"

namespace ember::ops {

class Program;
struct StripSchedule;

struct EmittedKernels {
  // Instead of kernels().of_float.tile, by instruction set.
  std::array<std::atomic<const GemmKernel*>, std::size(kIsas)> gemm{};
  std::atomic<const Bf16x3Kernel*> bf16x3{nullptr};  // where AMX is used; it is also what makes float32 products bf16x3
  // Makes a loop for a schedule if its demand is worth that, or says when to ask again.
  std::atomic<void (*)(const Program& program, const StripSchedule& schedule)> hot_schedule{nullptr};
};
extern EmittedKernels emitted_table;
inline EmittedKernels& emitted_kernels() { return emitted_table; }

const GemmKernel& gemm_kernel();
const Bf16x3Kernel& bf16x3_kernel();

}  // namespace ember::ops
