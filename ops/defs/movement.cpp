// Ops that give a tensor another shape or order of axes. All are views; reshape copies where the strides don't allow
// one.
#include "ops/table/movement.h"

#include "ops/program/strided.h"
#include "ops/table/simplify.h"

namespace ember::ops {

namespace {

// Strides of `shape` over the elements of `in` in row-major order; false if no strides do that.
bool reshaped_strides(const Layout& in, const Shape& shape, Shape* strides) {
  *strides = row_major_strides(shape);
  if (in.contiguous) return true;
  Shape sizes, steps;
  for (size_t d = 0; d < in.rank(); ++d) {
    if (in.shape[d] == 1) continue;
    if (!sizes.empty() && steps.back() == in.strides[d] * in.shape[d]) {
      sizes.back() *= in.shape[d];
      steps.back() = in.strides[d];
    } else {
      sizes.push_back(in.shape[d]);
      steps.push_back(in.strides[d]);
    }
  }
  size_t block = sizes.size();
  int64_t left = 1, step = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    if (left == 1) {
      if (block == 0) return false;
      left = sizes[--block];
      step = steps[block];
    }
    if (left % shape[d] != 0) return false;
    (*strides)[d] = step;
    step *= shape[d];
    left /= shape[d];
  }
  return true;
}

bool apply_view(const Layout& in, const Shape& shape, const Shape& strides, LayoutRef* out, int64_t* offset) {
  *out = layout(in.dtype, shape, strides);
  *offset = 0;
  return true;
}

struct SameOrderOp {
  static constexpr Flags flags = Flag::Pure | Flag::SameOrder;
  static Value written(Builder& b, const Value& in, const Value& view, const Attrs&) {
    return b.reshape(view, b.dims(in));
  }
  static Values grad(Grad& g) { return {g.b.reshape(g.ct(), g.in_type(0).dims)}; }
};

struct Reshape : SameOrderOp {
  static constexpr const char* name = "reshape";
  static constexpr const char* primitive = "Reshape";
  static constexpr const char* signature = "input: tensor, shape: ints -> tensor";
  static constexpr const char* doc =
      "The same elements in row-major order under another shape. One size may be -1; it follows from the others. A "
      "view where the strides allow it, else a copy.";
  static constexpr const char* numpy = "np.reshape(input, shape)";
  static Types infer(const InferCall& c) {
    return {Type::tensor(c.in[0].dtype, resolve_reshape(c.in[0].dims, c.attrs.ints(1)))};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    Shape shape = hints(resolve_reshape(dims(in.shape), attrs.ints(1)));
    Shape strides;
    return reshaped_strides(in, shape, &strides) && apply_view(in, shape, strides, out, offset);
  }
  static void kernel(const KernelCall& c) {
    const Layout& in = *c.in[0].layout;
    StridedCopy(in.dtype, in.shape, in.strides, row_major_strides(in.shape)).run_parallel(c.in[0].data, c.out[0].data);
  }
  static Values batch(Batch& v) {
    Dims have = v.b.dims(v.in(0));
    have.erase(0);
    Dims want = resolve_reshape(have, v.attrs.ints(1));
    want.insert(0, v.size);
    return {v.b.reshape(v.in(0), want)};
  }
  static void simplify(Simplify& s) {
    if (s.same_op(0)) s.read_through(0, s.attrs());
    s.is(0);
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"shape", Ints{3, 2}}}, {}},
            {{{{2, 3, 4}}}, {{"shape", Ints{4, -1}}}, {}},
            {{{{1}}}, {{"shape", Ints{}}}, {}},
            {{{{0, 3}}}, {{"shape", Ints{3, 0, 2}}}, {}},
            {{{{4, 2}, DType::Int32}}, {{"shape", Ints{-1}}}, {}}};
  }
};
EMBER_OP(Reshape);

InlineVector<size_t, kMaxRank> permutation(const Ints& permutation, size_t rank, std::string_view op_name) {
  if (permutation.size() != rank) {
    value_error(about(op_name) + "the permutation " + text(permutation) + " must name each of the " +
                std::to_string(rank) + " axes.");
  }
  InlineVector<size_t, kMaxRank> order;
  for (Dim d : permutation) {
    size_t canonical = axis(pinned(d), rank, op_name);
    if (std::find(order.begin(), order.end(), canonical) != order.end()) {
      value_error(about(op_name) + "the permutation " + text(permutation) + " names an axis twice.");
    }
    order.push_back(canonical);
  }
  return order;
}

struct Transpose {
  static constexpr const char* name = "transpose";
  static constexpr const char* primitive = "Transpose";
  static constexpr const char* signature = "input: tensor, dims: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Axis i of the result is axis dims[i] of the operand. A view.";
  static constexpr const char* numpy = "np.transpose(input, dims)";
  static Types infer(const InferCall& c) {
    Dims out;
    for (size_t from : permutation(c.attrs.ints(1), c.in[0].dims.size(), name)) out.push_back(c.in[0].dims[from]);
    return {Type::tensor(c.in[0].dtype, out)};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    Shape shape, strides;
    for (size_t from : permutation(attrs.ints(1), in.rank(), name)) {
      shape.push_back(in.shape[from]);
      strides.push_back(in.strides[from]);
    }
    return apply_view(in, shape, strides, out, offset);
  }
  static Ints inverse(const Attrs& attrs, size_t rank) {
    return inverse_permutation(canonical_axes(attrs.ints(1), rank));
  }
  static Value written(Builder& b, const Value&, const Value& view, const Attrs& attrs) {
    return b.transpose(view, inverse(attrs, b.dims(view).size()));
  }
  static Values grad(Grad& g) { return {g.b.transpose(g.ct(), inverse(g.attrs, g.in_type(0).dims.size()))}; }
  static Values batch(Batch& v) {
    Ints order = {0};
    for (size_t from : permutation(v.attrs.ints(1), v.b.dims(v.in(0)).size() - 1, name)) {
      order.push_back(static_cast<int64_t>(from + 1));
    }
    return {v.b.transpose(v.in(0), order)};
  }
  static void simplify(Simplify& s) {
    const size_t rank = s.out_type().dims.size();
    if (!s.attrs().has(1)) return;
    Ints order = canonical_axes(s.attrs().ints(1), rank);
    if (const Attrs* first = s.same_op(0); first && first->has(1)) {
      const Ints inner = canonical_axes(first->ints(1), rank);
      for (Dim& axis : order) axis = inner[static_cast<size_t>(pinned(axis))];
      s.read_through(0, with(s.attrs(), 1, order));
    }
    for (size_t i = 0; i < rank; ++i)
      if (order[i] != Dim(static_cast<int64_t>(i))) return;
    s.is(0);
  }
  static Ints canonical_axes(Ints axes, size_t rank) {
    for (Dim& axis : axes) axis = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
    return axes;
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"dims", Ints{1, 0}}}, {}},
            {{{{2, 3, 4}}}, {{"dims", Ints{-1, 0, 1}}}, {}},
            {{{{0, 3}, DType::Int8}}, {{"dims", Ints{1, 0}}}, {}},
            {{{{}}}, {{"dims", Ints{}}}, {}}};
  }
};
EMBER_OP(Transpose);

struct Swapaxes {
  static constexpr const char* name = "swapaxes";
  static constexpr const char* primitive = "Swapaxes";
  static constexpr const char* signature = "input: tensor, axis0: int, axis1: int -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "Exchanges two axes. A view.";
  static constexpr const char* numpy = "np.swapaxes(input, axis0, axis1)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const size_t rank = b.dims(in[0]).size(), axes = std::max<size_t>(rank, 1);
    Ints order;
    for (size_t i = 0; i < axes; ++i) order.push_back(static_cast<int64_t>(i));
    std::swap(order[axis(attrs.integer(1), axes, name)], order[axis(attrs.integer(2), axes, name)]);
    if (rank == 0) return {in[0]};
    return {b.transpose(in[0], order)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 4}}}, {{"axis0", int64_t{0}}, {"axis1", int64_t{-1}}}, {}},
            {{{{2, 3}}}, {{"axis0", int64_t{1}}, {"axis1", int64_t{1}}}, {}}};
  }
};
EMBER_OP(Swapaxes);

struct ExpandDims : SameOrderOp {
  static constexpr const char* name = "expand_dims";
  static constexpr const char* primitive = "ExpandDims";
  static constexpr const char* signature = "input_x: tensor, axis: int -> tensor";
  static constexpr const char* doc = "Inserts an axis of size one. A view.";
  static constexpr const char* numpy = "np.expand_dims(input_x, axis)";
  static Types infer(const InferCall& c) {
    Dims out = c.in[0].dims;
    if (out.size() == kMaxRank) value_error(about(name) + "the operand has 8 dimensions already.");
    out.insert(axis(c.attrs.integer(1), out.size() + 1, name), 1);
    return {Type::tensor(c.in[0].dtype, out)};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    size_t at = axis(attrs.integer(1), in.rank() + 1, name);
    Shape shape = in.shape, strides = in.strides;
    strides.insert(at, at < in.rank() ? in.shape[at] * in.strides[at] : 1);
    shape.insert(at, 1);
    return apply_view(in, shape, strides, out, offset);
  }
  static Values batch(Batch& v) {
    auto at = static_cast<int64_t>(axis(v.attrs.integer(1), v.b.dims(v.in(0)).size(), name));
    return {v.b.expand_dims(v.in(0), at + 1)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"axis", int64_t{0}}}, {}},
            {{{{2, 3}}}, {{"axis", int64_t{-1}}}, {}},
            {{{{}, DType::Int64}}, {{"axis", int64_t{0}}}, {}}};
  }
};
EMBER_OP(ExpandDims);

struct Squeeze : SameOrderOp {
  static constexpr const char* name = "squeeze";
  static constexpr const char* primitive = "Squeeze";
  static constexpr const char* signature = "input: tensor, axis: ints? = None -> tensor";
  static constexpr const char* doc =
      "Drops the axes of size one, or those of them that `axis` names; an axis of another size stays. A view.";
  static constexpr const char* numpy =
      "input.reshape([n for i, n in enumerate(input.shape) if n != 1 or (axis is not None and i not in "
      "[a % input.ndim for a in axis])])";
  template <class F>
  static void kept(const Dims& have, const Attrs& attrs, size_t lead, F&& keep) {
    size_t rank = have.size() - lead;
    bool all = !attrs.has(1);
    auto named = all ? InlineVector<size_t, kMaxRank>() : canonical(attrs.ints(1), rank);
    for (size_t i = 0; i < have.size(); ++i) {
      bool asked = i >= lead && (all || std::find(named.begin(), named.end(), i - lead) != named.end());
      if (!asked || have[i] != 1) keep(i);
    }
  }
  static InlineVector<size_t, kMaxRank> canonical(const Ints& axes, size_t rank) {
    InlineVector<size_t, kMaxRank> out;
    for (Dim d : axes) {
      size_t at = line_axis(pinned(d), rank, name);
      if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(at);
    }
    return out;
  }
  static Types infer(const InferCall& c) {
    Dims out;
    kept(c.in[0].dims, c.attrs, 0, [&](size_t i) { out.push_back(c.in[0].dims[i]); });
    return {Type::tensor(c.in[0].dtype, out)};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    Shape shape, strides;
    kept(dims(in.shape), attrs, 0, [&](size_t i) {
      shape.push_back(in.shape[i]);
      strides.push_back(in.strides[i]);
    });
    return apply_view(in, shape, strides, out, offset);
  }
  static Values batch(Batch& v) {
    Dims have = v.b.dims(v.in(0));
    Dims out;
    kept(have, v.attrs, 1, [&](size_t i) { out.push_back(have[i]); });
    return {v.b.reshape(v.in(0), out)};
  }
  static std::vector<Sample> samples() {
    return {{{{{1, 3, 1}}}, {}, {}},
            {{{{1, 3, 1}}}, {{"axis", Ints{0}}}, {}},
            {{{{1, 3, 1}, DType::Int32}}, {{"axis", Ints{1, -1}}}, {}},
            {{{{1, 1}}}, {}, {}}};
  }
};
EMBER_OP(Squeeze);

struct Flatten {
  static constexpr const char* name = "flatten";
  static constexpr const char* primitive = "Flatten";
  static constexpr const char* signature =
      "input: tensor, order: str = 'C', start_dim: int = 1, end_dim: int = -1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Joins the axes start_dim to end_dim into one. order 'F' first reverses the axes after the first.";
  static constexpr const char* numpy =
      "np.reshape(input, input.shape[:start_dim % max(input.ndim, 1)] + (-1,) + input.shape[end_dim % max(input.ndim, "
      "1) + "
      "1:]) if input.ndim > 1 else np.reshape(input, (-1,))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const std::string& order = attrs.text(1);
    if (order != "C" && order != "F") value_error(about(name) + "'order' must be 'C' or 'F', but got '" + order + "'.");
    Value x = in[0];
    Dims have = b.dims(x);
    if (have.size() < 2) return {have.empty() ? b.reshape(x, {1}) : x};
    size_t rank = have.size();
    size_t start = axis(attrs.integer(2), rank, name);
    size_t end = axis(attrs.integer(3), rank, name);
    if (start > end) value_error(about(name) + "'start_dim' must not come after 'end_dim'.");
    if (order == "F") {
      Ints reversed;
      for (size_t i = rank; i-- > 0;) reversed.push_back(static_cast<int64_t>(i));
      x = b.transpose(x, reversed);
      have = b.dims(x);
    }
    Dims out;
    for (size_t i = 0; i < start; ++i) out.push_back(have[i]);
    out.push_back(product(have, start, end + 1));
    for (size_t i = end + 1; i < rank; ++i) out.push_back(have[i]);
    return {b.reshape(x, out)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 4}}}, {}, {}},
            {{{{2, 3, 4}}}, {{"start_dim", int64_t{0}}, {"end_dim", int64_t{1}}}, {}},
            {{{{3}}}, {}, {}},
            {{{{}}}, {}, {}},
            {{{{2, 0, 4}, DType::Int32}}, {}, {}}};
  }
};
EMBER_OP(Flatten);

struct BroadcastTo {
  static constexpr const char* name = "broadcast_to";
  static constexpr const char* primitive = "BroadcastTo";
  static constexpr const char* signature = "input: tensor, shape: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Stretches axes of size one, and adds axes in front. A size of -1 keeps the operand's. A view.";
  static constexpr const char* numpy =
      "np.broadcast_to(input, [input.shape[i - len(shape)] if n == -1 else n for i, n in enumerate(shape)])";
  static Dims target(const Dims& have, const Ints& shape) {
    if (shape.size() > kMaxRank) dims_of(shape, name);
    bool fits = shape.size() >= have.size();
    Dims out;
    for (size_t i = 0; fits && i < shape.size(); ++i) {
      size_t lead = shape.size() - have.size();
      bool keep = !shape[i].symbolic() && shape[i].hint() == -1;
      if (i < lead) {
        fits = !keep && shape[i] >= 0;
        out.push_back(shape[i]);
      } else {
        Dim own = have[i - lead];
        fits = keep || identical(own, shape[i]) || (own == 1 && shape[i] >= 0) || own == shape[i];
        out.push_back(keep ? own : shape[i]);
      }
    }
    if (!fits) {
      value_error(about(name) + "a tensor of shape " + to_string(hints(have)) + " cannot be stretched to " +
                  text(shape) + ".");
    }
    return out;
  }
  static Types infer(const InferCall& c) {
    return {Type::tensor(c.in[0].dtype, target(c.in[0].dims, c.attrs.ints(1)))};
  }
  static bool view(const Layout& in, const Attrs& attrs, LayoutRef* out, int64_t* offset) {
    Shape shape = hints(target(dims(in.shape), attrs.ints(1)));
    return apply_view(in, shape, broadcast_strides(in, shape), out, offset);
  }
  static Values grad(Grad& g) { return {g.unbroadcast(g.ct(), 0)}; }
  static Values batch(Batch& v) {
    Dims have = v.b.dims(v.in(0));
    have.erase(0);
    Dims want = target(have, v.attrs.ints(1));
    Dims padded(want.size() - have.size(), Dim(1));
    for (Dim d : have) padded.push_back(d);
    padded.insert(0, v.size);
    want.insert(0, v.size);
    return {v.b.broadcast_to(v.b.reshape(v.in(0), padded), want)};
  }
  static void simplify(Simplify& s) { s.is(0); }
  static std::vector<Sample> samples() {
    return {{{{{3}}}, {{"shape", Ints{2, 3}}}, {}},
            {{{{2, 1}}}, {{"shape", Ints{4, -1, 3}}}, {}},
            {{{{}}}, {{"shape", Ints{2, 2}}}, {}},
            {{{{1, 3}, DType::Bool}}, {{"shape", Ints{0, 3}}}, {}}};
  }
};
EMBER_OP(BroadcastTo);

struct Flip {
  static constexpr const char* name = "flip";
  static constexpr const char* primitive = "ReverseV2";
  static constexpr const char* signature = "input: tensor, dims: ints -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static constexpr const char* doc = "Reverses the order of elements along the given axes.";
  static constexpr const char* numpy = "np.flip(input, dims)";
  static InlineVector<size_t, kMaxRank> reversed(const Attrs& attrs, size_t rank) {
    return attrs.ints(1).empty() ? InlineVector<size_t, kMaxRank>() : axes(attrs, 1, rank, name);
  }
  static Types infer(const InferCall& c) {
    reversed(c.attrs, c.in[0].dims.size());
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& in = *c.in[0].layout;
    Shape strides = in.strides;
    int64_t start = 0;
    for (size_t d : reversed(c.attrs, in.rank())) {
      start += in.numel == 0 ? 0 : (in.shape[d] - 1) * in.strides[d];
      strides[d] = -strides[d];
    }
    const auto* from = c.in[0].as<std::byte>() + start * static_cast<int64_t>(itemsize(in.dtype));
    StridedCopy(in.dtype, in.shape, strides, row_major_strides(in.shape)).run_parallel(from, c.out[0].data);
  }
  static Values grad(Grad& g) { return {g.b.call(name, {g.ct()}, {{"dims", g.attrs.ints(1)}})}; }
  static Values batch(Batch& v) {
    Ints shifted;
    for (size_t d : reversed(v.attrs, v.b.dims(v.in(0)).size() - 1)) shifted.push_back(static_cast<int64_t>(d + 1));
    return {v.b.call(name, {v.in(0)}, {{"dims", shifted}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {{"dims", Ints{0}}}, {}},
            {{{{2, 3}}}, {{"dims", Ints{0, -1}}}, {}},
            {{{{0, 3}, DType::Int32}}, {{"dims", Ints{0}}}, {}}};
  }
};
EMBER_OP(Flip);

// Never left out, nor shared with another call of another number: views of the result see what is written to each
// other.
struct Own {
  static constexpr const char* name = "own";
  static constexpr const char* primitive = "Own";
  static constexpr const char* signature = "input: tensor, number: int -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::Moves;
  static constexpr const char* doc = "The same elements in memory of their own, as each `number` has.";
  static constexpr const char* numpy = "input.copy()";
  static Types infer(const InferCall& c) { return {c.in[0]}; }
  static void kernel(const KernelCall& c) { copy_view(c.in[0], c.out[0]); }
  static Values grad(Grad& g) { return {g.ct()}; }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {{"number", int64_t{1}}}, {}}}; }
};
EMBER_OP(Own);

}  // namespace
}  // namespace ember::ops
