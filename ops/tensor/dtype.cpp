// Half conversion in integers (the same bits as the CPU's own instructions, NaN payloads included) and the promotion
// rules, asked of MindSpore 2.10: bool gives way to anything; an integer gives way to a float; float16 with bfloat16 is
// float32; uint8 with a signed type is the smallest signed type that holds both; the wider unsigned types mix with
// nothing but bool; anything with a complex number is complex, of 128 bits if one of them has float64. A Python number
// keeps the tensor's dtype unless its kind is higher: then Int64 or Float32.
#include "ops/tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>

namespace ember::ops {
namespace {

struct Info {
  size_t itemsize;
  std::string_view name, numpy;
};
constexpr std::array<Info, kDTypes> kInfo{{
#define X(name, type, printed, numpy) {sizeof(type), printed, numpy},
    EMBER_DTYPES(X)
#undef X
}};
const Info& info(DType d) { return kInfo[static_cast<size_t>(d)]; }

uint16_t half_bits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return static_cast<uint16_t>(sign | 0x7E00 | (magnitude >> 13 & 0x3FF));
  if (magnitude >= 0x47800000) return sign | 0x7C00;
  if (magnitude >= 0x38800000) {
    uint32_t rebased = magnitude - 0x38000000;
    return static_cast<uint16_t>(sign | ((rebased + 0xFFF + (rebased >> 13 & 1)) >> 13));
  }
  if (magnitude <= 0x33000000) return sign;
  uint32_t exponent = magnitude >> 23;
  uint32_t mantissa = (magnitude & 0x7FFFFF) | 0x800000;
  uint32_t shift = 126 - exponent;
  uint32_t kept = mantissa >> shift;
  uint32_t rest = mantissa & ((1U << shift) - 1);
  uint32_t middle = 1U << (shift - 1);
  return static_cast<uint16_t>(sign | (kept + (rest > middle || (rest == middle && (kept & 1)))));
}

float half_value(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 31;
  uint32_t mantissa = bits & 0x3FF;
  if (exponent == 31) {
    uint32_t quiet = mantissa ? 0x400000 : 0;
    return std::bit_cast<float>(sign | 0x7F800000 | quiet | mantissa << 13);
  }
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

uint16_t bfloat16_bits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// To a format of 8 bits with a sign, `kMantissa` bits of mantissa and this bias, to nearest even; what is larger than
// the largest number gives `over`.
template <int kMantissa, int kBias>
uint8_t float8_bits(float value, uint8_t largest, uint8_t over, uint8_t nan) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & 0x7FFFFFFF;
  const auto sign = static_cast<uint8_t>(bits >> 24 & 0x80);
  if (magnitude > 0x7F800000) return sign | nan;
  constexpr int kDropped = 23 - kMantissa;
  uint32_t rounded;
  if (magnitude < static_cast<uint32_t>(128 - kBias) << 23) {
    const float step = std::bit_cast<float>(static_cast<uint32_t>(151 - kBias - kMantissa) << 23);
    rounded = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + step) - std::bit_cast<uint32_t>(step);
  } else {
    const uint32_t kept = magnitude + ((1U << (kDropped - 1)) - 1) + (magnitude >> kDropped & 1);
    rounded = (kept >> kDropped) - (static_cast<uint32_t>(127 - kBias) << kMantissa);
  }
  return sign | (rounded > largest ? over : static_cast<uint8_t>(rounded));
}

// Regardless of case and of the underscores that NumPy's and MindSpore's names have: bool_, float8_e5m2.
bool same_name(std::string_view text, std::string_view name) {
  size_t at = 0;
  for (char c : text) {
    if (c == '_') continue;
    if (at == name.size() ||
        std::tolower(static_cast<unsigned char>(c)) != std::tolower(static_cast<unsigned char>(name[at])))
      return false;
    ++at;
  }
  return at == name.size();
}

DType promote_floats(DType a, DType b) {
  bool halves = a <= DType::BFloat16 && b <= DType::BFloat16;
  return halves ? DType::Float32 : a > b ? a : b;
}

[[noreturn]] void no_promotion(DType a, DType b) {
  throw std::invalid_argument("implicit conversion between " + std::string(name(a)) + " and " + std::string(name(b)) +
                              " is not supported; cast one of them");
}

// What holds the numbers of both, if an integer type does.
DType promote_ints(DType a, DType b) {
  if (is_signed_int(a) == is_signed_int(b)) return a > b ? a : b;
  const DType with_sign = is_signed_int(a) ? a : b, without = is_signed_int(a) ? b : a;
  if (itemsize(without) < itemsize(with_sign)) return with_sign;
  if (without == DType::UInt8) return DType::Int16;
  if (without == DType::UInt16) return DType::Int32;
  if (without == DType::UInt32) return DType::Int64;
  no_promotion(a, b);
}

}  // namespace

Half::Half(float value) : bits(half_bits(value)) {}
Half::operator float() const { return half_value(bits); }
BFloat16::BFloat16(float value) : bits(bfloat16_bits(value)) {}

Float8E4M3FN::Float8E4M3FN(float value) : bits(float8_bits<3, 7>(value, 0x7E, 0x7F, 0x7F)) {}
Float8E4M3FN::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x80) << 24, magnitude = bits & 0x7F;
  if (magnitude == 0x7F) return std::bit_cast<float>(sign | 0x7FC00000);
  const float value =
      magnitude < 8 ? static_cast<float>(magnitude) * 0x1p-9F : std::bit_cast<float>((magnitude << 20) + (120U << 23));
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}
Float8E5M2::Float8E5M2(float value) : bits(float8_bits<2, 15>(value, 0x7B, 0x7C, 0x7E)) {}
Float8E5M2::operator float() const { return half_value(static_cast<uint16_t>(bits << 8)); }

size_t itemsize(DType d) { return info(d).itemsize; }
std::string_view name(DType d) { return info(d).name; }
std::string_view numpy_name(DType d) { return info(d).numpy; }

bool parse_dtype(std::string_view text, DType* out) {
  for (size_t i = 0; i < kDTypes; ++i) {
    if (!same_name(text, kInfo[i].name)) continue;
    *out = static_cast<DType>(i);
    return true;
  }
  return false;
}

DType promote(DType a, DType b) {
  if ((is_storage(a) || is_storage(b)) && a != b) no_promotion(a, b);
  if (a == b || b == DType::Bool) return a;
  if (a == DType::Bool) return b;
  if (is_complex(a) || is_complex(b)) return std::max(complex_dtype(a), complex_dtype(b));
  if (is_float(a) && is_float(b)) return promote_floats(a, b);
  if (is_float(a) || is_float(b)) return is_float(a) ? a : b;
  return promote_ints(a, b);
}

DType promote(DType tensor, ScalarKind scalar) {
  if (is_inexact(tensor) || is_storage(tensor) || scalar == ScalarKind::Bool) return tensor;
  if (scalar == ScalarKind::Float) return DType::Float32;
  return tensor == DType::Bool ? DType::Int64 : tensor;
}

DType default_dtype(ScalarKind kind) {
  return kind == ScalarKind::Bool ? DType::Bool : kind == ScalarKind::Int ? DType::Int64 : DType::Float32;
}

}  // namespace ember::ops
