// Fills a FunctionBinding: layouts and aliases first, then steps, then memory. Private to vm.
#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "vm/bind/binding.h"
#include "vm/bind/memory_plan.h"

namespace ember::vm {

class Binder {
 public:
  explicit Binder(FunctionBinding& binding);
  void run(std::span<const ops::LayoutRef> params);

 private:
  void place_params(std::span<const ops::LayoutRef> params);
  void place_registers();
  bool place_alias(const bytecode::Decoded& d);
  void make_alias(Register r, Register of, ops::LayoutRef layout, int64_t offset);
  void place_updates();
  bool assigns(const bytecode::Decoded& d) const;
  bool may_lie_in(const bytecode::Decoded& d, Register result, Register ref) const;
  void place_results();
  void place_arena();
  std::set<uint32_t> jump_targets() const;
  void find_epilogues();
  bool finishes(const bytecode::Decoded& d) const;
  static bool is_number(const bytecode::Decoded& d);
  bool stays_apart(const bytecode::Decoded& d) const;
  bool may_finish(const bytecode::Decoded& product, const bytecode::Decoded& d,
                  std::span<const bytecode::Decoded* const> writer,
                  std::vector<const bytecode::Decoded*>* numbers) const;
  uint32_t runs_at(uint32_t pc) const {
    const auto found = runs_at_.find(pc);
    return found == runs_at_.end() ? pc : found->second;
  }
  int32_t in_place_candidate(const bytecode::Decoded& d, std::span<const int32_t> request_of) const;

  void prepare_steps();
  bool brief() const;
  Step prepare(const bytecode::Decoded& d);
  Step prepare_site(const bytecode::Decoded& d);
  Step prepare_verb(const bytecode::Decoded& d);
  void fill_apply(StepSite& site, const bytecode::Decoded& d, Handler* handler);
  void fill_call(StepSite& site, const bytecode::Decoded& d);
  void fill_reduction(StepSite& site, const bytecode::Decoded& d);
  ops::View view_of(Register r) const;
  Register root(Register r) const;
  bool whole(Register r) const { return b_.registers_[r].place != Place::Alias || b_.registers_[r].offset == 0; }
  bool tensor(Register r) const { return fn_.registers[r].is_tensor(); }

  // Whether an instruction makes an alias and nothing else.
  bool alias_of(const bytecode::Decoded& d) const {
    return d.op != bytecode::Instruction::Fused && d.outputs.size() == 1 &&
           b_.registers_[d.outputs[0]].place == Place::Alias;
  }

  struct Epilogue {
    const bytecode::Decoded* instruction;
    std::vector<const bytecode::Decoded*> numbers;  // that it reads, and that the code has only after the product
  };

  FunctionBinding& b_;
  Binding& owner_;
  const bytecode::Code& code_;
  const bytecode::CodeFunction& fn_;
  std::vector<bytecode::Decoded> decoded_;
  std::vector<uint16_t> writers_;      // by register
  std::unordered_set<uint32_t> done_;  // pcs of assignments whose value lies in the Parameter
  uint32_t branches_seen_ = 0;
  std::vector<uint32_t> life_end_;                    // by register, aliases counted in their root's
  std::unordered_map<uint32_t, Epilogue> epilogues_;  // by the product's pc
  std::unordered_map<uint32_t, uint32_t> runs_at_;    // by the pc of what runs with a product, the product's
};

const ops::LayoutRef& slot_layout(ops::Kind kind);  // 0-d layout of a scalar in its slot

}  // namespace ember::vm
