// What native code of a function assumes beyond its shapes: values of scalar parameters and sides of branches. It is
// read off the profile when the function is compiled; what turned out wrong is never assumed again.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "vm/bind/binding.h"

namespace ember::tiers {

struct AssumedScalar {
  vm::Register reg;
  uint64_t bits;
};

struct Speculation {
  std::vector<AssumedScalar> scalars;
  std::vector<int8_t> branches;  // by number: 1 always true, 0 always false, -1 nothing assumed
  bool forced_exits = false;     // exits can be forced, for tests and shadow mode
};

// Facts of one function that failed before.
struct Refuted {
  bool scalars = false;
  std::set<uint32_t> branches;
};

Speculation speculate(const vm::FunctionBinding& function, const Refuted& refuted);

}  // namespace ember::tiers
