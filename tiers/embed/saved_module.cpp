#include "tiers/embed/saved_module.h"

#include <algorithm>

#include "bytecode/code/module_file.h"
#include "ops/base/whole_file.h"
#include "ops/foreign/foreign.h"
#include "ops/text/safetensors.h"

namespace ember::tiers {
namespace {

void refuse_foreign(const bytecode::Code& code) {
  for (const bytecode::CallSite& call : code.calls)
    if (call.op->name == ops::kForeignCall)
      throw ForeignCode("the module calls '" + call.attrs.text(2) + "' of the library '" + call.attrs.text(1) + "'");
}

bool fits(const ops::Type& type, const ops::Tensor& tensor) {
  if (tensor.dtype() != type.dtype || tensor.rank() != type.dims.size()) return false;
  for (size_t axis = 0; axis < tensor.rank(); ++axis)
    if (!type.dims[axis].symbolic() && type.dims[axis].hint() != tensor.shape()[axis]) return false;
  return true;
}

}  // namespace

SavedModule::SavedModule(const std::string& path, bool allow_foreign)
    : function_(gc::make<vm::Function>(bytecode::load(path))) {
  const bytecode::Code& code = function_->code();
  if (!allow_foreign) refuse_foreign(code);
  for (size_t i = 0; i < entry().params.size(); ++i) {
    const ops::ExprId id = type(i).expr;
    const bool computed = id != 0 && code.symbols.exprs()[id].op != ops::SymbolOp::Symbol;
    const bool held = std::ranges::any_of(code.state, [&](const auto& one) { return one.first == i; });
    if (!computed && !held) inputs_.push_back(i);
  }
}

std::vector<vm::Argument> SavedModule::arguments() const {
  std::vector<vm::Argument> arguments(entry().params.size());
  for (const auto& [param, tensor] : state()) arguments[param].tensor = &tensor;
  return arguments;
}

std::string SavedModule::refusal(const std::vector<vm::Argument>& arguments) const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const ops::Tensor* tensor = arguments[inputs_[i]].tensor;
    const ops::Type& wanted = type(inputs_[i]);
    if (tensor && !fits(wanted, *tensor))
      return "input " + std::to_string(i) + " (" + name(inputs_[i]) + ") is " +
             to_string(ops::Type::tensor(tensor->dtype(), ops::dims(tensor->shape()))) + " where " + text(wanted) +
             " is needed";
  }
  const vm::Prologue::Refusal refusal = function_->refusal(arguments);
  return "the module's guards do not admit these inputs: it needs " + refusal.expected + ", and got " + refusal.met;
}

void SavedModule::save(const std::string& path) const { bytecode::save(function_->code(), path); }

void SavedModule::save_state(const std::string& path) const {
  std::vector<ops::StoredTensor> entries;
  std::vector<std::span<const std::byte>> parts(1);
  for (const auto& [param, tensor] : state()) {
    entries.push_back({name(param), tensor.dtype(), tensor.shape()});
    parts.emplace_back(static_cast<const std::byte*>(tensor.data()), tensor.layout().bytes());
  }
  const std::string head = ops::safetensors_head(entries);
  parts[0] = std::as_bytes(std::span(head));
  ops::write_whole(path, parts);
}

}  // namespace ember::tiers
