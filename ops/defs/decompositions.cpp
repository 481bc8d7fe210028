// Decompositions of matrices by LAPACK: QR, singular values, eigenvalues. What is not finite gives NaN, and so does an
// iteration that does not converge. Gradients as Giles 2008, "An extended collection of matrix derivative results for
// forward and reverse mode algorithmic differentiation", and of complex numbers as Wan and Zhang 2019, "Automatic
// differentiation for complex valued SVD": of what does not depend on the phases of singular and eigenvectors.
#include <algorithm>

#include "ops/linalg/matrices.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Sample matrix_sample(Shape shape, DType dtype = DType::Float32) { return {{{shape, dtype}}, {}, {}}; }

// Calls f(a, i) for each matrix a, a copy that may be written, and its number. Returns whether it is finite.
template <class T, class F>
void for_each_copy(const Tensor& in, F f) {
  const Matrices of(in.layout());
  for_each_matrix(of, [&](int64_t i) {
    const T* const from = in.data_as<T>() + i * of.size();
    const Scratch<T> a(of.size());
    std::copy_n(from, of.size(), static_cast<T*>(a));
    f(static_cast<T*>(a), i, all_finite(from, of.size()));
  });
}

template <class T>
void set_identity(int64_t n, T* out) {
  std::fill_n(out, n * n, T(0));
  for (int64_t i = 0; i < n; ++i) out[i * n + i] = T(1);
}

struct Sizes {
  Dims batch;
  Dim m, n, least;
  explicit Sizes(const Dims& dims)
      : batch(batch_of(dims)), m(dims[dims.size() - 2]), n(dims.back()), least(m < n ? m : n) {}

  void require_countable(double work) const { ops::require_countable(pinned(m), pinned(n), work); }
};

// 1 / (x_j - x_i) off the diagonal, 0 on it.
Value inverse_differences(Builder& b, const Value& x) {
  const Value on = on_diagonal(b, b.dims(x).back());
  const Value difference = b.sub(row(b, x), column(b, x));
  return b.select(on, 0.0, b.div(1.0, b.select(on, 1.0, difference)));
}

struct Qr {
  static constexpr const char* name = "qr";
  static constexpr const char* primitive = "Qr";
  static constexpr const char* signature = "input: tensor, complete: bool = False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "Q with orthonormal columns and the upper triangular R for which Q R is the input, (m, n): of sizes (m, k) and "
      "(k, "
      "n), where k is the smaller of both, or m if complete. What is not finite gives NaN.";
  static constexpr const char* numpy = "np.linalg.qr(input, 'complete' if complete else 'reduced')";
  static constexpr const char* saves = "out0, out1";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Sizes of(c.in[0].dims);
    of.require_countable(panel_work(pinned(of.n)));
    const Dim k = c.attrs.flag(1) ? of.m : of.least;
    return {Type::tensor(c.in[0].dtype, with_sizes(of.batch, {of.m, k})),
            Type::tensor(c.in[0].dtype, with_sizes(of.batch, {k, of.n}))};
  }
  template <class T>
  static void factor(int64_t m, int64_t n, int64_t k, T* a, T* q, T* r) {
    const int64_t least = std::min(m, n), width = std::min(n, k);
    const Scratch<T> tau(least);
    geqrf<T>(m, n, a, tau);
    for (int64_t i = 0; i < k; ++i) {
      for (int64_t j = 0; j < n; ++j) r[i * n + j] = j < i ? T(0) : a[i * n + j];
    }
    std::fill_n(q, m * k, T(0));
    for (int64_t i = 0; i < m; ++i) std::copy_n(a + i * n, width, q + i * k);
    orgqr<T>(m, k, least, q, tau);
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const Matrices of(in.layout());
    const int64_t m = of.rows, n = of.columns, k = c.out[1].layout->shape[in.rank() - 2];
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        T *const q = c.out[0].as<T>() + i * m * k, *const r = c.out[1].as<T>() + i * k * n;
        if (!finite) {
          fill_nan(q, m * k);
          fill_nan(r, k * n);
        } else if (std::min(m, n) == 0) {
          std::fill_n(r, k * n, T(0));
          if (k > 0) set_identity(m, q);
        } else {
          factor<T>(m, n, k, a, q, r);
        }
      });
    });
  }
  // (dQ + Q S) R^-H, where S is the Hermitian matrix with the upper triangle of dR R^H - Q^H dQ.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Sizes of(g.in_type(0).dims);
    if (of.m < of.n || (g.attrs.flag(1) && !(of.m == of.n))) {
      type_error(about(name) +
                 "there is no gradient of complete factors, or of matrices that are wider than high: the input is " +
                 to_string(g.in_type(0)) + ".");
    }
    const Value q = g.conj(g.out(0)), r = g.conj(g.out(1));
    const Value product = b.sub(times(b, g.ct(1), adjoint(b, r)), times(b, adjoint(b, q), g.ct(0)));
    const Value strictly = upper(b, product, 1);
    Value along = diagonal(b, product);
    if (is_complex(b.type(along).dtype)) along = b.cast(b.call("real", {along}), b.type(along).dtype);
    const Value hermitian = b.add(b.add(strictly, adjoint(b, strictly)), diagonal_matrix(b, along));
    return {triangular_solve_right(b, b.add(g.ct(0), times(b, q, hermitian)), adjoint(b, r), false)};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 4, 2}, DType::Float64), matrix_sample({0, 0})};
  }
};
EMBER_OP(Qr);

struct Geqrf {
  static constexpr const char* name = "geqrf";
  static constexpr const char* primitive = "Geqrf";
  static constexpr const char* signature = "input: tensor -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "QR as LAPACK has it: R on and above the diagonal, below it the Householder vectors of which Q is made, whose "
      "first "
      "element is 1, and their factors. Its gradient is not known.";
  static constexpr const char* numpy = "(lambda h, tau: (np.swapaxes(h, -1, -2), tau))(*np.linalg.qr(input, 'raw'))";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Sizes of(c.in[0].dims);
    of.require_countable(panel_work(pinned(of.n)));
    return {c.in[0], Type::tensor(c.in[0].dtype, with_sizes(of.batch, {of.least}))};
  }
  static void kernel(const KernelCall& c) {
    const LayoutRef whole = layout(c.out[0].layout->dtype, c.out[0].layout->shape);
    copy_view(c.in[0], {c.out[0].data, whole.get()});
    const Matrices of(*whole);
    const int64_t least = std::min(of.rows, of.columns);
    dispatch_linear(whole->dtype, [&]<class T>() {
      for_each_matrix(of, [&](int64_t i) {
        T *const a = c.out[0].as<T>() + i * of.size(), *const tau = c.out[1].as<T>() + i * least;
        if (!all_finite(a, of.size())) {
          fill_nan(a, of.size());
          fill_nan(tau, least);
        } else if (least > 0) {
          geqrf<T>(of.rows, of.columns, a, tau);
        }
      });
    });
  }
  static Values grad(Grad&) { type_error(about(name) + "its gradient is not known; that of qr() is."); }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 4, 2}, DType::Float64), matrix_sample({2, 3}),
            matrix_sample({0, 2})};
  }
};
EMBER_OP(Geqrf);

// Singular values, and with `job` other than 'N' vectors.
template <class T>
void decompose(char job, int64_t m, int64_t n, T* a, bool finite, Real<T>* s, T* u, T* vh) {
  const int64_t least = std::min(m, n), k = job == 'A' ? m : least, rows = job == 'A' ? n : least;
  if (least == 0) {
    if (job == 'A' && m > 0) set_identity(m, u);
    if (job == 'A' && n > 0) set_identity(n, vh);
    return;
  }
  if (finite) {
    const auto& driver = lapack<T>().gesdd;
    const auto call = [=](T* x, Real<T>* values, T* left, T* right) {
      return driver(kRowMajor, job, i32(m), i32(n), x, i32(n), values, left, i32(k), right, i32(n));
    };
    const int64_t of_u = u ? m * k : 0, of_vh = vh ? rows * n : 0;
    if (call_lapack(m, n, gesdd_work(m, n, job != 'N', is_complex_type<T>), call, Elements{a, m * n},
                    Elements{s, least}, Elements{u, of_u}, Elements{vh, of_vh}) == 0)
      return;
  }
  fill_nan(s, least);
  if (job == 'N') return;
  fill_nan(u, m * k);
  fill_nan(vh, rows * n);
}

struct Svd {
  static constexpr const char* name = "svd";
  static constexpr const char* primitive = "Svd";
  static constexpr const char* signature = "input: tensor, full_matrices: bool = False -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "U, the singular values in descending order, and V^H, for which U diag(s) V^H is the input, (m, n): of sizes (m, "
      "k), (k,) and (k, n), where k is the smaller of both; of (m, m) and (n, n) with full_matrices. What is not "
      "finite "
      "gives NaN.";
  static constexpr const char* numpy = "np.linalg.svd(input, full_matrices)";
  static constexpr const char* saves = "out0, out1, out2";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Sizes of(c.in[0].dims);
    of.require_countable(gesdd_work(pinned(of.m), pinned(of.n), true, is_complex(c.in[0].dtype)));
    const bool full = c.attrs.flag(1);
    const DType dtype = c.in[0].dtype;
    return {Type::tensor(dtype, with_sizes(of.batch, {of.m, full ? of.m : of.least})),
            Type::tensor(part_dtype(dtype), with_sizes(of.batch, {of.least})),
            Type::tensor(dtype, with_sizes(of.batch, {full ? of.n : of.least, of.n}))};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const Matrices of(in.layout()), left(*c.out[0].layout), right(*c.out[2].layout);
    const int64_t least = std::min(of.rows, of.columns);
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose<T>(c.attrs.flag(1) ? 'A' : 'S', of.rows, of.columns, a, finite, c.out[1].as<Real<T>>() + i * least,
                     c.out[0].as<T>() + i * left.size(), c.out[2].as<T>() + i * right.size());
      });
    });
  }
  // U (skew(U^H dU) F S + S F skew(V^H dV) + diag(ds)) V^H + (1 - U U^H) dU S^-1 V^H + U S^-1 dV^H (1 - V V^H), where F
  // is 1 / (s_j^2 - s_i^2). Vectors beyond the first k have no part in it.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Sizes of(g.in_type(0).dims);
    const size_t rank = g.in_type(0).dims.size();
    const auto first = [&](const Value& x, size_t axis) { return slice_axis(b, x, axis, 0, of.least); };
    const Value u = first(g.conj(g.out(0)), rank - 1), s = g.out(1), vh = first(g.conj(g.out(2)), rank - 2);
    Value inner = diagonal_matrix(b, b.cast(g.ct(1), g.in_type(0).dtype)), outer;
    const auto add = [&](const Value& x) { outer = none(outer) ? x : b.add(outer, x); };
    const auto turn = [&](const Value& x) { return b.sub(x, adjoint(b, x)); };
    const Value f = g.flows(0) || g.flows(2) ? inverse_differences(b, b.mul(s, s)) : Value();
    if (g.flows(0)) {
      const Value du = first(g.ct(0), rank - 1), along = times(b, adjoint(b, u), du), skew = turn(along);
      inner = b.add(inner, b.mul(b.mul(skew, f), row(b, s)));
      if (is_complex(g.in_type(0).dtype)) {
        const Value phase = b.div(diagonal(b, skew), b.mul(s, 2.0));
        inner = b.add(inner, diagonal_matrix(b, phase));
      }
      if (of.least < of.m) add(times(b, b.div(b.sub(du, times(b, u, along)), row(b, s)), vh));
    }
    if (g.flows(2)) {
      const Value dvh = first(g.ct(2), rank - 2), along = times(b, vh, adjoint(b, dvh));
      inner = b.add(inner, b.mul(b.mul(turn(along), f), column(b, s)));
      if (of.least < of.n) add(times(b, u, b.div(b.sub(dvh, times(b, adjoint(b, along), vh)), column(b, s))));
    }
    add(times(b, times(b, u, inner), vh));
    return {outer};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 4, 2}, DType::Float64), matrix_sample({2, 3}),
            matrix_sample({0, 2})};
  }
};
EMBER_OP(Svd);

struct SingularValues {
  static constexpr const char* name = "svdvals";
  static constexpr const char* primitive = "SvdValues";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The singular values of matrices in descending order. What is not finite gives NaN.";
  static constexpr const char* numpy = "np.linalg.svd(input, compute_uv=False)";
  static constexpr const char* saves = "input";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Sizes of(c.in[0].dims);
    of.require_countable(gesdd_work(pinned(of.m), pinned(of.n), false, is_complex(c.in[0].dtype)));
    return {Type::tensor(part_dtype(c.in[0].dtype), with_sizes(of.batch, {of.least}))};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const Matrices of(in.layout());
    const int64_t least = std::min(of.rows, of.columns);
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose<T>('N', of.rows, of.columns, a, finite, c.out[0].as<Real<T>>() + i * least, nullptr, nullptr);
      });
    });
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Values usv = b.call_all("svd", {{g.conj(g.in(0))}});
    return {times(b, b.mul(usv[0], row(b, g.ct())), usv[2])};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 4, 2}, DType::Float64), matrix_sample({2, 3}),
            matrix_sample({0, 2})};
  }
};
EMBER_OP(SingularValues);

struct Pinv {
  static constexpr const char* name = "pinv";
  static constexpr const char* primitive = "Pinv";
  static constexpr const char* signature = "input: tensor, threshold: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The Moore-Penrose pseudo-inverse of matrices, for each of which singular values up to a threshold count as 0. "
      "What "
      "is not finite gives NaN.";
  static constexpr const char* numpy = "np.linalg.pinv(input, 0)";
  static constexpr const char* saves = "input, out";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Sizes of(c.in[0].dims);
    of.require_countable(gesdd_work(pinned(of.m), pinned(of.n), true, is_complex(c.in[0].dtype)));
    const Type& threshold = c.in[1];
    if (threshold.dtype != part_dtype(c.in[0].dtype))
      type_error(about(name) + "'threshold' must be of the dtype of the complex or real parts of 'input', " +
                 to_string(c.in[0]) + ", but is " + to_string(threshold) + ".");
    if (!std::ranges::equal(threshold.dims, of.batch))
      value_error(about(name) + "'threshold' must have a number for each matrix of " + to_string(c.in[0]) +
                  ", but is " + to_string(threshold) + ".");
    return {Type::tensor(c.in[0].dtype, with_sizes(of.batch, {of.n, of.m}))};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0])), threshold = to_contiguous(borrow(c.in[1]));
    const Matrices of(in.layout());
    const int64_t m = of.rows, n = of.columns, k = std::min(m, n);
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        T* const out = c.out[0].as<T>() + i * m * n;
        const Scratch<Real<T>> s(k);
        const Scratch<T> u(m * k), vh(k * n), scaled(n * k), left(k * m);
        decompose<T>('S', m, n, a, finite, s, u, vh);
        if (k > 0 && std::isnan(s[0])) return fill_nan(out, m * n);
        const Real<T> least = threshold.data_as<Real<T>>()[i];
        for (int64_t j = 0; j < k; ++j) {
          const Real<T> factor = s[j] > least ? 1 / s[j] : Real<T>(0);
          for (int64_t r = 0; r < n; ++r) scaled[r * k + j] = conjugate(vh[j * n + r]) * factor;
          for (int64_t r = 0; r < m; ++r) left[j * m + r] = conjugate(u[r * k + j]);
        }
        multiply_matrices<T>(n, m, k, scaled, k, 1, left, m, out, m);
      });
    });
  }
  // -P^H dP P^H + P^H P dP^H (1 - P A) + (1 - A P) dP^H P P^H (Golub and Pereyra 1973).
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value a = g.conj(g.in(0)), p = g.conj(g.out()), ph = adjoint(b, p), ct = adjoint(b, g.ct());
    const Value right = b.sub(ct, times(b, times(b, ct, p), a)), left = b.sub(ct, times(b, a, times(b, p, ct)));
    const Value inner = times(b, times(b, ph, g.ct()), ph);
    const Value outer = b.add(times(b, times(b, ph, p), right), times(b, left, times(b, p, ph)));
    return {b.sub(outer, inner), Value()};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    const auto of = [](Shape shape, Shape batch, DType dtype = DType::Float32) {
      return Sample{{{shape, dtype}, {batch, part_dtype(dtype), 0, 0}}, {}, {}};
    };
    return {of({2, 1}, {}), of({2, 3, 2}, {2}, DType::Float64), of({1, 3}, {}), of({0, 2}, {})};
  }
};
EMBER_OP(Pinv);

// Of the Hermitian part of a; with vectors a becomes them.
template <class T>
void decompose_hermitian(bool vectors, int64_t n, T* a, bool finite, Real<T>* w) {
  if (n == 0) return;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) a[i * n + j] = (a[i * n + j] + conjugate(a[j * n + i])) / Real<T>(2);
  }
  if (finite) {
    const auto& driver = lapack<T>().syevd;
    const char job = vectors ? 'V' : 'N';
    const auto call = [=](T* x, Real<T>* values) { return driver(kRowMajor, job, 'L', i32(n), x, i32(n), values); };
    if (call_lapack(n, n, syevd_work(n, vectors), call, Elements{a, n * n}, Elements{w, n}) == 0) return;
  }
  fill_nan(w, n);
  fill_nan(a, n * n);
}

struct Eigh {
  static constexpr const char* name = "eigh";
  static constexpr const char* primitive = "Eigh";
  static constexpr const char* signature = "input: tensor -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The eigenvalues of the Hermitian part of the input in ascending order, and the eigenvectors as columns. What is "
      "not finite gives NaN.";
  static constexpr const char* numpy = "np.linalg.eigh((input + np.conj(np.swapaxes(input, -1, -2))) / 2)";
  static constexpr const char* saves = "out0, out1";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name, true);
    const Sizes of(c.in[0].dims);
    of.require_countable(syevd_work(pinned(of.n), true));
    return {Type::tensor(part_dtype(c.in[0].dtype), with_sizes(of.batch, {of.n})), c.in[0]};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const int64_t n = in.shape().back();
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose_hermitian<T>(true, n, a, finite, c.out[0].as<Real<T>>() + i * n);
        std::copy_n(a, n * n, c.out[1].as<T>() + i * n * n);
      });
    });
  }
  // V (diag(dw) + V^H dV / (w_j - w_i)) V^H, of which the Hermitian part.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value w = g.out(0), v = g.conj(g.out(1)), vh = adjoint(b, v);
    Value inner = diagonal_matrix(b, b.cast(g.ct(0), g.in_type(0).dtype));
    if (g.flows(1)) inner = b.add(inner, b.mul(times(b, vh, g.ct(1)), inverse_differences(b, w)));
    const Value cotangent = times(b, times(b, v, inner), vh);
    return {b.mul(b.add(cotangent, adjoint(b, cotangent)), 0.5)};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 2, 2}, DType::Float64), matrix_sample({0, 0})};
  }
};
EMBER_OP(Eigh);

struct HermitianEigenvalues {
  static constexpr const char* name = "eigvalsh";
  static constexpr const char* primitive = "EighValues";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The eigenvalues of the Hermitian part of the input in ascending order. What is not finite gives NaN.";
  static constexpr const char* numpy = "np.linalg.eigvalsh((input + np.conj(np.swapaxes(input, -1, -2))) / 2)";
  static constexpr const char* saves = "input";
  static Types infer(const InferCall& c) { return {Eigh::infer(c)[0]}; }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const int64_t n = in.shape().back();
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose_hermitian<T>(false, n, a, finite, c.out[0].as<Real<T>>() + i * n);
      });
    });
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value v = b.call_all("eigh", {{g.conj(g.in(0))}})[1];
    return {times(b, b.mul(v, row(b, g.ct())), adjoint(b, v))};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() { return Eigh::samples(); }
};
EMBER_OP(HermitianEigenvalues);

// Eigenvectors of real matrices come as real and imaginary parts of conjugate pairs, next to each other.
template <class T>
void spread_pairs(int64_t n, const T* re, const T* im, const T* packed, std::complex<T>* w, std::complex<T>* v) {
  for (int64_t j = 0; j < n; ++j) {
    w[j] = {re[j], im[j]};
    const int64_t first = im[j] < 0 ? j - 1 : j;
    for (int64_t i = 0; v && i < n; ++i) {
      const T* const at = packed + i * n + first;
      v[i * n + j] = im[j] == 0 ? std::complex<T>(at[0], 0) : std::complex<T>(at[0], im[j] < 0 ? -at[1] : at[1]);
    }
  }
}

// v is null where vectors are not asked for.
template <class T>
void decompose_general(int64_t n, T* a, bool finite, std::complex<Real<T>>* w, std::complex<Real<T>>* v) {
  if (n == 0) return;
  const char job = v ? 'V' : 'N';
  const int64_t of_v = v ? n * n : 0;
  const auto& driver = lapack<T>().geev;
  const int size = i32(n);
  int failed = 1;
  if constexpr (is_complex_type<T>) {
    const auto call = [=](T* x, T* values, T* vectors) {
      return driver(kRowMajor, 'N', job, size, x, size, values, nullptr, size, vectors, size);
    };
    if (finite) failed = call_lapack(n, n, panel_work(n), call, Elements{a, n * n}, Elements{w, n}, Elements{v, of_v});
  } else if (finite) {
    const Scratch<T> re(n), im(n), packed(of_v);
    const auto call = [=](T* x, T* real, T* imaginary, T* vectors) {
      return driver(kRowMajor, 'N', job, size, x, size, real, imaginary, nullptr, size, vectors, size);
    };
    T *const real = re, *const imaginary = im, *const vectors = packed;
    failed = call_lapack(n, n, panel_work(n), call, Elements{a, n * n}, Elements{real, n}, Elements{imaginary, n},
                         Elements{vectors, of_v});
    if (failed == 0) spread_pairs<T>(n, re, im, packed, w, v);
  }
  if (failed == 0) return;
  fill_nan(w, n);
  if (v) fill_nan(v, n * n);
}

struct Eig {
  static constexpr const char* name = "eig";
  static constexpr const char* primitive = "Eig";
  static constexpr const char* signature = "input: tensor -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The eigenvalues of square matrices, in no order, and as columns their eigenvectors, of length 1; both are "
      "complex. "
      "What is not finite gives NaN.";
  static constexpr const char* numpy =
      "[part.astype(np.result_type(part, np.complex64)) for part in np.linalg.eig(input)]";
  static constexpr const char* saves = "out0, out1";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name, true);
    const Sizes of(c.in[0].dims);
    const DType dtype = complex_dtype(c.in[0].dtype);
    return {Type::tensor(dtype, with_sizes(of.batch, {of.n})), Type::tensor(dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const int64_t n = in.shape().back();
    dispatch_linear(in.dtype(), [&]<class T>() {
      using C = std::complex<Real<T>>;
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose_general<T>(n, a, finite, c.out[0].as<C>() + i * n, c.out[1].as<C>() + i * n * n);
      });
    });
  }
  // V^-H (diag(dw) + (V^H dV - V^H V Re(diag(V^H dV))) / conj(w_j - w_i)) V^H.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value w = g.out(0), v = g.conj(g.out(1)), vh = transposed(b, g.out(1));
    Value inner = diagonal_matrix(b, g.ct(0));
    if (g.flows(1)) {
      const Value along = times(b, vh, g.ct(1));
      const Value lengths = b.call("real", {diagonal(b, along)});
      const Value turned = b.sub(along, b.mul(times(b, vh, v), row(b, lengths)));
      inner = b.add(inner, b.mul(turned, inverse_differences(b, w)));
    }
    const Value cotangent = b.call("solve", {vh, times(b, inner, vh)});
    return {is_complex(g.in_type(0).dtype) ? cotangent : b.call("real", {cotangent})};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({3, 3}), matrix_sample({2, 2, 2}, DType::Float64), matrix_sample({0, 0})};
  }
};
EMBER_OP(Eig);

struct Eigenvalues {
  static constexpr const char* name = "eigvals";
  static constexpr const char* primitive = "EigValues";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The eigenvalues of square matrices, in no order, which are complex. What is not finite gives NaN.";
  static constexpr const char* numpy =
      "(lambda w: w.astype(np.result_type(w, np.complex64)))(np.linalg.eigvals(input))";
  static constexpr const char* saves = "input";
  static Types infer(const InferCall& c) { return {Eig::infer(c)[0]}; }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const int64_t n = in.shape().back();
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_copy<T>(in, [&](T* a, int64_t i, bool finite) {
        decompose_general<T>(n, a, finite, c.out[0].as<std::complex<Real<T>>>() + i * n, nullptr);
      });
    });
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value vh = adjoint(b, b.call_all("eig", {{g.conj(g.in(0))}})[1]);
    const Value cotangent = b.call("solve", {vh, b.mul(column(b, g.ct()), vh)});
    return {is_complex(g.in_type(0).dtype) ? cotangent : b.call("real", {cotangent})};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() { return Eig::samples(); }
};
EMBER_OP(Eigenvalues);

}  // namespace
}  // namespace ember::ops
