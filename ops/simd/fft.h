// What the kernels of the Fourier transform are given (fft_steps.inc says how they work): the factors of a length with
// their roots of unity, and rows or columns of complex numbers. A panel is an array of vectors in pairs, W real parts
// and W imaginary parts, with W transforms side by side; lane i holds the one with the number order[i]. Numbers in
// memory are interleaved. `sign` multiplies imaginary parts: -1 at both ends of a transform inverts it. All kernels
// compute a number by the same operations wherever it lies.
#pragma once

#include <cstdint>

namespace ember::ops {

inline constexpr int kMaxFftRadix = 31;

// Joins `radix` transforms of length `before`, of which every `after`-th element makes one.
template <class T>
struct FftStep {
  int64_t radix, before, after;
  const T* twiddles;  // exp(-2 pi i j u / (before radix)) at [j][u - 1], j < before, 0 < u < radix
  const T* roots;     // exp(-2 pi i t / radix), t < radix
};

// The steps of length n. Rows take the last one, of radix `lanes` (1: none), across the lanes of a vector.
template <class T>
struct FftSteps {
  int64_t n, lanes, count;
  const FftStep<T>* step;
  const T* lane_twiddles;  // those of the last step, as panels [block of W numbers j][u - 1]
};

// A long transform: n = first * second, viewed as a matrix of first x second elements.
template <class T>
struct FftSplit {
  FftSteps<T> first, second;
  const T* turns;  // exp(-2 pi i k lane / n), as a panel of `first` pairs of vectors
};

// `count` lines in memory: distances of a line's numbers, and of the first numbers of lines, in elements of T.
template <class T>
struct FftLines {
  T* at;
  int64_t stride, apart, count;
};

inline constexpr int64_t kFftGroup = 8;  // panels that are read or written together, at most

// Columns are lines whose first numbers are adjacent. Kernels that say so take groups of several panels of them, which
// makes better use of memory that is no longer in a cache.
template <class T>
struct FftKernels {
  int64_t width;     // W
  const int* order;  // of the W lanes
  // One contiguous row. `work`: two panels of n / lanes. The rows to come next are that many bytes ahead, or none is.
  void (*row)(const FftSteps<T>& steps, const T* in, T* out, T sign, T scale, T* work, uintptr_t in_ahead,
              uintptr_t out_ahead);
  // A group of columns, or at most W contiguous rows. `work`: panels of n, two more than in the group, or three.
  void (*lines)(const FftSteps<T>& steps, FftLines<const T> in, FftLines<T> out, T sign, T scale, T* work);
  // A group of the columns of a long transform, the first being number `column`. Writes panels of `second` pairs of
  // vectors, for W rows each. start: exp(-2 pi i k c / n), k < first, for each panel's first column c. `work` as above.
  void (*split_columns)(const FftSplit<T>& split, FftLines<const T> in, int64_t column, const T* start, T sign,
                        T* panels, T* work);
  // A group of these panels, which it overwrites, to columns of the result. `work`: one panel.
  void (*split_rows)(const FftSplit<T>& split, T* panels, FftLines<T> out, T sign, T scale, T* work);
  // At most W real lines, columns or contiguous rows, as half as many complex numbers: steps of n / 2, roots exp(-2 pi
  // i k / n) for k <= n / 4. `work`: four panels of n / 2 + 1.
  void (*real_lines)(const FftSteps<T>& steps, const T* roots, FftLines<const T> in, FftLines<T> out, T sign, T scale,
                     T* work);
  void (*half_lines)(const FftSteps<T>& steps, const T* roots, FftLines<const T> in, FftLines<T> out, T sign, T scale,
                     T* work);
  // z, the transform of `half` pairs of real numbers, becomes that of 2 * half real numbers, half + 1 numbers, doubled.
  // Blocks [begin, end) of `blocks` = (half - 1) / (2 W); with the last one, or if there is none, also the others.
  void (*untangle)(T* z, int64_t half, const T* roots, T sign, int64_t begin, int64_t end);
  // The other way, from x to z.
  void (*tangle)(const T* x, T* z, int64_t half, const T* roots, T sign, int64_t begin, int64_t end);
  // out = a b, imaginary parts of a and out multiplied by a sign.
  void (*multiply)(const T* a, T a_sign, const T* b, T* out, T sign, T scale, int64_t count);
};

}  // namespace ember::ops
