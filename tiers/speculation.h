// What native code of a function assumes beyond its shapes: sides of branches. It is read off the profile when the
// function is compiled; what turned out wrong is never assumed again.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "vm/bind/binding.h"

namespace ember::tiers {

struct Speculation {
  std::vector<int8_t> branches;  // by number: 1 always true, 0 always false, -1 nothing assumed
  bool forced_exits = false;     // exits can be forced, for tests and shadow mode
};

// Of branches that are not among the `refuted`.
Speculation speculate(const vm::FunctionBinding& function, const std::set<uint32_t>& refuted);

}  // namespace ember::tiers
