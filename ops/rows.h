// Kernels that take one row at a time: the reductions and the passes between them, and a walk over all rows.
#pragma once

#include <memory>

#include "ops/kernels.h"
#include "ops/parallel.h"
#include "ops/walk.h"

namespace ember::ops {

template <class T>
const RowKernels<T>& row_kernels() {
  if constexpr (std::is_same_v<T, float>) {
    return EMBER_KERNEL(row_kernels_float);
  } else {
    return EMBER_KERNEL(row_kernels_double);
  }
}

template <class T>
T reduce_row(const ReduceKernels& kernels, ReduceKind kind, const T* x, int64_t n) {
  if (n <= kReduceChunk) {
    T out;
    const void* chunk = x;
    kernels.chunks(&chunk, 1, n, &out);
    return out;
  }
  Reducer reducer(kind, dtype_of<T>);
  for (int64_t i = 0; i < n; i += kReduceChunk) reducer.feed(x + i, std::min(kReduceChunk, n - i));
  T out;
  reducer.finish(&out);
  return out;
}

// Calls f(x, y, n) with every row along the axis, brought together where it is strided.
template <class T, class F>
void for_each_row(const View& in, const View& out, size_t axis, F f) {
  const int64_t n = in.layout->shape[axis];
  const int64_t from_step = in.layout->strides[axis], to_step = out.layout->strides[axis];
  Walk from, to;
  for (size_t d = 0; d < in.layout->rank(); ++d) {
    if (d == axis) continue;
    from.sizes.push_back(in.layout->shape[d]);
    from.strides.push_back(in.layout->strides[d]);
    to.sizes.push_back(in.layout->shape[d]);
    to.strides.push_back(out.layout->strides[d]);
  }
  const bool packed = n > 1 && (from_step != 1 || to_step != 1);
  const int64_t rows = from.count();
  const int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, n));
  const int64_t pieces = (rows + grain - 1) / grain;
  const std::unique_ptr<T[]> space(packed ? new T[static_cast<size_t>(std::min<int64_t>(pieces, 4 * threads()) * 2 * n)]
                                          : nullptr);
  const int64_t parts = packed ? std::min<int64_t>(pieces, 4 * threads()) : pieces;
  parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    Odometer at_from(from), at_to(to);
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
      at_from.seek(first);
      at_to.seek(first);
      for (int64_t i = first; i < last; ++i) {
        const T* x = in.as<T>() + at_from.offset();
        T* y = out.as<T>() + at_to.offset();
        if (packed) {
          T* row = space.get() + part * 2 * n;
          for (int64_t j = 0; j < n; ++j) row[j] = x[j * from_step];
          f(row, row + n, n);
          for (int64_t j = 0; j < n; ++j) y[j * to_step] = row[n + j];
        } else {
          f(x, y, n);
        }
        at_from.advance(1);
        at_to.advance(1);
      }
    }
  });
}

}  // namespace ember::ops
