// A function bound to shapes, as a value: how each of its instructions runs, and where each register lies. Binding is a
// row of passes from one such value to the next (passes.h); steps are prepared from the last (prepared.h). It has a
// text form, and a verifier, which says what has to hold after each pass.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bytecode/code/code.h"

namespace ember::vm {

using bytecode::kNoRegister;
using bytecode::Register;

class Binding;
struct DecodedFunction;

enum class Place : uint8_t { Scalar, Arena, Param, Result, Constant, Alias };

struct PlacedRegister {
  Place place = Place::Scalar;
  bool dynamic = false;           // Alias: a step finds the offset, which here is that of the first call
  Register parent = kNoRegister;  // Alias: of which register (itself no alias)
  uint32_t index = 0;             // Param, Constant: its number; Result: the number of its block
  ops::LayoutRef layout;          // of tensors that are ever written
  int64_t offset = 0;             // Arena: bytes from the arena's start; Alias: bytes from the parent
};

struct BoundRegister : PlacedRegister {
  Register in_place_of = kNoRegister;  // Arena: whose memory it takes, for it dies at the write
  uint32_t writers = 0;                // how many instructions write it; one for a parameter
  bytecode::LiveRange live;            // of its memory, what lies in it counted
};

enum class Runs : uint8_t {
  Step,      // by itself
  Alias,     // not: its result is a view or a load of a register
  Constant,  // not: its result is a constant
  Epilogue,  // by the kernel `with`, on each part of that one's result
  Early,     // right before the kernel `with`, whose epilogue reads its number
  Updated,   // not: the value that it assigns was written to the Parameter at once
};

inline constexpr uint32_t kNoInstruction = ~0u;

struct BoundInstruction {
  bytecode::Instruction op;
  bytecode::Word word;
  uint32_t pc, next;                          // next: pc of the following instruction
  std::span<const Register> inputs, outputs;  // kNoRegister for absent operands; outputs lie behind the inputs
  Runs runs = Runs::Step;
  uint32_t with = kNoInstruction;      // Epilogue, Early: the index of the kernel
  uint32_t epilogue = kNoInstruction;  // of a kernel: the index of what it runs on its result

  std::span<const Register> operands() const { return {inputs.data(), inputs.size() + outputs.size()}; }
};

struct BoundResult {
  Register reg = kNoRegister;
  Register root = kNoRegister;  // whose block it lies in; a Param's if the result is (a view of) an argument
};

struct BoundFunction {
  // Its instructions and live ranges as the code has them; only parameters have a place.
  BoundFunction(Binding& binding, uint32_t number, std::span<const ops::LayoutRef> params);

  Binding* binding;
  const bytecode::Code* code;
  const bytecode::CodeFunction* function;
  DecodedFunction* decoded;
  uint32_t number;
  std::vector<BoundInstruction> instructions;
  std::vector<BoundRegister> registers;
  std::vector<BoundResult> results;
  std::vector<Register> result_blocks;  // by number: the register whose memory the block is
  std::optional<size_t> arena_bytes;    // once memory is planned

  bool tensor(Register r) const { return function->registers[r].is_tensor(); }
  Register root(Register r) const { return registers[r].place == Place::Alias ? registers[r].parent : r; }
  // Whether it begins where its memory does.
  bool whole(Register r) const {
    return registers[r].place != Place::Alias || (registers[r].offset == 0 && !registers[r].dynamic);
  }
  const ops::Op& op(const BoundInstruction& apply) const { return *code->calls[apply.word.wide()].op; }
  bool dynamic(const BoundInstruction& d) const;  // whether attributes of it differ from call to call of this binding
  bool assigns(const BoundInstruction& d) const;
  bool updates(const BoundInstruction& d) const;
  // Whether a step sets where its result begins, or writes it where others see it.
  bool steps_in_others_memory(const BoundInstruction& d) const;
  // Parameters that it writes: Refs, and arguments that results lie in.
  std::vector<Register> written_params() const;
  // Whether a result is a parameter as it was given, or a view of it.
  bool returns_parameter(Register param) const;
  // Whether nothing after `writer` reads what lies in a parameter, can fail or is jumped to.
  bool ends_after(const BoundInstruction& writer, Register param) const;

  void make_alias(Register r, Register of, ops::LayoutRef layout, int64_t offset);
};

bool is_number(const BoundInstruction& d);  // Scalar, Size or Verb
bool has_symbols(const ops::Attrs& attrs);

// One line an instruction: its text, layouts and places of what it writes, and how it runs if not by itself.
std::string to_string(const BoundFunction& bound);

// Checks that steps may be prepared: layouts and places fit types, aliases lie within their parents, memory that is
// shared is never live twice, what runs elsewhere finds its operands there. Throws bytecode::VerifyError.
void verify(const BoundFunction& bound);

}  // namespace ember::vm
