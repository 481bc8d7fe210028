// Products of bfloat16 terms, written down from their definition (ops/matmul/bf16x3_gemm.h) one number at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace ember::amx {

// C (m, n) of contiguous A (m, k) and B (k, n). Terms: 1 or 3.
std::vector<float> bf16x3_reference(int64_t m, int64_t n, int64_t k, int terms, const std::vector<float>& a,
                                    const std::vector<float>& b);

// The sequential FMA of ops/matmul/gemm.h.
std::vector<float> fma_reference(int64_t m, int64_t n, int64_t k, const std::vector<float>& a,
                                 const std::vector<float>& b);

}  // namespace ember::amx
