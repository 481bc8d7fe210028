// Ops that make tensors from sizes and numbers. Sizes may be symbolic dims.
#include <cmath>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

// What zeros and ones share. Nothing of them can be batched: they have no operands.
template <int kValue>
struct Filled {
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static Types infer(const InferCall& c) {
    DType dtype = c.attrs.has(1) ? c.attrs.dtype(1) : DType::Float32;
    return {Type::tensor(dtype, dims_of(c.attrs.ints(0), kValue == 0 ? "zeros" : "ones"))};
  }
  static void kernel(const KernelCall& c) { fill(c.out[0], kValue); }
  static Values batch(Batch& v) { return v.b.apply(v.op, {}, v.attrs); }
};

struct Zeros : Filled<0> {
  static constexpr const char* name = "zeros";
  static constexpr const char* primitive = "Zeros";
  static constexpr const char* signature = "size: ints, dtype: dtype? = None -> tensor";
  static constexpr const char* doc = "A tensor of zeros, float32 unless dtype says otherwise.";
  static constexpr const char* numpy = "np.zeros(size, dtype or np.float32)";
  static std::vector<Sample> samples() {
    return {{{}, {{"size", Ints{2, 3}}}, {}}, {{}, {{"size", Ints{}}, {"dtype", DType::Int8}}, {}}};
  }
};
EMBER_OP(Zeros);

struct Ones : Filled<1> {
  static constexpr const char* name = "ones";
  static constexpr const char* primitive = "Ones";
  static constexpr const char* signature = "shape: ints, dtype: dtype? = None -> tensor";
  static constexpr const char* doc = "A tensor of ones, float32 unless dtype says otherwise.";
  static constexpr const char* numpy = "np.ones(shape, dtype or np.float32)";
  static std::vector<Sample> samples() {
    return {{{}, {{"shape", Ints{2, 3}}}, {}}, {{}, {{"shape", Ints{0, 2}}, {"dtype", DType::Bool}}, {}}};
  }
};
EMBER_OP(Ones);

struct Full {
  static constexpr const char* name = "full";
  static constexpr const char* primitive = "FillV2";
  static constexpr const char* signature = "size: ints, fill_value: number, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "A tensor of one value, converted to dtype: int64 if that is None, as in MindSpore, but of a complex value its "
      "own.";
  static constexpr const char* numpy =
      "np.full(size, fill_value).astype(dtype or (np.asarray(fill_value).dtype if np.iscomplexobj(fill_value) else "
      "np.int64))";
  static DType result_dtype(const Type& value, const Attrs& attrs) {
    if (attrs.has(2)) return attrs.dtype(2);
    return is_complex(value.dtype) ? value.dtype : DType::Int64;
  }
  static Types infer(const InferCall& c) {
    if (!c.in[0].dims.empty()) {
      value_error(about(name) + "'fill_value' must be a number, but got shape " + to_string(hints(c.in[0].dims)) + ".");
    }
    refuse_lost_part(c.in[0], result_dtype(c.in[0], c.attrs), name);
    return {Type::tensor(result_dtype(c.in[0], c.attrs), dims_of(c.attrs.ints(0), name))};
  }
  static void kernel(const KernelCall& c) { copy_view(c.in[0], c.out[0]); }
  static Values grad(Grad& g) { return {g.unbroadcast(g.ct(), 0)}; }
  static Values batch(Batch& v) {
    Dims want = dims_of(v.attrs.ints(0), name);
    want.insert(0, v.size);
    Dims padded(want.size(), Dim(1));
    padded[0] = v.size;
    Value value = v.b.reshape(v.in_batched(0), padded);
    return {v.b.broadcast_to(v.b.cast(value, result_dtype(v.b.type(value), v.attrs)), want)};
  }
  static std::vector<Sample> samples() {
    SampleOperand number{{}, DType::Float32, 0, 0, true, 2.5};
    return {{{number}, {{"size", Ints{2, 3}}, {"dtype", DType::Float32}}, {}},
            {{number}, {{"size", Ints{2}}}, {}},
            {{{{}}}, {{"size", Ints{2, 2}}, {"dtype", DType::Float64}}, {}}};
  }
};
EMBER_OP(Full);

DType like_dtype(Builder& b, const Value& input, const Attrs& attrs, size_t index) {
  return attrs.has(index) ? attrs.dtype(index) : b.type(input).dtype;
}

Ints like_shape(Builder& b, const Value& input) { return ints_of(b.dims(input)); }

struct ZerosLike {
  static constexpr const char* name = "zeros_like";
  static constexpr const char* primitive = "ZerosLike";
  static constexpr const char* signature = "input: tensor, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Zeros of input's shape, and its dtype unless another is given.";
  static constexpr const char* numpy = "np.zeros(input.shape, dtype or input.dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return {b.zeros(like_dtype(b, in[0], attrs, 1), b.dims(in[0]))};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {}, {}}, {{{{2}, DType::Int32}}, {{"dtype", DType::Float64}}, {}}};
  }
};
EMBER_OP(ZerosLike);

struct OnesLike {
  static constexpr const char* name = "ones_like";
  static constexpr const char* primitive = "OnesLike";
  static constexpr const char* signature = "input: tensor, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Ones of input's shape, and its dtype unless another is given.";
  static constexpr const char* numpy = "np.ones(input.shape, dtype or input.dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return {b.call("ones", {}, {{"shape", like_shape(b, in[0])}, {"dtype", like_dtype(b, in[0], attrs, 1)}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {}, {}}, {{{{2}, DType::Int32}}, {{"dtype", DType::Float16}}, {}}};
  }
};
EMBER_OP(OnesLike);

struct FullLike {
  static constexpr const char* name = "full_like";
  static constexpr const char* primitive = "FullLike";
  static constexpr const char* signature = "input: tensor, fill_value: number, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "One value in input's shape, and its dtype unless another is given.";
  static constexpr const char* numpy = "np.full(input.shape, fill_value).astype(dtype or input.dtype)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    return {b.call("full", {in[1]}, {{"size", like_shape(b, in[0])}, {"dtype", like_dtype(b, in[0], attrs, 2)}})};
  }
  static std::vector<Sample> samples() {
    SampleOperand number{{}, DType::Float32, 0, 0, true, 2.5};
    return {{{{{2, 3}}, number}, {}, {}}, {{{{2}, DType::Int32}, number}, {}, {}}};
  }
};
EMBER_OP(FullLike);

// Element i is at(i), converted.
template <class F>
void fill_by_index(const View& out, F&& at) {
  constexpr int64_t kGrain = 1 << 15;
  dispatch(out.layout->dtype, [&]<class T>() {
    T* const to = out.as<T>();
    parallel_for(out.layout->numel, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = convert_value<T>(at(i));
    });
  });
}

void require_numeric(DType dtype, std::string_view op_name) {
  if (dtype == DType::Bool) type_error(about(op_name) + "dtype must be a number's, but got Bool.");
}

struct Arange {
  static constexpr const char* name = "arange";
  static constexpr const char* primitive = "Range";
  static constexpr const char* signature =
      "start: ints = 0, end: ints? = None, step: ints = 1, dtype: dtype? = None -> tensor";
  static constexpr const char* dynamic = "start, end";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "start, start + step, ... as long as they are before end; arange(n) counts from 0 to n. All are whole numbers "
      "(dims "
      "may be used); arange_float takes others. int64 unless dtype says otherwise.";
  static constexpr const char* numpy =
      "np.arange(start[0], end[0], step[0], dtype or np.int64) if end is not None else np.arange(start[0], dtype=dtype "
      "or "
      "np.int64)";
  static Dim one(const Attrs& attrs, size_t i) {
    const Ints& numbers = attrs.ints(i);
    if (numbers.size() != 1) value_error(about(name) + "start, end and step must be one number each.");
    return numbers[0];
  }
  static Types infer(const InferCall& c) {
    bool counts = !c.attrs.has(1);
    Dim start = counts ? Dim(0) : one(c.attrs, 0);
    Dim end = one(c.attrs, counts ? 0 : 1);
    Dim step = one(c.attrs, 2);
    if (step == 0) value_error(about(name) + "'step' must not be 0.");
    if (step > 0 ? end < start : start < end) {
      value_error(about(name) + "'step' " + std::to_string(step.hint()) + " leads away from " +
                  std::to_string(end.hint()) + ", starting at " + std::to_string(start.hint()) + ".");
    }
    Dim size = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / (Dim(0) - step);
    DType dtype = c.attrs.has(3) ? c.attrs.dtype(3) : DType::Int64;
    require_numeric(dtype, name);
    return {Type::tensor(dtype, dims_of({size}, name))};
  }
  static void kernel(const KernelCall& c) {
    int64_t start = c.attrs.has(1) ? pinned(one(c.attrs, 0)) : 0;
    int64_t step = pinned(one(c.attrs, 2));
    fill_by_index(c.out[0], [=](int64_t i) { return start + i * step; });
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{}, {{"start", Ints{5}}}, {}},
            {{}, {{"start", Ints{1}}, {"end", Ints{8}}, {"step", Ints{3}}, {"dtype", DType::Float32}}, {}},
            {{}, {{"start", Ints{5}}, {"end", Ints{0}}, {"step", Ints{-2}}}, {}}};
  }
};
EMBER_OP(Arange);

struct ArangeFloat {
  static constexpr const char* name = "arange_float";
  static constexpr const char* primitive = "RangeFloat";
  static constexpr const char* signature =
      "start: float, end: float, step: float = 1.0, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "start, start + step, ... as long as they are before end; each is start + i * step in float64, then converted. "
      "float32 unless dtype says otherwise.";
  static constexpr const char* numpy = "np.arange(start, end, step, np.float64).astype(dtype or np.float32)";
  static Types infer(const InferCall& c) {
    double start = c.attrs.number(0), end = c.attrs.number(1), step = c.attrs.number(2);
    if (step == 0) value_error(about("arange") + "'step' must not be 0.");
    double size = std::ceil((end - start) / step);
    if (!(size >= 0 && size <= 0x1p48)) {
      value_error(about("arange") + "from " + std::to_string(start) + " to " + std::to_string(end) + " by steps of " +
                  std::to_string(step) + " is no range.");
    }
    DType dtype = c.attrs.has(3) ? c.attrs.dtype(3) : DType::Float32;
    require_numeric(dtype, name);
    return {Type::tensor(dtype, {Dim(static_cast<int64_t>(size))})};
  }
  static void kernel(const KernelCall& c) {
    double start = c.attrs.number(0), step = c.attrs.number(2);
    fill_by_index(c.out[0], [=](int64_t i) { return start + static_cast<double>(i) * step; });
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{}, {{"start", 0.0}, {"end", 1.0}, {"step", 0.25}}, {}},
            {{}, {{"start", 5.0}, {"end", 0.5}, {"step", -1.5}, {"dtype", DType::Float64}}, {}}};
  }
};
EMBER_OP(ArangeFloat);

struct Eye {
  static constexpr const char* name = "eye";
  static constexpr const char* primitive = "Eye";
  static constexpr const char* signature = "n: int, m: int? = None, dtype: dtype? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc = "Ones on the diagonal of an n x m (None: n x n) matrix of zeros.";
  static constexpr const char* numpy = "np.eye(n, m, dtype=dtype or np.float32)";
  static Types infer(const InferCall& c) {
    Ints size = {c.attrs.dim(0), c.attrs.has(1) ? c.attrs.dim(1) : c.attrs.dim(0)};
    return {Type::tensor(c.attrs.has(2) ? c.attrs.dtype(2) : DType::Float32, dims_of(size, name))};
  }
  static void kernel(const KernelCall& c) {
    const Shape& shape = c.out[0].layout->shape;
    fill(c.out[0], 0);
    dispatch(c.out[0].layout->dtype, [&]<class T>() {
      for (int64_t i = 0; i < std::min(shape[0], shape[1]); ++i)
        c.out[0].as<T>()[i * shape[1] + i] = convert_value<T>(1);
    });
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{}, {{"n", int64_t{3}}}, {}}, {{}, {{"n", int64_t{2}}, {"m", int64_t{4}}, {"dtype", DType::Int32}}, {}}};
  }
};
EMBER_OP(Eye);

struct OneHot {
  static constexpr const char* name = "one_hot";
  static constexpr const char* primitive = "OneHot";
  static constexpr const char* signature =
      "indices: tensor, depth: int, on_value: number? = None, off_value: number? = None, axis: int = -1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "A new axis of `depth` elements: on_value (None: 1) at the index, off_value (None: 0) elsewhere; an index "
      "outside "
      "marks nothing. The dtype is that of the values.";
  static constexpr const char* numpy =
      "np.moveaxis(np.where(indices[..., None] == np.arange(depth), 1 if on_value is None else on_value, 0 if "
      "off_value is "
      "None else off_value), -1, axis)";
  static constexpr const char* saves = "indices";
  static DType value_dtype(const Type& on, const Type& off) {
    auto number = [](const Type& t) { return t.kind == Kind::Token ? Type::scalar(Kind::Int) : t; };
    Type a = number(on), b = number(off);
    if (on.kind == Kind::Token && off.kind != Kind::Token) a = b;
    if (off.kind == Kind::Token && on.kind != Kind::Token) b = a;
    if (a.is_tensor() && b.is_tensor()) return promote(a.dtype, b.dtype);
    if (a.is_tensor()) return promote(a.dtype, scalar_kind(b.kind));
    if (b.is_tensor()) return promote(b.dtype, scalar_kind(a.kind));
    return default_dtype(std::max(scalar_kind(a.kind), scalar_kind(b.kind)));
  }
  static Types infer(const InferCall& c) {
    if (!is_int(c.in[0].dtype)) {
      type_error(about(name) + "indices must be integers, but got " + std::string(ops::name(c.in[0].dtype)) + ".");
    }
    for (size_t i : {1, 2}) {
      if (!c.in[i].dims.empty()) value_error(about(name) + "'on_value' and 'off_value' must be single numbers.");
    }
    Dims out = c.in[0].dims;
    if (out.size() == kMaxRank) value_error(about(name) + "the indices have 8 dimensions already.");
    out.insert(axis(c.attrs.integer(4), out.size() + 1, name), dims_of({c.attrs.dim(1)}, name)[0]);
    return {Type::tensor(value_dtype(c.in[1], c.in[2]), out)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& index = *c.in[0].layout;
    const Layout& out = *c.out[0].layout;
    const Indices indices(c.in[0]);
    size_t at = axis(c.attrs.integer(4), out.rank(), name);
    int64_t depth = out.shape[at];
    Shape strides = out.strides;
    strides.erase(at);
    const LoopNest<2> nest(index.shape, {&indices.layout().strides, &strides});
    const Tensor on = number(c.in[1], 1, out.dtype), off = number(c.in[2], 0, out.dtype);
    copy_view({off.data(), &off.layout()}, c.out[0]);
    dispatch_width(itemsize(out.dtype), [&]<class U>() {
      const U marked = *on.data_as<U>();
      nest.elements([&, to = c.out[0].as<U>()](const std::array<int64_t, 2>& offset) {
        const int64_t hot = indices.data()[offset[0]];
        if (hot >= 0 && hot < depth) to[offset[1] + hot * out.strides[at]] = marked;
      });
    });
  }
  static Values grad(Grad& g) {
    const Value hot = g.b.apply(g.op, {{g.in(0), true, false}}, g.attrs)[0];
    const auto flow = [&](size_t i, const Value& ct) { return g.needs(i) ? g.unbroadcast(ct, i) : Value(); };
    return {{}, flow(1, g.b.select(hot, g.ct(), 0.0)), flow(2, g.b.select(hot, 0.0, g.ct()))};
  }
  static Tensor number(const View& operand, double absent, DType dtype) {
    if (!operand.layout) return Tensor::full(dtype, {}, absent);
    Tensor out = Tensor::empty(dtype, {});
    copy_view(operand, {out.data(), &out.layout()});
    return out;
  }
  static Values batch(Batch& v) {
    int64_t at = v.attrs.integer(4);
    Attrs shifted = with(v.attrs, 4, at < 0 ? at : at + 1);
    if (!v.batched(1) && !v.batched(2)) return v.b.apply(v.op, {{v.in(0), v.in(1), v.in(2)}}, shifted);
    Value hot = v.b.apply(v.op, {{v.in_batched(0), Value(), Value()}}, shifted)[0];
    size_t rank = v.b.dims(hot).size();
    auto number = [&](size_t i, int64_t absent) -> Value {
      if (none(v.in(i))) return absent;
      if (!v.batched(i)) return v.in(i);
      Dims spread(rank, Dim(1));
      spread[0] = v.size;
      return v.b.reshape(v.in(i), spread);
    };
    return {v.b.select(v.b.cast(hot, DType::Bool), number(1, 1), number(2, 0))};
  }
  static std::vector<Sample> samples() {
    SampleOperand indices{{4}, DType::Int32, -1, 4}, none, number{{}, DType::Float32, 0, 0, true, 2.5};
    none.absent = true;
    return {{{indices, none, none}, {{"depth", int64_t{3}}}, {}},
            {{indices, number, none}, {{"depth", int64_t{3}}, {"axis", int64_t{0}}}, {}},
            {{{{2, 2}, DType::Int64, 0, 2}, {{}}, {{}}}, {{"depth", int64_t{3}}, {"axis", int64_t{1}}}, {}}};
  }
};
EMBER_OP(OneHot);

}  // namespace
}  // namespace ember::ops
