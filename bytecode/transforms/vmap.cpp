// The entry: brings the batch axes of parameters to the front, and those of results to where they are wanted.
#include <algorithm>

#include "bytecode/transforms/batching.h"
#include "bytecode/transforms/transforms.h"

namespace ember::bytecode {

using ops::Kind;
using ops::Value;
using ops::Values;

namespace {

size_t checked_axis(int64_t axis, size_t rank) { return ops::axis(axis, rank, "vmap"); }

Value move_axis(GraphBuilder& b, const Value& v, size_t from, size_t to) {
  if (from == to) return v;
  std::vector<int64_t> order;
  for (size_t i = 0; i < b.dims(v).size(); ++i)
    if (i != from) order.push_back(static_cast<int64_t>(i));
  order.insert(order.begin() + static_cast<ptrdiff_t>(to), static_cast<int64_t>(from));
  return b.transpose(v, ops::Ints(order.begin(), order.end()));
}

void check_parameter(const Type& type, size_t i) {
  if (type.kind == Kind::Tensor) return;
  ops::type_error("vmap: parameter " + std::to_string(i) + " is " + to_string(type) +
                  "; only a tensor has a batch axis");
}

}  // namespace

GraphId vmap(Module& module, GraphId f, std::span<const int64_t> in_axes, std::span<const int64_t> out_axes,
             ops::Dim size) {
  const Graph source = module.graph(f);
  const std::vector<ValueId> params = without_tokens(source, source.params);
  const std::vector<ValueId> results = without_tokens(source, source.results);
  if (in_axes.size() != params.size() || out_axes.size() != results.size())
    ops::value_error("vmap: one axis is needed for every parameter and result");
  Marks batched, wanted;
  for (int64_t axis : in_axes) batched.push_back(axis != kNotBatched);
  for (int64_t axis : out_axes) wanted.push_back(axis != kNotBatched);

  Batcher batcher(module, f, batched, size);
  const GraphId id = module.add_graph("vmap_" + source.name);
  GraphBuilder b(module, id);
  BatchedGraph graph(batcher, f, b, batched);
  for (size_t i = 0; i < params.size(); ++i) {
    Type type = source.type(params[i]);
    if (!batched[i]) {
      graph.replay().param(params[i]);
      continue;
    }
    check_parameter(type, i);
    const size_t axis = checked_axis(in_axes[i], type.dims.size() + 1);
    type.dims.insert(axis, size);
    graph.replay()[params[i]] = move_axis(b, b.param(source.param_names[i], type), axis, 0);
  }
  graph.run();
  Values out = graph.results(wanted);
  for (size_t i = 0; i < out.size(); ++i) {
    if (wanted[i])
      out[i] = move_axis(b, out[i], 0, checked_axis(out_axes[i], b.dims(out[i]).size()));
    else if (graph.batched(results[i]))
      ops::value_error("vmap: result " + std::to_string(i) +
                       " differs between the elements of the batch, so it needs an axis");
  }
  b.finish(out);
  return id;
}

}  // namespace ember::bytecode
