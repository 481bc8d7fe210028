// Panels: rows of as many elements as a tile of C has columns. Their products, and what happens down their columns.
#pragma once

#include <algorithm>
#include <cmath>

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/program/rows.h"
#include "ops/program/strided.h"

namespace ember::ops {

template <class T>
class Panels {
 public:
  static constexpr int64_t kDepth = 384;  // of a product, so that a panel's part stays in L1

  const TileKernel<T>& tile = tile_kernel<T>();
  const PanelKernels<T>& panel = panel_kernels();
  const RowKernels<T>& row = row_kernels<T>();
  const int64_t columns = panel.columns;

  int64_t tiles(int64_t rows) const { return ceil_div(rows, tile.mr) * tile.mr; }

  // For each of `depth` steps `lanes` elements, filled up to `width` with zeros.
  static void pack(int64_t depth, int64_t lanes, int64_t width, const T* from, int64_t step, int64_t lane, T* out) {
    kernels().of<T>().gemm_pack(depth, lanes, width, from, step, lane, out);
  }
  // The left operand of a product: tiles of rows, each over the whole depth.
  void pack_left(int64_t rows, int64_t depth, const T* from, int64_t row_stride, int64_t step, T* out) const {
    for (int64_t i = 0; i < rows; i += tile.mr) {
      pack(depth, std::min<int64_t>(tile.mr, rows - i), tile.mr, from + i * row_stride, step, row_stride,
           out + i * depth);
    }
  }
  // out = left @ right, a panel of `rows` rows, over the first of the `packed` steps of left.
  void multiply(int64_t rows, int64_t depth, int64_t packed, const T* left, const T* right, T* out) const {
    if (depth == 0) std::fill_n(out, rows * columns, T{0});
    for (int64_t k = 0; k < depth; k += kDepth) {
      for (int64_t i = 0; i < rows; i += tile.mr) {
        tile.run_panels(std::min(kDepth, depth - k), left + i * packed + k * tile.mr, right + k * columns,
                        out + i * columns, columns, std::min<int64_t>(tile.mr, rows - i), columns, k > 0);
      }
    }
  }
  // Columns of a panel become `count` rows of a contiguous matrix.
  void unpack(int64_t count, int64_t width, const T* from, T* out) const {
    pack(count, width, width, from, 1, columns, out);
  }
  // Each column's sum in the order of simd/reduction.h.
  void sum(const T* x, int64_t rows, T* out) const {
    fold_chunks(rows, out, [&](int64_t first, int64_t count, T* part) { panel.sum(x + first * columns, count, part); });
  }
  // y = exp(x - max of its column), and each column's sum.
  void exponentials(const T* x, const T* max, T* y, int64_t rows, T* total) const {
    fold_chunks(rows, total, [&](int64_t first, int64_t count, T* part) {
      panel.exp(x + first * columns, max, y + first * columns, count, part);
    });
  }
  // The largest magnitude; NaN if there is one.
  static T extent(const T* x, int64_t count) {
    if (count == 0) return 0;
    T high, low;
    reduce_rows(ReduceKind::Max, dtype_of<T>, x, 1, count, &high);
    reduce_rows(ReduceKind::Min, dtype_of<T>, x, 1, count, &low);
    return std::max(high, -low);
  }
  static bool any_negative_zero(const T* x, int64_t count) {
    return std::any_of(x, x + count, [](T y) { return y == 0 && std::signbit(y); });
  }

  static constexpr int64_t kMaxColumns = 64;

 private:
  // of_chunk(first, count, out) gives the columns' results of a chunk of rows.
  template <class F>
  void fold_chunks(int64_t rows, T* out, F of_chunk) const {
    constexpr size_t kDeepest = 40;
    const ReduceKernels& kernels = reduce_kernels(ReduceKind::Sum, dtype_of<T>);
    T stack[kDeepest][kMaxColumns];
    size_t top = 0;
    uint64_t chunk = 0;
    do {
      const int64_t first = static_cast<int64_t>(chunk) * kReduceChunk;
      of_chunk(first, std::min(kReduceChunk, rows - first), stack[top]);
      for (uint64_t bit = chunk; bit & 1; bit >>= 1, --top) kernels.merge(stack[top - 1], stack[top], columns);
      ++top;
    } while (static_cast<int64_t>(++chunk) * kReduceChunk < rows);
    for (; top > 1; --top) kernels.merge(stack[top - 2], stack[top - 1], columns);
    std::copy_n(stack[0], columns, out);
  }
  static const PanelKernels<T>& panel_kernels() { return *kernels().of<T>().panels; }
};

// Calls f(x, y, n) for each panel x, whose rows are indices of the axis and whose columns are consecutive indices of
// another dimension, `side`; stores x afterwards. y is a buffer, for `rooms` panels in all.
template <class T, class F>
void for_each_panel(const View& in, const View& out, size_t axis, size_t side, int64_t rooms, F f) {
  const Panels<T> panels;
  const Layout &from = *in.layout, &to = *out.layout;
  const int64_t n = from.shape[axis], width = from.shape[side], across = ceil_div(width, panels.columns);
  StridedDims outer_from{from.shape, from.strides}, outer_to{to.shape, to.strides};
  for (StridedDims* w : {&outer_from, &outer_to}) w->sizes[axis] = w->sizes[side] = 1;
  const int64_t count = outer_from.count() * across;
  const EvenParts parts{count, std::min<int64_t>(count, 2 * threads())};
  const int64_t size = n * panels.columns, of_part = size * (count / parts.count);
  const Scratch<T> room(parts.count * rooms * size);
  parallel_for(parts.count, ceil_div(1 << 13, of_part), [&](int64_t begin, int64_t end) {
    StridedIterator at_from(outer_from), at_to(outer_to);
    T *const x = room + begin * rooms * size, *const y = x + size;
    for (int64_t i = parts.begin(begin); i < parts.begin(end); ++i) {
      const int64_t first = i % across * panels.columns, lanes = std::min(panels.columns, width - first);
      at_from.move_to(i / across);
      at_to.move_to(i / across);
      const T* source = in.as<T>() + at_from.offset() + first * from.strides[side];
      panels.pack(n, lanes, panels.columns, source, from.strides[axis], from.strides[side], x);
      f(x, y, n);
      const StridedCopy back(dtype_of<T>, {n, lanes}, {panels.columns, 1}, {to.strides[axis], to.strides[side]});
      back.run(x, out.as<T>() + at_to.offset() + first * to.strides[side]);
    }
  });
}

}  // namespace ember::ops
