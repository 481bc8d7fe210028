// Elements of lines in order, all or the first: stable, NaN above all (kernels/sort.h).
#include "ops/kernels/sort.h"

#include "ops/table/movement.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// Each cotangent goes to the element that the index names; no two name one.
Values gradient_by_index(Grad& g, int64_t axis_attr) {
  const Dims& dims = g.in_type(0).dims;
  if (dims.empty()) return {g.ct()};
  const Value zeros = g.b.zeros(g.in_type(0).dtype, dims);
  const auto at = static_cast<int64_t>(axis(axis_attr, dims.size(), g.op.name));
  return {g.b.call("tensor_scatter_elements", {zeros, g.out(1), g.ct()}, {{"axis", at}})};
}

Values batch_lines(Batch& v, size_t axis_index) {
  const size_t rank = v.b.dims(v.in(0)).size() - 1;
  if (rank > 0) {
    const auto at = static_cast<int64_t>(axis(v.attrs.integer(axis_index), rank, v.op.name));
    return v.b.apply(v.op, {{v.in(0)}}, with(v.attrs, axis_index, at + 1));
  }
  const Dims dims = v.b.dims(v.in(0));
  const Value lines = v.b.reshape(v.in(0), Dims{dims[0], Dim(1)});
  Values out = v.b.apply(v.op, {{lines}}, with(v.attrs, axis_index, int64_t{1}));
  for (Value& result : out) result = v.b.reshape(result, dims);
  return out;
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
    axis(c.attrs.integer(1), std::max<size_t>(c.in[0].dims.size(), 1), name);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims), Type::tensor(DType::Int64, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) {
    const size_t rank = c.in[0].layout->rank(), at = axis(c.attrs.integer(1), std::max<size_t>(rank, 1), name);
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
    const size_t rank = c.in[0].dims.size(), at = axis(c.attrs.integer(2), std::max<size_t>(rank, 1), name);
    const int64_t k = c.attrs.integer(1);
    const Dim size = rank ? c.in[0].dims[at] : Dim(1);
    if (k < 0 || !(Dim(k) <= size) || (!rank && k != 1)) {
      value_error(about(name) + "'k' must be from 0 to the size of the axis, " + to_string(hints(Dims{size})) +
                  ", but got " + std::to_string(k) + ".");
    }
    Dims dims = c.in[0].dims;
    if (rank) dims[at] = k;
    return {Type::tensor(c.in[0].dtype, dims), Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& c) {
    const size_t at = axis(c.attrs.integer(2), std::max<size_t>(c.in[0].layout->rank(), 1), name);
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

}  // namespace
}  // namespace ember::ops
