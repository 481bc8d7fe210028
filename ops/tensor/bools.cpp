#include "ops/tensor/bools.h"

#include <algorithm>

namespace ember::ops {

bool only_bools(const Tensor& t) {
  const auto* bytes = t.data_as<uint8_t>();
  return std::all_of(bytes, bytes + t.numel(), [](uint8_t byte) { return byte <= 1; });
}

void make_bools(const Tensor& t) {
  auto* bytes = t.data_as<uint8_t>();
  for (int64_t i = 0; i < t.numel(); ++i) bytes[i] = bytes[i] != 0;
}

}  // namespace ember::ops
