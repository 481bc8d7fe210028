#include "ops/linalg/matrix_exp.h"

#include <array>
#include <cmath>

#include "ops/linalg/matrices.h"

namespace ember::ops {
namespace {

// The coefficients of the numerator of degree 13, and the largest 1-norms for which it needs no scaling (Higham 2005,
// table 2.3; for float32 of the approximant that is as good in double).
constexpr std::array<double, 14> kPade = {64764752532480000,
                                          32382376266240000,
                                          7771770303897600,
                                          1187353796428800,
                                          129060195264000,
                                          10559470521600,
                                          670442572800,
                                          33522128640,
                                          1323241920,
                                          40840800,
                                          960960,
                                          16380,
                                          182,
                                          1};
constexpr double kLargest = 5.371920351148152;

template <class T>
struct Square {
  int64_t n;
  Scratch<T> data;
  explicit Square(int64_t n) : n(n), data(n * n) {}
  operator T*() const { return data; }  // NOLINT: it is that array
};

template <class T>
double one_norm(int64_t n, const T* a) {
  double largest = 0;
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::abs(a[i * n + j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

template <class T>
void product(int64_t n, const T* a, const T* b, T* c) {
  multiply_matrices<T>(n, n, n, a, n, 1, b, n, c, n);
}

// c0 I + c2 A2 + c4 A4 + c6 A6, of coefficients from `first` on.
template <class T>
void even_sum(int64_t n, size_t first, bool with_one, const T* a2, const T* a4, const T* a6, T* out) {
  const auto c = [&](size_t i) { return static_cast<Real<T>>(kPade[first + i]); };
  for (int64_t i = 0; i < n * n; ++i) out[i] = c(2) * a2[i] + c(4) * a4[i] + c(6) * a6[i];
  for (int64_t i = 0; with_one && i < n; ++i) out[i * n + i] += c(0);
}

}  // namespace

template <class T>
void matrix_exp(int64_t n, const T* a, T* out) {
  if (!all_finite(a, n * n)) return fill_nan(out, n * n);
  const double norm = one_norm(n, a);
  const int squarings = norm > kLargest ? static_cast<int>(std::ceil(std::log2(norm / kLargest))) : 0;
  const Square<T> x(n), a2(n), a4(n), a6(n), u(n), v(n), work(n);
  const auto scale = static_cast<Real<T>>(std::ldexp(1.0, -squarings));
  for (int64_t i = 0; i < n * n; ++i) x[i] = a[i] * scale;
  product<T>(n, x, x, a2);
  product<T>(n, a2, a2, a4);
  product<T>(n, a4, a2, a6);
  // u = x (a6 (c13 a6 + c11 a4 + c9 a2) + c7 a6 + c5 a4 + c3 a2 + c1), v the same with the even ones and no x.
  for (const bool odd : {true, false}) {
    T* const high = odd ? u : v;
    even_sum<T>(n, odd ? 7 : 6, false, a2, a4, a6, high);
    product<T>(n, a6, high, work);
    even_sum<T>(n, odd ? 1 : 0, true, a2, a4, a6, high);
    for (int64_t i = 0; i < n * n; ++i) high[i] += work[i];
  }
  product<T>(n, x, u, work);
  for (int64_t i = 0; i < n * n; ++i) {
    out[i] = v[i] + work[i];
    v[i] -= work[i];
  }
  solve_in_place<T>(n, n, v, out);
  for (int i = 0; i < squarings; ++i) {
    product<T>(n, out, out, work);
    std::copy_n(static_cast<const T*>(work), n * n, out);
  }
}

template void matrix_exp(int64_t n, const float* a, float* out);
template void matrix_exp(int64_t n, const double* a, double* out);
template void matrix_exp(int64_t n, const std::complex<float>* a, std::complex<float>* out);
template void matrix_exp(int64_t n, const std::complex<double>* a, std::complex<double>* out);

}  // namespace ember::ops
