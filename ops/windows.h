// Windows over images, as convolution and pooling take them: sizes for rows and columns, and padding.
#pragma once

#include <optional>

#include "ops/attr.h"

namespace ember::ops {

struct Pair {
  int64_t h, w;
};

// One number for both dimensions, or one for each.
Pair pair_of(const Shape& given, int64_t least, const char* what, std::string_view op_name);

// What decides padding: the input (N, C, H, W), the size of a window in it, and how windows are spaced.
struct Spacing {
  Dims input;
  Dim kernel_h, kernel_w;
  Pair stride, dilation;
};

// Padding (top, bottom, left, right) as MindSpore's pad_mode names it: 'valid' is none, 'same' what makes as many
// outputs as inputs over stride, 'pad', where there is such a mode, the given one.
Ints padding_of(const std::string& mode, std::optional<Pair> given, const Spacing& spacing, std::string_view op_name);

}  // namespace ember::ops
