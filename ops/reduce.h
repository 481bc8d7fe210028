// Reductions: the order in which elements combine, and the machinery that every tier shares.
//
// Elements are taken in logical order (row-major over the reduced axes) in chunks of 1,024. Within a chunk, lane j of
// 16 starts at the kind's identity and takes elements j, j + 16, ...; lanes fold by halves (8, 4, 2, 1: lane i takes
// lane i + half), and chunk results fold as a binary tree by index. Identities: sum +0, product 1, maximum -inf or the
// least integer, minimum +inf or the greatest, all 1, any 0. The identity of a lane without elements changes nothing,
// so a short chunk may be padded with it. The operand that comes first is the earlier one.
//
// A chunk is combined in the reduction's compute dtype (float32 for the half types, Bool for all and any); the result
// is converted once at the end. Of bools, sum and maximum are any, product and minimum are all.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "ops/op.h"

namespace ember::ops {

enum class ReduceKind : uint8_t { Sum, Prod, Max, Min, All, Any };
inline constexpr size_t kReduceKinds = 6;

inline constexpr int64_t kReduceChunk = 1024;
inline constexpr int64_t kReduceLanes = 16;

using Axes = InlineVector<size_t, kMaxRank>;

// What a reduction op does to an operand: ops whose elements may be fed strip by strip. Others answer nothing.
struct Reduction {
  ReduceKind kind;
  DType from;     // of the operand's elements
  DType compute;  // of the elements as they combine
  Axes axes;
};
std::optional<Reduction> reduction(const Op& op, const Type& operand, const Attrs& attrs);
DType reduce_dtype(ReduceKind kind, DType from);

// Kernels over contiguous elements of the compute dtype, for the current instruction set.
struct ReduceKernels {
  // out[i] = the result of chunks[i], each of n <= 1,024 elements. Several are in flight.
  void (*chunks)(const void* const* chunks, int64_t count, int64_t n, void* out);
  // into[i] = into[i] op from[i]
  void (*merge)(void* into, const void* from, int64_t count);
  // into[i] = (((into[i] op rows[0][i]) op rows[1][i]) op rows[2][i]) op rows[3][i]
  void (*merge_four)(void* into, const void* const* rows, int64_t count);
  void (*identity)(void* out, int64_t count);
};
const ReduceKernels& reduce_kernels(ReduceKind kind, DType compute);

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
  using Slot = std::array<std::byte, 8>;
  const ReduceKernels& kernels_;
  uint64_t chunks_ = 0;
  std::array<Slot, 64> stack_;
  size_t depth_ = 0;
};

// Reduces `in` over `axes` into out, contiguous over the axes that are kept, of dtype `result`.
void reduce(ReduceKind kind, const View& in, const Axes& axes, DType result, void* out);

// The axes that an `ints?` attribute names: none or no entries means all. A 0-d operand takes 0 and -1.
Axes reduced_axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name);
Dims reduced_dims(const Dims& dims, const Axes& axes, bool keepdims);
Dim reduced_count(const Dims& dims, const Axes& axes);

}  // namespace ember::ops
