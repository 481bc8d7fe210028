#include "ops/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>

#include "gc/fork.h"
#include "ops/fft/roots.h"
#include "ops/fft/row.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kSplitBytes = 512 << 10;  // of numbers, from which on a row leaves the second-level cache
constexpr int64_t kCacheBytes = 64 << 20;
constexpr int64_t kSmoothMultiple = 16;  // of the lengths of convolutions, for the sake of lanes
constexpr int64_t kLaneRadices[] = {16, 8, 7, 5, 4, 3, 2};

int64_t largest_prime(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return std::max(largest, n);
}

// A radix that divides n, for which the numbers lie in the lanes of a vector.
int64_t lane_radix(int64_t n, int64_t width) {
  const int64_t most = n < width * width ? std::min<int64_t>(width, 8) : width;
  for (int64_t radix : kLaneRadices) {
    if (radix <= most && n % radix == 0) return radix;
  }
  return 1;
}

std::vector<int64_t> radices_of(int64_t n) {
  std::vector<int64_t> radices;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  if (twos == 1) radices.push_back(2);
  if (twos >= 2) {
    const int fours = (3 - twos % 3) % 3, eights = (twos - 2 * fours) / 3;
    radices.insert(radices.end(), static_cast<size_t>(eights), 8);
    radices.insert(radices.end(), static_cast<size_t>(fours), 4);
  }
  for (int64_t p = 3; n > 1; p += 2) {
    for (; n % p == 0; n /= p) radices.push_back(p);
  }
  return radices;
}

// The smaller factor of a long length: near its root, with little of a vector's lanes idle.
int64_t split_of(int64_t n, int64_t width) {
  const auto padded = [&](int64_t x) {
    return static_cast<double>((x + width - 1) / width * width) / static_cast<double>(x);
  };
  int64_t best = 1;
  double least = 1e300;
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d != 0) continue;
    const double skew = std::log2(static_cast<double>(n / d) / static_cast<double>(d));
    const double cost = padded(d) * padded(n / d) * (1 + 0.1 * skew);
    if (cost < least) {
      least = cost;
      best = d;
    }
  }
  return best;
}

// 1 if the length is short enough for steps.
template <class T>
int64_t smaller_factor(int64_t n, const FftKernels<T>& kernels) {
  return n * static_cast<int64_t>(2 * sizeof(T)) < kSplitBytes ? 1 : split_of(n, kernels.width);
}

// The convolution's length is a multiple of a power of two and at most 15.
int64_t convolution_length(int64_t least) {
  int64_t best = INT64_MAX;
  for (int64_t odd : {1, 3, 5, 9, 15}) {
    int64_t length = odd * kSmoothMultiple;
    while (length < least) length *= 2;
    best = std::min(best, length);
  }
  return best;
}

template <class T>
int64_t bytes_of(const std::vector<T>& v) {
  return static_cast<int64_t>(v.size() * sizeof(T));
}

template <class T>
void push(std::vector<T>& to, std::complex<T> x) {
  to.push_back(x.real());
  to.push_back(x.imag());
}

// Sets the lanes of panel pair `at` to f(number).
template <class T, class F>
void fill_pair(std::vector<T>& panel, int64_t at, const FftKernels<T>& kernels, F f) {
  T* pair = panel.data() + 2 * kernels.width * at;
  for (int64_t lane = 0; lane < kernels.width; ++lane) {
    const std::complex<T> x = f(kernels.order[lane]);
    pair[lane] = x.real();
    pair[lane + kernels.width] = x.imag();
  }
}

// The plans of one kind, the last used first.
template <class Plan>
class PlanCache {
 public:
  template <class Make>
  std::shared_ptr<const Plan> get(int64_t n, Make make) {
    const Isa set = isa();
    {
      const std::lock_guard lock(mutex_);
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
        if (entry->n != n || entry->set != set) continue;
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->plan;
      }
    }
    std::shared_ptr<const Plan> plan = make();
    const std::lock_guard lock(mutex_);
    entries_.push_front({n, set, plan});
    bytes_ += plan->bytes();
    while (entries_.size() > 1 && (bytes_ > kCacheBytes || entries_.size() > kMostPlans)) {
      bytes_ -= entries_.back().plan->bytes();
      entries_.pop_back();
    }
    return plan;
  }

 private:
  static constexpr size_t kMostPlans = 64;
  struct Entry {
    int64_t n;
    Isa set;
    std::shared_ptr<const Plan> plan;
  };
  gc::ForkMutex<std::mutex> mutex_{gc::ForkRank::Transforms};
  std::list<Entry> entries_;
  int64_t bytes_ = 0;
};

}  // namespace

template <class T>
FftStepTables<T>::FftStepTables(int64_t n, const FftKernels<T>& kernels) : n_(n), lanes_(lane_radix(n, kernels.width)) {
  std::vector<int64_t> radices = radices_of(n / lanes_);
  if (lanes_ > 1) radices.push_back(lanes_);
  int64_t before = 1;
  for (int64_t radix : radices) {
    add_step(radix, before);
    before *= radix;
  }
  if (lanes_ > 1) add_lane_twiddles(kernels);
}

template <class T>
void FftStepTables<T>::add_step(int64_t radix, int64_t before) {
  const RootsOfUnity of_radix(radix), of_both(before * radix);
  std::vector<T> roots, twiddles;
  for (int64_t t = 0; t < radix; ++t) push(roots, of_radix.at<T>(t));
  for (int64_t j = 0; j < before; ++j) {
    for (int64_t u = 1; u < radix; ++u) push(twiddles, of_both.at<T>(j * u));
  }
  steps_.push_back({radix, before, n_ / (before * radix), twiddles.data(), roots.data()});
  tables_.push_back(std::move(twiddles));
  tables_.push_back(std::move(roots));
}

template <class T>
void FftStepTables<T>::add_lane_twiddles(const FftKernels<T>& kernels) {
  const int64_t rows = n_ / lanes_, blocks = (rows + kernels.width - 1) / kernels.width;
  const RootsOfUnity roots(n_);
  lane_twiddles_.resize(static_cast<size_t>(2 * kernels.width * blocks * (lanes_ - 1)));
  int64_t at = 0;
  for (int64_t block = 0; block < blocks; ++block) {
    for (int64_t u = 1; u < lanes_; ++u) {
      fill_pair(lane_twiddles_, at++, kernels,
                [&](int64_t number) { return roots.at<T>(std::min(block * kernels.width + number, rows - 1) * u); });
    }
  }
}

template <class T>
FftSteps<T> FftStepTables<T>::view() const {
  return {n_, lanes_, static_cast<int64_t>(steps_.size()), steps_.data(), lane_twiddles_.data()};
}

template <class T>
int64_t FftStepTables<T>::bytes() const {
  int64_t bytes = bytes_of(lane_twiddles_);
  for (const std::vector<T>& table : tables_) bytes += bytes_of(table);
  return bytes;
}

template <class T>
FftPlan<T>::FftPlan(int64_t length, const FftKernels<T>& kernels) : n(length), way(Way::Steps) {
  if (largest_prime(n) > kMaxFftRadix) {
    make_chirp(kernels);
  } else if (const int64_t smaller = smaller_factor(n, kernels); smaller > 1) {
    make_split(smaller, kernels);
  } else {
    first = FftStepTables<T>(n, kernels);
  }
}

template <class T>
void FftPlan<T>::make_split(int64_t first_length, const FftKernels<T>& kernels) {
  way = Way::Split;
  first = FftStepTables<T>(first_length, kernels);
  second = FftStepTables<T>(n / first_length, kernels);
  const RootsOfUnity roots(n);
  turns.resize(static_cast<size_t>(2 * kernels.width * first_length));
  for (int64_t k = 0; k < first_length; ++k) {
    fill_pair(turns, k, kernels, [&](int64_t number) { return roots.at<T>(k * number % n); });
  }
  for (int64_t k = 0; k < n; k += kFftFineTurns) push(coarse, roots.at<double>(k));
  for (int64_t k = 0; k < std::min(n, kFftFineTurns); ++k) push(fine, roots.at<double>(k));
}

template <class T>
void FftPlan<T>::make_chirp(const FftKernels<T>& kernels) {
  way = Way::Chirp;
  const int64_t length = convolution_length(2 * n - 1);
  convolution = std::make_shared<const FftPlan>(length, kernels);
  const RootsOfUnity roots(2 * n);
  std::vector<T> wave(static_cast<size_t>(2 * length));
  int64_t square = 0;  // j^2 mod 2 n
  for (int64_t j = 0; j < n; ++j) {
    const std::complex<T> root = roots.at<T>(square);
    push(chirp, root);
    for (int64_t at : {j, j == 0 ? 0 : length - j}) {
      wave[static_cast<size_t>(2 * at)] = root.real();
      wave[static_cast<size_t>(2 * at + 1)] = -root.imag();
    }
    square = (square + 2 * j + 1) % (2 * n);
  }
  spectrum.resize(wave.size());
  transform_row<T>(*convolution, wave.data(), spectrum.data(), 1, 1 / static_cast<T>(length));
}

template <class T>
int64_t FftPlan<T>::bytes() const {
  return first.bytes() + second.bytes() + bytes_of(turns) + bytes_of(coarse) + bytes_of(fine) + bytes_of(chirp) +
         bytes_of(spectrum) + (convolution ? convolution->bytes() : 0);
}

template <class T>
RealFftPlan<T>::RealFftPlan(int64_t n, const FftKernels<T>&) : half(fft_plan<T>(n / 2)) {
  const RootsOfUnity all(n);
  for (int64_t k = 0; k <= n / 4; ++k) push(roots, all.at<T>(k));
}

template <class T>
int64_t RealFftPlan<T>::bytes() const {
  return half->bytes() + bytes_of(roots);
}

template <class T>
std::shared_ptr<const FftPlan<T>> fft_plan(int64_t n) {
  static auto& cache = *new PlanCache<FftPlan<T>>;
  return cache.get(n, [&] { return std::make_shared<const FftPlan<T>>(n, *kernels().of<T>().fft); });
}

template <class T>
std::shared_ptr<const RealFftPlan<T>> real_fft_plan(int64_t n) {
  static auto& cache = *new PlanCache<RealFftPlan<T>>;
  return cache.get(n, [&] { return std::make_shared<const RealFftPlan<T>>(n, *kernels().of<T>().fft); });
}

#define EMBER_INSTANTIATE(T)                                         \
  template class FftStepTables<T>;                                   \
  template struct FftPlan<T>;                                        \
  template struct RealFftPlan<T>;                                    \
  template std::shared_ptr<const FftPlan<T>> fft_plan<T>(int64_t n); \
  template std::shared_ptr<const RealFftPlan<T>> real_fft_plan<T>(int64_t n);
EMBER_INSTANTIATE(float)
EMBER_INSTANTIATE(double)
#undef EMBER_INSTANTIATE

}  // namespace ember::ops
