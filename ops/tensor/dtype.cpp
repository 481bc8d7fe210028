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

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i]))) return false;
  }
  return true;
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

size_t itemsize(DType d) { return info(d).itemsize; }
std::string_view name(DType d) { return info(d).name; }
std::string_view numpy_name(DType d) { return info(d).numpy; }

bool parse_dtype(std::string_view text, DType* out) {
  if (text == "bool_") text = "Bool";
  for (size_t i = 0; i < kDTypes; ++i) {
    if (!equal_ignoring_case(text, kInfo[i].name)) continue;
    *out = static_cast<DType>(i);
    return true;
  }
  return false;
}

DType promote(DType a, DType b) {
  if (a == b || b == DType::Bool) return a;
  if (a == DType::Bool) return b;
  if (is_complex(a) || is_complex(b)) return std::max(complex_dtype(a), complex_dtype(b));
  if (is_float(a) && is_float(b)) return promote_floats(a, b);
  if (is_float(a) || is_float(b)) return is_float(a) ? a : b;
  return promote_ints(a, b);
}

DType promote(DType tensor, ScalarKind scalar) {
  if (is_inexact(tensor) || scalar == ScalarKind::Bool) return tensor;
  if (scalar == ScalarKind::Float) return DType::Float32;
  return tensor == DType::Bool ? DType::Int64 : tensor;
}

DType default_dtype(ScalarKind kind) {
  return kind == ScalarKind::Bool ? DType::Bool : kind == ScalarKind::Int ? DType::Int64 : DType::Float32;
}

}  // namespace ember::ops
