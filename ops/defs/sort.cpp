// Elements of lines in order, all or the first: stable, NaN above all (kernels/sort.h).
#include "ops/kernels/sort.h"

#include "ops/table/movement.h"
#include "ops/table/rules.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

// Each cotangent goes to the element that the index names; no two name one.
Values gradient_by_index(Grad& g, int64_t axis_attr) {
  const Value zeros = g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims);
  return {g.b.call("tensor_scatter_elements", {zeros, g.out(1), g.ct()}, {{"axis", axis_attr}})};
}

struct Sort {
  static constexpr const char* name = "sort";
  static constexpr const char* primitive = "SortExt";
  static constexpr const char* signature = "input: tensor, axis: int = -1, descending: bool = False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The elements in order along `axis`, and their indices (int64). Of equals the lower index comes first; NaN is "
      "larger than all numbers.";
  static constexpr const char* numpy =
      "(lambda at: (np.take_along_axis(input, at, axis), at))(np.flip(input.shape[axis] - 1 - "
      "np.argsort(np.flip(input, axis), axis, kind='stable'), axis) if descending else np.argsort(input, axis, "
      "kind='stable'))";
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& c) {
    refuse_complex(c.in[0], name);
    line_axis(c.attrs.integer(1), c.in[0].dims.size(), name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims), Type::tensor(DType::Int64, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const size_t rank = c.in[0].layout->rank(), at = line_axis(c.attrs.integer(1), rank, name);
    sort_lines({c.in[0], at, c.attrs.flag(2), rank ? c.in[0].layout->shape[at] : 1}, c.out[0], c.out[1]);
  }
  static Values grad(Grad& g) { return gradient_by_index(g, g.attrs.integer(1)); }
  static Values batch(Batch& v) { return batch_lines(v, 1); }
  static std::vector<Sample> samples() {
    return {{{{{3, 5}}}, {}, {}},
            {{{{4, 3}}}, {{"axis", int64_t{0}}, {"descending", true}}, {}},
            {{{{3, 40}, DType::Int32, -5, 5}}, {{"descending", true}}, {}},
            {{{{2, 700}, DType::Int64, -90, 90}}, {}, {}},
            {{{{700, 2}, DType::UInt8, 0, 255}}, {{"axis", int64_t{-2}}}, {}},
            {{{{9}, DType::Bool}}, {{"axis", int64_t{0}}}, {}},
            {{{{20}, DType::Float16}}, {}, {}},
            {{{{3, 0}}}, {}, {}}};
  }
};
EMBER_OP(Sort);

struct TopK {
  static constexpr const char* name = "topk";
  static constexpr const char* primitive = "TopkExt";
  static constexpr const char* signature =
      "input: tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The k largest elements along `dim`, or the smallest, in order, whether `sorted` or not, and their indices "
      "(int64). "
      "Of equals the lower index comes first; NaN is larger than all numbers.";
  static constexpr const char* numpy =
      "(lambda at: (np.take_along_axis(input, at, dim), at))(np.take(np.flip(input.shape[dim] - 1 - "
      "np.argsort(np.flip(input, dim), dim, kind='stable'), dim) if largest else np.argsort(input, dim, "
      "kind='stable'), range(k), dim))";
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& c) {
    refuse_complex(c.in[0], name);
    const size_t rank = c.in[0].dims.size(), at = line_axis(c.attrs.integer(2), rank, name);
    const Dim k = c.attrs.dim(1);
    const Dim size = rank ? c.in[0].dims[at] : Dim(1);
    if (k < 0 || !(k <= size) || (!rank && k != 1)) {
      value_error(about(name) + "'k' must be from 0 to the size of the axis, " + to_string(hints(Dims{size})) +
                  ", but got " + std::to_string(k.hint()) + ".");
    }
    Dims dims = c.in[0].dims;
    if (rank) dims[at] = k;
    return {Type::tensor(c.in[0].dtype, dims), Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& c) {
    const size_t at = line_axis(c.attrs.integer(2), c.in[0].layout->rank(), name);
    sort_lines({c.in[0], at, c.attrs.flag(3), c.attrs.integer(1)}, c.out[0], c.out[1]);
  }
  static Values grad(Grad& g) { return gradient_by_index(g, g.attrs.integer(2)); }
  static Values batch(Batch& v) { return batch_lines(v, 2); }
  static std::vector<Sample> samples() {
    return {{{{{3, 5}}}, {{"k", int64_t{2}}}, {}},
            {{{{40, 3}}}, {{"k", int64_t{4}}, {"dim", int64_t{0}}, {"largest", false}}, {}},
            {{{{2, 900}, DType::Int32, -9, 9}}, {{"k", int64_t{100}}}, {}},
            {{{{5}, DType::Float16}}, {{"k", int64_t{5}}, {"sorted", false}}, {}}};
  }
};
EMBER_OP(TopK);

struct OrderStatistic {
  static constexpr const char* name = "order_statistic";
  static constexpr const char* primitive = "OrderStatistic";
  static constexpr const char* signature = "input: tensor, position: tensor, axis: int = -1 -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue;
  static constexpr const char* doc =
      "Of the elements in order along `axis` those at a position (int64, of the shape of `input` but for a size of 1 "
      "along `axis`), and their indices (int64). Of equals the lower index comes first; NaN is larger than all "
      "numbers.";
  static constexpr const char* numpy =
      "(lambda at: (np.take_along_axis(input, at, axis), at))(np.take_along_axis(np.argsort(input, axis, "
      "kind='stable'), position, axis))";
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& c) {
    refuse_complex(c.in[0], name);
    Dims dims = c.in[0].dims;
    const size_t at = axis(c.attrs.integer(2), dims.size(), name);
    dims[at] = 1;
    bool fits = c.in[1].dtype == DType::Int64 && c.in[1].dims.size() == dims.size();
    for (size_t d = 0; fits && d < dims.size(); ++d) fits = c.in[1].dims[d] == dims[d];
    if (!fits) {
      value_error(about(name) + "the position must be int64, of the shape " + to_string(hints(dims)) + ", but got " +
                  to_string(c.in[1]) + ".");
    }
    return {Type::tensor(c.in[0].dtype, dims), Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& c) {
    const Layout& in = *c.in[0].layout;
    const size_t at = axis(c.attrs.integer(2), in.rank(), name);
    StridedDims all;
    for (size_t d = 0; d < in.rank(); ++d) all.add(c.in[1].layout->shape[d], c.in[1].layout->strides[d]);
    if (all.count() == 0) return;
    StridedIterator place(all);
    place.seek(0);
    for (int64_t i = 0; i < all.count(); ++i, place.advance(1)) {
      const int64_t position = c.in[1].as<int64_t>()[place.offset()];
      if (position >= 0 && position < in.shape[at]) continue;
      index_error(about(name) + "position " + std::to_string(position) + " is out of range for an axis of " +
                  std::to_string(in.shape[at]) + " elements of shape " + to_string(in.shape) + ".");
    }
    sort_lines({c.in[0], at, false, 1, &c.in[1]}, c.out[0], c.out[1]);
  }
  static Values grad(Grad& g) {
    const Dims& dims = g.in_type(0).dims;
    const size_t d = axis(g.attrs.integer(2), dims.size(), name);
    return {g.b.call("place", {g.ct(), g.out(1)}, {{"axis", static_cast<int64_t>(d)}, {"size", Ints{dims[d]}}}), {}};
  }
  static Values batch(Batch& v) {
    const size_t rank = v.b.dims(v.in_batched(0)).size() - 1;
    const auto at = static_cast<int64_t>(axis(v.attrs.integer(2), rank, v.op.name));
    return v.b.apply(v.op, std::array{v.in_batched(0), v.in_batched(1)}, with(v.attrs, 2, at + 1));
  }
  static std::vector<Sample> samples() {
    return {{{{{3, 5}}, {{3, 1}, DType::Int64, 0, 4}}, {}, {}},
            {{{{40, 3}, DType::Float16}, {{1, 3}, DType::Int64, 0, 39}}, {{"axis", int64_t{0}}}, {}},
            {{{{2, 900}, DType::Int32, -9, 9}, {{2, 1}, DType::Int64, 0, 899}}, {{"axis", int64_t{1}}}, {}}};
  }
};
EMBER_OP(OrderStatistic);

}  // namespace
}  // namespace ember::ops
