// Attention as an op, and its gradient. What their bits are, the compositions say; the kernels (attention.h) give the
// same without ever storing the scores. They are sequential FMA: where a product of these sizes is bf16x3
// (bf16x3_gemm.h), the composition itself is run.
#include "ops/kernels/attention.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "ops/eager/eager.h"
#include "ops/eager/float_status.h"
#include "ops/kernels/widen.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "ops/program/strided.h"
#include "ops/table/rules.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr size_t kScale = 4;  // of the forward op's parameters; behind it divide, causal and fill

AttentionForm form_of(const Attrs& attrs, size_t scale) {
  return {attrs.number(scale), attrs.flag(scale + 1), attrs.flag(scale + 2), attrs.number(scale + 3)};
}

Builder::Named attributes_of(const AttentionForm& form) {
  return {{"scale", form.scale}, {"divide", form.divide}, {"causal", form.causal}, {"fill", form.fill}};
}

[[noreturn]] void refuse(std::string_view name, const std::string& why, std::span<const Type> in) {
  value_error("For '" + std::string(name) + "', " + why + ": query, key and value are " + to_string(in[0]) + ", " +
              to_string(in[1]) + " and " + to_string(in[2]) + ".");
}

// Of query, key, value and mask; returns the scores' dims.
Dims check_operands(std::string_view name, std::span<const Type> in) {
  const Dims &q = in[0].dims, &k = in[1].dims, &v = in[2].dims;
  const size_t rank = q.size();
  if (!is_float(in[0].dtype) || in[1].dtype != in[0].dtype || in[2].dtype != in[0].dtype) {
    type_error("For '" + std::string(name) + "', query, key and value must be of one floating-point dtype, but are " +
               to_string(in[0]) + ", " + to_string(in[1]) + " and " + to_string(in[2]) + ".");
  }
  if (rank < 2 || k.size() != rank || v.size() != rank) refuse(name, "all need the same two or more dimensions", in);
  for (size_t d = 0; d + 2 < rank; ++d) {
    if (k[d] != v[d]) refuse(name, "key and value must agree before their last axis", in);
    if (d + 3 < rank && q[d] != k[d]) refuse(name, "the sizes before the heads must agree", in);
  }
  if (k[rank - 2] != v[rank - 2]) refuse(name, "key and value must agree before their last axis", in);
  if (q[rank - 1] != k[rank - 1]) refuse(name, "query and key must agree in their last axis", in);
  if (rank > 2) {
    const Dim heads = q[rank - 3], groups = k[rank - 3];
    if (heads != groups && (groups == Dim(0) || heads % groups != Dim(0))) {
      refuse(name, "the heads of key must divide those of query", in);
    }
  }
  Dims scores = q;
  scores[rank - 1] = k[rank - 2];
  if (in[3].kind == Kind::Token) return scores;
  if (in[3].dtype != DType::Bool && in[3].dtype != in[0].dtype) {
    type_error("For '" + std::string(name) + "', the mask must be bool or of query's dtype, but is " +
               to_string(in[3]) + ".");
  }
  const Dims& mask = in[3].dims;
  const size_t lead = rank - std::min(rank, mask.size());
  for (size_t d = 0; d < mask.size(); ++d) {
    if (mask.size() > rank || (mask[d] != scores[lead + d] && mask[d] != Dim(1))) {
      value_error("For '" + std::string(name) + "', the mask must broadcast to the scores, whose shape is " +
                  to_string(hints(scores)) + ", but is " + to_string(in[3]) + ".");
    }
  }
  return scores;
}

Value transposed(Builder& b, const Value& x) {
  Ints order;
  for (size_t d = 0; d < b.dims(x).size(); ++d) order.push_back(static_cast<int64_t>(d));
  std::swap(order[order.size() - 2], order[order.size() - 1]);
  return b.transpose(x, order);
}

Value matmul(Builder& b, const Value& x, const Value& y) { return b.call("matmul", {x, y}); }

// Heads that share a group's keys or values, each with its own.
struct Groups {
  Dim heads = 1, groups = 1;
  int64_t axis = -1;

  Groups(const Dims& query, const Dims& key) {
    if (query.size() == 2) return;
    axis = static_cast<int64_t>(query.size()) - 3;
    heads = query[query.size() - 3];
    groups = key[key.size() - 3];
  }
  bool shared() const { return !identical(heads, groups) && heads != groups; }
  Value repeat(Builder& b, const Value& x) const {
    if (!shared()) return x;
    return b.call("repeat_interleave", {x}, {{"repeats", Ints{heads / groups}}, {"axis", axis}});
  }
  Value sum(Builder& b, const Value& x) const {
    if (!shared()) return x;
    Dims split = b.dims(x), dims = split;
    const size_t at = static_cast<size_t>(axis);
    dims[at] = split[at] = groups;
    split.insert(at + 1, heads / groups);
    return b.reshape(reduce_sum(b, b.reshape(x, split), {at + 1}, true), dims);
  }
};

Value scaled(Builder& b, const Value& x, const AttentionForm& form) {
  return form.divide ? b.div(x, form.scale) : b.mul(x, form.scale);
}

Value probabilities(Builder& b, const Value& query, const Value& key, const Value& mask, const AttentionForm& form) {
  Value x = scaled(b, matmul(b, query, transposed(b, key)), form);
  const Type type = b.type(x);
  const size_t rank = type.dims.size();
  if (!none(mask) && b.type(mask).dtype == DType::Bool) {
    x = b.call("masked_fill", {x, mask, form.fill});
  } else if (!none(mask)) {
    x = b.add(x, mask);
  }
  if (form.causal) {
    const Value hidden = b.call("full", {-std::numeric_limits<double>::infinity()},
                                {{"size", Ints{type.dims[rank - 2], type.dims[rank - 1]}}, {"dtype", type.dtype}});
    x = b.add(x, b.call("triu", {hidden}, {{"diagonal", int64_t{1}}}));
  }
  return b.call("softmax", {x});
}

struct Cotangents {
  Value query, key, value, masked;  // key's and value's for each head; the scores' with the mask added
};

Cotangents cotangents(Builder& b, const Value& ct, const Value& query, const Value& key, const Value& value,
                      const Value& mask, const AttentionForm& form) {
  const Value p = probabilities(b, query, key, mask, form);
  Cotangents out;
  out.value = matmul(b, transposed(b, p), ct);
  const Value slope = matmul(b, ct, transposed(b, value));
  const size_t last = b.dims(p).size() - 1;
  out.masked = b.mul(b.sub(slope, reduce_sum(b, b.mul(slope, p), {last}, true)), p);
  const bool replaced = !none(mask) && b.type(mask).dtype == DType::Bool;
  const Value scores = scaled(b, replaced ? b.select(mask, 0.0, out.masked) : out.masked, form);
  out.query = matmul(b, scores, key);
  out.key = transposed(b, matmul(b, transposed(b, query), scores));
  return out;
}

// Every operand with the batch axis; a mask gets sizes of 1 between it and its own.
Values batched_operands(Batch& batch, size_t query) {
  Values in;
  for (size_t i = 0; i < batch.operands(); ++i) in.push_back(batch.in_batched(i));
  Value& mask = in[query + 3];
  if (none(mask) || !batch.batched(query + 3)) {
    mask = batch.in(query + 3);
    return in;
  }
  Dims dims = batch.b.dims(mask);
  const size_t rank = batch.b.dims(in[query]).size();
  while (dims.size() < rank) dims.insert(1, 1);
  mask = batch.b.reshape(mask, dims);
  return in;
}

AttentionCall call_of(const KernelCall& call, size_t query, DType half) {
  return {call.in[query],
          call.in[query + 1],
          call.in[query + 2],
          call.in[query + 3],
          form_of(call.attrs, query + kScale),
          half};
}

// Whether one of the products is bf16x3. in: query, key and value.
bool uses_bf16x3(std::span<const View> in, bool backward) {
  const auto size = [&](size_t i, size_t from_last) {
    const Shape& shape = in[i].layout->shape;
    return shape[shape.size() - from_last];
  };
  return attention_uses_bf16x3(in[0].layout->dtype, {size(0, 2), size(1, 2), size(0, 1), size(2, 1)}, backward);
}

// Of a view, as matrices over the leading dimensions, the one of an index.
struct Leading {
  StridedDims strided;
  LayoutRef matrix;

  Leading(const View& v, const Shape& shape, const Shape& strides) {
    const size_t rank = shape.size();
    for (size_t d = 0; d + 2 < rank; ++d) strided.add(shape[d], strides[d]);
    matrix = layout(v.layout->dtype, {shape[rank - 2], shape[rank - 1]}, {strides[rank - 2], strides[rank - 1]});
  }
  explicit Leading(const View& v) : Leading(v, v.layout->shape, v.layout->strides) {}
  Tensor of(const View& v, int64_t index) const {
    StridedIterator at(strided);
    at.seek(index);
    const int64_t bytes = at.offset() * static_cast<int64_t>(itemsize(matrix->dtype));
    return borrow({static_cast<std::byte*>(v.data) + bytes, matrix.get()});
  }
};

// A head at a time, so that of all scores only one head's are there. query: where it is among the operands.
void run_composed(const KernelCall& call, size_t query, ComposeFn compose) {
  const WithinKernel within;
  EagerBuilder builder;
  std::vector<std::optional<Leading>> in(call.in.size());
  for (size_t i = 0; i < query + 3; ++i) in[i].emplace(call.in[i]);
  const View &q = call.in[query], &mask = call.in[query + 3];
  if (mask.layout) {
    Shape scores = q.layout->shape;
    scores.back() = call.in[query + 1].layout->shape[scores.size() - 2];
    in[query + 3].emplace(mask, scores, broadcast_strides(*mask.layout, scores));
  }
  const int64_t heads = in[query]->strided.count(),
                shared = heads / std::max<int64_t>(1, in[query + 1]->strided.count());
  for (int64_t head = 0; head < heads; ++head) {
    Values operands;
    for (size_t i = 0; i < in.size(); ++i) {
      const bool of_group = i == query + 1 || i == query + 2;
      operands.push_back(in[i] ? Value(in[i]->of(call.in[i], of_group ? head / shared : head)) : Value());
    }
    const Values out = compose(builder, operands, call.attrs);
    for (size_t i = 0; i < out.size(); ++i)
      copy_into(std::get<Tensor>(out[i]), Leading(call.out[i]).of(call.out[i], head));
  }
}

template <DType Half>
void run_forward(const KernelCall& call) {
  attend(call_of(call, 0, Half), call.out[0]);
}
template <DType Half>
void run_backward(const KernelCall& call) {
  attend_backward(call_of(call, 1, Half), call.in[0], call.out[0], call.out[1], call.out[2]);
}

SampleOperand mask_of(const Shape& shape) { return {shape, DType::Bool, 0, 1}; }

std::vector<Sample> attention_samples(bool backward) {
  const auto sample = [&](std::vector<SampleOperand> operands, std::vector<std::pair<const char*, Attr>> attrs = {}) {
    const SampleOperand &q = operands[0], &v = operands[2];
    if (backward) {
      Shape ct = q.shape;
      ct[ct.size() - 1] = v.shape[v.shape.size() - 1];
      operands.insert(operands.begin(), {ct, q.dtype});
    }
    return Sample{std::move(operands), std::move(attrs), {}};
  };
  const std::pair<const char*, Attr> scale = {"scale", 0.37}, causal = {"causal", true}, low = {"fill", -3.0};
  return {
      sample({{{2, 3, 19, 5}}, {{2, 3, 7, 5}}, {{2, 3, 7, 4}}}, {scale}),
      sample({{{4, 6, 5}}, {{2, 9, 5}}, {{2, 9, 3}}, {{6, 9}}}, {{"scale", 3.7}, {"divide", true}}),
      sample({{{9, 4}}, {{7, 4}}, {{7, 6}}}, {scale, causal}),
      sample({{{2, 4, 5, 3}}, {{2, 2, 8, 3}}, {{2, 2, 8, 3}}, mask_of({2, 1, 1, 8})}, {low}),
      sample({{{2, 18, 3}, DType::Float16}, {{2, 5, 3}, DType::Float16}, {{2, 5, 2}, DType::Float16}}, {scale}),
      sample(
          {{{2, 6, 3}, DType::BFloat16}, {{1, 5, 3}, DType::BFloat16}, {{1, 5, 2}, DType::BFloat16}, mask_of({6, 5})},
          {causal, low})};
}

struct AttentionOp {
  static constexpr const char* name = "attention";
  static constexpr const char* primitive = "Attention";
  static constexpr const char* signature =
      "query: tensor, key: tensor, value: tensor, mask: tensor? = None, scale: float = 1.0, divide: bool = False, "
      "causal: bool = False, fill: float = -inf -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "softmax(query @ key' * scale) @ value for each head: `query` is (..., heads, length, depth), `key` (..., "
      "groups, "
      "keys, depth), `value` (..., groups, keys, width), and a group serves heads / groups heads in a row; of two "
      "dimensions there is one head. With `divide` the scores are divided by `scale`. `mask` broadcasts to the scores: "
      "a bool one sets them to `fill` where it is true, another is added. `causal` adds -inf where the key is behind "
      "the query. Scores are not kept, neither for the gradient.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "query, key, value, mask";
  static Types infer(const InferCall& call) {
    check_operands(name, call.in);
    Dims dims = call.in[0].dims;
    dims[dims.size() - 1] = call.in[2].dims[dims.size() - 1];
    return {Type::tensor(call.in[0].dtype, dims)};
  }
  static void kernel(const KernelCall& call) {
    const DType dtype = call.out[0].layout->dtype;
    if (uses_bf16x3(call.in, false)) return run_composed(call, 0, &compose);
    if (dtype == DType::Float16) return run_in_float32(call, &run_forward<DType::Float16>);
    if (dtype == DType::BFloat16) return run_in_float32(call, &run_forward<DType::BFloat16>);
    run_forward<DType::Float32>(call);
  }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Groups groups(b.dims(in[0]), b.dims(in[1]));
    const Value p = probabilities(b, in[0], groups.repeat(b, in[1]), in[3], form_of(attrs, kScale));
    return {matmul(b, p, groups.repeat(b, in[2]))};
  }
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const AttentionForm form = form_of(g.attrs, kScale);
    const Groups groups(g.in_type(0).dims, g.in_type(1).dims);
    const bool masked = g.in_type(3).kind != Kind::Token && is_float(g.in_type(3).dtype) && g.needs(3);
    Values out;
    if (masked) {
      const Cotangents all =
          cotangents(b, g.ct(), g.in(0), groups.repeat(b, g.in(1)), groups.repeat(b, g.in(2)), g.in(3), form);
      out = {all.query, all.key, all.value, g.unbroadcast(all.masked, 3)};
    } else {
      const Value operands[] = {g.ct(), g.in(0), g.in(1), g.in(2), g.in(3)};
      out = b.call_all("attention_backward", operands, attributes_of(form));
      out.emplace_back();
    }
    for (size_t i : {1, 2}) out[i] = groups.sum(b, out[i]);
    return out;
  }
  static Values batch(Batch& batch) { return batch.b.apply(batch.op, batched_operands(batch, 0), batch.attrs); }
  static std::vector<Sample> samples() { return attention_samples(false); }
};
EMBER_OP(AttentionOp);

struct AttentionBackward {
  static constexpr const char* name = "attention_backward";
  static constexpr const char* primitive = "AttentionBackward";
  static constexpr const char* signature =
      "gradient: tensor, query: tensor, key: tensor, value: tensor, mask: tensor? = None, scale: float = 1.0, divide: "
      "bool = False, causal: bool = False, fill: float = -inf -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradients of attention's query, and for each head apart of its key and value, from that of its result.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& call) {
    const auto in = call.in.subspan(1);
    const Dims scores = check_operands(name, in);
    const size_t rank = scores.size();
    Dims result = scores, key = scores, value = scores;
    result[rank - 1] = value[rank - 1] = in[2].dims[rank - 1];
    key[rank - 2] = value[rank - 2] = scores[rank - 1];
    key[rank - 1] = in[0].dims[rank - 1];
    const Dims& ct = call.in[0].dims;
    if (call.in[0].dtype != in[0].dtype || ct.size() != rank || !std::equal(ct.begin(), ct.end(), result.begin())) {
      refuse(name, "the gradient must be as attention's result, but is " + to_string(call.in[0]), in);
    }
    const DType dtype = in[0].dtype;
    return {Type::tensor(dtype, in[0].dims), Type::tensor(dtype, key), Type::tensor(dtype, value)};
  }
  static void kernel(const KernelCall& call) {
    const DType dtype = call.out[0].layout->dtype;
    if (uses_bf16x3(call.in.subspan(1), true)) return run_composed(call, 1, &compose);
    if (dtype == DType::Float16) return run_in_float32(call, &run_backward<DType::Float16>);
    if (dtype == DType::BFloat16) return run_in_float32(call, &run_backward<DType::BFloat16>);
    run_backward<DType::Float32>(call);
  }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Groups groups(b.dims(in[1]), b.dims(in[2]));
    const Cotangents all = cotangents(b, in[0], in[1], groups.repeat(b, in[2]), groups.repeat(b, in[3]), in[4],
                                      form_of(attrs, 1 + kScale));
    return {all.query, all.key, all.value};
  }
  static Values batch(Batch& batch) { return batch.b.apply(batch.op, batched_operands(batch, 1), batch.attrs); }
  static std::vector<Sample> samples() { return attention_samples(true); }
};
EMBER_OP(AttentionBackward);

}  // namespace

bool attention_uses_bf16x3(DType dtype, const AttentionSizes& s, bool backward) {
  const int64_t products[][3] = {{s.queries, s.keys, s.depth}, {s.queries, s.width, s.keys},
                                 {s.queries, s.keys, s.width}, {s.keys, s.width, s.queries},
                                 {s.queries, s.depth, s.keys}, {s.depth, s.keys, s.queries}};
  const auto* end = backward ? std::end(products) : products + 2;
  return std::any_of(products, end, [&](const auto& p) { return bf16_terms(dtype, p[0], p[1], p[2]) > 0; });
}

}  // namespace ember::ops
