// Gradient and batching as Graph -> Graph. Both add graphs to the module and return the new entry; the input graph
// stays. They pass through if, while and call; a called graph is transformed once and shared.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

// From f(params) -> results makes
//   value_and_grad(params, cotangents of the differentiable results if `sens`) -> (results..., gradients of wrt...)
// wrt are parameter positions; a Ref parameter's gradient is that of all that is loaded of it; none flows to what is
// written. Without `sens` the cotangent of
// the first result is ones (MindSpore: a non-scalar output is summed), and the rest (has_aux) get none.
// Effects of f happen once, in order, before the backward part. A parameter that the result does not depend on gets
// zeros.
struct GradOptions {
  std::vector<uint32_t> wrt;
  bool sens = false;
  uint32_t differentiable_results = 1;  // the first ones; the others are auxiliary
};
GraphId grad(Module& module, GraphId f, const GradOptions& options);

// From f makes
//   forward(params) -> (results..., residuals that are no parameters...)
//   backward(cotangents of `results`, accumulators, residuals) -> gradients of wrt
// of which backward, the vjp, may be called as often as wanted. `results` are those of the differentiable ones that
// depend on wrt. Made again in another copy of the module, with only some of them `seeded`, the forward graph is the
// same, and the backward graph takes the cotangents of those alone, and the residuals that it then needs. It takes an
// accumulator for each parameter of `accumulated`, and returns that plus the gradient.
struct LinearisationResidual {
  ValueId value = kNoId;              // in the forward graph
  std::optional<uint32_t> parameter;  // it is that parameter
};
struct Linearisation {
  GraphId forward = 0, backward = 0;
  std::vector<uint32_t> results;
  std::vector<LinearisationResidual> residuals;
};
Linearisation linearise(Module& module, GraphId f, const GradOptions& options,
                        const std::optional<std::vector<uint32_t>>& seeded = {},
                        const std::vector<uint32_t>& accumulated = {});

// For a backward graph that is called when the function has returned: a residual that is the contents of a Ref
// parameter which the forward graph only reads becomes that parameter, and no result of the forward graph.
void reuse_params_as_residuals(Module& module, Linearisation& linearisation);

// From f(params) -> results makes f over a batch: axis i of in_axes (kNotBatched: none) is the batch axis of parameter
// i, and results get it at out_axes. A batched If condition becomes select; a batched While runs until all are done,
// under masks. `size` is the batch size.
inline constexpr int64_t kNotBatched = INT64_MIN;
GraphId vmap(Module& module, GraphId f, std::span<const int64_t> in_axes, std::span<const int64_t> out_axes,
             ops::Dim size);

// Makes parameters of the entry graph constants, with these values at ascending positions. A Ref becomes the value of
// its loads; one that the module writes stays a parameter, and becomes state.
void freeze(Module& module, const State& values);

// Adds the graphs of another module, to be called with operands of these types, and returns its entry. Throws
// ops::OpError if it was not made for them.
GraphId adopt(Module& to, const Module& from, std::span<const Type> operands);

}  // namespace ember::bytecode
