// Widening and rounding around a float32 kernel, in parallel over runs of elements.
#include "ops/kernels/widen.h"

#include "ops/base/parallel.h"
#include "ops/kernels/images.h"
#include "ops/program/program.h"
#include "ops/simd/strips.h"
#include "ops/tensor/strided_iterator.h"

namespace ember::ops {
namespace {

constexpr int64_t kGrain = 1 << 15;

template <class T>
void widen(const View& v, float* out) {
  StridedDims strided;
  for (size_t d = 0; d < v.layout->rank(); ++d) strided.add(v.layout->shape[d], v.layout->strides[d]);
  const int64_t stride = strided.inner_stride();
  parallel_for(v.layout->numel, kGrain, [&](int64_t begin, int64_t end) {
    StridedIterator at(strided);
    at.seek(begin);
    for (int64_t i = begin; i < end;) {
      const int64_t run = std::min(at.run(), end - i);
      const T* from = v.as<T>() + at.offset();
      if (stride == 1) convert_elements(v.layout->dtype, DType::Float32, from, run, out + i);
      for (int64_t j = 0; stride != 1 && j < run; ++j) out[i + j] = static_cast<float>(from[j * stride]);
      at.advance(run);
      i += run;
    }
  });
}

void round_to(const float* from, const View& to) {
  const auto size = static_cast<int64_t>(itemsize(to.layout->dtype));
  parallel_for(to.layout->numel, kGrain, [&](int64_t begin, int64_t end) {
    convert_elements(DType::Float32, to.layout->dtype, from + begin, end - begin, to.as<std::byte>() + begin * size);
  });
}

}  // namespace

Tensor borrow(const View& v) { return Tensor(gc::adopt(v.data, v.layout->bytes(), nullptr), LayoutRef(v.layout)); }

Tensor to_float32(const View& v) {
  const Layout& layout = *v.layout;
  if (channels_last(layout)) {
    const LayoutRef flat = ops::layout(layout.dtype, {layout.numel});
    return to_float32({v.data, flat.get()}).view(ops::layout(DType::Float32, layout.shape, layout.strides));
  }
  const Tensor wide = Tensor::empty(DType::Float32, layout.shape);
  if (layout.dtype == DType::Float16) {
    widen<Half>(v, wide.data_as<float>());
  } else {
    widen<BFloat16>(v, wide.data_as<float>());
  }
  return wide;
}

void run_in_float32(const KernelCall& call, KernelFn kernel) {
  std::vector<Tensor> widened;
  std::vector<View> in(call.in.begin(), call.in.end()), out(call.out.begin(), call.out.end());
  const auto replace = [&](View* view, const Tensor& t) {
    widened.push_back(t);
    *view = {t.data(), &t.layout()};
  };
  for (View& v : in) {
    if (v.layout && is_half_dtype(v.layout->dtype)) replace(&v, to_float32(v));
  }
  for (View& v : out) {
    if (is_half_dtype(v.layout->dtype)) {
      replace(&v, Tensor::empty(ops::layout(DType::Float32, v.layout->shape, v.layout->strides)));
    }
  }
  kernel({in, out, call.attrs});
  for (size_t i = 0; i < out.size(); ++i) {
    if (is_half_dtype(call.out[i].layout->dtype)) round_to(out[i].as<float>(), call.out[i]);
  }
  if (call.epilogue) call.epilogue->run_all();
}

}  // namespace ember::ops
