// A function that can be called: code plus its specialisations. Each specialisation is the code bound to one tuple of
// argument layouts, and to whether what it writes shares memory; finding it compares that many numbers, of those used
// lately first. Beyond a cap the last one goes, which has been used long ago; evictions() counts them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vm/bind/binding.h"

namespace ember::vm {

struct Argument {
  const ops::Tensor* tensor = nullptr;  // of Tensor and Ref parameters
  uint64_t bits = 0;                    // of scalars and stacks, as in a slot
};

struct Result {
  ops::Kind kind = ops::Kind::Tensor;
  ops::Tensor tensor;
  uint64_t bits = 0;
  ops::Stack stack;
};

class Specialisation;

struct Memory {
  const std::byte *begin, *end;
};

// A specialisation that stays alive while it is inspected.
struct PinnedSpecialisation {
  gc::Ref<Binding> binding;
  const FunctionBinding* function = nullptr;
};

class Function final : public gc::Counted {
 public:
  // A result that overwrites an argument may lie there already after a call, if that shares no memory with another.
  explicit Function(bytecode::CodeRef code, std::vector<Overwrite> overwrites = {});
  ~Function() override;

  // False, and nothing done, if the code's types or guards do not admit the arguments. Raises what kernels raise, with
  // the user's file and line; ops::Interrupted if the embedding asks. Python's lock, which the caller may hold, is
  // let go but for calls that run under it (FunctionBinding::runs_under_gil).
  bool call(std::span<const Argument> arguments, std::vector<Result>* results);

  // The specialisation for these arguments; null if the code does not admit them. It lives until it is evicted; a call
  // keeps its own.
  FunctionBinding* bind(std::span<const Argument> arguments);
  std::vector<PinnedSpecialisation> specialisations() const;

  const bytecode::Code& code() const { return *code_; }
  const bytecode::CodeFunction& entry() const { return code_->functions[code_->entry]; }
  size_t evictions() const;

 private:
  Specialisation* find(std::span<const Argument> arguments, std::unique_ptr<Specialisation>* evicted);
  Specialisation* add(std::span<const Argument> arguments, bool written_unaliased,
                      std::unique_ptr<Specialisation>* evicted);
  bool written_unaliased(std::span<const Argument> arguments) const;
  void count_shape_change();

  bytecode::CodeRef code_;
  std::vector<Overwrite> overwrites_;
  std::vector<size_t> written_;    // positions of parameters that may be written
  std::vector<Memory> constants_;  // then what the code's constants cover: sorted, without overlaps
  std::vector<std::unique_ptr<Specialisation>> specialisations_;  // most recently used first, roughly
  size_t evictions_ = 0;
};

}  // namespace ember::vm
