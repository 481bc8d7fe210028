// What the transform of a length needs, made once and kept: its factors, roots of unity, and the way it goes, which the
// length, the type and the instruction set alone decide. Lengths whose primes are small are transformed by steps
// (simd/fft_steps.inc), long ones as matrices of two factors. The others become a convolution with a chirp of any
// length that is large enough (Bluestein 1970): j k = (j^2 + k^2 - (k - j)^2) / 2.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/simd/fft.h"

namespace ember::ops {

// The steps of a length whose primes are at most kMaxFftRadix, and their tables.
template <class T>
class FftStepTables {
 public:
  FftStepTables() = default;
  FftStepTables(int64_t n, const FftKernels<T>& kernels);
  FftStepTables(FftStepTables&&) = default;
  FftStepTables& operator=(FftStepTables&&) = default;
  FftSteps<T> view() const;
  int64_t bytes() const;

 private:
  void add_step(int64_t radix, int64_t before);
  void add_lane_twiddles(const FftKernels<T>& kernels);

  int64_t n_ = 1, lanes_ = 1;
  std::vector<FftStep<T>> steps_;
  std::vector<std::vector<T>> tables_;  // of the steps
  std::vector<T> lane_twiddles_;
};

template <class T>
struct FftPlan {
  enum class Way { Steps, Split, Chirp };

  FftPlan(int64_t n, const FftKernels<T>& kernels);
  int64_t bytes() const;

  int64_t n;
  Way way;
  FftStepTables<T> first, second;  // Steps: first alone
  // Split: exp(-2 pi i k lane / n) as a panel, and exp(-2 pi i k / n) as the product of two numbers from these.
  std::vector<T> turns;
  std::vector<double> coarse, fine;
  // Chirp: exp(-pi i j^2 / n), and the transform of its conjugate, divided by its length.
  std::vector<T> chirp, spectrum;
  std::shared_ptr<const FftPlan> convolution;

 private:
  void make_split(int64_t first_length, const FftKernels<T>& kernels);
  void make_chirp(const FftKernels<T>& kernels);
};

// Of n real numbers, n even: the plan of n / 2 complex ones, and exp(-2 pi i k / n) for k <= n / 4.
template <class T>
struct RealFftPlan {
  RealFftPlan(int64_t n, const FftKernels<T>& kernels);
  int64_t bytes() const;

  std::shared_ptr<const FftPlan<T>> half;
  std::vector<T> roots;
};

// For the current instruction set. The plans used last are kept, as far as they take no more than some 64 MiB.
template <class T>
std::shared_ptr<const FftPlan<T>> fft_plan(int64_t n);
template <class T>
std::shared_ptr<const RealFftPlan<T>> real_fft_plan(int64_t n);

inline constexpr int64_t kFftFineTurns = 1 << 10;  // entries of FftPlan::fine

}  // namespace ember::ops
