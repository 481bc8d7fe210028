// all_reduce in two ops, so that gradients are sent while others are computed. Between them the elements of several
// Tensors, a bucket, are one message.
#include <algorithm>

#include "ops/collective/combine.h"
#include "ops/collective/transport.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

struct AllReduceBegin {
  static constexpr const char* name = "all_reduce_begin";
  static constexpr const char* primitive = "AllReduceBegin";
  static constexpr const char* signature =
      "operands: tensors, op: str = 'sum', group: str = 'hccl_world_group' -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::Begins;
  static constexpr const char* numpy = "";
  static constexpr const char* doc =
      "Begins to reduce Tensors of one dtype, as all_reduce has it: all_reduce_end takes the result, a ticket, and "
      "returns them reduced. Comes as soon as the Tensors are there.";
  static Types infer(const InferCall& c) {
    if (c.in.empty()) value_error(about(name) + "'operands' must have a Tensor.");
    for (const Type& type : c.in) {
      if (type.dtype != c.in[0].dtype) type_error(about(name) + "'operands' must be of one dtype.");
    }
    check_reduction(name, c.attrs.text(1), c.in[0].dtype);
    return {Type::tensor(DType::Int64, {})};
  }
  static void kernel(const KernelCall& c) {
    const DType dtype = c.in[0].layout->dtype;
    int64_t count = 0;
    for (const View& view : c.in) count += view.layout->numel;
    const size_t bytes = static_cast<size_t>(count) * itemsize(dtype);
    Bucket bucket{gc::allocate(std::max<size_t>(bytes, 1)), {}};
    auto* next = static_cast<std::byte*>(bucket.memory->data());
    const std::span<std::byte> all(next, bytes);
    for (const View& view : c.in) {
      const Layout& from = *view.layout;
      StridedCopy(dtype, from.shape, from.strides, row_major_strides(from.shape)).run_parallel(view.data, next);
      next += static_cast<size_t>(from.numel) * itemsize(dtype);
    }
    bucket.request = {"all_reduce", c.attrs.text(2), c.attrs.text(1), dtype, all, all, {}};
    *c.out[0].as<int64_t>() = begin(std::move(bucket));
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(AllReduceBegin);

struct AllReduceEnd {
  static constexpr const char* name = "all_reduce_end";
  static constexpr const char* primitive = "AllReduceEnd";
  static constexpr const char* signature = "ticket: tensor, dtype: dtype, shapes: ints -> tensors";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* numpy = "";
  static constexpr const char* doc =
      "What all_reduce_begin began, once it is done: Tensors of these shapes, which follow each other as rank and "
      "sizes: "
      "(2, 3) and () are (2, 2, 3, 0).";
  static Types infer(const InferCall& c) {
    Types types;
    const Ints& shapes = c.attrs.ints(2);
    for (size_t i = 0; i < shapes.size();) {
      const int64_t rank = pinned(shapes[i++]);
      if (rank < 0 || i + static_cast<size_t>(rank) > shapes.size())
        value_error(about(name) + "'shapes' must be ranks, each with its sizes, but got " + text(shapes) + ".");
      const auto begin = shapes.begin() + static_cast<std::ptrdiff_t>(i);
      types.push_back(Type::tensor(c.attrs.dtype(1), dims_of(Ints(begin, begin + rank), name)));
      i += static_cast<size_t>(rank);
    }
    return types;
  }
  static void kernel(const KernelCall& c) {
    const std::shared_ptr<Bucket> bucket = end(*c.in[0].as<int64_t>());
    size_t at = 0;
    for (const View& out : c.out) at += out.layout->bytes();
    if (at != bucket->request.output.size())
      value_error(about(name) + "'shapes' must have the elements of what was begun.");
    at = 0;
    for (const View& out : c.out) {
      const Shape dense = row_major_strides(out.layout->shape);
      StridedCopy(out.layout->dtype, out.layout->shape, dense, dense)
          .run_parallel(bucket->request.output.data() + at, out.data);
      at += out.layout->bytes();
    }
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(AllReduceEnd);

}  // namespace
}  // namespace ember::ops
