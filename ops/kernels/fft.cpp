// Lines of an array become rows or columns: columns, panels of W at a time, where the transform goes by steps; of long
// or awkward lengths they are copied to rows, and short rows to columns. Real lines of even length are transformed as
// half as many complex numbers (simd/fft_real.inc), those of odd length as complex ones. A Line is one of these kinds.
#include "ops/kernels/fft.h"

#include <algorithm>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/fft/plan.h"
#include "ops/fft/row.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 12;          // numbers that are worth a thread
constexpr int64_t kShortRow = 32;            // numbers, for which a row has too few vectors
constexpr int64_t kFarBytes = 256 << 10;     // of real parts, of which no cache but the last has all
constexpr int64_t kTurnedNumbers = 1 << 20;  // of columns that are copied to rows

template <class T>
const T* parts(const std::complex<T>* p) {
  return reinterpret_cast<const T*>(p);
}
template <class T>
T* parts(std::complex<T>* p) {
  return reinterpret_cast<T*>(p);
}
template <class T>
const T* parts(const T* p) {
  return p;
}
template <class T>
T* parts(T* p) {
  return p;
}

template <class T>
struct ComplexLine {
  using In = std::complex<T>;
  using Out = std::complex<T>;
  int64_t n, in_length, out_length;
  T sign, scale;
  std::shared_ptr<const FftPlan<T>> plan;

  ComplexLine(int64_t length, bool inverse, T factor)
      : n(length), in_length(n), out_length(n), sign(T(inverse ? -1 : 1)), scale(factor), plan(fft_plan<T>(n)) {}
  const FftPlan<T>& complex_plan() const { return *plan; }
  bool by_columns() const { return n > 1; }
  int64_t group() const { return fft_group<T>(n); }
  void rows(const In* in, Out* out, int64_t count) const {
    if (by_columns() && plan->way == FftPlan<T>::Way::Steps) {
      return transform_rows<T>(*plan, parts(in), parts(out), count, sign, scale);
    }
    for (int64_t i = 0; i < count; ++i) transform_row<T>(*plan, parts(in + i * n), parts(out + i * n), sign, scale);
  }
  void lines(FftLines<const T> in, FftLines<T> out, T* work) const {
    kernels().of<T>().fft->lines(plan->first.view(), in, out, sign, scale, work);
  }
};

// Of real numbers to complex ones (kForward) or back.
template <class T, bool kForward>
struct RealLine {
  using In = std::conditional_t<kForward, T, std::complex<T>>;
  using Out = std::conditional_t<kForward, std::complex<T>, T>;
  int64_t n, in_length, out_length;
  T sign, scale;
  std::shared_ptr<const RealFftPlan<T>> pairs;  // of even n
  std::shared_ptr<const FftPlan<T>> whole;      // of odd n

  RealLine(int64_t length, bool inverse, T factor)
      : n(length),
        in_length(kForward ? n : n / 2 + 1),
        out_length(kForward ? n / 2 + 1 : n),
        sign(T(inverse ? -1 : 1)),
        scale(factor) {
    if (n % 2 == 0) {
      pairs = real_fft_plan<T>(n);
    } else {
      whole = fft_plan<T>(n);
    }
  }
  const FftPlan<T>& complex_plan() const { return pairs ? *pairs->half : *whole; }
  bool by_columns() const { return pairs != nullptr; }
  int64_t group() const { return 1; }
  void rows(const In* in, Out* out, int64_t count) const {
    for (int64_t i = 0; i < count; ++i) row(in + i * in_length, out + i * out_length);
  }
  void lines(FftLines<const T> in, FftLines<T> out, T* work) const {
    const FftKernels<T>& fft = *kernels().of<T>().fft;
    const auto kernel = kForward ? fft.real_lines : fft.half_lines;
    kernel(pairs->half->first.view(), pairs->roots.data(), in, out, kForward ? sign : -sign, scale, work);
  }

 private:
  void row(const In* in, Out* out) const {
    if (!pairs) {
      odd_row(in, out);
    } else if constexpr (kForward) {
      transform_row<T>(*pairs->half, in, parts(out), 1, scale / 2);
      over_blocks([&](int64_t begin, int64_t end) {
        kernels().of<T>().fft->untangle(parts(out), n / 2, pairs->roots.data(), sign, begin, end);
      });
    } else {
      const Scratch<T> z(n);
      over_blocks([&](int64_t begin, int64_t end) {
        kernels().of<T>().fft->tangle(parts(in), z, n / 2, pairs->roots.data(), -sign, begin, end);
      });
      transform_row<T>(*pairs->half, z, out, -1, scale);
    }
  }
  template <class F>
  void over_blocks(F f) const {
    const int64_t width = kernels().of<T>().fft->width, blocks = (n / 2 - 1) / (2 * width);
    blocks < 2 ? f(0, blocks) : parallel_for(blocks, std::max<int64_t>(1, kGrain / width), f);
  }
  void odd_row(const In* in, Out* out) const {
    const Scratch<std::complex<T>> line(n), result(n);
    std::complex<T>*const x = line, *const y = result;
    if constexpr (kForward) {
      for (int64_t i = 0; i < n; ++i) x[i] = {in[i], T(0)};
    } else {
      x[0] = {in[0].real(), T(0)};
      for (int64_t k = 1; k < in_length; ++k) {
        x[k] = in[k];
        x[n - k] = std::conj(in[k]);
      }
    }
    transform_row<T>(*whole, parts(x), parts(y), sign, scale);
    for (int64_t i = 0; i < out_length; ++i) {
      if constexpr (kForward) {
        out[i] = y[i];
      } else {
        out[i] = y[i].real();
      }
    }
  }
};

// to[c][r] = from[r][c]
template <class U>
void turn(int64_t rows, int64_t columns, const U* from, int64_t from_row, U* to, int64_t to_row) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) to[c * to_row + r] = from[r * from_row + c];
  }
}

template <class Number>
inline constexpr int64_t kParts = 1;
template <class T>
inline constexpr int64_t kParts<std::complex<T>> = 2;

template <class T, class Line>
Scratch<T> lines_work(const Line& line, int64_t group) {
  return Scratch<T>(2 * kernels().of<T>().fft->width * (line.complex_plan().n + 1) * std::max<int64_t>(4, group + 2));
}

// Lines are columns: [begin, end) of the groups of `most` that each of the outer items has.
template <class T, class Line>
void run_columns(const Line& line, const typename Line::In* in, typename Line::Out* out, int64_t inner, int64_t most,
                 int64_t begin, int64_t end) {
  constexpr int64_t kIn = kParts<typename Line::In>, kOut = kParts<typename Line::Out>;
  const int64_t groups = (inner + most - 1) / most;
  const Scratch<T> work = lines_work<T>(line, line.group());
  for (int64_t i = begin; i < end; ++i) {
    const int64_t item = i / groups, column = i % groups * most, count = std::min(most, inner - column);
    line.lines({parts(in + item * line.in_length * inner + column), kIn * inner, kIn, count},
               {parts(out + item * line.out_length * inner + column), kOut * inner, kOut, count}, work);
  }
}

// Short rows, [begin, end) of the groups of W.
template <class T, class Line>
void run_short_rows(const Line& line, const typename Line::In* in, typename Line::Out* out, int64_t rows, int64_t begin,
                    int64_t end) {
  constexpr int64_t kIn = kParts<typename Line::In>, kOut = kParts<typename Line::Out>;
  const int64_t width = kernels().of<T>().fft->width;
  const Scratch<T> work = lines_work<T>(line, 1);
  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = i * width, count = std::min(width, rows - first);
    line.lines({parts(in + first * line.in_length), kIn, kIn * line.in_length, count},
               {parts(out + first * line.out_length), kOut, kOut * line.out_length, count}, work);
  }
}

template <class T, class Line>
void run_rows(const Line& line, const typename Line::In* in, typename Line::Out* out, int64_t rows) {
  const int64_t width = kernels().of<T>().fft->width;
  const bool by_steps = line.complex_plan().way == FftPlan<T>::Way::Steps;
  if (line.n > 2 && line.n <= kShortRow && rows >= width && by_steps && line.by_columns()) {
    const int64_t groups = (rows + width - 1) / width, grain = std::max<int64_t>(1, kGrain / (line.n * width));
    return parallel_for_throwing(
        groups, grain, [&](int64_t begin, int64_t end) { run_short_rows<T>(line, in, out, rows, begin, end); });
  }
  const auto run = [&](int64_t begin, int64_t end) {
    line.rows(in + begin * line.in_length, out + begin * line.out_length, end - begin);
  };
  if (rows < threads() && !by_steps) return run(0, rows);
  parallel_for_throwing(rows, std::max<int64_t>(1, kGrain / line.n), run);
}

// Columns, as many at a time as a vector has, by way of rows.
template <class T, class Line>
void run_turned(const Line& line, const typename Line::In* in, typename Line::Out* out, int64_t outer, int64_t inner) {
  using In = typename Line::In;
  using Out = typename Line::Out;
  const int64_t width = std::clamp<int64_t>(kTurnedNumbers / line.n, 1, kernels().of<T>().fft->width);
  const int64_t groups = (inner + width - 1) / width;
  const auto run = [&](int64_t begin, int64_t end) {
    const Scratch<In> from(line.in_length * width);
    const Scratch<Out> to(line.out_length * width);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t item = i / groups, column = i % groups * width, count = std::min(width, inner - column);
      turn<In>(line.in_length, count, in + item * line.in_length * inner + column, inner, from, line.in_length);
      run_rows<T>(line, static_cast<const In*>(from), static_cast<Out*>(to), count);
      turn<Out>(count, line.out_length, to, line.out_length, out + item * line.out_length * inner + column, inner);
    }
  };
  if (outer * groups < threads()) return run(0, outer * groups);
  parallel_for_throwing(outer * groups, std::max<int64_t>(1, kGrain / (line.n * width)), run);
}

template <class T, class Line>
void run_lines(const Line& line, const typename Line::In* in, typename Line::Out* out, int64_t outer, int64_t inner) {
  if (outer * inner == 0) return;
  if (inner == 1) return run_rows<T>(line, in, out, outer);
  const int64_t width = kernels().of<T>().fft->width;
  if (line.complex_plan().way != FftPlan<T>::Way::Steps || !line.by_columns() || 2 * inner < width) {
    return run_turned<T>(line, in, out, outer, inner);
  }
  const bool far = outer * line.n * inner * static_cast<int64_t>(sizeof(T)) >= kFarBytes;
  const int64_t most = far ? line.group() * width : width, groups = (inner + most - 1) / most;
  parallel_for_throwing(outer * groups, std::max<int64_t>(1, kGrain / (line.n * most)),
                        [&](int64_t begin, int64_t end) { run_columns<T>(line, in, out, inner, most, begin, end); });
}

}  // namespace

template <class T>
void fft_complex(const std::complex<T>* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, bool inverse,
                 T scale) {
  run_lines<T>(ComplexLine<T>(n, inverse, scale), in, out, outer, inner);
}
template <class T>
void fft_real(const T* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, bool inverse, T scale) {
  run_lines<T>(RealLine<T, true>(n, inverse, scale), in, out, outer, inner);
}
template <class T>
void fft_half(const std::complex<T>* in, T* out, int64_t outer, int64_t n, int64_t inner, bool inverse, T scale) {
  run_lines<T>(RealLine<T, false>(n, inverse, scale), in, out, outer, inner);
}

#define EMBER_INSTANTIATE(T)                                                                                          \
  template void fft_complex(const std::complex<T>* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, \
                            bool inverse, T scale);                                                                   \
  template void fft_real(const T* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, bool inverse,    \
                         T scale);                                                                                    \
  template void fft_half(const std::complex<T>* in, T* out, int64_t outer, int64_t n, int64_t inner, bool inverse,    \
                         T scale);
EMBER_INSTANTIATE(float)
EMBER_INSTANTIATE(double)
#undef EMBER_INSTANTIATE

}  // namespace ember::ops
