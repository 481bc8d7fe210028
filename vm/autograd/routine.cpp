// A backward graph knows sizes only by its own operands, so the last of these are operands of the graph whose sizes are
// symbols; what is kept of them is their layout. Its guards follow from those of the forward graph, which has admitted
// the sizes: passes state none that are new.
#include "vm/autograd/routine.h"

#include <algorithm>
#include <cstring>
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

bool run(Function& function, std::span<const Passed> operands, std::vector<Result>* results) {
  std::vector<Argument> arguments;
  for (const Passed& p : operands) {
    Argument a{nullptr, p.value.bits};
    if (p.value.kind == Kind::Tensor) a.tensor = &p.value.tensor;
    if (p.value.kind == Kind::Stack) a.bits = reinterpret_cast<uint64_t>(p.value.stack.get());
    arguments.push_back(a);
  }
  return function.call(arguments, results);
}

ops::Value as_value(const Result& r) {
  if (r.kind == Kind::Tensor) return r.tensor;
  double number;
  std::memcpy(&number, &r.bits, sizeof number);
  return number;
}

Passed passed(const Tracked& t) {
  Passed p;
  p.value.tensor = std::get<ops::Tensor>(t.value);
  p.variable = t.variable;
  return p;
}

// A tensor for its sizes alone.
Passed sizes(const ops::LayoutRef& of) {
  const ops::Shape strides(of->rank(), 0);
  return passed({ops::Tensor::full(of->dtype, {}, 0).view(ops::layout(of->dtype, of->shape, strides)), 0});
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

bytecode::GradOptions options(const std::vector<uint32_t>& operands) {
  return {.wrt = operands, .sens = true, .differentiable_results = ~0u};
}

}  // namespace

struct Routine::Back {
  std::shared_ptr<Routine> routine;
  std::vector<size_t> residuals;  // those that it takes, by number
};

// A routine differentiated by some of its operands.
struct Routine::Linear {
  Positions operands;
  std::shared_ptr<Routine> forward;
  bytecode::Pullback pullback;
  std::vector<char> written;                              // by parameter
  std::map<std::pair<Positions, Positions>, Back> backs;  // by the results that have cotangents, the operands with sums
};

// What the node of a call keeps.
struct Routine::Kept {
  std::shared_ptr<Routine> routine;
  std::vector<std::shared_ptr<Linear>> row;
  std::vector<PassedValues> residuals;         // by place in the row
  std::vector<ops::LayoutRef> sized, tracked;  // operands' layouts
  Contents contents;

  const Positions& noted() const { return row.back()->pullback.results; }  // results of the node
  Routine& before(size_t place) const { return place == 0 ? *routine : *row[place - 1]->forward; }
  void keep(std::span<const Passed> operands, const PassedValues& all);
  TrackedValues pull(std::span<const Tracked> cotangents, std::span<Tracked> sums) const;
};

Routine::Routine(std::shared_ptr<const Module> module, GraphId entry, bool watched, bytecode::PassHook hook)
    : module_(std::move(module)), entry_(entry), watched_(watched), hook_(std::move(hook)) {}
Routine::~Routine() = default;

Module Routine::runnable() const { return bytecode::runnable(*module_, entry_, watched_, hook_); }

gc::Ref<Function> Routine::function() {
  if (!function_) function_ = gc::make<Function>(bytecode::lower(runnable()));
  return function_;
}

void Routine::visit(const std::function<void(const Function&)>& f) const {
  if (function_) f(*function_);
  for (const auto& [operands, linear] : linears_) {
    if (!linear) continue;
    linear->forward->visit(f);
    for (const auto& [results, back] : linear->backs) back.routine->visit(f);
  }
}

Routine::Positions Routine::sized_operands() const {
  const auto& exprs = module_->symbols.exprs();
  std::set<ops::ExprId> known;
  Positions found;
  for (uint32_t i = 0; i < graph().params.size(); ++i) {
    const ops::Type& type = graph().type(graph().params[i]);
    const size_t before = known.size();
    for (const ops::Dim& d : type.dims)
      if (d.symbolic() && exprs[d.expr].op == ops::DimOp::Symbol) known.insert(d.expr);
    if (known.size() != before) found.push_back(i);
  }
  return found;
}

void Routine::add_sizes(Module& module, GraphId backward) const {
  for (uint32_t i : sized_operands()) module.graph(backward).add_param("sizes", graph().type(graph().params[i]));
}

std::shared_ptr<Module> Routine::differentiable() const {
  auto module = std::make_shared<Module>(*module_);
  if (!watched_) bytecode::recognise_attention_before_gradient(*module, entry_);
  return module;
}

std::shared_ptr<Routine::Linear> Routine::linear(const Positions& operands) {
  const auto known = linears_.find(operands);
  if (known != linears_.end()) return known->second;
  std::shared_ptr<Module> module = differentiable();
  auto made = std::make_shared<Linear>();
  made->operands = operands;
  try {
    made->pullback = bytecode::pullback(*module, entry_, options(operands));
  } catch (const ops::OpError&) {
    return linears_[operands] = nullptr;
  }
  made->written = bytecode::written_params(*module, made->pullback.forward);
  bytecode::take_contents(*module, made->pullback);
  add_sizes(*module, made->pullback.backward);
  made->forward = std::make_shared<Routine>(module, made->pullback.forward, watched_, hook_);
  return linears_[operands] = made;
}

const Routine::Back& Routine::back(Linear& linear, const Positions& results, const Positions& summed) {
  const std::pair key(results, summed);
  const auto known = linear.backs.find(key);
  if (known != linear.backs.end()) return known->second;
  const auto& all = linear.pullback.residuals;
  Back made;
  if (results == linear.pullback.results && summed.empty()) {
    made.routine = std::make_shared<Routine>(linear.forward->module_, linear.pullback.backward, watched_, hook_);
    for (size_t i = 0; i < all.size(); ++i) made.residuals.push_back(i);
    return linear.backs[key] = std::move(made);
  }
  std::shared_ptr<Module> module = differentiable();
  const bytecode::Pullback part = bytecode::pullback(*module, entry_, options(linear.operands), results, summed);
  add_sizes(*module, part.backward);
  for (const bytecode::PullbackResidual& r : part.residuals) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.value == r.value; });
    if (at == all.end()) throw std::logic_error("part of a gradient needs more than all of it");
    made.residuals.push_back(static_cast<size_t>(at - all.begin()));
  }
  made.routine = std::make_shared<Routine>(std::move(module), part.backward, watched_, hook_);
  return linear.backs[key] = std::move(made);
}

Routine::Outcome Routine::call(std::span<const Passed> operands, const Contents& contents, PassedValues* results) {
  Positions tracked;
  std::vector<VariableId> variables;
  for (uint32_t i = 0; tape().recording() && i < operands.size(); ++i) {
    if (!tape().tracks(operands[i].variable)) continue;
    tracked.push_back(i);
    variables.push_back(operands[i].variable);
  }
  std::shared_ptr<Kept> kept;
  if (!tracked.empty()) {
    kept = row(tracked);
    if (!kept) return Outcome::ByParts;
  }
  std::vector<Result> values;
  const gc::Ref<Function> code = kept ? kept->row.back()->forward->function() : function();
  if (!run(*code, operands, &values)) return Outcome::Refused;
  results->clear();
  for (Result& r : values) results->push_back({std::move(r), 0});
  if (kept && !kept->noted().empty()) {
    ops::Values of_node;
    for (uint32_t i : kept->noted()) of_node.push_back(as_value((*results)[i].value));
    const auto pull = [kept](std::span<const Tracked> cotangents, std::span<Tracked> sums) {
      return kept->pull(cotangents, sums);
    };
    VariableId variable = tape().record(pull, variables, of_node);
    for (uint32_t i : kept->noted()) (*results)[i].variable = variable++;
    kept->contents = contents;
    kept->keep(operands, *results);
  }
  results->resize(this->results());
  return Outcome::Ran;
}

// As many forward graphs as scopes nest; null if there is no gradient of that order.
std::shared_ptr<Routine::Kept> Routine::row(const Positions& tracked) {
  auto kept = std::make_shared<Kept>();
  kept->routine = shared_from_this();
  for (size_t place = 0; place < tape().depth(); ++place) {
    kept->row.push_back(kept->before(place).linear(tracked));
    if (!kept->row.back()) return nullptr;
  }
  const Graph& graph = kept->before(kept->row.size() - 1).graph();
  for (uint32_t i : kept->noted())
    if (graph.type(graph.results[i]).kind == Kind::Stack) return nullptr;
  return kept;
}

void Routine::Kept::keep(std::span<const Passed> operands, const PassedValues& all) {
  for (size_t place = 0; place < row.size(); ++place) {
    size_t extra = before(place).results();
    PassedValues& values = residuals.emplace_back();
    for (const bytecode::PullbackResidual& r : row[place]->pullback.residuals)
      values.push_back(r.parameter ? operands[*r.parameter] : all[extra++]);
  }
  for (uint32_t i : row[0]->operands) tracked.push_back(operands[i].value.tensor.layout_ref());
  for (uint32_t i : routine->sized_operands()) sized.push_back(operands[i].value.tensor.layout_ref());
}

TrackedValues Routine::Kept::pull(std::span<const Tracked> cotangents, std::span<Tracked> sums) const {
  Positions given, summed;
  TrackedValues taken;
  for (size_t i = 0; i < sums.size(); ++i) {
    const uint32_t operand = row[0]->operands[i];
    if (row[0]->written[operand] || !fits(sums[i], tracked[i])) continue;
    summed.push_back(operand);
    taken.push_back(std::exchange(sums[i], {}));
  }
  for (size_t i = 0; i < noted().size(); ++i)
    if (!ops::none(cotangents[i].value)) given.push_back(noted()[i]);
  size_t place = 0;
  while (before(place).results() <= given.back()) ++place;
  const Back& back = before(place).back(*row[place], given, summed);
  const Graph& graph = back.routine->graph();
  PassedValues operands;
  for (const Tracked& t : cotangents)
    if (!ops::none(t.value)) operands.push_back(passed(fit(t, graph.type(graph.params[operands.size()]).dtype)));
  for (const Tracked& t : taken) operands.push_back(passed(t));
  std::map<size_t, size_t> refs;  // by operand of the backward graph, that of the routine
  for (size_t number : back.residuals) {
    const size_t operand = operands.size();
    const bool is_ref = graph.type(graph.params[operand]).kind == Kind::Ref;
    if (is_ref) refs[operand] = *row[place]->pullback.residuals[number].parameter;
    operands.push_back(is_ref ? contents(refs[operand]) : residuals[place][number]);
  }
  for (const ops::LayoutRef& layout : sized) operands.push_back(sizes(layout));
  const Contents inner = [outer = contents, refs](size_t operand) { return outer(refs.at(operand)); };
  PassedValues answers;
  switch (back.routine->call(operands, inner, &answers)) {
    case Outcome::Ran:
      break;
    case Outcome::Refused:
      ops::value_error("a gradient has not the shape of the result of a jitted function that it is the gradient of");
    case Outcome::ByParts:
      ops::value_error(
          "the gradient of a jitted function has loops or calls that cannot be differentiated once more: differentiate "
          "the function within a jitted one, or without jit");
  }
  TrackedValues flows;
  for (Passed& p : answers) flows.push_back({std::move(p.value.tensor), p.variable});
  return flows;
}

}  // namespace ember::vm
