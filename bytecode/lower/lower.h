// Inside lowering: graph -> virtual code -> code. Virtual code has any number of virtual registers, and jumps between
// instructions; then copies are coalesced, virtual registers get real ones, and instructions become words.
//
// `alias_sets` joins virtual registers that may share memory: a view and its source, a Load and its Ref. Whoever moves,
// coalesces or reuses registers asks for the alias set, never for the register alone.
#pragma once

#include <unordered_map>

#include "bytecode/code/alias_sets.h"
#include "bytecode/code/code.h"

namespace ember::bytecode::lowering {

using Virtual = uint32_t;
inline constexpr Virtual kAbsent = ~0u;

struct VirtualInstruction {
  Instruction op = Instruction::Return;
  uint8_t flags = 0;
  uint32_t wide = 0;  // of Jump and Branch the number of the target instruction
  std::vector<Virtual> inputs;
  std::vector<Virtual> outputs;
  uint32_t region = 0;  // instructions of one region execute all or none, whatever regions are nested between them
  Source source;
};

struct VirtualCode {
  std::string name;
  std::vector<VirtualInstruction> instructions;
  std::vector<Type> types;  // by virtual register
  AliasSets alias_sets;
  std::vector<Virtual> params;
  std::vector<std::string> param_names;
  std::vector<Virtual> results;
  uint32_t loops = 0;
  uint32_t branches = 0;

  Virtual add(Type type) {
    types.push_back(std::move(type));
    alias_sets.add();
    return static_cast<Virtual>(types.size() - 1);
  }
};

// What the functions of one module share while it is lowered: the code's tables and the numbers of functions.
class Tables {
 public:
  Tables(const Module& module, Code& code);

  uint32_t function(GraphId graph);  // numbers the graph when it is first asked for
  bool called(GraphId graph) const { return graph != module.entry || entry_called_; }
  uint32_t constant(const ops::Tensor& tensor);
  uint32_t scalar(uint64_t bits);
  uint32_t call(const ops::Op* op, const ops::Attrs& attrs);
  uint32_t fused(std::shared_ptr<const ops::Expr> expr, Reduction reduction);

  const Module& module;
  Code& code;
  std::vector<GraphId> functions;  // graphs in the order of their numbers

 private:
  bool entry_called_ = false;
  std::unordered_map<GraphId, uint32_t> numbers_;
  std::unordered_map<const void*, uint32_t> constants_;
  std::unordered_map<uint64_t, uint32_t> scalars_;
};

// The indices of a graph's nodes, in an order in which its effects and errors are those of the nodes' own order; empty
// if it is that. The graph is an entry that nobody calls.
std::vector<uint32_t> evaluation_order(const Module& module, GraphId graph);
VirtualCode build_virtual_code(Tables& tables, GraphId graph);
void coalesce(VirtualCode& virtual_code, const std::vector<CallSite>& calls);
// Dead registers are reused if the virtual code needs more than `reuse_after`.
CodeFunction assemble(VirtualCode& virtual_code, const std::vector<CallSite>& calls, size_t reuse_after);

}  // namespace ember::bytecode::lowering
