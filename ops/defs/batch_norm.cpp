// Batch normalisation. Its kernels take few channels at a time, so that their elements, unless one channel's are too
// many, stay in L2 while the sums are taken and all is gone through again; composed, each step would read memory.
#include <cmath>

#include "ops/base/division.h"
#include "ops/base/scratch.h"
#include "ops/kernels/batch_norm_nhwc.h"
#include "ops/kernels/images.h"
#include "ops/kernels/norm.h"
#include "ops/kernels/widen.h"
#include "ops/program/program.h"
#include "ops/program/rows.h"
#include "ops/program/strided.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// All axes but the channels', which are axis 1.
Axes all_but_channels(size_t rank) {
  Axes axes{0};
  for (size_t d = 2; d < rank; ++d) axes.push_back(d);
  return axes;
}

constexpr int64_t kElements = 16384;  // of a block
constexpr int64_t kShortPlane = 64;   // elements

// Some channels' elements: in each of some images, their contiguous planes.
template <class T>
struct Block {
  T* at;
  int64_t images, image_stride;
  int64_t channels, plane;
};

// Calls f(rows, rows in another block) for each image: so many rows as channels.
template <class T, class U, class F>
void each_image(const Block<T>& a, const Block<U>& b, F f) {
  for (int64_t n = 0; n < a.images; ++n) f(a.at + n * a.image_stride, b.at + n * b.image_stride);
}

template <class T>
void sum(const Block<T>& block, std::remove_const_t<T>* out) {
  using Element = std::remove_const_t<T>;
  const LayoutRef rows =
      layout(dtype_of<Element>, {block.images, block.channels, block.plane}, {block.image_stride, block.plane, 1});
  reduce(ReduceKind::Sum, {const_cast<Element*>(block.at), rows.get()}, {0, 2}, dtype_of<Element>, out);
}

// A tensor's channels, in blocks of some. Where planes are short a block is transposed, so that all elements of a
// channel are a row.
class ChannelBlocks {
 public:
  explicit ChannelBlocks(const Layout& x) : images_(x.shape[0]), channels_(x.shape[1]) {
    for (size_t d = 2; d < x.rank(); ++d) plane_ *= x.shape[d];
    transposed_ = plane_ < kShortPlane && images_ > 1;
    const int64_t fit = std::max<int64_t>(1, kElements / std::max<int64_t>(1, count()));
    together_ =
        std::max<int64_t>(1, std::min(std::max(fit, transposed_ ? kTransposed : 1), ceil_div(channels_, threads())));
  }

  int64_t count() const { return images_ * plane_; }  // elements of a channel

  // Calls f(first channel, number of channels) on all threads.
  template <class F>
  void each(F f) const {
    const int64_t grain = std::max<int64_t>(1, kElements / std::max<int64_t>(1, room(together_)));
    parallel_for_throwing(ceil_div(channels_, together_), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * together_; i < std::min(end * together_, channels_); i += together_) {
        f(i, std::min(together_, channels_ - i));
      }
    });
  }

  int64_t room(int64_t some) const { return some * count(); }
  int64_t room_if_transposed(int64_t some) const { return transposed_ ? room(some) : 0; }

  template <class T>
  Block<T> packed(T* at, int64_t some) const {
    return transposed_ ? Block<T>{at, 1, some * count(), some, count()}
                       : Block<T>{at, images_, some * plane_, some, plane_};
  }

  // Where the channels are read: in x, or in `room`.
  template <class T>
  Block<const T> read(const T* x, int64_t first, int64_t some, T* room) const {
    const T* from = x + first * plane_;
    if (!transposed_) return {from, images_, channels_ * plane_, some, plane_};
    if (plane_ == 1) {
      kernels().of<T>().transpose(images_, some, from, channels_, room, images_);
    } else {
      each_plane(some, [&](int64_t at, int64_t row) { std::copy_n(from + at, plane_, room + row); });
    }
    return {room, 1, some * count(), some, count()};
  }

  // Where they are written: in y, or in `room`, until written() puts them there.
  template <class T>
  Block<T> write(T* y, int64_t first, int64_t some, T* room) const {
    if (transposed_) return packed(room, some);
    return {y + first * plane_, images_, channels_ * plane_, some, plane_};
  }
  template <class T>
  void written(T* y, int64_t first, int64_t some, const T* room, const Epilogue* epilogue) const {
    T* to = y + first * plane_;
    if (transposed_ && plane_ == 1) {
      kernels().of<T>().transpose(some, images_, room, images_, to, channels_);
    } else if (transposed_) {
      each_plane(some, [&](int64_t at, int64_t row) { std::copy_n(room + row, plane_, to + at); });
    }
    if (epilogue) epilogue->run({first * plane_, images_, some * plane_, channels_ * plane_});
  }

 private:
  static constexpr int64_t kTransposed = 16;  // channels, so that lines of memory are read whole

  // f(offset in the tensor, offset in a transposed block)
  template <class F>
  void each_plane(int64_t some, F f) const {
    for (int64_t n = 0; n < images_; ++n) {
      for (int64_t c = 0; c < some; ++c) f((n * channels_ + c) * plane_, (c * images_ + n) * plane_);
    }
  }

  const int64_t images_, channels_;
  int64_t plane_ = 1, together_;
  bool transposed_;
};

Tensor numbers(const View& v) { return to_contiguous(borrow(v)); }

template <class T>
void normalize_channels(const KernelCall& call, const ChannelBlocks& blocks) {
  const RowKernels<T>& row = row_kernels<T>();
  const Tensor in = to_contiguous(borrow(call.in[0])), weight = numbers(call.in[1]), bias = numbers(call.in[2]);
  const T count = static_cast<T>(blocks.count()), eps = static_cast<T>(call.attrs.number(3));
  blocks.each([&](int64_t first, int64_t some) {
    const Scratch<T> room(blocks.room_if_transposed(some)), squares(blocks.room(some)), rstd(some);
    T *mean = call.out[1].as<T>() + first, *variance = call.out[2].as<T>() + first;
    const T *w = weight.data_as<T>() + first, *b = bias.data_as<T>() + first;
    const Block<const T> x = blocks.read<T>(in.data_as<T>(), first, some, room);
    const Block<T> square = blocks.packed<T>(squares, some),
                   y = blocks.write<T>(call.out[0].as<T>(), first, some, squares);
    sum(x, mean);
    for (int64_t c = 0; c < some; ++c) mean[c] /= count;
    each_image(x, square, [&](const T* x, T* to) { row.squares(x, mean, to, some, square.plane); });
    sum(square, variance);
    for (int64_t c = 0; c < some; ++c) {
      variance[c] /= count;
      rstd[c] = T{1} / std::sqrt(variance[c] + eps);
    }
    each_image(x, y, [&](const T* x, T* to) { row.normalize_rows(x, mean, rstd, w, b, to, some, y.plane); });
    blocks.written<T>(call.out[0].as<T>(), first, some, squares, call.epilogue);
  });
}

// Of h = (x - mean) * rstd: slope = sum(ct h), total = sum(ct), dx = weight * rstd * (ct - total / n - h * slope / n).
template <class T>
void channel_gradients(const KernelCall& call, const ChannelBlocks& blocks) {
  const RowKernels<T>& row = row_kernels<T>();
  const Tensor cotangent = to_contiguous(borrow(call.in[0])), in = to_contiguous(borrow(call.in[1]));
  const Tensor weight = numbers(call.in[2]), means = numbers(call.in[3]), variance = numbers(call.in[4]);
  const T count = static_cast<T>(blocks.count()), eps = static_cast<T>(call.attrs.number(5));
  blocks.each([&](int64_t first, int64_t some) {
    const Scratch<T> transposed_ct(blocks.room_if_transposed(some)), transposed_x(blocks.room_if_transposed(some));
    const Scratch<T> hs(blocks.room(some)), products(blocks.room(some)), by_channel(4 * some);
    T *rstd = by_channel, *scale = rstd + some, *of_total = scale + some, *of_slope = of_total + some;
    T *slope = call.out[1].as<T>() + first, *total = call.out[2].as<T>() + first;
    const T* mean = means.data_as<T>() + first;
    const Block<const T> ct = blocks.read<T>(cotangent.data_as<T>(), first, some, transposed_ct),
                         x = blocks.read<T>(in.data_as<T>(), first, some, transposed_x);
    const Block<T> h = blocks.packed<T>(hs, some), product = blocks.packed<T>(products, some),
                   dx = blocks.write<T>(call.out[0].as<T>(), first, some, products);
    for (int64_t c = 0; c < some; ++c) {
      rstd[c] = T{1} / std::sqrt(variance.data_as<T>()[first + c] + eps);
      scale[c] = weight.data_as<T>()[first + c] * rstd[c];
    }
    for (int64_t n = 0; n < x.images; ++n) {
      row.slopes(x.at + n * x.image_stride, mean, rstd, ct.at + n * ct.image_stride, h.at + n * h.image_stride,
                 product.at + n * product.image_stride, some, x.plane);
    }
    sum(product, slope);
    sum(ct, total);
    for (int64_t c = 0; c < some; ++c) {
      of_total[c] = total[c] / count;
      of_slope[c] = slope[c] / count;
    }
    for (int64_t n = 0; n < ct.images; ++n) {
      row.unnormalize(ct.at + n * ct.image_stride, h.at + n * h.image_stride, of_total, of_slope, scale,
                      dx.at + n * dx.image_stride, some, ct.plane);
    }
    blocks.written<T>(call.out[0].as<T>(), first, some, products, call.epilogue);
  });
}

void run_batch_norm(const KernelCall& call) {
  const Layout& x = *call.in[0].layout;
  if (x.numel == 0) return fill_statistics(call, NAN);
  if (is_half_dtype(x.dtype)) return run_in_float32(call, &run_batch_norm);
  const bool single = x.dtype == DType::Float32;
  if (channels_last(*call.out[0].layout)) return single ? normalize_nhwc<float>(call) : normalize_nhwc<double>(call);
  const ChannelBlocks blocks(x);
  single ? normalize_channels<float>(call, blocks) : normalize_channels<double>(call, blocks);
}

void run_batch_norm_gradient(const KernelCall& call) {
  const Layout& x = *call.in[0].layout;
  if (x.numel == 0) return fill_statistics(call, 0);
  if (is_half_dtype(x.dtype)) return run_in_float32(call, &run_batch_norm_gradient);
  const bool single = x.dtype == DType::Float32;
  if (channels_last(*call.out[0].layout)) return single ? gradients_nhwc<float>(call) : gradients_nhwc<double>(call);
  const ChannelBlocks blocks(x);
  single ? channel_gradients<float>(call, blocks) : channel_gradients<double>(call, blocks);
}

Value by_channel(Builder& b, const Value& v, const Dims& dims) {
  Dims shape(dims.size(), 1);
  shape[1] = dims[1];
  return b.reshape(v, shape);
}

// The input, then what has an element for each channel.
void check_channels(std::span<const Type> in, std::string_view name) {
  const Type& x = in[0];
  if (x.dims.size() < 2) refuse_norm(name, "the input needs at least two dimensions", x);
  check_float(name, x, in.subspan(1));
  for (const Type& t : in.subspan(1)) {
    if (t.dims.size() != 1 || t.dims[0] != x.dims[1]) {
      refuse_norm(name, "statistics, weight and bias must have one element per channel, not " + to_string(t), x);
    }
  }
}

void check_channels(Builder& b, std::span<const Value> in, std::string_view name) {
  Types types;
  for (const Value& v : in) types.push_back(b.type(v));
  check_channels(types, name);
}

Value normalized(Builder& b, const Value& x, const Value& mean, const Value& variance, const Value& weight,
                 const Value& bias, double eps) {
  const Dims dims = b.dims(x);
  const Value centred = b.sub(x, by_channel(b, mean, dims));
  const Value normal = b.mul(centred, by_channel(b, reciprocal_deviation(b, variance, eps), dims));
  return b.call("fma", {normal, by_channel(b, weight, dims), by_channel(b, bias, dims)});
}

struct BatchNormGradient {
  static constexpr const char* name = "batch_norm_gradient";
  static constexpr const char* primitive = "BatchNormGradient";
  static constexpr const char* signature =
      "gradient: tensor, input: tensor, weight: tensor, mean: tensor, variance: tensor, eps: float = 1e-05 -> tensor, "
      "tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::SupportsEpilogue | Flag::SameImageOrder;
  static constexpr const char* images = "gradient, input, out";
  static constexpr const char* doc =
      "The gradients of batch normalisation's input, through the normalised elements and the statistics that they are "
      "made with, of its weight and of its bias. `mean` and `variance` are the batch's.";
  static constexpr const char* numpy =
      "(lambda a, s, r: (lambda h, n: ((weight * r).reshape(s) * (gradient - gradient.sum(a).reshape(s) / n - h * "
      "(gradient * h).sum(a).reshape(s) / n), (gradient * h).sum(a), gradient.sum(a)))((input - mean.reshape(s)) * "
      "r.reshape(s), input.size / input.shape[1]))((0,) + tuple(range(2, input.ndim)), (1, -1) + (1,) * (input.ndim - "
      "2), 1 / np.sqrt(variance + eps))";
  static Types infer(const InferCall& call) {
    check_channels(std::array{call.in[1], call.in[2], call.in[3], call.in[4]}, name);
    const Type &ct = call.in[0], &x = call.in[1];
    bool fits = ct.dtype == x.dtype && ct.dims.size() == x.dims.size();
    for (size_t d = 0; fits && d < x.dims.size(); ++d) fits = ct.dims[d] == x.dims[d];
    if (!fits) refuse_norm(name, "the gradient must have the input's dtype and shape, not " + to_string(ct), x);
    return {x, call.in[2], call.in[2]};
  }
  static void kernel(const KernelCall& call) { run_batch_norm_gradient(call); }
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Type type = b.type(in[1]);
    const Dims dims = type.dims;
    const Axes axes = all_but_channels(dims.size());
    const auto wide = [&](const Value& v) { return is_half_dtype(type.dtype) ? b.cast(v, DType::Float32) : v; };
    const Value ct = wide(in[0]), n = b.size(reduced_count(dims, axes));
    const Value rstd = reciprocal_deviation(b, wide(in[4]), attrs.number(5));
    const Value h = b.mul(b.sub(wide(in[1]), by_channel(b, wide(in[3]), dims)), by_channel(b, rstd, dims));
    const Value slope = reduce_sum(b, b.mul(ct, h), axes, false), total = reduce_sum(b, ct, axes, false);
    const Value part = b.mul(h, by_channel(b, b.div(slope, n), dims));
    const Value rest = b.sub(b.sub(ct, by_channel(b, b.div(total, n), dims)), part);
    Values out{b.mul(by_channel(b, b.mul(wide(in[2]), rstd), dims), rest), slope, total};
    for (Value& v : out) v = is_half_dtype(type.dtype) ? b.cast(v, type.dtype) : v;
    return out;
  }
  static std::vector<Sample> samples() {
    const SampleOperand x{{4, 3, 2, 2}}, channel{{3}}, positive{{3}, DType::Float32, 0.5, 2};
    return {{{x, x, channel, channel, positive}, {}, {}},
            {{{{5, 3}}, {{5, 3}}, channel, channel, positive}, {{"eps", 1e-3}}, {}}};
  }
};
EMBER_OP(BatchNormGradient);

struct BatchNormStatistics {
  static constexpr const char* name = "batch_norm_with_statistics";
  static constexpr const char* primitive = "BatchNormWithStatistics";
  static constexpr const char* signature =
      "input: tensor, weight: tensor, bias: tensor, eps: float = 1e-05 -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::SupportsEpilogue | Flag::SameImageOrder;
  static constexpr const char* doc =
      "Batch normalisation by the batch's own statistics, with its mean and (biased) variance per channel.";
  static constexpr const char* numpy =
      "(lambda a, s: ((input - input.mean(a).reshape(s)) / np.sqrt(input.var(a).reshape(s) + eps) * weight.reshape(s) "
      "+ "
      "bias.reshape(s), input.mean(a), input.var(a)))((0,) + tuple(range(2, input.ndim)), (1, -1) + (1,) * (input.ndim "
      "- "
      "2))";
  static constexpr const char* saves = "input, weight, out1, out2";
  static constexpr const char* images = "input, out";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    check_channels(b, in, "batch_norm");
    const Type type = b.type(in[0]);
    const Axes axes = all_but_channels(type.dims.size());
    const auto wide = [&](const Value& v) { return is_half_dtype(type.dtype) ? b.cast(v, DType::Float32) : v; };
    const Value x = wide(in[0]);
    const Value mean = mean_of(b, x, axes, false);
    const Value variance = variance_of(b, x, by_channel(b, mean, type.dims), axes, 0, false);
    Values out{normalized(b, x, mean, variance, wide(in[1]), wide(in[2]), attrs.number(3)), mean, variance};
    for (Value& v : out) v = is_half_dtype(type.dtype) ? b.cast(v, type.dtype) : v;
    return out;
  }
  static Types infer(const InferCall& call) {
    check_channels(call.in, "batch_norm");
    const Type statistics = Type::tensor(call.in[0].dtype, {call.in[0].dims[1]});
    return {call.in[0], statistics, statistics};
  }
  static void kernel(const KernelCall& call) { run_batch_norm(call); }
  // The statistics' own cotangents add to what flows through the normalised elements.
  static Values grad(Grad& g) {
    Builder& b = g.b;
    const Dims dims = g.in_type(0).dims;
    const double eps = g.attrs.number(3);
    Values out =
        b.call_all("batch_norm_gradient", std::array{g.ct(), g.in(0), g.in(1), g.out(1), g.out(2)}, {{"eps", eps}});
    if (!g.flows(1) && !g.flows(2)) return out;
    const Value n = b.size(reduced_count(dims, all_but_channels(dims.size())));
    const Value centred = b.sub(widened(b, g.in(0)), by_channel(b, widened(b, g.out(1)), dims));
    const Value of_mean = by_channel(b, b.div(widened(b, g.ct(1)), n), dims);
    const Value of_variance = by_channel(b, b.div(b.mul(widened(b, g.ct(2)), 2.0), n), dims);
    const Value of_statistics = b.add(of_mean, b.mul(of_variance, centred));
    out[0] = narrowed(b, b.add(widened(b, out[0]), of_statistics), g.in_type(0).dtype);
    return out;
  }
  static std::vector<Sample> samples() {
    return {{{{{4, 3, 2, 2}}, {{3}}, {{3}}}, {}, {}}, {{{{5, 3}}, {{3}}, {{3}}}, {}, {}}};
  }
};
EMBER_OP(BatchNormStatistics);

struct BatchNormTraining {
  static constexpr const char* name = "batch_norm_training";
  static constexpr const char* primitive = "BatchNormTraining";
  static constexpr const char* signature =
      "input: tensor, running_mean: tensor, running_var: tensor, weight: tensor, bias: tensor, momentum: number = 0.9, "
      "eps: float = 1e-05 -> tensor, tensor, tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Batch normalisation by the batch's own statistics, and what the running ones become: running * momentum + batch "
      "* "
      "(1 - momentum), the variance of the batch being the unbiased one. Nothing is written.";
  static constexpr const char* numpy =
      "(lambda a, s: ((input - input.mean(a).reshape(s)) / np.sqrt(input.var(a).reshape(s) + eps) * weight.reshape(s) "
      "+ "
      "bias.reshape(s), running_mean * momentum + input.mean(a) * (1 - momentum), running_var * momentum + "
      "input.var(a, "
      "ddof=1) * (1 - momentum)))((0,) + tuple(range(2, input.ndim)), (1, -1) + (1,) * (input.ndim - 2))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    check_channels(b, in.first(5), name);
    Values out = b.call_all(BatchNormStatistics::name, std::array{in[0], in[3], in[4]}, {{"eps", attrs.number(6)}});
    const Dims dims = b.dims(in[0]);
    const Value count = b.size(reduced_count(dims, all_but_channels(dims.size())));
    const Value others = b.call("maximum", {b.sub(count, int64_t{1}), int64_t{1}});
    out[2] = b.mul(out[2], b.div(count, others));
    for (size_t i : {1, 2}) out[i] = b.add(b.mul(in[i], in[5]), b.mul(out[i], b.sub(1.0, in[5])));
    return out;
  }
  static std::vector<Sample> samples() {
    const SampleOperand channel{{3}}, positive{{3}, DType::Float32, 0.5, 2}, momentum{{}, DType::Float32, 0.5, 1};
    return {{{{{4, 3, 2, 2}}, channel, positive, channel, channel}, {}, {}},
            {{{{5, 3}}, channel, positive, channel, channel, momentum}, {{"eps", 1e-3}}, {}}};
  }
};
EMBER_OP(BatchNormTraining);

struct BatchNorm {
  static constexpr const char* name = "batch_norm";
  static constexpr const char* primitive = "BatchNorm";
  static constexpr const char* signature =
      "input_x: tensor, running_mean: tensor, running_var: tensor, weight: tensor, bias: tensor, training: bool = "
      "False, "
      "momentum: float = 0.1, eps: float = 1e-05 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "(input_x - mean) / sqrt(var + eps) * weight + bias per channel, with the batch's own statistics when training, "
      "else "
      "with the running ones. These are not updated here.";
  static constexpr const char* numpy =
      "(lambda a, s: (input_x - (input_x.mean(a) if training else running_mean).reshape(s)) / np.sqrt((input_x.var(a) "
      "if "
      "training else running_var).reshape(s) + eps) * weight.reshape(s) + bias.reshape(s))((0,) + tuple(range(2, "
      "input_x.ndim)), (1, -1) + (1,) * (input_x.ndim - 2))";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    check_channels(b, in, name);
    const double eps = attrs.number(7);
    if (attrs.flag(5)) return {b.call(BatchNormStatistics::name, {in[0], in[3], in[4]}, {{"eps", eps}})};
    return {normalized(b, in[0], in[1], in[2], in[3], in[4], eps)};
  }
  static std::vector<Sample> samples() {
    const SampleOperand channel{{3}}, positive{{3}, DType::Float32, 0.5, 2};
    return {{{{{4, 3, 2, 2}}, channel, positive, channel, channel}, {}, {}},
            {{{{4, 3, 2, 2}}, channel, positive, channel, channel}, {{"training", true}}, {}}};
  }
};
EMBER_OP(BatchNorm);

}  // namespace
}  // namespace ember::ops
