// The tasks of a product: rectangles of panels of C, of about as many rows as L2 holds of A, as wide as leaves each
// thread a few, and equally many for each thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "ops/base/division.h"
#include "ops/base/parallel.h"

namespace ember::ops {

class Rectangles {
 public:
  struct Range {
    int64_t begin, end;
  };
  // `tall`: rows, or up to an eighth more.
  Rectangles(int64_t rows, int64_t columns, int64_t tall)
      : down_{rows, ceil_div(rows, tall + tall / 8)}, across_{columns, std::min(columns, wanted(down_.count))} {}

  int64_t count() const { return down_.count * across_.count; }
  int64_t largest() const { return down_.largest() * across_.largest(); }
  Range rows(int64_t task) const { return range(down_, task / across_.count); }
  Range columns(int64_t task) const { return range(across_, task % across_.count); }

 private:
  static int64_t wanted(int64_t down) {
    const int64_t even = threads() / std::gcd(threads(), down);
    return ceil_div(4 * threads(), down * even) * even;
  }
  static Range range(const EvenParts& parts, int64_t part) { return {parts.begin(part), parts.end(part)}; }

  EvenParts down_, across_;
};

}  // namespace ember::ops
