// Division of whole numbers that are not negative, however large.
#pragma once

#include <cstdint>

namespace ember::ops {

constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

}  // namespace ember::ops
