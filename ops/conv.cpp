// Two-dimensional convolution in NCHW, and its two gradients. The three are bilinear in each other's results, so each
// is differentiated by the other two. Padding is explicit from here on: top, bottom, left, right.
#include "ops/convolve.h"
#include "ops/float32.h"
#include "ops/rules.h"
#include "ops/windows.h"

namespace ember::ops {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
  value_error("For '" + std::string(name) + "', " + what + ".");
}

// How output and input meet. The first four attributes after the operands and, for gradients, a size.
struct Spec {
  Pair stride, dilation;
  Ints pad;
  int64_t groups;
};

Spec spec_of(const Attrs& attrs, size_t first, std::string_view name) {
  Spec spec{pair_of(attrs.shape(first), 1, "stride", name), pair_of(attrs.shape(first + 2), 1, "dilation", name),
            attrs.ints(first + 1), attrs.integer(first + 3)};
  if (spec.pad.size() != 4) refuse(name, "pad must be four integers");
  if (spec.groups < 1) refuse(name, "groups must be at least 1, but is " + std::to_string(spec.groups));
  return spec;
}

void check_operands(std::span<const Type> in, std::string_view name) {
  if (!is_float(in[0].dtype) || in[0].dtype != in[1].dtype) {
    type_error("For '" + std::string(name) + "', operands must have one floating dtype, but are " + to_string(in[0]) +
               " and " + to_string(in[1]) + ".");
  }
  if (in[0].dims.size() != 4 || in[1].dims.size() != 4) {
    refuse(name, "operands must have 4 dimensions, but are " + to_string(in[0]) + " and " + to_string(in[1]));
  }
}

Dim out_size(Dim in, Dim before, Dim after, Dim kernel, int64_t stride, int64_t dilation, std::string_view name) {
  const Dim room = in + before + after - Dim(dilation) * (kernel - Dim(1)) - Dim(1);
  if (room < Dim(0)) {
    refuse(name, "the padded input (" + std::to_string((in + before + after).value) +
                     ") must not be smaller than the dilated kernel (" +
                     std::to_string(dilation * (kernel.value - 1) + 1) + ")");
  }
  return room / Dim(stride) + Dim(1);
}

// The output's type, from the dims of input and weight.
Dims out_dims(const Dims& x, const Dims& w, const Spec& spec, std::string_view name) {
  const Dim groups(spec.groups);
  if (w[2] < Dim(1) || w[3] < Dim(1)) refuse(name, "the kernel must not be empty");
  if (x[1] != w[1] * groups || w[0] % groups != Dim(0)) {
    refuse(name, "the input's channels (" + std::to_string(x[1].value) + ") must be the weight's (" +
                     std::to_string(w[1].value) + ") times groups (" + std::to_string(spec.groups) +
                     "), and the output's (" + std::to_string(w[0].value) + ") divisible by groups");
  }
  return {x[0], w[0], out_size(x[2], spec.pad[0], spec.pad[1], w[2], spec.stride.h, spec.dilation.h, name),
          out_size(x[3], spec.pad[2], spec.pad[3], w[3], spec.stride.w, spec.dilation.w, name)};
}

void check_gradient(const Dims& gradient, const Dims& wanted, std::string_view name) {
  bool fits = true;
  for (size_t d = 0; d < 4; ++d) fits = fits && gradient[d] == wanted[d];
  if (fits) return;
  refuse(name,
         "the gradient has shape " + to_string(hints(gradient)) + ", but the output has " + to_string(hints(wanted)));
}

Window window_of(const Shape& x, const Shape& w, const Shape& y, const Spec& spec) {
  Window window{};
  const Pair pad{spec.pad[0].value, spec.pad[2].value};
  for (int d = 0; d < 2; ++d) {
    window.in[d] = x[static_cast<size_t>(d) + 2];
    window.out[d] = y[static_cast<size_t>(d) + 2];
    window.kernel[d] = w[static_cast<size_t>(d) + 2];
    window.stride[d] = d == 0 ? spec.stride.h : spec.stride.w;
    window.dilation[d] = d == 0 ? spec.dilation.h : spec.dilation.w;
    window.pad[d] = d == 0 ? pad.h : pad.w;
    window.insert[d] = 1;
  }
  return window;
}

// The window through which the input's gradient sees the output's: taps turned, zeros between the elements.
Window turned(const Window& forward) {
  Window window = forward;
  for (int d = 0; d < 2; ++d) {
    window.in[d] = forward.out[d];
    window.out[d] = forward.in[d];
    window.stride[d] = 1;
    window.insert[d] = forward.stride[d];
    window.pad[d] = (forward.kernel[d] - 1) * forward.dilation[d] - forward.pad[d];
  }
  return window;
}

Channels channels_of(const Shape& x, const Shape& w, int64_t groups) { return {x[0], groups, w[1], w[0] / groups}; }

// Weights (groups * out, in, taps) as (groups * out, taps, in).
template <class T>
void taps_first(const T* from, const Channels& ch, int64_t taps, T* to) {
  for (int64_t m = 0; m < ch.groups * ch.out; ++m) {
    for (int64_t c = 0; c < ch.in; ++c) {
      for (int64_t t = 0; t < taps; ++t) to[(m * taps + t) * ch.in + c] = from[(m * ch.in + c) * taps + t];
    }
  }
}

// The same as (groups * in, taps, out) with taps turned.
template <class T>
void turned_taps_first(const T* from, const Channels& ch, int64_t taps, T* to) {
  for (int64_t m = 0; m < ch.groups * ch.out; ++m) {
    const int64_t g = m / ch.out;
    for (int64_t c = 0; c < ch.in; ++c) {
      T* row = to + (g * ch.in + c) * taps * ch.out + m % ch.out;
      for (int64_t t = 0; t < taps; ++t) row[(taps - 1 - t) * ch.out] = from[(m * ch.in + c) * taps + t];
    }
  }
}

struct Operands {
  Tensor first, second;
};
Operands contiguous(const KernelCall& call) {
  return {to_contiguous(borrow(call.in[0])), to_contiguous(borrow(call.in[1]))};
}

// Runs f for the element type of a call, the half types in float32.
template <class F>
void for_dtype(const KernelCall& call, KernelFn kernel, F f) {
  const DType dtype = call.in[0].layout->dtype;
  if (is_half_dtype(dtype)) return run_in_float32(call, kernel);
  dtype == DType::Float32 ? f.template operator()<float>() : f.template operator()<double>();
}

void run_forward(const KernelCall& call) {
  for_dtype(call, &run_forward, [&]<class T>() {
    const auto [x, w] = contiguous(call);
    const Spec spec = spec_of(call.attrs, 2, "conv2d");
    const Window window = window_of(x.shape(), w.shape(), call.out[0].layout->shape, spec);
    const Channels ch = channels_of(x.shape(), w.shape(), spec.groups);
    const Tensor taps = Tensor::empty(w.dtype(), w.shape());
    taps_first(w.data_as<T>(), ch, window.taps(), taps.data_as<T>());
    convolve(window, ch, x.data_as<T>(), taps.data_as<T>(), call.out[0].as<T>());
  });
}

void run_backward_input(const KernelCall& call) {
  for_dtype(call, &run_backward_input, [&]<class T>() {
    const auto [dy, w] = contiguous(call);
    const Spec spec = spec_of(call.attrs, 3, "conv2d_backward_input");
    const Shape& x = call.out[0].layout->shape;
    const Window window = turned(window_of(x, w.shape(), dy.shape(), spec));
    const Channels ch = channels_of(x, w.shape(), spec.groups);
    const Tensor taps = Tensor::empty(w.dtype(), w.shape());
    turned_taps_first(w.data_as<T>(), ch, window.taps(), taps.data_as<T>());
    convolve(window, {ch.images, ch.groups, ch.out, ch.in}, dy.data_as<T>(), taps.data_as<T>(), call.out[0].as<T>());
  });
}

void run_backward_weight(const KernelCall& call) {
  for_dtype(call, &run_backward_weight, [&]<class T>() {
    const auto [x, dy] = contiguous(call);
    const Spec spec = spec_of(call.attrs, 3, "conv2d_backward_weight");
    const Shape& w = call.out[0].layout->shape;
    const Window window = window_of(x.shape(), w, dy.shape(), spec);
    convolve_weights(window, channels_of(x.shape(), w, spec.groups), x.data_as<T>(), dy.data_as<T>(),
                     call.out[0].as<T>());
  });
}

Builder::Named named(const Attrs& attrs, size_t first) {
  return {{"stride", attrs.ints(first)},
          {"pad", attrs.ints(first + 1)},
          {"dilation", attrs.ints(first + 2)},
          {"groups", attrs.integer(first + 3)}};
}

Value forward(Builder& b, const Value& x, const Value& w, const Builder::Named& attrs) {
  return b.call("conv2d_forward", {x, w}, attrs);
}
Value backward_input(Builder& b, const Value& dy, const Value& w, const Dims& x, Builder::Named attrs) {
  attrs.push_back({"input_size", Ints{x[2], x[3]}});
  return b.call("conv2d_backward_input", {dy, w}, attrs);
}
Value backward_weight(Builder& b, const Value& x, const Value& dy, const Dims& w, Builder::Named attrs) {
  attrs.push_back({"kernel_size", Ints{w[2], w[3]}});
  return b.call("conv2d_backward_weight", {x, dy}, attrs);
}

// (b, n, c, h, w) as (b n, c, h, w), and back.
Value merged(Builder& b, const Value& v) {
  const Dims d = b.dims(v);
  return b.reshape(v, {d[0] * d[1], d[2], d[3], d[4]});
}
Value split(Builder& b, const Value& v, Dim size, Dim n) {
  const Dims d = b.dims(v);
  return b.reshape(v, {size, n, d[1], d[2], d[3]});
}
// (b, n, c, h, w) as (n, b c, h, w), and back: a batch as groups.
Value as_groups(Builder& b, const Value& v) {
  const Dims d = b.dims(v);
  return b.reshape(b.transpose(v, {1, 0, 2, 3, 4}), {d[1], d[0] * d[2], d[3], d[4]});
}
Value from_groups(Builder& b, const Value& v, Dim size, Dim c) {
  const Dims d = b.dims(v);
  return b.transpose(b.reshape(v, {d[0], size, c, d[2], d[3]}), {1, 0, 2, 3, 4});
}

Attrs with_groups(Batch& batch, size_t index) {
  SymbolTable* table = SymbolScope::current();
  const int64_t size = batch.size.symbolic() && table ? table->pin(batch.size) : batch.size.value;
  Attrs attrs = batch.attrs;
  attrs.set(index, attrs.integer(index) * std::max<int64_t>(size, 1));
  return attrs;
}

// Images first, weights second: a shared weight takes the batch as more images, batched weights as more groups.
// `channels`: of the result, by the dims of the weights of one batch item.
Values batch_images(Batch& batch, size_t groups_index, Dim (*channels)(const Dims& weights, int64_t groups)) {
  Builder& b = batch.b;
  if (!batch.batched(1)) {
    const Values operands{merged(b, batch.in(0)), batch.in(1)};
    return {split(b, b.apply(batch.op, operands, batch.attrs)[0], batch.size, b.dims(batch.in(0))[1])};
  }
  const Values operands{as_groups(b, batch.in_batched(0)), merged(b, batch.in(1))};
  Dims weights = b.dims(batch.in(1));
  weights.erase(0);
  return {from_groups(b, b.apply(batch.op, operands, with_groups(batch, groups_index))[0], batch.size,
                      channels(weights, batch.attrs.integer(groups_index)))};
}

struct Conv2dForward {
  static constexpr const char* name = "conv2d_forward";
  static constexpr const char* primitive = "Conv2DForward";
  static constexpr const char* signature =
      "input: tensor, weight: tensor, stride: ints = 1, pad: ints = (0, 0, 0, 0), dilation: ints = 1, groups: int = 1 "
      "-> "
      "tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW); `pad` is top, bottom, left, right.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "input, weight";
  static Types infer(const InferCall& call) {
    check_operands(call.in, "conv2d");
    const Dims dims = out_dims(call.in[0].dims, call.in[1].dims, spec_of(call.attrs, 2, "conv2d"), "conv2d");
    return {Type::tensor(call.in[0].dtype, dims)};
  }
  static void kernel(const KernelCall& call) { run_forward(call); }
  static Values grad(Grad& g) {
    const auto attrs = named(g.attrs, 2);
    Values out(2);
    if (g.needs(0)) out[0] = backward_input(g.b, g.ct(), g.in(1), g.in_type(0).dims, attrs);
    if (g.needs(1)) out[1] = backward_weight(g.b, g.in(0), g.ct(), g.in_type(1).dims, attrs);
    return out;
  }
  static Values batch(Batch& batch) {
    return batch_images(batch, 5, [](const Dims& w, int64_t) { return w[0]; });
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 5, 5}}, {{4, 3, 3, 3}}}, {}, {}},
            {{{{2, 4, 6, 5}}, {{4, 2, 3, 2}}},
             {{"stride", Ints{2, 1}}, {"pad", Ints{1, 0, 1, 1}}, {"dilation", Ints{1, 2}}, {"groups", int64_t{2}}},
             {}},
            {{{{2, 3, 4, 4}}, {{6, 1, 3, 3}}}, {{"groups", int64_t{3}}, {"pad", Ints{1, 1, 1, 1}}}, {}}};
  }
};
EMBER_OP(Conv2dForward);

struct Conv2dBackwardInput {
  static constexpr const char* name = "conv2d_backward_input";
  static constexpr const char* primitive = "Conv2DBackwardInput";
  static constexpr const char* signature =
      "gradient: tensor, weight: tensor, input_size: ints, stride: ints = 1, pad: ints = (0, 0, 0, 0), dilation: ints "
      "= 1, "
      "groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradient of a convolution's input, of height and width `input_size`: the convolution of the output's "
      "gradient "
      "with the turned weights.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "gradient, weight";
  static Types infer(const InferCall& call) {
    check_operands(call.in, name);
    const Spec spec = spec_of(call.attrs, 3, name);
    const Dims &dy = call.in[0].dims, &w = call.in[1].dims;
    const Ints& size = call.attrs.ints(2);
    if (size.size() != 2) refuse(name, "input_size must be two integers");
    const Dims x{dy[0], w[1] * Dim(spec.groups), size[0], size[1]};
    check_gradient(dy, out_dims(x, w, spec, name), name);
    return {Type::tensor(call.in[0].dtype, x)};
  }
  static void kernel(const KernelCall& call) { run_backward_input(call); }
  static Values grad(Grad& g) {
    const auto attrs = named(g.attrs, 3);
    Values out(2);
    if (g.needs(0)) out[0] = forward(g.b, g.ct(), g.in(1), attrs);
    if (g.needs(1)) out[1] = backward_weight(g.b, g.ct(), g.in(0), g.in_type(1).dims, attrs);
    return out;
  }
  static Values batch(Batch& batch) {
    return batch_images(batch, 6, [](const Dims& w, int64_t groups) { return w[1] * groups; });
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 4, 3, 3}}, {{4, 3, 3, 3}}}, {{"input_size", Ints{5, 5}}}, {}},
            {{{{2, 4, 3, 5}}, {{4, 2, 3, 2}}},
             {{"input_size", Ints{6, 5}},
              {"stride", Ints{2, 1}},
              {"pad", Ints{1, 0, 1, 1}},
              {"dilation", Ints{1, 2}},
              {"groups", int64_t{2}}},
             {}}};
  }
};
EMBER_OP(Conv2dBackwardInput);

struct Conv2dBackwardWeight {
  static constexpr const char* name = "conv2d_backward_weight";
  static constexpr const char* primitive = "Conv2DBackwardWeight";
  static constexpr const char* signature =
      "input: tensor, gradient: tensor, kernel_size: ints, stride: ints = 1, pad: ints = (0, 0, 0, 0), dilation: ints "
      "= 1, "
      "groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradient of a convolution's weights, of height and width `kernel_size`: per image a chain over the output's "
      "pixels, then the sum over images.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "input, gradient";
  static Types infer(const InferCall& call) {
    check_operands(call.in, name);
    const Spec spec = spec_of(call.attrs, 3, name);
    const Dims &x = call.in[0].dims, &dy = call.in[1].dims;
    const Ints& size = call.attrs.ints(2);
    if (size.size() != 2) refuse(name, "kernel_size must be two integers");
    const Dims w{dy[1], x[1] / Dim(spec.groups), size[0], size[1]};
    check_gradient(dy, out_dims(x, w, spec, name), name);
    return {Type::tensor(call.in[0].dtype, w)};
  }
  static void kernel(const KernelCall& call) { run_backward_weight(call); }
  static Values grad(Grad& g) {
    const auto attrs = named(g.attrs, 3);
    Values out(2);
    if (g.needs(0)) out[0] = backward_input(g.b, g.in(1), g.ct(), g.in_type(0).dims, attrs);
    if (g.needs(1)) out[1] = forward(g.b, g.in(0), g.ct(), attrs);
    return out;
  }
  // Each batch item has weights of its own, so the batch becomes groups.
  static Values batch(Batch& batch) {
    Builder& b = batch.b;
    const Values operands{as_groups(b, batch.in_batched(0)), as_groups(b, batch.in_batched(1))};
    const Dim channels = b.dims(batch.in_batched(1))[2];
    return {split(b, b.apply(batch.op, operands, with_groups(batch, 6))[0], batch.size, channels)};
  }
  static std::vector<Sample> samples() {
    return {{{{{2, 3, 5, 5}}, {{2, 4, 3, 3}}}, {{"kernel_size", Ints{3, 3}}}, {}},
            {{{{5, 4, 6, 5}}, {{5, 4, 3, 5}}},
             {{"kernel_size", Ints{3, 2}},
              {"stride", Ints{2, 1}},
              {"pad", Ints{1, 0, 1, 1}},
              {"dilation", Ints{1, 2}},
              {"groups", int64_t{2}}},
             {}}};
  }
};
EMBER_OP(Conv2dBackwardWeight);

struct Conv2d {
  static constexpr const char* name = "conv2d";
  static constexpr const char* primitive = "Conv2D";
  static constexpr const char* signature =
      "input: tensor, weight: tensor, bias: tensor? = None, stride: ints = 1, pad_mode: str = 'valid', padding: ints = "
      "0, "
      "dilation: ints = 1, groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW). `pad_mode` is 'valid' (no padding), "
      "'same' "
      "(as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns).";
  static constexpr const char* numpy = "";

  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type operands[] = {b.type(in[0]), b.type(in[1])};
    check_operands(operands, name);
    const Dims &x = operands[0].dims, &w = operands[1].dims;
    const Pair stride = pair_of(attrs.shape(3), 1, "stride", name),
               padding = pair_of(attrs.shape(5), 0, "padding", name),
               dilation = pair_of(attrs.shape(6), 1, "dilation", name);
    const Ints pad = padding_of(attrs.text(4), padding, {x, w[2], w[3], stride, dilation}, name);
    const Value y =
        forward(b, in[0], in[1],
                {{"stride", attrs.ints(3)}, {"pad", pad}, {"dilation", attrs.ints(6)}, {"groups", attrs.integer(7)}});
    if (none(in[2])) return {y};
    const Type bias = b.type(in[2]);
    if (bias.dims.size() != 1 || bias.dims[0] != w[0]) {
      refuse(name, "bias must have one element per output channel, but is " + to_string(bias));
    }
    return {b.add(y, b.reshape(in[2], {1, w[0], 1, 1}))};
  }

  static std::vector<Sample> samples() {
    return {{{{{2, 3, 5, 5}}, {{4, 3, 3, 3}}, {{4}}}, {}, {}},
            {{{{2, 3, 5, 6}}, {{4, 3, 3, 3}}, absent_operand()},
             {{"pad_mode", std::string("same")}, {"stride", Ints{2}}},
             {}},
            {{{{1, 2, 5, 5}}, {{4, 1, 3, 3}}, {{4}}},
             {{"pad_mode", std::string("pad")}, {"padding", Ints{1, 2}}, {"groups", int64_t{2}}},
             {}}};
  }
};
EMBER_OP(Conv2d);

}  // namespace
}  // namespace ember::ops
