// Code: the bytecode of a module, immutable once made. lower() makes it from an optimised graph module; a file holds it
// (module_file.h); vm binds it to shapes and runs it.
//
// A function's registers are typed once and for all; dims are expressions over the module's symbols, so one Code serves
// every shape that its guards admit. A register is written by one instruction, but for those carried around a loop,
// merged after a branch, or reused once 60,000 are taken: these are written by several, always with one type, and own
// their memory (never a view's). `live_ranges` are the pcs between which a register's memory must stay, loops taken
// into account (live_ranges.h); vm plans memory from them. Aliases (views, loads) are found when bound, and extend
// their parent's live range. Exits from native code happen only at pc 0, at Loop, at Branch and after Item.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytecode/code/bytecodes.h"
#include "bytecode/graph/graph.h"
#include "gc/ref.h"

namespace ember::bytecode {

struct CallSite {  // of Apply
  const ops::Op* op = nullptr;
  ops::Attrs attrs;
};

struct FusedSite {  // of Fused and FusedReduce
  std::shared_ptr<const ops::Expr> expr;
  Reduction reduction;  // op null for Fused
};

struct LiveRange {
  uint32_t begin = 0;  // pc of the first write
  uint32_t end = 0;    // pc of the last use, at least begin
};

struct SourceMark {  // from this pc on
  uint32_t pc = 0;
  Source source;
};

struct CodeFunction {
  std::string name;
  std::vector<Word> words;
  std::vector<Type> registers;
  std::vector<LiveRange> live_ranges;  // by register
  std::vector<Register> params;
  std::vector<std::string> param_names;
  std::vector<Register> results;
  std::vector<SourceMark> sources;  // ascending pcs
  uint32_t loops = 0;
  uint32_t branches = 0;
};

class Code final : public gc::Counted {
 public:
  ops::SymbolTable symbols;
  std::vector<CodeFunction> functions;
  uint32_t entry = 0;
  std::vector<ops::Tensor> constants;
  std::vector<uint64_t> scalars;
  std::vector<CallSite> calls;
  std::vector<FusedSite> fused;
  std::vector<std::string> files;
  std::vector<std::string> names = {""};
  State state;

  Source source(uint32_t function, uint32_t pc) const;
};
using CodeRef = gc::Ref<const Code>;

// One instruction with its list, decoded.
struct Decoded {
  Instruction op;
  Word word;
  uint32_t pc;
  uint32_t next;                  // pc of the following instruction
  std::vector<Register> inputs;   // registers read, kNoRegister for absent operands
  std::vector<Register> outputs;  // registers written
};
Decoded decode(const CodeFunction& function, uint32_t pc);

CodeRef lower(const Module& optimised);

// Checks everything the interpreter relies on: bounds, types of registers, definition before use on all paths, jumps to
// instruction starts, live ranges, call signatures, dims that symbols of the parameters define. Throws VerifyError.
void verify(const Code& code);

// One line an instruction: pc, text, types, and the user's source line where it changes.
std::string disassemble(const Code& code);
std::string disassemble(const Code& code, uint32_t function);
std::string disassemble_instruction(const Code& code, uint32_t function, uint32_t pc);
std::string instruction_text(const Code& code, uint32_t function, uint32_t pc);  // neither pc nor types

}  // namespace ember::bytecode
