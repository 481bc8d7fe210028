// Which instruction set kernels and emitted code use: the best that the CPU has, or what EMBERJIT_ISA or set_isa() asks
// for, never more than the CPU has.
#pragma once

#include <string_view>

namespace ember::ops {

enum class Isa { Portable, Avx2, Avx512 };  // Avx2 includes FMA and F16C; Avx512 is F, BW, DQ and VL

Isa best_isa();
Isa isa();
bool set_isa(Isa wanted);  // false, and unchanged, if the CPU lacks it
std::string_view name(Isa isa);
bool parse_isa(std::string_view text, Isa* out);

// While one lives, kernels that tiers emitted are left aside in all threads and those of ops run instead: the same bits
// from other code.
class WithoutEmitted {
 public:
  WithoutEmitted();
  ~WithoutEmitted();
  WithoutEmitted(const WithoutEmitted&) = delete;
  WithoutEmitted& operator=(const WithoutEmitted&) = delete;
  static bool active();
};

}  // namespace ember::ops
