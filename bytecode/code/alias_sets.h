// Alias sets: which registers may share memory, as a view does with its source and a Load with its Ref. Lowering and
// the verifier ask alike.
#pragma once

#include "bytecode/code/code.h"

namespace ember::bytecode {

// A disjoint-set forest over registers.
class AliasSets {
 public:
  void add() { parents_.push_back(static_cast<uint32_t>(parents_.size())); }
  uint32_t find(uint32_t item) {
    while (parents_[item] != item) item = parents_[item] = parents_[parents_[item]];
    return item;
  }
  void join(uint32_t item, uint32_t into) { parents_[find(item)] = find(into); }

 private:
  std::vector<uint32_t> parents_;
};

// Whether the result aliases memory that its register does not own: that of a view, constant, load or pop.
bool aliases_memory(Instruction op, const ops::Op* applied);

}  // namespace ember::bytecode
