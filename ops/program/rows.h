// Kernels that take rows, one or a few at a time: the reductions and the passes between them, and a loop over all rows.
#pragma once

#include <memory>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/simd/kernels.h"
#include "ops/tensor/strided_iterator.h"
#include "ops/tensor/view.h"

namespace ember::ops {

template <class T>
const RowKernels<T>& row_kernels() {
  return *kernels().of<T>().rows;
}

// One result of each of `rows` rows of n > 0 contiguous elements of `dtype`.
void reduce_rows(ReduceKind kind, DType dtype, const void* x, int64_t rows, int64_t n, void* out);

// Calls f(first, count) with blocks of rows of n elements, about `block` elements; about `grain` are a task.
template <class F>
void for_each_block(int64_t rows, int64_t n, int64_t block, int64_t grain, F f) {
  const int64_t most = std::max<int64_t>(1, block / n);
  parallel_for(rows, std::max<int64_t>(1, grain / n), [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += most) f(first, std::min(most, end - first));
  });
}

// Calls f(x, y, rows, n) with all rows along the axis: a block of them where they are contiguous, else one, gathered if
// it is strided.
template <class T, class F>
void for_each_row(const View& in, const View& out, size_t axis, int64_t block, F f) {
  const int64_t n = in.layout->shape[axis];
  const int64_t from_step = in.layout->strides[axis], to_step = out.layout->strides[axis];
  if (in.layout->contiguous && out.layout->contiguous && (n == 1 || from_step == 1)) {
    return for_each_block(in.layout->numel / n, n, block, 8192, [&](int64_t first, int64_t count) {
      f(in.as<T>() + first * n, out.as<T>() + first * n, count, n);
    });
  }
  StridedDims from, to;
  for (size_t d = 0; d < in.layout->rank(); ++d) {
    if (d == axis) continue;
    from.sizes.push_back(in.layout->shape[d]);
    from.strides.push_back(in.layout->strides[d]);
    to.sizes.push_back(in.layout->shape[d]);
    to.strides.push_back(out.layout->strides[d]);
  }
  const bool gathered = n > 1 && (from_step != 1 || to_step != 1);
  const int64_t rows = from.count();
  const int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, n));
  const int64_t pieces = ceil_div(rows, grain);
  const EvenParts parts{rows, gathered ? std::min<int64_t>(pieces, 4 * threads()) : pieces};
  const std::unique_ptr<T[]> space(gathered ? new T[static_cast<size_t>(parts.count * 2 * n)] : nullptr);
  parallel_for(parts.count, 1, [&](int64_t begin, int64_t end) {
    StridedIterator at_from(from), at_to(to);
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = parts.begin(part), last = parts.end(part);
      at_from.seek(first);
      at_to.seek(first);
      for (int64_t i = first; i < last; ++i) {
        const T* x = in.as<T>() + at_from.offset();
        T* y = out.as<T>() + at_to.offset();
        if (gathered) {
          T* row = space.get() + part * 2 * n;
          for (int64_t j = 0; j < n; ++j) row[j] = x[j * from_step];
          f(row, row + n, 1, n);
          for (int64_t j = 0; j < n; ++j) y[j * to_step] = row[n + j];
        } else {
          f(x, y, 1, n);
        }
        at_from.advance(1);
        at_to.advance(1);
      }
    }
  });
}

}  // namespace ember::ops
