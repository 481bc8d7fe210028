// Which elementwise instructions are epilogues: run by the product before them on each part of its result as soon as
// that is final. All else that such an instruction reads has to be there before the product, and nothing between the
// two may have an effect or be jumped to. Its results live from the product on, so they take no memory that the product
// still reads; where they may lie on the product's own result, they do.
#include <algorithm>
#include <set>

#include "vm/binder.h"

namespace ember::vm {

using bytecode::Decoded;
using bytecode::Instruction;

namespace {

constexpr int64_t kLeastElements = 1024;  // fewer are not worth the parts

std::set<uint32_t> jump_targets(std::span<const Decoded> decoded) {
  std::set<uint32_t> targets;
  for (const Decoded& d : decoded)
    if (d.op == Instruction::Jump || d.op == Instruction::Branch) targets.insert(d.word.wide());
  return targets;
}

}  // namespace

bool Binder::finishes(const Decoded& d) const {
  if (d.op != Instruction::Apply || !code_.calls[d.word.wide()].op->flags.has(ops::Flag::Finishes)) return false;
  return writers_[d.outputs[0]] == 1 && b_.registers_[d.outputs[0]].layout->numel >= kLeastElements;
}

// Whether something else may run between a product and its epilogue.
bool Binder::stays_apart(const Decoded& d) const {
  switch (d.op) {
    case Instruction::Apply:
      return !code_.calls[d.word.wide()].op->has_effect();
    case Instruction::Fused:
    case Instruction::FusedReduce:
    case Instruction::Const:
    case Instruction::Scalar:
    case Instruction::Size:
    case Instruction::Verb:
      return true;
    default:
      return false;
  }
}

// `at`: by root, the pc that writes it; less than any of what is there from the start.
bool Binder::may_finish(const Decoded& product, const Decoded& d, std::span<const int64_t> at) const {
  const Register result = product.outputs[0];
  const int64_t count = b_.registers_[result].layout->numel;
  for (Register r : d.outputs)
    if (writers_[r] != 1 || b_.registers_[r].layout->numel != count) return false;
  return std::all_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
    if (r == bytecode::kNoRegister) return true;
    const RegisterPlan& plan = b_.registers_[r];
    if (root(r) == result) return plan.layout->contiguous && plan.layout->numel == count && whole(r);
    return writers_[root(r)] == 1 && at[root(r)] < product.pc;
  });
}

void Binder::find_epilogues() {
  if (!owner_.options().reuse_memory) return;
  std::vector<int64_t> at(fn_.registers.size(), -1);
  for (const Decoded& d : decoded_)
    for (Register r : d.outputs)
      if (b_.registers_[r].place != Place::Constant) at[r] = d.pc;
  const std::set<uint32_t> targets = jump_targets(decoded_);
  for (size_t i = 0; i < decoded_.size(); ++i) {
    if (!finishes(decoded_[i])) continue;
    const Register result = decoded_[i].outputs[0];
    const auto reads = [&](Register r) { return r != bytecode::kNoRegister && tensor(r) && root(r) == result; };
    for (size_t j = i + 1; j < decoded_.size() && stays_apart(decoded_[j]) && !targets.contains(decoded_[j].pc); ++j) {
      const Decoded& d = decoded_[j];
      if (d.op != Instruction::Fused || std::none_of(d.inputs.begin(), d.inputs.end(), reads)) continue;
      if (!may_finish(decoded_[i], d, at)) break;
      epilogues_.emplace(decoded_[i].pc, &d);
      runs_at_.emplace(d.pc, decoded_[i].pc);
      if (life_end_[result] == d.pc) life_end_[result] = decoded_[i].pc;
      break;
    }
  }
}

}  // namespace ember::vm
