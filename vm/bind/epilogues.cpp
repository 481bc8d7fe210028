// Which elementwise instructions are epilogues: run by the product before them on each part of its result as soon as
// that is final. All else that such an instruction reads has to be there before the product, numbers of the code being
// brought there, and nothing between the two may have an effect or be jumped to. Its results live from the product on,
// so they take no memory that the product still reads; they lie on the product's own result if nobody else reads that.
// None lies in a Parameter (updates.cpp), so that a product that runs out of memory leaves them as they were.
#include <algorithm>

#include "vm/bind/binder.h"

namespace ember::vm {

using bytecode::Decoded;
using bytecode::Instruction;

namespace {

constexpr int64_t kLeastElements = 1024;  // fewer are not worth the parts

}  // namespace

std::set<uint32_t> Binder::jump_targets() const {
  std::set<uint32_t> targets;
  for (const Decoded& d : decoded_)
    if (d.op == Instruction::Jump || d.op == Instruction::Branch) targets.insert(d.word.wide());
  return targets;
}

bool Binder::is_number(const Decoded& d) {
  return d.op == Instruction::Scalar || d.op == Instruction::Size || d.op == Instruction::Verb;
}

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
      return true;
    default:
      return is_number(d) || alias_of(d);
  }
}

// `writer`: by root, null if there is none but the call itself.
bool Binder::may_finish(const Decoded& product, const Decoded& d, std::span<const Decoded* const> writer,
                        std::vector<const Decoded*>* numbers) const {
  const Register result = product.outputs[0];
  const ops::Layout& lying = *b_.registers_[result].layout;
  const auto lies_so = [&](Register r) {
    const ops::Layout& layout = *b_.registers_[r].layout;
    if (lying.contiguous) return layout.contiguous && layout.numel == lying.numel;
    return layout.shape == lying.shape && layout.strides == lying.strides;
  };
  for (Register r : d.outputs)
    if (writers_[r] != 1 || b_.registers_[r].place == Place::Alias || !lies_so(r)) return false;
  return std::all_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
    if (r == bytecode::kNoRegister) return true;
    if (root(r) == result) return lies_so(r) && whole(r);
    if (writers_[root(r)] != 1) return false;
    const Decoded* from = writer[root(r)];
    if (!from || from->pc < product.pc) return true;
    if (from->op != Instruction::Scalar && from->op != Instruction::Size) return false;
    numbers->push_back(from);
    return true;
  });
}

void Binder::find_epilogues() {
  if (!owner_.options().reuse_memory) return;
  std::vector<const Decoded*> writer(fn_.registers.size());
  for (const Decoded& d : decoded_)
    for (Register r : d.outputs)
      if (b_.registers_[r].place != Place::Constant) writer[r] = &d;
  const std::set<uint32_t> targets = jump_targets();
  for (size_t i = 0; i < decoded_.size(); ++i) {
    const Decoded& product = decoded_[i];
    if (!finishes(product)) continue;
    const Register result = product.outputs[0];
    const auto reads = [&](const Decoded& d) {
      return std::any_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
        return r != bytecode::kNoRegister && tensor(r) && root(r) == result && !alias_of(d);
      });
    };
    bool read_before = false;
    for (size_t j = i + 1; j < decoded_.size() && stays_apart(decoded_[j]) && !targets.contains(decoded_[j].pc); ++j) {
      const Decoded& d = decoded_[j];
      if (!reads(d)) continue;
      Epilogue found{&d, {}};
      if (d.op == Instruction::Fused && may_finish(product, d, writer, &found.numbers)) {
        for (const Decoded* number : found.numbers) runs_at_.emplace(number->pc, product.pc);
        runs_at_.emplace(d.pc, product.pc);
        if (life_end_[result] == d.pc && !read_before) life_end_[result] = product.pc;
        epilogues_.emplace(product.pc, std::move(found));
        break;
      }
      if (d.op == Instruction::Fused) break;
      read_before = true;
    }
  }
}

}  // namespace ember::vm
