// Indexing along several axes by one tensor of integers each, as NumPy's advanced indexing does: the indexed axes come
// to the front and merge into one, along which a gather reads, or a scatter writes. Everything is composed of other ops
// but the merging of the indices, which also checks them.
#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Dims broadcast_all(std::span<const Type> indices, std::string_view op_name) {
  Dims out;
  for (const Type& index : indices) out = broadcast(out, index.dims, op_name);
  return out;
}

struct FlatPositions {
  static constexpr const char* name = "flat_positions";
  static constexpr const char* primitive = "FlatPositions";
  static constexpr const char* signature = "indices: tensors, shape: ints, axes: ints -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient | Flag::RaisesOnValue | Flag::FlatIndices;
  static constexpr const char* doc =
      "Indices of elements in row-major order (int64), given an index, which may count from the end, into each of some "
      "axes of a shape; indices broadcast.";
  static constexpr const char* numpy =
      "np.ravel_multi_index(np.broadcast_arrays(*[i % shape[a] for i, a in zip(indices, axes)]), [shape[a] for a in "
      "axes])";
  static Types infer(const InferCall& c) {
    const size_t count = axes(c.attrs, 2, dims_of(c.attrs.ints(1), name).size(), name).size();
    if (count == 0 || c.in.size() != count) value_error(about(name) + "there must be one index for each axis.");
    for (const Type& index : c.in) {
      if (is_int(index.dtype)) continue;
      type_error(about(name) + "indices must be integers, but got " + std::string(ops::name(index.dtype)) + ".");
    }
    return {Type::tensor(DType::Int64, broadcast_all(c.in, name))};
  }
  static void kernel(const KernelCall& c) {
    Shape sizes;
    for (Dim d : c.attrs.ints(1)) sizes.push_back(pinned(d));
    const auto indexed = axes(c.attrs, 2, sizes.size(), name);
    const Layout& out = *c.out[0].layout;
    auto* to = c.out[0].as<int64_t>();
    std::fill_n(to, out.numel, 0);
    for (size_t i = 0; i < c.in.size(); ++i) {
      const size_t along = indexed[i];
      const int64_t size = sizes[along];
      const Indices indices(c.in[i]);
      const Shape steps = spread(indices.layout(), out.shape);
      LoopNest<2>(out.shape, {&out.strides, &steps}).elements([&](const std::array<int64_t, 2>& at) {
        const int64_t index = indices.data()[at[1]];
        if (index < -size || index >= size) refuse_index(name, index, along, sizes);
        to[at[0]] = to[at[0]] * size + (index < 0 ? index + size : index);
      });
    }
  }
  // The strides under which an index reads as if it had the result's shape.
  static Shape spread(const Layout& index, const Shape& shape) {
    Shape steps(shape.size(), 0);
    const size_t missing = shape.size() - index.rank();
    for (size_t d = 0; d < index.rank(); ++d) {
      if (index.shape[d] != 1) steps[missing + d] = index.strides[d];
    }
    return steps;
  }
  static Values batch(Batch& v) {
    size_t rank = 0;
    for (size_t i = 0; i < v.operands(); ++i) rank = std::max(rank, v.b.dims(v.in(i)).size() - v.batched(i));
    Values indices;
    for (size_t i = 0; i < v.operands(); ++i) {
      Dims dims = v.b.dims(v.in(i));
      while (v.batched(i) && dims.size() < rank + 1) dims.insert(1, Dim(1));
      indices.push_back(v.batched(i) ? v.b.reshape(v.in(i), dims) : v.in(i));
    }
    return v.b.apply(v.op, indices, v.attrs);
  }
  static std::vector<Sample> samples() {
    const SampleOperand rows{{4, 1}, DType::Int32, -3, 2}, columns{{5}, DType::Int64, -5, 4};
    return {{{rows}, {{"shape", Ints{3, 5}}, {"axes", Ints{0}}}, {1}},
            {{rows, columns}, {{"shape", Ints{3, 2, 5}}, {"axes", Ints{0, 2}}}, {2}},
            {{{{}, DType::UInt8, 0, 2}, columns}, {{"shape", Ints{3, 5}}, {"axes", Ints{0, 1}}}, {2}}};
  }
};
EMBER_OP(FlatPositions);

// The order of axes that has some in front.
Ints in_front(size_t rank, const Axes& axes) {
  Ints order = to_ints(axes);
  for (size_t d = 0; d < rank; ++d) {
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) order.push_back(static_cast<int64_t>(d));
  }
  return order;
}

// The order of axes that puts the first `moved` of `rank` before axis `to` of the others.
Ints placed(size_t moved, size_t rank, size_t to) {
  Ints order;
  for (size_t d = 0; d < to; ++d) order.push_back(static_cast<int64_t>(moved + d));
  for (size_t d = 0; d < moved; ++d) order.push_back(static_cast<int64_t>(d));
  for (size_t d = moved + to; d < rank; ++d) order.push_back(static_cast<int64_t>(d));
  return order;
}

struct Indexed {
  Ints order;        // the indexed axes in front
  Value transposed;  // the source in this order
  Value at;          // positions along the indexed axes merged
  Dims rest;         // sizes of the other axes
  Dim merged = 1;    // product of those of the indexed ones
};

// `axes` and `to` are attributes number `at` and the next.
Indexed indexed(Builder& b, const Value& source, std::span<const Value> indices, const Attrs& attrs, size_t at,
                std::string_view op_name) {
  const Dims dims = b.dims(source);
  const Axes along = axes(attrs, at, dims.size(), op_name);
  const int64_t to = attrs.integer(at + 1);
  if (to < 0 || to > static_cast<int64_t>(dims.size() - along.size())) {
    value_error(about(op_name) + "'to' must name one of the other axes, but got " + std::to_string(to) + ".");
  }
  Indexed out;
  out.order = in_front(dims.size(), along);
  out.transposed = b.transpose(source, out.order);
  for (size_t d = 0; d < dims.size(); ++d) {
    const Dim size = dims[static_cast<size_t>(pinned(out.order[d]))];
    if (d < along.size())
      out.merged = out.merged * size;
    else
      out.rest.push_back(size);
  }
  out.at = b.call_all("flat_positions", indices, {{"shape", to_ints(dims)}, {"axes", to_ints(along)}})[0];
  return out;
}

struct GatherAxes {
  static constexpr const char* name = "gather_axes";
  static constexpr const char* primitive = "GatherAxes";
  static constexpr const char* signature = "input: tensor, indices: tensors, axes: ints, to: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "The elements of input at indices, one for each of some axes, which broadcast; the axes of these come "
      "before axis `to` of the others.";
  static constexpr const char* numpy =
      "(lambda g, r: np.moveaxis(g, range(r), range(to, to + r)))(np.moveaxis(input, axes, "
      "range(len(axes)))[tuple(indices)], np.broadcast(*indices).ndim)";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Indexed source = indexed(b, in[0], in.subspan(1), attrs, 2, name);
    Dims rows = source.rest;
    rows.insert(0, source.merged);
    const Value elements = b.call("gather", {b.reshape(source.transposed, rows), source.at}, {{"axis", int64_t{0}}});
    const auto to = static_cast<size_t>(attrs.integer(3));
    if (to == 0) return {elements};
    return {b.transpose(elements, placed(b.dims(source.at).size(), b.dims(elements).size(), to))};
  }
  static std::vector<Sample> samples() {
    const SampleOperand source{{3, 4, 5}}, first{{2, 1}, DType::Int32, -3, 2}, second{{3}, DType::Int64, 0, 3};
    return {{{source, first, second}, {{"axes", Ints{0, 1}}}, {2}},
            {{source, second}, {{"axes", Ints{1}}, {"to", int64_t{1}}}, {1}},
            {{source, first, second}, {{"axes", Ints{0, 2}}}, {2}}};
  }
};
EMBER_OP(GatherAxes);

struct ScatterAxes {
  static constexpr const char* name = "scatter_axes";
  static constexpr const char* primitive = "ScatterAxes";
  static constexpr const char* signature =
      "input: tensor, updates: tensor, indices: tensors, axes: ints, to: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "input with updates, which broadcast and are converted to its dtype, where gather_axes would have read, in index "
      "order.";
  static constexpr const char* numpy =
      "(lambda x, r, w: (np.moveaxis(x, axes, range(len(axes))).__setitem__(tuple(indices), "
      "np.moveaxis(np.broadcast_to(updates, w), range(to, to + r), range(r))), x)[1])(input.copy(), "
      "np.broadcast(*indices).ndim, (lambda o: o[:to] + np.broadcast(*indices).shape + o[to:])(tuple(n for a, n in "
      "enumerate(input.shape) if a not in axes)))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Indexed source = indexed(b, in[0], in.subspan(2), attrs, 3, name);
    const Dims positions = b.dims(source.at);
    Dims region = positions;
    for (Dim size : source.rest) region.push_back(size);
    const Ints order = placed(positions.size(), region.size(), static_cast<size_t>(attrs.integer(4)));
    Dims shape;
    for (Dim d : order) shape.push_back(region[static_cast<size_t>(pinned(d))]);
    const DType dtype = b.type(in[0]).dtype;
    const Value updates = b.transpose(spread(b, b.cast(in[1], dtype), shape), inverse_permutation(order));
    const Dim count = product(positions, 0, positions.size()), block = product(source.rest, 0, source.rest.size());
    const Value at = b.broadcast_to(b.reshape(source.at, {count, Dim(1)}), {count, block});
    const Value written = b.call("tensor_scatter_elements", {b.reshape(source.transposed, {source.merged, block}), at,
                                                             b.reshape(updates, {count, block})});
    return {b.transpose(b.reshape(written, b.dims(source.transposed)), inverse_permutation(source.order))};
  }
  // Leading axes of one element that the region does not have are left out.
  static Value spread(Builder& b, const Value& updates, const Dims& region) {
    Dims dims = b.dims(updates);
    while (dims.size() > region.size() && dims[0] == Dim(1)) dims.erase(0);
    try {
      return b.broadcast_to(b.reshape(updates, dims), region);
    } catch (const OpError&) {
      value_error(about(name) + "a value of shape " + to_string(hints(b.dims(updates))) +
                  " cannot be broadcast to the region of shape " + to_string(hints(region)) + " that the index names.");
    }
  }
  static std::vector<Sample> samples() {
    const SampleOperand source{{3, 4, 5}}, first{{1}, DType::Int32, -3, 2}, second{{}, DType::Int64, 0, 3};
    return {{{source, {{5}}, second}, {{"axes", Ints{1}}, {"to", int64_t{1}}}, {1}},
            {{source, {{1, 5}}, first, second}, {{"axes", Ints{0, 1}}}, {2}},
            {{source, {{6, 5}}, {{6}, DType::Int32, -3, 2}, second}, {{"axes", Ints{0, 1}}}, {2}},
            {{source, {{4, 1}, DType::Float16}, first, second}, {{"axes", Ints{0, 2}}, {"to", int64_t{1}}}, {2}}};
  }
};
EMBER_OP(ScatterAxes);

}  // namespace
}  // namespace ember::ops
