// Releasing a stack entry by entry, so that a long one does not recurse.
#include "ops/tensor/stack.h"

namespace ember::ops {

void StackEntry::destroy() const noexcept {
  Stack rest = std::move(below_);
  delete this;
  while (rest && rest->count() == 1) {
    Stack next = std::move(rest->below_);
    rest = std::move(next);
  }
}

}  // namespace ember::ops
