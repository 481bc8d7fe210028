// Graphs that are called: those that calls share, and that may call themselves; their gradients and batches.
#include <algorithm>

#include "bytecode/graph/call_cycles.h"
#include "bytecode/passes/may_raise.h"
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/differentiate.h"
#include "bytecode/transforms/transforms.h"
#include "ops/eager/float_status.h"
#include "python/src/capture/capture.h"
#include "python/src/conversion/convert.h"

namespace ember::python {

using bytecode::Graph;
using bytecode::GraphId;

std::vector<Object> Capture::begin_shared(const std::string& name, std::span<PyObject* const> operands,
                                          std::span<const char> known, bool keep) {
  std::vector<std::pair<Traced, ops::Type>> places;
  for (PyObject* o : operands) {
    const Traced traced = find_traced(o).value();
    places.emplace_back(traced, builder().graph().type(local_id(levels_.size() - 1, traced)));
  }
  const GraphId graph = module_.add_graph(name);
  module_.graph(graph).shared = keep;
  push_level(graph, places.size());
  std::vector<Object> params;
  for (size_t i = 0; i < places.size(); ++i) {
    ops::Value param = builder().param("x" + std::to_string(i), places[i].second);
    if (known[i]) levels_.back()->local.emplace(places[i].first, builder().id(param));
    params.push_back(wrap_value(param));
  }
  return params;
}

InnerGraph Capture::declare_like(const InnerGraph& before) {
  for (const Traced& t : before.lifted) local_id(levels_.size() - 1, t);
  const Graph& graph = module_.graph(before.graph);
  builder().declare(bytecode::types_without_tokens(graph, graph.results),
                    bytecode::graph_has_effect(module_, before.graph));
  return {builder().graph_id(), levels_.back()->declared, levels_.back()->lifted, before.raises};
}

bool Capture::alike(const InnerGraph& a, const InnerGraph& b) const {
  const auto types = [&](const InnerGraph& inner) {
    const Graph& graph = module_.graph(inner.graph);
    return bytecode::types_without_tokens(graph, graph.results);
  };
  const auto identical = [](const ops::Type& x, const ops::Type& y) { return ops::identical(x, y); };
  const ops::Types left = types(a), right = types(b);
  return a.lifted == b.lifted && a.raises == b.raises &&
         std::equal(left.begin(), left.end(), right.begin(), right.end(), identical) &&
         bytecode::graph_has_effect(module_, a.graph) == bytecode::graph_has_effect(module_, b.graph);
}

void Capture::check_finished(const InnerGraph& graph) const {
  for (GraphId id : bytecode::reachable_graphs(module_, graph.graph))
    for (const auto& level : levels_)
      if (level->builder->graph_id() == id)
        raise(capture_error,
              "'" + module_.graph(id).name +
                  "' calls itself within a gradient or a batch of its own, which cannot be captured into "
                  "a graph: take the gradient outside, or decide by a Python value.");
}

bool Capture::can_call(const InnerGraph& graph) const {
  return std::all_of(graph.lifted.begin(), graph.lifted.end(), [&](const Traced& t) {
    return std::any_of(levels_.begin(), levels_.end(), [&](const auto& level) { return level->number == t.level; });
  });
}

// Whether a graph under construction has come to take more from outside than was declared, or to have effects. It is
// going to be written again.
bool Capture::is_stale(const InnerGraph& graph) const {
  const Graph& callee = module_.graph(graph.graph);
  return std::any_of(levels_.begin(), levels_.end(), [&](const auto& level) {
    if (level->builder->graph_id() != graph.graph) return false;
    return level->lifted.size() != graph.lifted.size() ||
           bytecode::graph_has_effect(module_, graph.graph) != bytecode::returns_token(callee);
  });
}

// In place of the results of a call.
std::vector<Object> Capture::zeros_like_results(const InnerGraph& graph) {
  const Graph& callee = module_.graph(graph.graph);
  ops::Values values;
  for (const ops::Type& type : bytecode::types_without_tokens(callee, callee.results))
    values.push_back(bytecode::zero(builder(), type));
  return wrap_all(values);
}

bool Capture::has_written(PyObject* tensor) const {
  return std::ranges::any_of(writes_, [&](const Write& write) { return write.tensor.get() == tensor; });
}

void Capture::bound_integers(std::span<PyObject* const> values) {
  constexpr size_t kMostBits = 53;
  for (PyObject* o : values) {
    const Object value = is_number(o) && as_number(o)->expr ? bounded(o) : Object::borrow(o);
    if (PyLong_Check(value.get()) && _PyLong_NumBits(value.get()) > kMostBits)
      raise(capture_error,
            "an integer of more than 53 bits is one of those between which a Tensor decides, or that a loop on a "
            "Tensor or a function that calls itself changes, which a graph may compute wrongly: use a Tensor.");
  }
}

std::vector<Object> Capture::call(const InnerGraph& graph, std::span<PyObject* const> operands) {
  if (is_stale(graph)) return zeros_like_results(graph);
  bound_integers(operands);
  ops::Values inputs = lift_all(operands);
  const Graph& callee = module_.graph(graph.graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool taken_by_value = callee.type(callee.params[i]).kind == ops::Kind::Tensor;
    if (taken_by_value && builder().type(inputs[i]).kind == ops::Kind::Ref) inputs[i] = builder().load(inputs[i]);
  }
  for (ops::Value& v : lifted_values(graph.lifted)) inputs.push_back(std::move(v));
  if (graph.raises) check_unchanged();
  raising_ += graph.raises;
  return wrap_all(builder().call(graph.graph, inputs));
}

std::vector<Object> Capture::call_module(const bytecode::Module& module, std::span<PyObject* const> operands) {
  ops::Types types;
  for (PyObject* o : operands) types.push_back(builder().type(lift(o)));
  const std::vector<char> raising = bytecode::graphs_that_may_raise(module);
  return call({bytecode::adopt(module_, module, types), operands.size(), {}, raising[module.entry] != 0}, operands);
}

std::vector<Object> Capture::call_with_gradient(InnerGraph graph, InnerGraph gradient,
                                                std::span<PyObject* const> operands) {
  unify_lifted(graph, gradient);
  module_.graph(graph.graph).gradient = gradient.graph;
  return call(graph, operands);
}

// With parameters as operands of the graph, after those that it has.
bytecode::GradOptions Capture::options(InnerGraph& graph, const std::vector<uint32_t>& wrt,
                                       std::span<PyObject* const> parameters) {
  bytecode::GradOptions options;
  options.wrt = wrt;
  for (PyObject* p : parameters) {
    Traced ref{level(), local_id(levels_.size() - 1, hidden(p))};
    auto at = std::find(graph.lifted.begin(), graph.lifted.end(), ref);
    if (at == graph.lifted.end()) {
      module_.graph(graph.graph).add_param("unused", builder().graph().type(ref.id));
      graph.lifted.push_back(ref);
      at = graph.lifted.end() - 1;
    }
    options.wrt.push_back(static_cast<uint32_t>(graph.declared + static_cast<size_t>(at - graph.lifted.begin())));
  }
  return options;
}

void Capture::set_gradient(const InnerGraph& graph, const InnerGraph& gradient) {
  if (!gradient.lifted.empty())
    raise(capture_error, "a hook on the gradient of a Cell uses a Tensor that the captured function has computed.");
  module_.graph(graph.graph).gradient = gradient.graph;
}

std::pair<std::vector<Object>, CapturedVjp> Capture::linearise(const InnerGraph& graph,
                                                               std::span<PyObject* const> operands,
                                                               const std::vector<uint32_t>& wrt,
                                                               std::span<PyObject* const> parameters,
                                                               uint32_t differentiable) {
  check_finished(graph);
  InnerGraph forward = graph;
  bytecode::GradOptions options = this->options(forward, wrt, parameters);
  options.differentiable_results = differentiable;
  if (!ops::watching_floats()) bytecode::prepare_gradient(module_, graph.graph);
  const bytecode::Linearisation linearisation = bytecode::linearise(module_, graph.graph, options);
  forward.graph = linearisation.forward;
  std::vector<Object> called = call(forward, operands);
  const std::vector<ops::Value> lifted = lifted_values(forward.lifted);
  CapturedVjp vjp{shared_from_this(), linearisation.backward, linearisation.results, {}};
  const size_t results =
      called.size() - static_cast<size_t>(std::count_if(linearisation.residuals.begin(), linearisation.residuals.end(),
                                                        [](const auto& r) { return !r.parameter; }));
  size_t extra = results;
  for (const bytecode::LinearisationResidual& r : linearisation.residuals) {
    if (!r.parameter)
      vjp.residuals.push_back(called[extra++]);
    else if (*r.parameter < graph.declared)
      vjp.residuals.push_back(wrap_value(lift(operands[*r.parameter])));
    else
      vjp.residuals.push_back(wrap_value(lifted[*r.parameter - graph.declared]));
  }
  called.resize(results);
  return {std::move(called), std::move(vjp)};
}

std::vector<Object> Capture::vjp(const CapturedVjp& vjp, std::span<PyObject* const> cotangents) {
  if (vjp.capture.get() != this) raise(PyExc_RuntimeError, "the gradient of another graph was used");
  ops::Values inputs;
  for (uint32_t i : vjp.results) inputs.push_back(lift(cotangents[i]));
  for (const Object& o : vjp.residuals) inputs.push_back(lift(o.get()));
  return wrap_all(builder().call(vjp.graph, inputs));
}

InnerGraph Capture::batched(const InnerGraph& graph, std::vector<int64_t> in_axes, std::span<const int64_t> out_axes,
                            ops::Dim size) {
  check_finished(graph);
  InnerGraph result = graph;
  in_axes.resize(graph.declared + graph.lifted.size(), bytecode::kNotBatched);
  result.graph = bytecode::vmap(module_, graph.graph, in_axes, out_axes, size);
  return result;
}

}  // namespace ember::python
