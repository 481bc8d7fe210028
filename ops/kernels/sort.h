// The order of the elements of lines. It is total: numbers ascend, -0 equals 0, NaN is above all and equals itself; of
// equals the lower index comes first, also where the order descends. So no algorithm, and no number of threads, changes
// a result. Elements become unsigned integers that order as they do ("keys"), which are sorted together with their
// indices: [2 nan -1] ascending has the keys [c0000000 ffffffff 407fffff] and the order 2 0 1.
#pragma once

#include "ops/tensor/view.h"

namespace ember::ops {

struct SortCall {
  const View& input;
  size_t axis;
  bool descending;
  int64_t count;                   // of the order's elements that are wanted, from its first
  const View* position = nullptr;  // or of each line the one place of the order (int64, below the axis's size)
};

// Writes the wanted elements of each line along the axis, and their indices (int64).
void sort_lines(const SortCall& call, const View& values, const View& indices);

}  // namespace ember::ops
