// Which results of elementwise instructions lie in the Parameters that they are assigned to, so that a step of an
// optimizer is one pass. Nobody but the assignment reads such a result, and between the two there are only numbers,
// views and other assignments. The Refs of an entry function share no memory, neither with each other and constants
// (BindOptions::refs_apart) nor with plain arguments; functions that code calls do not know that of theirs.
#include <algorithm>
#include <set>

#include "vm/bind/binder.h"

namespace ember::vm {

using bytecode::Decoded;
using bytecode::Instruction;

namespace {

bool calls_entry(const bytecode::Code& code) {
  return std::any_of(code.functions.begin(), code.functions.end(), [&](const bytecode::CodeFunction& fn) {
    for (uint32_t pc = 0; pc < fn.words.size();) {
      const Decoded d = decode(fn, pc);
      if (d.op == Instruction::Call && d.word.wide() == code.entry) return true;
      pc = d.next;
    }
    return false;
  });
}

// Whether a result is an operand as it is, which then may be read after another result was stored.
bool passes_through(const ops::Expr& expr) {
  return std::any_of(expr.outputs.begin(), expr.outputs.end(),
                     [&](ops::NodeId id) { return expr.nodes[id].verb == ops::Verb::Input; });
}

}  // namespace

bool Binder::assigns(const Decoded& d) const {
  return d.op == Instruction::Apply && code_.calls[d.word.wide()].op->name == std::string_view("assign");
}

// Whether a result of `d` that nobody but its assignment reads may lie in the Ref.
bool Binder::may_lie_in(const Decoded& d, Register result, Register ref) const {
  const RegisterPlan& from = b_.registers_[result];
  const RegisterPlan& to = b_.registers_[ref];
  if (from.place != Place::Arena || to.place != Place::Param || from.layout != to.layout) return false;
  return writers_[result] == 1 && std::all_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
           if (r == kNoRegister || !tensor(r) || root(r) != ref) return true;
           return b_.registers_[r].layout == to.layout && whole(r);
         });
}

void Binder::place_updates() {
  const BindOptions& options = owner_.options();
  if (!options.reuse_memory || !options.refs_apart || b_.number() != code_.entry) return;
  if (std::none_of(decoded_.begin(), decoded_.end(), [&](const Decoded& d) { return assigns(d); })) return;
  if (calls_entry(code_)) return;
  std::vector<uint32_t> reads(fn_.registers.size());
  for (const Decoded& d : decoded_)
    for (Register r : d.inputs)
      if (r != kNoRegister) ++reads[root(r)];
  for (Register r : fn_.results) ++reads[root(r)];
  const std::set<uint32_t> targets = jump_targets();
  for (size_t i = 0; i < decoded_.size(); ++i) {
    const Decoded& d = decoded_[i];
    if (d.op != Instruction::Fused || passes_through(*code_.fused[d.word.wide()].expr)) continue;
    std::set<Register> taken;
    for (size_t j = i + 1; j < decoded_.size() && !targets.contains(decoded_[j].pc); ++j) {
      const Decoded& next = decoded_[j];
      if (is_number(next) || alias_of(next)) continue;
      if (!assigns(next) || !next.outputs.empty()) break;
      const Register ref = next.inputs[0], value = next.inputs[1];
      const bool made_here = std::find(d.outputs.begin(), d.outputs.end(), value) != d.outputs.end();
      if (!made_here || taken.contains(ref) || reads[value] != 1 || !may_lie_in(d, value, ref)) break;
      make_alias(value, ref, b_.registers_[ref].layout, 0);
      b_.written_refs_.push_back(ref);
      done_.insert(next.pc);
      taken.insert(ref);
    }
  }
}

}  // namespace ember::vm
