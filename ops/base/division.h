// Division of whole numbers that are not negative, however large.
#pragma once

#include <cstdint>

namespace ember::ops {

constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

// Parts of consecutive numbers from 0 on, whose sizes differ by one at most.
struct EvenParts {
  int64_t numbers, count;
  constexpr int64_t begin(int64_t part) const { return numbers * part / count; }
  constexpr int64_t end(int64_t part) const { return begin(part + 1); }
  constexpr int64_t largest() const { return ceil_div(numbers, count); }
};

}  // namespace ember::ops
