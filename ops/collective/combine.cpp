#include "ops/collective/combine.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <string>

#include "ops/base/error.h"
#include "ops/base/scratch.h"
#include "ops/simd/reduction.h"
#include "ops/table/movement.h"
#include "ops/tensor/convert.h"

namespace ember::ops {
namespace {

constexpr int64_t kBlock = 4096;  // elements that are combined at once, which lie in a core's cache

ReduceKind kind_of(std::string_view reduction) {
  return reduction == "prod"  ? ReduceKind::Prod
         : reduction == "max" ? ReduceKind::Max
         : reduction == "min" ? ReduceKind::Min
                              : ReduceKind::Sum;
}

// Blocks of elements at one position of all parts.
class Block {
 public:
  Block(ReduceKind kind, DType dtype, std::span<const void* const> parts, int64_t first, int64_t count, std::byte* room)
      : dtype_(dtype),
        compute_(compute_dtype(dtype)),
        kernels_(reduce_kernels(kind, compute_)),
        parts_(parts),
        first_(first),
        count_(count),
        room_(room) {}

  // The reduction of parts begin to end, in the room of a level; of the left half in the same, of the right one above.
  std::byte* fold(size_t begin, size_t end, size_t level) const {
    std::byte* into = room_ + level * static_cast<size_t>(kBlock) * itemsize(compute_);
    if (end - begin == 1) {
      load(parts_[begin], into);
      return into;
    }
    const size_t left = std::bit_floor(end - begin - 1);
    fold(begin, begin + left, level);
    kernels_.merge(into, fold(begin + left, end, level + 1), count_);
    return into;
  }

  void divide(std::byte* values) const {
    dispatch(compute_, [&]<class T>() {
      if constexpr (is_inexact(dtype_of<T>) && !is_half_dtype(dtype_of<T>)) {
        T* x = reinterpret_cast<T*>(values);
        const T number(static_cast<decltype(std::real(T{}))>(parts_.size()));
        for (int64_t i = 0; i < count_; ++i) x[i] = x[i] / number;
      }
    });
  }

  void store(const std::byte* values, void* out) const {
    if (dtype_ == compute_) {
      std::memcpy(at(out), values, static_cast<size_t>(count_) * itemsize(dtype_));
      return;
    }
    dispatch(dtype_, [&]<class T>() {
      if constexpr (is_half_dtype(dtype_of<T>)) {
        const auto* from = reinterpret_cast<const float*>(values);
        std::transform(from, from + count_, reinterpret_cast<T*>(at(out)), [](float x) { return T(x); });
      }
    });
  }

 private:
  template <class Pointer>
  Pointer* shifted(Pointer* data) const {
    return data + static_cast<size_t>(first_) * itemsize(dtype_);
  }
  std::byte* at(void* data) const { return shifted(static_cast<std::byte*>(data)); }
  const std::byte* at(const void* data) const { return shifted(static_cast<const std::byte*>(data)); }

  void load(const void* part, std::byte* into) const {
    if (dtype_ == compute_) {
      std::memcpy(into, at(part), static_cast<size_t>(count_) * itemsize(dtype_));
      return;
    }
    dispatch(dtype_, [&]<class T>() {
      if constexpr (is_half_dtype(dtype_of<T>)) {
        const auto* from = reinterpret_cast<const T*>(at(part));
        std::transform(from, from + count_, reinterpret_cast<float*>(into), [](T x) { return static_cast<float>(x); });
      }
    });
  }

  const DType dtype_, compute_;
  const ReduceKernels& kernels_;
  const std::span<const void* const> parts_;
  const int64_t first_, count_;
  std::byte* const room_;
};

}  // namespace

void combine(std::string_view reduction, DType dtype, std::span<const void* const> parts, int64_t count, void* out) {
  const size_t levels = static_cast<size_t>(std::bit_width(parts.size()));
  const Scratch<std::byte> room(static_cast<int64_t>(levels * kBlock * itemsize(compute_dtype(dtype))));
  for (int64_t first = 0; first < count; first += kBlock) {
    const Block block(kind_of(reduction), dtype, parts, first, std::min(kBlock, count - first), room);
    std::byte* values = block.fold(0, parts.size(), 0);
    if (reduction == "avg") block.divide(values);
    block.store(values, out);
  }
}

void check_reduction(std::string_view op, std::string_view reduction, DType dtype) {
  if (!std::ranges::count(kReductions, reduction)) {
    value_error(about(op) + "'op' must be one of sum, prod, max, min and avg, but got '" + std::string(reduction) +
                "'.");
  }
  const bool ordered = reduction == "max" || reduction == "min";
  if (is_storage(dtype) || (ordered && is_complex(dtype)) || (reduction == "avg" && !is_inexact(dtype))) {
    type_error(about(op) + "'" + std::string(reduction) + "' of dtype " + std::string(name(dtype)) +
               " is not defined.");
  }
}

}  // namespace ember::ops
