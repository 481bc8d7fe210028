// Products of bfloat16 parts, written down from their definition (ops/kernels/split_gemm.h) one number at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace ember::amx {

// C (m, n) of contiguous A (m, k) and B (k, n). Parts: 1 or 3.
std::vector<float> split_reference(int64_t m, int64_t n, int64_t k, int parts, const std::vector<float>& a,
                                   const std::vector<float>& b);

// The chain of ops/kernels/gemm.h.
std::vector<float> chain_reference(int64_t m, int64_t n, int64_t k, const std::vector<float>& a,
                                   const std::vector<float>& b);

}  // namespace ember::amx
