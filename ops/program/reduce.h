// Reductions over any layout, and of elements fed strip by strip, in the order of simd/reduction.h.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "ops/simd/reduction.h"
#include "ops/table/axes.h"
#include "ops/tensor/type.h"
#include "ops/tensor/view.h"

namespace ember::ops {

struct Op;

// What a reduction op does to an operand: ops whose elements may be fed strip by strip. None of others.
struct Reduction {
  ReduceKind kind;
  DType from;     // of the operand's elements
  DType compute;  // of the elements as they combine
  Axes axes;
};
std::optional<Reduction> reduction(const Op& op, const Type& operand, const Attrs& attrs);
DType reduce_dtype(ReduceKind kind, DType from);

// Of rows of n elements of `size` bytes: the 16 lanes of n results, and `count` chunks of them, into the first row.
void fold_lanes(const ReduceKernels& kernels, void* lanes, int64_t n, size_t size);
void fold_chunks(const ReduceKernels& kernels, void* chunks, int64_t count, int64_t n, size_t size);

// One result, its elements fed in order in strips of 1,024 of the compute dtype; only the last may be shorter.
class Reducer {
 public:
  Reducer(ReduceKind kind, DType compute);
  void feed(const void* strip, int64_t count);
  void finish(void* out);  // one element of the compute dtype; the identity if nothing was fed

 private:
  using Slot = std::array<std::byte, kLargestItem>;
  const ReduceKernels& kernels_;
  uint64_t chunks_ = 0;
  std::array<Slot, 64> stack_;
  size_t depth_ = 0;
};

// Reduces `in` over `axes` into out, contiguous over the axes that are kept, of dtype `result`.
void reduce(ReduceKind kind, const View& in, const Axes& axes, DType result, void* out);

}  // namespace ember::ops
