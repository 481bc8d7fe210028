// Roots of unity, exp(-2 pi i k / n), to far less than a rounding error of a double: the angle is reduced to an eighth
// of a turn in integers, and what is left is the product of two numbers from tables of about sqrt(n) entries.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace ember::ops {

class RootsOfUnity {
 public:
  explicit RootsOfUnity(int64_t n);
  template <class T>
  std::complex<T> at(int64_t k) const {  // 0 <= k < n
    const std::complex<long double> root = exact(k);
    return {static_cast<T>(root.real()), static_cast<T>(root.imag())};
  }

 private:
  std::complex<long double> exact(int64_t k) const;

  int64_t n_;
  int shift_ = 0;
  std::vector<std::complex<long double>> coarse_, fine_;  // of angles in units of pi / (4 n)
};

}  // namespace ember::ops
