// Two-dimensional pooling in NCHW. The maximum of a window is its first (or its first NaN), and padding never is; its
// gradient goes to that element. An average is a chain of additions over kh, kw from +0, divided by the window's size.
// Windows add to a gradient in the order of the outputs.
#include <algorithm>
#include <limits>

#include "ops/float32.h"
#include "ops/parallel.h"
#include "ops/rules.h"
#include "ops/windows.h"

namespace ember::ops {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
  value_error("For '" + std::string(name) + "', " + what + ".");
}

Ints both(const Pair& pair) { return {pair.h, pair.w}; }

// Attributes of the kernels from `first` on: kernel_size, stride, pad (top, bottom, left, right), dilation, ceil_mode.
struct Windows {
  Pair kernel, stride, dilation;
  Ints pad;
  bool ceil;

  Windows(const Attrs& attrs, size_t first, std::string_view name)
      : kernel(pair_of(attrs.shape(first), 1, "kernel_size", name)),
        stride(pair_of(attrs.shape(first + 1), 1, "stride", name)),
        dilation(pair_of(attrs.shape(first + 3), 1, "dilation", name)),
        pad(attrs.ints(first + 2)),
        ceil(attrs.flag(first + 4)) {
    if (pad.size() != 4) refuse(name, "pad must be four integers");
  }

  // Windows along a dimension; the last one that ceil_mode adds must begin within the input or the padding before it.
  Dim count(Dim in, Dim before, Dim after, int64_t kernel, int64_t stride, int64_t dilation,
            std::string_view name) const {
    const Dim room = in + before + after - Dim(dilation * (kernel - 1) + 1);
    if (room < Dim(0)) {
      refuse(name, "the padded input (" + std::to_string((in + before + after).value) +
                       ") must not be smaller than the window (" + std::to_string(dilation * (kernel - 1) + 1) + ")");
    }
    if (!ceil) return room / Dim(stride) + Dim(1);
    const Dim n = (room + Dim(stride - 1)) / Dim(stride) + Dim(1);
    return (n - Dim(1)) * Dim(stride) >= in + before ? n - Dim(1) : n;
  }
  Dims out(const Dims& x, std::string_view name) const {
    if (x.size() != 4) refuse(name, "the input must have 4 dimensions, but has " + std::to_string(x.size()));
    return {x[0], x[1], count(x[2], pad[0], pad[1], kernel.h, stride.h, dilation.h, name),
            count(x[3], pad[2], pad[3], kernel.w, stride.w, dilation.w, name)};
  }
};

// The taps of one dimension that lie within the input: k0 <= k < k1 for the window that starts at `start`.
struct Taps {
  int64_t begin, end;
  Taps(int64_t start, int64_t kernel, int64_t dilation, int64_t in) {
    begin = start < 0 ? std::min(kernel, (-start + dilation - 1) / dilation) : 0;
    end = start >= in ? begin : std::max(begin, std::min(kernel, (in - start + dilation - 1) / dilation));
  }
};

// Calls f(plane) for all planes (images times channels).
template <class F>
void for_each_plane(const Shape& shape, int64_t cost, F f) {
  parallel_for(shape[0] * shape[1], std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, cost)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t plane = begin; plane < end; ++plane) f(plane);
               });
}

// Calls f(output's index, rows' taps, columns' taps, first row, first column) for all windows of a plane.
template <class F>
void for_each_window(const Windows& w, const Shape& x, const Shape& y, F f) {
  for (int64_t oh = 0; oh < y[2]; ++oh) {
    const int64_t top = oh * w.stride.h - w.pad[0].value;
    const Taps rows(top, w.kernel.h, w.dilation.h, x[2]);
    for (int64_t ow = 0; ow < y[3]; ++ow) {
      const int64_t left = ow * w.stride.w - w.pad[2].value;
      f(oh * y[3] + ow, rows, Taps(left, w.kernel.w, w.dilation.w, x[3]), top, left);
    }
  }
}

template <class F>
void for_dtype(const KernelCall& call, KernelFn kernel, F f) {
  const DType dtype = call.in[0].layout->dtype;
  if (is_half_dtype(dtype)) return run_in_float32(call, kernel);
  dispatch(dtype, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) f.template operator()<T>();
  });
}

void check_numbers(const Type& x, bool floats, std::string_view name) {
  if (floats ? is_float(x.dtype) : x.dtype != DType::Bool) return;
  type_error("For '" + std::string(name) + "', the input must be of " + (floats ? "floating point" : "numbers") +
             ", but is " + to_string(x) + ".");
}

void run_max(const KernelCall& call) {
  for_dtype(call, &run_max, [&]<class T>() {
    const Tensor x = to_contiguous(borrow(call.in[0]));
    const Windows w(call.attrs, 1, "max_pool2d");
    const Shape& y = call.out[0].layout->shape;
    const int64_t in = x.shape()[2] * x.shape()[3], out = y[2] * y[3];
    for_each_plane(y, out * w.kernel.h * w.kernel.w, [&](int64_t plane) {
      const T* from = x.data_as<T>() + plane * in;
      T* to = call.out[0].as<T>() + plane * out;
      int64_t* index = call.out[1].as<int64_t>() + plane * out;
      for_each_window(w, x.shape(), y, [&](int64_t o, Taps rows, Taps columns, int64_t top, int64_t left) {
        int64_t best = -1;
        for (int64_t kh = rows.begin; kh < rows.end; ++kh) {
          const int64_t line = (top + kh * w.dilation.h) * x.shape()[3] + left;
          for (int64_t kw = columns.begin; kw < columns.end; ++kw) {
            const int64_t at = line + kw * w.dilation.w;
            const bool nan = best >= 0 && from[best] != from[best];
            if (best < 0 || (!nan && (from[at] > from[best] || from[at] != from[at]))) best = at;
          }
        }
        index[o] = best;
        to[o] = best < 0 ? std::numeric_limits<T>::lowest() : from[best];
      });
    });
  });
}

void run_max_backward(const KernelCall& call) {
  for_dtype(call, &run_max_backward, [&]<class T>() {
    const Tensor dy = to_contiguous(borrow(call.in[0])), index = to_contiguous(borrow(call.in[1]));
    const Shape& x = call.out[0].layout->shape;
    const int64_t in = x[2] * x[3], out = dy.shape()[2] * dy.shape()[3];
    for_each_plane(x, in + out, [&](int64_t plane) {
      T* to = call.out[0].as<T>() + plane * in;
      std::fill_n(to, in, T{0});
      for (int64_t o = plane * out; o < (plane + 1) * out; ++o) {
        const int64_t at = index.data_as<int64_t>()[o];
        if (at >= 0 && at < in) to[at] = static_cast<T>(to[at] + dy.data_as<T>()[o]);
      }
    });
  });
}

// What an average divides by: a fixed number, the window within the padded input, or its part within the input.
struct Divisor {
  const Windows& w;
  const Shape& x;
  bool with_padding;
  int64_t fixed;

  int64_t operator()(const Taps& rows, const Taps& columns, int64_t top, int64_t left) const {
    if (fixed != 0) return fixed;
    if (!with_padding) return std::max<int64_t>(1, (rows.end - rows.begin) * (columns.end - columns.begin));
    const int64_t h = std::min(w.kernel.h, x[2] + w.pad[1].value - top);
    const int64_t v = std::min(w.kernel.w, x[3] + w.pad[3].value - left);
    return std::max<int64_t>(1, h * v);
  }
};

void run_average(const KernelCall& call) {
  for_dtype(call, &run_average, [&]<class T>() {
    const Tensor x = to_contiguous(borrow(call.in[0]));
    const Windows w(call.attrs, 1, "avg_pool2d");
    const Shape& y = call.out[0].layout->shape;
    const Divisor divisor{w, x.shape(), call.attrs.flag(6), call.attrs.integer(7)};
    const int64_t in = x.shape()[2] * x.shape()[3], out = y[2] * y[3];
    for_each_plane(y, out * w.kernel.h * w.kernel.w, [&](int64_t plane) {
      const T* from = x.data_as<T>() + plane * in;
      T* to = call.out[0].as<T>() + plane * out;
      for_each_window(w, x.shape(), y, [&](int64_t o, Taps rows, Taps columns, int64_t top, int64_t left) {
        T sum = 0;
        for (int64_t kh = rows.begin; kh < rows.end; ++kh) {
          const T* line = from + (top + kh) * x.shape()[3] + left;
          for (int64_t kw = columns.begin; kw < columns.end; ++kw) sum = static_cast<T>(sum + line[kw]);
        }
        to[o] = static_cast<T>(sum / static_cast<T>(divisor(rows, columns, top, left)));
      });
    });
  });
}

void run_average_backward(const KernelCall& call) {
  for_dtype(call, &run_average_backward, [&]<class T>() {
    const Tensor dy = to_contiguous(borrow(call.in[0]));
    const Windows w(call.attrs, 2, "avg_pool2d_backward");
    const Shape &x = call.out[0].layout->shape, &y = dy.shape();
    const Divisor divisor{w, x, call.attrs.flag(7), call.attrs.integer(8)};
    const int64_t in = x[2] * x[3], out = y[2] * y[3];
    for_each_plane(x, in + out * w.kernel.h * w.kernel.w, [&](int64_t plane) {
      T* to = call.out[0].as<T>() + plane * in;
      std::fill_n(to, in, T{0});
      for_each_window(w, x, y, [&](int64_t o, Taps rows, Taps columns, int64_t top, int64_t left) {
        const T share =
            static_cast<T>(dy.data_as<T>()[plane * out + o] / static_cast<T>(divisor(rows, columns, top, left)));
        for (int64_t kh = rows.begin; kh < rows.end; ++kh) {
          T* line = to + (top + kh) * x[3] + left;
          for (int64_t kw = columns.begin; kw < columns.end; ++kw) line[kw] = static_cast<T>(line[kw] + share);
        }
      });
    });
  });
}

// A batch is more images.
Values batch_planes(Batch& batch) {
  Builder& b = batch.b;
  Values operands;
  Dim images = 1;
  for (size_t i = 0; i < batch.operands(); ++i) {
    const Value v = batch.in_batched(i);
    const Dims d = b.dims(v);
    if (d.size() != 5) refuse(batch.op.name, "the input must have 4 dimensions");
    images = d[1];
    operands.push_back(b.reshape(v, {d[0] * d[1], d[2], d[3], d[4]}));
  }
  Values out = b.apply(batch.op, operands, batch.attrs);
  for (Value& v : out) {
    const Dims d = b.dims(v);
    v = b.reshape(v, {batch.size, images, d[1], d[2], d[3]});
  }
  return out;
}

// The first dims and a height and width from an attribute.
Dims sized(const Dims& gradient, const Ints& size, std::string_view name) {
  if (gradient.size() != 4 || size.size() != 2) refuse(name, "input_size must be two integers, the gradient 4-d");
  return {gradient[0], gradient[1], size[0], size[1]};
}

struct MaxPoolWithIndices {
  static constexpr const char* name = "max_pool2d_with_indices";
  static constexpr const char* primitive = "MaxPoolWithArgmaxV2";
  static constexpr const char* signature =
      "input: tensor, kernel_size: ints, stride: ints, pad: ints = (0, 0, 0, 0), dilation: ints = 1, ceil_mode: bool = "
      "False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element of each window (the first of equals; NaN if there is one), and its index (int64) in the "
      "plane. "
      "`pad` is top, bottom, left, right.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "out1";
  static Types infer(const InferCall& call) {
    check_numbers(call.in[0], false, "max_pool2d");
    const Windows w(call.attrs, 1, "max_pool2d");
    for (size_t d = 0; d < 4; ++d) {
      if (w.pad[d] < Dim(0) || Dim(2) * w.pad[d] > Dim(d < 2 ? w.kernel.h : w.kernel.w)) {
        refuse("max_pool2d", "padding must be between 0 and half of kernel_size");
      }
    }
    const Dims dims = w.out(call.in[0].dims, "max_pool2d");
    return {Type::tensor(call.in[0].dtype, dims), Type::tensor(DType::Int64, dims)};
  }
  static void kernel(const KernelCall& call) { run_max(call); }
  static Values grad(Grad& g) {
    const Dims& x = g.in_type(0).dims;
    return {g.b.call("max_pool2d_backward", {g.ct(), g.out(1)}, {{"input_size", Ints{x[2], x[3]}}})};
  }
  static Values batch(Batch& batch) { return batch_planes(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}},
            {{{{1, 2, 7, 7}}},
             {{"kernel_size", Ints{3, 2}},
              {"stride", Ints{2, 1}},
              {"pad", Ints{1, 1, 1, 0}},
              {"dilation", Ints{1, 2}},
              {"ceil_mode", true}},
             {}}};
  }
};
EMBER_OP(MaxPoolWithIndices);

struct MaxPoolBackward {
  static constexpr const char* name = "max_pool2d_backward";
  static constexpr const char* primitive = "MaxPoolBackward";
  static constexpr const char* signature = "gradient: tensor, indices: tensor, input_size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradient of max_pool2d's input, of height and width `input_size`: each output's adds to the element at its "
      "index.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "indices";
  static Types infer(const InferCall& call) {
    const Type &dy = call.in[0], &index = call.in[1];
    check_numbers(dy, false, name);
    if (index.dtype != DType::Int64) type_error("For 'max_pool2d_backward', indices must be int64.");
    bool same = index.dims.size() == dy.dims.size();
    for (size_t d = 0; same && d < dy.dims.size(); ++d) same = index.dims[d] == dy.dims[d];
    if (!same) refuse(name, "gradient and indices must have one shape");
    return {Type::tensor(dy.dtype, sized(dy.dims, call.attrs.ints(2), name))};
  }
  static void kernel(const KernelCall& call) { run_max_backward(call); }
  // Linear in the gradient: what flows back is read at the indices.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Dims y = g.in_type(0).dims, x = g.out_type().dims;
    const Value from = b.reshape(g.ct(), {x[0], x[1], x[2] * x[3]});
    const Value index = b.reshape(g.in(1), {y[0], y[1], y[2] * y[3]});
    return {b.reshape(b.call("gather_d", {from, index}, {{"dim", int64_t{2}}}), y), {}};
  }
  static Values batch(Batch& batch) { return batch_planes(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 2, 2}}, {{2, 3, 2, 2}, DType::Int64, 0, 19}}, {{"input_size", Ints{4, 5}}}, {}}};
  }
};
EMBER_OP(MaxPoolBackward);

struct AveragePoolForward {
  static constexpr const char* name = "avg_pool2d_forward";
  static constexpr const char* primitive = "AvgPoolForward";
  static constexpr const char* signature =
      "input: tensor, kernel_size: ints, stride: ints, pad: ints = (0, 0, 0, 0), dilation: ints = 1, ceil_mode: bool = "
      "False, count_include_pad: bool = True, divisor_override: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The sum of each window over its size, or over `divisor_override`. `pad` is top, bottom, left, right.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& call) {
    check_numbers(call.in[0], true, "avg_pool2d");
    const Windows w(call.attrs, 1, "avg_pool2d");
    if (w.dilation.h != 1 || w.dilation.w != 1) refuse("avg_pool2d", "dilation must be 1");
    for (const Dim& pad : w.pad) {
      if (pad < Dim(0)) refuse("avg_pool2d", "padding must not be negative");
    }
    return {Type::tensor(call.in[0].dtype, w.out(call.in[0].dims, "avg_pool2d"))};
  }
  static void kernel(const KernelCall& call) { run_average(call); }
  static Values grad(Grad& g) {
    const Dims& x = g.in_type(0).dims;
    return {g.b.call("avg_pool2d_backward", {g.ct()},
                     {{"input_size", Ints{x[2], x[3]}},
                      {"kernel_size", g.attrs.ints(1)},
                      {"stride", g.attrs.ints(2)},
                      {"pad", g.attrs.ints(3)},
                      {"ceil_mode", g.attrs.flag(5)},
                      {"count_include_pad", g.attrs.flag(6)},
                      {"divisor_override", g.attrs.integer(7)}})};
  }
  static Values batch(Batch& batch) { return batch_planes(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}},
            {{{{1, 2, 7, 7}}},
             {{"kernel_size", Ints{3, 2}},
              {"stride", Ints{2, 2}},
              {"pad", Ints{1, 1, 1, 0}},
              {"ceil_mode", true},
              {"count_include_pad", false}},
             {}}};
  }
};
EMBER_OP(AveragePoolForward);

struct AveragePoolBackward {
  static constexpr const char* name = "avg_pool2d_backward";
  static constexpr const char* primitive = "AvgPoolBackward";
  static constexpr const char* signature =
      "gradient: tensor, input_size: ints, kernel_size: ints, stride: ints, pad: ints = (0, 0, 0, 0), dilation: ints = "
      "1, "
      "ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The gradient of avg_pool2d's input, of height and width `input_size`.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& call) {
    const Type& dy = call.in[0];
    check_numbers(dy, true, name);
    const Dims x = sized(dy.dims, call.attrs.ints(1), name);
    const Dims y = Windows(call.attrs, 2, name).out(x, name);
    if (y[2] != dy.dims[2] || y[3] != dy.dims[3])
      refuse(name, "the gradient " + to_string(dy) + " does not fit input_size");
    return {Type::tensor(dy.dtype, x)};
  }
  static void kernel(const KernelCall& call) { run_average_backward(call); }
  static Values grad(Grad& g) {
    return {g.b.call("avg_pool2d_forward", {g.ct()},
                     {{"kernel_size", g.attrs.ints(2)},
                      {"stride", g.attrs.ints(3)},
                      {"pad", g.attrs.ints(4)},
                      {"ceil_mode", g.attrs.flag(6)},
                      {"count_include_pad", g.attrs.flag(7)},
                      {"divisor_override", g.attrs.integer(8)}})};
  }
  static Values batch(Batch& batch) { return batch_planes(batch); }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 3, 2}}}, {{"input_size", Ints{6, 5}}, {"kernel_size", Ints{2, 2}}, {"stride", Ints{2, 2}}}, {}}};
  }
};
EMBER_OP(AveragePoolBackward);

Dims planes(Builder& b, const Value& x, std::string_view name) {
  const Dims dims = b.dims(x);
  if (dims.size() != 4) refuse(name, "the input must have 4 dimensions, but is " + to_string(b.type(x)));
  return dims;
}

// Padding of the pools that know no mode 'pad'.
Ints mode_padding(Builder& b, const Value& x, const std::string& mode, const Pair& kernel, const Pair& stride,
                  std::string_view name) {
  return padding_of(mode, {}, {planes(b, x, name), kernel.h, kernel.w, stride, {1, 1}}, name);
}

struct MaxPool2d {
  static constexpr const char* name = "max_pool2d";
  static constexpr const char* primitive = "MaxPool2D";
  static constexpr const char* signature =
      "x: tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, dilation: ints = 1, ceil_mode: bool = "
      "False, pad_mode: str = 'pad' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element of each window. `stride` is `kernel_size` if None. `pad_mode` is 'valid' (no padding), "
      "'same' "
      "(as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns); padding counts as less "
      "than "
      "any element.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Pair kernel = pair_of(attrs.shape(1), 1, "kernel_size", name);
    const Pair stride = attrs.has(2) ? pair_of(attrs.shape(2), 1, "stride", name) : kernel;
    const Pair padding = pair_of(attrs.shape(3), 0, "padding", name);
    const Pair dilation = pair_of(attrs.shape(4), 1, "dilation", name);
    const Spacing spacing{planes(b, in[0], name), kernel.h, kernel.w, stride, dilation};
    return {b.call(MaxPoolWithIndices::name, {in[0]},
                   {{"kernel_size", both(kernel)},
                    {"stride", both(stride)},
                    {"pad", padding_of(attrs.text(6), padding, spacing, name)},
                    {"dilation", both(dilation)},
                    {"ceil_mode", attrs.flag(5)}})};
  }
  static std::vector<Sample> samples() {
    const std::string same = "same";
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}}, {}},
            {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"padding", Ints{1}}}, {}},
            {{{{1, 2, 7, 6}}}, {{"kernel_size", Ints{3, 2}}, {"stride", Ints{2, 3}}, {"pad_mode", same}}, {}},
            {{{{1, 2, 7, 7}}},
             {{"kernel_size", Ints{2}}, {"stride", Ints{1}}, {"dilation", Ints{2, 1}}, {"pad_mode", same}},
             {}}};
  }
};
EMBER_OP(MaxPool2d);

struct MaxPool {
  static constexpr const char* name = "max_pool";
  static constexpr const char* primitive = "MaxPool";
  static constexpr const char* signature =
      "x: tensor, kernel_size: ints = 1, strides: ints = 1, pad_mode: str = 'valid' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The largest element of each window; `pad_mode` is 'valid' or 'same'.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Pair kernel = pair_of(attrs.shape(1), 1, "kernel_size", name);
    const Pair stride = pair_of(attrs.shape(2), 1, "strides", name);
    return {b.call(MaxPoolWithIndices::name, {in[0]},
                   {{"kernel_size", both(kernel)},
                    {"stride", both(stride)},
                    {"pad", mode_padding(b, in[0], attrs.text(3), kernel, stride, name)}})};
  }
  static std::vector<Sample> samples() {
    return {
        {{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}, {"strides", Ints{2}}}, {}},
        {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"strides", Ints{1}}, {"pad_mode", std::string("same")}}, {}}};
  }
};
EMBER_OP(MaxPool);

struct AvgPool2d {
  static constexpr const char* name = "avg_pool2d";
  static constexpr const char* primitive = "AvgPool2D";
  static constexpr const char* signature =
      "input_x: tensor, kernel_size: ints = 1, stride: ints = 1, padding: ints = 0, ceil_mode: bool = False, "
      "count_include_pad: bool = True, divisor_override: int = 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over "
      "`divisor_override`.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Pair pad = pair_of(attrs.shape(3), 0, "padding", name);
    return {b.call(AveragePoolForward::name, {in[0]},
                   {{"kernel_size", attrs.ints(1)},
                    {"stride", attrs.ints(2)},
                    {"pad", Ints{pad.h, pad.h, pad.w, pad.w}},
                    {"ceil_mode", attrs.flag(4)},
                    {"count_include_pad", attrs.flag(5)},
                    {"divisor_override", attrs.integer(6)}})};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}, {"stride", Ints{2}}}, {}},
            {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"padding", Ints{1}}}, {}}};
  }
};
EMBER_OP(AvgPool2d);

struct AvgPool {
  static constexpr const char* name = "avg_pool";
  static constexpr const char* primitive = "AvgPool";
  static constexpr const char* signature = MaxPool::signature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The mean of each window's elements within the input; `pad_mode` is 'valid' or 'same'.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Pair kernel = pair_of(attrs.shape(1), 1, "kernel_size", name);
    const Pair stride = pair_of(attrs.shape(2), 1, "strides", name);
    return {b.call(AveragePoolForward::name, {in[0]},
                   {{"kernel_size", both(kernel)},
                    {"stride", both(stride)},
                    {"pad", mode_padding(b, in[0], attrs.text(3), kernel, stride, name)},
                    {"count_include_pad", false}})};
  }
  static std::vector<Sample> samples() { return MaxPool::samples(); }
};
EMBER_OP(AvgPool);

}  // namespace
}  // namespace ember::ops
