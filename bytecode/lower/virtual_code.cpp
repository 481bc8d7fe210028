// From a graph to virtual code. Nodes are lowered in evaluation_order(), which orders effects, so tokens leave nothing
// behind. The graphs of If and While are lowered in place, with jumps around them; a called graph becomes a function of
// its own, which owns the memory of its results.
//
// A value is copied exactly where it gets a second destination: a carried register of a loop, a register where branches
// merge (a phi), or a result that would otherwise borrow the memory of a constant, Parameter or argument. A carried
// value that the body returns unchanged is invariant, and a result that both branches pass through is their operand.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "bytecode/lower/lower.h"
#include "ops/program/program.h"

namespace ember::bytecode::lowering {
namespace {

using ops::Kind;
using Virtuals = std::vector<Virtual>;

struct Copy {
  Virtual to, from;
};

// For each result of a graph the position of the parameter that it is, kNoId if it is none.
std::vector<uint32_t> passed_through(const Graph& graph) {
  std::unordered_map<ValueId, uint32_t> known;
  for (size_t i = 0; i < graph.params.size(); ++i) known[graph.params[i]] = static_cast<uint32_t>(i);
  for (const Node& node : graph.nodes) {
    const auto it = node.kind == NodeKind::Depend ? known.find(node.inputs[0]) : known.end();
    if (it != known.end()) known[node.output()] = it->second;
  }
  std::vector<uint32_t> positions;
  for (ValueId result : graph.results) {
    const auto it = known.find(result);
    positions.push_back(it == known.end() ? kNoId : it->second);
  }
  return positions;
}

bool in_slot(ops::DType dtype) {
  return dtype == ops::DType::Bool || dtype == ops::DType::Int64 || dtype == ops::DType::Float64;
}

// The expression over those inputs only that it reads, which are what is left in `inputs`.
std::shared_ptr<const ops::Expr> used_inputs(const ops::Expr& expr, Virtuals& inputs) {
  std::vector<bool> used(inputs.size());
  for (const ops::ExprNode& node : expr.nodes)
    if (node.verb == ops::Verb::Input) used[node.bits] = true;
  if (std::find(used.begin(), used.end(), false) == used.end()) return {&expr, [](const ops::Expr*) {}};
  auto reduced = std::make_shared<ops::Expr>(expr);
  Virtuals used_registers;
  std::vector<uint64_t> new_index;
  for (size_t i = 0; i < inputs.size(); ++i) {
    new_index.push_back(used_registers.size());
    if (used[i]) used_registers.push_back(inputs[i]);
  }
  for (ops::ExprNode& node : reduced->nodes)
    if (node.verb == ops::Verb::Input) node.bits = new_index[node.bits];
  reduced->inputs = static_cast<uint16_t>(used_registers.size());
  inputs = std::move(used_registers);
  return reduced;
}

class VirtualCodeBuilder {
 public:
  VirtualCodeBuilder(Tables& tables, GraphId graph)
      : tables_(tables), id_(graph), graph_(tables.module.graph(graph)), called_(tables.called(graph)) {
    code_.name = graph_.name;
  }

  VirtualCode run() {
    Virtuals args;
    for (size_t i = 0; i < graph_.params.size(); ++i) args.push_back(param(i));
    const std::vector<uint32_t> order = called_ ? std::vector<uint32_t>{} : evaluation_order(tables_.module, id_);
    const Virtuals results = lower_graph(graph_, args, order);
    for (Virtual result : results)
      if (result != kAbsent) code_.results.push_back(owned(result));
    emit(Instruction::Return, {}, {});
    return std::move(code_);
  }

 private:
  Virtual param(size_t i);
  Virtual owned(Virtual result);
  Virtuals lower_graph(const Graph& graph, const Virtuals& args, std::span<const uint32_t> order = {});
  void visit(const Graph& graph, const Node& node, Virtuals& values);
  void apply(const Graph& graph, const Node& node, Virtuals& values);
  void elementwise(const Graph& graph, const Node& node, Virtuals& values);
  bool verbs(const ops::Expr& expr, const Virtuals& operands, const Type& result, Virtual* out);
  void branch(const Graph& graph, const Node& node, Virtuals& values);
  void loop(const Graph& graph, const Node& node, Virtuals& values);
  void listed(Instruction op, const Graph& graph, const Node& node, Virtuals& values, uint32_t wide = 0);
  void scalar(const Node& node, Virtual out);
  void parallel_move(std::vector<Copy> copies);

  VirtualInstruction& emit(Instruction op, Virtuals inputs, Virtuals outputs, uint32_t wide = 0) {
    VirtualInstruction instruction;
    instruction.op = op;
    instruction.wide = wide;
    instruction.inputs = std::move(inputs);
    instruction.outputs = std::move(outputs);
    instruction.region = region_;
    instruction.source = source_;
    code_.instructions.push_back(std::move(instruction));
    return code_.instructions.back();
  }
  uint32_t here() const { return static_cast<uint32_t>(code_.instructions.size()); }
  Virtual define(const Graph& graph, const Node& node, Virtuals& values, size_t i = 0) {
    return values[node.output(i)] = code_.add(graph.type(node.output(i)));
  }
  Virtuals define_all(const Graph& graph, const Node& node, Virtuals& values) {
    Virtuals outputs;
    for (size_t i = 0; i < node.outputs; ++i)
      if (graph.type(node.output(i)).kind != Kind::Token && graph.type(node.output(i)).kind != Kind::Ref)
        outputs.push_back(define(graph, node, values, i));
    return outputs;
  }
  // A result of kind Ref is the Ref operand.
  void answer_refs(const Graph& graph, const Node& node, Virtuals& values) const {
    const auto is_ref = [&](ValueId v) { return v != kNoId && graph.type(v).kind == Kind::Ref; };
    for (size_t i = 0; i < node.outputs; ++i)
      if (is_ref(node.output(i)))
        values[node.output(i)] = values[*std::find_if(node.inputs.begin(), node.inputs.end(), is_ref)];
  }
  // Inputs without tokens; an absent operand stays as such.
  Virtuals operands(const Graph& graph, const Node& node, const Virtuals& values) const {
    Virtuals inputs;
    for (ValueId v : node.inputs) {
      if (v == kNoId)
        inputs.push_back(kAbsent);
      else if (graph.type(v).kind != Kind::Token)
        inputs.push_back(values[v]);
    }
    return inputs;
  }
  void mark_borrowed(Virtual v) { borrowed_.push_back(v); }

  Tables& tables_;
  const GraphId id_;
  const Graph& graph_;
  const bool called_;
  VirtualCode code_;
  uint32_t region_ = 0;
  uint32_t regions_ = 0;
  Source source_;
  Virtuals borrowed_;  // registers whose memory the function does not own
};

Virtual VirtualCodeBuilder::param(size_t i) {
  const Type& type = graph_.type(graph_.params[i]);
  if (type.kind == Kind::Token) return kAbsent;
  const Virtual v = code_.add(type);
  code_.params.push_back(v);
  code_.param_names.push_back(i < graph_.param_names.size() ? graph_.param_names[i] : "");
  if (type.kind == Kind::Ref || (called_ && type.is_tensor())) mark_borrowed(v);
  return v;
}

// A result that owns its memory: itself, or a copy if it is borrowed.
Virtual VirtualCodeBuilder::owned(Virtual result) {
  const uint32_t alias_set = code_.alias_sets.find(result);
  const bool borrowed =
      code_.types[result].is_tensor() &&
      std::any_of(borrowed_.begin(), borrowed_.end(), [&](Virtual v) { return code_.alias_sets.find(v) == alias_set; });
  if (!borrowed) return result;
  Type type = code_.types[result];
  if (type.kind == Kind::Ref) type.kind = Kind::Tensor;
  const Virtual copy = code_.add(std::move(type));
  emit(Instruction::Move, {result}, {copy});
  return copy;
}

Virtuals VirtualCodeBuilder::lower_graph(const Graph& graph, const Virtuals& args, std::span<const uint32_t> order) {
  Virtuals values(graph.types.size(), kAbsent);
  for (size_t i = 0; i < graph.params.size(); ++i) values[graph.params[i]] = args[i];
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[order.empty() ? i : order[i]];
    source_ = node.source;
    visit(graph, node, values);
  }
  Virtuals results;
  for (ValueId result : graph.results) results.push_back(values[result]);
  return results;
}

void VirtualCodeBuilder::visit(const Graph& graph, const Node& node, Virtuals& values) {
  const auto simple = [&](Instruction op) { emit(op, {values[node.inputs[0]]}, {define(graph, node, values)}); };
  switch (node.kind) {
    case NodeKind::Apply:
      return apply(graph, node, values);
    case NodeKind::Constant: {
      const Virtual out = define(graph, node, values);
      emit(Instruction::Const, {}, {out}, tables_.constant(std::get<ops::Tensor>(node.payload)));
      return mark_borrowed(out);
    }
    case NodeKind::Scalar:
    case NodeKind::Size:
      return scalar(node, define(graph, node, values));
    case NodeKind::Item:
      return simple(Instruction::Item);
    case NodeKind::ToTensor:
      return simple(Instruction::ToTensor);
    case NodeKind::TensorMove:
      return simple(Instruction::Move);
    case NodeKind::Load:
      simple(Instruction::Load);
      return code_.alias_sets.join(values[node.output()], values[node.inputs[0]]);
    case NodeKind::Depend:
      values[node.output()] = values[node.inputs[0]];
      return;
    case NodeKind::RandomKey:
      emit(Instruction::RandomKey, {}, {define(graph, node, values)});
      return;
    case NodeKind::Stack:
      emit(Instruction::StackNew, {}, {define(graph, node, values)});
      return;
    case NodeKind::Push:
      return listed(Instruction::Push, graph, node, values);
    case NodeKind::Pop:
      listed(Instruction::Pop, graph, node, values);
      for (size_t i = 0; i < node.outputs; ++i) mark_borrowed(values[node.output(i)]);
      return;
    case NodeKind::NonEmpty:
      return simple(Instruction::NonEmpty);
    case NodeKind::If:
      return branch(graph, node, values);
    case NodeKind::While:
      return loop(graph, node, values);
    case NodeKind::Call:
      return listed(Instruction::Call, graph, node, values, tables_.function(node.graphs[0]));
    case NodeKind::Fused:
      return listed(Instruction::Fused, graph, node, values, tables_.fused(node.expr, {}));
    case NodeKind::FusedReduce:
      return listed(Instruction::FusedReduce, graph, node, values, tables_.fused(node.expr, {node.op, node.attrs}));
    case NodeKind::State:
    case NodeKind::UpdateState:
      return;
  }
}

void VirtualCodeBuilder::scalar(const Node& node, Virtual out) {
  uint64_t bits = 0;
  if (const auto* dim = std::get_if<ops::Dim>(&node.payload)) {
    if (dim->symbolic()) {
      emit(Instruction::Size, {}, {out}, dim->expr);
      return;
    }
    bits = static_cast<uint64_t>(dim->hint());
  } else if (const auto* flag = std::get_if<bool>(&node.payload)) {
    bits = *flag;
  } else if (const auto* integer = std::get_if<int64_t>(&node.payload)) {
    bits = static_cast<uint64_t>(*integer);
  } else {
    bits = std::bit_cast<uint64_t>(std::get<double>(node.payload));
  }
  emit(Instruction::Scalar, {}, {out}, tables_.scalar(bits));
}

void VirtualCodeBuilder::apply(const Graph& graph, const Node& node, Virtuals& values) {
  if (node.op->elementwise()) return elementwise(graph, node, values);
  Virtuals inputs = operands(graph, node, values);
  Virtuals outputs = define_all(graph, node, values);
  answer_refs(graph, node, values);
  if (node.op->view)
    for (Virtual out : outputs) code_.alias_sets.join(out, inputs[0]);
  emit(Instruction::Apply, std::move(inputs), std::move(outputs), tables_.call(node.op, node.attrs));
}

// An elementwise op is its expression: verbs one by one where all is scalar, else a fused expression of one op.
void VirtualCodeBuilder::elementwise(const Graph& graph, const Node& node, Virtuals& values) {
  ops::Types types;
  for (ValueId v : node.inputs) types.push_back(v == kNoId ? Type::token() : graph.type(v));
  const gc::Ref<const ops::Program> program = ops::program(*node.op, types, node.attrs);
  const ops::Expr& expr = program->expr();
  Virtuals inputs = operands(graph, node, values);
  const Type& result = graph.type(node.output());
  if (ops::is_scalar(result.kind) && verbs(expr, inputs, result, &values[node.output()])) return;
  const uint32_t site = tables_.fused(used_inputs(expr, inputs), {});
  emit(Instruction::Fused, std::move(inputs), {define(graph, node, values)}, site);
}

bool VirtualCodeBuilder::verbs(const ops::Expr& expr, const Virtuals& operands, const Type& result, Virtual* out) {
  for (const ops::ExprNode& node : expr.nodes) {
    if (!in_slot(node.dtype) || node.verb == ops::Verb::Lookup) return false;
    if (node.verb == ops::Verb::Input && code_.types[operands[node.bits]].dtype != node.dtype) return false;
  }
  if (expr.nodes[expr.outputs[0]].dtype != result.dtype) return false;
  const auto type = [](ops::DType d) {
    return Type::scalar(d == ops::DType::Bool ? Kind::Bool : d == ops::DType::Int64 ? Kind::Int : Kind::Float);
  };
  Virtuals registers;
  for (const ops::ExprNode& node : expr.nodes) {
    if (node.verb == ops::Verb::Input) {
      registers.push_back(operands[node.bits]);
      continue;
    }
    registers.push_back(code_.add(type(node.dtype)));
    if (node.verb == ops::Verb::Const) {
      emit(Instruction::Scalar, {}, {registers.back()}, tables_.scalar(node.bits));
      continue;
    }
    Virtuals inputs;
    for (int i = 0; i < ops::info(node.verb).operands; ++i) inputs.push_back(registers[node.args[i]]);
    emit(Instruction::Verb, std::move(inputs), {registers.back()}).flags = static_cast<uint8_t>(node.verb);
  }
  *out = registers[expr.outputs[0]];
  return true;
}

void VirtualCodeBuilder::branch(const Graph& graph, const Node& node, Virtuals& values) {
  const Graph& yes = tables_.module.graph(node.graphs[0]);
  const Graph& no = tables_.module.graph(node.graphs[1]);
  Virtuals args;
  for (size_t i = 1; i < node.inputs.size(); ++i)
    args.push_back(node.inputs[i] == kNoId ? kAbsent : values[node.inputs[i]]);
  const std::vector<uint32_t> yes_passes = passed_through(yes);
  const std::vector<uint32_t> no_passes = passed_through(no);
  for (size_t i = 0; i < node.outputs; ++i) {
    if (graph.type(node.output(i)).kind == Kind::Token) continue;
    const bool passes = yes_passes[i] != kNoId && no_passes[i] != kNoId && args[yes_passes[i]] == args[no_passes[i]];
    if (passes)
      values[node.output(i)] = args[yes_passes[i]];
    else
      define(graph, node, values, i);
  }
  const auto side = [&](const Graph& branch, const std::vector<uint32_t>& passes) {
    const uint32_t outer = std::exchange(region_, ++regions_);
    const Virtuals results = lower_graph(branch, args);
    std::vector<Copy> copies;
    for (size_t i = 0; i < node.outputs; ++i) {
      const Virtual to = values[node.output(i)];
      const bool same = passes[i] != kNoId && args[passes[i]] == to;
      if (to != kAbsent && !same) copies.push_back({to, results[i]});
    }
    parallel_move(std::move(copies));
    region_ = outer;
  };
  const uint32_t test = here();
  emit(Instruction::Branch, {values[node.inputs[0]]}, {}).flags = static_cast<uint8_t>(code_.branches++);
  side(yes, yes_passes);
  const uint32_t leave = here();
  emit(Instruction::Jump, {}, {});
  side(no, no_passes);
  if (here() == leave + 1)
    code_.instructions.pop_back();
  else
    code_.instructions[leave].wide = here();
  code_.instructions[test].wide = std::min(here(), leave + 1);
}

void VirtualCodeBuilder::loop(const Graph& graph, const Node& node, Virtuals& values) {
  const Graph& body = tables_.module.graph(node.graphs[1]);
  const std::vector<uint32_t> passes = passed_through(body);
  Virtuals args;
  for (ValueId v : node.inputs) args.push_back(v == kNoId ? kAbsent : values[v]);
  std::vector<Copy> copies;
  std::vector<size_t> carried;
  for (size_t i = 0; i < node.carried; ++i) {
    values[node.output(i)] = args[i];
    if (args[i] == kAbsent || passes[i] == i) continue;
    const Virtual destination = define(graph, node, values, i);
    copies.push_back({destination, args[i]});
    carried.push_back(i);
  }
  parallel_move(std::move(copies));
  for (size_t i : carried) args[i] = values[node.output(i)];
  const uint32_t outer = std::exchange(region_, ++regions_);
  const uint32_t header = here();
  emit(Instruction::Loop, {}, {}, code_.loops++);
  const Virtual condition = lower_graph(tables_.module.graph(node.graphs[0]), args)[0];
  const uint32_t test = here();
  emit(Instruction::Branch, {condition}, {}).flags = static_cast<uint8_t>(code_.branches++);
  region_ = ++regions_;
  const Virtuals next = lower_graph(body, args);
  std::vector<Copy> back_edge;
  for (size_t i : carried) back_edge.push_back({args[i], next[i]});
  parallel_move(std::move(back_edge));
  emit(Instruction::Jump, {}, {}, header);
  region_ = outer;
  code_.instructions[test].wide = here();
}

void VirtualCodeBuilder::listed(Instruction op, const Graph& graph, const Node& node, Virtuals& values, uint32_t wide) {
  Virtuals inputs = operands(graph, node, values);
  emit(op, std::move(inputs), define_all(graph, node, values), wide);
}

// All copies as if at once: a destination is written when no copy still reads its memory; a cycle is broken with a
// temporary: (a, b) <- (b, a) becomes t = b; b = a; a = t.
void VirtualCodeBuilder::parallel_move(std::vector<Copy> copies) {
  for (const Copy& copy : copies)
    if (code_.types[copy.to].kind == Kind::Ref)
      throw std::invalid_argument("graph " + graph_.name + ": a Parameter can't be exchanged by a loop or a branch");
  std::erase_if(copies, [](const Copy& copy) { return copy.to == copy.from; });
  std::unordered_map<uint32_t, uint32_t> readers;
  for (const Copy& copy : copies) ++readers[code_.alias_sets.find(copy.from)];
  while (!copies.empty()) {
    std::vector<Copy> waiting;
    for (const Copy& copy : copies) {
      const auto it = readers.find(code_.alias_sets.find(copy.to));
      if (it != readers.end() && it->second > 0) {
        waiting.push_back(copy);
        continue;
      }
      emit(Instruction::Move, {copy.from}, {copy.to});
      --readers[code_.alias_sets.find(copy.from)];
    }
    if (waiting.size() == copies.size()) {
      Copy& first = waiting.front();
      const Virtual temporary = code_.add(code_.types[first.to]);
      emit(Instruction::Move, {first.from}, {temporary});
      --readers[code_.alias_sets.find(first.from)];
      first.from = temporary;
      ++readers[code_.alias_sets.find(temporary)];
    }
    copies = std::move(waiting);
  }
}

}  // namespace

VirtualCode build_virtual_code(Tables& tables, GraphId graph) { return VirtualCodeBuilder(tables, graph).run(); }

}  // namespace ember::bytecode::lowering
