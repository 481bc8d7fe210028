// Gather of one element along an axis, and the scatter that is its inverse: y[i] = x[i, index[i]], and y[i, index[i]] =
// x[i], else 0. x = [[1 2 3] [4 5 6]], index = [2 0]: gathered 3 4, scattered [[0 0 3] [4 0 0]]. Losses and the
// gradients of extremes are made of these two, each the other's gradient. An ignored index gathers 0, one out of range
// scatters nothing.
#include <atomic>
#include <cstring>
#include <limits>

#include "ops/base/parallel.h"
#include "ops/table/builder.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr size_t kAxis = 2, kSize = 3, kIgnore = 3;
constexpr int64_t kNowhere = -1;

int64_t index_at(const View& index, int64_t offset) {
  return index.layout->dtype == DType::Int32 ? index.as<int32_t>()[offset] : index.as<int64_t>()[offset];
}

void check_index(const Type& index, std::string_view name) {
  if (index.dtype != DType::Int32 && index.dtype != DType::Int64) {
    type_error("For '" + std::string(name) + "', the index must be int32 or int64, but got " + to_string(index) + ".");
  }
}

void check_same(const Dims& a, const Dims& b, const InferCall& call, std::string_view name) {
  bool same = a.size() == b.size();
  for (size_t d = 0; same && d < a.size(); ++d) same = a[d] == b[d];
  if (same) return;
  value_error("For '" + std::string(name) + "', the operands' shapes do not fit: " + to_string(call.in[0]) + " and " +
              to_string(call.in[1]) + ".");
}

// Every dimension of a layout but the axis.
StridedDims across(const Layout& layout, size_t axis) {
  StridedDims strided;
  for (size_t d = 0; d < layout.rank(); ++d) {
    if (d == axis) continue;
    strided.sizes.push_back(layout.shape[d]);
    strided.strides.push_back(layout.strides[d]);
  }
  return strided;
}

// Calls f(offset in a, offset in b) for every element across the axis.
template <class F>
void for_each_across(const Layout& a, const Layout& b, size_t axis, F f) {
  const StridedDims wa = across(a, axis), wb = across(b, axis);
  parallel_for(wb.count(), 8192, [&](int64_t begin, int64_t end) {
    StridedIterator at_a(wa), at_b(wb);
    at_a.seek(begin);
    at_b.seek(begin);
    for (int64_t i = begin; i < end; ++i) {
      f(i, at_a.offset(), at_b.offset());
      at_a.advance(1);
      at_b.advance(1);
    }
  });
}

// Moves the batch axis in front: the op's own axis counts one further.
Values batch_along(Batch& batch, size_t rank) {
  Attrs attrs = batch.attrs;
  attrs.set(kAxis, static_cast<int64_t>(axis(attrs.integer(kAxis), rank, batch.op.name)) + 1);
  return batch.b.apply(batch.op, std::array{batch.in_batched(0), batch.in_batched(1)}, attrs);
}

struct GatherAlongAxis {
  static constexpr const char* name = "pick";
  static constexpr const char* primitive = "Pick";
  static constexpr const char* signature =
      "input: tensor, index: tensor, axis: int = -1, ignore: int? = None -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::RaisesOnValue | Flag::Moves;
  static constexpr const char* doc =
      "The element of `input` along `axis` that `index` names; 0 where the index is `ignore`. `index` has the shape of "
      "`input` but for a size of 1 along `axis`.";
  static constexpr const char* numpy =
      "np.where(index == ignore, 0, np.take_along_axis(input, np.where(index == ignore, 0, index), axis))";
  static constexpr const char* saves = "index";
  static Types infer(const InferCall& call) {
    const Type& x = call.in[0];
    check_index(call.in[1], name);
    const size_t d = axis(call.attrs.integer(kAxis), x.dims.size(), name);
    Dims dims = x.dims;
    dims[d] = 1;
    check_same(dims, call.in[1].dims, call, name);
    return {Type::tensor(x.dtype, dims)};
  }
  static void kernel(const KernelCall& call) {
    const View &x = call.in[0], &index = call.in[1];
    const size_t d = axis(call.attrs.integer(kAxis), x.layout->rank(), name);
    const auto bytes = static_cast<int64_t>(itemsize(x.layout->dtype));
    const int64_t size = x.layout->shape[d], step = x.layout->strides[d];
    const bool ignores = call.attrs.has(kIgnore);
    const int64_t ignored = ignores ? call.attrs.integer(kIgnore) : 0;
    constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
    std::atomic<int64_t> wrong = kNone;  // the first by position, whichever thread meets it
    for_each_across(*x.layout, *index.layout, d, [&](int64_t i, int64_t from, int64_t at) {
      std::byte* to = call.out[0].as<std::byte>() + i * bytes;
      const int64_t which = index_at(index, at);
      const bool skip = ignores && which == ignored;
      if (!skip && which >= 0 && which < size) {
        std::memcpy(to, x.as<std::byte>() + (from + which * step) * bytes, static_cast<size_t>(bytes));
      } else {
        std::memset(to, 0, static_cast<size_t>(bytes));
        for (int64_t first = wrong; !skip && i < first && !wrong.compare_exchange_weak(first, i);) {
        }
      }
    });
    if (wrong == kNone) return;
    const StridedDims strided = across(*index.layout, d);
    StridedIterator at(strided);
    at.seek(wrong);
    index_error("For '" + std::string(name) + "', index " + std::to_string(index_at(index, at.offset())) +
                " is out of range for an axis of " + std::to_string(size) + " elements of shape " +
                to_string(x.layout->shape) + ".");
  }
  static Values grad(Grad& g) {
    const Dims& dims = g.in_type(0).dims;
    const size_t d = axis(g.attrs.integer(kAxis), dims.size(), name);
    Value index = g.in(1);
    if (g.attrs.has(kIgnore)) {
      const Value ignored = g.b.call("equal", {index, g.attrs.integer(kIgnore)});
      index = g.b.call("select", {ignored, kNowhere, index});
    }
    return {g.b.call("place", {g.ct(), index}, {{"axis", static_cast<int64_t>(d)}, {"size", Ints{dims[d]}}}), {}};
  }
  static Values batch(Batch& batch) { return batch_along(batch, batch.b.dims(batch.in_batched(0)).size() - 1); }
  static std::vector<Sample> samples() {
    return {{{{{4, 5}}, {{4, 1}, DType::Int32, 0, 4}}, {{"axis", int64_t{1}}}, {}},
            {{{{4, 5, 3}}, {{4, 1, 3}, DType::Int64, 0, 4}}, {{"axis", int64_t{-2}}}, {}},
            {{{{8, 3}}, {{8, 1}, DType::Int32, 0, 2}}, {{"axis", int64_t{1}}, {"ignore", int64_t{1}}}, {}}};
  }
};
EMBER_OP(GatherAlongAxis);

struct ScatterAlongAxis {
  static constexpr const char* name = "place";
  static constexpr const char* primitive = "Place";
  static constexpr const char* signature = "input: tensor, index: tensor, axis: int, size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Zeros with `size` elements along `axis`, and `input` at the index, if that is within: the gradient of `pick`.";
  static constexpr const char* numpy = "np.where(np.arange(size[0]) == index, input, np.zeros_like(input))";
  static constexpr const char* saves = "index";
  static Types infer(const InferCall& call) {
    const Type& x = call.in[0];
    check_index(call.in[1], name);
    const size_t d = axis(call.attrs.integer(kAxis), x.dims.size(), name);
    check_same(x.dims, call.in[1].dims, call, name);
    Dims dims = x.dims;
    if (call.attrs.ints(kSize).size() != 1 || dims[d] != Dim(1)) {
      value_error("For '" + std::string(name) + "', size must be one number and input " + to_string(x) +
                  " of size 1 along the axis.");
    }
    dims[d] = call.attrs.ints(kSize)[0];
    return {Type::tensor(x.dtype, dims)};
  }
  static void kernel(const KernelCall& call) {
    const View &x = call.in[0], &index = call.in[1], &out = call.out[0];
    const size_t d = axis(call.attrs.integer(kAxis), x.layout->rank(), name);
    const auto bytes = static_cast<int64_t>(itemsize(x.layout->dtype));
    std::memset(out.data, 0, out.layout->bytes());
    if (out.layout->numel == 0) return;
    const StridedDims from = across(*x.layout, d);
    for_each_across(*out.layout, *index.layout, d, [&](int64_t i, int64_t to, int64_t at) {
      const int64_t which = index_at(index, at);
      if (which < 0 || which >= out.layout->shape[d]) return;
      StridedIterator source(from);
      source.seek(i);
      std::memcpy(out.as<std::byte>() + (to + which * out.layout->strides[d]) * bytes,
                  x.as<std::byte>() + source.offset() * bytes, static_cast<size_t>(bytes));
    });
  }
  static Values grad(Grad& g) {
    return {g.b.call("pick", {g.ct(), g.in(1)}, {{"axis", g.attrs.integer(kAxis)}, {"ignore", kNowhere}}), {}};
  }
  static Values batch(Batch& batch) { return batch_along(batch, batch.b.dims(batch.in_batched(0)).size() - 1); }
  static std::vector<Sample> samples() {
    return {{{{{4, 1}}, {{4, 1}, DType::Int32, 0, 4}}, {{"axis", int64_t{1}}, {"size", Ints{5}}}, {}}};
  }
};
EMBER_OP(ScatterAlongAxis);

}  // namespace
}  // namespace ember::ops
