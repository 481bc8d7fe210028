// Convolution and transposed convolution as users call them, by number of sizes: padding by name, and a bias. A
// transposed convolution is the gradient of the input of the convolution that has its result as input.
#include "ops/kernels/window_attributes.h"
#include "ops/table/rules.h"

namespace ember::ops {
namespace {

Value with_bias(Builder& b, const Value& y, const Value& bias, std::string_view name) {
  if (none(bias)) return y;
  const Type type = b.type(bias);
  const Dims dims = b.dims(y);
  if (type.dims.size() != 1 || type.dims[0] != dims[1]) {
    refuse(name, "bias must have one element per output channel (" + std::to_string(dims[1].hint()) + "), but is " +
                     to_string(type));
  }
  Dims shape(dims.size(), 1);
  shape[1] = dims[1];
  return b.add(y, b.reshape(bias, shape));
}

template <size_t N>
struct Conv {
  static constexpr const char* name = by_sizes(N, "conv1d", "conv2d", "conv3d");
  static constexpr const char* primitive = by_sizes(N, "Conv1D", "Conv2D", "Conv3D");
  static constexpr const char* signature =
      "input: tensor, weight: tensor, bias: tensor? = None, stride: ints = 1, pad_mode: str = 'valid', padding: ints = "
      "0, dilation: ints = 1, groups: int = 1 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = by_sizes(
      N,
      "Convolution of input (N, C, W) with weight (OC, C / groups, KW). `pad_mode` is 'valid' (no padding), 'same' (as "
      "many outputs as inputs over stride) or 'pad' (by `padding`).",
      "Convolution of images (N, C, H, W) with weights (OC, C / groups, KH, KW). `pad_mode` is 'valid' (no padding), "
      "'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of rows and columns).",
      "Convolution of volumes (N, C, D, H, W) with weights (OC, C / groups, KD, KH, KW). `pad_mode` is 'valid' (no "
      "padding), 'same' (as many outputs as inputs over stride) or 'pad' (by `padding`, of each axis).");
  static constexpr const char* numpy = "";

  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const WindowGeometry geometry{sizes_of(b.type(in[0]), N, "input", name), sizes_of(b.type(in[1]), N, "weight", name),
                                  by_axis(attrs.shape(3), N, 1, "stride", name),
                                  by_axis(attrs.shape(6), N, 1, "dilation", name)};
    const Shape padding = by_axis(attrs.shape(5), N, 0, "padding", name);
    const Ints pads(padding.begin(), padding.end());
    const Value y = b.call("conv_forward", {in[0], in[1]},
                           {{"stride", attrs.ints(3)},
                            {"pad", padding_of(attrs.text(4), &pads, geometry, name)},
                            {"dilation", attrs.ints(6)},
                            {"groups", attrs.integer(7)}});
    return {with_bias(b, y, in[2], name)};
  }

  static std::vector<Sample> samples() {
    const std::string same = "same", pad = "pad";
    if (N == 1) {
      return {{{{{2, 3, 7}}, {{4, 3, 3}}, {{4}}}, {}, {}},
              {{{{2, 3, 8}}, {{4, 3, 3}}, absent_operand()}, {{"pad_mode", same}, {"stride", Ints{2}}}, {}},
              {{{{1, 2, 6}}, {{4, 1, 2}}, {{4}}},
               {{"pad_mode", pad}, {"padding", Ints{2}}, {"dilation", Ints{3}}, {"groups", int64_t{2}}},
               {}}};
    }
    if (N == 2) {
      return {{{{{2, 3, 5, 5}}, {{4, 3, 3, 3}}, {{4}}}, {}, {}},
              {{{{2, 3, 5, 6}}, {{4, 3, 3, 3}}, absent_operand()}, {{"pad_mode", same}, {"stride", Ints{2}}}, {}},
              {{{{1, 2, 5, 5}}, {{4, 1, 3, 3}}, {{4}}},
               {{"pad_mode", pad}, {"padding", Ints{1, 2}}, {"groups", int64_t{2}}},
               {}}};
    }
    return {{{{{2, 2, 3, 4, 3}}, {{3, 2, 2, 3, 2}}, {{3}}}, {}, {}},
            {{{{1, 2, 3, 4, 5}}, {{2, 2, 3, 2, 3}}, absent_operand()}, {{"pad_mode", same}, {"stride", Ints{2}}}, {}},
            {{{{1, 2, 3, 3, 4}}, {{4, 1, 2, 3, 2}}, {{4}}},
             {{"pad_mode", pad}, {"padding", Ints{1, 0, 2}}, {"groups", int64_t{2}}},
             {}}};
  }
};
using Conv1d = Conv<1>;
using Conv2d = Conv<2>;
using Conv3d = Conv<3>;
EMBER_OP(Conv1d);
EMBER_OP(Conv2d);
EMBER_OP(Conv3d);

// The sizes of a transposed convolution's result, and the padding of the convolution that leads back.
struct Transposed {
  Ints sizes, pad;

  Transposed(const Attrs& attrs, const WindowGeometry& s, std::string_view name) {
    const std::string& mode = attrs.text(8);
    pad = padding_of(mode, &attrs.ints(4), s, name);
    if (attrs.has(9)) {
      sizes = attrs.ints(9);
      if (sizes.size() != s.input.size()) refuse(name, "output_size must have one integer for each axis");
    } else {
      find_sizes(mode, by_axis(attrs.shape(5), s.input.size(), 0, "output_padding", name), s, name);
    }
    if (mode == "same") pad = same_padding({Dims(std::span<const Dim>(sizes)), s.kernel, s.stride, s.dilation});
  }

  // What output_padding adds is cut from the padding behind, so that the convolution leads back to just the input.
  void find_sizes(const std::string& mode, const Shape& extra, const WindowGeometry& s, std::string_view name) {
    for (size_t d = 0; d < s.input.size(); ++d) {
      if (extra[d] >= std::max(s.stride[d], s.dilation[d])) {
        refuse(name, "output_padding must be less than stride or dilation, but is " + to_string(extra));
      }
      if (extra[d] != 0 && mode != "pad") refuse(name, "output_padding must be 0 unless pad_mode is 'pad'");
      const Dim stride(s.stride[d]), read = Dim(s.dilation[d]) * (s.kernel[d] - Dim(1)) + Dim(1);
      if (mode == "pad") {
        pad[2 * d + 1] = pad[2 * d + 1] - Dim(extra[d]);
        sizes.push_back((s.input[d] - Dim(1)) * stride + read - pad[2 * d] - pad[2 * d + 1]);
      } else {
        sizes.push_back(s.input[d] * stride + (mode == "valid" && read > stride ? read - stride : Dim(0)));
      }
      if (sizes.back() < Dim(0)) {
        refuse(name, "padding is more than the result, whose size would be " + std::to_string(sizes.back().hint()));
      }
    }
  }
};

template <size_t N>
struct ConvTranspose {
  static constexpr const char* name = by_sizes(N, "conv_transpose1d", "conv_transpose2d", "conv_transpose3d");
  static constexpr const char* primitive = by_sizes(N, "ConvTranspose1D", "ConvTranspose2D", "ConvTranspose3D");
  static constexpr const char* signature =
      "input: tensor, weight: tensor, bias: tensor? = None, stride: ints = 1, padding: ints = 0, output_padding: ints "
      "= 0, groups: int = 1, dilation: ints = 1, pad_mode: str = 'pad', output_size: ints? = None -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc = by_sizes(
      N,
      "Transposed convolution of input (N, C, W) with weight (C, OC / groups, KW): the gradient of the input of the "
      "convolution with that weight. `padding` is cut from the result; `output_padding` leaves more of it at the end. "
      "`pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride).",
      "Transposed convolution of images (N, C, H, W) with weights (C, OC / groups, KH, KW): the gradient of the input "
      "of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more of it at "
      "the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times stride).",
      "Transposed convolution of volumes (N, C, D, H, W) with weights (C, OC / groups, KD, KH, KW): the gradient of "
      "the input of the convolution with those weights. `padding` is cut from the result; `output_padding` leaves more "
      "of it at the end. `pad_mode` is 'pad', 'valid' (nothing is cut) or 'same' (as many outputs as inputs times "
      "stride).");
  static constexpr const char* numpy = "";

  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    const WindowGeometry geometry{sizes_of(b.type(in[0]), N, "input", name), sizes_of(b.type(in[1]), N, "weight", name),
                                  by_axis(attrs.shape(3), N, 1, "stride", name),
                                  by_axis(attrs.shape(7), N, 1, "dilation", name)};
    const Dim channels = b.dims(in[0])[1], of_weight = b.dims(in[1])[0];
    if (channels != of_weight) {
      refuse(name, "the input's channels (" + std::to_string(channels.hint()) + ") must be the weight's (" +
                       std::to_string(of_weight.hint()) + ")");
    }
    const Transposed to(attrs, geometry, name);
    const Value y = b.call("conv_backward_input", {in[0], in[1]},
                           {{"input_size", to.sizes},
                            {"stride", attrs.ints(3)},
                            {"pad", to.pad},
                            {"dilation", attrs.ints(7)},
                            {"groups", attrs.integer(6)}});
    return {with_bias(b, y, in[2], name)};
  }

  static std::vector<Sample> samples() {
    const std::string same = "same", valid = "valid";
    if (N == 1) {
      return {{{{{2, 3, 5}}, {{3, 2, 3}}, {{2}}}, {}, {}},
              {{{{2, 4, 4}}, {{4, 1, 3}}, {{2}}},
               {{"stride", Ints{3}}, {"padding", Ints{2}}, {"output_padding", Ints{1}}, {"groups", int64_t{2}}},
               {}},
              {{{{1, 2, 4}}, {{2, 2, 3}}, absent_operand()},
               {{"dilation", Ints{3}}, {"padding", Ints{1}}, {"output_padding", Ints{2}}},
               {}},
              {{{{1, 2, 4}}, {{2, 2, 2}}, absent_operand()}, {{"stride", Ints{3}}, {"pad_mode", valid}}, {}},
              {{{{1, 2, 4}}, {{2, 2, 4}}, absent_operand()}, {{"stride", Ints{2}}, {"pad_mode", same}}, {}}};
    }
    if (N == 2) {
      return {{{{{2, 3, 3, 4}}, {{3, 2, 3, 2}}, {{2}}}, {}, {}},
              {{{{1, 4, 3, 2}}, {{4, 2, 3, 3}}, {{4}}},
               {{"stride", Ints{2, 3}},
                {"padding", Ints{1, 2}},
                {"output_padding", Ints{1, 0}},
                {"groups", int64_t{2}},
                {"dilation", Ints{1, 2}}},
               {}},
              {{{{1, 2, 3, 2}}, {{2, 2, 3, 3}}, absent_operand()}, {{"stride", Ints{2}}, {"pad_mode", same}}, {}}};
    }
    return {{{{{1, 2, 2, 3, 2}}, {{2, 2, 2, 3, 2}}, {{2}}}, {}, {}},
            {{{{1, 2, 2, 2, 3}}, {{2, 1, 3, 2, 2}}, absent_operand()},
             {{"stride", Ints{2, 1, 2}},
              {"padding", Ints{1, 0, 1}},
              {"output_padding", Ints{1, 0, 0}},
              {"groups", int64_t{2}}},
             {}}};
  }
};
using ConvTranspose1d = ConvTranspose<1>;
using ConvTranspose2d = ConvTranspose<2>;
using ConvTranspose3d = ConvTranspose<3>;
EMBER_OP(ConvTranspose1d);
EMBER_OP(ConvTranspose2d);
EMBER_OP(ConvTranspose3d);

}  // namespace
}  // namespace ember::ops
