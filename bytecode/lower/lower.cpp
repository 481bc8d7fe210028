// lower(): the entry graph and every called graph become functions, in the order in which calls are met.
#include "bytecode/lower/lower.h"

#include <algorithm>

#include "bytecode/code/verify_code.h"
#include "ops/program/strided.h"

namespace ember::bytecode {
namespace lowering {

Tables::Tables(const Module& module, Code& code) : module(module), code(code) {
  const auto calls_entry = [&](const Node& node) {
    return node.kind == NodeKind::Call && node.graphs[0] == module.entry;
  };
  entry_called_ = std::any_of(module.graphs.begin(), module.graphs.end(), [&](const Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), calls_entry);
  });
}

uint32_t Tables::function(GraphId graph) {
  const auto [it, inserted] = numbers_.try_emplace(graph, static_cast<uint32_t>(functions.size()));
  if (inserted) functions.push_back(graph);
  return it->second;
}

uint32_t Tables::constant(const ops::Tensor& tensor) {
  const auto it = constants_.find(tensor.data());
  if (it != constants_.end() && code.constants[it->second].layout_ref() == tensor.layout_ref()) return it->second;
  const uint32_t number = static_cast<uint32_t>(code.constants.size());
  code.constants.push_back(ops::to_contiguous(tensor));
  if (tensor.contiguous() && tensor.numel() > 0) constants_[tensor.data()] = number;
  return number;
}

uint32_t Tables::scalar(uint64_t bits) {
  const auto [it, inserted] = scalars_.try_emplace(bits, static_cast<uint32_t>(code.scalars.size()));
  if (inserted) code.scalars.push_back(bits);
  return it->second;
}

uint32_t Tables::call(const ops::Op* op, const ops::Attrs& attrs) {
  code.calls.push_back({op, attrs});
  return static_cast<uint32_t>(code.calls.size() - 1);
}

uint32_t Tables::fused(std::shared_ptr<const ops::Expr> expr, Reduction reduction) {
  code.fused.push_back({std::move(expr), std::move(reduction)});
  return static_cast<uint32_t>(code.fused.size() - 1);
}

}  // namespace lowering

CodeRef lower(const Module& optimised) {
  constexpr size_t kReuseAfter = 60'000;
  gc::Ref<Code> code = gc::make<Code>();
  code->symbols = optimised.symbols;
  code->files = optimised.files;
  code->names = optimised.names;
  code->state = optimised.state;
  const ops::SymbolScope scope(&code->symbols);
  lowering::Tables tables(optimised, *code);
  code->entry = tables.function(optimised.entry);
  for (size_t i = 0; i < tables.functions.size(); ++i) {
    lowering::VirtualCode virtual_code = lowering::build_virtual_code(tables, tables.functions[i]);
    lowering::coalesce(virtual_code, code->calls);
    code->functions.push_back(lowering::assemble(virtual_code, code->calls, kReuseAfter));
  }
  state_guards(*code);
#ifdef EMBERJIT_VERIFY
  verify(*code);
#endif
  return code;
}

}  // namespace ember::bytecode
