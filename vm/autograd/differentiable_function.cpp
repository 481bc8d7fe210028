// Symbols of a backward graph are bound by its operands, so the last of these stand for the operands of f that are, or
// whose dims are, symbols; of Tensors the layout alone is saved. Its guards follow from those of the forward graph,
// which has admitted the dims, so passes add none.
#include "vm/autograd/differentiable_function.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "bytecode/lower/lower.h"
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/transforms.h"

namespace ember::vm {

using bytecode::Graph;
using bytecode::GraphId;
using bytecode::Module;
using ops::Kind;

namespace {

// Operands that are expressions get their values.
bool run(Function& function, std::span<TrackedResult> operands, std::vector<Result>* results) {
  std::vector<Argument> arguments;
  for (const TrackedResult& p : operands) {
    Argument a{nullptr, p.value.bits};
    if (p.value.kind == Kind::Tensor) a.tensor = &p.value.tensor;
    if (p.value.kind == Kind::Stack) a.bits = reinterpret_cast<uint64_t>(p.value.stack.get());
    arguments.push_back(a);
  }
  if (!function.complete(arguments)) return false;
  const bool ran = function.call(arguments, results);
  for (size_t i = 0; i < operands.size(); ++i)
    if (is_scalar(operands[i].value.kind)) operands[i].value.bits = arguments[i].bits;
  return ran;
}

ops::Value as_value(const Result& r) {
  if (r.kind == Kind::Tensor) return r.tensor;
  double number;
  std::memcpy(&number, &r.bits, sizeof number);
  return number;
}

TrackedResult tracked_result(const Tracked& t) {
  TrackedResult p;
  p.value.tensor = std::get<ops::Tensor>(t.value);
  p.variable = t.variable;
  return p;
}

// What defines symbols.
struct SymbolOperand {
  ops::LayoutRef layout;  // of a Tensor
  TrackedResult number;   // else
};

// A tensor for its dims alone: zeros with strides of 0.
TrackedResult symbol_operand(const SymbolOperand& operand) {
  const ops::LayoutRef& of = operand.layout;
  if (!of) return operand.number;
  const ops::Shape strides(of->rank(), 0);
  return tracked_result({ops::Tensor::full(of->dtype, {}, 0).view(ops::layout(of->dtype, of->shape, strides)), 0});
}

Tracked fit(const Tracked& cotangent, ops::DType dtype) {
  if (std::get<ops::Tensor>(cotangent.value).dtype() == dtype) return cotangent;
  static const ops::Op& cast = ops::op("cast");
  return tape().apply(cast, std::array{cotangent}, ops::make_attrs(cast, {{"dtype", dtype}})).at(0);
}

bool fits(const Tracked& sum, const ops::LayoutRef& operand) {
  const auto* tensor = std::get_if<ops::Tensor>(&sum.value);
  return tensor && tensor->dtype() == operand->dtype && tensor->shape() == operand->shape;
}

// By result, whether it is anything but the zeros of what no cotangent flows to.
std::vector<char> reached_results(const Module& module, GraphId backward) {
  static const ops::Op& zeros = ops::op("zeros");
  const Graph& graph = module.graph(backward);
  std::set<bytecode::ValueId> unreached;
  for (const bytecode::Node& node : graph.nodes)
    if (node.op == &zeros) unreached.insert(node.output());
  std::vector<char> reached;
  for (bytecode::ValueId result : graph.results) reached.push_back(!unreached.contains(result));
  return reached;
}

bytecode::GradOptions options(const std::vector<uint32_t>& operands) {
  return {.wrt = operands, .sens = true, .differentiable_results = ~0u};
}

}  // namespace

struct DifferentiableFunction::VjpBackward {
  std::shared_ptr<DifferentiableFunction> differentiable;
  std::vector<size_t> residuals;  // those of the vjp that it takes, by number
  std::vector<char> reached;      // by operand: whether a cotangent flows to it
};

// The vjp by some of the operands.
struct DifferentiableFunction::Vjp {
  Positions operands;
  std::shared_ptr<DifferentiableFunction> forward;
  bytecode::Linearisation linearisation;
  // By the results that have cotangents, and the operands whose cotangents are accumulated in place.
  std::map<std::pair<Positions, Positions>, std::optional<VjpBackward>> backwards;
};

// What the tape's node of a call saves for backward.
struct DifferentiableFunction::SavedCall {
  std::shared_ptr<DifferentiableFunction> differentiable;
  std::vector<std::shared_ptr<Vjp>> nested;
  std::vector<TrackedResults> residuals;  // by level
  std::vector<SymbolOperand> symbols;
  std::vector<ops::LayoutRef> tracked;  // operands' layouts
  Contents contents;

  const Positions& recorded_results() const { return nested.back()->linearisation.results; }
  DifferentiableFunction& primal(size_t level) const {
    return level == 0 ? *differentiable : *nested[level - 1]->forward;
  }
  void save(std::span<const TrackedResult> operands, const TrackedResults& all);
  TrackedValues backward(std::span<const Tracked> cotangents, std::span<Tracked> sums) const;
};

DifferentiableFunction::DifferentiableFunction(std::shared_ptr<const Module> module, GraphId entry, bool instrumented,
                                               bytecode::PassHook hook)
    : module_(std::move(module)), entry_(entry), instrumented_(instrumented), hook_(std::move(hook)) {}
DifferentiableFunction::~DifferentiableFunction() = default;

Module DifferentiableFunction::runnable() const { return bytecode::runnable(*module_, entry_, instrumented_, hook_); }

gc::Ref<Function> DifferentiableFunction::function() {
  if (!function_) function_ = gc::make<Function>(bytecode::lower(runnable()));
  return function_;
}

void DifferentiableFunction::visit(const std::function<void(const Function&)>& f) const {
  if (function_) f(*function_);
  for (const auto& [operands, vjp] : vjps_) {
    if (!vjp) continue;
    vjp->forward->visit(f);
    for (const auto& [results, backward] : vjp->backwards)
      if (backward) backward->differentiable->visit(f);
  }
}

DifferentiableFunction::Positions DifferentiableFunction::symbol_operands() const {
  const auto& exprs = module_->symbols.exprs();
  std::set<ops::ExprId> known, numbers;
  for (bytecode::ValueId param : graph().params)
    if (graph().type(param).expr) numbers.insert(graph().type(param).expr);
  Positions positions;
  for (uint32_t i = 0; i < graph().params.size(); ++i) {
    const ops::Type& type = graph().type(graph().params[i]);
    const size_t before = known.size();
    for (const ops::Dim& d : type.dims)
      if (d.symbolic() && exprs[d.expr].op == ops::SymbolOp::Symbol && !numbers.contains(d.expr)) known.insert(d.expr);
    if (type.expr && exprs[type.expr].op == ops::SymbolOp::Symbol) known.insert(type.expr);
    if (known.size() != before) positions.push_back(i);
  }
  return positions;
}

void DifferentiableFunction::add_symbols(Module& module, GraphId backward) const {
  for (uint32_t i : symbol_operands()) module.graph(backward).add_param("symbols", graph().type(graph().params[i]));
}

std::shared_ptr<Module> DifferentiableFunction::gradient_module() const {
  auto module = std::make_shared<Module>(*module_);
  if (!instrumented_) bytecode::prepare_gradient(*module, entry_);
  return module;
}

std::shared_ptr<DifferentiableFunction::Vjp> DifferentiableFunction::vjp(const Positions& operands) {
  const auto known = vjps_.find(operands);
  if (known != vjps_.end()) return known->second;
  std::shared_ptr<Module> module = gradient_module();
  auto vjp = std::make_shared<Vjp>();
  vjp->operands = operands;
  try {
    vjp->linearisation = bytecode::linearise(*module, entry_, options(operands));
  } catch (const ops::OpError&) {
    return vjps_[operands] = nullptr;
  }
  bytecode::reuse_params_as_residuals(*module, vjp->linearisation);
  add_symbols(*module, vjp->linearisation.backward);
  vjp->forward = std::make_shared<DifferentiableFunction>(module, vjp->linearisation.forward, instrumented_, hook_);
  return vjps_[operands] = vjp;
}

const DifferentiableFunction::VjpBackward* DifferentiableFunction::backward(Vjp& vjp, const Positions& results,
                                                                            const Positions& accumulated) {
  const std::pair key(results, accumulated);
  const auto known = vjp.backwards.find(key);
  if (known != vjp.backwards.end()) return known->second ? &*known->second : nullptr;
  const auto& all = vjp.linearisation.residuals;
  VjpBackward backward;
  if (results == vjp.linearisation.results && accumulated.empty()) {
    backward.differentiable = std::make_shared<DifferentiableFunction>(vjp.forward->module_, vjp.linearisation.backward,
                                                                       instrumented_, hook_);
    for (size_t i = 0; i < all.size(); ++i) backward.residuals.push_back(i);
    backward.reached = reached_results(*vjp.forward->module_, vjp.linearisation.backward);
    return &*(vjp.backwards[key] = std::move(backward));
  }
  std::shared_ptr<Module> module = gradient_module();
  const bytecode::Linearisation part =
      bytecode::linearise(*module, entry_, options(vjp.operands), results, accumulated);
  add_symbols(*module, part.backward);
  for (const bytecode::LinearisationResidual& r : part.residuals) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.value == r.value; });
    if (at == all.end()) {
      vjp.backwards[key].reset();
      return nullptr;
    }
    backward.residuals.push_back(static_cast<size_t>(at - all.begin()));
  }
  backward.reached = reached_results(*module, part.backward);
  backward.differentiable =
      std::make_shared<DifferentiableFunction>(std::move(module), part.backward, instrumented_, hook_);
  return &*(vjp.backwards[key] = std::move(backward));
}

DifferentiableFunction::Outcome DifferentiableFunction::call(std::span<TrackedResult> operands,
                                                             const Contents& contents, TrackedResults* results) {
  Positions tracked;
  std::vector<VariableId> variables;
  for (uint32_t i = 0; tape().recording() && i < operands.size(); ++i) {
    if (!tape().tracks(operands[i].variable)) continue;
    tracked.push_back(i);
    variables.push_back(operands[i].variable);
  }
  std::shared_ptr<SavedCall> saved;
  if (!tracked.empty()) {
    saved = linearise(tracked);
    if (!saved) return Outcome::OpByOp;
  }
  std::vector<Result> values;
  const gc::Ref<Function> code = saved ? saved->nested.back()->forward->function() : function();
  if (!run(*code, operands, &values)) return Outcome::Refused;
  results->clear();
  for (Result& r : values) results->push_back({std::move(r), 0});
  if (saved && !saved->recorded_results().empty()) {
    ops::Values of_node;
    for (uint32_t i : saved->recorded_results()) of_node.push_back(as_value((*results)[i].value));
    const auto backward = [saved](std::span<const Tracked> cotangents, std::span<Tracked> sums) {
      return saved->backward(cotangents, sums);
    };
    VariableId variable = tape().record(backward, variables, of_node);
    for (uint32_t i : saved->recorded_results()) (*results)[i].variable = variable++;
    saved->contents = contents;
    saved->save(operands, *results);
  }
  results->resize(this->results());
  return Outcome::Ran;
}

// forward_1 to forward_n of n nested scopes; null if one of them has no vjp.
std::shared_ptr<DifferentiableFunction::SavedCall> DifferentiableFunction::linearise(const Positions& tracked) {
  auto saved = std::make_shared<SavedCall>();
  saved->differentiable = shared_from_this();
  for (size_t level = 0; level < tape().depth(); ++level) {
    saved->nested.push_back(saved->primal(level).vjp(tracked));
    if (!saved->nested.back()) return nullptr;
  }
  const Graph& graph = saved->primal(saved->nested.size() - 1).graph();
  for (uint32_t i : saved->recorded_results())
    if (graph.type(graph.results[i]).kind == Kind::Stack) return nullptr;
  return saved;
}

void DifferentiableFunction::SavedCall::save(std::span<const TrackedResult> operands, const TrackedResults& all) {
  for (size_t level = 0; level < nested.size(); ++level) {
    size_t extra = primal(level).results();
    TrackedResults& values = residuals.emplace_back();
    for (const bytecode::LinearisationResidual& r : nested[level]->linearisation.residuals)
      values.push_back(r.parameter ? operands[*r.parameter] : all[extra++]);
  }
  for (uint32_t i : nested[0]->operands) tracked.push_back(operands[i].value.tensor.layout_ref());
  for (uint32_t i : differentiable->symbol_operands()) {
    const bool tensor = operands[i].value.kind == Kind::Tensor;
    symbols.push_back(
        {tensor ? operands[i].value.tensor.layout_ref() : nullptr, tensor ? TrackedResult() : operands[i]});
  }
}

TrackedValues DifferentiableFunction::SavedCall::backward(std::span<const Tracked> cotangents,
                                                          std::span<Tracked> sums) const {
  Positions seeded, accumulated;
  std::vector<size_t> sum_indices;  // of the sums
  for (size_t i = 0; i < sums.size(); ++i) {
    if (!fits(sums[i], tracked[i])) continue;
    accumulated.push_back(nested[0]->operands[i]);
    sum_indices.push_back(i);
  }
  for (size_t i = 0; i < recorded_results().size(); ++i)
    if (!ops::none(cotangents[i].value)) seeded.push_back(recorded_results()[i]);
  size_t level = 0;
  while (primal(level).results() <= seeded.back()) ++level;
  const VjpBackward* candidate = primal(level).backward(*nested[level], seeded, accumulated);
  if (!candidate) {
    sum_indices.clear();
    candidate = primal(level).backward(*nested[level], seeded, {});
  }
  if (!candidate) throw std::logic_error("part of a gradient needs more than all of it");
  const VjpBackward& backward = *candidate;
  const Graph& graph = backward.differentiable->graph();
  TrackedResults operands;
  for (const Tracked& t : cotangents)
    if (!ops::none(t.value))
      operands.push_back(tracked_result(fit(t, graph.type(graph.params[operands.size()]).dtype)));
  for (size_t i : sum_indices) operands.push_back(tracked_result(std::exchange(sums[i], {})));
  std::map<size_t, size_t> refs;  // by operand of the backward graph, that of f
  for (size_t number : backward.residuals) {
    const size_t operand = operands.size();
    const bool is_ref = graph.type(graph.params[operand]).kind == Kind::Ref;
    if (is_ref) refs[operand] = *nested[level]->linearisation.residuals[number].parameter;
    operands.push_back(is_ref ? contents(refs[operand]) : residuals[level][number]);
  }
  for (const SymbolOperand& operand : symbols) operands.push_back(symbol_operand(operand));
  const Contents inner = [outer = contents, refs](size_t operand) { return outer(refs.at(operand)); };
  TrackedResults results;
  switch (backward.differentiable->call(operands, inner, &results)) {
    case Outcome::Ran:
      break;
    case Outcome::Refused:
      ops::value_error("a gradient has not the shape of the result of a jitted function that it is the gradient of");
    case Outcome::OpByOp:
      ops::value_error(
          "the gradient of a jitted function has loops or calls that cannot be differentiated once more: differentiate "
          "the function within a jitted one, or without jit");
  }
  TrackedValues flows;
  for (size_t i = 0; i < results.size(); ++i)
    flows.push_back(backward.reached[i] ? Tracked{std::move(results[i].value.tensor), results[i].variable} : Tracked{});
  return flows;
}

}  // namespace ember::vm
