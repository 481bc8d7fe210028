#include "ops/windows.h"

#include "ops/op.h"

namespace ember::ops {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
  value_error("For '" + std::string(name) + "', " + what + ".");
}

// Padding before and after one dimension such that the output has ceil(in / stride) elements.
std::pair<Dim, Dim> same_padding(Dim in, Dim kernel, int64_t stride, int64_t dilation) {
  const Dim out = (in + Dim(stride - 1)) / Dim(stride);
  const Dim total = (out - Dim(1)) * Dim(stride) + Dim(dilation) * (kernel - Dim(1)) + Dim(1) - in;
  if (total <= Dim(0)) return {0, 0};
  const Dim before = total / Dim(2);
  return {before, total - before};
}

}  // namespace

Pair pair_of(const Shape& given, int64_t least, const char* what, std::string_view op_name) {
  if (given.size() != 1 && given.size() != 2) refuse(op_name, std::string(what) + " must be one or two integers");
  const Pair pair{given[0], given[given.size() - 1]};
  if (pair.h < least || pair.w < least) {
    refuse(op_name, std::string(what) + " must be at least " + std::to_string(least) + ", but is " + to_string(given));
  }
  return pair;
}

Ints padding_of(const std::string& mode, std::optional<Pair> given, const Spacing& s, std::string_view op_name) {
  if (given && mode == "pad") return {given->h, given->h, given->w, given->w};
  const bool same = mode == "same" || mode == "SAME";
  if (!same && mode != "valid" && mode != "VALID") {
    refuse(op_name, std::string("pad_mode must be ") + (given ? "'valid', 'same' or 'pad'" : "'valid' or 'same'") +
                        ", but is '" + mode + "'");
  }
  if (given && (given->h != 0 || given->w != 0)) {
    refuse(op_name, "padding must be 0 unless pad_mode is 'pad', which is '" + mode + "'");
  }
  if (!same) return {0, 0, 0, 0};
  const auto [top, bottom] = same_padding(s.input[2], s.kernel_h, s.stride.h, s.dilation.h);
  const auto [left, right] = same_padding(s.input[3], s.kernel_w, s.stride.w, s.dilation.w);
  return {top, bottom, left, right};
}

}  // namespace ember::ops
