// The passes of binding, in their order. Each is a file of its name, changes what its first lines say, and leaves a
// function that verify() of bound.h accepts.
#pragma once

#include "vm/bind/bound.h"

namespace ember::vm {

BoundFunction place_registers(BoundFunction bound);
BoundFunction choose_layouts(BoundFunction bound);
BoundFunction update_in_place(BoundFunction bound);
BoundFunction place_results(BoundFunction bound);
BoundFunction attach_epilogues(BoundFunction bound);
BoundFunction plan_memory(BoundFunction bound);

// All of them, verified one by one in builds with EMBERJIT_VERIFY.
BoundFunction bind(Binding& binding, uint32_t number, std::span<const ops::LayoutRef> params);

}  // namespace ember::vm
