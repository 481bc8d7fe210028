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

}  // namespace ember::ops
