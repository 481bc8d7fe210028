// The discrete Fourier transform of contiguous arrays (outer, n, inner) along the middle axis, n >= 1:
//   out[k] = scale * sum over j of in[j] exp(-2 pi i j k / n), or exp(2 pi i j k / n) if it is inverse.
// Real input has the n / 2 + 1 first numbers as its result, and half input, those numbers of a Hermitian array, a real
// result; the imaginary parts of its first number, and of the last one for even n, count as zeros. T is float or
// double. in and out don't overlap. The error grows as the machine's epsilon times log n. Results don't depend on the
// number of threads, but they do on the instruction set; inputs that are not finite may spread over all of a line's
// results.
#pragma once

#include <complex>
#include <cstdint>

namespace ember::ops {

template <class T>
void fft_complex(const std::complex<T>* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, bool inverse,
                 T scale);
template <class T>
void fft_real(const T* in, std::complex<T>* out, int64_t outer, int64_t n, int64_t inner, bool inverse, T scale);
template <class T>
void fft_half(const std::complex<T>* in, T* out, int64_t outer, int64_t n, int64_t inner, bool inverse, T scale);

}  // namespace ember::ops
