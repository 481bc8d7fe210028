// Products with weights that are quantised in groups (matmul/quantised_weight.h), and what such weights stand for.
#include "ops/matmul/quantised_weight.h"

#include "ops/kernels/widen.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/table/products.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// A weight's sizes, with attributes from `first` on: transpose_weight, bits. There may be a batch of them.
struct Sizes {
  Dims batch;
  Dim k, n;
};
Sizes sizes_of(const Dims& dims, const Attrs& attrs, size_t first) {
  const Dim row = dims[dims.size() - 2], last = dims[dims.size() - 1] * Dim(attrs.integer(first + 1) == 4 ? 2 : 1);
  return attrs.flag(first) ? Sizes{leading(dims), last, row} : Sizes{leading(dims), row, last};
}

bool same(const Dims& a, const Dims& b) {
  bool all = a.size() == b.size();
  for (size_t d = 0; all && d < a.size(); ++d) all = a[d] == b[d];
  return all;
}

// Of weight, scale and offset; attributes as above.
Sizes check_weight(std::span<const Type> in, const Attrs& attrs, size_t first, std::string_view name) {
  const Type &weight = in[0], &scale = in[1];
  const std::string about = "For '" + std::string(name) + "', ";
  if (weight.dtype != DType::Int8 || weight.dims.size() < 2 || weight.dims.size() > 3)
    type_error(about + "weight must be int8 with 2 or 3 dimensions, but is " + to_string(weight) + ".");
  const int64_t bits = attrs.integer(first + 1);
  if (bits != 4 && bits != 8) value_error(about + "bits must be 4 or 8, but is " + std::to_string(bits) + ".");
  if (!is_float(scale.dtype)) type_error(about + "scale must be of floating point, but is " + to_string(scale) + ".");
  const Sizes sizes = sizes_of(weight.dims, attrs, first);
  const size_t rank = scale.dims.size();
  if (rank != weight.dims.size() || !same(leading(scale.dims), sizes.batch) || scale.dims[rank - 2] < Dim(1) ||
      scale.dims[rank - 1] != sizes.n || sizes.k % scale.dims[rank - 2] != Dim(0)) {
    refuse_operands(name, "scale must have a row for each group of k and the columns of weight", weight, scale);
  }
  if (bits == 4 && attrs.flag(first) && sizes.k / scale.dims[rank - 2] % Dim(2) != Dim(0))
    refuse_operands(name, "groups of a transposed weight of 4 bits must have even sizes", weight, scale);
  if (in[2].is_tensor() && (in[2].dtype != scale.dtype || !same(in[2].dims, scale.dims)))
    refuse_operands(name, "offset must be as scale is", scale, in[2]);
  return sizes;
}

// Calls f with each weight and its number; scale and offset are of T. Attributes as above.
template <class T, class F>
void with_weights(std::span<const View> in, const Attrs& attrs, size_t first, F f) {
  const Tensor weight = to_contiguous(borrow(in[0])), scale = to_contiguous(borrow(in[1]));
  const Tensor offset = in[2].layout ? to_contiguous(borrow(in[2])) : scale;
  const Shape &shape = weight.shape(), &groups = scale.shape();
  const size_t rank = shape.size();
  const int64_t bits = attrs.integer(first + 1), row = shape[rank - 2], last = shape[rank - 1] * 8 / bits;
  const bool transposed = attrs.flag(first);
  const int64_t k = transposed ? last : row, n = transposed ? row : last, scales = groups[rank - 2] * n;
  for (int64_t i = 0; i < (rank == 3 ? shape[0] : 1); ++i) {
    f(QuantisedWeight<T>{weight.data_as<int8_t>() + i * row * shape[rank - 1], scale.data_as<T>() + i * scales,
                         in[2].layout ? offset.data_as<T>() + i * scales : nullptr, n, k,
                         std::max<int64_t>(1, k / groups[rank - 2]), transposed, static_cast<int>(bits)},
      i);
  }
}

Builder::Named named(const Attrs& attrs, size_t first) {
  return {{"transpose_weight", attrs.flag(first)}, {"bits", attrs.integer(first + 1)}};
}

// All operands with a batch axis, which a weight that has one already shares with it.
Values batched_weights(Batch& v, size_t weight) {
  Builder& b = v.b;
  Values in;
  for (size_t i = 0; i < v.operands(); ++i) in.push_back(none(v.in(i)) ? v.in(i) : v.in_batched(i));
  const bool merges = b.dims(in[weight]).size() == 4;
  const auto replaced = [&](const Value& x, size_t drop, const Dims& with) {
    Dims dims = with;
    for (size_t d = drop; d < b.dims(x).size(); ++d) dims.push_back(b.dims(x)[d]);
    return b.reshape(x, dims);
  };
  const Dims two{b.dims(in[weight])[0], b.dims(in[weight])[1]};
  for (Value& x : in) {
    if (merges && !none(x)) x = replaced(x, 2, {two[0] * two[1]});
  }
  const Value out = b.apply(v.op, in, v.attrs)[0];
  return {merges ? replaced(out, 1, two) : out};
}

SampleOperand bytes(Shape shape) { return {shape, DType::Int8, -128, 127}; }
SampleOperand scales(Shape shape, DType dtype = DType::Float32) { return {shape, dtype, 0.25, 1}; }

// Of scale and offset, the last two of three operands from `first` on, from the cotangent of the weight that they make.
void weight_cotangents(Grad& g, size_t first, const Value& ct, const Builder::Named& attrs, Values* out) {
  Builder& b = g.b;
  const Dims dims = b.dims(ct), scales = g.in_type(first + 1).dims;
  const size_t rank = dims.size();
  Dims split = scales;
  split[rank - 1] = dims[rank - 2] / scales[rank - 2];
  split.push_back(dims[rank - 1]);
  const auto of_groups = [&](const Value& x) { return reduce_sum(b, b.reshape(x, split), {rank - 1}, false); };
  if (g.needs(first + 1)) {
    const Value unscaled =
        b.call("dequantised_weight", {g.in(first), b.call("ones_like", {g.in(first + 1)}), g.in(first + 2)}, attrs);
    (*out)[first + 1] = of_groups(b.mul(ct, unscaled));
  }
  if (g.in_type(first + 2).is_tensor() && g.needs(first + 2)) (*out)[first + 2] = b.mul(of_groups(ct), g.in(first + 1));
}

Value exchanged(Builder& b, const Value& x) {
  return b.call("swapaxes", {x}, {{"axis0", int64_t{-2}}, {"axis1", int64_t{-1}}});
}

struct DequantisedWeight {
  static constexpr const char* name = "dequantised_weight";
  static constexpr const char* primitive = "DequantisedWeight";
  static constexpr const char* signature =
      "weight: tensor, scale: tensor, offset: tensor? = None, transpose_weight: bool = False, bits: int = 8 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(weight + offset) * scale as matrices (k, n) in scale's dtype, of weights as weight_quant_matmul takes them.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& call) {
    const Sizes sizes = check_weight(call.in, call.attrs, 3, name);
    Dims dims = sizes.batch;
    dims.push_back(sizes.k);
    dims.push_back(sizes.n);
    return {Type::tensor(call.in[1].dtype, dims)};
  }
  template <class T>
  static void run(const KernelCall& call) {
    with_weights<T>(call.in, call.attrs, 3, [&](const QuantisedWeight<T>& w, int64_t i) {
      dequantise(w, call.out[0].as<T>() + i * w.k * w.n);
    });
  }
  static void kernel(const KernelCall& call) {
    if (call.out[0].layout->numel == 0) return;
    if (call.out[0].layout->dtype == DType::Float64) return run<double>(call);
    run_in_float32(call, &run<float>);
  }
  static constexpr const char* saves = "weight, scale, offset";
  static Values grad(Grad& g) {
    Values out(3);
    weight_cotangents(g, 0, g.ct(), named(g.attrs, 3), &out);
    return out;
  }
  static Values batch(Batch& v) { return batched_weights(v, 0); }
  static std::vector<Sample> samples() {
    return {{{bytes({6, 5}), scales({2, 5}), scales({2, 5})}, {}, {}},
            {{bytes({6, 5}), scales({3, 10}), absent_operand()}, {{"bits", int64_t{4}}}, {}},
            {{bytes({5, 4}), scales({2, 5}), absent_operand()}, {{"transpose_weight", true}}, {}}};
  }
};
EMBER_OP(DequantisedWeight);

struct WeightQuantMatMul {
  static constexpr const char* name = "weight_quant_matmul";
  static constexpr const char* primitive = "WeightQuantBatchMatmul";
  static constexpr const char* signature =
      "x: tensor, weight: tensor, scale: tensor, offset: tensor? = None, transpose_weight: bool = False, bits: int = 8 "
      "-> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "x @ ((weight + offset) * scale), of x (..., k). weight is int8 (k, n), or (n, k) where transposed; with 4 bits "
      "its "
      "last axis is half as long, and a byte holds two signed numbers, the one in its low half first. scale and offset "
      "are (groups, n) in x's dtype, of groups of k / groups consecutive k. weight, scale and offset may have one more "
      "axis, which x begins with as well. Sums are float32, of float64 in that: in each group a chain fma(x, weight + "
      "offset, partial) over k ascending from +0, then over the groups fma(partial, scale, sum) from +0, rounded once.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "x, weight, scale, offset";
  static Types infer(const InferCall& call) {
    const Type &x = call.in[0], &scale = call.in[2];
    const Sizes sizes = check_weight(call.in.subspan(1), call.attrs, 4, name);
    if (x.dtype != scale.dtype) {
      type_error("For '" + std::string(name) + "', x and scale must have one dtype, but are " + to_string(x) + " and " +
                 to_string(scale) + ".");
    }
    const size_t least = sizes.batch.size() + 1;
    if (x.dims.size() < least || x.dims[x.dims.size() - 1] != sizes.k || (least == 2 && x.dims[0] != sizes.batch[0])) {
      refuse_operands(name,
                      "x must begin with the weight's batch, and its last axis have as many elements as there are rows",
                      x, call.in[1]);
    }
    Dims dims = x.dims;
    dims[dims.size() - 1] = sizes.n;
    return {Type::tensor(x.dtype, dims)};
  }
  template <class T>
  static void run(const KernelCall& call) {
    const Tensor x = to_contiguous(borrow(call.in[0]));
    const Shape& weights = call.in[1].layout->shape;
    const int64_t count = weights.size() == 3 ? weights[0] : 1;
    with_weights<T>(call.in.subspan(1), call.attrs, 4, [&](const QuantisedWeight<T>& w, int64_t i) {
      const int64_t m = call.out[0].layout->numel / (w.n * count);
      multiply_quantised(m, x.data_as<T>() + i * m * w.k, w, call.out[0].as<T>() + i * m * w.n);
    });
  }
  static void kernel(const KernelCall& call) {
    if (call.out[0].layout->numel == 0) return;
    if (call.out[0].layout->dtype == DType::Float64) return run<double>(call);
    run_in_float32(call, &run<float>);
  }

  // Rows of x, for each weight of a batch.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    Values out(4);
    const Dims x = g.in_type(0).dims, y = g.out_type(0).dims;
    Dims rows = leading(g.in_type(1).dims);
    rows.push_back(product(x, rows.size(), x.size() - 1));
    const auto as_rows = [&](const Value& v, Dim last) {
      Dims dims = rows;
      dims.push_back(last);
      return b.reshape(v, dims);
    };
    const Value ct = as_rows(g.ct(), y[y.size() - 1]);
    if (g.needs(0)) {
      const Value w = b.call("dequantised_weight", {g.in(1), g.in(2), g.in(3)}, named(g.attrs, 4));
      out[0] = b.reshape(b.call("matmul", {ct, exchanged(b, w)}), x);
    }
    if (!g.needs(2) && !g.needs(3)) return out;
    const Value left = exchanged(b, as_rows(g.in(0), x[x.size() - 1]));
    weight_cotangents(g, 1, b.call("matmul", {left, ct}), named(g.attrs, 4), &out);
    return out;
  }
  static Values batch(Batch& v) {
    const bool shared = !v.batched(1) && !v.batched(2) && !v.batched(3);
    if (!shared || v.b.dims(v.in(1)).size() != 2) return batched_weights(v, 1);
    return v.b.apply(v.op, Values{v.in(0), v.in(1), v.in(2), v.in(3)}, v.attrs);
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 6}}, bytes({6, 5}), scales({2, 5}), scales({2, 5})}, {}, {}},
            {{{{2, 5, 6}}, bytes({6, 5}), scales({3, 10}), absent_operand()}, {{"bits", int64_t{4}}}, {}},
            {{{{4}}, bytes({5, 4}), scales({2, 5}), absent_operand()}, {{"transpose_weight", true}}, {}},
            {{{{1, 8}}, bytes({3, 4}), scales({2, 3}), scales({2, 3})},
             {{"transpose_weight", true}, {"bits", int64_t{4}}},
             {}}};
  }
};
EMBER_OP(WeightQuantMatMul);

}  // namespace
}  // namespace ember::ops
