// Linear systems: Cholesky and LU factors, triangular and general solves, and the exponential. Gradients as Giles 2008,
// "An extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation", and
// Murray 2016, "Differentiation of the Cholesky decomposition".
#include "ops/linalg/matrices.h"
#include "ops/linalg/matrix_exp.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Sample matrix_sample(std::initializer_list<Shape> shapes, DType dtype = DType::Float32, double low = -2) {
  Sample sample;
  for (const Shape& shape : shapes) sample.operands.push_back({shape, dtype, low, 2});
  return sample;
}

// Two operands of one dtype with the same axes before their matrices, of which the second's have as many rows.
void require_system(const InferCall& c, std::string_view name) {
  const Type &a = c.in[0], &b = c.in[1];
  require_matrices(a, name, true);
  require_matrices(b, name);
  if (a.dtype != b.dtype)
    type_error(about(name) + "operands must be of one dtype, but are " + to_string(a) + " and " + to_string(b) + ".");
  const size_t rank = b.dims.size();
  bool fits = a.dims.size() == rank && a.dims.back() == b.dims[rank - 2];
  for (size_t d = 0; fits && d + 2 < rank; ++d) fits = a.dims[d] == b.dims[d];
  if (!fits) {
    value_error(about(name) +
                "the right sides need as many rows as the matrices, and the same axes before them: they are " +
                to_string(b) + ", of matrices " + to_string(a) + ".");
  }
}

// For each pair of matrices and right sides f(a, x), where x is a copy of the right sides, in the result.
template <class T, class F>
void for_each_system(const KernelCall& c, F f) {
  const Tensor a = to_contiguous(borrow(c.in[0]));
  const LayoutRef whole = layout(c.out[0].layout->dtype, c.out[0].layout->shape);
  copy_view(c.in[1], {c.out[0].data, whole.get()});
  const Matrices of(a.layout()), right(*whole);
  for_each_matrix(of,
                  [&](int64_t i) { f(a.data_as<T>() + i * of.size(), c.out[0].as<T>() + i * right.size(), right); });
}

struct Cholesky {
  static constexpr const char* name = "cholesky_factor";
  static constexpr const char* primitive = "CholeskyFactor";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The lower triangular L with positive diagonal for which L L^H is the Hermitian part of the input, which must be "
      "positive definite.";
  static constexpr const char* numpy = "np.linalg.cholesky((input + np.conj(np.swapaxes(input, -1, -2))) / 2)";
  static constexpr const char* saves = "out";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name, true);
    return {c.in[0]};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const Matrices of(in.layout());
    const int64_t n = of.rows;
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_matrix(of, [&](int64_t m) {
        const T* const a = in.data_as<T>() + m * n * n;
        T* const l = c.out[0].as<T>() + m * n * n;
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j < n; ++j)
            l[i * n + j] = j > i ? T(0) : (a[i * n + j] + conjugate(a[j * n + i])) / Real<T>(2);
        }
        const int64_t order = factor_cholesky<T>(n, l, n);
        for (int64_t i = 0; i < n; ++i) std::fill(l + i * n + i + 1, l + (i + 1) * n, T(0));
        if (order == 0) return;
        value_error(about("cholesky") + "the input must be positive definite, but the leading minor of order " +
                    std::to_string(order) + " of matrix " + std::to_string(m) + " is not positive.");
      });
    });
  }
  // The Hermitian part of L^-H P L^-1, where P is the lower triangle of L^H dL with half its diagonal.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value l = g.conj(g.out()), l_adjoint = transposed(b, g.out());
    const Value product = times(b, l_adjoint, g.ct());
    const Value half = b.sub(lower(b, product), b.mul(diagonal_matrix(b, diagonal(b, product)), 0.5));
    const Value cotangent = triangular_solve(b, l_adjoint, triangular_solve_right(b, half, l, false), true);
    return {b.mul(b.add(cotangent, adjoint(b, cotangent)), 0.5)};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({{1, 1}}, DType::Float32, 0.5), matrix_sample({{3, 1, 1}}, DType::Float64, 0.5),
            matrix_sample({{0, 0}})};
  }
};
EMBER_OP(Cholesky);

struct TriangularSolve {
  static constexpr const char* name = "triangular_solve";
  static constexpr const char* primitive = "TriangularSolve";
  static constexpr const char* signature = "a: tensor, b: tensor, upper: bool = False, unit: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The x for which a x = b, of the lower or upper triangle of a, whose diagonal is taken to be 1 if unit.";
  static constexpr const char* numpy =
      "np.linalg.solve((lambda t: t if not unit else t - t * np.eye(t.shape[-1], dtype=t.dtype) + "
      "np.eye(t.shape[-1], dtype=t.dtype))((np.triu if upper else np.tril)(a)), b)";
  static constexpr const char* saves = "a, out";
  static Types infer(const InferCall& c) {
    require_system(c, name);
    return {c.in[1]};
  }
  static void kernel(const KernelCall& c) {
    const bool upper = c.attrs.flag(2), unit = c.attrs.flag(3);
    dispatch_linear(c.out[0].layout->dtype, [&]<class T>() {
      for_each_system<T>(c, [&](const T* a, T* x, const Matrices& of) {
        solve_triangle<T>(upper, unit, of.rows, of.columns, a, of.rows, x, of.columns);
      });
    });
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const bool is_upper = g.attrs.flag(2), unit = g.attrs.flag(3);
    const Value right = triangular_solve(b, transposed(b, g.in(0)), g.ct(), !is_upper, unit);
    if (!g.needs(0)) return {Value(), right};
    const Value left = b.neg(times(b, right, transposed(b, g.out())));
    const int64_t strictly = unit ? 1 : 0;
    return {is_upper ? upper(b, left, strictly) : lower(b, left, -strictly), right};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    const auto of = [](Sample sample, bool upper, bool unit) {
      sample.operands[0].low = 1;
      sample.attrs = {{"upper", upper}, {"unit", unit}};
      return sample;
    };
    return {of(matrix_sample({{3, 3}, {3, 2}}), false, false), of(matrix_sample({{2, 3, 3}, {2, 3, 1}}), true, false),
            of(matrix_sample({{4, 4}, {4, 4}}, DType::Float64), false, true),
            of(matrix_sample({{2, 2}, {2, 3}}, DType::Complex64), true, true),
            of(matrix_sample({{0, 0}, {0, 2}}), true, false)};
  }
};
EMBER_OP(TriangularSolve);

struct LuFactor {
  static constexpr const char* name = "lu_factor";
  static constexpr const char* primitive = "LuFactor";
  static constexpr const char* signature = "input: tensor -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The factors of matrices P L U, with U's upper triangle and L's below it, whose diagonal is 1; and the pivots: "
      "with "
      "which row, from 0, each row was exchanged, one after the other. What is not finite gives NaN.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "out0, out1";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name);
    const Dims& dims = c.in[0].dims;
    const Dim rows = dims[dims.size() - 2], columns = dims.back();
    return {c.in[0], Type::tensor(DType::Int32, with_sizes(batch_of(dims), {rows < columns ? rows : columns}))};
  }
  static void kernel(const KernelCall& c) {
    const LayoutRef whole = layout(c.out[0].layout->dtype, c.out[0].layout->shape);
    copy_view(c.in[0], {c.out[0].data, whole.get()});
    const Matrices of(*whole);
    const int64_t pivots = std::min(of.rows, of.columns);
    dispatch_linear(whole->dtype, [&]<class T>() {
      for_each_matrix(of, [&](int64_t i) {
        factor_lu<T>(of.rows, of.columns, c.out[0].as<T>() + i * of.size(), c.out[1].as<int>() + i * pivots);
      });
    });
  }
  // With A = P [L1; L2] [U1 U2], where L1 and U1 are square and one of L2 and U2 is empty:
  // P^T dA1 = L1^-H (lower(L1^H dL1 - dU2 U2^H) + upper(dU1 U1^H - L2^H dL2)) U1^-H, the lower part without its
  // diagonal, and beside it L1^-H dU2, or below it dL2 U1^-H.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value lu = g.conj(g.out(0));
    const Dims dims = g.in_type(0).dims;
    const size_t at_row = dims.size() - 2, at_column = at_row + 1;
    const Dim m = dims[at_row], n = dims[at_column], k = m < n ? m : n;
    const auto square = [&](const Value& x) { return slice_axis(b, slice_axis(b, x, at_row, 0, k), at_column, 0, k); };
    const Value l1 = b.select(on_diagonal(b, k), 1.0, lower(b, square(lu))), u1 = upper(b, square(lu));
    const Value l1_adjoint = adjoint(b, l1), u1_adjoint = adjoint(b, u1), ct = square(g.ct());
    Value below = times(b, l1_adjoint, lower(b, ct, -1)), above = times(b, upper(b, ct), u1_adjoint), beside;
    if (!(m == n) && m < n) {
      const Value ct2 = slice_axis(b, g.ct(), at_column, k, n);
      below = b.sub(below, times(b, ct2, adjoint(b, slice_axis(b, lu, at_column, k, n))));
      beside = triangular_solve(b, l1_adjoint, ct2, true, true);
    } else if (!(m == n)) {
      const Value ct2 = slice_axis(b, g.ct(), at_row, k, m);
      above = b.sub(above, times(b, adjoint(b, slice_axis(b, lu, at_row, k, m)), ct2));
      beside = triangular_solve_right(b, ct2, u1_adjoint, false);
    }
    Value cotangent = b.add(lower(b, below, -1), upper(b, above));
    cotangent = triangular_solve(b, l1_adjoint, triangular_solve_right(b, cotangent, u1_adjoint, false), true, true);
    if (!none(beside)) {
      const Values parts = {cotangent, beside};
      cotangent = b.call_all("concat", parts, {{"axis", static_cast<int64_t>(m < n ? at_column : at_row)}})[0];
    }
    const Value rows = b.call("lu_permutation", {g.out(1)}, {{"size", Ints{m}}});
    const Value back = b.call_all("sort", {{rows}})[1];
    return {b.call("gather_d", {cotangent, b.broadcast_to(column(b, back), dims)},
                   {{"dim", static_cast<int64_t>(at_row)}})};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({{3, 3}}), matrix_sample({{2, 3, 5}}, DType::Float64),
            matrix_sample({{4, 2}}, DType::Float64), matrix_sample({{3, 3}}, DType::Complex64),
            matrix_sample({{0, 2}})};
  }
};
EMBER_OP(LuFactor);

struct LuPermutation {
  static constexpr const char* name = "lu_permutation";
  static constexpr const char* primitive = "LuPermutation";
  static constexpr const char* signature = "pivots: tensor, size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "For the pivots of `size` rows, exchanged one after the other, from where each row comes, as int64.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    const Type& pivots = c.in[0];
    if (pivots.dtype != DType::Int32 || pivots.dims.empty())
      type_error(about(name) + "'pivots' must be of int32 with an axis, but are " + to_string(pivots) + ".");
    Dims dims = pivots.dims;
    const Ints& size = c.attrs.ints(1);
    if (size.size() != 1 || size[0] < dims.back())
      value_error(about(name) + "'size' must be one number, at least that of pivots, of " + to_string(pivots) + ".");
    dims.back() = size[0];
    return {Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const int64_t count = in.shape().back(), size = c.out[0].layout->shape.back();
    for (int64_t i = 0; i < in.numel(); ++i) {
      const int pivot = in.data_as<int>()[i];
      if (pivot < 0 || pivot >= size)
        value_error(about("lu_unpack") + "a pivot is out of range of " + std::to_string(size) +
                    " rows: " + std::to_string(pivot) + ", from 0.");
    }
    for (int64_t i = 0; size > 0 && i < c.out[0].layout->numel / size; ++i)
      permutation_of(in.data_as<int>() + i * count, count, size, c.out[0].as<int64_t>() + i * size);
  }
  static Values batch(Batch& v) { return {v.b.apply(v.op, {{v.in(0)}}, v.attrs)}; }
  static std::vector<Sample> samples() {
    const auto of = [](Shape shape, int64_t size) {
      Sample sample{{{shape, DType::Int32, 0, 2}}, {{"size", Ints{size}}}, {}};
      return sample;
    };
    return {of({3}, 3), of({2, 3}, 4), of({0}, 2)};
  }
};
EMBER_OP(LuPermutation);

struct Det {
  static constexpr const char* name = "det";
  static constexpr const char* primitive = "Det";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The determinants of square matrices, by LU factorisation.";
  static constexpr const char* numpy = "np.linalg.det(input)";
  static constexpr const char* saves = "input";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    require_matrices(b.type(in[0]), name, true);
    const Values factors = b.call_all("lu_factor", in);
    return {times_sign(b, b.call("prod", {diagonal(b, factors[0])}, {{"axis", Ints{-1}}}), factors[1])};
  }
  // conj(det) A^-H. Pivots of 0 are taken to be as small as the dtype's epsilon, so that the product is the adjugate's,
  // of singular matrices too.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value a = g.conj(g.in(0));
    const DType dtype = g.in_type(0).dtype;
    const Dim n = g.in_type(0).dims.back();
    const Values factors = b.call_all("lu_factor", {{a}});
    const Value u_diagonal = diagonal(b, factors[0]), on = on_diagonal(b, n);
    const double least = part_dtype(dtype) == DType::Float32 ? 0x1p-23 : 0x1p-52;
    const Value pivots = b.select(b.call("equal", {u_diagonal, 0.0}), least, u_diagonal);
    const Value det = times_sign(b, b.call("prod", {pivots}, {{"axis", Ints{-1}}}), factors[1]);
    const Value from = b.call("lu_permutation", {factors[1]}, {{"size", Ints{n}}});
    const Value at = b.call("arange", {}, {{"start", Ints{n}}});
    const Value rows = b.cast(b.call("equal", {at, column(b, from)}), dtype);
    const Value upper_factor = b.select(on, row(b, pivots), factors[0]);
    const Value inverse = triangular_solve(b, upper_factor, triangular_solve(b, factors[0], rows, false, true), true);
    const Value scale = b.mul(conjugated(b, det), g.ct());
    return {b.mul(adjoint(b, inverse), column(b, column(b, scale)))};
  }
  static std::vector<Sample> samples() {
    return {matrix_sample({{3, 3}}), matrix_sample({{2, 2, 2}}, DType::Float64),
            matrix_sample({{2, 2}}, DType::Complex64), matrix_sample({{0, 0}})};
  }

 private:
  // x, or -x where an odd number of rows was exchanged.
  static Value times_sign(Builder& b, const Value& x, const Value& pivots) {
    const Value at = b.call("arange", {}, {{"start", Ints{b.dims(pivots).back()}}});
    const Value moved = b.cast(b.call("not_equal", {pivots, at}), DType::Int32);
    const Value count = b.call("reduce_sum", {moved}, {{"axis", Ints{-1}}});
    return b.select(b.call("equal", {b.call("floor_mod", {count, int64_t{2}}), int64_t{1}}), b.neg(x), x);
  }
};
EMBER_OP(Det);

struct Solve {
  static constexpr const char* name = "solve";
  static constexpr const char* primitive = "Solve";
  static constexpr const char* signature = "a: tensor, b: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The x for which a x = b, of square matrices, by LU factorisation. A singular matrix gives numbers that are not "
      "finite.";
  static constexpr const char* numpy = "np.linalg.solve(a, b)";
  static constexpr const char* saves = "a, out";
  static Types infer(const InferCall& c) {
    require_system(c, name);
    return {c.in[1]};
  }
  static void kernel(const KernelCall& c) {
    dispatch_linear(c.out[0].layout->dtype, [&]<class T>() {
      for_each_system<T>(c, [&](const T* a, T* x, const Matrices& of) {
        const Scratch<T> factors(of.rows * of.rows);
        std::copy_n(a, of.rows * of.rows, static_cast<T*>(factors));
        solve_in_place<T>(of.rows, of.columns, factors, x);
      });
    });
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value right = b.call(name, {transposed(b, g.in(0)), g.ct()});
    return {g.needs(0) ? b.neg(times(b, right, transposed(b, g.out()))) : Value(), right};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({{1, 1}, {1, 2}}, DType::Float32, 0.5), matrix_sample({{2, 2}, {2, 1}}, DType::Float64),
            matrix_sample({{3, 1, 1}, {3, 1, 2}}, DType::Complex64, 0.5), matrix_sample({{0, 0}, {0, 2}})};
  }
};
EMBER_OP(Solve);

struct MatrixExp {
  static constexpr const char* name = "matrix_exp";
  static constexpr const char* primitive = "MatrixExp";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The exponential of square matrices, by scaling and squaring a Pade approximant (Higham 2005). What is not "
      "finite "
      "gives NaN.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "input";
  static Types infer(const InferCall& c) {
    require_matrices(c.in[0], name, true);
    return {c.in[0]};
  }
  static void kernel(const KernelCall& c) {
    const Tensor in = to_contiguous(borrow(c.in[0]));
    const Matrices of(in.layout());
    dispatch_linear(in.dtype(), [&]<class T>() {
      for_each_matrix(of, [&](int64_t i) {
        ember::ops::matrix_exp<T>(of.rows, in.data_as<T>() + i * of.size(), c.out[0].as<T>() + i * of.size());
      });
    });
  }
  // The upper right block of exp([A^H, dE; 0, A^H]) (Najfeld and Havel 1995).
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value a = transposed(b, g.in(0));
    const Dims dims = g.in_type(0).dims;
    const auto last = static_cast<int64_t>(dims.size()) - 1;
    const auto join = [&](const Value& x, const Value& y, int64_t axis) {
      const Values parts = {x, y};
      return b.call_all("concat", parts, {{"axis", axis}})[0];
    };
    const Value whole = join(join(a, g.ct(), last), join(b.zeros(g.in_type(0).dtype, dims), a, last), last - 1);
    const Dim n = dims.back();
    const Value exponential = b.call(name, {whole});
    return {slice_axis(b, slice_axis(b, exponential, dims.size() - 2, 0, n), dims.size() - 1, n, n + n)};
  }
  static Values batch(Batch& v) { return batch_matrices(v); }
  static std::vector<Sample> samples() {
    return {matrix_sample({{3, 3}}), matrix_sample({{2, 2, 2}}, DType::Float64),
            matrix_sample({{2, 2}}, DType::Complex64), matrix_sample({{0, 0}})};
  }
};
EMBER_OP(MatrixExp);

}  // namespace
}  // namespace ember::ops
