#include "vm/bind/binder.h"

#include <algorithm>

#include "ops/kernels/images.h"
#include "vm/bind/layouts.h"
#include "vm/bind/scalar_verbs.h"

namespace ember::vm {

using bytecode::Decoded;
using bytecode::Instruction;

const ops::LayoutRef& slot_layout(ops::Kind kind) {
  static const ops::LayoutRef layouts[] = {ops::layout(ops::DType::Bool, {}), ops::layout(ops::DType::Int64, {}),
                                           ops::layout(ops::DType::Float64, {})};
  return layouts[static_cast<int>(kind) - static_cast<int>(ops::Kind::Bool)];
}

Binder::Binder(FunctionBinding& binding)
    : b_(binding), owner_(binding.owner()), code_(binding.code()), fn_(binding.function()) {}

void Binder::run(std::span<const ops::LayoutRef> params) {
  for (uint32_t pc = 0; pc < fn_.words.size(); pc = decoded_.back().next) decoded_.push_back(decode(fn_, pc));
  writers_.assign(fn_.registers.size(), 0);
  for (Register r : fn_.params) ++writers_[r];
  for (const Decoded& d : decoded_)
    for (Register r : d.outputs) ++writers_[r];
  uint32_t scalars = 0;
  for (Register r : fn_.params) scalars += ops::is_scalar(fn_.registers[r].kind);
  b_.profile_ = std::make_unique<Profile>(fn_.loops, fn_.branches, scalars);
  place_params(params);
  place_registers();
  place_updates();
  place_results();
  find_epilogues();
  place_arena();
  prepare_steps();
  b_.brief_ = brief();
}

bool Binder::brief() const {
  constexpr size_t kBytes = size_t{64} << 10;  // that steps read and write
  constexpr size_t kStep = 256;                // as many as one costs beside
  size_t bytes = 0;
  for (const Step& step : b_.steps_) {
    if (step.kind == Handler::Loop || step.kind == Handler::Call) return false;
    bytes += kStep;
    if (step.kind != Handler::Kernel && step.kind != Handler::Program && step.kind != Handler::Reduce) continue;
    if (step.site->op && step.site->op->flags.has(ops::Flag::Io)) return false;
    const auto count = [&](const StepSite& site) {
      for (const ops::View& v : site.views) bytes += v.layout ? v.layout->bytes() : 0;
    };
    count(*step.site);
    if (step.site->epilogue) count(*step.site->epilogue->site);
  }
  return bytes <= kBytes;
}

void Binder::place_params(std::span<const ops::LayoutRef> params) {
  b_.registers_.resize(fn_.registers.size());
  for (uint32_t i = 0; i < fn_.params.size(); ++i) {
    Register r = fn_.params[i];
    if (!tensor(r)) continue;
    b_.registers_[r].place = Place::Param;
    b_.registers_[r].layout = params[i];
    b_.registers_[r].index = i;
  }
}

Register Binder::root(Register r) const { return b_.registers_[r].place == Place::Alias ? b_.registers_[r].parent : r; }

void Binder::make_alias(Register r, Register of, ops::LayoutRef layout, int64_t offset) {
  RegisterPlan& plan = b_.registers_[r];
  const RegisterPlan& source = b_.registers_[of];
  plan.place = Place::Alias;
  plan.layout = std::move(layout);
  plan.parent = root(of);
  plan.offset = offset + (source.place == Place::Alias ? source.offset : 0);
}

bool Binder::place_alias(const Decoded& d) {
  if (d.outputs.size() != 1 || writers_[d.outputs[0]] != 1) return false;
  Register out = d.outputs[0];
  if (d.op == Instruction::Load) {
    make_alias(out, d.inputs[0], b_.registers_[d.inputs[0]].layout, 0);
    return true;
  }
  if (d.op != Instruction::Apply) return false;
  const bytecode::CallSite& call = code_.calls[d.word.wide()];
  if (!call.op->view || !tensor(d.inputs[0])) return false;
  ops::LayoutRef layout;
  int64_t offset = 0;
  if (!call.op->view(*b_.registers_[d.inputs[0]].layout, owner_.evaluate(call.attrs), &layout, &offset)) return false;
  make_alias(out, d.inputs[0], std::move(layout), offset);
  return true;
}

void Binder::place_registers() {
  const std::vector<bool> channels_last = channels_last_registers(b_, decoded_, writers_);
  for (const Decoded& d : decoded_) {
    for (Register r : d.outputs) {
      RegisterPlan& plan = b_.registers_[r];
      if (!tensor(r) || plan.layout) continue;
      if (d.op == Instruction::Const) {
        plan.place = Place::Constant;
        plan.index = d.word.wide();
        plan.layout = code_.constants[plan.index].layout_ref();
      } else if (!place_alias(d)) {
        plan.place = Place::Arena;
        const ops::Shape shape = owner_.shape(fn_.registers[r]);
        plan.layout = channels_last[r] ? ops::layout(fn_.registers[r].dtype, shape, ops::channels_last_strides(shape))
                                       : ops::layout(fn_.registers[r].dtype, shape);
      }
    }
  }
  life_end_.resize(fn_.registers.size());
  for (size_t r = 0; r < fn_.registers.size(); ++r) life_end_[root(r)] = std::max(life_end_[root(r)], fn_.lives[r].end);
}

void Binder::place_results() {
  for (Register r : fn_.results) {
    ResultPlan result{r, r, 0};
    if (tensor(r)) {
      result.root = root(r);
      result.offset = b_.registers_[r].place == Place::Alias ? b_.registers_[r].offset : 0;
      RegisterPlan& plan = b_.registers_[result.root];
      if (plan.place == Place::Arena) {
        plan.place = Place::Result;
        plan.index = static_cast<uint32_t>(b_.result_bytes_.size());
        b_.result_bytes_.push_back(plan.layout->bytes());
        b_.result_roots_.push_back(result.root);
      }
    }
    b_.results_.push_back(result);
  }
  for (size_t r = 0; r < b_.registers_.size(); ++r) {
    const RegisterPlan& plan = b_.registers_[r];
    if (plan.place != Place::Alias) continue;
    Place of = b_.registers_[plan.parent].place;
    if (of == Place::Param || of == Place::Result) b_.entry_aliases_.push_back(static_cast<Register>(r));
  }
}

// The one input whose memory the output of an elementwise instruction may take: an arena register that dies here, read
// only once, with the output's very layout.
int32_t Binder::in_place_candidate(const Decoded& d, std::span<const int32_t> request_of) const {
  if (d.op != Instruction::Fused || d.outputs.size() != 1) return -1;
  for (Register in : d.inputs) {
    if (in == bytecode::kNoRegister || !tensor(in)) continue;
    Register base = root(in);
    auto same_root = [&](Register other) {
      return other != bytecode::kNoRegister && tensor(other) && root(other) == base;
    };
    bool fits = request_of[base] >= 0 && life_end_[base] == runs_at(d.pc) && writers_[base] == 1 &&
                b_.registers_[in].layout == b_.registers_[d.outputs[0]].layout && b_.registers_[in].offset == 0 &&
                std::count_if(d.inputs.begin(), d.inputs.end(), same_root) == 1;
    if (fits) return request_of[base];
  }
  return -1;
}

void Binder::place_arena() {
  std::vector<MemoryRequest> requests;
  std::vector<Register> owner_of;
  std::vector<int32_t> request_of(fn_.registers.size(), -1);
  std::vector<std::tuple<uint32_t, bool, Register>> order;
  std::unordered_map<Register, const Decoded*> writer;
  for (const Decoded& d : decoded_)
    for (Register r : d.outputs)
      if (b_.registers_[r].place == Place::Arena && writer.emplace(r, &d).second)
        order.push_back({std::min(fn_.lives[r].begin, runs_at(d.pc)), runs_at_.contains(d.pc), r});
  std::stable_sort(order.begin(), order.end());
  for (auto [begin, epilogue, r] : order) {
    request_of[r] = static_cast<int32_t>(requests.size());
    int32_t in_place = writers_[r] == 1 ? in_place_candidate(*writer[r], request_of) : -1;
    requests.push_back({b_.registers_[r].layout->bytes(), begin, std::max(begin, life_end_[r]), in_place, 0});
    owner_of.push_back(r);
  }
  b_.arena_bytes_ = plan_memory(requests, owner_.options().reuse_memory);
  b_.arena_offset_ = (fn_.registers.size() * sizeof(uint64_t) + 63) / 64 * 64;
  for (size_t i = 0; i < requests.size(); ++i) b_.registers_[owner_of[i]].offset = requests[i].offset;
}

ops::View Binder::view_of(Register r) const {
  if (r == bytecode::kNoRegister || fn_.registers[r].kind == ops::Kind::Stack) return {};
  if (!tensor(r)) return {nullptr, slot_layout(fn_.registers[r].kind).get()};
  return {nullptr, b_.registers_[r].layout.get()};
}

void Binder::prepare_steps() {
  b_.step_of_pc_.assign(fn_.words.size() + 1, 0);
  for (const Decoded& d : decoded_) {
    for (uint32_t pc = d.pc; pc < d.next; ++pc) b_.step_of_pc_[pc] = static_cast<uint32_t>(b_.steps_.size());
    if (alias_of(d) || d.op == Instruction::Const || runs_at_.contains(d.pc) || done_.contains(d.pc)) continue;
    const auto found = epilogues_.find(d.pc);
    if (found == epilogues_.end()) {
      b_.steps_.push_back(prepare(d));
      continue;
    }
    for (const Decoded* number : found->second.numbers) b_.steps_.push_back(prepare(*number));
    b_.steps_.push_back(prepare(d));
    StepSite& site = *b_.sites_.back();
    site.epilogue = std::make_unique<const Step>(prepare(*found->second.instruction));
  }
  for (Step& step : b_.steps_) {
    if (step.kind == Handler::Jump || step.kind == Handler::Branch) step.target = b_.step_of_pc_[step.target];
  }
}

Step Binder::prepare(const Decoded& d) {
  Step s;
  s.pc = d.pc;
  s.a = d.word.a();
  s.b = d.word.b();
  s.bits = 0;
  auto with = [&](Handler handler) {
    s.handler = label(handler);
    s.kind = handler;
    return s;
  };
  switch (d.op) {
    case Instruction::Return:
      return with(Handler::Return);
    case Instruction::Scalar:
      s.bits = code_.scalars[d.word.wide()];
      return with(Handler::Scalar);
    case Instruction::Size:
      s.bits = static_cast<uint64_t>(owner_.dim(ops::Dim(0, d.word.wide())));
      return with(Handler::Scalar);
    case Instruction::Verb:
      return prepare_verb(d);
    case Instruction::Jump:
      s.target = d.word.wide();
      return with(Handler::Jump);
    case Instruction::Branch:
      s.target = d.word.wide();
      s.branch = branches_seen_++;
      return with(Handler::Branch);
    case Instruction::Loop:
      s.branch = d.word.wide();
      return with(Handler::Loop);
    case Instruction::RandomKey:
      return with(Handler::RandomKey);
    case Instruction::Move:
      if (!tensor(s.a)) return with(Handler::MoveScalar);
      return prepare_site(d);
    case Instruction::Item:
    case Instruction::ToTensor:
      return prepare_site(d);
    case Instruction::StackNew:
      return with(Handler::StackNew);
    case Instruction::NonEmpty:
      return with(Handler::NonEmpty);
    default:
      return prepare_site(d);
  }
}

Step Binder::prepare_verb(const Decoded& d) {
  Step s;
  s.pc = d.pc;
  s.a = d.word.a();
  s.b = d.word.b();
  s.c = d.inputs.size() > 1 ? d.inputs[1] : d.inputs[0];
  s.d = d.inputs.size() > 2 ? d.inputs[2] : s.c;
  auto verb = static_cast<ops::Verb>(d.word.flags());
  Register typed = verb == ops::Verb::Select ? s.c : s.b;
  s.function = reinterpret_cast<void*>(scalar_verb(verb, fn_.registers[typed].kind, fn_.registers[s.a].kind));
  s.kind = d.inputs.size() > 2 ? Handler::Verb3 : Handler::Verb;
  s.handler = label(s.kind);
  return s;
}

void Binder::fill_apply(StepSite& site, const Decoded& d, Handler* handler) {
  const bytecode::CallSite& call = code_.calls[d.word.wide()];
  site.op = call.op;
  site.attrs = owner_.evaluate(call.attrs);
  if (call.op->elementwise()) {
    ops::Types types;
    for (Register r : d.inputs) types.push_back(r == bytecode::kNoRegister ? ops::Type::token() : fn_.registers[r]);
    site.program = ops::program(*call.op, types, site.attrs);
    *handler = Handler::Program;
    return;
  }
  site.kernel = call.op->kernel;
  *handler = Handler::Kernel;
  if (call.op->flags.has(ops::Flag::Memory))
    for (Register r : d.inputs)
      if (r != bytecode::kNoRegister && fn_.registers[r].kind == ops::Kind::Ref) b_.written_refs_.push_back(root(r));
}

void Binder::fill_call(StepSite& site, const Decoded& d) {
  std::vector<ops::LayoutRef> layouts;
  for (Register r : d.inputs) layouts.push_back(tensor(r) ? b_.registers_[r].layout : nullptr);
  site.callee = &owner_.function(d.word.wide(), layouts);
  for (size_t i = 0; i < d.inputs.size(); ++i)
    if (fn_.registers[d.inputs[i]].kind == ops::Kind::Ref && owner_.writes(d.word.wide(), i))
      b_.written_refs_.push_back(d.inputs[i]);
}

// The program gives elements of the dtype that they combine in.
void Binder::fill_reduction(StepSite& site, const Decoded& d) {
  const bytecode::FusedSite& fused = code_.fused[d.word.wide()];
  for (Register r : d.inputs)
    if (tensor(r)) site.space = ops::broadcast_shapes(site.space, b_.registers_[r].layout->shape);
  ops::Expr expr = *fused.expr;
  ops::NodeId& result = expr.outputs[0];
  ops::DType from = expr.nodes[result].dtype;
  ops::Dims dims;
  for (int64_t size : site.space) dims.push_back(size);
  std::optional<ops::Reduction> reduction =
      ops::reduction(*fused.reduction.op, ops::Type::tensor(from, dims), owner_.evaluate(fused.reduction.attrs));
  if (!reduction) ops::value_error("vm: '" + std::string(fused.reduction.op->name) + "' is no reduction");
  site.reduction = *reduction;
  if (from != reduction->compute) {
    expr.nodes.push_back({ops::Verb::Convert, reduction->compute, {result}});
    result = static_cast<ops::NodeId>(expr.nodes.size() - 1);
  }
  site.program = ops::Program::of(expr);
}

Step Binder::prepare_site(const Decoded& d) {
  auto site = std::make_unique<StepSite>();
  site->regs = d.inputs;
  site->regs.insert(site->regs.end(), d.outputs.begin(), d.outputs.end());
  site->inputs = static_cast<uint32_t>(d.inputs.size());
  for (Register r : site->regs) site->views.push_back(view_of(r));
  Handler handler = Handler::Kernel;
  switch (d.op) {
    case Instruction::Apply:
      fill_apply(*site, d, &handler);
      break;
    case Instruction::Fused:
      site->program = ops::Program::of(*code_.fused[d.word.wide()].expr);
      handler = Handler::Program;
      break;
    case Instruction::FusedReduce:
      fill_reduction(*site, d);
      handler = Handler::Reduce;
      break;
    case Instruction::Call:
      fill_call(*site, d);
      handler = Handler::Call;
      break;
    case Instruction::Load:
    case Instruction::Move:
      handler = Handler::MoveTensor;
      break;
    case Instruction::ToTensor:
      handler = Handler::ToTensor;
      break;
    case Instruction::Item: {
      ops::Kind kind = fn_.registers[d.outputs[0]].kind;
      handler = kind == ops::Kind::Bool  ? Handler::ItemBool
                : kind == ops::Kind::Int ? Handler::ItemInt
                                         : Handler::ItemFloat;
      break;
    }
    case Instruction::Push:
      handler = Handler::Push;
      break;
    case Instruction::Pop:
      handler = Handler::Pop;
      break;
    default:
      ops::value_error("vm: an instruction that the interpreter does not know");
  }
  Step s;
  s.pc = d.pc;
  s.a = d.word.a();
  s.b = d.word.b();
  s.handler = label(handler);
  s.kind = handler;
  s.site = site.get();
  b_.sites_.push_back(std::move(site));
  return s;
}

}  // namespace ember::vm
