// Types of instructions, and what may alias. Where a graph node has the same meaning its rule is used
// (node_types.h): the registers serve as the values of a graph, with one token behind them.
//
// A register owns its memory or, as the result of a view, load, constant or pop, aliases memory (alias_sets.h); the
// latter are written once. An instruction's output must not alias its inputs, or a kernel would read what it has just
// written; exempt are scalars and a fused expression that overwrites, in place, an operand of its result's type.
#include <algorithm>

#include "bytecode/code/alias_sets.h"
#include "bytecode/code/verify_code.h"
#include "bytecode/graph/node_types.h"
#include "bytecode/graph/verify.h"

namespace ember::bytecode {
namespace {

using ops::Kind;

NodeKind kind_named(std::string_view name) {
  static constexpr std::pair<std::string_view, NodeKind> kNames[] = {
#define X(name, ...) {#name, NodeKind::name},
      EMBER_NODE_KINDS(X)
#undef X
  };
  for (const auto& [known, kind] : kNames)
    if (known == name) return kind;
  throw VerifyError("no rule types " + std::string(name));
}

class TypeVerifier {
 public:
  // With `states`, new guards stay in the scope's symbols instead of being errors.
  TypeVerifier(const Code& code, const CodeFunction& function, bool states)
      : code_(code),
        states_(states),
        f_(function),
        symbols_(*ops::SymbolScope::current()),
        writers_(function.registers.size()),
        is_param_(function.registers.size()) {
    values_.types = f_.registers;
    values_.types.push_back(Type::token());
  }

  void run() {
    build_alias_sets();
    for (uint32_t pc = 0; pc < f_.words.size();) {
      const Decoded d = decode(f_, pc);
      pc_ = pc;
      const size_t guards = symbols_.guards().size();
      try {
        check_types(d);
      } catch (const std::exception& e) {
        fail(e.what());
      }
      check(states_ || symbols_.guards().size() == guards, "its shapes hold under a guard that is not stated");
      if (!states_) check_memory(d);
      pc = d.next;
    }
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw VerifyError("function " + f_.name + ", pc " + std::to_string(pc_) + ": " + rule);
  }
  void check(bool condition, const char* rule) const {
    if (!condition) fail(rule);
  }
  const Type& type(Register r) const { return f_.registers[r]; }
  bool aliases_memory(const Decoded& d) const {
    return bytecode::aliases_memory(d.op, d.op == Instruction::Apply ? code_.calls[d.word.wide()].op : nullptr);
  }
  void build_alias_sets();
  void check_types(const Decoded& d) const;
  void check_verb(const Decoded& d) const;
  void check_move(const Decoded& d) const;
  void check_call(const Decoded& d) const;
  void check_node(const Decoded& d) const;
  void check_memory(const Decoded& d);

  const Code& code_;
  const bool states_;
  const CodeFunction& f_;
  const ops::SymbolTable& symbols_;
  const Module no_graphs_;
  Graph values_;
  bytecode::AliasSets alias_sets_;
  std::vector<uint32_t> writers_;
  std::vector<bool> is_param_;
  uint32_t pc_ = 0;
};

void TypeVerifier::build_alias_sets() {
  for (size_t r = 0; r < f_.registers.size(); ++r) alias_sets_.add();
  for (Register param : f_.params) is_param_[param] = true;
  for (uint32_t pc = 0; pc < f_.words.size();) {
    const Decoded d = decode(f_, pc);
    for (Register r : d.outputs) ++writers_[r];
    const bool shares = d.op == Instruction::Load || (aliases_memory(d) && d.op == Instruction::Apply);
    if (shares && !d.inputs.empty() && d.inputs[0] != kNoRegister)
      for (Register r : d.outputs) alias_sets_.join(r, d.inputs[0]);
    pc = d.next;
  }
}

// What has no rule here is typed as the graph's node of its name.
void TypeVerifier::check_types(const Decoded& d) const {
  const auto a = [&] { return type(d.word.a()); };
  switch (d.op) {
    case Instruction::Return:
    case Instruction::Jump:
    case Instruction::Loop:
      return;
    case Instruction::Verb:
      return check_verb(d);
    case Instruction::Move:
      return check_move(d);
    case Instruction::Call:
      return check_call(d);
    case Instruction::Const: {
      const ops::Tensor& constant = code_.constants[d.word.wide()];
      return check(identical(a(), Type::tensor(constant.dtype(), ops::dims(constant.shape()))),
                   "a constant of another type");
    }
    case Instruction::Scalar: {
      const uint64_t bits = code_.scalars[d.word.wide()];
      check(ops::is_scalar(a().kind), "a number in a register for none");
      return check(a().kind != Kind::Bool || bits <= 1, "a Bool that is neither true nor false");
    }
    case Instruction::Size:
      return check(a().kind == ops::kind_of(code_.symbols.exprs()[d.word.wide()].kind),
                   "an expression in a register of another kind");
    case Instruction::RandomKey:
      return check(a().kind == Kind::Int, "an Int in a register of another kind");
    case Instruction::StackNew:
      return check(a().kind == Kind::Stack, "a stack in a register of another kind");
    case Instruction::Branch:
      return check(a().kind == Kind::Bool, "a condition that is no Bool");
    case Instruction::Load: {
      Type loaded = type(d.inputs[0]);
      check(loaded.kind == Kind::Ref, "loads from what is no Ref");
      loaded.kind = Kind::Tensor;
      return check(identical(a(), loaded), "loads a tensor of another type");
    }
    default:
      return check_node(d);
  }
}

// A scalar verb is right if it would be in an expression.
void TypeVerifier::check_verb(const Decoded& d) const {
  ops::Expr expr;
  ops::ExprNode node{static_cast<ops::Verb>(d.word.flags()), type(d.word.a()).dtype, {}, 0};
  check(ops::is_scalar(type(d.word.a()).kind), "a verb on what is no scalar");
  for (size_t i = 0; i < d.inputs.size(); ++i) {
    check(ops::is_scalar(type(d.inputs[i]).kind), "a verb on what is no scalar");
    expr.nodes.push_back({ops::Verb::Input, type(d.inputs[i]).dtype, {}, i});
    node.args[i] = static_cast<ops::NodeId>(i);
  }
  expr.inputs = static_cast<uint16_t>(d.inputs.size());
  expr.outputs = {static_cast<ops::NodeId>(expr.nodes.size())};
  expr.nodes.push_back(node);
  std::string why;
  if (!well_formed(expr, &why)) fail(why);
}

void TypeVerifier::check_move(const Decoded& d) const {
  Type from = type(d.inputs[0]);
  if (from.kind == Kind::Ref) from.kind = Kind::Tensor;
  check(agree(from, type(d.word.a())), "moves between registers of different types");
}

void TypeVerifier::check_call(const Decoded& d) const {
  const CodeFunction& callee = code_.functions[d.word.wide()];
  check(d.inputs.size() == callee.params.size(), "a call with another number of arguments");
  check(d.outputs.size() == callee.results.size(), "a call with another number of results");
  for (size_t i = 0; i < d.inputs.size(); ++i)
    check(agree(type(d.inputs[i]), callee.registers[callee.params[i]]), "an argument of another type");
  for (size_t i = 0; i < d.outputs.size(); ++i)
    check(agree(type(d.outputs[i]), callee.registers[callee.results[i]]), "a result of another type");
}

void TypeVerifier::check_node(const Decoded& d) const {
  Node node;
  node.kind = kind_named(info(d.op).name);
  for (Register r : d.inputs) node.inputs.push_back(r == kNoRegister ? kNoId : r);
  if (d.op == Instruction::Apply) {
    node.op = code_.calls[d.word.wide()].op;
    node.attrs = code_.calls[d.word.wide()].attrs;
    check(node.op->kernel || node.op->view || node.op->elementwise(), "an op that has to be expanded first");
    if (node.op->has_effect()) node.inputs.push_back(static_cast<ValueId>(f_.registers.size()));
  } else if (d.op == Instruction::Fused || d.op == Instruction::FusedReduce) {
    const FusedSite& site = code_.fused[d.word.wide()];
    node.expr = site.expr;
    node.op = site.reduction.op;
    node.attrs = site.reduction.attrs;
    check((node.op != nullptr) == (d.op == Instruction::FusedReduce), "a reduction is missing or too much");
    check(!node.op || (node.op->kernel && !node.op->has_effect()), "a reduction by an op that is none");
  }
  Types stored;
  for (Register r : d.outputs) stored.push_back(type(r));
  Types inferred = node_types(no_graphs_, values_, node, stored);
  std::erase_if(inferred, [](const Type& t) { return t.kind == Kind::Ref; });
  const bool same =
      inferred.size() == stored.size() && std::equal(inferred.begin(), inferred.end(), stored.begin(), agree);
  check(same, "its registers have other types than its rule infers");
}

void TypeVerifier::check_memory(const Decoded& d) {
  for (size_t i = 0; i < d.outputs.size(); ++i) {
    const Register out = d.outputs[i];
    const Type& result = type(out);
    check(!is_param_[out], "writes a parameter");
    check(std::find(d.outputs.begin(), d.outputs.begin() + i, out) == d.outputs.begin() + i, "writes a register twice");
    if (aliases_memory(d) && result.is_tensor())
      check(writers_[out] == 1, "a register that aliases memory is written twice");
    const bool scalar = d.op == Instruction::Verb;
    const bool in_place = d.op == Instruction::Fused && d.outputs.size() == 1;
    const bool view = aliases_memory(d);
    for (Register in : d.inputs) {
      if (in == kNoRegister || scalar) continue;
      check(in != out || in_place, "an operand and a result in one register");
      if (!result.is_tensor() || in == out || view) continue;
      check(alias_sets_.find(in) != alias_sets_.find(out), "a result in memory that an operand views");
    }
  }
}

}  // namespace

void verify_types(const Code& code, const CodeFunction& function) { TypeVerifier(code, function, false).run(); }

void state_guards(Code& code) {
  if (code.symbols.symbols() == 0) return;
  const ops::SymbolScope scope(&code.symbols);
  for (const CodeFunction& f : code.functions) TypeVerifier(code, f, true).run();
}

}  // namespace ember::bytecode
