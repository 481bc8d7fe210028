// Collectives: every process of a group calls the same op with operands of the same type. Their gradients are those of
// the sum of what all processes compute from the results. They are outside effects, so that all processes make them in
// one order. `size` is the number of processes of the group, `rank` this one's place in it.
#include "ops/collective/combine.h"
#include "ops/collective/transport.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

std::span<const std::byte> bytes_of(const View& view) {
  return {view.as<std::byte>(), static_cast<size_t>(view.layout->numel) * itemsize(view.layout->dtype)};
}

void carry(const KernelCall& c, std::string_view op, const std::string& group, const std::string& reduction = "",
           std::vector<int64_t> numbers = {}) {
  Tensor room;
  const View input = row_major(c.in[0], c.in[0].layout->dtype, &room);
  const std::span<const std::byte> out = bytes_of(c.out[0]);
  communicate({op,
               group,
               reduction,
               input.layout->dtype,
               bytes_of(input),
               {const_cast<std::byte*>(out.data()), out.size()},
               std::move(numbers)});
}

std::vector<int64_t> numbers_of(const Ints& counts) {
  std::vector<int64_t> out;
  for (const Dim count : counts) out.push_back(pinned(count));
  return out;
}

// The rows of a Tensor, its elements along the first axis.
Dim rows_of(const Type& type, std::string_view op) {
  if (type.dims.empty()) value_error(about(op) + "the Tensor must have an axis, along which parts lie.");
  return type.dims[0];
}

Type with_rows(const Type& type, Dim rows) {
  Dims dims = type.dims;
  dims[0] = rows;
  return Type::tensor(type.dtype, dims);
}

Dim sum_of(const Ints& counts) {
  Dim sum = 0;
  for (const Dim count : counts) sum = sum + count;
  return sum;
}

void check_rows(const Type& type, const Ints& counts, std::string_view op, std::string_view what) {
  if (const Dim rows = rows_of(type, op); rows != sum_of(counts)) {
    value_error(about(op) + "'" + std::string(what) + "' must sum up to the size of axis 0, " +
                std::to_string(rows.hint()) + ", but got " + text(counts) + ".");
  }
}

Dim own_count(const Ints& counts, Dim rank, std::string_view op) {
  const int64_t at = pinned(rank);
  if (at < 0 || at >= static_cast<int64_t>(counts.size())) {
    value_error(about(op) + "'rank' is " + std::to_string(at) + ", but there are counts of " +
                std::to_string(counts.size()) + " processes.");
  }
  return counts[static_cast<size_t>(at)];
}

Dim checked_size(Dim size, std::string_view op) {
  if (pinned(size) < 1)
    value_error(about(op) + "'size' must be positive, but got " + std::to_string(size.hint()) + ".");
  return size;
}

// A batch axis, which all processes have, moves behind the rows.
Values batch_behind_rows(Batch& v) {
  Ints order(v.b.dims(v.in(0)).size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
  if (order.size() < 2) value_error(about(v.op.name) + "the Tensor must have an axis, along which parts lie.");
  std::swap(order[0], order[1]);
  const Values out = v.b.apply(v.op, {{v.b.transpose(v.in(0), order)}}, v.attrs);
  return {v.b.transpose(out[0], order)};
}

struct Collective {
  static constexpr Flags flags = Flag::Io;
  static constexpr const char* numpy = "input";
};

struct AllReduce : Collective {
  static constexpr const char* name = "all_reduce";
  static constexpr const char* primitive = "AllReduce";
  static constexpr const char* signature = "input: tensor, op: str = 'sum', group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* saves = "input, out";
  static constexpr const char* doc =
      "The Tensors of all processes of a group reduced element by element, as a binary tree by rank: `op` is sum, "
      "prod, "
      "max, min or avg.";
  static Types infer(const InferCall& c) {
    check_reduction(name, c.attrs.text(1), c.in[0].dtype);
    return {Type::tensor(c.in[0].dtype, c.in[0].dims)};
  }
  static void kernel(const KernelCall& c) { carry(c, name, c.attrs.text(2), c.attrs.text(1)); }
  static Values grad(Grad& g) {
    const std::string& op = g.attrs.text(1);
    const auto reduced = [&](const Value& v, const std::string& by) {
      return g.b.call(name, {v}, {{"op", by}, {"group", g.attrs.text(2)}});
    };
    if (op == "sum" || op == "avg") return {reduced(g.ct(), op)};
    const Value all = reduced(g.ct(), "sum");
    if (op == "prod") return {g.b.div(g.b.mul(all, g.out()), g.in(0))};
    return {g.b.select(g.b.call("equal", {g.in(0), g.out()}), all, g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims))};
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3}}}, {}, {}}, {{{{4}, DType::Int32}}, {{"op", std::string("max")}}, {}}};
  }
};
EMBER_OP(AllReduce);

struct AllGather : Collective {
  static constexpr const char* name = "all_gather";
  static constexpr const char* primitive = "AllGather";
  static constexpr const char* signature = "input: tensor, size: int = 1, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc = "The Tensors of the `size` processes of a group joined along the first axis.";
  static Types infer(const InferCall& c) {
    return {with_rows(c.in[0], rows_of(c.in[0], name) * checked_size(c.attrs.dim(1), name))};
  }
  static void kernel(const KernelCall& c) { carry(c, name, c.attrs.text(2)); }
  static Values grad(Grad& g) {
    return {g.b.call("reduce_scatter", {g.ct()}, {{"size", g.attrs.dim(1)}, {"group", g.attrs.text(2)}})};
  }
  static Values batch(Batch& v) { return batch_behind_rows(v); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {}, {}}, {{{{0, 3}, DType::Int8}}, {}, {}}}; }
};
EMBER_OP(AllGather);

struct ReduceScatter : Collective {
  static constexpr const char* name = "reduce_scatter";
  static constexpr const char* primitive = "ReduceScatter";
  static constexpr const char* signature =
      "input: tensor, op: str = 'sum', size: int = 1, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc =
      "Of the Tensors of the `size` processes of a group reduced, as all_reduce has it, this process's part along the "
      "first axis.";
  static Types infer(const InferCall& c) {
    check_reduction(name, c.attrs.text(1), c.in[0].dtype);
    const Dim rows = rows_of(c.in[0], name), size = checked_size(c.attrs.dim(2), name);
    if (rows % size != Dim(0)) {
      value_error(about(name) + "axis 0 of " + to_string(hints(c.in[0].dims)) + " is not divided evenly among " +
                  std::to_string(size.hint()) + " processes.");
    }
    return {with_rows(c.in[0], rows / size)};
  }
  static void kernel(const KernelCall& c) { carry(c, name, c.attrs.text(3), c.attrs.text(1)); }
  static Values grad(Grad& g) {
    const std::string& op = g.attrs.text(1);
    if (op != "sum" && op != "avg") type_error(about(name) + "the gradient of '" + op + "' is not known.");
    const Value all = g.b.call("all_gather", {g.ct()}, {{"size", g.attrs.dim(2)}, {"group", g.attrs.text(3)}});
    return {op == "sum" ? all : g.b.div(all, g.b.size(g.attrs.dim(2)))};
  }
  static Values batch(Batch& v) { return batch_behind_rows(v); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {}, {}}}; }
};
EMBER_OP(ReduceScatter);

struct AllGatherV : Collective {
  static constexpr const char* name = "all_gather_v";
  static constexpr const char* primitive = "AllGatherV";
  static constexpr const char* signature =
      "input: tensor, counts: ints, rank: int = 0, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc =
      "The Tensors of all processes of a group joined along the first axis, of which process i has counts[i].";
  static Types infer(const InferCall& c) {
    const Ints& counts = c.attrs.ints(1);
    check_rows(c.in[0], {own_count(counts, c.attrs.dim(2), name)}, name, "counts");
    return {with_rows(c.in[0], sum_of(counts))};
  }
  static void kernel(const KernelCall& c) { carry(c, name, c.attrs.text(3), "", numbers_of(c.attrs.ints(1))); }
  static Values grad(Grad& g) {
    return {g.b.call("reduce_scatter_v", {g.ct()},
                     {{"counts", g.attrs.ints(1)}, {"rank", g.attrs.dim(2)}, {"group", g.attrs.text(3)}})};
  }
  static Values batch(Batch& v) { return batch_behind_rows(v); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {{"counts", Ints{2}}}, {}}}; }
};
EMBER_OP(AllGatherV);

struct ReduceScatterV : Collective {
  static constexpr const char* name = "reduce_scatter_v";
  static constexpr const char* primitive = "ReduceScatterV";
  static constexpr const char* signature =
      "input: tensor, counts: ints, op: str = 'sum', rank: int = 0, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc =
      "Of the Tensors of all processes of a group reduced, as all_reduce has it, this process's part along the first "
      "axis, of which process i has counts[i].";
  static Types infer(const InferCall& c) {
    check_reduction(name, c.attrs.text(2), c.in[0].dtype);
    const Ints& counts = c.attrs.ints(1);
    check_rows(c.in[0], counts, name, "counts");
    return {with_rows(c.in[0], own_count(counts, c.attrs.dim(3), name))};
  }
  static void kernel(const KernelCall& c) {
    carry(c, name, c.attrs.text(4), c.attrs.text(2), numbers_of(c.attrs.ints(1)));
  }
  static Values grad(Grad& g) {
    const std::string& op = g.attrs.text(2);
    if (op != "sum") type_error(about(name) + "the gradient of '" + op + "' is not known.");
    return {g.b.call("all_gather_v", {g.ct()},
                     {{"counts", g.attrs.ints(1)}, {"rank", g.attrs.dim(3)}, {"group", g.attrs.text(4)}})};
  }
  static Values batch(Batch& v) { return batch_behind_rows(v); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {{"counts", Ints{2}}}, {}}}; }
};
EMBER_OP(ReduceScatterV);

struct BroadcastFrom : Collective {
  static constexpr const char* name = "broadcast_from";
  static constexpr const char* primitive = "Broadcast";
  static constexpr const char* signature =
      "input: tensor, root: int, rank: int = 0, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc = "The Tensor of the process `root` of a group.";
  static Types infer(const InferCall& c) { return {Type::tensor(c.in[0].dtype, c.in[0].dims)}; }
  static void kernel(const KernelCall& c) { carry(c, name, c.attrs.text(3), "", {c.attrs.integer(1)}); }
  static Values grad(Grad& g) {
    const Value all = g.b.call("all_reduce", {g.ct()}, {{"group", g.attrs.text(3)}});
    const bool is_root = g.attrs.integer(1) == g.attrs.integer(2);
    return {is_root ? all : g.b.zeros(g.in_type(0).dtype, g.in_type(0).dims)};
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {{"root", int64_t{0}}}, {}}}; }
};
EMBER_OP(BroadcastFrom);

struct AllToAll : Collective {
  static constexpr const char* name = "all_to_all";
  static constexpr const char* primitive = "AlltoAllV";
  static constexpr const char* signature =
      "input: tensor, send: ints, receive: ints, group: str = 'hccl_world_group' -> tensor";
  static constexpr const char* doc =
      "The first send[0] rows of the Tensor, along its first axis, go to process 0 of the group, the next send[1] to "
      "process 1 and so on; the result is the rows that come, receive[i] of process i, in the order of ranks.";
  static Types infer(const InferCall& c) {
    check_rows(c.in[0], c.attrs.ints(1), name, "send");
    return {with_rows(c.in[0], sum_of(c.attrs.ints(2)))};
  }
  static void kernel(const KernelCall& c) {
    Ints counts = c.attrs.ints(1);
    counts.insert(counts.end(), c.attrs.ints(2).begin(), c.attrs.ints(2).end());
    carry(c, name, c.attrs.text(3), "", numbers_of(counts));
  }
  static Values grad(Grad& g) {
    return {g.b.call(name, {g.ct()},
                     {{"send", g.attrs.ints(2)}, {"receive", g.attrs.ints(1)}, {"group", g.attrs.text(3)}})};
  }
  static Values batch(Batch& v) { return batch_behind_rows(v); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {{"send", Ints{2}}, {"receive", Ints{2}}}, {}}}; }
};
EMBER_OP(AllToAll);

struct Send : Collective {
  static constexpr const char* name = "send";
  static constexpr const char* primitive = "Send";
  static constexpr const char* signature =
      "input: tensor, to: int, tag: int = 0, group: str = 'hccl_world_group' -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* numpy = "";
  static constexpr const char* doc =
      "Sends a Tensor to the process `to` of a group, which receives it; `tag` tells messages between the same "
      "processes "
      "apart. Returns once the elements are copied.";
  static Types infer(const InferCall&) { return {}; }
  static void kernel(const KernelCall& c) {
    Tensor room;
    const View input = row_major(c.in[0], c.in[0].layout->dtype, &room);
    const std::vector<int64_t> numbers = {c.attrs.integer(1), c.attrs.integer(2)};
    communicate({name, c.attrs.text(3), "", input.layout->dtype, bytes_of(input), {}, numbers});
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(Send);

struct Receive {
  static constexpr const char* name = "receive";
  static constexpr const char* primitive = "Receive";
  static constexpr const char* signature =
      "shape: ints, dtype: dtype, source: int, tag: int = 0, group: str = 'hccl_world_group' -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* numpy = "";
  static constexpr const char* doc =
      "Receives a Tensor of this shape and dtype that the process `source` of a group sends.";
  static Types infer(const InferCall& c) { return {Type::tensor(c.attrs.dtype(1), dims_of(c.attrs.ints(0), name))}; }
  static void kernel(const KernelCall& c) {
    const std::span<const std::byte> out = bytes_of(c.out[0]);
    const std::vector<int64_t> numbers = {c.attrs.integer(2), c.attrs.integer(3)};
    communicate({name,
                 c.attrs.text(4),
                 "",
                 c.out[0].layout->dtype,
                 {},
                 {const_cast<std::byte*>(out.data()), out.size()},
                 numbers});
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(Receive);

struct Barrier {
  static constexpr const char* name = "barrier";
  static constexpr const char* primitive = "Barrier";
  static constexpr const char* signature = "group: str = 'hccl_world_group' -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient;
  static constexpr const char* numpy = "";
  static constexpr const char* doc = "Waits until all processes of a group are here.";
  static Types infer(const InferCall&) { return {}; }
  static void kernel(const KernelCall& c) { communicate({name, c.attrs.text(0), "", DType::UInt8, {}, {}, {}}); }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(Barrier);

}  // namespace
}  // namespace ember::ops
