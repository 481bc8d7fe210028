// Convolution of images with one, two or three sizes, (N, C, D, H, W) without D or D and H, and its two gradients. The
// three are bilinear in each other's results, so each is differentiated by the other two; the input's gradient is the
// transposed convolution too. Padding is explicit from here on, before and after each axis; where negative it crops.
#include "ops/kernels/convolve.h"
#include "ops/kernels/widen.h"
#include "ops/kernels/window_attributes.h"
#include "ops/program/strided.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// How output and input meet. The four attributes from `first` on.
struct Spec {
  Shape stride, dilation;
  Ints pad;
  int64_t groups;
};

Spec spec_of(const Attrs& attrs, size_t first, size_t rank, std::string_view name) {
  const size_t axes = rank - 2;
  Spec spec{by_axis(attrs.shape(first), axes, 1, "stride", name),
            by_axis(attrs.shape(first + 2), axes, 1, "dilation", name), around_axes(attrs.ints(first + 1), axes, name),
            attrs.integer(first + 3)};
  if (spec.groups < 1) refuse(name, "groups must be at least 1, but is " + std::to_string(spec.groups));
  return spec;
}

void check_operands(std::span<const Type> in, std::string_view name) {
  if (!is_float(in[0].dtype) || in[0].dtype != in[1].dtype) {
    type_error("For '" + std::string(name) + "', operands must have one floating dtype, but are " + to_string(in[0]) +
               " and " + to_string(in[1]) + ".");
  }
  if (sizes_in(in[0].dims, name) + 2 != in[1].dims.size()) {
    refuse(name, "operands must have as many dimensions, but are " + to_string(in[0]) + " and " + to_string(in[1]));
  }
}

Dim out_size(Dim in, Dim before, Dim after, Dim kernel, int64_t stride, int64_t dilation, std::string_view name) {
  const Dim room = in + before + after - Dim(dilation) * (kernel - Dim(1)) - Dim(1);
  if (room < Dim(0)) {
    refuse(name, "the padded input (" + std::to_string((in + before + after).hint()) +
                     ") must not be smaller than the dilated kernel (" +
                     std::to_string(dilation * (kernel.hint() - 1) + 1) + ")");
  }
  return room / Dim(stride) + Dim(1);
}

// The output's dims, from those of input and weight.
Dims out_dims(const Dims& x, const Dims& w, const Spec& spec, std::string_view name) {
  const Dim groups(spec.groups);
  for (size_t d = 2; d < w.size(); ++d) {
    if (w[d] < Dim(1)) refuse(name, "the kernel must not be empty");
  }
  if (x[1] != w[1] * groups || w[0] % groups != Dim(0)) {
    refuse(name, "the input's channels (" + std::to_string(x[1].hint()) + ") must be the weight's (" +
                     std::to_string(w[1].hint()) + ") times groups (" + std::to_string(spec.groups) +
                     "), and the output's (" + std::to_string(w[0].hint()) + ") divisible by groups");
  }
  Dims out{x[0], w[0]};
  for (size_t d = 0; d + 2 < x.size(); ++d) {
    out.push_back(
        out_size(x[d + 2], spec.pad[2 * d], spec.pad[2 * d + 1], w[d + 2], spec.stride[d], spec.dilation[d], name));
  }
  return out;
}

void check_gradient(const Dims& gradient, const Dims& wanted, std::string_view name) {
  bool fits = true;
  for (size_t d = 0; d < wanted.size(); ++d) fits = fits && gradient[d] == wanted[d];
  if (fits) return;
  refuse(name,
         "the gradient has shape " + to_string(hints(gradient)) + ", but the output has " + to_string(hints(wanted)));
}

// Two dims and the sizes of an attribute.
Dims with_sizes(Dim images, Dim channels, const Ints& sizes, size_t rank, const char* what, std::string_view name) {
  if (sizes.size() + 2 != rank) refuse(name, std::string(what) + " must be " + std::to_string(rank - 2) + " integers");
  Dims out{images, channels};
  for (const Dim& size : sizes) out.push_back(size);
  return out;
}

// The axes that the images lack are the outer ones.
Window window_of(const Shape& x, const Shape& w, const Shape& y, const Spec& spec) {
  Window window;
  for (size_t d = 2; d < x.size(); ++d) {
    const size_t to = d + 3 - x.size();
    window.in[to] = x[d];
    window.out[to] = y[d];
    window.kernel[to] = w[d];
    window.stride[to] = spec.stride[d - 2];
    window.dilation[to] = spec.dilation[d - 2];
    window.pad[to] = pinned(spec.pad[2 * (d - 2)]);
  }
  return window;
}

Channels channels_of(const Shape& x, const Shape& w, int64_t groups) { return {x[0], groups, w[1], w[0] / groups}; }

// Runs `run` with the dtype of the operands, the half types in float32.
using Run = void (*)(const KernelCall& call, DType of);
template <Run run>
void run_kernel(const KernelCall& call) {
  const DType dtype = call.in[0].layout->dtype;
  if (dtype == DType::Float16) return run_in_float32(call, [](const KernelCall& wide) { run(wide, DType::Float16); });
  if (dtype == DType::BFloat16) return run_in_float32(call, [](const KernelCall& wide) { run(wide, DType::BFloat16); });
  run(call, dtype);
}

// Calls f for the element type.
template <class F>
void for_type(DType of, F f) {
  of == DType::Float64 ? f.template operator()<double>() : f.template operator()<float>();
}

void run_forward(const KernelCall& call, DType of) {
  for_type(of, [&]<class T>() {
    const Tensor x = dense_images(borrow(call.in[0])), w = to_contiguous(borrow(call.in[1]));
    const Spec spec = spec_of(call.attrs, 2, x.rank(), "conv_forward");
    const Window window = window_of(x.shape(), w.shape(), call.out[0].layout->shape, spec);
    const gc::Storage* cacheable = w.data() == call.in[1].data ? call.cacheable : nullptr;
    convolve(window, channels_of(x.shape(), w.shape(), spec.groups), of, images<T>(x), w.data_as<T>(),
             images<T>(call.out[0]), cacheable, call.epilogue);
  });
}

void run_backward_input(const KernelCall& call, DType of) {
  for_type(of, [&]<class T>() {
    const Tensor dy = dense_images(borrow(call.in[0])), w = to_contiguous(borrow(call.in[1]));
    const Spec spec = spec_of(call.attrs, 3, w.rank(), "conv_backward_input");
    const Shape& x = call.out[0].layout->shape;
    convolve_transposed(window_of(x, w.shape(), dy.shape(), spec), channels_of(x, w.shape(), spec.groups), of,
                        images<T>(dy), w.data_as<T>(), images<T>(call.out[0]), call.epilogue);
  });
}

void run_backward_weight(const KernelCall& call, DType of) {
  for_type(of, [&]<class T>() {
    const Tensor x = dense_images(borrow(call.in[0])), dy = dense_images(borrow(call.in[1]));
    const Spec spec = spec_of(call.attrs, 3, x.rank(), "conv_backward_weight");
    const Shape& w = call.out[0].layout->shape;
    const Window window = window_of(x.shape(), w, dy.shape(), spec);
    convolve_weights(window, channels_of(x.shape(), w, spec.groups), of, images<T>(x), images<T>(dy),
                     call.out[0].as<T>());
  });
}

Builder::Named named(const Attrs& attrs, size_t first) {
  return {{"stride", attrs.ints(first)},
          {"pad", attrs.ints(first + 1)},
          {"dilation", attrs.ints(first + 2)},
          {"groups", attrs.integer(first + 3)}};
}

Ints sizes_of(const Dims& dims) { return Ints(dims.begin() + 2, dims.end()); }

Value forward(Builder& b, const Value& x, const Value& w, const Builder::Named& attrs) {
  return b.call("conv_forward", {x, w}, attrs);
}
Value backward_input(Builder& b, const Value& dy, const Value& w, const Dims& x, Builder::Named attrs) {
  attrs.push_back({"input_size", sizes_of(x)});
  return b.call("conv_backward_input", {dy, w}, attrs);
}
Value backward_weight(Builder& b, const Value& x, const Value& dy, const Dims& w, Builder::Named attrs) {
  attrs.push_back({"kernel_size", sizes_of(w)});
  return b.call("conv_backward_weight", {x, dy}, attrs);
}

// `first`, then the dims from `from` on.
Dims joined(Dims first, const Dims& dims, size_t from) {
  for (size_t d = from; d < dims.size(); ++d) first.push_back(dims[d]);
  return first;
}

Value exchanged(Builder& b, const Value& v) {
  Ints permutation{1, 0};
  for (size_t d = 2; d < b.dims(v).size(); ++d) permutation.push_back(static_cast<int64_t>(d));
  return b.transpose(v, permutation);
}

// (b, n, c, sizes) as (b n, c, sizes), and back.
Value merged(Builder& b, const Value& v) {
  const Dims d = b.dims(v);
  return b.reshape(v, joined({d[0] * d[1]}, d, 2));
}
Value split(Builder& b, const Value& v, Dim size, Dim n) { return b.reshape(v, joined({size, n}, b.dims(v), 1)); }
// (b, n, c, sizes) as (n, b c, sizes), and back: a batch as groups.
Value as_groups(Builder& b, const Value& v) {
  const Dims d = b.dims(v);
  return b.reshape(exchanged(b, v), joined({d[1], d[0] * d[2]}, d, 3));
}
Value from_groups(Builder& b, const Value& v, Dim size, Dim c) {
  const Dims d = b.dims(v);
  return exchanged(b, b.reshape(v, joined({d[0], size, c}, d, 2)));
}

Attrs with_groups(const Batch& batch, size_t index) {
  Attrs attrs = batch.attrs;
  attrs.set(index, attrs.integer(index) * pinned(batch.size));
  return attrs;
}

// There are no zero groups: a batch of nothing has the results of one item, no times.
Values of_nothing(Batch& batch) {
  Types in;
  for (size_t i = 0; i < batch.operands(); ++i) {
    in.push_back(batch.b.type(batch.in(i)));
    if (batch.batched(i)) in.back().dims.erase(0);
  }
  Values out;
  for (const Type& t : batch.op.infer({in, batch.attrs})) {
    out.push_back(batch.b.zeros(t.dtype, joined({batch.size}, t.dims, 0)));
  }
  return out;
}

// Images first, weights second: a shared weight takes the batch as more images, batched weights as more groups.
// `channels`: of the result, by the dims of the weights of one batch item.
Values batch_images(Batch& batch, size_t groups_index, Dim (*channels)(const Dims& weights, int64_t groups)) {
  Builder& b = batch.b;
  if (!batch.batched(1)) {
    const Values operands{merged(b, batch.in(0)), batch.in(1)};
    return {split(b, b.apply(batch.op, operands, batch.attrs)[0], batch.size, b.dims(batch.in(0))[1])};
  }
  if (pinned(batch.size) == 0) return of_nothing(batch);
  const Values operands{as_groups(b, batch.in_batched(0)), merged(b, batch.in(1))};
  Dims weights = b.dims(batch.in(1));
  weights.erase(0);
  return {from_groups(b, b.apply(batch.op, operands, with_groups(batch, groups_index))[0], batch.size,
                      channels(weights, batch.attrs.integer(groups_index)))};
}

struct ConvForward {
  static constexpr const char* name = "conv_forward";
  static constexpr const char* primitive = "ConvForward";
  static constexpr const char* signature =
      "input: tensor, weight: tensor, stride: ints = 1, pad: ints = 0, dilation: ints = 1, groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::SupportsEpilogue;
  static constexpr const char* doc =
      "Convolution of images (N, C, sizes) with weights (OC, C / groups, sizes), of one to three sizes, summed "
      "over the taps in row-major order, and for each over the channels. `pad` is before and after each axis in turn.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "input, weight";
  static constexpr const char* images = "input, out";
  static Types infer(const InferCall& call) {
    check_operands(call.in, name);
    const Dims &x = call.in[0].dims, &w = call.in[1].dims;
    return {Type::tensor(call.in[0].dtype, out_dims(x, w, spec_of(call.attrs, 2, x.size(), name), name))};
  }
  static void kernel(const KernelCall& call) { run_kernel<&run_forward>(call); }
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
            {{{{2, 3, 4, 4}}, {{6, 1, 3, 3}}}, {{"groups", int64_t{3}}, {"pad", Ints{1, 1, 1, 1}}}, {}},
            {{{{2, 4, 7}}, {{4, 2, 3}}},
             {{"stride", Ints{2}}, {"pad", Ints{2, 1}}, {"dilation", Ints{2}}, {"groups", int64_t{2}}},
             {}},
            {{{{2, 2, 4, 3, 4}}, {{4, 1, 2, 3, 2}}},
             {{"stride", Ints{2, 1, 1}},
              {"pad", Ints{0, 1, 1, 1, 1, 0}},
              {"dilation", Ints{1, 1, 2}},
              {"groups", int64_t{2}}},
             {}},
            {{{{1, 2, 3, 4, 3}}, {{2, 2, 2, 3, 3}}}, {{"pad", Ints{1}}}, {}}};
  }
};
EMBER_OP(ConvForward);

struct ConvBackwardInput {
  static constexpr const char* name = "conv_backward_input";
  static constexpr const char* primitive = "ConvBackwardInput";
  static constexpr const char* signature =
      "gradient: tensor, weight: tensor, input_size: ints, stride: ints = 1, pad: ints = 0, dilation: ints = 1, "
      "groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure | Flag::SupportsEpilogue;
  static constexpr const char* doc =
      "The gradient of a convolution's input, whose sizes are `input_size`, summed over the flipped taps by which an "
      "output could read the element, and for each over the output's channels.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "gradient, weight";
  static constexpr const char* images = "gradient, out";
  static Types infer(const InferCall& call) {
    check_operands(call.in, name);
    const Dims &dy = call.in[0].dims, &w = call.in[1].dims;
    const Spec spec = spec_of(call.attrs, 3, dy.size(), name);
    const Dims x = with_sizes(dy[0], w[1] * Dim(spec.groups), call.attrs.ints(2), dy.size(), "input_size", name);
    check_gradient(dy, out_dims(x, w, spec, name), name);
    return {Type::tensor(call.in[0].dtype, x)};
  }
  static void kernel(const KernelCall& call) { run_kernel<&run_backward_input>(call); }
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
             {}},
            {{{{2, 3, 4}}, {{3, 2, 3}}}, {{"input_size", Ints{8}}, {"stride", Ints{2}}, {"pad", Ints{1}}}, {}},
            {{{{2, 2, 2, 3, 2}}, {{2, 1, 2, 2, 3}}},
             {{"input_size", Ints{3, 4, 4}},
              {"stride", Ints{1, 1, 2}},
              {"pad", Ints{0, 0, 0, 0, 1, 0}},
              {"groups", int64_t{2}}},
             {}}};
  }
};
EMBER_OP(ConvBackwardInput);

struct ConvBackwardWeight {
  static constexpr const char* name = "conv_backward_weight";
  static constexpr const char* primitive = "ConvBackwardWeight";
  static constexpr const char* signature =
      "input: tensor, gradient: tensor, kernel_size: ints, stride: ints = 1, pad: ints = 0, dilation: ints = 1, "
      "groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The gradient of a convolution's weights, whose sizes are `kernel_size`, summed over the output's elements of "
      "each image in row-major order, then over images.";
  static constexpr const char* numpy = "";
  static constexpr const char* saves = "input, gradient";
  static constexpr const char* images = "input, gradient";
  static Types infer(const InferCall& call) {
    check_operands(call.in, name);
    const Dims &x = call.in[0].dims, &dy = call.in[1].dims;
    const Spec spec = spec_of(call.attrs, 3, x.size(), name);
    const Dims w = with_sizes(dy[1], x[1] / Dim(spec.groups), call.attrs.ints(2), x.size(), "kernel_size", name);
    check_gradient(dy, out_dims(x, w, spec, name), name);
    return {Type::tensor(call.in[0].dtype, w)};
  }
  static void kernel(const KernelCall& call) { run_kernel<&run_backward_weight>(call); }
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
    if (pinned(batch.size) == 0) return of_nothing(batch);
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
             {}},
            {{{{3, 2, 8}}, {{3, 3, 4}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"pad", Ints{1}}}, {}},
            {{{{2, 2, 3, 4, 4}}, {{2, 2, 2, 3, 2}}},
             {{"kernel_size", Ints{2, 2, 3}},
              {"stride", Ints{1, 1, 2}},
              {"pad", Ints{0, 0, 0, 0, 1, 0}},
              {"groups", int64_t{2}}},
             {}}};
  }
};
EMBER_OP(ConvBackwardWeight);

}  // namespace
}  // namespace ember::ops
