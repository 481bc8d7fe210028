// Which instruction set kernels and emitted code use: the best that the CPU has, or what EMBERJIT_ISA or set_isa() asks
// for, never more than the CPU has. Vectors and AMX's tiles are two choices, since vectors never change a bit, while
// tiles are another definition of matmul (bf16x3_gemm.h). People name both by one word: "amx" is AVX-512 with tiles,
// the other names are without.
#pragma once

#include <string_view>

namespace ember::ops {

// Name, and the namespace and suffix of the files that are compiled for it (ops/simd). Avx2 includes FMA and F16C;
// Avx512 is F, BW, DQ and VL. Of one architecture a later one
// has all that an earlier one has.
#define EMBER_ISAS(X)   \
  X(Portable, portable) \
  X(Avx2, avx2)         \
  X(Avx512, avx512)

enum class Isa {
#define X(name, set) name,
  EMBER_ISAS(X)
#undef X
};
inline constexpr Isa kIsas[] = {
#define X(name, set) Isa::name,
    EMBER_ISAS(X)
#undef X
};

Isa best_isa();
Isa isa();
bool set_isa(Isa wanted);  // false, and unchanged, if the CPU lacks it
std::string_view name(Isa isa);
bool has_vnni(Isa set);  // whether the CPU multiplies bytes in the set's vectors: AVX-VNNI, AVX512-VNNI

bool has_amx();  // the CPU (TILE, BF16 and INT8, beside AVX-512) and the system, which the first call asks for
                 // permission
bool amx();
bool set_amx(bool wanted);  // false, and unchanged, if there is none

std::string_view isa_name();  // of both choices
bool parse_isa(std::string_view text, Isa* isa, bool* amx);
inline constexpr std::string_view kIsaNames[] = {
#define X(name, set) #set,
    EMBER_ISAS(X)
#undef X
        "amx"};

// While one lives, kernels of ops run in all threads instead of those that tiers emitted: the same bits
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
