#include "ops/fft/row.h"

#include <algorithm>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 13;         // numbers that are worth a thread
constexpr int64_t kGroupBytes = 256 << 10;  // of panels, half of a second-level cache

// exp(-2 pi i k column / n) for all k < count.
template <class T>
void fill_start(const FftPlan<T>& plan, int64_t column, int64_t count, T* start) {
  int64_t turn = 0;
  for (int64_t k = 0; k < count; ++k) {
    const double* a = plan.coarse.data() + 2 * (turn / kFftFineTurns);
    const double* b = plan.fine.data() + 2 * (turn % kFftFineTurns);
    start[2 * k] = static_cast<T>(a[0] * b[0] - a[1] * b[1]);
    start[2 * k + 1] = static_cast<T>(a[0] * b[1] + a[1] * b[0]);
    turn += column;
    if (turn >= plan.n) turn -= plan.n;
  }
}

template <class T>
void transform_split(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale) {
  const FftKernels<T>& fft = *kernels().of<T>().fft;
  const FftSplit<T> split{plan.first.view(), plan.second.view(), plan.turns.data()};
  const int64_t rows = split.first.n, columns = split.second.n, width = fft.width;
  const Scratch<T> panels(2 * width * ((rows + width - 1) / width) * columns);
  const auto over_groups = [&](int64_t lines, int64_t length, auto run) {
    const int64_t group = fft_group<T>(length), most = group * width, groups = (lines + most - 1) / most;
    parallel_for_throwing(groups, std::max<int64_t>(1, kGrain / (length * most)), [&](int64_t begin, int64_t end) {
      const Scratch<T> work(2 * width * length * (group + 2)), start(2 * length * group);
      for (int64_t i = begin; i < end; ++i) run(i * most, std::min(most, lines - i * most), work, start);
    });
  };
  over_groups(columns, rows, [&](int64_t column, int64_t count, T* work, T* start) {
    for (int64_t c = 0; c < count; c += width) fill_start<T>(plan, column + c, rows, start + 2 * rows * (c / width));
    fft.split_columns(split, {in + 2 * column, 2 * columns, 2, count}, column, start, sign, panels, work);
  });
  over_groups(rows, columns, [&](int64_t row, int64_t count, T* work, T*) {
    fft.split_rows(split, panels + 2 * row * columns, {out + 2 * row, 2 * rows, 2, count}, sign, scale, work);
  });
}

template <class T>
void multiply(const T* a, T a_sign, const T* b, T* out, T sign, T scale, int64_t count) {
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    kernels().of<T>().fft->multiply(a + 2 * begin, a_sign, b + 2 * begin, out + 2 * begin, sign, scale, end - begin);
  });
}

template <class T>
void transform_chirp(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale) {
  const int64_t n = plan.n, length = plan.convolution->n;
  const Scratch<T> wave(2 * length), spectrum(2 * length);
  multiply<T>(in, sign, plan.chirp.data(), wave, 1, 1, n);
  std::fill(wave + 2 * n, wave + 2 * length, T(0));
  transform_row<T>(*plan.convolution, wave, spectrum, 1, 1);
  multiply<T>(spectrum, 1, plan.spectrum.data(), spectrum, 1, 1, length);
  transform_row<T>(*plan.convolution, spectrum, wave, -1, 1);
  multiply<T>(wave, 1, plan.chirp.data(), out, sign, scale, n);
}

}  // namespace

template <class T>
int64_t fft_group(int64_t n) {
  const int64_t panel = 2 * kernels().of<T>().fft->width * n * static_cast<int64_t>(sizeof(T));
  return std::clamp<int64_t>(kGroupBytes / panel, 1, kFftGroup);
}

template <class T>
void transform_rows(const FftPlan<T>& plan, const T* in, T* out, int64_t rows, T sign, T scale) {
  const FftKernels<T>& fft = *kernels().of<T>().fft;
  const FftSteps<T> steps = plan.first.view();
  const Scratch<T> work(4 * fft.width * (plan.n / steps.lanes));
  const uintptr_t ahead = rows > 1 ? static_cast<uintptr_t>(2 * plan.n) * sizeof(T) : 0;
  for (int64_t row = 0; row < rows; ++row, in += 2 * plan.n, out += 2 * plan.n) {
    fft.row(steps, in, out, sign, scale, work, ahead, ahead);
  }
}

template <class T>
void transform_row(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale) {
  if (plan.n == 1) {
    out[0] = in[0] * scale;
    out[1] = in[1] * scale;
    return;
  }
  switch (plan.way) {
    case FftPlan<T>::Way::Steps:
      return transform_rows(plan, in, out, 1, sign, scale);
    case FftPlan<T>::Way::Split:
      return transform_split(plan, in, out, sign, scale);
    case FftPlan<T>::Way::Chirp:
      return transform_chirp(plan, in, out, sign, scale);
  }
}

#define EMBER_INSTANTIATE(T)                                                                 \
  template int64_t fft_group<T>(int64_t n);                                                  \
  template void transform_row(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale); \
  template void transform_rows(const FftPlan<T>& plan, const T* in, T* out, int64_t rows, T sign, T scale);
EMBER_INSTANTIATE(float)
EMBER_INSTANTIATE(double)
#undef EMBER_INSTANTIATE

}  // namespace ember::ops
