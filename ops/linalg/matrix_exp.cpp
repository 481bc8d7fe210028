#include "ops/linalg/matrix_exp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/linalg/matrices.h"

namespace ember::ops {
namespace {

// The coefficients of a numerator, and the largest 1-norms for which it is as good as each precision (Higham 2005,
// table 2.3, and the same for float32).
struct Approximant {
  std::array<double, 14> c;
  double largest_single, largest_double;
};

constexpr std::array<Approximant, 4> kApproximants = {
    {{{120, 60, 12, 1}, 4.258730016922831e-1, 1.495585217958292e-2},
     {{30240, 15120, 3360, 420, 30, 1}, 1.880152677804762, 2.539398330063230e-1},
     {{17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}, 3.925724783138660, 9.504178996162932e-1},
     {{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
       670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1},
      5.371920351148152,
      5.371920351148152}}};

template <class T>
struct Square {
  int64_t n;
  Scratch<T> data;
  explicit Square(int64_t n) : n(n), data(n * n) {}
  operator T*() const { return data; }  // NOLINT: it is that array
};

template <class T>
double one_norm(int64_t n, const T* a) {
  std::vector<double> sums(static_cast<size_t>(n));
  for (int64_t i = 0; i < n * n; ++i) sums[static_cast<size_t>(i % n)] += std::abs(a[i]);
  return n == 0 ? 0 : *std::max_element(sums.begin(), sums.end());
}

template <class T>
void product(int64_t n, const T* a, const T* b, T* c) {
  multiply_matrices<T>(n, n, n, a, n, 1, b, n, c, n);
}

// Powers of a matrix, and what is made of them.
template <class T>
class Powers {
 public:
  Powers(int64_t n, const T* x, const std::array<double, 14>& c) : n_(n), c_(c), a2_(n), a4_(n), a6_(n) {
    product<T>(n, x, x, a2_);
    if (c[4] != 0) product<T>(n, a2_, a2_, a4_);
    if (c[6] != 0) product<T>(n, a4_, a2_, a6_);
  }

  // The sum of c[i] A^i for even i, or that of c[i] A^(i - 1) for odd ones.
  void sum(bool odd, T* out, T* work) const {
    if (c_[8] == 0) return part(odd, true, out);
    part(odd ? 7 : 6, false, work);
    product<T>(n_, a6_, work, out);
    part(odd, true, work);
    for (int64_t i = 0; i < n_ * n_; ++i) out[i] = work[i] + out[i];
  }

 private:
  // c0 I + c2 A^2 + c4 A^4 + c6 A^6, of coefficients from `first` on.
  void part(size_t first, bool with_one, T* out) const {
    const auto c = [&](size_t i) { return static_cast<Real<T>>(first + i < c_.size() ? c_[first + i] : 0); };
    for (int64_t i = 0; i < n_ * n_; ++i) {
      out[i] = c(2) * a2_[i];
      if (c_[4] != 0) out[i] += c(4) * a4_[i];
      if (c_[6] != 0) out[i] += c(6) * a6_[i];
    }
    for (int64_t i = 0; with_one && i < n_; ++i) out[i * n_ + i] += c(0);
  }

  const int64_t n_;
  const std::array<double, 14>& c_;
  const Square<T> a2_, a4_, a6_;
};

}  // namespace

template <class T>
void matrix_exp(int64_t n, const T* a, T* out) {
  if (!all_finite(a, n * n)) return fill_nan(out, n * n);
  const double norm = one_norm(n, a);
  const auto largest = [](const Approximant& one) {
    return sizeof(Real<T>) == 4 ? one.largest_single : one.largest_double;
  };
  const auto approximant = std::find_if(kApproximants.begin(), kApproximants.end() - 1,
                                        [&](const Approximant& one) { return norm <= largest(one); });
  const int squarings =
      norm > largest(*approximant) ? static_cast<int>(std::ceil(std::log2(norm / largest(*approximant)))) : 0;
  const Square<T> x(n), u(n), v(n), work(n);
  const auto scale = static_cast<Real<T>>(std::ldexp(1.0, -squarings));
  for (int64_t i = 0; i < n * n; ++i) x[i] = a[i] * scale;
  const Powers<T> powers(n, x, approximant->c);
  powers.sum(true, v, work);
  product<T>(n, x, v, u);
  powers.sum(false, v, work);
  for (int64_t i = 0; i < n * n; ++i) {
    out[i] = v[i] + u[i];
    v[i] -= u[i];
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
