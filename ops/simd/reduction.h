// Reductions: the order in which elements combine, and the kernels that every tier shares.
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

#include <cstddef>
#include <cstdint>

#include "ops/expr/reduce_kind.h"
#include "ops/tensor/dtype.h"

namespace ember::ops {

inline constexpr int64_t kReduceChunk = 1024;
inline constexpr int64_t kReduceLanes = 16;

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

}  // namespace ember::ops
