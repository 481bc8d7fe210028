#include "vm/bind/passes.h"

namespace ember::vm {

BoundFunction bind(Binding& binding, uint32_t number, std::span<const ops::LayoutRef> params) {
  constexpr BoundFunction (*kPasses[])(BoundFunction) = {place_registers, choose_layouts,   update_in_place,
                                                         place_results,   attach_epilogues, plan_memory};
  BoundFunction bound(binding, number, params);
  for (const auto pass : kPasses) {
    bound = pass(std::move(bound));
#ifdef EMBERJIT_VERIFY
    verify(bound);
#endif
  }
  return bound;
}

}  // namespace ember::vm
