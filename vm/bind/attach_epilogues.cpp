// Which elementwise instructions are epilogues: run by the kernel before them on each part of its result as soon as
// that is final. All else that such an instruction reads has to be there before the kernel runs, numbers of the code
// being brought there, and nothing between the two may have an effect or be jumped to. Its results live from the kernel
// on, so they take no memory that it still reads; they lie on the kernel's own result if nobody else reads that. None
// lies in a Parameter (update_in_place.cpp), so that a kernel that runs out of memory leaves them as they were.
//
//     0  r2 = MatMul r0, r1       with epilogue 3
//     2  r3 = Scalar 0.5          before 0
//     3  r4 = Fused {Mul} r2, r3  epilogue of 0, in place of r2
#include <algorithm>

#include "vm/bind/binding.h"
#include "vm/bind/passes.h"

namespace ember::vm {

using bytecode::Instruction;

namespace {

constexpr int64_t kLeastElements = 1024;  // fewer are not worth the parts

class Epilogues {
 public:
  explicit Epilogues(BoundFunction& bound)
      : bound_(bound), writer_(bound.registers.size(), kNoInstruction), targets_(bound.decoded->jump_targets) {
    for (uint32_t i = 0; i < bound.instructions.size(); ++i)
      for (Register r : bound.instructions[i].outputs)
        if (bound.registers[r].place != Place::Constant) writer_[r] = i;
  }

  void find() {
    for (uint32_t i = 0; i < bound_.instructions.size(); ++i)
      if (supports_epilogue(bound_.instructions[i])) find_for(i);
  }

 private:
  bool supports_epilogue(const BoundInstruction& d) const {
    if (d.op != Instruction::Apply || !bound_.op(d).flags.has(ops::Flag::SupportsEpilogue)) return false;
    const BoundRegister& result = bound_.registers[d.outputs[0]];
    return result.writers == 1 && result.layout->numel >= kLeastElements;
  }

  // Whether it may run between a kernel and its epilogue.
  bool commutes_with_epilogue(const BoundInstruction& d) const {
    switch (d.op) {
      case Instruction::Apply:
        return !bound_.op(d).has_effect() && !bound_.steps_in_others_memory(d);
      case Instruction::Fused:
      case Instruction::FusedReduce:
      case Instruction::Const:
        return true;
      default:
        return is_number(d) || d.runs == Runs::Alias;
    }
  }

  bool reads(const BoundInstruction& d, Register result) const {
    return d.runs != Runs::Alias && std::any_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
             return r != kNoRegister && bound_.tensor(r) && bound_.root(r) == result;
           });
  }

  void find_for(uint32_t kernel) {
    const std::vector<BoundInstruction>& all = bound_.instructions;
    const Register result = all[kernel].outputs[0];
    bool read_before = false;
    for (uint32_t j = kernel + 1; j < all.size(); ++j) {
      const BoundInstruction& d = all[j];
      if (!commutes_with_epilogue(d) || targets_.contains(d.pc)) return;
      if (!reads(d, result)) continue;
      std::vector<uint32_t> numbers;
      if (d.op == Instruction::Fused && may_follow(kernel, d, &numbers)) return attach(kernel, j, numbers, read_before);
      if (d.op == Instruction::Fused) return;
      read_before = true;
    }
  }

  // Whether `d` can be the kernel's epilogue, and which numbers would have to be there earlier.
  bool may_follow(uint32_t kernel, const BoundInstruction& d, std::vector<uint32_t>* numbers) const {
    const Register result = bound_.instructions[kernel].outputs[0];
    const ops::Layout& wanted = *bound_.registers[result].layout;
    const auto same_order = [&](Register r) {
      const ops::Layout& layout = *bound_.registers[r].layout;
      if (wanted.contiguous) return layout.contiguous && layout.numel == wanted.numel;
      return layout.shape == wanted.shape && layout.strides == wanted.strides;
    };
    for (Register r : d.outputs) {
      const BoundRegister& reg = bound_.registers[r];
      if (reg.writers != 1 || reg.place == Place::Alias || !same_order(r)) return false;
    }
    return std::all_of(d.inputs.begin(), d.inputs.end(), [&](Register r) {
      if (r == kNoRegister) return true;
      const Register root = bound_.root(r);
      if (root == result) return same_order(r) && bound_.whole(r);
      if (bound_.registers[root].writers != 1) return false;
      const uint32_t from = writer_[root];
      if (from == kNoInstruction || from < kernel) return true;
      const Instruction op = bound_.instructions[from].op;
      if (op != Instruction::Scalar && op != Instruction::Size) return false;
      numbers->push_back(from);
      return true;
    });
  }

  void attach(uint32_t kernel, uint32_t epilogue, const std::vector<uint32_t>& numbers, bool read_before) {
    std::vector<BoundInstruction>& all = bound_.instructions;
    const auto run_with = [&](uint32_t i, Runs runs) {
      all[i].runs = runs;
      all[i].with = kernel;
    };
    for (uint32_t number : numbers)
      if (all[number].runs == Runs::Step) run_with(number, Runs::Early);
    run_with(epilogue, Runs::Epilogue);
    all[kernel].epilogue = epilogue;
    const uint32_t pc = all[kernel].pc;
    bytecode::LiveRange& result = bound_.registers[all[kernel].outputs[0]].live;
    if (result.end == all[epilogue].pc && !read_before) result.end = pc;
    for (Register r : all[epilogue].outputs)
      bound_.registers[r].live.begin = std::min(bound_.registers[r].live.begin, pc);
  }

  BoundFunction& bound_;
  std::vector<uint32_t> writer_;  // by register: what wrote it last; none for parameters and constants
  const std::set<uint32_t>& targets_;
};

}  // namespace

BoundFunction attach_epilogues(BoundFunction bound) {
  if (bound.binding->options().reuse_memory) Epilogues(bound).find();
  return bound;
}

}  // namespace ember::vm
