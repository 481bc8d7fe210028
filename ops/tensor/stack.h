// The run-time value of kind Stack: an immutable list of entries, newest first. Pushing makes a new list that shares
// the rest, so a stack can be kept, passed and popped twice like a number. Each entry holds the values of one Push. A
// null reference is the empty stack; to a Pop it is an endless supply of zeros, which makes it also the zero among the
// cotangents of stacks. Tensors in it own their storage: nobody writes it while the stack lives.
#pragma once

#include <variant>
#include <vector>

#include "ops/tensor/tensor.h"

namespace ember::ops {

class StackEntry;
using Stack = gc::Ref<const StackEntry>;
using StackItem = std::variant<Tensor, bool, int64_t, double, Stack>;

class StackEntry final : public gc::Counted {
 public:
  StackEntry(Stack below, std::vector<StackItem> items) : below_(std::move(below)), items_(std::move(items)) {}
  const Stack& below() const { return below_; }
  const std::vector<StackItem>& items() const { return items_; }

 private:
  ~StackEntry() override = default;
  void destroy() const noexcept override;  // in a loop, since stacks are long

  mutable Stack below_;
  std::vector<StackItem> items_;
};

inline Stack push(Stack below, std::vector<StackItem> items) {
  return gc::make<const StackEntry>(std::move(below), std::move(items));
}

}  // namespace ember::ops
