// LU factorisation by LAPACK, with pivots counted from 0, and the solution of linear systems with it.
#include <numeric>
#include <vector>

#include "ops/linalg/matrices.h"

namespace ember::ops {

template <class T>
void factor_lu(int64_t m, int64_t n, T* a, int* pivots) {
  const int64_t count = std::min(m, n);
  if (!all_finite(a, m * n)) {
    fill_nan(a, m * n);
    std::iota(pivots, pivots + count, 0);
    return;
  }
  if (count == 0) return;
  const auto getrf = lapack<T>().getrf;
  call_lapack(
      m, n, 0, [=](T* x, int* by) { return getrf(kRowMajor, i32(m), i32(n), x, i32(n), by); }, Elements{a, m * n},
      Elements{pivots, count});
  for (int64_t i = 0; i < count; ++i) --pivots[i];
}

void permutation_of(const int* pivots, int64_t count, int64_t m, int64_t* rows) {
  std::iota(rows, rows + m, int64_t{0});
  for (int64_t i = 0; i < count; ++i) std::swap(rows[i], rows[pivots[i]]);
}

template <class T>
void solve_in_place(int64_t n, int64_t k, T* a, T* b) {
  std::vector<int> pivots(static_cast<size_t>(n));
  factor_lu<T>(n, n, a, pivots.data());
  for (int64_t i = 0; i < n; ++i) {
    T* const other = b + pivots[static_cast<size_t>(i)] * k;
    if (other != b + i * k) std::swap_ranges(b + i * k, b + (i + 1) * k, other);
  }
  solve_triangle<T>(false, true, n, k, a, n, b, k);
  solve_triangle<T>(true, false, n, k, a, n, b, k);
}

#define EMBER_INSTANTIATE(T)                                        \
  template void factor_lu(int64_t m, int64_t n, T* a, int* pivots); \
  template void solve_in_place(int64_t n, int64_t k, T* a, T* b);
EMBER_INSTANTIATE(float)
EMBER_INSTANTIATE(double)
EMBER_INSTANTIATE(std::complex<float>)
EMBER_INSTANTIATE(std::complex<double>)
#undef EMBER_INSTANTIATE

}  // namespace ember::ops
