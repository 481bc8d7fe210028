// Conversion of one element, the meaning of the Convert verb: integers wrap; floats truncate, and out of range give
// what NumPy gives on x86 (the lowest value of int32 or int64; narrower integers are the low bits of the int32);
// anything to bool asks whether it is not zero; the half types come and go through float32, rounded to nearest even.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/dtype.h"

namespace ember::ops {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

template <class Int, class Float>
Int truncate_to(Float x) {
  constexpr Float limit = static_cast<Float>(uint64_t{1} << (sizeof(Int) * 8 - 1));
  return x >= -limit && x < limit ? static_cast<Int>(x) : std::numeric_limits<Int>::min();
}

template <class To, class Float>
To float_to_int(Float x) {
  if constexpr (sizeof(To) < 4 || std::is_same_v<To, int32_t>) {
    return static_cast<To>(truncate_to<int32_t>(static_cast<double>(x)));
  } else if constexpr (!std::is_same_v<To, uint64_t>) {
    return static_cast<To>(truncate_to<int64_t>(x));
  } else {
    constexpr Float top = static_cast<Float>(uint64_t{1} << 63);
    if (!(x >= top)) return static_cast<uint64_t>(truncate_to<int64_t>(x));
    return static_cast<uint64_t>(truncate_to<int64_t>(x - top)) ^ (uint64_t{1} << 63);
  }
}

template <class To, class From>
To convert_value(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_half<From>) {
    return convert_value<To>(static_cast<float>(x));
  } else if constexpr (is_half<To>) {
    return To(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return float_to_int<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace ember::ops
