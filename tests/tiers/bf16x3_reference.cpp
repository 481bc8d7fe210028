#include "tests/tiers/bf16x3_reference.h"

#include <immintrin.h>

#include <cmath>
#include <utility>

#include "ops/tensor/dtype.h"

namespace ember::amx {
namespace {

using Matrix = std::vector<float>;

// The terms of x, to which zeros are added until k is a multiple of 32.
std::vector<Matrix> terms_of(const Matrix& x, int64_t rows, int64_t k, int64_t padded, bool k_first, int terms) {
  std::vector<Matrix> out(static_cast<size_t>(terms), Matrix(static_cast<size_t>(rows * padded)));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      float rest = x[static_cast<size_t>(k_first ? p * rows + i : i * k + p)];
      for (Matrix& part : out) {
        const float here = static_cast<float>(ops::BFloat16(rest));
        part[static_cast<size_t>(i * padded + p)] = here;
        rest -= here;
      }
    }
  }
  return out;
}

// A number of C goes on by the product of 32 consecutive k of two terms.
__attribute__((target("fma"))) inline float tdp(const float* a, const float* b, float c) {
  float even = 0, odd = 0;
  for (int p = 0; p < 32; p += 2) {
    even = __builtin_fmaf(a[p], b[p], even);
    odd = __builtin_fmaf(a[p + 1], b[p + 1], odd);
  }
  return c + (even + odd);
}

__attribute__((target("fma"), noinline)) void multiply(int64_t m, int64_t n, int64_t k, const std::vector<Matrix>& a,
                                                       const std::vector<Matrix>& b, Matrix& c) {
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  const Pairs products = a.size() == 1 ? Pairs{{0, 0}} : Pairs{{1, 1}, {0, 1}, {0, 2}, {0, 0}, {1, 0}, {2, 0}};
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; p += 32) {
        for (const auto& [x, y] : products)
          sum = tdp(&a[x][static_cast<size_t>(i * k + p)], &b[y][static_cast<size_t>(j * k + p)], sum);
      }
      c[static_cast<size_t>(i * n + j)] = sum;
    }
  }
}

}  // namespace

std::vector<float> bf16x3_reference(int64_t m, int64_t n, int64_t k, int terms, const std::vector<float>& a,
                                    const std::vector<float>& b) {
  const int64_t padded = (k + 31) / 32 * 32;
  const std::vector<Matrix> left = terms_of(a, m, k, padded, false, terms),
                            right = terms_of(b, n, k, padded, true, terms);
  Matrix c(static_cast<size_t>(m * n));
  const unsigned before = _mm_getcsr();
  _mm_setcsr(0x9FC0);  // to nearest, subnormal numbers as zeros
  multiply(m, n, padded, left, right, c);
  _mm_setcsr(before);
  return c;
}

__attribute__((target("fma"))) std::vector<float> fma_reference(int64_t m, int64_t n, int64_t k,
                                                                const std::vector<float>& a,
                                                                const std::vector<float>& b) {
  Matrix c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const float x = a[static_cast<size_t>(i * k + p)];
      for (int64_t j = 0; j < n; ++j) {
        float& sum = c[static_cast<size_t>(i * n + j)];
        sum = __builtin_fmaf(x, b[static_cast<size_t>(p * n + j)], sum);
      }
    }
  }
  return c;
}

}  // namespace ember::amx
