// A module file, ready to be called: what is given for its parameters, what it keeps from call to call, and why it does
// not take what it is given. What vmtool and emberjit.h share.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "vm/exec/function.h"

namespace ember::tiers {

// A module may name any library of the machine, whose code runs as soon as it is loaded.
struct ForeignCode : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SavedModule {
 public:
  // Throws FileError and VerifyError, and ForeignCode unless that is allowed.
  SavedModule(const std::string& path, bool allow_foreign);

  vm::Function& function() const { return *function_; }
  const bytecode::CodeFunction& entry() const { return function_->entry(); }
  const bytecode::State& state() const { return function_->code().state; }

  // The parameters that a caller gives: neither state, nor expressions of others.
  const std::vector<size_t>& inputs() const { return inputs_; }
  const std::string& name(size_t param) const { return entry().param_names[param]; }
  const ops::Type& type(size_t param) const { return entry().registers[entry().params[param]]; }
  std::string text(const ops::Type& type) const { return to_string(type, function_->code().symbols); }

  // Those of a call, where inputs are yet to be filled in.
  std::vector<vm::Argument> arguments() const;
  std::string refusal(const std::vector<vm::Argument>& arguments) const;

  void save(const std::string& path) const;        // with its state as it is now
  void save_state(const std::string& path) const;  // alone, in the safetensors format

 private:
  gc::Ref<vm::Function> function_;
  std::vector<size_t> inputs_;
};

}  // namespace ember::tiers
