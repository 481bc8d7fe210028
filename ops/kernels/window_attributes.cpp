#include "ops/kernels/window_attributes.h"

#include <algorithm>

#include "ops/base/error.h"

namespace ember::ops {

void refuse(std::string_view name, const std::string& what) {
  value_error("For '" + std::string(name) + "', " + what + ".");
}

size_t sizes_in(const Dims& input, std::string_view op_name) {
  if (input.size() < 3 || input.size() > 5) {
    refuse(op_name, "the input must have 3 to 5 dimensions, but has " + std::to_string(input.size()));
  }
  return input.size() - 2;
}

Dims sizes_of(const Type& operand, size_t sizes, const char* what, std::string_view op_name) {
  if (operand.dims.size() != sizes + 2) {
    refuse(op_name, "the " + std::string(what) + " must be a " + std::to_string(sizes + 2) + "D Tensor, but is " +
                        to_string(operand));
  }
  return Dims(std::span<const Dim>(operand.dims).subspan(2));
}

Shape by_axis(const Shape& numbers, size_t axes, int64_t least, const char* what, std::string_view op_name) {
  if (numbers.size() != 1 && numbers.size() != axes) {
    refuse(op_name, std::string(what) + " must be one integer" +
                        (axes == 1 ? "" : " or " + std::to_string(axes) + " of them") + ", but is " +
                        to_string(numbers));
  }
  Shape all;
  for (size_t d = 0; d < axes; ++d) {
    all.push_back(numbers[numbers.size() == 1 ? 0 : d]);
    if (all.back() >= least) continue;
    refuse(op_name,
           std::string(what) + " must be at least " + std::to_string(least) + ", but is " + to_string(numbers));
  }
  return all;
}

Ints around_axes(const Ints& padding, size_t axes, std::string_view op_name) {
  const size_t count = padding.size();
  if (count != 1 && count != axes && count != 2 * axes) {
    refuse(op_name, "padding must be one integer, one for each of " + std::to_string(axes) +
                        " axes or two for each, but is " + std::to_string(count) + " integers");
  }
  Ints all;
  for (size_t side = 0; side < 2 * axes; ++side) {
    all.push_back(padding[count == 1 ? 0 : count == axes ? side / 2 : side]);
  }
  return all;
}

Ints same_padding(const WindowGeometry& s) {
  Ints pad;
  for (size_t d = 0; d < s.input.size(); ++d) {
    const Dim stride(s.stride[d]);
    const Dim windows = (s.input[d] + stride - Dim(1)) / stride;
    const Dim read = (windows - Dim(1)) * stride + Dim(s.dilation[d]) * (s.kernel[d] - Dim(1)) + Dim(1);
    const Dim total = read <= s.input[d] ? Dim(0) : read - s.input[d];
    pad.push_back(total / Dim(2));
    pad.push_back(total - pad.back());
  }
  return pad;
}

Ints padding_of(const std::string& mode, const Ints* padding, const WindowGeometry& geometry,
                std::string_view op_name) {
  const size_t axes = geometry.input.size();
  if (padding && mode == "pad") {
    for (const Dim& pad : *padding) {
      if (pad < Dim(0)) refuse(op_name, "padding must be at least 0, but is " + std::to_string(pad.hint()));
    }
    return around_axes(*padding, axes, op_name);
  }
  const bool same = mode == "same" || mode == "SAME";
  if (!same && mode != "valid" && mode != "VALID") {
    refuse(op_name, std::string("pad_mode must be ") + (padding ? "'valid', 'same' or 'pad'" : "'valid' or 'same'") +
                        ", but is '" + mode + "'");
  }
  if (padding && std::any_of(padding->begin(), padding->end(), [](Dim pad) { return pad != Dim(0); })) {
    refuse(op_name, "padding must be 0 unless pad_mode is 'pad', which is '" + mode + "'");
  }
  return same ? same_padding(geometry) : Ints(2 * axes, Dim(0));
}

}  // namespace ember::ops
