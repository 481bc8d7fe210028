// Pooling of images with one to three sizes, (N, C, D, H, W) without D or D and H. The maximum of a window is its first
// (or its first NaN), and padding never is; its gradient goes to that element. An average is a sequential sum over
// kd, kh, kw from +0, divided by the window's size. Windows add to a gradient in the order of the outputs.
#include <algorithm>
#include <array>
#include <limits>

#include "ops/base/division.h"
#include "ops/base/parallel.h"
#include "ops/base/scratch.h"
#include "ops/kernels/max_pool_rows.h"
#include "ops/kernels/pool_nhwc.h"
#include "ops/kernels/pool_windows.h"
#include "ops/kernels/widen.h"
#include "ops/kernels/window_attributes.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// Attributes of the kernels from `first` on: kernel_size, stride, pad (before and after each axis), dilation,
// ceil_mode.
struct Windows {
  Shape kernel, stride, dilation;
  Ints pad;
  bool ceil;

  Windows(const Attrs& attrs, size_t first, size_t axes, std::string_view name)
      : kernel(by_axis(attrs.shape(first), axes, 1, "kernel_size", name)),
        stride(by_axis(attrs.shape(first + 1), axes, 1, "stride", name)),
        dilation(by_axis(attrs.shape(first + 3), axes, 1, "dilation", name)),
        pad(around_axes(attrs.ints(first + 2), axes, name)),
        ceil(attrs.flag(first + 4)) {}

  // Windows along an axis; the last one that ceil_mode adds must begin within the input or the padding before it.
  Dim count(Dim in, size_t d, std::string_view name) const {
    const Dim before = pad[2 * d], read(dilation[d] * (kernel[d] - 1) + 1), step(stride[d]);
    const Dim room = in + before + pad[2 * d + 1] - read;
    if (room < Dim(0)) {
      refuse(name, "the padded input (" + std::to_string((in + before + pad[2 * d + 1]).hint()) +
                       ") must not be smaller than the window (" + std::to_string(read.hint()) + ")");
    }
    if (!ceil) return room / step + Dim(1);
    const Dim n = (room + step - Dim(1)) / step + Dim(1);
    return (n - Dim(1)) * step >= in + before ? n - Dim(1) : n;
  }
  Dims out(const Dims& x, std::string_view name) const {
    Dims y{x[0], x[1]};
    for (size_t d = 2; d < x.size(); ++d) y.push_back(count(x[d], d - 2, name));
    return y;
  }
};

int64_t image_size(const Shape& shape) {
  int64_t size = 1;
  for (size_t d = 2; d < shape.size(); ++d) size *= shape[d];
  return size;
}

// Though there may be many along some axes.
PoolWindows no_windows(const Shape& x) {
  PoolWindows windows;
  for (size_t d = 2; d < x.size(); ++d) windows.in[d + 3 - x.size()] = x[d];
  windows.spans[2].clear();
  return windows;
}

// Windows that slide; those of the padded input count with what padding they hold if `with_padding`.
PoolWindows sliding(const Windows& w, const Shape& x, const Shape& y, bool with_padding) {
  PoolWindows windows;
  if (image_size(y) == 0) return no_windows(x);
  for (size_t d = 0; d + 2 < x.size(); ++d) {
    const size_t to = d + 5 - x.size();
    const int64_t in = windows.in[to] = x[d + 2];
    windows.spans[to].clear();
    for (int64_t o = 0; o < y[d + 2]; ++o) {
      const int64_t start = o * w.stride[d] - pinned(w.pad[2 * d]), kernel = w.kernel[d];
      const int64_t begin = std::clamp<int64_t>(-start, 0, kernel);
      const int64_t end = std::max(begin, std::min(kernel, in - start));
      const int64_t padded = std::min(kernel, in + pinned(w.pad[2 * d + 1]) - start);
      windows.spans[to].push_back({start + begin, end - begin, with_padding ? padded : end - begin});
    }
  }
  return windows;
}

// As many windows as asked for, which divide the input as evenly as they can and may share elements.
PoolWindows adaptive(const Shape& x, const Shape& y) {
  PoolWindows windows;
  if (image_size(y) == 0) return no_windows(x);
  for (size_t d = 2; d < x.size(); ++d) {
    const size_t to = d + 3 - x.size();
    windows.in[to] = x[d];
    windows.spans[to].clear();
    for (int64_t o = 0; o < y[d]; ++o) {
      const int64_t begin = o * x[d] / y[d], end = ceil_div((o + 1) * x[d], y[d]);
      windows.spans[to].push_back({begin, end - begin, end - begin});
    }
  }
  return windows;
}

// Calls f(first, count) with at most so many channels of images.
template <class F>
void for_channels(const Shape& shape, int64_t cost, int64_t together, F f) {
  parallel_for(shape[0] * shape[1], std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, cost)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t c = begin; c < end; c += together) f(c, std::min(together, end - c));
               });
}
template <class F>
void for_each_channel(const Shape& shape, int64_t cost, F f) {
  for_channels(shape, cost, 1, [&](int64_t channel, int64_t) { f(channel); });
}

// Calls f for the C++ type of the input, half types widened.
template <bool kFloats, class F>
void for_type(const KernelCall& call, KernelFn kernel, F f) {
  const DType dtype = call.in[0].layout->dtype;
  if (is_half_dtype(dtype)) return run_in_float32(call, kernel);
  if (call.out[0].layout->numel == 0) return;  // its windows may be many
  dispatch(dtype, [&]<class T>() {
    constexpr bool number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
    if constexpr (kFloats ? std::is_floating_point_v<T> : number) f.template operator()<T>();
  });
}

void check_numbers(const Type& x, bool floats, std::string_view name) {
  refuse_complex(x, name);
  if (floats ? is_float(x.dtype) : x.dtype != DType::Bool) return;
  type_error("For '" + std::string(name) + "', the input must be of " + (floats ? "floating point" : "numbers") +
             ", but is " + to_string(x) + ".");
}

// Without the padding after each axis.
Window window_of(const Windows& w, const Shape& x, const Shape& y) {
  Window window;
  for (size_t d = 0; d + 2 < x.size(); ++d) {
    const size_t to = d + 5 - x.size();
    window.in[to] = x[d + 2];
    window.out[to] = y[d + 2];
    window.kernel[to] = w.kernel[d];
    window.stride[to] = w.stride[d];
    window.dilation[to] = w.dilation[d];
    window.pad[to] = pinned(w.pad[2 * d]);
    clip_taps(window, to);
  }
  return window;
}

template <class T>
void max_nchw(const Window& window, int64_t planes, const T* x, T* y, int64_t* index) {
  const MaxPoolRows<T> pool(window);
  const int64_t out = window.out_size(), width = pool.width(), cost = std::max<int64_t>(1, out * pool.taps());
  parallel_for_throwing(planes, std::max<int64_t>(1, (1 << 18) / cost), [&](int64_t begin, int64_t end) {
    const Scratch<T> best(width);
    const Scratch<IndexOf<T>> at(width);
    Pace pace;
    for (int64_t plane = begin; plane < end; ++plane) {
      for (int64_t line = 0; line < pool.lines(); ++line) {
        const int64_t first = plane * out + line * width;
        pool.run(line, x + plane * window.in_size(), best, at, y + first, index + first);
        pace.worked(width * pool.taps());
      }
    }
  });
}

void run_max(const KernelCall& call) {
  for_type<false>(call, &run_max, [&]<class T>() {
    const Tensor x = dense_images(borrow(call.in[0]));
    const Shape& y = call.out[0].layout->shape;
    const Window window = window_of(Windows(call.attrs, 1, y.size() - 2, "max_pool_with_indices"), x.shape(), y);
    const bool nhwc = channels_last(x.layout());
    if (!nhwc && channels_last(*call.out[0].layout) && channels_last(*call.out[1].layout)) {
      return max_nchw_to_nhwc(window, y[0], y[1], x.data_as<T>(), call.out[0].as<T>(), call.out[1].as<int64_t>());
    }
    const ImagesResult most(call.out[0], nhwc), index(call.out[1], nhwc);
    if (nhwc) {
      max_nhwc(window, y[0], y[1], x.data_as<T>(), most.data_as<T>(), index.data_as<int64_t>());
    } else {
      max_nchw(window, y[0] * y[1], x.data_as<T>(), most.data_as<T>(), index.data_as<int64_t>());
    }
    most.finish();
    index.finish();
  });
}

template <class T>
void max_backward_nchw(const Shape& x, int64_t in, int64_t out, const T* dy, const int64_t* index, T* dx) {
  for_each_channel(x, in + out, [&](int64_t channel) {
    T* to = dx + channel * in;
    std::fill_n(to, in, T{0});
    for (int64_t o = channel * out; o < (channel + 1) * out; ++o) {
      const int64_t at = index[o];
      if (at >= 0 && at < in) to[at] = static_cast<T>(to[at] + dy[o]);
    }
  });
}

void run_max_backward(const KernelCall& call) {
  for_type<false>(call, &run_max_backward, [&]<class T>() {
    const bool nhwc = channels_last(*call.out[0].layout);
    const Tensor dy = images_in_order(borrow(call.in[0]), nhwc), index = images_in_order(borrow(call.in[1]), nhwc);
    const Shape& x = call.out[0].layout->shape;
    const int64_t in = image_size(x), out = image_size(dy.shape());
    if (nhwc) {
      max_backward_nhwc(x[0], x[1], in, out, dy.data_as<T>(), index.data_as<int64_t>(), call.out[0].as<T>());
    } else {
      max_backward_nchw(x, in, out, dy.data_as<T>(), index.data_as<int64_t>(), call.out[0].as<T>());
    }
  });
}

// What an average divides by: a fixed number, or the window's size.
template <class T>
struct Divisor {
  int64_t fixed;
  T operator()(const PoolSpan& d, const PoolSpan& h, const PoolSpan& w) const {
    return static_cast<T>(fixed != 0 ? fixed : std::max<int64_t>(1, d.counted * h.counted * w.counted));
  }
};

constexpr int64_t kPlanes = 8;  // whose sums are in flight

template <class T>
void average_nchw(const PoolWindows& windows, const Divisor<T>& divisor, const T* from, int64_t planes, T* to) {
  const int64_t in = windows.in_size(), out = windows.out_size();
  windows.for_each_window([&](int64_t o, const PoolSpan& d, const PoolSpan& h, const PoolSpan& w) {
    T sums[kPlanes] = {};
    windows.for_each_row(d, h, w, [&](int64_t at, int64_t end) {
      for (; at < end; ++at) {
        for (int64_t p = 0; p < kPlanes; ++p) {
          if (p < planes) sums[p] = static_cast<T>(sums[p] + from[p * in + at]);
        }
      }
    });
    for (int64_t p = 0; p < planes; ++p) to[p * out + o] = static_cast<T>(sums[p] / divisor(d, h, w));
  });
}

template <class T>
void average(const KernelCall& call, const PoolWindows& windows, int64_t fixed) {
  const Tensor x = dense_images(borrow(call.in[0]));
  const bool nhwc = channels_last(x.layout());
  const ImagesResult y(call.out[0], nhwc);
  const Divisor<T> divisor{fixed};
  if (nhwc) {
    average_nhwc(windows, x.shape()[0], x.shape()[1], divisor, x.data_as<T>(), y.data_as<T>());
    return y.finish();
  }
  for_channels(x.shape(), windows.reads(), kPlanes, [&](int64_t first, int64_t count) {
    const T* from = x.data_as<T>() + first * windows.in_size();
    average_nchw(windows, divisor, from, count, y.data_as<T>() + first * windows.out_size());
  });
  y.finish();
}

template <class T>
void average_backward(const KernelCall& call, const PoolWindows& windows, int64_t fixed) {
  const Layout& x = *call.out[0].layout;
  const bool nhwc = channels_last(x);
  const Tensor dy = images_in_order(borrow(call.in[0]), nhwc);
  const Divisor<T> divisor{fixed};
  if (nhwc) {
    return average_backward_nhwc(windows, x.shape[0], x.shape[1], divisor, dy.data_as<T>(), call.out[0].as<T>());
  }
  for_each_channel(dy.shape(), windows.in_size() + windows.reads(), [&](int64_t channel) {
    T* to = call.out[0].as<T>() + channel * windows.in_size();
    std::fill_n(to, windows.in_size(), T{0});
    const T* from = dy.data_as<T>() + channel * windows.out_size();
    windows.for_each_window([&](int64_t o, const PoolSpan& d, const PoolSpan& h, const PoolSpan& w) {
      const T share = static_cast<T>(from[o] / divisor(d, h, w));
      windows.for_each_row(d, h, w, [&](int64_t at, int64_t end) {
        for (; at < end; ++at) to[at] = static_cast<T>(to[at] + share);
      });
    });
  });
}

void run_average(const KernelCall& call) {
  for_type<true>(call, &run_average, [&]<class T>() {
    const Shape &x = call.in[0].layout->shape, &y = call.out[0].layout->shape;
    const Windows w(call.attrs, 1, y.size() - 2, "avg_pool_forward");
    average<T>(call, sliding(w, x, y, call.attrs.flag(6)), call.attrs.integer(7));
  });
}

void run_average_backward(const KernelCall& call) {
  for_type<true>(call, &run_average_backward, [&]<class T>() {
    const Shape &x = call.out[0].layout->shape, &y = call.in[0].layout->shape;
    const Windows w(call.attrs, 2, y.size() - 2, "avg_pool_backward");
    average_backward<T>(call, sliding(w, x, y, call.attrs.flag(7)), call.attrs.integer(8));
  });
}

void run_adaptive(const KernelCall& call) {
  for_type<true>(call, &run_adaptive, [&]<class T>() {
    average<T>(call, adaptive(call.in[0].layout->shape, call.out[0].layout->shape), 0);
  });
}

void run_adaptive_backward(const KernelCall& call) {
  for_type<true>(call, &run_adaptive_backward, [&]<class T>() {
    average_backward<T>(call, adaptive(call.out[0].layout->shape, call.in[0].layout->shape), 0);
  });
}

// A batch is more images.
Values batch_images(Batch& batch) {
  Builder& b = batch.b;
  Values operands;
  Dim images = 1;
  for (size_t i = 0; i < batch.operands(); ++i) {
    const Value v = batch.in_batched(i);
    Dims d = b.dims(v);
    if (d.size() < 4) refuse(batch.op.name, "the input must have at least 3 dimensions");
    images = d[1];
    d.erase(0);
    d[0] = batch.size * images;
    operands.push_back(b.reshape(v, d));
  }
  Values out = b.apply(batch.op, operands, batch.attrs);
  for (Value& v : out) {
    Dims d = b.dims(v);
    d[0] = images;
    d.insert(0, batch.size);
    v = b.reshape(v, d);
  }
  return out;
}

// The first two dims of another type and sizes of an attribute.
Dims with_sizes(const Dims& dims, const Ints& sizes, const char* what, std::string_view name) {
  if (sizes.size() != sizes_in(dims, name)) refuse(name, std::string(what) + " must be one integer for each axis");
  Dims out{dims[0], dims[1]};
  for (const Dim& size : sizes) {
    if (size < Dim(0)) refuse(name, std::string(what) + " must not be negative");
    out.push_back(size);
  }
  return out;
}

Ints sizes_of(const Dims& dims) { return Ints(dims.begin() + 2, dims.end()); }

struct MaxPoolWithIndices {
  static constexpr const char* name = "max_pool_with_indices";
  static constexpr const char* primitive = "MaxPoolWithArgmaxV2";
  static constexpr const char* signature =
      "input: tensor, kernel_size: ints, stride: ints, pad: ints = 0, dilation: ints = 1, ceil_mode: bool = False -> "
      "tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element of each window (the first of equals; NaN if there is one), and its index (int64) among "
      "those of its image's channel. `pad` is before and after each axis in turn.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "input, out0, out1";
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& call) {
    const Dims& x = call.in[0].dims;
    check_numbers(call.in[0], false, name);
    const Windows w(call.attrs, 1, sizes_in(x, name), name);
    for (size_t side = 0; side < w.pad.size(); ++side) {
      if (w.pad[side] < Dim(0) || Dim(2) * w.pad[side] > Dim(w.kernel[side / 2])) {
        refuse(name, "padding must be between 0 and half of kernel_size");
      }
    }
    const Dims y = w.out(x, name);
    return {Type::tensor(call.in[0].dtype, y), Type::tensor(DType::Int64, y)};
  }
  static void kernel(const KernelCall& call) { run_max(call); }
  static Values grad(Grad& g) {
    const Ints sizes = sizes_of(g.in_type(0).dims);
    return {g.b.call("max_pool_backward", {g.ct(), g.out(1)}, {{"input_size", sizes}})};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}},
            {{{{1, 2, 7, 7}}},
             {{"kernel_size", Ints{3, 2}},
              {"stride", Ints{2, 1}},
              {"pad", Ints{1, 1, 1, 0}},
              {"dilation", Ints{1, 2}},
              {"ceil_mode", true}},
             {}},
            {{{{2, 2, 8}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"pad", Ints{1, 0}}}, {}},
            {{{{1, 2, 4, 5, 4}}},
             {{"kernel_size", Ints{2, 3, 2}}, {"stride", Ints{1, 2, 2}}, {"pad", Ints{1}}, {"ceil_mode", true}},
             {}}};
  }
};
EMBER_OP(MaxPoolWithIndices);

struct MaxPoolBackward {
  static constexpr const char* name = "max_pool_backward";
  static constexpr const char* primitive = "MaxPoolBackward";
  static constexpr const char* signature = "gradient: tensor, indices: tensor, input_size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradient of max pooling's input, whose sizes are `input_size`: each output's adds to the element at its "
      "index.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "gradient, indices, out";
  static constexpr const char* saves = "indices";
  static Types infer(const InferCall& call) {
    const Type &dy = call.in[0], &index = call.in[1];
    check_numbers(dy, false, name);
    if (index.dtype != DType::Int64) type_error("For 'max_pool_backward', indices must be int64.");
    bool same = index.dims.size() == dy.dims.size();
    for (size_t d = 0; same && d < dy.dims.size(); ++d) same = index.dims[d] == dy.dims[d];
    if (!same) refuse(name, "gradient and indices must have one shape");
    return {Type::tensor(dy.dtype, with_sizes(dy.dims, call.attrs.ints(2), "input_size", name))};
  }
  static void kernel(const KernelCall& call) { run_max_backward(call); }
  // Linear in the gradient: what flows back is read at the indices.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const auto flat = [&](const Value& v, const Dims& dims) {
      Dim size = 1;
      for (size_t d = 2; d < dims.size(); ++d) size = size * dims[d];
      return b.reshape(v, {dims[0], dims[1], size});
    };
    const Dims y = g.in_type(0).dims, x = g.out_type().dims;
    const Value read = b.call("gather_d", {flat(g.ct(), x), flat(g.in(1), y)}, {{"dim", int64_t{2}}});
    return {b.reshape(read, y), {}};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 2, 2}}, {{2, 3, 2, 2}, DType::Int64, 0, 19}}, {{"input_size", Ints{4, 5}}}, {}},
            {{{{1, 2, 2, 2, 2}}, {{1, 2, 2, 2, 2}, DType::Int64, 0, 23}}, {{"input_size", Ints{4, 3, 2}}}, {}}};
  }
};
EMBER_OP(MaxPoolBackward);

struct AveragePoolForward {
  static constexpr const char* name = "avg_pool_forward";
  static constexpr const char* primitive = "AvgPoolForward";
  static constexpr const char* signature =
      "input: tensor, kernel_size: ints, stride: ints, pad: ints = 0, dilation: ints = 1, ceil_mode: bool = False, "
      "count_include_pad: bool = True, divisor_override: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The sum of each window over its size, or over `divisor_override`. `pad` is before and after each axis in turn.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "input, out";
  static Types infer(const InferCall& call) {
    const Dims& x = call.in[0].dims;
    check_numbers(call.in[0], true, name);
    const Windows w(call.attrs, 1, sizes_in(x, name), name);
    for (int64_t dilation : w.dilation) {
      if (dilation != 1) refuse(name, "dilation must be 1");
    }
    for (const Dim& pad : w.pad) {
      if (pad < Dim(0)) refuse(name, "padding must not be negative");
    }
    return {Type::tensor(call.in[0].dtype, w.out(x, name))};
  }
  static void kernel(const KernelCall& call) { run_average(call); }
  static Values grad(Grad& g) {
    return {g.b.call("avg_pool_backward", {g.ct()},
                     {{"input_size", sizes_of(g.in_type(0).dims)},
                      {"kernel_size", g.attrs.ints(1)},
                      {"stride", g.attrs.ints(2)},
                      {"pad", g.attrs.ints(3)},
                      {"ceil_mode", g.attrs.flag(5)},
                      {"count_include_pad", g.attrs.flag(6)},
                      {"divisor_override", g.attrs.integer(7)}})};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {
        {{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}},
        {{{{1, 2, 7, 7}}},
         {{"kernel_size", Ints{3, 2}},
          {"stride", Ints{2, 2}},
          {"pad", Ints{1, 1, 1, 0}},
          {"ceil_mode", true},
          {"count_include_pad", false}},
         {}},
        {{{{2, 2, 8}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"pad", Ints{1, 1}}, {"ceil_mode", true}}, {}},
        {{{{1, 2, 4, 5, 4}}},
         {{"kernel_size", Ints{2, 3, 2}},
          {"stride", Ints{1, 2, 2}},
          {"pad", Ints{1}},
          {"divisor_override", int64_t{5}}},
         {}}};
  }
};
EMBER_OP(AveragePoolForward);

void check_gradient(const Dims& dy, const Dims& wanted, std::string_view name) {
  for (size_t d = 0; d < dy.size(); ++d) {
    if (dy[d] != wanted[d]) refuse(name, "the gradient " + to_string(hints(dy)) + " does not fit input_size");
  }
}

struct AveragePoolBackward {
  static constexpr const char* name = "avg_pool_backward";
  static constexpr const char* primitive = "AvgPoolBackward";
  static constexpr const char* signature =
      "gradient: tensor, input_size: ints, kernel_size: ints, stride: ints, pad: ints = 0, dilation: ints = 1, "
      "ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The gradient of average pooling's input, whose sizes are `input_size`.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "gradient, out";
  static Types infer(const InferCall& call) {
    const Type& dy = call.in[0];
    check_numbers(dy, true, name);
    const Dims x = with_sizes(dy.dims, call.attrs.ints(1), "input_size", name);
    check_gradient(dy.dims, Windows(call.attrs, 2, x.size() - 2, name).out(x, name), name);
    return {Type::tensor(dy.dtype, x)};
  }
  static void kernel(const KernelCall& call) { run_average_backward(call); }
  static Values grad(Grad& g) {
    return {g.b.call("avg_pool_forward", {g.ct()},
                     {{"kernel_size", g.attrs.ints(2)},
                      {"stride", g.attrs.ints(3)},
                      {"pad", g.attrs.ints(4)},
                      {"ceil_mode", g.attrs.flag(6)},
                      {"count_include_pad", g.attrs.flag(7)},
                      {"divisor_override", g.attrs.integer(8)}})};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 3, 2}}}, {{"input_size", Ints{6, 5}}, {"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}},
            {{{{1, 2, 2, 2, 3}}},
             {{"input_size", Ints{3, 3, 4}},
              {"kernel_size", Ints{2}},
              {"stride", Ints{2}},
              {"pad", Ints{1, 0, 0, 1, 1, 1}}},
             {}}};
  }
};
EMBER_OP(AveragePoolBackward);

struct AdaptivePoolForward {
  static constexpr const char* name = "adaptive_avg_pool_forward";
  static constexpr const char* primitive = "AdaptiveAvgPoolForward";
  static constexpr const char* signature = "input: tensor, output_size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The means of `output_size` windows along each axis: window i of n begins at i * size / n, rounded down, and "
      "ends at (i + 1) * size / n, rounded up.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "input, out";
  static Types infer(const InferCall& call) {
    check_numbers(call.in[0], true, name);
    const Dims y = with_sizes(call.in[0].dims, call.attrs.ints(1), "output_size", name);
    for (size_t d = 2; d < y.size(); ++d) {
      if (call.in[0].dims[d] < Dim(1)) refuse(name, "the input must not be empty, but is " + to_string(call.in[0]));
    }
    return {Type::tensor(call.in[0].dtype, y)};
  }
  static void kernel(const KernelCall& call) { run_adaptive(call); }
  static Values grad(Grad& g) {
    return {g.b.call("adaptive_avg_pool_backward", {g.ct()}, {{"input_size", sizes_of(g.in_type(0).dims)}})};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 7}}}, {{"output_size", Ints{3}}}, {}},
            {{{{2, 2, 5, 6}}}, {{"output_size", Ints{2, 4}}}, {}},
            {{{{1, 2, 4, 3, 5}}}, {{"output_size", Ints{3, 1, 7}}}, {}}};
  }
};
EMBER_OP(AdaptivePoolForward);

struct AdaptivePoolBackward {
  static constexpr const char* name = "adaptive_avg_pool_backward";
  static constexpr const char* primitive = "AdaptiveAvgPoolBackward";
  static constexpr const char* signature = "gradient: tensor, input_size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The gradient of adaptive average pooling's input, whose sizes are `input_size`.";
  static constexpr const char* numpy = "";
  static constexpr const char* images = "gradient, out";
  static Types infer(const InferCall& call) {
    check_numbers(call.in[0], true, name);
    const Dims x = with_sizes(call.in[0].dims, call.attrs.ints(1), "input_size", name);
    return {Type::tensor(call.in[0].dtype, x)};
  }
  static void kernel(const KernelCall& call) { run_adaptive_backward(call); }
  static Values grad(Grad& g) {
    return {g.b.call("adaptive_avg_pool_forward", {g.ct()}, {{"output_size", sizes_of(g.in_type(0).dims)}})};
  }
  static Values batch(Batch& batch) { return batch_images(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 3}}}, {{"input_size", Ints{7}}}, {}},
            {{{{2, 2, 2, 4}}}, {{"input_size", Ints{5, 6}}}, {}},
            {{{{1, 2, 3, 1, 7}}}, {{"input_size", Ints{4, 3, 5}}}, {}}};
  }
};
EMBER_OP(AdaptivePoolBackward);

}  // namespace
}  // namespace ember::ops
