#include "ops/fft/roots.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace ember::ops {

RootsOfUnity::RootsOfUnity(int64_t n) : n_(n) {
  while ((int64_t{1} << (2 * shift_)) < n) ++shift_;
  const long double unit = std::numbers::pi_v<long double> / (4 * static_cast<long double>(n));
  const auto turn = [&](int64_t units) {
    const long double angle = unit * static_cast<long double>(units);
    return std::complex<long double>(std::cos(angle), std::sin(angle));
  };
  for (int64_t i = 0; i <= n >> shift_; ++i) coarse_.push_back(turn(i << shift_));
  for (int64_t i = 0; i < int64_t{1} << shift_; ++i) fine_.push_back(turn(i));
}

std::complex<long double> RootsOfUnity::exact(int64_t k) const {
  int64_t units = 8 * k;
  const bool lower = units > 4 * n_;
  if (lower) units = 8 * n_ - units;
  const bool left = units > 2 * n_;
  if (left) units = 4 * n_ - units;
  const bool steep = units > n_;
  if (steep) units = 2 * n_ - units;
  const std::complex<long double> a = coarse_[static_cast<size_t>(units >> shift_)];
  const std::complex<long double> b = fine_[static_cast<size_t>(units & ((int64_t{1} << shift_) - 1))];
  long double c = a.real() * b.real() - a.imag() * b.imag(), s = a.real() * b.imag() + a.imag() * b.real();
  if (steep) std::swap(c, s);
  return {left ? -c : c, lower ? s : -s};
}

}  // namespace ember::ops
