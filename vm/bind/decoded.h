// What all bindings of one code have in common, found once: its instructions decoded, which registers have the same
// type, the programs of elementwise instructions, what calls write. A binding reads it and adds prepared operands while
// it is bound, under the lock of all bindings; nothing else of it changes.
#pragma once

#include <set>
#include <vector>

#include "vm/bind/prepared.h"

namespace ember::vm {

struct DecodedFunction {
  DecodedFunction(const bytecode::Code& code, uint32_t number);

  std::vector<BoundInstruction> instructions;  // as the code has them
  std::vector<Register> operands;              // of all instructions, which refer to them
  std::vector<uint32_t> type_numbers;          // by register; equal for equal types, so that one look finds a layout
  uint32_t types = 0;
  std::vector<uint32_t> writers;    // by register: how many instructions write it, one for a parameter
  std::set<uint32_t> jump_targets;  // pcs
  bool takes_images = false;        // whether an op names operands that are images
  std::vector<std::unique_ptr<const PreparedOperands>> prepared;  // by instruction, without what sizes decide
};

class DecodedCode final : public gc::Counted {
 public:
  explicit DecodedCode(bytecode::CodeRef code);

  const bytecode::Code& code() const { return *code_; }
  DecodedFunction& function(uint32_t number) { return functions_[number]; }
  bool writes(uint32_t function, size_t param) const { return writes_[function][param]; }  // also in what it calls
  bool calls_entry() const { return calls_entry_; }

 private:
  void find_writes();

  bytecode::CodeRef code_;
  std::vector<DecodedFunction> functions_;
  std::vector<std::vector<bool>> writes_;  // by function and parameter
  bool calls_entry_ = false;
};

}  // namespace ember::vm
