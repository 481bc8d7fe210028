// A function that can be called: code plus its specialisations. Each specialisation is the code bound to one key: the
// layouts of the arguments, whether what it writes shares memory, and the numbers that decide sizes. The one used last
// is compared first, others are found by hash. Beyond a cap the one goes that has not been used for longest;
// evictions() counts them. Idle memory is kept by the one used last alone; that of the others goes back to the pool.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "vm/bind/binding.h"
#include "vm/exec/prologue.h"

namespace ember::vm {

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
  // the user's file and line; ops::Interrupted if the embedding asks. Parameters that are expressions have
  // their values, whatever the arguments say.
  // Python's lock, which the caller may hold, is let go but for calls that run under it
  // (FunctionBinding::runs_under_gil).
  bool call(std::span<const Argument> arguments, std::vector<Result>* results);

  // The specialisation for these arguments; null if the code does not admit them. It lives until it is evicted; a call
  // keeps its own.
  FunctionBinding* bind(std::span<const Argument> arguments);
  std::vector<PinnedSpecialisation> specialisations() const;

  const bytecode::Code& code() const { return *code_; }
  const bytecode::CodeFunction& entry() const { return code_->functions[code_->entry]; }
  size_t evictions() const;
  bool complete(std::span<Argument> arguments);  // gives parameters that are expressions their values; false as call()
  Prologue::Refusal refusal(std::span<const Argument> arguments) const;  // of what call() does not admit

 private:
  using Key = std::vector<uint64_t>;
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  template <class T>
  using ByKey = std::unordered_map<Key, T, KeyHash>;

  // By expression what the arguments decide, and its part of the key; false if they are not admitted.
  bool decide(Key* key, std::span<const Argument> arguments, std::vector<int64_t>* values);
  std::vector<int64_t> early(const Key& key, std::span<const Argument> arguments);
  struct Unused {  // what is destroyed without the lock
    std::unique_ptr<Specialisation> evicted;
    std::vector<gc::Ref<gc::Storage>> arenas;
  };
  Specialisation* find(Key key, std::span<const Argument> arguments, const std::vector<int64_t>& values,
                       Unused* unused);
  Specialisation* add(Key key, std::span<const Argument> arguments, std::vector<int64_t> values, Unused* unused);
  Key key_of(std::span<const Argument> arguments) const;
  std::unique_ptr<Specialisation> evict();
  bool written_unaliased(std::span<const Argument> arguments) const;
  void count_shape_change();

  bytecode::CodeRef code_;
  gc::Ref<DecodedCode> decoded_;  // from the first binding on
  const Prologue prologue_;
  std::vector<Overwrite> overwrites_;
  std::vector<size_t> written_;    // positions of parameters that may be written
  std::vector<Memory> constants_;  // then what the code's constants cover: sorted, without overlaps
  using ByUse = std::list<std::unique_ptr<Specialisation>>;
  ByUse by_use_;  // the one used last first
  ByKey<ByUse::iterator> by_key_;
  ByKey<std::vector<int64_t>> early_;  // by layouts alone, of code that numbers among the arguments decide
  size_t evictions_ = 0;
};

}  // namespace ember::vm
