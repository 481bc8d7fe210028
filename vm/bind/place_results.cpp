// What the function returns lies in blocks of its own, one a register, which each call allocates; results that are
// views of one register share its block, and what is (a view of) an argument or a constant stays there.
#include "vm/bind/passes.h"

namespace ember::vm {

BoundFunction place_results(BoundFunction bound) {
  for (Register r : bound.function->results) {
    BoundResult result{r, r};
    if (bound.tensor(r)) {
      result.root = bound.root(r);
      BoundRegister& root = bound.registers[result.root];
      if (root.place == Place::Arena) {
        root.place = Place::Result;
        root.index = static_cast<uint32_t>(bound.result_blocks.size());
        bound.result_blocks.push_back(result.root);
      }
    }
    bound.results.push_back(result);
  }
  return bound;
}

}  // namespace ember::vm
