#include "ops/fft/row.h"

#include <algorithm>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 13;  // numbers that are worth a thread

template <class T>
void transform_steps(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale) {
  const FftKernels<T>& fft = *kernels().of<T>().fft;
  const FftSteps<T> steps = plan.first.view();
  const Scratch<T> work(4 * fft.width * (plan.n / steps.lanes));
  fft.row(steps, in, out, sign, scale, work);
}

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
  const auto blocks = [&](int64_t n) { return (n + width - 1) / width; };
  const Scratch<T> panels(2 * width * blocks(rows) * columns);
  parallel_for_throwing(blocks(columns), std::max<int64_t>(1, kGrain / (rows * width)), [&](int64_t b, int64_t e) {
    const Scratch<T> work(4 * width * rows), start(2 * rows);
    for (; b < e; ++b) {
      const int64_t column = b * width;
      fill_start<T>(plan, column, rows, start);
      const FftRows<const T> from{in + 2 * column, 2 * columns, std::min(width, columns - column)};
      fft.split_columns(split, from, column, start, sign, panels, work);
    }
  });
  parallel_for_throwing(blocks(rows), std::max<int64_t>(1, kGrain / (columns * width)), [&](int64_t b, int64_t e) {
    const Scratch<T> work(2 * width * columns);
    for (; b < e; ++b) {
      const int64_t row = b * width;
      const FftRows<T> to{out + 2 * row, 2 * rows, std::min(width, rows - row)};
      fft.split_rows(split, panels + 2 * row * columns, to, sign, scale, work);
    }
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
void transform_row(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale) {
  if (plan.n == 1) {
    out[0] = in[0] * scale;
    out[1] = in[1] * scale;
    return;
  }
  switch (plan.way) {
    case FftPlan<T>::Way::Steps:
      return transform_steps(plan, in, out, sign, scale);
    case FftPlan<T>::Way::Split:
      return transform_split(plan, in, out, sign, scale);
    case FftPlan<T>::Way::Chirp:
      return transform_chirp(plan, in, out, sign, scale);
  }
}

template void transform_row(const FftPlan<float>& plan, const float* in, float* out, float sign, float scale);
template void transform_row(const FftPlan<double>& plan, const double* in, double* out, double sign, double scale);

}  // namespace ember::ops
