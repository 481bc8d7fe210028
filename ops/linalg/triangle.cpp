// Triangular solves and Cholesky's factorisation, blocked: within a block element by element, between blocks as
// products.
#include <cmath>

#include "ops/base/interrupt.h"
#include "ops/linalg/matrices.h"
#include "ops/simd/kernels.h"

namespace ember::ops {
namespace {

constexpr int64_t kBlock = 32;
constexpr int64_t kStep = 1 << 24;  // multiplications between looks for an interrupt

template <class T>
void subtract(int64_t rows, int64_t columns, const T* from, T* to, int64_t to_row) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) to[i * to_row + j] -= from[i * columns + j];
  }
}

// Row i of the solution, from those of the same block before it.
template <class T>
void solve_row(int64_t i, int64_t begin, int64_t end, bool unit, int64_t k, const T* a, int64_t a_row, T* b,
               int64_t b_row) {
  T* const x = b + i * b_row;
  for (int64_t j = begin; j < end; ++j) {
    const T factor = a[i * a_row + j];
    const T* const y = b + j * b_row;
    for (int64_t c = 0; c < k; ++c) x[c] -= factor * y[c];
  }
  if (unit) return;
  const T divisor = a[i * a_row + i];
  for (int64_t c = 0; c < k; ++c) x[c] /= divisor;
}

// The diagonal block of a Cholesky factor, element by element (Golub and Van Loan 2013, 4.2.5).
template <class T>
int64_t factor_block(int64_t n, T* a, int64_t a_row) {
  for (int64_t j = 0; j < n; ++j) {
    Real<T> d = std::real(a[j * a_row + j]);
    for (int64_t p = 0; p < j; ++p) d -= std::norm(a[j * a_row + p]);
    if (d <= 0) return j + 1;
    const Real<T> root = std::sqrt(d);
    a[j * a_row + j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = a[i * a_row + j];
      for (int64_t p = 0; p < j; ++p) sum -= a[i * a_row + p] * conjugate(a[j * a_row + p]);
      a[i * a_row + j] = sum / root;
    }
  }
  return 0;
}

// x = b l^-H in place, for a lower triangle l.
template <class T>
void solve_panel(int64_t rows, int64_t n, const T* l, T* b, int64_t row) {
  for (int64_t i = 0; i < rows; ++i) {
    T* const x = b + i * row;
    for (int64_t j = 0; j < n; ++j) {
      T sum = x[j];
      for (int64_t p = 0; p < j; ++p) sum -= x[p] * conjugate(l[j * row + p]);
      x[j] = sum / l[j * row + j];
    }
  }
}

template <class T>
void multiply_rows(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, const T* b,
                   int64_t b_row, T* c, int64_t c_row) {
  if constexpr (!is_complex_type<T>) {
    kernels().of<T>().gemm_direct(m, n, k, a, a_row, a_column, b, b_row, c, c_row);
  } else {
    for (int64_t i = 0; i < m; ++i) {
      T* const out = c + i * c_row;
      std::fill_n(out, n, T(0));
      for (int64_t p = 0; p < k; ++p) {
        const T x = a[i * a_row + p * a_column];
        const T* const y = b + p * b_row;
        for (int64_t j = 0; j < n; ++j) {
          out[j] = T(out[j].real() + (x.real() * y[j].real() - x.imag() * y[j].imag()),
                     out[j].imag() + (x.real() * y[j].imag() + x.imag() * y[j].real()));
        }
      }
    }
  }
}

}  // namespace

template <class T>
void multiply_matrices(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, const T* b,
                       int64_t b_row, T* c, int64_t c_row) {
  in_steps(m, std::max<int64_t>(1, kStep / std::max<int64_t>(1, n * k)), [&](int64_t begin, int64_t end) {
    multiply_rows<T>(end - begin, n, k, a + begin * a_row, a_row, a_column, b, b_row, c + begin * c_row, c_row);
  });
}

template <class T>
void solve_triangle(bool upper, bool unit, int64_t n, int64_t k, const T* a, int64_t a_row, T* b, int64_t b_row) {
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  const Scratch<T> product(std::min(n, kBlock) * k);
  for (int64_t done = 0; done < blocks; ++done) {
    give_way();
    const int64_t block = upper ? blocks - 1 - done : done;
    const int64_t begin = block * kBlock, end = std::min(n, begin + kBlock), rows = end - begin;
    const int64_t first = upper ? end : 0, known = upper ? n - end : begin;
    if (known > 0) {
      multiply_matrices<T>(rows, k, known, a + begin * a_row + first, a_row, 1, b + first * b_row, b_row, product, k);
      subtract<T>(rows, k, product, b + begin * b_row, b_row);
    }
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t at = upper ? end - 1 - i : begin + i;
      solve_row(at, upper ? at + 1 : begin, upper ? end : at, unit, k, a, a_row, b, b_row);
    }
  }
}

template <class T>
int64_t factor_cholesky(int64_t n, T* a, int64_t a_row) {
  const Scratch<T> turned(kBlock * n), product(kBlock * n);
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    give_way();
    const int64_t size = std::min(kBlock, n - begin), rest = n - begin - size;
    T* const block = a + begin * a_row + begin;
    if (const int64_t order = factor_block(size, block, a_row)) return begin + order;
    T* const panel = block + size * a_row;
    solve_panel<T>(rest, size, block, panel, a_row);
    for (int64_t i = 0; i < rest; ++i) {
      for (int64_t p = 0; p < size; ++p) turned[p * rest + i] = conjugate(panel[i * a_row + p]);
    }
    for (int64_t i = 0; i < rest; i += kBlock) {  // rows of the rest, up to their diagonal
      const int64_t rows = std::min(kBlock, rest - i), columns = i + rows;
      multiply_matrices<T>(rows, columns, size, panel + i * a_row, a_row, 1, turned, rest, product, columns);
      subtract<T>(rows, columns, product, panel + size + i * a_row, a_row);
    }
  }
  return 0;
}

#define EMBER_INSTANTIATE(T)                                                                                    \
  template void multiply_matrices(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, \
                                  const T* b, int64_t b_row, T* c, int64_t c_row);                              \
  template void solve_triangle(bool upper, bool unit, int64_t n, int64_t k, const T* a, int64_t a_row, T* b,    \
                               int64_t b_row);                                                                  \
  template int64_t factor_cholesky(int64_t n, T* a, int64_t a_row);
EMBER_INSTANTIATE(float)
EMBER_INSTANTIATE(double)
EMBER_INSTANTIATE(std::complex<float>)
EMBER_INSTANTIATE(std::complex<double>)
#undef EMBER_INSTANTIATE

}  // namespace ember::ops
