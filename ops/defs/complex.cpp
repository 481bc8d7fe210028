// Complex numbers and their parts. A complex tensor's memory holds pairs (re, im), so real, imag and view_as_real are
// views, and so is view_as_complex of pairs that lie next to each other.
#include "ops/expr/complex.h"
#include "ops/program/strided.h"
#include "ops/table/elementwise.h"
#include "ops/table/movement.h"
#include "ops/table/simplify.h"

namespace ember::ops {
namespace {

SampleOperand complex_sample(const Shape& shape) { return {.shape = shape, .dtype = DType::Complex64}; }

std::vector<Sample> complex_samples() {
  return {{{complex_sample({2, 3, 5})}, {}, {}},
          {{complex_sample({})}, {}, {}},
          {{complex_sample({0, 3})}, {}, {}},
          {{{{70}, DType::Complex128}}, {}, {}}};
}

void require_complex(const Type& type, std::string_view name) {
  if (is_complex(type.dtype)) return;
  type_error(about(name) + "'input' must be complex, but is " + to_string(type) + ".");
}

Value complex_of(Builder& b, const Value& re, const Value& im) { return b.call("complex", {re, im}); }

struct Complex : BinaryOp {
  static constexpr const char* name = "complex";
  static constexpr const char* primitive = "Complex";
  static constexpr const char* signature = "real: number, imag: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc =
      "real + imag * i, elementwise with broadcasting: complex128 of float64, else complex64. Complex operands are a "
      "TypeError.";
  static constexpr const char* numpy = "real + 1j * np.asarray(imag)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (is_complex(in[0].dtype())) throw NotOfComplex();
    return complex(in[0], in[1]);
  }
  static Values grad(Grad& g) {
    return {g.needs(0) ? g.unbroadcast(g.b.call("real", {g.ct()}), 0) : Value(),
            g.needs(1) ? g.unbroadcast(g.b.call("imag", {g.ct()}), 1) : Value()};
  }
  static std::vector<Sample> samples() { return binary_samples(-2, 2, {DType::Float64, DType::Int32}); }
};
EMBER_OP(Complex);

struct Conj : UnaryOp {
  static constexpr const char* name = "conj";
  static constexpr const char* primitive = "Conj";
  static constexpr const char* doc = "The complex conjugate, re - im * i; of real numbers themselves.";
  static constexpr const char* numpy = "np.conj(input)";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return conj(in[0]); }
  static Values grad(Grad& g) { return {g.conj(g.ct())}; }
  static void simplify(Simplify& s) {
    if (s.same_op(0)) return s.undoes(0);
    if (!is_complex(s.out_type().dtype)) s.equals(0);
  }
  static std::vector<Sample> samples() {
    auto all = complex_samples();
    all.push_back({{sample_of({3, 4})}, {}, {}});
    return all;
  }
};
EMBER_OP(Conj);

// One of the parts, 0 or 1.
struct PartOp : UnaryOp {
  static std::vector<Sample> samples() { return complex_samples(); }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }

 protected:
  static Types part_type(const InferCall& c, std::string_view name) {
    require_complex(c.in[0], name);
    return {Type::tensor(part_dtype(c.in[0].dtype), c.in[0].dims)};
  }
  static bool part_view(const Layout& in, int part, LayoutRef* out, int64_t* offset) {
    *out = layout(part_dtype(in.dtype), in.shape, part_strides(in.strides));
    *offset = in.numel == 0 ? 0 : part * static_cast<int64_t>(itemsize(part_dtype(in.dtype)));
    return true;
  }
};

struct Real : PartOp {
  static constexpr const char* name = "real";
  static constexpr const char* primitive = "Real";
  static constexpr const char* doc = "The real part of a complex tensor. A view.";
  static constexpr const char* numpy = "np.real(input)";
  static Types infer(const InferCall& c) { return part_type(c, name); }
  static bool view(const Layout& in, const Attrs&, LayoutRef* out, int64_t* offset) {
    return part_view(in, 0, out, offset);
  }
  static Value written(Builder& b, const Value& in, const Value& view, const Attrs&) {
    return complex_of(b, view, b.call("imag", {in}));
  }
  static Values grad(Grad& g) { return {g.b.cast(g.ct(), g.in_type(0).dtype)}; }
};
EMBER_OP(Real);

struct Imag : PartOp {
  static constexpr const char* name = "imag";
  static constexpr const char* primitive = "Imag";
  static constexpr const char* doc = "The imaginary part of a complex tensor. A view.";
  static constexpr const char* numpy = "np.imag(input)";
  static Types infer(const InferCall& c) { return part_type(c, name); }
  static bool view(const Layout& in, const Attrs&, LayoutRef* out, int64_t* offset) {
    return part_view(in, 1, out, offset);
  }
  static Value written(Builder& b, const Value& in, const Value& view, const Attrs&) {
    return complex_of(b, b.call("real", {in}), view);
  }
  static Values grad(Grad& g) { return {complex_of(g.b, 0.0, g.ct())}; }
};
EMBER_OP(Imag);

struct ViewAsReal : PartOp {
  static constexpr const char* name = "view_as_real";
  static constexpr const char* primitive = "ViewAsReal";
  static constexpr const char* doc = "A complex tensor's parts along a new last axis of 2. A view.";
  static constexpr const char* numpy = "np.stack([np.real(input), np.imag(input)], -1)";
  static Types infer(const InferCall& c) {
    require_complex(c.in[0], name);
    if (c.in[0].dims.size() == kMaxRank) value_error(about(name) + "'input' has too many dimensions for one more.");
    Dims dims = c.in[0].dims;
    dims.push_back(2);
    return {Type::tensor(part_dtype(c.in[0].dtype), dims)};
  }
  static bool view(const Layout& in, const Attrs&, LayoutRef* out, int64_t* offset) {
    Shape shape = in.shape, strides = part_strides(in.strides);
    shape.push_back(2);
    strides.push_back(1);
    *out = layout(part_dtype(in.dtype), shape, strides);
    *offset = 0;
    return true;
  }
  static Value written(Builder& b, const Value&, const Value& view, const Attrs&) {
    return b.call("view_as_complex", {view});
  }
  static Values grad(Grad& g) { return {g.b.call("view_as_complex", {g.ct()})}; }
};
EMBER_OP(ViewAsReal);

struct ViewAsComplex : UnaryOp {
  static constexpr const char* name = "view_as_complex";
  static constexpr const char* primitive = "ViewAsComplex";
  static constexpr const char* doc =
      "The complex numbers whose parts lie along the last axis, of size 2. A view where the parts of each are next to "
      "each other.";
  static constexpr const char* numpy = "input[..., 0] + 1j * input[..., 1]";
  static Types infer(const InferCall& c) {
    const Type& x = c.in[0];
    if ((x.dtype != DType::Float32 && x.dtype != DType::Float64) || x.dims.empty() || x.dims.back() != Dim(2)) {
      type_error(about(name) + "'input' must be of float32 or float64 with a last axis of size 2, but is " +
                 to_string(x) + ".");
    }
    Dims dims = x.dims;
    dims.erase(dims.size() - 1);
    return {Type::tensor(complex_dtype(x.dtype), dims)};
  }
  static bool view(const Layout& in, const Attrs&, LayoutRef* out, int64_t* offset) {
    Shape shape = in.shape, strides;
    shape.erase(shape.size() - 1);
    bool pairs = in.strides.back() == 1;
    for (size_t d = 0; d < shape.size(); ++d) {
      pairs = pairs && (in.strides[d] % 2 == 0 || shape[d] <= 1);
      strides.push_back(in.strides[d] / 2);
    }
    if (!pairs) return false;
    *out = layout(complex_dtype(in.dtype), shape, strides);
    *offset = 0;
    return true;
  }
  static void kernel(const KernelCall& c) {
    const LayoutRef parts = layout(c.in[0].layout->dtype, c.in[0].layout->shape);
    copy_view(c.in[0], {c.out[0].data, parts.get()});
  }
  static Value written(Builder& b, const Value&, const Value& view, const Attrs&) {
    return b.call("view_as_real", {view});
  }
  static Values grad(Grad& g) { return {g.b.call("view_as_real", {g.ct()})}; }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{sample_of({3, 2})}, {}, {}},
            {{sample_of({2})}, {}, {}},
            {{sample_of({2, 3, 2}, -2, 2, DType::Float64)}, {}, {}}};
  }
};
EMBER_OP(ViewAsComplex);

struct Atan2 : BinaryOp {
  static constexpr const char* name = "atan2";
  static constexpr const char* primitive = "Atan2";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc =
      "The angle of the points (other, input) in radians, within (-pi, pi], elementwise with broadcasting; signs of "
      "zero as in C. Integers give float32.";
  static constexpr const char* numpy = "np.arctan2(input, other)";
  static constexpr const char* saves = "input, other";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) { return binary(Verb::Atan2, in[0], in[1]); }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value square = b.add(b.mul(g.in(0), g.in(0)), b.mul(g.in(1), g.in(1)));
    const Value scaled = b.select(b.call("equal", {square, 0.0}), 0.0, b.div(g.ct(), square));
    return {g.needs(0) ? g.unbroadcast(b.mul(scaled, g.in(1)), 0) : Value(),
            g.needs(1) ? g.unbroadcast(b.neg(b.mul(scaled, g.in(0))), 1) : Value()};
  }
  static std::vector<Sample> samples() { return binary_samples(-2, 2, {DType::Float16, DType::Float64}); }
};
EMBER_OP(Atan2);

struct Hypot : BinaryOp {
  static constexpr const char* name = "hypot";
  static constexpr const char* primitive = "Hypot";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc =
      "sqrt(input^2 + other^2) without overflow, elementwise with broadcasting. Integers give float32.";
  static constexpr const char* numpy = "np.hypot(input, other)";
  static constexpr const char* saves = "input, other, out";
  static Ex apply(ExprBuilder&, Exs in, const Attrs&) {
    if (is_complex(in[0].dtype())) throw NotOfComplex();
    return hypot(in[0], in[1]);
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value scaled = b.div(g.ct(), g.out());
    return {g.needs(0) ? g.unbroadcast(b.mul(scaled, g.in(0)), 0) : Value(),
            g.needs(1) ? g.unbroadcast(b.mul(scaled, g.in(1)), 1) : Value()};
  }
  static std::vector<Sample> samples() { return binary_samples(0.5, 3, {DType::Float16, DType::Float64}); }
};
EMBER_OP(Hypot);

struct Angle {
  static constexpr const char* name = "angle";
  static constexpr const char* primitive = "Angle";
  static constexpr const char* signature = "input: tensor -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The angle of complex numbers in radians, within (-pi, pi]; of real numbers 0, or pi below zero.";
  static constexpr const char* numpy = "np.angle(input)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs&) {
    if (!is_complex(b.type(in[0]).dtype)) return {b.call("atan2", {0.0, in[0]})};
    return {b.call("atan2", {b.call("imag", {in[0]}), b.call("real", {in[0]})})};
  }
  static std::vector<Sample> samples() { return Conj::samples(); }
};
EMBER_OP(Angle);

}  // namespace
}  // namespace ember::ops
