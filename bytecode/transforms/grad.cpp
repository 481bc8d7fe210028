// The entries of reverse mode: grad() writes the forward and the backward part into one graph, so values of the forward
// part are at hand; linearise() writes one graph each.
#include <algorithm>

#include "bytecode/graph/mod_ref.h"
#include "bytecode/transforms/differentiate.h"
#include "bytecode/transforms/transforms.h"

namespace ember::bytecode {

using ops::Value;
using ops::Values;

namespace {

Value ones(GraphBuilder& b, const Type& type) {
  if (type.kind != ops::Kind::Tensor)
    ops::type_error("grad: the first result must be a tensor or a Float, not " + to_string(type));
  return b.broadcast_to(b.constant(ops::Tensor::full(type.dtype, {}, 1)), type.dims);
}

Marks marked_params(const Graph& f, std::span<const uint32_t> wrt) {
  const std::vector<ValueId> params = without_tokens(f, f.params);
  Marks marks(params.size());
  for (uint32_t i : wrt) {
    if (i >= marks.size()) ops::index_error("grad: there is no parameter " + std::to_string(i));
    const Type& type = f.type(params[i]);
    if (!type.is_tensor() && type.kind != ops::Kind::Float)
      ops::type_error("grad: parameter " + std::to_string(i) + " is " + to_string(type) + ", which has no gradient");
    marks[i] = differentiable(type);
  }
  return marks;
}

}  // namespace

GraphId grad(Module& module, GraphId f, const GradOptions& options) {
  const Marks varied = marked_params(module.graph(f), options.wrt);
  const size_t results = without_tokens(module.graph(f), module.graph(f).results).size();
  if (results == 0) ops::value_error("grad: the function returns nothing");
  Marks useful(results);
  std::fill_n(useful.begin(), options.sens ? std::min<size_t>(options.differentiable_results, results) : 1, 1);

  const GraphId id = module.add_graph("grad_" + module.graph(f).name);
  GraphBuilder b(module, id);
  Differentiator differentiator(module, f);
  Forward forward(differentiator, f, b, varied, useful, Marks(varied.size()), Marks(varied.size()));
  std::vector<ValueId> params;
  for (ValueId v : without_tokens(forward.replay().source(), forward.replay().source().params)) {
    forward.replay().param(v);
    params.push_back(b.id(forward.replay()[v]));
  }
  Values cotangents;
  for (size_t i = 0; options.sens && i < results; ++i)
    if (useful[i])
      cotangents.push_back(
          b.param("sens" + std::to_string(i), cotangent_type(module.graph(f).type(module.graph(f).results[i]))));
  const Record record = forward.run();
  Values out = forward.replay().results();

  Backward backward(record, b, b, [](ValueId v) { return Value(ops::GraphValue{v}); });
  if (cotangents.empty()) cotangents.push_back(ones(b, cotangent_type(b.type(out[0]))));
  for (size_t i = 0; i < cotangents.size(); ++i) backward.add(b.id(out[i]), cotangents[i]);
  backward.run();
  for (uint32_t i : options.wrt) out.push_back(backward.cotangent(params[i]));
  b.finish(out);
  return id;
}

Linearisation linearise(Module& module, GraphId f, const GradOptions& options,
                        const std::optional<std::vector<uint32_t>>& seeded, const std::vector<uint32_t>& accumulated) {
  const Marks varied = marked_params(module.graph(f), options.wrt);
  const std::vector<ValueId> results = without_tokens(module.graph(f), module.graph(f).results);
  Differentiator differentiator(module, f);
  const Marks reached = differentiator.varied.results(f, varied);
  CotangentSignature signature;
  Linearisation linearisation;
  for (uint32_t i = 0; i < std::min<size_t>(options.differentiable_results, results.size()); ++i) {
    if (!reached[i] || !differentiable(module.graph(f).type(results[i]))) continue;
    signature.results.push_back(i);
    linearisation.results.push_back(i);
  }
  signature.operands.assign(options.wrt.begin(), options.wrt.end());
  signature.accumulated.assign(accumulated.begin(), accumulated.end());
  const std::vector<size_t> seeds = seeded ? std::vector<size_t>(seeded->begin(), seeded->end()) : signature.results;
  const SubGraph& sub = differentiator.callee(f, varied, signature, seeds);
  linearisation.forward = sub.forward;
  linearisation.backward = sub.backward;
  if (seeded) linearisation.results = *seeded;
  for (const Residual& r : sub.residuals) linearisation.residuals.push_back({r.value, r.parameter});
  return linearisation;
}

void reuse_params_as_residuals(Module& module, Linearisation& linearisation) {
  const std::vector<char> written = find_mod_ref(module).written[linearisation.forward];
  Graph& forward = module.graph(linearisation.forward);
  std::map<ValueId, uint32_t> contents;
  for (const Node& node : forward.nodes) {
    if (node.kind != NodeKind::Load) continue;
    const auto at = std::find(forward.params.begin(), forward.params.end(), node.inputs[0]) - forward.params.begin();
    if (!written[at]) contents[node.output()] = static_cast<uint32_t>(at);
  }
  size_t extra = forward.results.size();
  for (const LinearisationResidual& r : linearisation.residuals) extra -= !r.parameter;
  for (LinearisationResidual& r : linearisation.residuals) {
    if (r.parameter) continue;
    const auto it = contents.find(r.value);
    if (it == contents.end()) {
      ++extra;
      continue;
    }
    r.parameter = it->second;
    forward.results.erase(forward.results.begin() + static_cast<ptrdiff_t>(extra));
  }
}

}  // namespace ember::bytecode
