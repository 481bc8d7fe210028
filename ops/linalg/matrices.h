// Batches of matrices, which the last two axes of tensors are: loops over them on the pool, and what rules share.
#pragma once

#include <limits>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/widen.h"
#include "ops/linalg/lapack.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {

// Calls f.template operator()<T>() with the C++ type of a dtype that matrices are computed in.
template <class F>
void dispatch_linear(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float32:
      return f.template operator()<float>();
    case DType::Float64:
      return f.template operator()<double>();
    case DType::Complex64:
      return f.template operator()<std::complex<float>>();
    default:
      return f.template operator()<std::complex<double>>();
  }
}

// The sizes of a batch of matrices.
struct Matrices {
  int64_t count = 1, rows, columns;
  explicit Matrices(const Layout& layout)
      : rows(layout.shape[layout.rank() - 2]), columns(layout.shape[layout.rank() - 1]) {
    for (size_t d = 0; d + 2 < layout.rank(); ++d) count *= layout.shape[d];
  }
  int64_t size() const { return rows * columns; }
};

// Calls f(i) for each of a batch of matrices of m x n that take about m n min(m, n) operations each.
template <class F>
void for_each_matrix(const Matrices& of, F f) {
  const int64_t work = std::max<int64_t>(1, of.size() * std::min(of.rows, of.columns));
  parallel_for_throwing(of.count, std::max<int64_t>(1, (1 << 14) / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) f(i);
  });
}

template <class T>
bool all_finite(const T* x, int64_t count) {
  bool finite = true;
  for (int64_t i = 0; i < count; ++i)
    finite = finite && std::isfinite(std::real(x[i])) && std::isfinite(std::imag(x[i]));
  return finite;
}

template <class T>
void fill_nan(T* x, int64_t count) {
  constexpr Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  if constexpr (is_complex_type<T>) {
    std::fill_n(x, count, T(nan, nan));
  } else {
    std::fill_n(x, count, nan);
  }
}

template <class T>
T conjugate(T x) {
  if constexpr (is_complex_type<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

// c = a b of row-major m x k and k x n matrices. Each element is a sum over k ascending.
template <class T>
void multiply_matrices(int64_t m, int64_t n, int64_t k, const T* a, int64_t a_row, int64_t a_column, const T* b,
                       int64_t b_row, T* c, int64_t c_row);

// Solves a x = b in place, for a triangular matrix a of n x n and n x k numbers b.
template <class T>
void solve_triangle(bool upper, bool unit, int64_t n, int64_t k, const T* a, int64_t a_row, T* b, int64_t b_row);

// Factors the lower triangle of a Hermitian matrix a = l l^H in place; what is above the diagonal stays. Returns the
// order of the first leading minor that is not positive, or 0.
template <class T>
int64_t factor_cholesky(int64_t n, T* a, int64_t a_row);

// Factors a = p l u in place; row i was exchanged with row pivots[i], one after the other. What is not finite gives
// NaN. Throws LapackMissing.
template <class T>
void factor_lu(int64_t m, int64_t n, T* a, int* pivots);
// The rows of the factored matrix, by pivots: of which row of the matrix row i of l u is.
void permutation_of(const int* pivots, int64_t count, int64_t m, int64_t* rows);

// Solves a x = b in place, of n x n and n x k; a is overwritten. Throws LapackMissing.
template <class T>
void solve_in_place(int64_t n, int64_t k, T* a, T* b);

// What infer functions check. Returns the dims before the matrices.
inline Dims batch_of(const Dims& dims) {
  Dims out;
  for (size_t d = 0; d + 2 < dims.size(); ++d) out.push_back(dims[d]);
  return out;
}
inline Dims with_sizes(Dims batch, std::initializer_list<Dim> sizes) {
  for (const Dim& size : sizes) batch.push_back(size);
  return batch;
}
inline void require_matrices(const Type& x, std::string_view name, bool square = false) {
  if (x.dtype != DType::Float32 && x.dtype != DType::Float64 && !is_complex(x.dtype)) {
    type_error(about(name) + "matrices must be of float32, float64, complex64 or complex128, but are " + to_string(x) +
               ".");
  }
  const size_t rank = x.dims.size();
  if (rank < 2) value_error(about(name) + "the input must have two axes at least, but is " + to_string(x) + ".");
  if (square && x.dims[rank - 1] != x.dims[rank - 2])
    value_error(about(name) + "matrices must be square, but are " + to_string(x) + ".");
}

// What gradient rules share.
inline Value transposed(Builder& b, const Value& x) {
  const auto rank = static_cast<int64_t>(b.dims(x).size());
  return b.call("swapaxes", {x}, {{"axis0", rank - 2}, {"axis1", rank - 1}});
}
inline Value conjugated(Builder& b, const Value& x) { return is_complex(b.type(x).dtype) ? b.call("conj", {x}) : x; }
inline Value adjoint(Builder& b, const Value& x) { return transposed(b, conjugated(b, x)); }
inline Value times(Builder& b, const Value& x, const Value& y) { return b.call("matmul", {x, y}); }
inline Value lower(Builder& b, const Value& x, int64_t diagonal = 0) {
  return b.call("tril", {x}, {{"diagonal", diagonal}});
}
inline Value upper(Builder& b, const Value& x, int64_t diagonal = 0) {
  return b.call("triu", {x}, {{"diagonal", diagonal}});
}
inline Value row(Builder& b, const Value& x) { return b.expand_dims(x, -2); }
inline Value column(Builder& b, const Value& x) { return b.expand_dims(x, -1); }
inline Value diagonal(Builder& b, const Value& x) {
  return b.call("diagonal", {x}, {{"dim1", int64_t{-2}}, {"dim2", int64_t{-1}}});
}
// 1 along the diagonal, true as a bool tensor of n x n.
inline Value on_diagonal(Builder& b, const Dim& n) {
  const Value at = b.call("arange", {}, {{"start", Ints{n}}});
  return b.call("equal", {column(b, at), at});
}
// Matrices with x along the diagonal, and 0 beside it.
inline Value diagonal_matrix(Builder& b, const Value& x) {
  return b.select(on_diagonal(b, b.dims(x).back()), row(b, x), 0.0);
}
// a^-1 x of triangular matrices.
inline Value triangular_solve(Builder& b, const Value& a, const Value& x, bool upper, bool unit = false) {
  return b.call("triangular_solve", {a, x}, {{"upper", upper}, {"unit", unit}});
}
// x a^-1 as (a^-T x^T)^T.
inline Value triangular_solve_right(Builder& b, const Value& x, const Value& a, bool upper, bool unit = false) {
  return transposed(b, triangular_solve(b, transposed(b, a), transposed(b, x), !upper, unit));
}

// A batching rule for ops of matrices that take any number of axes before them, of which all operands have the same.
inline Values batch_matrices(Batch& v) {
  Values in;
  for (size_t i = 0; i < v.operands(); ++i) in.push_back(v.in_batched(i));
  return v.b.apply(v.op, in, v.attrs);
}

}  // namespace ember::ops
