// One call of an Entry.
#pragma once

#include "python/src/guards/entry.h"

namespace ember::python {

// Runs an entry; null if its shapes do not admit the arguments, if it would not write alone, or if only a run
// `op_by_op`, op by op, has the gradients that open tapes may ask for, or the bits that an integer takes.
Object run(const std::shared_ptr<Entry>& entry, const Flat& flat, bool* op_by_op);

}  // namespace ember::python
