// Prepares the steps of a bound function. What binding decided that others run, or nobody, has none of its own; a
// kernel's epilogue hangs at its operands, and the numbers that this reads come right before the kernel.
#include <algorithm>
#include <map>

#include "vm/bind/binding.h"
#include "vm/bind/prepared.h"
#include "vm/bind/scalar_verbs.h"

namespace ember::vm {

using bytecode::Instruction;

namespace {

// Of an instruction that one handler runs, which has its name.
Handler handler_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Handler> kNames[] = {
#define X(name) {#name, Handler::name},
      EMBER_HANDLERS(X)
#undef X
  };
  for (const auto& [known, handler] : kNames)
    if (known == name) return handler;
  ops::value_error("vm: an instruction that the interpreter does not know");
}

class Preparation {
 public:
  explicit Preparation(const BoundFunction& bound)
      : bound_(bound), code_(*bound.code), fn_(*bound.function), early_(numbers_by_kernel()) {}

  PreparedSteps run() {
    std::vector<Step>& steps = out_.steps;
    steps.reserve(bound_.instructions.size());
    out_.step_of_pc.assign(fn_.words.size() + 1, 0);
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i) {
      const BoundInstruction& d = bound_.instructions[i];
      for (uint32_t pc = d.pc; pc < d.next; ++pc) out_.step_of_pc[pc] = static_cast<uint32_t>(steps.size());
      if (d.runs != Runs::Step) continue;
      for (auto [at, end] = early_.equal_range(i); at != end; ++at)
        steps.push_back(prepare(bound_.instructions[at->second]));
      steps.push_back(prepare(d));
      if (d.epilogue == kNoInstruction) continue;
      PreparedOperands& kernel = out_.operands.back();
      kernel.epilogue = std::make_unique<const Step>(prepare(bound_.instructions[d.epilogue]));
    }
    for (Step& step : steps)
      if (step.kind == Handler::Jump || step.kind == Handler::Branch) step.target = out_.step_of_pc[step.target];
    return std::move(out_);
  }

 private:
  std::multimap<uint32_t, uint32_t> numbers_by_kernel() const {
    std::multimap<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i)
      if (bound_.instructions[i].runs == Runs::Early) numbers.emplace(bound_.instructions[i].with, i);
    return numbers;
  }

  Handler handler_of(const BoundInstruction& d) const {
    if (d.outputs.size() == 1 && bound_.registers[d.outputs[0]].dynamic) return Handler::View;
    switch (d.op) {
      case Instruction::Size:
        return bound_.binding->dynamic(ops::Dim(0, d.word.wide())) ? Handler::Number : Handler::Scalar;
      case Instruction::Verb:
        return d.inputs.size() > 2 ? Handler::Verb3 : Handler::Verb;
      case Instruction::Apply:
        return bound_.op(d).elementwise() ? Handler::Program : Handler::Kernel;
      case Instruction::Fused:
        return Handler::Program;
      case Instruction::FusedReduce:
        return Handler::Reduce;
      case Instruction::Load:
        return Handler::MoveTensor;
      case Instruction::Move:
        return bound_.tensor(d.outputs[0]) ? Handler::MoveTensor : Handler::MoveScalar;
      case Instruction::Item:
        switch (fn_.registers[d.outputs[0]].kind) {
          case ops::Kind::Bool:
            return Handler::ItemBool;
          case ops::Kind::Int:
            return Handler::ItemInt;
          default:
            return Handler::ItemFloat;
        }
      default:
        return handler_named(info(d.op).name);
    }
  }

  Step prepare(const BoundInstruction& d) {
    Step s;
    s.kind = handler_of(d);
    s.handler = labels[static_cast<size_t>(s.kind)];
    s.pc = d.pc;
    s.a = d.word.a();
    s.b = d.word.b();
    s.bits = 0;
    switch (s.kind) {
      case Handler::Scalar:
        s.bits = d.op == Instruction::Size ? static_cast<uint64_t>(bound_.binding->dim(ops::Dim(0, d.word.wide())))
                                           : code_.scalars[d.word.wide()];
        break;
      case Handler::Verb:
      case Handler::Verb3:
        prepare_verb(d, s);
        break;
      case Handler::Jump:
        s.target = d.word.wide();
        break;
      case Handler::Branch:
        s.target = d.word.wide();
        s.branch = branches_seen_++;
        break;
      case Handler::Loop:
        s.branch = d.word.wide();
        break;
      default:
        if (has_operands(s.kind)) s.operands = prepare_operands(d);
    }
    return s;
  }

  void prepare_verb(const BoundInstruction& d, Step& s) const {
    s.c = d.inputs.size() > 1 ? d.inputs[1] : d.inputs[0];
    s.d = d.inputs.size() > 2 ? d.inputs[2] : s.c;
    const auto verb = static_cast<ops::Verb>(d.word.flags());
    const Register typed = verb == ops::Verb::Select ? s.c : s.b;
    s.function = reinterpret_cast<void*>(scalar_verb(verb, fn_.registers[typed].kind, fn_.registers[s.a].kind));
  }

  void fill_apply(PreparedOperands& o, const BoundInstruction& d) {
    const bytecode::CallSite& call = code_.calls[d.word.wide()];
    if (!o.attrs) {
      o.evaluated = std::make_unique<ops::Attrs>();
      o.attrs = &bound_.binding->evaluate(call.attrs, o.evaluated.get());
      if (call.op->elementwise()) o.program = program_of(call, d, *o.attrs);
    }
    if (bound_.dynamic(d)) o.dynamic = &call.attrs;
  }

  gc::Ref<const ops::Program> program_of(const bytecode::CallSite& call, const BoundInstruction& d,
                                         const ops::Attrs& attrs) const {
    ops::Types types;
    for (Register r : d.inputs) types.push_back(r == bytecode::kNoRegister ? ops::Type::token() : fn_.registers[r]);
    return ops::program(*call.op, types, attrs);
  }

  void fill_call(PreparedOperands& o, const BoundInstruction& d) {
    std::vector<ops::LayoutRef> layouts;
    for (Register r : d.inputs) layouts.push_back(bound_.tensor(r) ? bound_.registers[r].layout : nullptr);
    o.callee = &bound_.binding->function(d.word.wide(), layouts);
  }

  PreparedReduction reduction(const BoundInstruction& d) const {
    const bytecode::FusedSite& fused = code_.fused[d.word.wide()];
    ops::Shape space;
    for (Register r : d.inputs)
      if (bound_.tensor(r)) space = ops::broadcast_shapes(space, bound_.registers[r].layout->shape);
    const ops::DType from = fused.expr->nodes[fused.expr->outputs[0]].dtype;
    ops::Attrs storage;
    const std::optional<ops::Reduction> by =
        ops::reduction(*fused.reduction.op, ops::Type::tensor(from, ops::dims(space)),
                       bound_.binding->evaluate(fused.reduction.attrs, &storage));
    if (!by) ops::value_error("vm: '" + std::string(fused.reduction.op->name) + "' is no reduction");
    return {*by, space};
  }

  // The program gives elements of the dtype that they combine in.
  gc::Ref<const ops::Program> reduced_program(const BoundInstruction& d) const {
    ops::Expr expr = *code_.fused[d.word.wide()].expr;
    ops::NodeId& result = expr.outputs[0];
    const ops::DType compute = reduction(d).by.compute;
    if (expr.nodes[result].dtype != compute) {
      expr.nodes.push_back({ops::Verb::Convert, compute, {result}});
      result = static_cast<ops::NodeId>(expr.nodes.size() - 1);
    }
    return ops::Program::of(expr);
  }

  SharedOperands shared_operands(const BoundInstruction& d) const {
    SharedOperands o;
    o.regs = d.operands();
    o.inputs = static_cast<uint32_t>(d.inputs.size());
    if (d.op == Instruction::Size) o.number = d.word.wide();
    if (d.op == Instruction::Fused) o.program = ops::Program::of(*code_.fused[d.word.wide()].expr);
    if (d.op == Instruction::FusedReduce) o.program = reduced_program(d);
    if (d.op != Instruction::Apply) return o;
    const bytecode::CallSite& call = code_.calls[d.word.wide()];
    o.op = call.op;
    o.in_place = call.op->flags.has(ops::Flag::Memory);
    if (!call.op->elementwise()) o.kernel = call.op->kernel;
    if (has_symbols(call.attrs)) return o;
    o.attrs = &call.attrs;
    if (call.op->elementwise()) o.program = program_of(call, d, call.attrs);
    return o;
  }

  const PreparedOperands* prepare_operands(const BoundInstruction& d) {
    std::unique_ptr<const PreparedOperands>& shared = bound_.decoded->prepared[&d - bound_.instructions.data()];
    if (!shared) shared = std::make_unique<const PreparedOperands>(shared_operands(d));
    const bool in_place = std::any_of(d.outputs.begin(), d.outputs.end(), [&](Register r) {
      return bound_.registers[bound_.root(r)].place == Place::Param;
    });
    const bool symbolic = d.op == Instruction::Apply && !shared->attrs;
    if (!in_place && !symbolic && d.epilogue == kNoInstruction && d.op != Instruction::FusedReduce &&
        d.op != Instruction::Call)
      return shared.get();
    PreparedOperands& o = out_.operands.emplace_back(static_cast<const SharedOperands&>(*shared));
    o.in_place |= in_place;
    if (d.op == Instruction::Apply) fill_apply(o, d);
    if (d.op == Instruction::FusedReduce) o.reduction = std::make_unique<const PreparedReduction>(reduction(d));
    if (d.op == Instruction::Call) fill_call(o, d);
    return &o;
  }

  const BoundFunction& bound_;
  const bytecode::Code& code_;
  const bytecode::CodeFunction& fn_;
  const std::multimap<uint32_t, uint32_t> early_;  // by kernel
  PreparedSteps out_;
  uint32_t branches_seen_ = 0;
};

}  // namespace

const void* const* labels = nullptr;

PreparedSteps prepare(const BoundFunction& bound) { return Preparation(bound).run(); }

}  // namespace ember::vm
