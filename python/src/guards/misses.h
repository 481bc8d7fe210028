// Why the entries of a jitted function do not serve a call.
#pragma once

#include "python/src/jit/jit.h"

namespace ember::python {

// A list, the newest first: of some entries, each that has the structure of the arguments (its number, kind, owner,
// key, expected, met, file, line): what the first guard that fails looked at, as Python's guards name it. Kind
// "symbols": `expected` is its text.
Object misses(const PyJit& jit, const Flat& flat);

}  // namespace ember::python
