// Ops that reduce: the kernels of reduce.h under MindSpore's primitive names, and the functions composed from them,
// which differ in the result's dtype and in the spelling of their parameters.
#include <algorithm>
#include <cmath>

#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/program/reduce.h"
#include "ops/table/elementwise.h"
#include "ops/table/rules.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr size_t kAxis = 1, kKeep = 2, kDtype = 3;

template <ReduceKind K>
Types infer_reduction(const InferCall& call, std::string_view name) {
  const Type& x = call.in[0];
  const Axes axes = reduced_axes(call.attrs, kAxis, x.dims.size(), name);
  if constexpr (K == ReduceKind::Max || K == ReduceKind::Min) {
    refuse_complex(x, name);
    if (reduced_count(x.dims, axes) == Dim(0)) {
      value_error("For '" + std::string(name) + "', an axis to reduce has no elements: input is " + to_string(x) + ".");
    }
  }
  const DType dtype = K == ReduceKind::All || K == ReduceKind::Any ? DType::Bool : x.dtype;
  return {Type::tensor(dtype, reduced_dims(x.dims, axes, call.attrs.flag(kKeep)))};
}

template <ReduceKind K>
void run_reduction(const KernelCall& call) {
  const Axes axes = reduced_axes(call.attrs, kAxis, call.in[0].layout->rank(), "reduce");
  reduce(K, call.in[0], axes, call.out[0].layout->dtype, call.out[0].data);
}

// A product of which parts overflow before a zero comes is NaN out of order; such are made one by one, from the first
// on. One with a NaN among its factors, which the largest of them tells, is NaN in any order.
template <class T>
void multiply_in_order(const View& x, const Axes& axes, T* out) {
  using N = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
  StridedDims kept, reduced;
  for (size_t d = 0; d < x.layout->rank(); ++d)
    (contains(axes, d) ? reduced : kept).add(x.layout->shape[d], x.layout->strides[d]);
  const int64_t results = kept.count(), factors = reduced.count();
  const auto is_nan = [](T number) { return std::isnan(static_cast<N>(number)); };
  if (std::none_of(out, out + results, is_nan)) return;
  const Scratch<T> largest(results);
  reduce(ReduceKind::Max, x, axes, x.layout->dtype, largest);
  parallel_for(results, std::max<int64_t>(1, (1 << 15) / factors), [&](int64_t begin, int64_t end) {
    StridedIterator result(kept), element(reduced);
    for (int64_t i = begin; i < end; ++i) {
      if (!is_nan(out[i]) || is_nan(largest[i])) continue;
      result.move_to(i);
      element.seek(0);
      N product(1);
      for (int64_t k = 0; k < factors && product == product; ++k) {
        element.move_to(k);
        product *= static_cast<N>(x.as<const T>()[result.offset() + element.offset()]);
      }
      out[i] = static_cast<T>(product);
    }
  });
}

// With the batch axis in front every reduced axis moves up by one.
Values batch_reduction(Batch& batch) {
  const size_t rank = batch.b.dims(batch.in(0)).size() - 1;
  const Axes axes = reduced_axes(batch.attrs, kAxis, rank, batch.op.name);
  if (axes.empty() && rank == 0) return {batch.in(0)};
  Attrs attrs = batch.attrs;
  attrs.set(kAxis, to_ints(axes, 1));
  return batch.b.apply(batch.op, std::array{batch.in(0)}, attrs);
}

Axes axes_of(Grad& g) { return reduced_axes(g.attrs, kAxis, g.in_type(0).dims.size(), g.op.name); }

Sample reduction_sample(const Shape& shape, Attr axis, bool keep, DType dtype = DType::Float32) {
  return {{{shape, dtype}}, {{"axis", std::move(axis)}, {"keep_dims", keep}}, {}};
}

std::vector<Sample> reduction_samples(DType dtype) {
  return {reduction_sample({3, 4}, {}, false, dtype),
          reduction_sample({3, 4}, Ints{1}, false, dtype),
          reduction_sample({2, 3, 9}, Ints{0, -1}, true, dtype),
          reduction_sample({5, 1030}, Ints{-1}, false, dtype),
          reduction_sample({1030, 9}, Ints{0}, false, dtype),
          reduction_sample({}, {}, false, dtype)};
}

struct ReduceSum {
  static constexpr ReduceKind reduces = ReduceKind::Sum;
  static constexpr const char* name = "reduce_sum";
  static constexpr const char* primitive = "ReduceSum";
  static constexpr const char* signature = "x: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Sums the elements over `axis`, in the dtype of `x` (integers wrap).";
  static constexpr const char* numpy = "np.sum(x, axis=axis, keepdims=keep_dims, dtype=x.dtype)";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::Sum>(call, name); }
  static void kernel(const KernelCall& call) { run_reduction<ReduceKind::Sum>(call); }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  static Values grad(Grad& g) {
    const Dims& dims = g.in_type(0).dims;
    return {g.b.broadcast_to(with_axes(g.b, g.ct(), dims, axes_of(g)), dims)};
  }
  static std::vector<Sample> samples() {
    auto all = reduction_samples(DType::Float32);
    all.push_back(reduction_sample({0, 3}, Ints{0}, false));
    return with_limits(all, 1);
  }
};
EMBER_OP(ReduceSum);

struct ReduceProd {
  static constexpr ReduceKind reduces = ReduceKind::Prod;
  static constexpr const char* name = "reduce_prod";
  static constexpr const char* primitive = "ReduceProd";
  static constexpr const char* signature = "x: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Multiplies the elements over `axis`, in the dtype of `x` (integers wrap).";
  static constexpr const char* numpy = "np.prod(x, axis=axis, keepdims=keep_dims, dtype=x.dtype)";
  static constexpr const char* saves = "x";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::Prod>(call, name); }
  static void kernel(const KernelCall& call) {
    run_reduction<ReduceKind::Prod>(call);
    const View& x = call.in[0];
    if (!is_float(x.layout->dtype)) return;
    dispatch_ordered(x.layout->dtype, [&]<class T>() {
      if constexpr (is_float(dtype_of<T>))
        multiply_in_order(x, reduced_axes(call.attrs, kAxis, x.layout->rank(), name), call.out[0].as<T>());
    });
  }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  // The product of the others: of the elements that are not zero, unless another one is.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Value& x = g.in(0);
    const Dims& dims = g.in_type(0).dims;
    const DType dtype = g.in_type(0).dtype;
    const Axes axes = axes_of(g);
    const Value zero = b.call("equal", {x, b.zeros(dtype, dims)});
    const Value one = b.cast(zero, dtype);
    const Value factors = b.select(zero, b.add(x, one), x);
    const Value zeros = reduce_sum(b, one, axes, true);
    const Value others = b.div(reduce_with(b, "reduce_prod", factors, axes, true), factors);
    const Value alone = b.call("equal", {b.broadcast_to(zeros, dims), one});
    const Value slope = b.select(alone, others, b.zeros(dtype, dims));
    return {b.mul(with_axes(b, g.ct(), dims, axes), slope)};
  }
  static std::vector<Sample> samples() {
    return with_limits({reduction_sample({3, 4}, {}, false), reduction_sample({3, 4}, Ints{1}, true),
                        reduction_sample({40, 9}, Ints{0}, false), reduction_sample({0, 3}, Ints{0}, false)},
                       1);
  }
};
EMBER_OP(ReduceProd);

// An extreme's cotangent is shared evenly among the elements that equal it.
Values extreme_gradient(Grad& g) {
  Builder& b = g.b;
  const Dims& dims = g.in_type(0).dims;
  const DType dtype = g.in_type(0).dtype;
  const Axes axes = axes_of(g);
  const Value hit = b.call("equal", {g.in(0), with_axes(b, g.out(), dims, axes)});
  const Value hits = reduce_sum(b, b.cast(hit, is_half_dtype(dtype) ? DType::Float32 : dtype), axes, true);
  const Value share =
      in_float32(b, with_axes(b, g.ct(), dims, axes), [&](const Value& wide) { return b.div(wide, hits); });
  return {b.select(hit, b.broadcast_to(share, dims), b.zeros(dtype, dims))};
}

struct ReduceMax {
  static constexpr ReduceKind reduces = ReduceKind::Max;
  static constexpr const char* name = "reduce_max";
  static constexpr const char* primitive = "ReduceMax";
  static constexpr const char* signature = "x: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The largest element over `axis`; NaN if there is one.";
  static constexpr const char* numpy = "np.max(x, axis=axis, keepdims=keep_dims)";
  static constexpr const char* saves = "x, out";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::Max>(call, name); }
  static void kernel(const KernelCall& call) { run_reduction<ReduceKind::Max>(call); }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  static Values grad(Grad& g) { return extreme_gradient(g); }
  static std::vector<Sample> samples() { return with_limits(reduction_samples(DType::Float32), 1); }
};
EMBER_OP(ReduceMax);

struct ReduceMin {
  static constexpr ReduceKind reduces = ReduceKind::Min;
  static constexpr const char* name = "reduce_min";
  static constexpr const char* primitive = "ReduceMin";
  static constexpr const char* signature = "x: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The smallest element over `axis`; NaN if there is one.";
  static constexpr const char* numpy = "np.min(x, axis=axis, keepdims=keep_dims)";
  static constexpr const char* saves = "x, out";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::Min>(call, name); }
  static void kernel(const KernelCall& call) { run_reduction<ReduceKind::Min>(call); }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  static Values grad(Grad& g) { return extreme_gradient(g); }
  static std::vector<Sample> samples() { return with_limits(reduction_samples(DType::Float32), 1); }
};
EMBER_OP(ReduceMin);

struct ReduceAll {
  static constexpr ReduceKind reduces = ReduceKind::All;
  static constexpr const char* name = "all";
  static constexpr const char* primitive = "ReduceAll";
  static constexpr const char* signature = "input: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Whether all elements over `axis` are true (not zero).";
  static constexpr const char* numpy = "np.all(input, axis=axis, keepdims=keep_dims)";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::All>(call, name); }
  static void kernel(const KernelCall& call) { run_reduction<ReduceKind::All>(call); }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  static std::vector<Sample> samples() {
    auto all = reduction_samples(DType::Bool);
    all.push_back(reduction_sample({4, 3}, Ints{0}, false, DType::Int32));
    return all;
  }
};
EMBER_OP(ReduceAll);

struct ReduceAny {
  static constexpr ReduceKind reduces = ReduceKind::Any;
  static constexpr const char* name = "any";
  static constexpr const char* primitive = "ReduceAny";
  static constexpr const char* signature = "input: tensor, axis: ints? = None, keep_dims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Whether any element over `axis` is true (not zero).";
  static constexpr const char* numpy = "np.any(input, axis=axis, keepdims=keep_dims)";
  static Types infer(const InferCall& call) { return infer_reduction<ReduceKind::Any>(call, name); }
  static void kernel(const KernelCall& call) { run_reduction<ReduceKind::Any>(call); }
  static Values batch(Batch& batch) { return batch_reduction(batch); }
  static std::vector<Sample> samples() { return ReduceAll::samples(); }
};
EMBER_OP(ReduceAny);

// MindSpore's result dtype of sum and prod: small integers widen.
DType result_dtype(DType dtype, const Attrs& attrs) {
  if (attrs.has(kDtype)) return attrs.dtype(kDtype);
  const bool widens = dtype == DType::Bool || dtype == DType::UInt8 || is_signed_int(dtype);
  return widens ? DType::Int64 : dtype;
}

Values widened_reduction(Builder& b, std::string_view reduce, const Value& x, const Attrs& attrs,
                         std::string_view name) {
  const Type type = b.type(x);
  const Axes axes = reduced_axes(attrs, kAxis, type.dims.size(), name);
  const DType to = result_dtype(type.dtype, attrs);
  return {reduce_with(b, reduce, to == type.dtype ? x : b.cast(x, to), axes, attrs.flag(kKeep))};
}

struct Sum {
  static constexpr const char* name = "sum";
  static constexpr const char* primitive = "SumExt";
  static constexpr const char* signature =
      "input: tensor, dim: ints? = None, keepdim: bool = False, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Sums the elements over `dim`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; "
      "`input` is "
      "converted to `dtype` first.";
  static constexpr const char* numpy = "np.sum(input, axis=dim, keepdims=keepdim, dtype=dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return widened_reduction(b, "reduce_sum", in[0], attrs, name);
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {}, {}}, {{{{2, 3, 4}}}, {{"dim", Ints{0, 2}}, {"keepdim", true}}, {}}};
  }
};
EMBER_OP(Sum);

struct Prod {
  static constexpr const char* name = "prod";
  static constexpr const char* primitive = "ProdExt";
  static constexpr const char* signature =
      "input: tensor, axis: ints? = None, keep_dims: bool = False, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Multiplies the elements over `axis`. Bools, signed integers and uint8 give int64 unless `dtype` says otherwise; "
      "`input` is converted to `dtype` first.";
  static constexpr const char* numpy = "np.prod(input, axis=axis, keepdims=keep_dims, dtype=dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return widened_reduction(b, "reduce_prod", in[0], attrs, name);
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {}, {}}, {{{{2, 3, 4}}}, {{"axis", Ints{1}}, {"keep_dims", true}}, {}}};
  }
};
EMBER_OP(Prod);

constexpr const char* kExtremeSignature =
    "input: tensor, axis: ints? = None, keepdims: bool = False, initial: number? = None, where: tensor? = None -> "
    "tensor";

Values extreme(Builder& b, std::span<const Value> in, const Attrs& attrs, std::string_view name,
               std::string_view larger, std::string_view reduce) {
  refuse_complex(b.type(in[0]), name);
  const Value x = limited(b, name, larger, in[0], in[1], in[2]);
  return {reduce_with(b, reduce, x, reduced_axes(attrs, kAxis, b.dims(x).size(), name), attrs.flag(kKeep))};
}

std::vector<Sample> extreme_samples() {
  const SampleOperand all{{2, 3, 4}}, where{{3, 1}, DType::Bool}, initial{{}, DType::Float32, -0.5, 0.5};
  SampleOperand number;
  number.scalar = true;
  number.number = 2.75;
  return {{{{{3, 4}}}, {}, {}},
          {{all}, {{"axis", Ints{1}}, {"keepdims", true}}, {}},
          {{all, initial, where}, {{"axis", Ints{0, 2}}}, {}},
          {{{{3, 4}, DType::Int32, -9, 9}, number}, {{"axis", Ints{1}}}, {}}};
}

struct Amax {
  static constexpr const char* name = "amax";
  static constexpr const char* primitive = "AMax";
  static constexpr const char* signature = kExtremeSignature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` is "
      "true take part, which needs `initial`.";
  static constexpr const char* numpy =
      "np.max(input if initial is None else np.maximum(np.where(True if where is None else where, input, initial), "
      "np.asarray(initial).astype(input.dtype)).astype(input.dtype), axis=axis, keepdims=keepdims)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return extreme(b, in, attrs, name, "maximum", "reduce_max");
  }
  static std::vector<Sample> samples() { return extreme_samples(); }
};
EMBER_OP(Amax);

struct Amin {
  static constexpr const char* name = "amin";
  static constexpr const char* primitive = "AMin";
  static constexpr const char* signature = kExtremeSignature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The smallest element over `axis`, and of `initial` if given; NaN if there is one. Only elements where `where` "
      "is "
      "true take part, which needs `initial`.";
  static constexpr const char* numpy =
      "np.min(input if initial is None else np.minimum(np.where(True if where is None else where, input, initial), "
      "np.asarray(initial).astype(input.dtype)).astype(input.dtype), axis=axis, keepdims=keepdims)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return extreme(b, in, attrs, name, "minimum", "reduce_min");
  }
  static std::vector<Sample> samples() { return extreme_samples(); }
};
EMBER_OP(Amin);

void refuse_bool(const Type& type, std::string_view name) {
  if (type.dtype == DType::Bool) {
    type_error("For '" + std::string(name) + "', the input must be of numbers, but got " + to_string(type) + ".");
  }
}

struct Mean {
  static constexpr const char* name = "mean";
  static constexpr const char* primitive = "ReduceMean";
  static constexpr const char* signature =
      "x: tensor, axis: ints? = None, keep_dims: bool = False, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The sum of the elements over `axis` divided by their number (integers truncate). `x` is converted to `dtype` "
      "first.";
  static constexpr const char* numpy = "np.mean(x, axis=axis, keepdims=keep_dims, dtype=dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Value x = attrs.has(kDtype) ? b.cast(in[0], attrs.dtype(kDtype)) : in[0];
    refuse_bool(b.type(x), name);
    const Axes axes = reduced_axes(attrs, kAxis, b.dims(x).size(), name);
    return {mean_of(b, x, axes, attrs.flag(kKeep))};
  }
  static std::vector<Sample> samples() {
    return {reduction_sample({3, 4}, {}, false),
            reduction_sample({2, 3, 4}, Ints{0, -1}, true),
            {{{{3, 4}, DType::Int32, -9, 9}}, {{"dtype", DType::Float32}}, {}}};
  }
};
EMBER_OP(Mean);

// Integers give float32; the half types are computed in it.
Value variance(Builder& b, const Value& x, const Attrs& attrs, std::string_view name) {
  const Type type = b.type(x);
  refuse_bool(type, name);
  const Axes axes = reduced_axes(attrs, kAxis, type.dims.size(), name);
  const Value wide = is_half_dtype(type.dtype) || is_int(type.dtype) ? b.cast(x, DType::Float32) : x;
  return variance_of(b, wide, mean_of(b, wide, axes, true), axes, attrs.integer(2), attrs.flag(3));
}

struct Var {
  static constexpr const char* name = "var";
  static constexpr const char* primitive = "Var";
  static constexpr const char* signature =
      "input: tensor, axis: ints? = None, ddof: int = 0, keepdims: bool = False -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The sum of squared differences from the mean over `axis`, divided by the number of elements less `ddof`.";
  static constexpr const char* numpy = "np.var(input, axis=axis, ddof=ddof, keepdims=keepdims)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const DType dtype = b.type(in[0]).dtype;
    const Value v = variance(b, in[0], attrs, name);
    return {is_half_dtype(dtype) ? b.cast(v, dtype) : v};
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 4}}}, {}, {}}, {{{{2, 3, 4}}}, {{"axis", Ints{1}}, {"ddof", int64_t{1}}, {"keepdims", true}}, {}}};
  }
};
EMBER_OP(Var);

struct Std {
  static constexpr const char* name = "std";
  static constexpr const char* primitive = "Std";
  static constexpr const char* signature = Var::signature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The square root of `var`.";
  static constexpr const char* numpy = "np.std(input, axis=axis, ddof=ddof, keepdims=keepdims)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const DType dtype = b.type(in[0]).dtype;
    const Value v = b.call("sqrt", {variance(b, in[0], attrs, name)});
    return {is_half_dtype(dtype) ? b.cast(v, dtype) : v};
  }
  static std::vector<Sample> samples() { return Var::samples(); }
};
EMBER_OP(Std);

}  // namespace
}  // namespace ember::ops
