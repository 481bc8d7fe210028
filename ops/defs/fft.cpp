// Discrete Fourier transforms along one axis (ops/kernels/fft.h): of complex numbers, of real ones to the first half of
// their Hermitian result, and of such a half to real ones. Other transforms are compositions of them. `norm` says which
// way has the factor 1 / n: "backward" the inverse, "forward" the other, "ortho" a root of it both. Gradients are
// transforms the other way with the same factor, which is the other norm's, weighted as the halves count.
#include "ops/kernels/fft.h"

#include <cmath>

#include "ops/kernels/widen.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

constexpr size_t kAxis = 1, kInverse = 2, kNorm = 3, kSize = 4;

std::string opposite(const std::string& norm) {
  return norm == "backward" ? "forward" : norm == "forward" ? "backward" : norm;
}

void check_norm(const std::string& norm, std::string_view name) {
  if (norm == "backward" || norm == "forward" || norm == "ortho") return;
  value_error(about(name) + "'norm' must be 'backward', 'forward' or 'ortho', but got '" + norm + "'.");
}

double factor(const Attrs& attrs, int64_t n) {
  const std::string& norm = attrs.text(kNorm);
  const auto count = static_cast<double>(n);
  if (norm == "ortho") return 1 / std::sqrt(count);
  return (norm == "backward") == attrs.flag(kInverse) ? 1 / count : 1.0;
}

[[noreturn]] void wrong_type(const Type& x, const char* wanted, std::string_view name) {
  type_error(about(name) + "'input' must be of " + wanted + ", but is " + to_string(x) + ".");
}

size_t transformed_axis(const Type& x, const Attrs& attrs, std::string_view name) {
  check_norm(attrs.text(kNorm), name);
  if (x.dims.empty()) value_error(about(name) + "'input' must have an axis, but is " + to_string(x) + ".");
  const size_t at = axis(attrs.integer(kAxis), x.dims.size(), name);
  if (x.dims[at] == Dim(0))
    value_error(about(name) + "there is nothing to transform: 'input' is " + to_string(x) + ".");
  return at;
}

// Calls f with data, extents and the factor. `whole` has all n numbers along the axis.
template <class F>
void transform(const KernelCall& c, const View& whole, F f) {
  const Tensor in = to_contiguous(borrow(c.in[0]));
  const Shape& shape = in.shape();
  const size_t at = axis(c.attrs.integer(kAxis), shape.size(), "fft");
  const int64_t n = whole.layout->shape[at];
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < at; ++d) outer *= shape[d];
  for (size_t d = at + 1; d < shape.size(); ++d) inner *= shape[d];
  if (outer * inner == 0) return;
  const auto run = [&]<class T>() {
    f(in.data_as<T>(), c.out[0].as<T>(), outer, n, inner, static_cast<T>(factor(c.attrs, n)));
  };
  if (part_dtype(in.dtype()) == DType::Float32) return run.template operator()<float>();
  run.template operator()<double>();
}

template <class T>
std::complex<T>* complex_data(T* parts) {
  return reinterpret_cast<std::complex<T>*>(parts);
}

// The gradient's transform: the other way, with the same factor.
Value adjoint(Grad& g, const char* op, const Value& x, const Builder::Named& more = {}) {
  Builder::Named attrs = {
      {"axis", g.attrs.integer(kAxis)}, {"inverse", !g.attrs.flag(kInverse)}, {"norm", opposite(g.attrs.text(kNorm))}};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return g.b.call(op, {x}, attrs);
}

// x of n / 2 + 1 numbers along an axis, those times `factor` that stand for two of n.
Value weighted(Builder& b, const Value& x, size_t axis, Dim n, double factor) {
  const Dims dims = b.dims(x);
  const Value at = b.call("arange", {}, {{"start", Ints{dims[axis]}}});
  const Value ends =
      b.call("logical_or", {b.call("equal", {at, int64_t{0}}), b.call("equal", {b.mul(at, int64_t{2}), b.size(n)})});
  const Value weights = b.cast(b.select(ends, 1.0, factor), part_dtype(b.type(x).dtype));
  Dims along(dims.size(), Dim(1));
  along[axis] = dims[axis];
  return b.mul(x, b.reshape(weights, along));
}

Values batch_transform(Batch& v) {
  Attrs attrs = v.attrs;
  const size_t rank = v.b.dims(v.in(0)).size() - 1;
  attrs.set(kAxis, static_cast<int64_t>(axis(attrs.integer(kAxis), rank, v.op.name)) + 1);
  return v.b.apply(v.op, {{v.in(0)}}, attrs);
}

Sample transform_sample(const Shape& shape, DType dtype, int64_t axis, bool inverse, const char* norm) {
  return {{{shape, dtype}}, {{"axis", axis}, {"inverse", inverse}, {"norm", std::string(norm)}}, {}};
}

struct FftComplex {
  static constexpr const char* name = "fft_complex";
  static constexpr const char* primitive = "FftComplex";
  static constexpr const char* signature =
      "input: tensor, axis: int = -1, inverse: bool = False, norm: str = 'backward' -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The discrete Fourier transform of complex numbers along an axis: sum over j of input[j] exp(-2 pi i j k / n), "
      "or "
      "with exp(2 pi i j k / n) if inverse.";
  static constexpr const char* numpy = "(np.fft.ifft if inverse else np.fft.fft)(input, axis=axis, norm=norm)";
  static Types infer(const InferCall& c) {
    if (!is_complex(c.in[0].dtype)) wrong_type(c.in[0], "complex64 or complex128", name);
    transformed_axis(c.in[0], c.attrs, name);
    return {c.in[0]};
  }
  static void kernel(const KernelCall& c) {
    transform(c, c.in[0], [&]<class T>(T* in, T* out, int64_t outer, int64_t n, int64_t inner, T scale) {
      fft_complex(complex_data(in), complex_data(out), outer, n, inner, c.attrs.flag(kInverse), scale);
    });
  }
  static Values grad(Grad& g) { return {adjoint(g, "fft_complex", g.ct())}; }
  static Values batch(Batch& v) { return batch_transform(v); }
  static std::vector<Sample> samples() {
    return {transform_sample({3, 8}, DType::Complex64, -1, false, "backward"),
            transform_sample({7, 2}, DType::Complex64, 0, true, "backward"),
            transform_sample({2, 6, 3}, DType::Complex128, 1, false, "ortho"),
            transform_sample({17}, DType::Complex64, 0, true, "forward")};
  }
};
EMBER_OP(FftComplex);

struct FftReal {
  static constexpr const char* name = "fft_real";
  static constexpr const char* primitive = "FftReal";
  static constexpr const char* signature = FftComplex::signature;
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The first n // 2 + 1 numbers of the discrete Fourier transform of n real ones along an axis; the others are "
      "their "
      "conjugates.";
  static constexpr const char* numpy =
      "np.conj(np.fft.rfft(input, axis=axis, norm={'backward': 'forward', 'forward': 'backward'}.get(norm, norm))) if "
      "inverse else np.fft.rfft(input, axis=axis, norm=norm)";
  static Types infer(const InferCall& c) {
    const Type& x = c.in[0];
    if (x.dtype != DType::Float32 && x.dtype != DType::Float64) wrong_type(x, "float32 or float64", name);
    const size_t at = transformed_axis(x, c.attrs, name);
    Dims dims = x.dims;
    dims[at] = x.dims[at] / Dim(2) + Dim(1);
    return {Type::tensor(complex_dtype(x.dtype), dims)};
  }
  static void kernel(const KernelCall& c) {
    transform(c, c.in[0], [&]<class T>(T* in, T* out, int64_t outer, int64_t n, int64_t inner, T scale) {
      fft_real(in, complex_data(out), outer, n, inner, c.attrs.flag(kInverse), scale);
    });
  }
  static Values grad(Grad& g) {
    const Dims& dims = g.in_type(0).dims;
    const size_t at = axis(g.attrs.integer(kAxis), dims.size(), name);
    const Value ct = weighted(g.b, g.ct(), at, dims[at], 0.5);
    return {adjoint(g, "fft_half", ct, {{"size", Ints{dims[at]}}})};
  }
  static Values batch(Batch& v) { return batch_transform(v); }
  static std::vector<Sample> samples() {
    return {transform_sample({3, 8}, DType::Float32, -1, false, "backward"),
            transform_sample({7, 2}, DType::Float32, 0, true, "backward"),
            transform_sample({2, 6, 3}, DType::Float64, 1, false, "ortho"),
            transform_sample({17}, DType::Float32, 0, true, "forward")};
  }
};
EMBER_OP(FftReal);

struct FftHalf {
  static constexpr const char* name = "fft_half";
  static constexpr const char* primitive = "FftHalf";
  static constexpr const char* signature =
      "input: tensor, axis: int = -1, inverse: bool = False, norm: str = 'backward', size: ints? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::VariesWithIsa;
  static constexpr const char* doc =
      "The discrete Fourier transform, which is real, of `size` complex numbers along an axis, of which the first size "
      "// "
      "2 + 1 are given and the others their conjugates.";
  static constexpr const char* numpy =
      "np.fft.irfft(input, np.ravel(size)[0], axis=axis, norm=norm) if inverse else np.fft.irfft(np.conj(input), "
      "np.ravel(size)[0], axis=axis, norm={'backward': 'forward', 'forward': 'backward'}.get(norm, norm))";
  static Types infer(const InferCall& c) {
    const Type& x = c.in[0];
    if (!is_complex(x.dtype)) wrong_type(x, "complex64 or complex128", name);
    const size_t at = transformed_axis(x, c.attrs, name);
    const Ints size = c.attrs.has(kSize) ? c.attrs.ints(kSize) : Ints();
    if (size.size() != 1 || size[0] < Dim(1) || size[0] / Dim(2) + Dim(1) != x.dims[at]) {
      value_error(about(name) + "'size' must be one number whose half and 1 is the size of the axis: 'input' is " +
                  to_string(x) + ".");
    }
    Dims dims = x.dims;
    dims[at] = size[0];
    return {Type::tensor(part_dtype(x.dtype), dims)};
  }
  static void kernel(const KernelCall& c) {
    transform(c, c.out[0], [&]<class T>(T* in, T* out, int64_t outer, int64_t n, int64_t inner, T scale) {
      fft_half(complex_data(in), out, outer, n, inner, c.attrs.flag(kInverse), scale);
    });
  }
  static Values grad(Grad& g) {
    const size_t at = axis(g.attrs.integer(kAxis), g.in_type(0).dims.size(), name);
    return {weighted(g.b, adjoint(g, "fft_real", g.ct()), at, g.attrs.ints(kSize)[0], 2.0)};
  }
  static Values batch(Batch& v) { return batch_transform(v); }
  static std::vector<Sample> samples() {
    const auto of = [](const Shape& shape, int64_t axis, bool inverse, const char* norm, int64_t size,
                       DType dtype = DType::Complex64) {
      Sample sample = transform_sample(shape, dtype, axis, inverse, norm);
      sample.attrs.emplace_back("size", Ints{size});
      return sample;
    };
    return {of({3, 5}, -1, true, "backward", 8), of({4, 2}, 0, false, "backward", 7),
            of({2, 4, 3}, 1, true, "ortho", 6, DType::Complex128), of({9}, 0, false, "forward", 17)};
  }
};
EMBER_OP(FftHalf);

}  // namespace
}  // namespace ember::ops
