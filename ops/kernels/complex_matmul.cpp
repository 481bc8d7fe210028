#include "ops/kernels/complex_matmul.h"

#include <complex>

#include "ops/base/parallel.h"
#include "ops/kernels/widen.h"
#include "ops/program/strided.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 14;  // numbers

// The layout of the parts of numbers that follow each other along the last axis.
LayoutRef parts_layout(const Layout& numbers) {
  Shape shape = numbers.shape, strides = part_strides(numbers.strides);
  shape.back() *= 2;
  strides.back() = 1;
  return layout(part_dtype(numbers.dtype), shape, strides);
}

Tensor parts_of(const View& v) {
  const Tensor numbers = borrow(v);
  const Tensor rows = v.layout->strides.back() == 1 ? numbers : to_contiguous(numbers);
  return rows.view(parts_layout(rows.layout()));
}

template <class T>
void write_blocks(const View& v, bool vector, T* out) {
  const Shape& shape = v.layout->shape;
  const size_t rank = shape.size();
  const int64_t columns = vector ? 1 : shape.back(), step = vector ? 0 : v.layout->strides.back();
  Shape outer = shape, strides = v.layout->strides;
  if (!vector) {
    outer.erase(rank - 1);
    strides.erase(rank - 1);
  }
  StridedDims rows;
  for (size_t d = 0; d < outer.size(); ++d) rows.add(outer[d], strides[d]);
  parallel_for(rows.count(), std::max<int64_t>(1, kGrain / columns), [&](int64_t begin, int64_t end) {
    StridedIterator at(rows);
    at.seek(begin);
    for (int64_t r = begin; r < end; ++r) {
      const std::complex<T>* from = v.as<std::complex<T>>() + at.offset();
      T* const upper = out + r * 4 * columns;
      T* const lower = upper + 2 * columns;
      for (int64_t j = 0; j < columns; ++j) {
        const T re = from[j * step].real(), im = from[j * step].imag();
        upper[2 * j] = re;
        upper[2 * j + 1] = im;
        lower[2 * j] = -im;
        lower[2 * j + 1] = re;
      }
      at.advance(1);
    }
  });
}

Tensor blocks_of(const View& v) {
  const bool vector = v.layout->rank() == 1;
  Shape shape = v.layout->shape;
  if (vector) shape.push_back(1);
  shape[shape.size() - 2] *= 2;
  shape.back() *= 2;
  const Tensor blocks = Tensor::empty(part_dtype(v.layout->dtype), shape);
  if (blocks.dtype() == DType::Float32) {
    write_blocks(v, vector, blocks.data_as<float>());
  } else {
    write_blocks(v, vector, blocks.data_as<double>());
  }
  return blocks;
}

// Of the result, whose last axis a vector on the right lacks.
LayoutRef result_parts(const Layout& numbers, bool vector) {
  Shape shape = numbers.shape;
  if (vector) shape.push_back(1);
  shape.back() *= 2;
  return layout(part_dtype(numbers.dtype), shape);
}

}  // namespace

void multiply_as_real(const KernelCall& call, KernelFn multiply) {
  const Tensor a = parts_of(call.in[0]), b = blocks_of(call.in[1]);
  const LayoutRef parts = result_parts(*call.out[0].layout, call.in[1].layout->rank() == 1);
  const View in[] = {{a.data(), &a.layout()}, {b.data(), &b.layout()}};
  const View out[] = {{call.out[0].data, parts.get()}};
  multiply({in, out, call.attrs});
}

}  // namespace ember::ops
