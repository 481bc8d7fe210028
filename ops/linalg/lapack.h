// The drivers of LAPACK that ops call, by its C interface on row-major matrices. Python says which library has them
// (the OpenBLAS of the package scipy-openblas32); it is loaded when one is first called, with its symbols its own, and
// computes on the thread that calls it. Each returns 0, or what went wrong: below 0 an argument, above 0 as LAPACK
// says.
#pragma once

#include <complex>

#include "ops/base/error.h"
#include "ops/tensor/convert.h"

namespace ember::ops {

// LAPACK is called, and nothing has said where it is.
struct LapackMissing : OpError {
  LapackMissing();
};

void set_lapack(const std::string& path);  // throws OpError if it is no LAPACK
bool has_lapack();

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;  // of a number's parts

inline constexpr int kRowMajor = 101;

template <class T>
struct Lapack {
  int (*getrf)(int layout, int m, int n, T* a, int lda, int* pivots);
  int (*geqrf)(int layout, int m, int n, T* a, int lda, T* tau);
  int (*orgqr)(int layout, int m, int n, int k, T* a, int lda, const T* tau);
  int (*gesdd)(int layout, char job, int m, int n, T* a, int lda, Real<T>* s, T* u, int ldu, T* vh, int ldvh);
  int (*syevd)(int layout, char job, char triangle, int n, T* a, int lda, Real<T>* w);
  // Of real matrices the eigenvalues' parts, and eigenvectors in pairs, else the eigenvalues alone.
  std::conditional_t<
      is_complex_type<T>,
      int (*)(int layout, char left, char right, int n, T* a, int lda, T* w, T* vl, int ldvl, T* vr, int ldvr),
      int (*)(int layout, char left, char right, int n, T* a, int lda, T* re, T* im, T* vl, int ldvl, T* vr, int ldvr)>
      geev;
};
template <class T>
const Lapack<T>& lapack();  // throws LapackMissing

}  // namespace ember::ops
