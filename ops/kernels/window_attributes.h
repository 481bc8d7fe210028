// Windows over images of one, two or three axes (N, C, sizes), as convolution and pooling take them: numbers by axis,
// and padding. The sizes are those of the axes after the first two, the outermost first.
#pragma once

#include "ops/tensor/attr.h"
#include "ops/tensor/type.h"

namespace ember::ops {

// Raises ValueError: "For 'name', what."
[[noreturn]] void refuse(std::string_view name, const std::string& what);

// What has a name of its own for one, two and three sizes.
constexpr const char* by_sizes(size_t sizes, const char* one, const char* two, const char* three) {
  return sizes == 1 ? one : sizes == 2 ? two : three;
}

// The number of sizes of an input, from 1 to 3.
size_t sizes_in(const Dims& input, std::string_view op_name);

// The sizes of an operand that must have so many.
Dims sizes_of(const Type& operand, size_t sizes, const char* what, std::string_view op_name);

// A number by axis, given as one for all axes or one for each.
Shape by_axis(const Shape& numbers, size_t axes, int64_t least, const char* what, std::string_view op_name);

// Padding before and after each axis, given as one number for all, one for each axis, or all of them.
Ints around_axes(const Ints& padding, size_t axes, std::string_view op_name);

// What decides padding: the sizes of the input and of a window in it, and how windows are with_pixel_stride.
struct WindowGeometry {
  Dims input, kernel;
  Shape stride, dilation;
};

// Padding before and after each axis such that there are as many windows as input elements over stride.
Ints same_padding(const WindowGeometry& geometry);

// Padding before and after each axis as MindSpore's pad_mode names it: 'valid' is none, 'same' as above, 'pad', where
// `padding` is not null, that one.
Ints padding_of(const std::string& mode, const Ints* padding, const WindowGeometry& geometry, std::string_view op_name);

}  // namespace ember::ops
