// Conversion of one element, the meaning of the Convert verb: integers wrap; floats truncate, and out of range give
// what NumPy gives on x86 (the lowest value of int32 or int64; narrower integers are the low bits of the int32);
// anything to bool asks whether it is not zero; of a complex number that becomes a real one the real part is taken;
// what becomes a half type is rounded once, to nearest even, though it goes through float32: what float32 can not hold
// is there rounded to odd, which a second rounding can not tell from the number.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/tensor/dtype.h"

namespace ember::ops {

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<std::complex<T>> = true;
template <class T>
inline constexpr bool is_float8 = std::is_same_v<T, Float8E4M3FN> || std::is_same_v<T, Float8E5M2>;
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

// A double next to x if x has more than 53 bits: the odd one, in more bits than a half type has.
template <class Int>
double to_odd_double(Int x) {
  constexpr Int kExact = Int{1} << 53, kLow = 0x7FF;
  const bool exact = x <= kExact && (std::is_unsigned_v<Int> || x >= -kExact);
  return static_cast<double>(exact || (x & kLow) == 0 ? x : (x & ~kLow) | (kLow + 1));
}

// x, or of the floats around it the odd one.
template <class From>
float to_odd_float(From x) {
  if constexpr (std::is_integral_v<From> && sizeof(From) == 8) {
    return to_odd_float(to_odd_double(x));
  } else {
    const double exact = static_cast<double>(x);
    const float nearest = static_cast<float>(exact);
    const double back = static_cast<double>(nearest);
    if (back == exact || exact != exact) return nearest;
    return std::bit_cast<float>((std::bit_cast<uint32_t>(nearest) - (std::fabs(back) > std::fabs(exact))) | 1);
  }
}

template <class To, class From>
To convert_value(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (is_complex_type<From> && is_complex_type<To>) {
    return static_cast<To>(x);
  } else if constexpr (is_complex_type<From> && std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (is_complex_type<From>) {
    return convert_value<To>(x.real());
  } else if constexpr (is_complex_type<To>) {
    return To(convert_value<typename To::value_type>(x));
  } else if constexpr (is_half<From> || is_float8<From>) {
    return convert_value<To>(static_cast<float>(x));
  } else if constexpr (std::is_same_v<From, Int4>) {
    return convert_value<To>(static_cast<int8_t>(x));
  } else if constexpr (is_half<To> || is_float8<To>) {
    return To(to_odd_float(x));
  } else if constexpr (std::is_same_v<To, Int4>) {
    return Int4(convert_value<int64_t>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return float_to_int<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

}  // namespace ember::ops
