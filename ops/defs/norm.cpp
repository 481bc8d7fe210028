// Layer normalisation, by a kernel that keeps a row in cache.
#include "ops/kernels/norm.h"

#include <cmath>

#include "ops/kernels/widen.h"
#include "ops/program/rows.h"
#include "ops/program/strided.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

struct FusedMultiplyAdd {
  static constexpr const char* name = "fma";
  static constexpr const char* primitive = "Fma";
  static constexpr const char* signature = "input: number, factor: number, term: number -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
  static constexpr const char* doc = "input * factor + term, rounded once.";
  static constexpr const char* numpy = "input * factor + term";
  static constexpr const char* saves = "input, factor";
  static Ex apply(ExprBuilder&, std::span<const Ex> in, const Attrs&) { return fma(in[0], in[1], in[2]); }
  static Values grad(Grad& g) {
    Values out(3);
    if (g.needs(0)) out[0] = g.unbroadcast(g.b.mul(g.ct(), g.in(1)), 0);
    if (g.needs(1)) out[1] = g.unbroadcast(g.b.mul(g.ct(), g.in(0)), 1);
    if (g.needs(2)) out[2] = g.unbroadcast(g.ct(), 2);
    return out;
  }
  static std::vector<Sample> samples() { return {{{{{3, 4}}, {{4}}, {{3, 1}}}, {}, {}}}; }
};
EMBER_OP(FusedMultiplyAdd);

Value scaled(Builder& b, const Value& normal, const Value& weight, const Value& bias) {
  if (none(weight) && none(bias)) return normal;
  return b.call("fma", {normal, none(weight) ? Value(1.0) : weight, none(bias) ? Value(0.0) : bias});
}

// The axes that a layer normalisation takes together: from begin_norm_axis on.
Axes normalized_axes(const Attrs& attrs, size_t rank, std::string_view name) {
  Axes axes;
  for (size_t d = axis(attrs.integer(3), rank, name); d < rank; ++d) axes.push_back(d);
  return axes;
}

constexpr int64_t kShortRow = 48;
constexpr int64_t kBlock = 4096;  // elements, and so rows, that are taken at a time and stay in L1

template <class T>
struct LayerNormRows {
  const RowKernels<T>& row = row_kernels<T>();
  T eps;
  const T *weight, *bias;

  void operator()(const T* x, T* y, T* mean, T* variance, int64_t rows, int64_t n) const {
    T rstd[kBlock];
    reduce_rows(ReduceKind::Sum, dtype_of<T>, x, rows, n, mean);
    for (int64_t r = 0; r < rows; ++r) mean[r] /= static_cast<T>(n);
    square_sums(x, mean, y, rows, n, variance);
    for (int64_t r = 0; r < rows; ++r) variance[r] /= static_cast<T>(n);
    for (int64_t r = 0; r < rows; ++r) rstd[r] = T{1} / std::sqrt(variance[r] + eps);
    row.normalize(x, mean, rstd, weight, bias, y, rows, n);
  }

 private:
  // By way of y where rows are short, or of several chunks. Else the next row is prefetched.
  void square_sums(const T* x, const T* mean, T* y, int64_t rows, int64_t n, T* sums) const {
    if (n < kShortRow || n > kReduceChunk) {
      row.squares(x, mean, y, rows, n);
      return reduce_rows(ReduceKind::Sum, dtype_of<T>, y, rows, n, sums);
    }
    const auto block = static_cast<uintptr_t>(rows * n) * sizeof(T);
    for (int64_t r = 0; r < rows; ++r) sums[r] = row.square_sum(x + r * n, mean[r], n, block);
  }
};

template <class T>
Tensor parameter(const View& v, int64_t n, T missing) {
  if (v.layout) return to_contiguous(borrow(v));
  const Tensor t = Tensor::empty(dtype_of<T>, {n});
  std::fill_n(t.data_as<T>(), n, missing);
  return t;
}

template <class T>
void normalize_rows(const KernelCall& call, int64_t n) {
  const Tensor x = to_contiguous(borrow(call.in[0]));
  const bool plain = !call.in[1].layout && !call.in[2].layout;
  const Tensor weight = parameter<T>(call.in[1], n, 1), bias = parameter<T>(call.in[2], n, 0);
  const LayerNormRows<T> rows{.eps = static_cast<T>(call.attrs.number(5)),
                              .weight = plain ? nullptr : weight.data_as<T>(),
                              .bias = bias.data_as<T>()};
  for_each_block(x.numel() / n, n, kBlock, 16384, [&](int64_t first, int64_t count) {
    rows(x.data_as<T>() + first * n, call.out[0].as<T>() + first * n, call.out[1].as<T>() + first,
         call.out[2].as<T>() + first, count, n);
  });
}

void run_layer_norm(const KernelCall& call) {
  const Layout& x = *call.in[0].layout;
  if (is_half_dtype(x.dtype)) return run_in_float32(call, &run_layer_norm);
  int64_t n = 1;
  for (size_t d : normalized_axes(call.attrs, x.rank(), "layer_norm")) n *= x.shape[d];
  if (x.numel == 0) return fill_statistics(call, NAN);
  x.dtype == DType::Float32 ? normalize_rows<float>(call, n) : normalize_rows<double>(call, n);
}

struct LayerNormStatistics {
  static constexpr const char* name = "layer_norm_with_statistics";
  static constexpr const char* primitive = "LayerNorm";
  static constexpr const char* signature =
      "input_x: tensor, gamma: tensor? = None, beta: tensor? = None, begin_norm_axis: int = 1, begin_params_axis: int "
      "= 1, "
      "epsilon: float = 1e-07 -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Layer normalisation over the axes from `begin_norm_axis` on, with the mean and variance that it used.";
  static constexpr const char* numpy =
      "(lambda a, m, v: ((input_x - m) / np.sqrt(v + epsilon) * (1 if gamma is None else gamma) + (0 if beta is None "
      "else "
      "beta), m, v))(*(lambda a: (a, input_x.mean(a, keepdims=True), input_x.var(a, keepdims=True)))(tuple(range("
      "begin_norm_axis % input_x.ndim, input_x.ndim))))";
  static constexpr const char* saves = "input_x, gamma, out1, out2";

  static Types infer(const InferCall& call) {
    const Type& x = call.in[0];
    check_float(name, x, call.in.subspan(1));
    const size_t rank = x.dims.size();
    const Axes axes = normalized_axes(call.attrs, rank, name);
    if (axis(call.attrs.integer(4), rank, name) != axes[0]) {
      refuse_norm(name, "begin_params_axis must be begin_norm_axis", x);
    }
    for (size_t i : {1, 2}) {
      if (!call.in[i].is_tensor()) continue;
      bool fits = call.in[i].dims.size() == axes.size();
      for (size_t d = 0; fits && d < axes.size(); ++d) fits = call.in[i].dims[d] == x.dims[axes[d]];
      if (!fits)
        refuse_norm(name, "gamma and beta must have the shape of the normalised axes, not " + to_string(call.in[i]), x);
    }
    const Type statistics = Type::tensor(x.dtype, reduced_dims(x.dims, axes, true));
    return {x, statistics, statistics};
  }
  static void kernel(const KernelCall& call) { run_layer_norm(call); }

  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type type = b.type(in[0]);
    const Axes axes = normalized_axes(attrs, type.dims.size(), name);
    const Value x = widened(b, in[0]);
    const Value mean = mean_of(b, x, axes, true);
    const Value variance = variance_of(b, x, mean, axes, 0, true);
    const Value normal = b.mul(b.sub(x, mean), reciprocal_deviation(b, variance, attrs.number(5)));
    Values out{scaled(b, normal, widened(b, in[1]), widened(b, in[2])), mean, variance};
    for (Value& v : out) v = narrowed(b, v, type.dtype);
    return out;
  }

  // With h = (x - mean) * rstd and u = ct * gamma: dx = rstd * (u - mean(u) - h * mean(u h)), and the statistics' own.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Type& type = g.in_type(0);
    const Axes axes = normalized_axes(g.attrs, type.dims.size(), name);
    Axes leading;
    for (size_t d = 0; d < axes[0]; ++d) leading.push_back(d);
    const Value ct = widened(b, g.ct());
    const Value centred = b.sub(widened(b, g.in(0)), widened(b, g.out(1)));
    const Value rstd = reciprocal_deviation(b, widened(b, g.out(2)), g.attrs.number(5));
    const Value h = b.mul(centred, rstd);
    Values out(3);
    if (g.needs(1) && !none(g.in(1))) out[1] = reduce_sum(b, b.mul(ct, h), leading, false);
    if (g.needs(2) && g.in_type(2).is_tensor()) out[2] = reduce_sum(b, ct, leading, false);
    for (size_t i : {1, 2}) out[i] = narrowed(b, out[i], g.in_type(i).dtype);
    if (!g.needs(0)) return out;
    const Value u = none(g.in(1)) ? ct : b.mul(ct, widened(b, g.in(1)));
    const Value mean_u = mean_of(b, u, axes, true), mean_uh = mean_of(b, b.mul(u, h), axes, true);
    out[0] = b.mul(rstd, b.sub(b.sub(u, mean_u), b.mul(h, mean_uh)));
    if (g.flows(1) || g.flows(2)) {
      const Value n = b.size(reduced_count(type.dims, axes));
      const Value statistics = b.add(widened(b, g.ct(1)), b.mul(b.mul(widened(b, g.ct(2)), 2.0), centred));
      out[0] = b.add(out[0], b.div(statistics, n));
    }
    out[0] = narrowed(b, out[0], type.dtype);
    return out;
  }

  static Values batch(Batch& batch) {
    Builder& b = batch.b;
    const size_t rank = b.dims(batch.in(0)).size() - (batch.batched(0) ? 1 : 0);
    const auto begin = static_cast<int64_t>(axis(batch.attrs.integer(3), rank, name));
    Attrs attrs = batch.attrs;
    attrs.set(3, begin + 1);
    attrs.set(4, begin + 1);
    const Value x = batch.in_batched(0);
    if (!batch.batched(1) && !batch.batched(2)) {
      return b.apply(batch.op, std::array{x, batch.in(1), batch.in(2)}, attrs);
    }
    const DType dtype = b.type(x).dtype;
    const bool half = is_half_dtype(dtype);
    const auto wide = [&](const Value& v) { return half && !none(v) ? b.cast(v, DType::Float32) : v; };
    Values out = b.apply(batch.op, std::array{wide(x), Value(), Value()}, attrs);
    const auto aligned = [&](size_t i) {
      if (!batch.batched(i)) return wide(batch.in(i));
      Dims dims = b.dims(batch.in(i));
      for (int64_t d = 0; d < begin; ++d) dims.insert(1, 1);
      return wide(b.reshape(batch.in(i), dims));
    };
    out[0] = scaled(b, out[0], aligned(1), aligned(2));
    for (Value& v : out) v = half ? b.cast(v, dtype) : v;
    return out;
  }

  static std::vector<Sample> samples() {
    return {{{{{3, 5}}, {{5}}, {{5}}}, {}, {}},
            {{{{2, 3, 4}}, {{3, 4}}, absent_operand()}, {}, {}},
            {{{{2, 1500}}, absent_operand(), absent_operand()}, {}, {}},
            {{{{2, 3, 4}}, {{4}}, {{4}}}, {{"begin_norm_axis", int64_t{-1}}, {"begin_params_axis", int64_t{-1}}}, {}},
            {{{{3, 5}, DType::Float16}, {{5}, DType::Float16}, {{5}, DType::Float16}}, {}, {}}};
  }
};
EMBER_OP(LayerNormStatistics);

struct LayerNorm {
  static constexpr const char* name = "layer_norm";
  static constexpr const char* primitive = "LayerNormExt";
  static constexpr const char* signature =
      "input: tensor, normalized_shape: ints, weight: tensor? = None, bias: tensor? = None, eps: float = 1e-05 -> "
      "tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(input - mean) / sqrt(var + eps) over the last axes, whose sizes are `normalized_shape`, times `weight` plus "
      "`bias`.";
  static constexpr const char* numpy =
      "(lambda a: (input - input.mean(a, keepdims=True)) / np.sqrt(input.var(a, keepdims=True) + eps) * (1 if weight "
      "is None "
      "else weight) + (0 if bias is None else bias))(tuple(range(-len(normalized_shape), 0)))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type x = b.type(in[0]);
    const Ints& shape = attrs.ints(1);
    bool fits = !shape.empty() && shape.size() <= x.dims.size();
    const size_t begin = x.dims.size() - std::min(x.dims.size(), shape.size());
    for (size_t d = 0; fits && d < shape.size(); ++d) fits = x.dims[begin + d] == shape[d];
    if (!fits) refuse_norm(name, "normalized_shape must be the last sizes of the input", x);
    const Op& full = op("LayerNorm");
    return {b.apply(full, in,
                    make_attrs(full, {{"begin_norm_axis", static_cast<int64_t>(begin)},
                                      {"begin_params_axis", static_cast<int64_t>(begin)},
                                      {"epsilon", attrs.number(4)}}))[0]};
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 5}}, {{5}}, {{5}}}, {{"normalized_shape", Ints{5}}}, {}},
            {{{{2, 3, 4}}, absent_operand(), absent_operand()}, {{"normalized_shape", Ints{3, 4}}}, {}}};
  }
};
EMBER_OP(LayerNorm);

}  // namespace
}  // namespace ember::ops
