// Element types. One line of EMBER_DTYPES names everything about one type; the enum, the names that MindSpore prints,
// NumPy's type strings and the C++ types all come from it. float16 and bfloat16 are storage types: arithmetic on them
// is done in float32 and rounded after every op (to nearest, ties to even). A complex number is its real and its
// imaginary part, next to each other in memory.
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace ember::ops {

struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
};

// FP8 formats for deep learning (Micikevicius et al. 2022): E4M3 without infinities, whose largest number is 448 and
// what is larger NaN; and E5M2, the upper half of a float16.
struct Float8E4M3FN {
  uint8_t bits = 0;
  Float8E4M3FN() = default;
  explicit Float8E4M3FN(float value);
  explicit operator float() const;
};

struct Float8E5M2 {
  uint8_t bits = 0;
  Float8E5M2() = default;
  explicit Float8E5M2(float value);
  explicit operator float() const;
};

// From -8 to 7, in a byte; wraps.
struct Int4 {
  int8_t value = 0;
  Int4() = default;
  explicit Int4(int64_t x) : value(static_cast<int8_t>(static_cast<int8_t>(static_cast<uint8_t>(x) << 4) >> 4)) {}
  explicit operator int8_t() const { return value; }
};

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
};

// name, C++ type, printed name, NumPy's type string
#define EMBER_NUMBER_DTYPES(X)                          \
  X(Bool, bool, "Bool", "|b1")                          \
  X(Int8, int8_t, "Int8", "|i1")                        \
  X(Int16, int16_t, "Int16", "<i2")                     \
  X(Int32, int32_t, "Int32", "<i4")                     \
  X(Int64, int64_t, "Int64", "<i8")                     \
  X(UInt8, uint8_t, "UInt8", "|u1")                     \
  X(UInt16, uint16_t, "UInt16", "<u2")                  \
  X(UInt32, uint32_t, "UInt32", "<u4")                  \
  X(UInt64, uint64_t, "UInt64", "<u8")                  \
  X(Float16, Half, "Float16", "<f2")                    \
  X(BFloat16, BFloat16, "BFloat16", "<V2")              \
  X(Float32, float, "Float32", "<f4")                   \
  X(Float64, double, "Float64", "<f8")                  \
  X(Complex64, std::complex<float>, "Complex64", "<c8") \
  X(Complex128, std::complex<double>, "Complex128", "<c16")

// What is only stored, moved and converted.
#define EMBER_STORAGE_DTYPES(X)                        \
  X(Float8E4M3FN, Float8E4M3FN, "Float8E4M3FN", "<V1") \
  X(Float8E5M2, Float8E5M2, "Float8E5M2", "<f1")       \
  X(Int4, Int4, "Int4", "<i1")

#define EMBER_DTYPES(X)  \
  EMBER_NUMBER_DTYPES(X) \
  EMBER_STORAGE_DTYPES(X)

enum class DType : uint8_t {
#define X(name, ...) name,
  EMBER_DTYPES(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kDTypes = 0 EMBER_DTYPES(X);
#undef X

template <DType D>
struct CppOf;
template <class T>
struct DTypeOf;
#define X(name, type, ...)                      \
  template <>                                   \
  struct CppOf<DType::name> {                   \
    using Type = type;                          \
  };                                            \
  template <>                                   \
  struct DTypeOf<type> {                        \
    static constexpr DType value = DType::name; \
  };
EMBER_DTYPES(X)
#undef X
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

inline constexpr size_t kLargestItem = sizeof(std::complex<double>);  // bytes of an element of the widest dtype
size_t itemsize(DType dtype);
std::string_view name(DType dtype);        // "Float32"
std::string_view numpy_name(DType dtype);  // "<f4"
bool parse_dtype(std::string_view name, DType* out);

constexpr bool is_float(DType d) { return d >= DType::Float16 && d <= DType::Float64; }
constexpr bool is_complex(DType d) { return d == DType::Complex64 || d == DType::Complex128; }
constexpr bool is_inexact(DType d) { return is_float(d) || is_complex(d); }
constexpr bool is_signed_int(DType d) { return d >= DType::Int8 && d <= DType::Int64; }
constexpr bool is_unsigned_int(DType d) { return d >= DType::UInt8 && d <= DType::UInt64; }
constexpr bool is_storage(DType d) { return d >= DType::Float8E4M3FN; }
constexpr bool is_half_dtype(DType d) { return d == DType::Float16 || d == DType::BFloat16; }
constexpr bool is_int(DType d) { return d >= DType::Int8 && d <= DType::UInt64; }

// The type in which arithmetic on `dtype` is done: float32 for the half types, itself for the rest; and from and to
// which a dtype of storage is converted.
constexpr DType compute_dtype(DType d) {
  if (d == DType::Int4) return DType::Int8;
  return is_half_dtype(d) || is_storage(d) ? DType::Float32 : d;
}

// The dtype of a complex number's parts; itself for what is not complex.
constexpr DType part_dtype(DType d) {
  return d == DType::Complex64 ? DType::Float32 : d == DType::Complex128 ? DType::Float64 : d;
}
// The complex dtype in which `dtype` is computed with complex numbers.
constexpr DType complex_dtype(DType d) {
  return d == DType::Float64 || d == DType::Complex128 ? DType::Complex128 : DType::Complex64;
}

// The kind of a Python scalar operand, which promotes more weakly than a tensor.
enum class ScalarKind : uint8_t { Bool, Int, Float };

// MindSpore's implicit promotion of two tensors, and of a tensor and a Python scalar.
DType promote(DType a, DType b);
DType promote(DType tensor, ScalarKind scalar);
DType default_dtype(ScalarKind kind);  // Bool, Int64, Float32

// Calls f.template operator()<T>() with the C++ type of dtype, which may be one of storage.
template <class F>
decltype(auto) dispatch_any(DType dtype, F&& f) {
  switch (dtype) {
#define X(name, type, ...) \
  case DType::name:        \
    return f.template operator()<type>();
    EMBER_DTYPES(X)
#undef X
  }
  __builtin_unreachable();
}

// The same for dtypes of numbers that are computed with.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
#define X(name, type, ...) \
  case DType::name:        \
    return f.template operator()<type>();
    EMBER_NUMBER_DTYPES(X)
#undef X
    default:
      throw std::invalid_argument("a dtype of storage is not computed with");
  }
}

// The same for numbers that have an order, which leaves out the complex ones.
template <class F>
decltype(auto) dispatch_ordered(DType dtype, F&& f) {
  switch (dtype) {
#define X(name, type, ...)                    \
  case DType::name:                           \
    if constexpr (!is_complex(DType::name)) { \
      return f.template operator()<type>();   \
    } else {                                  \
      break;                                  \
    }
    EMBER_NUMBER_DTYPES(X)
#undef X
    default:
      break;
  }
  throw std::invalid_argument("complex numbers have no order");
}

}  // namespace ember::ops
