// The drivers of LAPACK that ops call, by its C interface on row-major matrices. Python says which library has them
// (the OpenBLAS of the package scipy-openblas32); it is loaded when one is first called, with its symbols its own, and
// computes on the thread that calls it. Each returns 0, or what went wrong: below 0 an argument, above 0 as LAPACK
// says.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>

#include "ops/base/apart.h"
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
inline constexpr double kLapackAtOnce = 1 << 24;  // m n min(m, n) of what takes some 10 ms
int checked_lapack(int result, int64_t m, int64_t n);

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

// Elements of memory that drivers count beside matrices of m x n, or n x n: at most.
double panel_work(int64_t n);  // of factorisations
double gesdd_work(int64_t m, int64_t n, bool vectors, bool complex);
double syevd_work(int64_t n, bool vectors);
// Throws unless LAPACK, which counts in 32 bits, takes matrices of m x n and so much memory.
void require_countable(int64_t m, int64_t n, double work);

// A driver's call, f(data...), on matrices of m x n; apart if that takes long (ops/base/apart.h). Returns 0, or above 0
// what LAPACK says of their elements. Throws if it is out of memory.
template <class F, class... T>
int call_lapack(int64_t m, int64_t n, double work, F f, Elements<T>... of) {
  require_countable(m, n, work);
  const auto flops = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n));
  return checked_lapack(call_library(flops > kLapackAtOnce, f, of...), m, n);
}

inline int i32(int64_t size) { return static_cast<int>(size); }

// R and below it Householder vectors, with their factors; and Q's first k columns of them.
template <class T>
void geqrf(int64_t m, int64_t n, T* a, T* tau) {
  const auto driver = lapack<T>().geqrf;
  const auto call = [=](T* x, T* t) { return driver(kRowMajor, i32(m), i32(n), x, i32(n), t); };
  call_lapack(m, n, panel_work(n), call, Elements{a, m * n}, Elements{tau, std::min(m, n)});
}
template <class T>
void orgqr(int64_t m, int64_t k, int64_t least, T* q, T* tau) {
  const auto driver = lapack<T>().orgqr;
  const auto call = [=](T* x, T* t) { return driver(kRowMajor, i32(m), i32(k), i32(least), x, i32(k), t); };
  call_lapack(m, k, panel_work(k), call, Elements{q, m * k}, Elements{tau, least});
}

}  // namespace ember::ops
