// A machine with AMX, as far as matmul and convolution can tell: while one lives, the kernel of tile instructions is
// installed, and runs on the CPU or, where that has no AMX, in the emulator.
#pragma once

#include <stdexcept>

#include "ops/base/isa.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/simd/emitted.h"
#include "tests/tiers/amx_emulator.h"
#include "tiers/emit/amx_code.h"
#include "tiers/tiers.h"

namespace ember::amx {

class PretendAmx {
 public:
  PretendAmx() {
    if (!code_) throw std::runtime_error("no executable memory");
    ops::emitted_kernels().bf16x3.store(&kernel_);
  }
  ~PretendAmx() {
    ops::emitted_kernels().bf16x3.store(nullptr);
    tiers::set_amx(ops::amx());
  }
  PretendAmx(const PretendAmx&) = delete;
  PretendAmx& operator=(const PretendAmx&) = delete;

 private:
  const AmxEmulator emulator_;
  ops::Bf16x3Kernel kernel_{};
  const gc::Ref<tiers::CodeBlock> code_ = tiers::compile_bf16x3_kernel(&kernel_);
};

// Another precision for a while.
class Precision {
 public:
  explicit Precision(ops::MatmulPrecision wanted) { ops::set_matmul_precision(wanted); }
  ~Precision() { ops::set_matmul_precision(before_); }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

 private:
  const ops::MatmulPrecision before_ = ops::matmul_precision();
};

}  // namespace ember::amx
