// Pooling as users call it, by number of sizes: padding by name, and strides that follow from the windows.
#include "ops/kernels/window_attributes.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

// The windows of a call, whose attributes are named as in messages: kernel_size and the stride.
struct Call {
  WindowGeometry geometry;
  Ints kernel, stride;

  Call(const Dims& sizes, const Shape& kernel_size, const Shape& steps, const Shape& dilation, const char* stride_name,
       std::string_view name) {
    const size_t axes = sizes.size();
    const Shape k = by_axis(kernel_size, axes, 1, "kernel_size", name);
    geometry = {sizes, dims(k), by_axis(steps, axes, 1, stride_name, name),
                by_axis(dilation, axes, 1, "dilation", name)};
    kernel = Ints(k.begin(), k.end());
    stride = Ints(geometry.stride.begin(), geometry.stride.end());
  }
};

template <size_t N>
struct MaxPoolOf {
  static constexpr const char* name = by_sizes(N, "max_pool1d", "max_pool2d", "max_pool3d");
  static constexpr const char* primitive = by_sizes(N, "MaxPool1D", "MaxPool2D", "MaxPool3D");
  static constexpr const char* signature =
      "x: tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, dilation: ints = 1, ceil_mode: bool = "
      "False, pad_mode: str = 'pad' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The largest element of each window. `stride` is `kernel_size` if None. `pad_mode` is 'valid' (no padding), "
      "'same' (as many outputs as inputs over stride) or 'pad' (by `padding`); padding counts as less than any "
      "element.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Call call(sizes_of(b.type(in[0]), N, "input", name), attrs.shape(1), attrs.shape(attrs.has(2) ? 2 : 1),
                    attrs.shape(4), "stride", name);
    return {b.call("max_pool_with_indices", {in[0]},
                   {{"kernel_size", call.kernel},
                    {"stride", call.stride},
                    {"pad", padding_of(attrs.text(6), &attrs.ints(3), call.geometry, name)},
                    {"dilation", attrs.ints(4)},
                    {"ceil_mode", attrs.flag(5)}})};
  }
  static std::vector<Sample> samples() {
    const std::string same = "same";
    if (N == 1) {
      return {{{{{2, 3, 8}}}, {{"kernel_size", Ints{3}}}, {}},
              {{{{2, 2, 8}}}, {{"kernel_size", Ints{2}}, {"stride", Ints{3}}, {"pad_mode", same}}, {}}};
    }
    if (N == 3) {
      return {{{{{1, 2, 4, 5, 4}}}, {{"kernel_size", Ints{2}}, {"stride", Ints{1, 2, 2}}, {"padding", Ints{1}}}, {}}};
    }
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}}, {}},
            {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"padding", Ints{1}}}, {}},
            {{{{1, 2, 7, 6}}}, {{"kernel_size", Ints{3, 2}}, {"stride", Ints{2, 3}}, {"pad_mode", same}}, {}},
            {{{{1, 2, 7, 7}}},
             {{"kernel_size", Ints{2}}, {"stride", Ints{1}}, {"dilation", Ints{2, 1}}, {"pad_mode", same}},
             {}}};
  }
};
using MaxPool1d = MaxPoolOf<1>;
using MaxPool2d = MaxPoolOf<2>;
using MaxPool3d = MaxPoolOf<3>;
EMBER_OP(MaxPool1d);
EMBER_OP(MaxPool2d);
EMBER_OP(MaxPool3d);

template <size_t N>
struct AvgPoolOf {
  static constexpr const char* name = by_sizes(N, "avg_pool1d", "avg_pool2d", "avg_pool3d");
  static constexpr const char* primitive = by_sizes(N, "AvgPool1D", "AvgPool2D", "AvgPool3D");
  static constexpr const char* signature =
      "input_x: tensor, kernel_size: ints = 1, stride: ints = 1, padding: ints = 0, ceil_mode: bool = False, "
      "count_include_pad: bool = True, divisor_override: int = 0, pad_mode: str = 'pad' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The mean of each window, whose padding counts unless `count_include_pad` is False; or its sum over "
      "`divisor_override`. `pad_mode` is 'valid' (no padding), 'same' (as many outputs as inputs over stride) or 'pad' "
      "(by `padding`).";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Call call(sizes_of(b.type(in[0]), N, "input", name), attrs.shape(1), attrs.shape(2), {1}, "stride", name);
    return {b.call("avg_pool_forward", {in[0]},
                   {{"kernel_size", call.kernel},
                    {"stride", call.stride},
                    {"pad", padding_of(attrs.text(7), &attrs.ints(3), call.geometry, name)},
                    {"ceil_mode", attrs.flag(4)},
                    {"count_include_pad", attrs.flag(5)},
                    {"divisor_override", attrs.integer(6)}})};
  }
  static std::vector<Sample> samples() {
    const std::string same = "same";
    if (N == 1) {
      return {{{{{2, 3, 8}}},
               {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"padding", Ints{1}}, {"ceil_mode", true}},
               {}},
              {{{{2, 2, 8}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{3}}, {"pad_mode", same}}, {}}};
    }
    if (N == 3) {
      return {
          {{{{1, 2, 4, 5, 4}}},
           {{"kernel_size", Ints{2}}, {"stride", Ints{1, 2, 2}}, {"padding", Ints{1}}, {"count_include_pad", false}},
           {}}};
    }
    return {{{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}, {"stride", Ints{2}}}, {}},
            {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"stride", Ints{2}}, {"padding", Ints{1}}}, {}}};
  }
};
using AvgPool1d = AvgPoolOf<1>;
using AvgPool2d = AvgPoolOf<2>;
using AvgPool3d = AvgPoolOf<3>;
EMBER_OP(AvgPool1d);
EMBER_OP(AvgPool2d);
EMBER_OP(AvgPool3d);

struct MaxPool {
  static constexpr const char* name = "max_pool";
  static constexpr const char* primitive = "MaxPool";
  static constexpr const char* signature =
      "x: tensor, kernel_size: ints = 1, strides: ints = 1, pad_mode: str = 'valid' -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = "The largest element of each window; `pad_mode` is 'valid' or 'same'.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Call call(sizes_of(b.type(in[0]), 2, "input", name), attrs.shape(1), attrs.shape(2), {1}, "strides", name);
    return {b.call("max_pool_with_indices", {in[0]},
                   {{"kernel_size", call.kernel},
                    {"stride", call.stride},
                    {"pad", padding_of(attrs.text(3), nullptr, call.geometry, name)}})};
  }
  static std::vector<Sample> samples() {
    return {
        {{{{2, 3, 6, 5}}}, {{"kernel_size", Ints{2}}, {"strides", Ints{2}}}, {}},
        {{{{1, 2, 7, 7}}}, {{"kernel_size", Ints{3}}, {"strides", Ints{1}}, {"pad_mode", std::string("same")}}, {}}};
  }
};
EMBER_OP(MaxPool);

struct AvgPool {
  static constexpr const char* name = "avg_pool";
  static constexpr const char* primitive = "AvgPool";
  static constexpr const char* signature = MaxPool::signature;
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The mean of each window's elements within the input; `pad_mode` is 'valid' or 'same'.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const Call call(sizes_of(b.type(in[0]), 2, "input", name), attrs.shape(1), attrs.shape(2), {1}, "strides", name);
    return {b.call("avg_pool_forward", {in[0]},
                   {{"kernel_size", call.kernel},
                    {"stride", call.stride},
                    {"pad", padding_of(attrs.text(3), nullptr, call.geometry, name)},
                    {"count_include_pad", false}})};
  }
  static std::vector<Sample> samples() { return MaxPool::samples(); }
};
EMBER_OP(AvgPool);

template <size_t N>
struct AdaptivePoolOf {
  static constexpr const char* name = by_sizes(N, "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d");
  static constexpr const char* primitive = by_sizes(N, "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D");
  static constexpr const char* signature = "input: tensor, output_size: ints -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "The means of `output_size` windows along each axis, which divide it as evenly as they can; -1 keeps an axis. A "
      "single image has no batch axis.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const bool one = b.dims(in[0]).size() == N + 1;
    const Value x = one ? b.expand_dims(in[0], 0) : in[0];
    const Dims sizes = sizes_of(b.type(x), N, "input", name);
    const Shape wanted = by_axis(attrs.shape(1), N, -1, "output_size", name);
    Ints output_size;
    for (size_t d = 0; d < N; ++d) output_size.push_back(wanted[d] == -1 ? sizes[d] : Dim(wanted[d]));
    const Value y = b.call("adaptive_avg_pool_forward", {x}, {{"output_size", output_size}});
    Dims image = b.dims(y);
    if (one) image.erase(0);
    return {one ? b.reshape(y, image) : y};
  }
  static std::vector<Sample> samples() {
    if (N == 1) return {{{{{2, 3, 6}}}, {{"output_size", Ints{3}}}, {}}};
    if (N == 3) return {{{{{1, 2, 4, 3, 5}}}, {{"output_size", Ints{2, -1, 3}}}, {}}};
    return {{{{{2, 2, 5, 6}}}, {{"output_size", Ints{3}}}, {}}, {{{{1, 2, 4, 3}}}, {{"output_size", Ints{-1, 2}}}, {}}};
  }
};
using AdaptivePool1d = AdaptivePoolOf<1>;
using AdaptivePool2d = AdaptivePoolOf<2>;
using AdaptivePool3d = AdaptivePoolOf<3>;
EMBER_OP(AdaptivePool1d);
EMBER_OP(AdaptivePool2d);
EMBER_OP(AdaptivePool3d);

}  // namespace
}  // namespace ember::ops
